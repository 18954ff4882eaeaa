import { errorMessage } from "../../lib/error-text.ts";
import type { ArticleReader } from "../../ports/article-reader.ts";
import type { Log } from "../../ports/log.ts";
import { FetchError } from "../web/fetch-error.ts";
import { type DocumentReader, ReaderUnavailableError } from "./document-reader.ts";
import { SHARED_READERS } from "./shared-readers.ts";

export function createArticleReader(reader: DocumentReader, log: Log): ArticleReader {
  return {
    async read(article, listed, seenAt) {
      try {
        return await reader.read(SHARED_READERS, "readArticle", article, listed, seenAt);
      } catch (error) {
        if (error instanceof ReaderUnavailableError) throw error;
        // The quarantine was logged. Every poll finds the article again.
        const level = error instanceof FetchError ? "debug" : "error";
        log[level]("article not read", { url: article.url, problem: errorMessage(error) });
        return null;
      }
    },
  };
}
