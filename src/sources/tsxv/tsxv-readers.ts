import { readerModule } from "../reading/document-reader.ts";

export const TSXV_READERS = readerModule("tsxv", () => import("./readers.ts"));
