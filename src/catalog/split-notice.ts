import type { ReleaseKind, TickerMention } from "../domain/article/article.ts";
import { foldName } from "../domain/article/company-name.ts";
import { type Exchange, isKnownExchange, parseExchange, sharesSymbols } from "../domain/split/exchange.ts";
import type { Ratio } from "../domain/split/ratio.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { type Day, daysBetween, type Instant } from "../domain/time/day.ts";
import type { ArticleFacts, SplitFacts } from "../extraction/extract.ts";
import { isReinstatement } from "../extraction/withdrawal.ts";
import { compareText } from "../lib/collections.ts";
import type { Release } from "./release.ts";

/** What one release states about one split. */
export interface SplitNotice {
  readonly kind: "announced" | "postponed" | "cancelled";
  /** Reinstates a withdrawn split. The kind is then `announced`. */
  readonly reinstates: boolean;
  /** Day of the dateline, else the day on which the wire published the release. */
  readonly issuedOn: Day;
  /** `issuedOn` is the day of the dateline. */
  readonly hasDateline: boolean;
  /** The wire republished an old release, which precedes the other notices of that day. */
  readonly isRepost: boolean;
  readonly publishedAt: Instant;
  readonly url: string;
  readonly source: string;
  /** Main listing first. Empty if the release states no ticker. */
  readonly listings: readonly TickerMention[];
  readonly company: string | null;
  /** Company name without differences of spelling. Empty if none is stated. */
  readonly companyKey: string;
  readonly ratio: Ratio | null;
  readonly exDate: Day | null;
}

const NOTICE_KINDS: Readonly<Partial<Record<ReleaseKind, SplitNotice["kind"]>>> = {
  reverse_split: "announced",
  ads_ratio_change: "announced",
  postponed: "postponed",
  cancelled: "cancelled",
};

/** A dateline that is older than this is another date in the text. */
const MAX_REPOST_AGE_DAYS = 60;

const OTC = parseExchange("OTC");

/** Returns one notice for each split in a release. Approvals and reports of past splits have none. */
export function noticesOf(release: Release): readonly SplitNotice[] {
  const { facts } = release;
  const kind = facts === null ? undefined : NOTICE_KINDS[facts.kind];
  if (facts === null || kind === undefined) return [];
  const reinstates = kind === "announced" && isReinstatement(facts.evidence.kind ?? "");
  const splits = kind !== "announced" || reinstates ? splitsOrIssuer(facts) : facts.splits;
  return splits.map((split): SplitNotice => {
    const { company, ratio, exDate } = split;
    return {
      kind,
      reinstates,
      ...timeOf(release, facts),
      url: release.url,
      source: release.source,
      listings: listingsOf(split, facts, release.tickers),
      company,
      companyKey: company === null ? "" : foldName(company).join(" "),
      ratio,
      exDate,
    };
  });
}

/** Sorts notices by their own dates, whatever the order in which they were received. */
export function compareNotices(a: SplitNotice, b: SplitNotice): number {
  return (
    compareText(a.issuedOn, b.issuedOn) ||
    Number(b.isRepost) - Number(a.isRepost) ||
    a.publishedAt - b.publishedAt ||
    compareText(a.url, b.url)
  );
}

/** Whether two listings are the same security in one market. An unknown exchange matches any. */
export function isSameListing(a: TickerMention, b: TickerMention): boolean {
  if (a.ticker !== b.ticker) return false;
  return a.exchange === null || b.exchange === null || sharesSymbols(a.exchange, b.exchange);
}

type Terms = Omit<SplitFacts, "evidence" | "newCusip">;

/** A withdrawal or reinstatement may identify its split only by the issuer, whose ticker comes first. */
function splitsOrIssuer(facts: ArticleFacts): readonly Terms[] {
  if (facts.splits.length > 0) return facts.splits;
  const issuer = facts.mentions.find(({ tagged }) => tagged);
  if (!issuer) return [];
  return [{ ticker: issuer.ticker, exchange: issuer.exchange, company: null, ratio: null, exDate: null }];
}

function timeOf(
  { published, publishedAt }: Release,
  { announced }: ArticleFacts,
): Pick<SplitNotice, "issuedOn" | "hasDateline" | "isRepost" | "publishedAt"> {
  const instant = publishedAt ?? 0;
  const age = announced === null ? -1 : daysBetween(announced, published);
  // A dateline may be one day ahead: a release at midnight has two dates, depending on the time zone.
  if (announced === null || age < -1 || age > MAX_REPOST_AGE_DAYS)
    return { issuedOn: published, hasDateline: false, isRepost: false, publishedAt: instant };
  return { issuedOn: announced, hasDateline: true, isRepost: age > 1, publishedAt: instant };
}

/** The tickers of the feed and the other mentions are used only for a release with one split. */
function listingsOf(split: Terms, facts: ArticleFacts, feedTickers: Release["tickers"]): readonly TickerMention[] {
  const isOnlySplit = facts.splits.length === 1;
  const main = mainListing(split, isOnlySplit ? feedTickers : []);
  if (main === null) return [];
  const others = isOnlySplit ? facts.mentions.filter(({ tagged }) => tagged) : [];
  return [main, ...others.filter((mention) => isDualListing(mention, main)).map(withoutInterimSuffix)];
}

/** The feed may state the security or the exchange that the text omits. */
function mainListing({ ticker, exchange }: Terms, feedTickers: Release["tickers"]): TickerMention | null {
  const candidates = ticker === null ? feedTickers : feedTickers.filter((mention) => mention.ticker === ticker);
  const fromFeed = candidates.length === 1 ? (candidates[0] ?? null) : null;
  if (ticker === null) return fromFeed && withoutInterimSuffix(fromFeed);
  return withoutInterimSuffix({ ticker, exchange: exchange ?? fromFeed?.exchange ?? null });
}

/** Over-the-counter symbols have the suffix D for about twenty business days after a split: ACMED is ACME. */
function withoutInterimSuffix({ ticker, exchange }: TickerMention): TickerMention {
  const isInterim = exchange === OTC && /^[A-Z]{4}D$/.test(ticker);
  return { ticker: isInterim ? (ticker.slice(0, -1) as Ticker) : ticker, exchange };
}

/**
 * Whether a mention is a second listing of the same share, as in (NASDAQ: ACMX) (TSX: ACM). Both have the same split on the
 * same day. An over-the-counter line is excluded, because FINRA sets its day.
 */
function isDualListing(mention: TickerMention, main: TickerMention): boolean {
  if (!isExchangeListed(mention.exchange) || !isExchangeListed(main.exchange)) return false;
  if (sharesSymbols(mention.exchange, main.exchange)) return false;
  return mention.ticker.startsWith(main.ticker) || main.ticker.startsWith(mention.ticker);
}

function isExchangeListed(exchange: Exchange | null): exchange is Exchange {
  return exchange !== null && exchange !== OTC && isKnownExchange(exchange);
}
