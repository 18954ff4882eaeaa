import { readerModule } from "../reading/document-reader.ts";

export const HALTS_READERS = readerModule("halts", () => import("./readers.ts"));
