import type { Article, KnownArticle } from "./article.ts";
import { tickersConcerned } from "./concerns.ts";
import type { Instant } from "./day.ts";
import { extractFacts } from "./extract/extract.ts";
import type { SplitRecord } from "./split.ts";
import type { Ticker } from "./ticker.ts";

/** Reads a release once: what we keep of it, without its body. */
export function readRelease(
  article: Article,
  listed: ReadonlyMap<Ticker, readonly SplitRecord[]>,
  seenAt: Instant,
): KnownArticle {
  const facts = extractFacts(article);
  return {
    url: article.url,
    source: article.source,
    heading: article.heading,
    published: article.published,
    seenAt,
    kind: facts.kind,
    concerns: tickersConcerned(article, facts, listed),
    fraction: facts.fraction,
  };
}
