import { compareText } from "../../lib/compare-text.ts";
import type { Disagreement, FractionEvidence, ReleaseLink, SplitEvidence } from "../alert/event.ts";
import { sharesSymbols } from "../split/exchange.ts";
import { sameRatio } from "../split/ratio.ts";
import type { SplitRecord } from "../split/split.ts";
import { addDays, type Day } from "../time/day.ts";
import type { KnownArticle } from "./article.ts";
import { announces, termsOn } from "./stated-terms.ts";

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
  return (index.get(record.ticker) ?? [])
    .filter((article) => isOn(article, record))
    .toSorted((a, b) => compareText(b.published, a.published) || compareText(a.url, b.url));
}

/** Whether a release concerns a split: it names its ticker, around its time. */
export function isOn(article: KnownArticle, record: SplitRecord): boolean {
  const [first, last] = windowOf(record.exDate);
  if (article.published < first || last < article.published || isOnNextSplit(article, record)) return false;
  return article.concerns.some(
    ({ ticker, exchange }) =>
      ticker === record.ticker && (exchange === null || sharesSymbols(exchange, record.exchange)),
  );
}

/** What the newest release that speaks of fractional shares says of them. */
export function fractionOf(record: SplitRecord, index: ArticleIndex): FractionEvidence | null {
  return fractionsOf(record, index)[0] ?? null;
}

/** What releases say of its fractional shares: the newest of each treatment, the newest of all first. */
export function fractionsOf(record: SplitRecord, index: ArticleIndex): readonly FractionEvidence[] {
  const all = articlesOn(record, index).flatMap(({ fraction, url, source }) =>
    fraction ? [{ ...fraction, url, source }] : [],
  );
  return all.filter(({ treatment }, at) => all.findIndex((other) => other.treatment === treatment) === at);
}

/** All that the releases say of a split: what an alert shows of them. */
export function evidenceOn(record: SplitRecord, index: ArticleIndex): SplitEvidence {
  const announcing = articlesOn(record, index).filter(announces);
  const [newest] = announcing;
  return {
    fraction: fractionOf(record, index),
    release: newest ? releaseLink(newest) : null,
    disagreements: disagreementsOn(record, announcing),
  };
}

export function releaseLink({ url, source, heading, published, kind }: KnownArticle): ReleaseLink {
  return { url, source, heading, published, kind };
}

/** On what these releases, the newest first, and the list differ. */
export function disagreementsOn(record: SplitRecord, releases: readonly KnownArticle[]): readonly Disagreement[] {
  const announcing = releases.filter(announces);
  const ratio = newestOther(announcing, (article) => termsOn(article, record)?.ratio ?? null, {
    isListed: (stated) => sameRatio(stated, record.ratio),
  });
  const exDate = newestOther(announcing, (article) => termsOn(article, record)?.exDate ?? null, {
    isListed: (stated) => stated === record.exDate,
  });
  return [
    ...(ratio === null ? [] : [{ term: "ratio", stated: ratio } as const]),
    ...(exDate === null ? [] : [{ term: "exDate", stated: exDate } as const]),
  ];
}

/** What the newest release that states a term says of it; null where that is what the list says. */
function newestOther<T>(
  releases: readonly KnownArticle[],
  read: (article: KnownArticle) => T | null,
  { isListed }: { readonly isListed: (stated: T) => boolean },
): T | null {
  const stating = releases.flatMap((article) => {
    const stated = read(article);
    return stated === null ? [] : [{ stated, published: article.published }];
  });
  // Which of two releases of one day came last is not known: the list may follow either.
  const lastDay = stating.filter(({ published }) => published === stating[0]?.published);
  return lastDay.some(({ stated }) => isListed(stated)) ? null : (lastDay[0]?.stated ?? null);
}

/** After its ex date a split may stay listed for a while: a release that names a day to come then is on the next one. */
function isOnNextSplit(article: KnownArticle, record: SplitRecord): boolean {
  if (article.published <= record.exDate || article.kind === "postponed") return false;
  const exDate = termsOn(article, record)?.exDate ?? null;
  return exDate !== null && exDate > article.published;
}

function windowOf(exDate: Day): readonly [Day, Day] {
  return [addDays(exDate, -DAYS_BEFORE_EX_DATE), addDays(exDate, DAYS_AFTER_EX_DATE)];
}
