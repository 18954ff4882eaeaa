import type { Article, KnownArticle } from "../domain/article/article.ts";
import type { ListedSplits } from "../domain/split/split.ts";
import type { Instant } from "../domain/time/day.ts";

/** Reads articles outside of the main thread, which no article may stall. */
export interface ArticleReader {
  /**
   * Returns the stored form of an article with its facts; null if it can't be read, which is logged and shown to the operator.
   * Rejects if no article can be read.
   */
  read(article: Article, listed: ListedSplits, seenAt: Instant): Promise<KnownArticle | null>;
}
