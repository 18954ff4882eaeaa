import { readerModule } from "../reading/document-reader.ts";

export const FILING_READERS = readerModule("sec", () => import("./readers.ts"));
