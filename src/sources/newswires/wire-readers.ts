import { readerModule } from "../reading/document-reader.ts";

export const WIRE_READERS = readerModule("newswires", () => import("./readers.ts"));
