import type { KnownArticle } from "./article.ts";
import { compareText } from "./compare-text.ts";
import { addDays, type Day } from "./day.ts";
import type { FractionEvidence } from "./event.ts";
import { sharesSymbols } from "./exchange.ts";
import type { SplitRecord } from "./split.ts";

/** A release on a split comes out in the months before its ex date, or soon after. */
const DAYS_BEFORE_EX_DATE = 90;
const DAYS_AFTER_EX_DATE = 14;

/** Known articles by the tickers that they concern. */
export type ArticleIndex = ReadonlyMap<string, readonly KnownArticle[]>;

export function indexArticles(articles: Iterable<KnownArticle>): ArticleIndex {
  const index = new Map<string, KnownArticle[]>();
  for (const article of articles) {
    // A release of a company on two exchanges names one ticker twice.
    for (const ticker of new Set(article.concerns.map((mention) => mention.ticker))) {
      const there = index.get(ticker);
      if (there) there.push(article);
      else index.set(ticker, [article]);
    }
  }
  return index;
}

/** The releases that concern a split, newest first. */
export function articlesOn(record: SplitRecord, index: ArticleIndex): readonly KnownArticle[] {
  const [first, last] = windowOf(record.exDate);
  return (index.get(record.ticker) ?? [])
    .filter(({ published }) => first <= published && published <= last)
    .filter(({ concerns }) =>
      concerns.some(
        ({ ticker, exchange }) =>
          ticker === record.ticker && (exchange === null || sharesSymbols(exchange, record.exchange)),
      ),
    )
    .toSorted((a, b) => compareText(b.published, a.published) || compareText(a.url, b.url));
}

/** What the newest release that speaks of fractional shares says of them. */
export function fractionOf(record: SplitRecord, index: ArticleIndex): FractionEvidence | null {
  const telling = articlesOn(record, index).find((article) => article.fraction !== null);
  return telling?.fraction ? { ...telling.fraction, url: telling.url, source: telling.source } : null;
}

function windowOf(exDate: Day): readonly [Day, Day] {
  return [addDays(exDate, -DAYS_BEFORE_EX_DATE), addDays(exDate, DAYS_AFTER_EX_DATE)];
}
