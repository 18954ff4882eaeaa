import type { TickerMention } from "../domain/article/article.ts";
import type { Exchange } from "../domain/split/exchange.ts";
import type { Ratio } from "../domain/split/ratio.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import type { Day } from "../domain/time/day.ts";

/** One split with all that was said of it. Null: nobody stated it. */
export interface CatalogSplit {
  /** Where the share is listed, the main listing first. */
  readonly listings: readonly TickerMention[];
  readonly company: string | null;
  readonly companyKey: string;
  readonly ratio: Ratio | null;
  /** Null as well while it is postponed and no new date was given. */
  readonly exDate: Day | null;
  /** The last date that was given, also of a split that was postponed since. */
  readonly lastExDate: Day | null;
  readonly status: "announced" | "postponed" | "cancelled";
  /** The day on which it was first announced; null where only what became of it was told. */
  readonly announced: Day | null;
  /** Oldest first. */
  readonly events: readonly CatalogEvent[];
  readonly conflicts: readonly Conflict[];
}

export interface CatalogEvent {
  readonly kind: "announced" | "corrected" | "postponed" | "cancelled" | "effective";
  readonly day: Day;
  /** The release that said so. */
  readonly url: string;
  readonly source: string;
  /** As they stood from then on. */
  readonly terms: { readonly ratio: Ratio | null; readonly exDate: Day | null; readonly exchange: Exchange | null };
}

/**
 * `same-day`: two sources stated different terms on one day; those of the later one, `url`, stand.
 * `outdated`: `url` repeats terms that `against` had replaced; they are not believed.
 */
export interface Conflict {
  readonly kind: "same-day" | "outdated";
  readonly day: Day;
  readonly url: string;
  readonly against: string;
}

/** A split of which everything is stated that the list shows. */
export interface CompleteSplit {
  readonly ticker: Ticker;
  readonly exchange: Exchange;
  readonly company: string;
  readonly ratio: Ratio;
  readonly exDate: Day;
  readonly announced: Day | null;
}

/** What the list shows of it: one for each exchange; none while something is not stated, or when it is called off. */
export function completeSplits(split: CatalogSplit): readonly CompleteSplit[] {
  const { listings, company, ratio, exDate, status, announced } = split;
  if (status !== "announced" || company === null || ratio === null || exDate === null) return [];
  // Who first heard of it after the day has read a repost: when it was announced is not known then.
  const terms = { company, ratio, exDate, announced: announced !== null && announced <= exDate ? announced : null };
  return listings.flatMap(({ ticker, exchange }) => (exchange === null ? [] : [{ ticker, exchange, ...terms }]));
}

/** Its events up to `today`, its coming into effect among them. */
export function historyOf(split: CatalogSplit, today: Day): readonly CatalogEvent[] {
  const { exDate, status, events } = split;
  const last = events.at(-1);
  if (status !== "announced" || exDate === null || exDate > today || !last) return events;
  return [...events, { ...last, kind: "effective", day: exDate }];
}
