import { z } from "zod";
import { countSchema, type Infer } from "../schema-parts.ts";
import { daySchema, instantSchema } from "../time/day.ts";
import { exchangeSchema } from "./exchange.ts";
import { ratioName, ratioSchema, sameRatio } from "./ratio.ts";
import { tickerSchema } from "./ticker.ts";

export const splitRecordSchema = z.object({
  ticker: tickerSchema,
  exchange: exchangeSchema,
  company: z.string(),
  /** The ratio as the data service sent it. */
  ratioText: z.string(),
  /** Null if `ratioText` is not the ratio of a reverse split; alerts then show the raw text with a mark. */
  ratio: ratioSchema.nullable(),
  /** First trading day on the split-adjusted basis. */
  exDate: daySchema,
  dateAnnounced: daySchema.nullable(),
});

/** One row of the data service, validated. */
export type SplitRecord = Infer<typeof splitRecordSchema>;

const rowKeySchema = z.string().brand<"RowKey">();

/** `NASDAQ:ACME 2026-03-10`: identifies a row of a list across sources. */
export type RowKey = z.infer<typeof rowKeySchema>;

export function rowKey({ ticker, exchange, exDate }: Pick<SplitRecord, "ticker" | "exchange" | "exDate">): RowKey {
  return `${exchange}:${ticker} ${exDate}` as RowKey;
}

export const splitIdSchema = z.string().brand<"SplitId">();

/** Internal id of a split; never reused. */
export type SplitId = z.infer<typeof splitIdSchema>;

export const splitSchema = z.object({
  id: splitIdSchema,
  /**
   * `listed`: the source lists it. `missing`: it disappeared before its ex date, and an alert was sent. `closed`: it left the
   * list after its ex date, as all splits do; kept so that its return does not trigger an alert.
   */
  status: z.enum(["listed", "missing", "closed"]),
  /** The terms of the last alert. If `pendingRecord` is set, the source shows other terms. */
  record: splitRecordSchema,
  /** Number of events so far; the next one has the id `<id>.<revision + 1>`. */
  revision: countSchema,
  firstSeenAt: instantSchema,
  /** When the source stopped listing it; null while it is listed. */
  removedAt: instantSchema.nullable(),
  /** Consecutive complete polls that did not list it; stops at the configured limit. */
  pollsMissed: countSchema,
  /** When its terms changed, or it disappeared or returned: the last three times. */
  transitionTimes: z.array(instantSchema),
  /** Terms that the source shows while the split is flapping; alerted once they are stable for an hour. */
  pendingRecord: splitRecordSchema.nullable(),
  /** Set by a release; cleared when the source changes the terms. */
  withdrawal: z
    .object({
      kind: z.enum(["postponed", "cancelled"]),
      /** The withdrawn ex date; null if the source had already moved the date before the release was read. */
      exDate: daySchema.nullable(),
    })
    .nullable(),
  /** Ex date of each reminder made, by trading days before it; 0 is the `effective` event. */
  reminded: z.record(z.string(), daySchema),
});

/** A split that splitwatch follows. */
export type Split = Infer<typeof splitSchema>;

export type SplitStatus = Split["status"];

/** The terms that the source last showed, alerted or not. */
export function latestRecord({ record, pendingRecord }: Split): SplitRecord {
  return pendingRecord ?? record;
}

export const TERMS = ["ratio", "exDate", "exchange"] as const;

/** A term whose change triggers an alert. */
export type Term = (typeof TERMS)[number];

export function changedTerms(was: SplitRecord, now: SplitRecord): Term[] {
  return TERMS.filter((term) => !sameTerm(term, was, now));
}

function sameTerm(term: Term, a: SplitRecord, b: SplitRecord): boolean {
  return term === "ratio" ? hasSameRatio(a, b) : a[term] === b[term];
}

/** Compares parsed ratios; two unreadable ratios are equal only if their texts are identical. */
export function hasSameRatio(a: SplitRecord, b: SplitRecord): boolean {
  return a.ratio === null && b.ratio === null ? a.ratioText === b.ratioText : sameRatio(a.ratio, b.ratio);
}

/** `1-for-20`, or the source's text if it could not be parsed. */
export function ratioLabel(record: SplitRecord): string {
  return record.ratio ? ratioName(record.ratio) : record.ratioText;
}
