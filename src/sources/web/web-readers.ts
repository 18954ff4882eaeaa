import { readerModule } from "../reading/document-reader.ts";

/** Readers of documents that every site has. */
export const WEB_READERS = readerModule("web", () => import("./readers.ts"));
