import { z } from "zod";
import { compareText } from "../../lib/collections.ts";
import { foldName } from "../article/company-name.ts";
import { countSchema, type Infer } from "../schema-parts.ts";
import { addDays, type Day, dayInZone, daySchema, daysBetween, makeDay, yearOf } from "../time/day.ts";
import { MARKET_ZONE } from "../time/trading-day.ts";
import { exchangeSchema, sharesSymbols } from "./exchange.ts";
import { isSameRatio, multiplyRatios, type Ratio, ratioSchema } from "./ratio.ts";
import { latestRecord, type Split, type SplitId, type SplitRecord, splitIdSchema } from "./split.ts";
import { tickerSchema } from "./ticker.ts";

export const pastSplitSchema = z.object({
  id: splitIdSchema,
  ticker: tickerSchema,
  exchange: exchangeSchema,
  /** The company's normalized name without its legal form; empty if none was stated. */
  name: z.string(),
  ratio: ratioSchema.nullable(),
  exDate: daySchema,
  /** Sample splits and real splits are never counted together. */
  sample: z.boolean(),
});

/** A split that took effect while it was followed, with the fields that are needed to count the splits of its issuer. */
export type PastSplit = Infer<typeof pastSplitSchema>;

export const repeatSplitsSchema = z.object({
  /** At least 2. */
  count: countSchema,
  /** Product of the known ratios; null if there are none, or if it exceeds safe integers. */
  total: ratioSchema.nullable(),
  /** True if a ratio is unknown: `total` is then a lower bound. */
  atLeast: z.boolean(),
});

/** Number of splits of an issuer within 24 months, including the current split. */
export type RepeatSplits = Infer<typeof repeatSplitsSchema>;

const LOOKBACK_YEARS = 2;

/** Two years, plus the time between the announcement of a split and its ex date. */
const RETENTION_DAYS = 850;

/** Two splits with the same ratio count as one split with a corrected date if they are at most this many days apart. */
const MAX_CORRECTION_DAYS = 10;

/** Change of the past splits, as the store logs it. */
export interface PastPatch {
  /** Added splits, which replace splits with the same ids. */
  readonly joining: readonly PastSplit[];
  /** Splits that took effect before this day are removed. */
  readonly from: Day;
}

/** Creates the patch that records the splits that took effect; empty if nothing changes. */
export function pastPatch(
  splits: readonly Split[],
  recorded: ReadonlyMap<SplitId, PastSplit>,
  { today, sample }: { readonly today: Day; readonly sample: boolean },
): { readonly past?: PastPatch } {
  const joining = splits
    .filter((split) => hasTakenEffect(split, today))
    .map(({ id, record }) => toPastSplit(id, record, sample))
    .filter((past) => !isUnchanged(recorded.get(past.id), past));
  return joining.length === 0 ? {} : { past: { joining, from: addDays(today, -RETENTION_DAYS) } };
}

export function applyPastPatch(
  pastSplits: ReadonlyMap<SplitId, PastSplit>,
  patch: PastPatch | undefined,
): ReadonlyMap<SplitId, PastSplit> {
  if (patch === undefined) return pastSplits;
  const merged = new Map([...pastSplits, ...patch.joining.map((past) => [past.id, past] as const)]);
  return new Map([...merged].filter(([, { exDate }]) => exDate >= patch.from));
}

/** Counts the split and its issuer's earlier splits within 24 months; null if no earlier split is known. */
export function repeatSplitsOf(
  record: SplitRecord,
  pastSplits: Iterable<PastSplit>,
  sample: boolean,
): RepeatSplits | null {
  const oldest = yearsBefore(record.exDate, LOOKBACK_YEARS);
  const name = nameOf(record);
  const earlierSplits = [...pastSplits].filter(
    (past) =>
      past.sample === sample && past.exDate >= oldest && past.exDate < record.exDate && isIssuerOf(past, record, name),
  );
  const splits = withoutRepeats([...earlierSplits.toSorted((a, b) => compareText(a.exDate, b.exDate)), record]);
  if (splits.length < 2) return null;
  const ratios = splits.map(({ ratio }) => ratio);
  const knownRatios = ratios.filter((ratio) => ratio !== null);
  return {
    count: splits.length,
    total: multiplyRatios(knownRatios) ?? null,
    atLeast: knownRatios.length < ratios.length,
  };
}

/** False for withdrawn splits, and for splits that left the list before their ex date. */
function hasTakenEffect(split: Split, today: Day): boolean {
  const { record, status, removedAt, withdrawal } = split;
  const { exDate } = record;
  if (exDate >= today || status === "missing" || latestRecord(split).exDate !== exDate) return false;
  return withdrawal?.exDate !== exDate && (removedAt === null || dayInZone(removedAt, MARKET_ZONE) >= exDate);
}

function toPastSplit(id: SplitId, record: SplitRecord, sample: boolean): PastSplit {
  const { ticker, exchange, ratio, exDate } = record;
  return { id, ticker, exchange, name: nameOf(record), ratio, exDate, sample };
}

function nameOf({ company }: SplitRecord): string {
  return foldName(company).join(" ");
}

function isUnchanged(a: PastSplit | undefined, b: PastSplit): boolean {
  return (
    a !== undefined &&
    a.ticker === b.ticker &&
    a.exchange === b.exchange &&
    a.name === b.name &&
    a.exDate === b.exDate &&
    isSameRatio(a.ratio, b.ratio)
  );
}

/** True if the symbol or the name is the same; the symbol may have changed since. */
function isIssuerOf(past: PastSplit, { ticker, exchange }: SplitRecord, name: string): boolean {
  if (past.ticker === ticker && sharesSymbols(past.exchange, exchange)) return true;
  return name !== "" && past.name === name;
}

/** Removes all but the last entry of each split. Expects the splits to be sorted by ex date. */
function withoutRepeats<T extends { readonly exDate: Day; readonly ratio: Ratio | null }>(splits: readonly T[]): T[] {
  return splits.filter((split, index) => {
    const next = splits[index + 1];
    return next === undefined || !isSameSplit(split, next);
  });
}

function isSameSplit(
  a: { readonly exDate: Day; readonly ratio: Ratio | null },
  b: { readonly exDate: Day; readonly ratio: Ratio | null },
): boolean {
  if (a.exDate === b.exDate) return true;
  return daysBetween(a.exDate, b.exDate) <= MAX_CORRECTION_DAYS && a.ratio !== null && isSameRatio(a.ratio, b.ratio);
}

/** The same day `years` years earlier; February 29 becomes February 28. */
function yearsBefore(day: Day, years: number): Day {
  const [month, dayOfMonth] = [Number(day.slice(5, 7)), Number(day.slice(8, 10))];
  return makeDay(yearOf(day) - years, month, month === 2 ? Math.min(dayOfMonth, 28) : dayOfMonth);
}
