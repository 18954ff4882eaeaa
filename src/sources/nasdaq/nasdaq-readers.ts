import { readerModule } from "../reading/document-reader.ts";

export const NASDAQ_READERS = readerModule("nasdaq", () => import("./readers.ts"));
