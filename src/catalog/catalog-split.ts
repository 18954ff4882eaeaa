import type { TickerMention } from "../domain/article/article.ts";
import type { Exchange } from "../domain/split/exchange.ts";
import type { Ratio } from "../domain/split/ratio.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import type { Day } from "../domain/time/day.ts";
import { type CatalogObservation, marketOf } from "./catalog-observation.ts";
import type { Observation } from "./observation.ts";

/** Terms of a split; null if not stated. */
export interface SplitTerms {
  /** Main listing first. A symbol that the split replaces or introduces is a further listing on the same exchange. */
  readonly listings: readonly TickerMention[];
  readonly company: string | null;
  readonly ratio: Ratio | null;
  /** Also null while the split is postponed without a new date. */
  readonly exDate: Day | null;
  /** Last stated ex date, which remains after a postponement. */
  readonly lastExDate: Day | null;
  readonly status: CatalogSplitStatus;
  /** Earliest day on which the split was public. Null if no source announces it. */
  readonly announced: Day | null;
}

/** A split, derived from the statements of all its sources. */
export interface CatalogSplit extends SplitTerms {
  /** Current statements of the sources. The first fact of a term applies. */
  readonly facts: TermFacts;
  /** Oldest first. */
  readonly events: readonly CatalogEvent[];
  readonly conflicts: readonly Conflict[];
  /** Evidence that the split takes place on its ex date, oldest first. */
  readonly confirmations: readonly Observation[];
  /** All observations of the split, including revisions, oldest first. */
  readonly observations: readonly CatalogObservation[];
}

export type CatalogSplitStatus = "announced" | "postponed" | "cancelled";

/** The value of a term as one source states it. */
export interface CatalogFact<T> {
  readonly value: T;
  readonly source: string;
  /** Address of the release or notice. */
  readonly url: string;
  /** The sentence or field that states the value, verbatim; null if the source gives none. */
  readonly evidence: string | null;
  /** Day of the statement. */
  readonly day: Day;
  /** Only for an ex date that is derived from an effective date: the source states no first trading day. */
  readonly basis?: "effective";
}

interface TermValues {
  readonly listing: TickerMention;
  readonly company: string;
  readonly ratio: Ratio;
  readonly exDate: Day;
  readonly newCusip: string;
  readonly announced: Day;
}

/** Facts per term; empty if no source currently states the term. */
export type TermFacts = { readonly [Term in keyof TermValues]: readonly CatalogFact<TermValues[Term]>[] };

export interface CatalogEvent {
  readonly kind: "announced" | "corrected" | "postponed" | "cancelled" | "effective";
  readonly day: Day;
  /** Address of the release or notice. */
  readonly url: string;
  readonly source: string;
  /** Terms after the event. */
  readonly terms: { readonly ratio: Ratio | null; readonly exDate: Day | null; readonly exchange: Exchange | null };
}

export type Conflict = ReleaseConflict | TermConflict | SpeakerConflict;

/**
 * `same-day`: two releases of one day state different terms; those of the later release, `url`, apply.
 * `outdated`: the release at `url` is ignored, because it repeats terms that the release at `earlierUrl` had replaced.
 */
export interface ReleaseConflict {
  readonly kind: "same-day" | "outdated";
  readonly day: Day;
  readonly url: string;
  readonly earlierUrl: string;
}

export type SpeakerConflict = NotIssuerConflict | UnconfirmedConflict | StillListedConflict;

/** The release at `url` is not applied, because it isn't the issuer's own. */
export interface NotIssuerConflict {
  readonly kind: "not-issuer";
  readonly day: Day;
  readonly url: string;
  /** Company that speaks in the release; null if unknown. */
  readonly subject: string | null;
  /** What it states: a withdrawal, other terms than those that apply, or another company. */
  readonly claim: "cancelled" | "postponed" | "terms" | "company";
}

/** Only the release at `url`, which isn't the issuer's own, states the split (`term` is null) or one of its terms. */
export interface UnconfirmedConflict {
  readonly kind: "unconfirmed";
  readonly day: Day;
  readonly url: string;
  /** Company that speaks in the release; null if unknown. */
  readonly subject: string | null;
  readonly term: ComparedTerm | null;
}

/** The issuer's release at `url` withdraws the split, and the notice at `listedUrl` still lists it. */
export interface StillListedConflict {
  readonly kind: "still-listed";
  readonly day: Day;
  readonly url: string;
  readonly status: Exclude<CatalogSplitStatus, "announced">;
  readonly listedUrl: string;
  /** Source of the notice. */
  readonly listedSource: string;
}

/** Two sources state different values of a term: `used` applies, `other` doesn't. `url` is the address of `other`. */
export type TermConflict = {
  readonly [Term in ComparedTerm]: {
    readonly kind: "differs";
    readonly day: Day;
    readonly url: string;
    readonly usedUrl: string;
    readonly term: Term;
    readonly used: CatalogFact<TermValues[Term]>;
    readonly other: CatalogFact<TermValues[Term]>;
  };
}[ComparedTerm];

export type ComparedTerm = "ratio" | "exDate" | "newCusip";

/** Split whose terms are complete, for one listing. */
export interface CompleteSplit {
  readonly ticker: Ticker;
  readonly exchange: Exchange;
  readonly company: string;
  readonly ratio: Ratio;
  readonly exDate: Day;
  readonly announced: Day | null;
}

/** Returns one row for each market with a listing; none for a withdrawn split or incomplete terms. */
export function completeSplits(split: CatalogSplit): readonly CompleteSplit[] {
  const { company, ratio, exDate, status, announced } = split;
  if (status !== "announced" || company === null || ratio === null || exDate === null) return [];
  // An announcement after the ex date is a repost, so the day of the original announcement is unknown.
  const terms = { company, ratio, exDate, announced: announced !== null && announced <= exDate ? announced : null };
  return mainListings(split.listings).map(({ ticker, exchange }) => ({ ticker, exchange, ...terms }));
}

export interface MarketListing extends TickerMention {
  readonly exchange: Exchange;
}

/** Returns the first listing in each market. Omits listings without an exchange. */
export function mainListings(listings: readonly TickerMention[]): readonly MarketListing[] {
  const byMarket = new Map<string, MarketListing>();
  for (const { ticker, exchange } of listings) {
    if (exchange === null) continue;
    const market = marketOf(exchange);
    if (!byMarket.has(market)) byMarket.set(market, { ticker, exchange });
  }
  return [...byMarket.values()];
}

/** Returns the events of a split; from the ex date on with an `effective` event at the end. */
export function historyOf(split: CatalogSplit, today: Day): readonly CatalogEvent[] {
  const { exDate, status, events } = split;
  const last = events.at(-1);
  if (status !== "announced" || exDate === null || exDate > today || !last) return events;
  return [...events, { ...last, kind: "effective", day: exDate }];
}
