import { compareText } from "../../lib/compare-text.ts";
import { foldName } from "../article/company-name.ts";
import type { PolledList } from "../diff/list-poll.ts";
import { addDays, type Day, dayInZone, daysBetween, makeDay, yearOf } from "../time/day.ts";
import { MARKET_ZONE } from "../time/trading-day.ts";
import { type Exchange, sharesSymbols } from "./exchange.ts";
import { multiplyRatios, type Ratio, sameRatio } from "./ratio.ts";
import { latestRecord, type Split, type SplitId, type SplitRecord } from "./split.ts";
import type { Ticker } from "./ticker.ts";

/** A split that took effect before our eyes: all of it that the issuer's next split is told with. */
export interface PastSplit {
  readonly id: SplitId;
  readonly ticker: Ticker;
  readonly exchange: Exchange;
  /** The company's name without its legal form; empty where none was stated. */
  readonly name: string;
  readonly ratio: Ratio | null;
  readonly exDate: Day;
  /** Of the invented sample: it counts for no real split, nor a real one for it. */
  readonly sample: boolean;
}

/** How often an issuer has split within 24 months, the split in question among them. */
export interface Serial {
  /** At least 2. */
  readonly count: number;
  /** Those of them whose ratios are known, multiplied; null where there are none, or the product is beyond counting. */
  readonly total: Ratio | null;
  /** A ratio among them is not known: `total` is the least that it can be. */
  readonly atLeast: boolean;
}

const YEARS_BACK = 2;

/** Longer than the two years before an ex date that is announced some weeks ahead. */
const KEPT_DAYS = 850;

/** A date corrected after it had passed, or shown otherwise by another source, is no second split where the ratio is the same. */
const SAME_WITHIN_DAYS = 10;

/** What changes of all that is remembered. */
export interface PastPatch {
  /** New there, or in the place of those with the same ids. */
  readonly joining: readonly PastSplit[];
  /** What took effect before this day is forgotten. */
  readonly from: Day;
}

/** What the splits that took effect change of what is remembered; empty where that is nothing. */
export function pastPatch(
  splits: readonly Split[],
  known: ReadonlyMap<SplitId, PastSplit>,
  { today, sample }: Pick<PolledList, "today" | "sample">,
): { readonly past?: PastPatch } {
  const joining = splits
    .filter((split) => tookEffect(split, today))
    .map(({ id, record }) => pastSplit(id, record, sample))
    .filter((past) => !isSame(known.get(past.id), past));
  return joining.length === 0 ? {} : { past: { joining, from: addDays(today, -KEPT_DAYS) } };
}

export function withPast(
  known: ReadonlyMap<SplitId, PastSplit>,
  patch: PastPatch | undefined,
): ReadonlyMap<SplitId, PastSplit> {
  if (patch === undefined) return known;
  const all = new Map([...known, ...patch.joining.map((past) => [past.id, past] as const)]);
  return new Map([...all].filter(([, { exDate }]) => exDate >= patch.from));
}

/** Null: none of the issuer's splits of the 24 months before its ex date is remembered. */
export function serialOf(record: SplitRecord, remembered: Iterable<PastSplit>, sample: boolean): Serial | null {
  const first = yearsBefore(record.exDate, YEARS_BACK);
  const name = nameOf(record);
  const earlier = [...remembered].filter(
    (past) =>
      past.sample === sample && past.exDate >= first && past.exDate < record.exDate && isIssuerOf(past, record, name),
  );
  const splits = withoutRepeats([...earlier.toSorted((a, b) => compareText(a.exDate, b.exDate)), record]);
  if (splits.length < 2) return null;
  const ratios = splits.map(({ ratio }) => ratio);
  const known = ratios.filter((ratio) => ratio !== null);
  return { count: splits.length, total: multiplyRatios(known) ?? null, atLeast: known.length < ratios.length };
}

/** One that was called off, or left the list before its ex date, may never have come to pass. */
function tookEffect(split: Split, today: Day): boolean {
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

/** By its symbol, or by its name where the symbol is another one by now. */
function isIssuerOf(past: PastSplit, { ticker, exchange }: SplitRecord, name: string): boolean {
  if (past.ticker === ticker && sharesSymbols(past.exchange, exchange)) return true;
  return name !== "" && past.name === name;
}

/** By their ex dates, each once: of two that are one split the later stands. */
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

/** The same day some years earlier; the last of February where that year has no 29th. */
function yearsBefore(day: Day, years: number): Day {
  const [month, dayOfMonth] = [Number(day.slice(5, 7)), Number(day.slice(8, 10))];
  return makeDay(yearOf(day) - years, month, month === 2 ? Math.min(dayOfMonth, 28) : dayOfMonth);
}
