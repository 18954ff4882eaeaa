import { readerModule } from "../reading/document-reader.ts";

export const OCC_READERS = readerModule("occ", () => import("./readers.ts"));
