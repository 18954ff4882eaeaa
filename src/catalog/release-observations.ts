import type { ReleaseKind, TickerMention } from "../domain/article/article.ts";
import { type Exchange, isKnownExchange, OTC, sharesSymbols } from "../domain/split/exchange.ts";
import { daysBetween } from "../domain/time/day.ts";
import type { ArticleFacts, SplitFacts } from "../extraction/extract.ts";
import { isReinstatement } from "../extraction/withdrawal.ts";
import {
  type CatalogObservation,
  companyKeyOf,
  type Filer,
  isSameSecurity,
  marketOf,
  type StatementKind,
} from "./catalog-observation.ts";
import { filerNumber, isFiling, type Release } from "./release.ts";

const KINDS: Readonly<Partial<Record<ReleaseKind, StatementKind>>> = {
  reverse_split: "announced",
  ads_ratio_change: "announced",
  postponed: "postponed",
  cancelled: "cancelled",
};

/** Maximum age of a dateline at publication, in days. An older date in the text is not the dateline. */
const MAX_REPOST_AGE_DAYS = 60;

/** Returns one observation for each split in a release. Approvals and reports of past splits have none. */
export function observationsOf(release: Release): readonly CatalogObservation[] {
  const { facts } = release;
  const kind = facts === null ? undefined : KINDS[facts.kind];
  if (facts === null || kind === undefined) return [];
  const reinstates = kind === "announced" && isReinstatement(facts.evidence.kind ?? "");
  const splits = kind !== "announced" || reinstates ? splitsOrIssuer(facts) : facts.splits;
  return splits.map((split, index): CatalogObservation => {
    const { company, ratio, exDate, exDateBasis, newCusip, evidence } = split;
    const listings = listingsOf(split, facts, release);
    return {
      source: release.source,
      // A release about several funds has one observation for each, so the address alone is not unique.
      id: index === 0 ? release.url : `${release.url} ${String(index + 1).padStart(3, "0")}`,
      url: release.url,
      kind,
      ...timeOf(release, facts),
      publishedAt: release.publishedAt ?? release.foundAt,
      observedAt: release.readAt ?? release.foundAt,
      listings,
      company,
      ratio,
      exDate,
      newCusip,
      evidence: { ...facts.evidence, ...evidence, ...listingEvidence(split, listings, release) },
      isOfficial: false,
      // Facts of earlier versions state no subject: the company that they name counts as the one that speaks.
      subject: facts.subject === undefined ? (company ?? facts.security.company) : facts.subject,
      filer: filerOf(release, listings),
      isOwn: false,
      otherCompany: null,
      exDateBasis: exDate && (exDateBasis ?? "trading"),
      reinstates,
      companyKey: companyKeyOf(company),
    };
  });
}

function filerOf(release: Release, listings: readonly TickerMention[]): Filer | null {
  const cik = filerNumber(release);
  if (cik === null) return null;
  return {
    cik,
    hasSymbol: listings.some((listing) => release.tickers.some((share) => isSameSecurity(listing, share))),
  };
}

/**
 * Returns the splits of a release; if there are none, one entry with only the issuer's listing: the first ticker in an exchange
 * tag or cashtag, such as (NASDAQ: ACME) or $ACME.
 */
function splitsOrIssuer(facts: ArticleFacts): readonly SplitFacts[] {
  if (facts.splits.length > 0) return facts.splits;
  const issuer = facts.mentions.find(({ tagged }) => tagged);
  if (!issuer) return [];
  return [
    {
      ticker: issuer.ticker,
      exchange: issuer.exchange,
      company: null,
      ratio: null,
      exDate: null,
      newCusip: null,
      evidence: {},
    },
  ];
}

