import { compareText } from "../../lib/compare-text.ts";
import { groupBy } from "../../lib/group-by.ts";
import { ratioCode } from "../split/ratio.ts";
import { hasSameRatio, latestRecord, type Split, type SplitRecord } from "../split/split.ts";
import { type Day, daysBetween } from "../time/day.ts";

/** Which of upstream's rows is which of the splits that we follow. */
export interface Identified {
  readonly listed: readonly Pair[];
  /** In the order of their ex dates, then tickers. */
  readonly fresh: readonly SplitRecord[];
  /** Followed, and in no row. */
  readonly absent: readonly Split[];
}

interface Pair {
  readonly split: Split;
  readonly record: SplitRecord;
}

type Likeness = (split: Split, record: SplitRecord) => boolean;

/**
 * Upstream gives no ids. A split is known by ticker and exchange; it is a second one when the first one's ex date has
 * passed or when both are listed together, else the same one changed, even if ratio and date both moved. So the surest
 * likeness is paired first, and each split and each row is taken once. The order of the rows makes no difference.
 */
export function identify(splits: readonly Split[], records: readonly SplitRecord[], today: Day): Identified {
  const likenesses: readonly Likeness[] = [
    (split, record) => sameListing(split, record) && sameDate(split, record) && sameRatio(split, record),
    (split, record) => sameListing(split, record) && sameDate(split, record),
    (split, record) => sameListing(split, record) && mayMove(split, record, today) && sameRatio(split, record),
    (split, record) => sameListing(split, record) && mayMove(split, record, today),
    // The listing moved to another exchange: the terms must then be the same in part, else it is somebody else's symbol.
    (split, record) => sameDate(split, record) && (isFollowed(split) || sameRatio(split, record)),
    (split, record) => mayMove(split, record, today) && sameRatio(split, record),
  ];
  const rows = groupBy(withoutDuplicates(records), (record) => record.ticker);
  const byTicker = groupBy(
    splits.toSorted((a, b) => compareText(a.id, b.id)),
    (split) => split.record.ticker,
  );
  const tickers = [...new Set([...rows.keys(), ...byTicker.keys()])];
  const parts = tickers.map((ticker) => pairUp(byTicker.get(ticker) ?? [], rows.get(ticker) ?? [], likenesses));
  return {
    listed: parts.flatMap((part) => part.listed),
    fresh: parts.flatMap((part) => part.fresh).toSorted(byExDate),
    absent: parts.flatMap((part) => part.absent),
  };
}

function pairUp(
  splits: readonly Split[],
  records: readonly SplitRecord[],
  likenesses: readonly Likeness[],
): Identified {
  const listed: Pair[] = [];
  const absent = new Set(splits);
  const fresh = new Set(records);
  for (const alike of likenesses) {
    for (const pair of nearestFirst([...absent], [...fresh], alike)) {
      if (!absent.has(pair.split) || !fresh.has(pair.record)) continue;
      listed.push(pair);
      absent.delete(pair.split);
      fresh.delete(pair.record);
    }
  }
  return { listed, fresh: [...fresh], absent: [...absent] };
}

function nearestFirst(splits: readonly Split[], records: readonly SplitRecord[], alike: Likeness): readonly Pair[] {
  return splits
    .flatMap((split) => records.filter((record) => alike(split, record)).map((record) => ({ split, record })))
    .toSorted((a, b) => distance(a) - distance(b));
}

function distance({ split, record }: Pair): number {
  return Math.abs(daysBetween(latestRecord(split).exDate, record.exDate));
}

function sameListing(split: Split, record: SplitRecord): boolean {
  return latestRecord(split).exchange === record.exchange;
}

function sameDate(split: Split, record: SplitRecord): boolean {
  return latestRecord(split).exDate === record.exDate;
}

function sameRatio(split: Split, record: SplitRecord): boolean {
  return hasSameRatio(latestRecord(split), record);
}

/** A closed split comes back only with its own ex date: any other row is a second split, unless it had been put off. */
function isFollowed(split: Split): boolean {
  return split.status !== "closed";
}

/**
 * May this row be the split with a moved date? Not once its ex date has passed, unless the date is corrected backwards, or a
 * release had put the split off: then it never took effect.
 */
function mayMove(split: Split, record: SplitRecord, today: Day): boolean {
  const { exDate } = latestRecord(split);
  if (isFollowed(split) && (exDate >= today || record.exDate < exDate)) return true;
  return split.withdrawal?.kind === "postponed" && split.withdrawal.exDate === exDate && record.exDate > exDate;
}

/** One row per listing and terms, the same one whichever came first, by ex date and ticker. */
export function withoutDuplicates(records: readonly SplitRecord[]): SplitRecord[] {
  return [...new Map(records.toSorted(byExDate).map((record) => [termsKey(record), record])).values()];
}

function termsKey({ ticker, exchange, exDate, ratio, ratioText }: SplitRecord): string {
  return JSON.stringify([ticker, exchange, exDate, ratio ? ratioCode(ratio) : ratioText]);
}

/** By ex date and ticker; what follows only makes the order complete. */
function byExDate(a: SplitRecord, b: SplitRecord): number {
  return compareText(orderKey(a), orderKey(b));
}

function orderKey({ exDate, ticker, exchange, ratioText, dateAnnounced, company }: SplitRecord): string {
  return JSON.stringify([exDate, ticker, exchange, ratioText, dateAnnounced ?? "", company]);
}
