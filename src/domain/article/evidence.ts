import { compareText, memoize } from "../../lib/collections.ts";
import type { Disagreement, ReleaseLink, SplitEvidence } from "../alert/event.ts";
import { sharesSymbols } from "../split/exchange.ts";
import { isSameRatio } from "../split/ratio.ts";
import { companiesOf, type SplitRecord, symbolsOf } from "../split/split.ts";
import { selectorsOf, type Ticker } from "../split/ticker.ts";
import { addDays, type Day } from "../time/day.ts";
import type { ArticleTerms, FractionEvidence, KnownArticle, TickerMention } from "./article.ts";
import { hasSameName, isRenamedIn, isSameCompany } from "./company-name.ts";

/** A release about a split is published within this range around the split's ex date. */
export const DAYS_BEFORE_EX_DATE = 90;
const DAYS_AFTER_EX_DATE = 14;

/** Days after the release in which a split without a stated ex date counts as upcoming. */
const MAX_DAYS_WITHOUT_EX_DATE = 90;

/** Known articles, by ticker, also with its market. An article with several tickers is listed under each. */
export type ArticleIndex = ReadonlyMap<string, readonly KnownArticle[]>;

export function indexArticles(articles: Iterable<KnownArticle>): ArticleIndex {
  const index = new Map<string, KnownArticle[]>();
  for (const article of articles) {
    // An article may name a ticker twice if the company is listed on two exchanges.
    const tickers = article.concerns.flatMap(({ ticker, exchange }) => selectorsOf(ticker, exchange ? [exchange] : []));
    for (const ticker of new Set(tickers)) {
      const known = index.get(ticker);
      if (known) known.push(article);
      else index.set(ticker, [article]);
    }
  }
  return index;
}

/** The releases about a split, newest first. */
export function articlesOn(record: SplitRecord, index: ArticleIndex): readonly KnownArticle[] {
  const named = new Set(symbolsOf(record).flatMap((ticker) => index.get(ticker) ?? []));
  return [...named]
    .filter((article) => isAbout(article, record))
    .toSorted((a, b) => compareText(b.published, a.published) || b.seenAt - a.seenAt || compareText(a.url, b.url));
}

/** True if a release is about a split: it names the split's ticker, and was published around its ex date. */
export function isAbout(article: KnownArticle, record: SplitRecord): boolean {
  const { firstDay, lastDay } = publicationDays(record);
  if (article.published < firstDay || lastDay < article.published || isAboutNextSplit(article, record)) return false;
  return article.concerns.some(
    ({ ticker, exchange }) =>
      symbolsOf(record).includes(ticker) && (exchange === null || sharesSymbols(exchange, record.exchange)),
  );
}

/**
 * True if the issuer speaks in the release, under its name or with it as a former name; false for a law firm or another company that
 * names the issuer or its symbol. If the speaker is unknown, the first symbol decides.
 */
export function isIssuersOwn(article: KnownArticle, record: SplitRecord): boolean {
  const { subject = null, kindSentence, renamedSentence = kindSentence ?? "", concerns } = article;
  const [first] = concerns;
  if (subject === null) return first !== undefined && symbolsOf(record).includes(first.ticker);
  return companiesOf(record).some(
    (company) => isSameCompany(subject, company) || isRenamedIn(renamedSentence, subject, company),
  );
}

/**
 * Whether a release may withdraw or reinstate the split: only the issuer's own. If the speaker is unknown, only a release that an
 * earlier version stored, which has no `subject`.
 */
export function mayWithdraw(article: KnownArticle, record: SplitRecord): boolean {
  return article.subject !== null && isIssuersOwn(article, record);
}

/** All symbols in the releases that announce the split. */
export function announcedSymbols(record: SplitRecord, index: ArticleIndex): readonly TickerMention[] {
  return articlesOn(record, index)
    .filter(announces)
    .flatMap(({ concerns }) => concerns);
}

/** Range of the days on which the releases about a split are published. */
const publicationDays = memoize(({ exDate }: SplitRecord) => ({
  firstDay: addDays(exDate, -DAYS_BEFORE_EX_DATE),
  lastDay: addDays(exDate, DAYS_AFTER_EX_DATE),
}));

/** The issuer's own of these releases about a split; all of them if none is its own. */
function preferIssuersOwn(releases: readonly KnownArticle[], record: SplitRecord): readonly KnownArticle[] {
  const own = releases.filter((article) => isIssuersOwn(article, record));
  return own.length === 0 ? releases : own;
}

/** The newest statement of the issuer on the fractional shares of a split; without one, that of another release. */
export function fractionOf(record: SplitRecord, index: ArticleIndex): FractionEvidence | null {
  return fractionsOf(record, index)[0] ?? null;
}

/**
 * The issuer's statements on the fractional shares of a split, newest first; without one, those of other releases. For each
 * treatment only the newest statement.
 */
export function fractionsOf(record: SplitRecord, index: ArticleIndex): readonly FractionEvidence[] {
  return fractionsIn(articlesOn(record, index), record);
}

function fractionsIn(releases: readonly KnownArticle[], record: SplitRecord): readonly FractionEvidence[] {
  const stating = preferIssuersOwn(
    releases.filter(({ fraction }) => fraction !== null),
    record,
  );
  const all = stating.flatMap(({ fraction, url, source }) => (fraction ? [{ ...fraction, url, source }] : []));
  return all.filter(({ treatment }, position) => all.findIndex((other) => other.treatment === treatment) === position);
}