function timeOf(
  { published, publishedAt }: Release,
  { announced }: ArticleFacts,
): Pick<CatalogObservation, "issuedOn" | "hasDateline" | "isRepost" | "sortAt"> {
  const sortAt = publishedAt ?? 0;
  const age = announced === null ? -1 : daysBetween(announced, published);
  // A dateline may be one day after the publication: around midnight, the date depends on the time zone.
  if (announced === null || age < -1 || age > MAX_REPOST_AGE_DAYS)
    return { issuedOn: published, hasDateline: false, isRepost: false, sortAt };
  return { issuedOn: announced, hasDateline: true, isRepost: age > 1, sortAt };
}

/** Tickers of the feed and other mentions are used only if the release describes one split. */
function listingsOf(split: SplitFacts, facts: ArticleFacts, release: Release): readonly TickerMention[] {
  const isOnlySplit = facts.splits.length === 1;
  const main = isOnlySplit ? mainListing(split, release) : textListing(split);
  if (main === null) return [];
  const taggedMentions = isOnlySplit ? facts.mentions.filter(({ tagged }) => tagged) : [];
  return [main, ...taggedMentions.filter((mention) => isDualListing(mention, main)).map(toListing)];
}

/**
 * The issuer's listing. For a wire's release, the feed takes precedence over the text. For a filing, the text takes
 * precedence, because the SEC's list states NYSE also for companies on NYSE American.
 */
function mainListing(split: SplitFacts, release: Release): TickerMention | null {
  const inText = textListing(split);
  const inFeed = feedListing(inText, release);
  if (inText === null || inFeed === null) return inText ?? inFeed;
  if (!isFiling(release)) return { ...inFeed, exchange: inFeed.exchange ?? inText.exchange };
  return inText.ticker === inFeed.ticker ? { ...inText, exchange: inText.exchange ?? inFeed.exchange } : inText;
}

function textListing({ ticker, exchange }: SplitFacts): TickerMention | null {
  return ticker === null ? null : { ticker, exchange };
}

/** Returns the feed's listing of the text's ticker, otherwise the feed's only listing if it is in the same market. */
function feedListing(inText: TickerMention | null, release: Release): TickerMention | null {
  const sameTicker = release.tickers.filter(({ ticker }) => ticker === inText?.ticker);
  const [only, ...furtherListings] = sameTicker.length > 0 ? sameTicker : release.tickers;
  if (only === undefined || furtherListings.length > 0) return null;
  return inText === null || sameTicker.length > 0 || isInSameMarket(inText, only) ? only : null;
}

/** False if only one listing is over the counter, or if the countries differ. An unknown exchange matches any market. */
function isInSameMarket({ exchange }: TickerMention, { exchange: other }: TickerMention): boolean {
  if (exchange === null || other === null) return true;
  return marketOf(exchange) === marketOf(other) && (exchange === OTC) === (other === OTC);
}

function toListing({ ticker, exchange }: TickerMention): TickerMention {
  return { ticker, exchange };
}

/** Returns evidence such as `feed: NASDAQ: ACME` for a listing that is not in the text. */
function listingEvidence(
  { ticker, exchange }: SplitFacts,
  [main]: readonly TickerMention[],
  release: Release,
): CatalogObservation["evidence"] {
  if (main === undefined || (main.ticker === ticker && main.exchange === exchange)) return {};
  const tag = main.exchange === null ? main.ticker : `${main.exchange}: ${main.ticker}`;
  return { ticker: `${isFiling(release) ? "filer" : "feed"}: ${tag}` };
}

/**
 * Whether a mention is a second listing of the same share, as in (NASDAQ: ACMX) (TSX: ACM). Both have the same split on the
 * same day. A mention with an over-the-counter symbol is excluded, because FINRA sets the ex date of that market.
 */
function isDualListing(mention: TickerMention, main: TickerMention): boolean {
  if (!isExchangeListed(mention.exchange) || !isExchangeListed(main.exchange)) return false;
  if (sharesSymbols(mention.exchange, main.exchange)) return false;
  return mention.ticker.startsWith(main.ticker) || main.ticker.startsWith(mention.ticker);
}

function isExchangeListed(exchange: Exchange | null): exchange is Exchange {
  return exchange !== null && exchange !== OTC && isKnownExchange(exchange);
}
