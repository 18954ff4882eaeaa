import { z } from "zod";
import { compareText } from "../../lib/collections.ts";
import { foldName } from "../article/company-name.ts";
import { countSchema, type Infer } from "../schema-parts.ts";
import { addDays, type Day, dayInZone, daySchema, daysBetween, makeDay, yearOf } from "../time/day.ts";
import { MARKET_ZONE } from "../time/trading-day.ts";
import { exchangeSchema, sharesSymbols } from "./exchange.ts";
import { multiplyRatios, type Ratio, ratioSchema, sameRatio } from "./ratio.ts";
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

/** A split that took effect while it was followed, with the fields that later splits of its issuer need. */
export type PastSplit = Infer<typeof pastSplitSchema>;

export const serialSchema = z.object({
  /** At least 2. */
  count: countSchema,
  /** Product of the known ratios; null if there are none, or if it exceeds safe integers. */
  total: ratioSchema.nullable(),
  /** True if a ratio is unknown: `total` is then a lower bound. */
  atLeast: z.boolean(),
});

/** The number of splits of an issuer within 24 months, including the split in question. */
export type Serial = Infer<typeof serialSchema>;

const YEARS_BACK = 2;

/** Two years before an ex date that is announced some weeks ahead. */
const RETENTION_DAYS = 850;

/** Two splits with the same ratio within this many days are one split whose date was corrected. */
const SAME_WITHIN_DAYS = 10;

/** Change of the past splits. */
export interface PastPatch {
  /** Added, or replacing those with the same ids. */
  readonly joining: readonly PastSplit[];
  /** Splits that took effect before this day are removed. */
  readonly from: Day;
}

/** Records the splits that took effect; empty if nothing changes. */
export function pastPatch(
  splits: readonly Split[],
  known: ReadonlyMap<SplitId, PastSplit>,
  { today, sample }: { readonly today: Day; readonly sample: boolean },
): { readonly past?: PastPatch } {
  const joining = splits
    .filter((split) => hasTakenEffect(split, today))
    .map(({ id, record }) => pastSplit(id, record, sample))
    .filter((past) => !isSame(known.get(past.id), past));
  return joining.length === 0 ? {} : { past: { joining, from: addDays(today, -RETENTION_DAYS) } };
}

export function withPast(
  known: ReadonlyMap<SplitId, PastSplit>,
  patch: PastPatch | undefined,
): ReadonlyMap<SplitId, PastSplit> {
  if (patch === undefined) return known;
  const all = new Map([...known, ...patch.joining.map((past) => [past.id, past] as const)]);
  return new Map([...all].filter(([, { exDate }]) => exDate >= patch.from));
}

/** Null if none of the issuer's splits within 24 months before the ex date is known. */
export function serialOf(record: SplitRecord, pastSplits: Iterable<PastSplit>, sample: boolean): Serial | null {
  const first = yearsBefore(record.exDate, YEARS_BACK);
  const name = nameOf(record);
  const earlier = [...pastSplits].filter(
    (past) =>
      past.sample === sample && past.exDate >= first && past.exDate < record.exDate && isIssuerOf(past, record, name),
  );
  const splits = withoutRepeats([...earlier.toSorted((a, b) => compareText(a.exDate, b.exDate)), record]);
  if (splits.length < 2) return null;
  const ratios = splits.map(({ ratio }) => ratio);
  const known = ratios.filter((ratio) => ratio !== null);
  return { count: splits.length, total: multiplyRatios(known) ?? null, atLeast: known.length < ratios.length };
}

/** Withdrawn splits, and splits that left the list before their ex date, do not count. */
function hasTakenEffect(split: Split, today: Day): boolean {
  const { record, status, removedAt, withdrawal } = split;
  const { exDate } = record;
  if (exDate >= today || status === "missing" || latestRecord(split).exDate !== exDate) return false;
  return withdrawal?.exDate !== exDate && (removedAt === null || dayInZone(removedAt, MARKET_ZONE) >= exDate);
}

function pastSplit(id: SplitId, record: SplitRecord, sample: boolean): PastSplit {
  const { ticker, exchange, ratio, exDate } = record;
  return { id, ticker, exchange, name: nameOf(record), ratio, exDate, sample };
}

function nameOf({ company }: SplitRecord): string {
  return foldName(company).join(" ");
}

function isSame(a: PastSplit | undefined, b: PastSplit): boolean {
  return (
    a !== undefined &&
    a.ticker === b.ticker &&
    a.exchange === b.exchange &&
    a.name === b.name &&
    a.exDate === b.exDate &&
    sameRatio(a.ratio, b.ratio)
  );
}

/** Same symbol, or same name if the symbol has changed since. */
function isIssuerOf(past: PastSplit, { ticker, exchange }: SplitRecord, name: string): boolean {
  if (past.ticker === ticker && sharesSymbols(past.exchange, exchange)) return true;
  return name !== "" && past.name === name;
}

/** Expects ex date order; of two entries for one split, keeps the later. */
function withoutRepeats<T extends { readonly exDate: Day; readonly ratio: Ratio | null }>(splits: readonly T[]): T[] {
  return splits.filter((split, index) => {
    const next = splits[index + 1];
    return next === undefined || !isOneSplit(split, next);
  });
}

function isOneSplit(
  a: { readonly exDate: Day; readonly ratio: Ratio | null },
  b: { readonly exDate: Day; readonly ratio: Ratio | null },
): boolean {
  if (a.exDate === b.exDate) return true;
  return daysBetween(a.exDate, b.exDate) <= SAME_WITHIN_DAYS && a.ratio !== null && sameRatio(a.ratio, b.ratio);
}

/** The same day some years earlier; February 29 becomes February 28. */
function yearsBefore(day: Day, years: number): Day {
  const [month, dayOfMonth] = [Number(day.slice(5, 7)), Number(day.slice(8, 10))];
  return makeDay(yearOf(day) - years, month, month === 2 ? Math.min(dayOfMonth, 28) : dayOfMonth);
}
