import { compareText, groupBy } from "../../lib/collections.ts";
import { ratioCode } from "../split/ratio.ts";
import { hasSameRatio, latestRecord, type Split, type SplitRecord } from "../split/split.ts";
import { type Day, daysBetween } from "../time/day.ts";

/** The rows of a list, matched with the followed splits. */
export interface Identified {
  readonly pairs: readonly Pair[];
  /** Rows without a followed split, sorted by ex date and ticker. */
  readonly newRecords: readonly SplitRecord[];
  /** Followed splits without a row. */
  readonly absent: readonly Split[];
}

interface Pair {
  readonly split: Split;
  readonly record: SplitRecord;
}

type Criterion = (split: Split, record: SplitRecord) => boolean;

/**
 * Matches rows with followed splits, because the data service has no ids. A row with the ticker and exchange of a followed split
 * is a change of that split, unless its ex date has passed or another row matches it better. The closest matches are paired
 * first, regardless of the order of the rows.
 */
export function identify(splits: readonly Split[], records: readonly SplitRecord[], today: Day): Identified {
  const criteria: readonly Criterion[] = [
    (split, record) => isSameListing(split, record) && isSameDate(split, record) && isSameRatio(split, record),
    (split, record) => isSameListing(split, record) && isSameDate(split, record),
    (split, record) => isSameListing(split, record) && canMove(split, record, today) && isSameRatio(split, record),
    (split, record) => isSameListing(split, record) && canMove(split, record, today),
    // The listing may have moved to another exchange. If no term is equal, the symbol belongs to another company.
    (split, record) => isSameDate(split, record) && (isOpen(split) || isSameRatio(split, record)),
    (split, record) => canMove(split, record, today) && isSameRatio(split, record),
  ];
  const rows = groupBy(withoutDuplicates(records), (record) => record.ticker);
  const byTicker = groupBy(
    splits.toSorted((a, b) => compareText(a.id, b.id)),
    (split) => split.record.ticker,
  );
  const tickers = [...new Set([...rows.keys(), ...byTicker.keys()])];
  const results = tickers.map((ticker) => pairRows(byTicker.get(ticker) ?? [], rows.get(ticker) ?? [], criteria));
  return {
    pairs: results.flatMap((result) => result.pairs),
    newRecords: results.flatMap((result) => result.newRecords).toSorted(byExDate),
    absent: results.flatMap((result) => result.absent),
  };
}

function pairRows(
  splits: readonly Split[],
  records: readonly SplitRecord[],
  criteria: readonly Criterion[],
): Identified {
  const pairs: Pair[] = [];
  const absent = new Set(splits);
  const unmatched = new Set(records);
  for (const matches of criteria) {
    for (const pair of nearestFirst([...absent], [...unmatched], matches)) {
      if (!absent.has(pair.split) || !unmatched.has(pair.record)) continue;
      pairs.push(pair);
      absent.delete(pair.split);
      unmatched.delete(pair.record);
    }
  }
  return { pairs, newRecords: [...unmatched], absent: [...absent] };
}

function nearestFirst(splits: readonly Split[], records: readonly SplitRecord[], matches: Criterion): readonly Pair[] {
  return splits
    .flatMap((split) => records.filter((record) => matches(split, record)).map((record) => ({ split, record })))
    .toSorted((a, b) => daysApart(a) - daysApart(b));
}

function daysApart({ split, record }: Pair): number {
  return Math.abs(daysBetween(latestRecord(split).exDate, record.exDate));
}

function isSameListing(split: Split, record: SplitRecord): boolean {
  return latestRecord(split).exchange === record.exchange;
}

function isSameDate(split: Split, record: SplitRecord): boolean {
  return latestRecord(split).exDate === record.exDate;
}

function isSameRatio(split: Split, record: SplitRecord): boolean {
  return hasSameRatio(latestRecord(split), record);
}

/** False for a closed split. A row with another ex date is then a second split, unless a release postponed the closed one. */
function isOpen(split: Split): boolean {
  return split.status !== "closed";
}

/**
 * True if the row can be the split with a changed ex date: the split's ex date hasn't passed, or the row corrects it to an earlier
 * day, or a release postponed the split before it took effect.
 */
function canMove(split: Split, record: SplitRecord, today: Day): boolean {
  const { exDate } = latestRecord(split);
  if (isOpen(split) && (exDate >= today || record.exDate < exDate)) return true;
  return split.withdrawal?.kind === "postponed" && split.withdrawal.exDate === exDate && record.exDate > exDate;
}

/** Returns one row per listing and terms, sorted by ex date and ticker. The result doesn't depend on the order of the rows. */
export function withoutDuplicates(records: readonly SplitRecord[]): SplitRecord[] {
  return [...new Map(records.toSorted(byExDate).map((record) => [termsKey(record), record])).values()];
}

function termsKey({ ticker, exchange, exDate, ratio, ratioText }: SplitRecord): string {
  return JSON.stringify([ticker, exchange, exDate, ratio ? ratioCode(ratio) : ratioText]);
}

/** Sorts by ex date and ticker, then by the other fields, so that different rows always have the same order. */
function byExDate(a: SplitRecord, b: SplitRecord): number {
  return compareText(orderKey(a), orderKey(b));
}

function orderKey({ exDate, ticker, exchange, ratioText, dateAnnounced, company }: SplitRecord): string {
  return JSON.stringify([exDate, ticker, exchange, ratioText, dateAnnounced ?? "", company]);
}
