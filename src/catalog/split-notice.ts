import type { ReleaseKind, TickerMention } from "../domain/article/article.ts";
import { foldName } from "../domain/article/company-name.ts";
import type { Ratio } from "../domain/split/ratio.ts";
import { type Day, daysBetween, type Instant } from "../domain/time/day.ts";
import type { ArticleFacts, SplitFacts } from "../extraction/extract.ts";
import { isReinstatement } from "../extraction/withdrawal.ts";
import { compareText } from "../lib/compare-text.ts";
import { isDualListing, withoutInterimSuffix } from "./listing.ts";
import type { Release } from "./release.ts";

/** What one release says of one split. */
export interface SplitNotice {
  readonly kind: "announced" | "postponed" | "cancelled";
  /** It says that the split is on again after it was called off; its kind is then `announced`. */
  readonly reinstates: boolean;
  /** By its own dateline, where it has one; else the day on which the wire showed it. */
  readonly issuedOn: Day;
  /** The day is the dateline's. */
  readonly hasDateline: boolean;
  /** A wire that shows an old release anew: what it says was said on `day`, before all else. */
  readonly isRepost: boolean;
  readonly publishedAt: Instant;
  readonly url: string;
  readonly source: string;
  /** Its main listing first; none where it states no ticker. */
  readonly listings: readonly TickerMention[];
  readonly company: string | null;
  /** The same for all spellings of the company's name; empty where none is stated. */
  readonly companyKey: string;
  readonly ratio: Ratio | null;
  readonly exDate: Day | null;
}

const KINDS: Readonly<Partial<Record<ReleaseKind, SplitNotice["kind"]>>> = {
  reverse_split: "announced",
  ads_ratio_change: "announced",
  postponed: "postponed",
  cancelled: "cancelled",
};

/** A dateline that lies further back is a date out of the text. */
const OLDEST_REPOST_DAYS = 60;

/** What a release says of splits to come; nothing where it only approves one, or speaks of the past. */
export function noticesOf(release: Release): readonly SplitNotice[] {
  const { facts } = release;
  const kind = facts === null ? undefined : KINDS[facts.kind];
  if (facts === null || kind === undefined) return [];
  const isBack = kind === "announced" && isReinstatement(facts.evidence.kind ?? "");
  const splits = kind !== "announced" || isBack ? splitsOrIssuer(facts) : facts.splits;
  return splits.map((split): SplitNotice => {
    const { company, ratio, exDate } = split;
    return {
      kind,
      reinstates: isBack,
      ...timeOf(release, facts),
      url: release.url,
      source: release.source,
      listings: listingsOf(split, { facts, feed: release.tickers }),
      company,
      companyKey: company === null ? "" : foldName(company).join(" "),
      ratio,
      exDate,
    };
  });
}

/** The order in which things were said, whatever the order in which we heard of them. */
export function compareNotices(a: SplitNotice, b: SplitNotice): number {
  return (
    compareText(a.issuedOn, b.issuedOn) ||
    Number(b.isRepost) - Number(a.isRepost) ||
    a.publishedAt - b.publishedAt ||
    compareText(a.url, b.url)
  );
}

type Terms = Omit<SplitFacts, "evidence" | "newCusip">;

/** A release that calls a split off, or takes that back, may name it by no more than its issuer, who is named first. */
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
  const at = publishedAt ?? 0;
  const age = announced === null ? -1 : daysBetween(announced, published);
  // The day after is still the dateline's: releases go out before midnight in one zone and after it in another.
  if (announced === null || age < -1 || age > OLDEST_REPOST_DAYS)
    return { issuedOn: published, hasDateline: false, isRepost: false, publishedAt: at };
  return { issuedOn: announced, hasDateline: true, isRepost: age > 1, publishedAt: at };
}

function listingsOf(
  split: Terms,
  { facts, feed }: { readonly facts: ArticleFacts; readonly feed: Release["tickers"] },
): readonly TickerMention[] {
  const main = mainListing(split, facts.splits.length === 1 ? feed : []);
  if (main === null) return [];
  const twins = facts.splits.length === 1 ? facts.mentions.filter(({ tagged }) => tagged) : [];
  return [main, ...twins.filter((mention) => isDualListing(mention, main)).map(withoutInterimSuffix)];
}

/** What the text leaves out the wire's own entry may state: one security, or the exchange of this one. */
function mainListing({ ticker, exchange }: Terms, feed: Release["tickers"]): TickerMention | null {
  const [only, ...others] = ticker === null ? feed : feed.filter((mention) => mention.ticker === ticker);
  const stated = only !== undefined && others.length === 0 ? only : null;
  if (ticker === null) return stated && withoutInterimSuffix(stated);
  return withoutInterimSuffix({ ticker, exchange: exchange ?? stated?.exchange ?? null });
}