/** Facts about a split from the known releases. */
export function evidenceOn(record: SplitRecord, index: ArticleIndex): SplitEvidence {
  return evidenceIn(articlesOn(record, index), record);
}

/** Facts about a split from its releases, newest first; those of other companies count only without the issuer's own. */
export function evidenceIn(releases: readonly KnownArticle[], record: SplitRecord): SplitEvidence {
  const announcing = preferIssuersOwn(releases.filter(announces), record);
  const [newest] = announcing;
  return {
    fraction: fractionsIn(releases, record)[0] ?? null,
    release: newest ? releaseLink(newest) : null,
    disagreements: disagreementsOn(record, announcing),
  };
}

export function releaseLink({ url, source, heading, published, kind }: KnownArticle): ReleaseLink {
  return { url, source, heading, published, kind };
}

/** Terms for which the newest release that states them differs from the list. `releases`: newest first. */
export function disagreementsOn(record: SplitRecord, releases: readonly KnownArticle[]): readonly Disagreement[] {
  const announcing = releases.filter((release) => announces(release) && release.terms.length > 0);
  const ratio = newestDifferent(announcing, (article) => termsOn(article, record)?.ratio ?? null, {
    isListed: (stated) => isSameRatio(stated, record.ratio),
  });
  const exDate = newestDifferent(announcing, (article) => termsOn(article, record)?.exDate ?? null, {
    isListed: (stated) => stated === record.exDate,
  });
  return [
    ...(ratio === null ? [] : [{ term: "ratio", stated: ratio } as const]),
    ...(exDate === null ? [] : [{ term: "exDate", stated: exDate } as const]),
  ];
}

/** Returns the value in the newest release that states one; null if the list has the same value, or no release states one. */
function newestDifferent<T>(
  releases: readonly KnownArticle[],
  read: (article: KnownArticle) => T | null,
  { isListed }: { readonly isListed: (stated: T) => boolean },
): T | null {
  let newest: { readonly stated: T; readonly published: Day } | null = null;
  for (const article of releases) {
    // Which of two releases of one day is newer is unknown, so the list is compared with both.
    if (newest !== null && article.published !== newest.published) break;
    const stated = read(article);
    if (stated === null) continue;
    if (isListed(stated)) return null;
    newest ??= { stated, published: article.published };
  }
  return newest?.stated ?? null;
}

/** True if a release after the split's ex date announces the issuer's next split. The past split may still be listed. */
export function isAboutNextSplit(article: KnownArticle, record: SplitRecord): boolean {
  if (article.published <= record.exDate || article.kind === "postponed") return false;
  const exDate = termsOn(article, record)?.exDate ?? null;
  return exDate !== null && exDate > article.published;
}

/** Terms that a release states for a ticker. */
export type TermsOfTicker = ArticleTerms & { readonly ticker: Ticker };

/** True if the release announces or reschedules a split, so that its terms can be compared with the list. */
export function announces({ kind }: Pick<KnownArticle, "kind">): boolean {
  return kind === "reverse_split" || kind === "ads_ratio_change" || kind === "postponed";
}

const NOTHING_STATED = { company: null, ratio: null, exDate: null, newCusip: null } as const;

/** The stated terms with their tickers. A release without terms is about the ticker that it names first. */
export const termsByTicker = memoize(({ terms, concerns }: KnownArticle): readonly TermsOfTicker[] => {
  const [first] = concerns;
  if (terms.length === 0) return first ? [{ ...NOTHING_STATED, ...first }] : [];
  return terms.flatMap((stated) => {
    // A single set of terms without a ticker is the issuer's.
    const ticker = stated.ticker ?? (terms.length === 1 ? first?.ticker : null) ?? null;
    if (ticker === null) return [];
    const tagged = concerns.find((mention) => mention.ticker === ticker)?.exchange ?? null;
    return [{ ...stated, ticker, exchange: stated.exchange ?? tagged }];
  });
});

/** The terms that a release states for a listed split; undefined if none. */
export function termsOn(article: KnownArticle, record: Listing): TermsOfTicker | undefined {
  return termsByTicker(article).find((terms) => areTermsOf(terms, record));
}

/** Terms of the upcoming splits that a release announces or reschedules. `listed`: splits to leave out. */
export function unlistedTerms(
  article: KnownArticle,
  listed: readonly SplitRecord[],
  today: Day,
): readonly TermsOfTicker[] {
  if (!announces(article)) return [];
  return termsByTicker(article)
    .filter(({ exDate }) => (exDate ?? addDays(article.published, MAX_DAYS_WITHOUT_EX_DATE)) >= today)
    .filter((terms) => !listed.some((record) => areTermsOf(terms, record)));
}

type Listing = Pick<SplitRecord, "ticker" | "formerTickers" | "exchange" | "company">;

/** Compares tickers, then names: a company with two tickers has one split, and its release may name the other ticker. */
function areTermsOf(terms: TermsOfTicker, record: Listing): boolean {
  if (symbolsOf(record).includes(terms.ticker)) {
    return terms.exchange === null || sharesSymbols(terms.exchange, record.exchange);
  }
  return terms.company !== null && hasSameName(terms.company, record.company);
}
