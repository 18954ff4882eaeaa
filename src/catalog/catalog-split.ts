import type { TickerMention } from "../domain/article/article.ts";
import type { Exchange } from "../domain/split/exchange.ts";
import type { Ratio } from "../domain/split/ratio.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import type { Day } from "../domain/time/day.ts";

/** A split with all terms that its releases state; null if not stated. */
export interface CatalogSplit {
  /** Main listing first. */
  readonly listings: readonly TickerMention[];
  readonly company: string | null;
  readonly companyKey: string;
  readonly ratio: Ratio | null;
  /** Also null while the split is postponed without a new date. */
  readonly exDate: Day | null;
  /** Last stated date, which remains after a postponement. */
  readonly lastExDate: Day | null;
  readonly status: "announced" | "postponed" | "cancelled";
  /** Day of the first announcement. Null if no release announces the split. */
  readonly announced: Day | null;
  /** Oldest first. */
  readonly events: readonly CatalogEvent[];
  readonly conflicts: readonly Conflict[];
}

export interface CatalogEvent {
  readonly kind: "announced" | "corrected" | "postponed" | "cancelled" | "effective";
  readonly day: Day;
  /** Address of the release. */
  readonly url: string;
  readonly source: string;
  /** Terms after the event. */
  readonly terms: { readonly ratio: Ratio | null; readonly exDate: Day | null; readonly exchange: Exchange | null };
}

/**
 * `same-day`: two sources state different terms on one day; those of the later one, `url`, apply.
 * `outdated`: `url` repeats terms that `against` replaced; they are ignored.
 */
export interface Conflict {
  readonly kind: "same-day" | "outdated";
  readonly day: Day;
  readonly url: string;
  readonly against: string;
}

/** Split whose terms are complete, for one listing. */
export interface CompleteSplit {
  readonly ticker: Ticker;
  readonly exchange: Exchange;
  readonly company: string;
  readonly ratio: Ratio;
  readonly exDate: Day;
  readonly announced: Day | null;
}

/** Returns one row for each listing. A split with incomplete terms and a withdrawn one have none. */
export function completeSplits(split: CatalogSplit): readonly CompleteSplit[] {
  const { listings, company, ratio, exDate, status, announced } = split;
  if (status !== "announced" || company === null || ratio === null || exDate === null) return [];
  // An announcement after the ex date is a repost, so the day of the original one is unknown.
  const terms = { company, ratio, exDate, announced: announced !== null && announced <= exDate ? announced : null };
  return listings.flatMap(({ ticker, exchange }) => (exchange === null ? [] : [{ ticker, exchange, ...terms }]));
}

/** Events up to `today`, including the effective date. */
export function historyOf(split: CatalogSplit, today: Day): readonly CatalogEvent[] {
  const { exDate, status, events } = split;
  const last = events.at(-1);
  if (status !== "announced" || exDate === null || exDate > today || !last) return events;
  return [...events, { ...last, kind: "effective", day: exDate }];
}
