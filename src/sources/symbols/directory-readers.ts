import { readerModule } from "../reading/document-reader.ts";

export const DIRECTORY_READERS = readerModule("symbols", () => import("./readers.ts"));
