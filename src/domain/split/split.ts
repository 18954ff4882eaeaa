import type { Day, Instant } from "../time/day.ts";
import type { Exchange } from "./exchange.ts";
import { type Ratio, ratioName, sameRatio } from "./ratio.ts";
import type { Ticker } from "./ticker.ts";

/** What the data service says of one split, checked and in our own words. */
export interface SplitRecord {
  readonly ticker: Ticker;
  readonly exchange: Exchange;
  readonly company: string;
  /** As it came, never reworded. */
  readonly ratioText: string;
  /** Null where `ratioText` is not the ratio of a reverse split: it is then shown raw, with a mark. */
  readonly ratio: Ratio | null;
  /** First trading day on the new basis. */
  readonly exDate: Day;
  readonly dateAnnounced: Day | null;
}

/** `NASDAQ:ACME 2026-03-10`: the same for one row of a list, whoever reads it. */
export type RowKey = string & { readonly __brand: "RowKey" };

export function rowKey({ ticker, exchange, exDate }: Pick<SplitRecord, "ticker" | "exchange" | "exDate">): RowKey {
  return `${exchange}:${ticker} ${exDate}` as RowKey;
}

/** Ours, given once and never used again. */
export type SplitId = string & { readonly __brand: "SplitId" };

/**
 * One split as we follow it. `listed`: upstream shows it. `missing`: it went before its ex date, and we said so.
 * `closed`: it left the list after its ex date, as all do; it is kept so that its coming back is not news.
 */
export type SplitStatus = "listed" | "missing" | "closed";

export interface Split {
  readonly id: SplitId;
  readonly status: SplitStatus;
  /** As last told. While `pendingRecord` is set, upstream says something else. */
  readonly record: SplitRecord;
  /** How many events were made of it: the next one is `<id>.<revision + 1>`. */
  readonly revision: number;
  readonly firstSeenAt: Instant;
  /** When upstream stopped listing it; null while it is listed. */
  readonly removedAt: Instant | null;
  /** Complete polls in a row that did not list it; counted until it counts as gone. */
  readonly pollsMissed: number;
  /** When its terms changed, or it went or came back: the last three times at most. */
  readonly transitionTimes: readonly Instant[];
  /** Other terms that upstream shows while the split is held for flipping; told when they have stood for an hour. */
  readonly pendingRecord: SplitRecord | null;
  /** A release said so, and upstream's terms have not changed since. */
  readonly withdrawal: {
    readonly kind: "postponed" | "cancelled";
    /** The ex date that the release called off; null where upstream had moved the date before we read it: the new one stands. */
    readonly exDate: Day | null;
  } | null;
  /** The ex date for which each reminder was made, by trading days before it; 0 is `effective`. */
  readonly reminded: Readonly<Record<number, Day>>;
}

/** What upstream last showed of it, told or not. */
export function latestRecord({ record, pendingRecord }: Split): SplitRecord {
  return pendingRecord ?? record;
}

export const TERMS = ["ratio", "exDate", "exchange"] as const;

/** The terms whose change is news. */
export type Term = (typeof TERMS)[number];

/** Which of the terms that matter differ: ratio, ex date, exchange. */
export function changedTerms(was: SplitRecord, now: SplitRecord): Term[] {
  return TERMS.filter((term) => !sameTerm(term, was, now));
}

function sameTerm(term: Term, a: SplitRecord, b: SplitRecord): boolean {
  return term === "ratio" ? hasSameRatio(a, b) : a[term] === b[term];
}

/** Two ways to write one ratio are the same; two texts that cannot be read are the same only to the letter. */
export function hasSameRatio(a: SplitRecord, b: SplitRecord): boolean {
  return a.ratio === null && b.ratio === null ? a.ratioText === b.ratioText : sameRatio(a.ratio, b.ratio);
}

/** `1-for-20`, or the text as it came where it could not be read. */
export function ratioLabel(record: SplitRecord): string {
  return record.ratio ? ratioName(record.ratio) : record.ratioText;
}
