import { readerModule } from "../reading/document-reader.ts";

export const FINRA_READERS = readerModule("finra", () => import("./readers.ts"));
