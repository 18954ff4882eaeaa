import { errorMessage } from "../../lib/error-text.ts";
import type { ArticleReader } from "../../ports/article-reader.ts";
import type { Log } from "../../ports/log.ts";
import { ARTICLE_READERS } from "./article-readers.ts";
import type { DocumentReader } from "./document-reader.ts";

export function createArticleReader(reader: DocumentReader, log: Log): ArticleReader {
  return {
    async read(article, listed, seenAt) {
      try {
        return await reader.read(ARTICLE_READERS, "readArticle", article, listed, seenAt);
      } catch (error) {
        log.error("article not read", { url: article.url, problem: errorMessage(error) });
        return null;
      }
    },
  };
}
