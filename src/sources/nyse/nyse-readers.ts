import { readerModule } from "../reading/document-reader.ts";

export const NYSE_READERS = readerModule("nyse", () => import("./readers.ts"));
