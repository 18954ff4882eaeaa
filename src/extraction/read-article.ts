import type { Article, KnownArticle, StatedTerms } from "../domain/article/article.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import type { Instant } from "../domain/time/day.ts";
import { findConcernedTickers } from "./concerned-tickers.ts";
import { extractFacts } from "./extract.ts";

/** Another one for another text, but for one in some billions: FNV-1a, in 32 bits. */
export function articleVersion({ heading, content }: Pick<Article, "heading" | "content">): string {
  let hash = 0x811c9dc5;
  for (const text of [heading, "\n", content]) {
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

/** Reads a release once in each version: what we keep of it, without its body. */
export function readArticle(
  article: Article,
  listed: ReadonlyMap<Ticker, readonly SplitRecord[]>,
  seenAt: Instant,
): KnownArticle {
  const facts = extractFacts(article);
  return {
    url: article.url,
    source: article.source,
    heading: article.heading,
    version: articleVersion(article),
    published: article.published,
    seenAt,
    kind: facts.kind,
    kindSentence: facts.evidence.kind ?? null,
    concerns: findConcernedTickers(article, facts, listed),
    fraction: facts.fraction,
    terms: facts.splits.map(termsAlone),
  };
}

/** Without their sentences: a release is kept for months. */
function termsAlone({ ticker, exchange, company, ratio, exDate, newCusip }: StatedTerms): StatedTerms {
  return { ticker, exchange, company, ratio, exDate, newCusip };
}
