import { readerModule } from "./document-reader.ts";

/** Readers of the articles of a data service. */
export const ARTICLE_READERS = readerModule("articles", () => import("./readers.ts"));
