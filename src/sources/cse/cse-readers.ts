import { readerModule } from "../reading/document-reader.ts";

export const CSE_READERS = readerModule("cse", () => import("./readers.ts"));
