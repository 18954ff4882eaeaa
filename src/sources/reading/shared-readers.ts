import { WEB_READERS } from "../web/web-readers.ts";
import { ARTICLE_READERS } from "./article-readers.ts";
import type { ReaderModule } from "./document-reader.ts";
import { RELEASE_READERS } from "./release-readers.ts";

/** Modules of readers that belong to no source. */
export const SHARED_READERS: readonly ReaderModule[] = [WEB_READERS, ARTICLE_READERS, RELEASE_READERS];
