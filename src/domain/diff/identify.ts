import { compareText, groupBy } from "../../lib/collections.ts";
import { ratioCode } from "../split/ratio.ts";
import { hasSameRatio, latestRecord, type Split, type SplitRecord } from "../split/split.ts";
import { type Day, daysBetween } from "../time/day.ts";

/** The rows of a list, matched with the followed splits. */
export interface Identified {
  readonly listed: readonly Pair[];
  /** Rows without a followed split, by ex date and ticker. */
  readonly fresh: readonly SplitRecord[];
  /** Followed splits without a row. */
  readonly absent: readonly Split[];
}

interface Pair {
  readonly split: Split;
  readonly record: SplitRecord;
}

type Criterion = (split: Split, record: SplitRecord) => boolean;

/**
 * Matches rows with followed splits, because the data service has no ids. A row with a known ticker and exchange is the same
 * split changed, unless that split's ex date has passed or both are listed. The closest matches are paired first, and the
 * order of the rows does not matter.
 */
export function identify(splits: readonly Split[], records: readonly SplitRecord[], today: Day): Identified {
  const criteria: readonly Criterion[] = [
    (split, record) => sameListing(split, record) && sameDate(split, record) && sameRatio(split, record),
    (split, record) => sameListing(split, record) && sameDate(split, record),
    (split, record) => sameListing(split, record) && mayMove(split, record, today) && sameRatio(split, record),
    (split, record) => sameListing(split, record) && mayMove(split, record, today),
    // The listing moved to another exchange: unless a term is the same, the symbol belongs to another company.
    (split, record) => sameDate(split, record) && (isFollowed(split) || sameRatio(split, record)),
    (split, record) => mayMove(split, record, today) && sameRatio(split, record),
  ];
  const rows = groupBy(withoutDuplicates(records), (record) => record.ticker);
  const byTicker = groupBy(
    splits.toSorted((a, b) => compareText(a.id, b.id)),
    (split) => split.record.ticker,
  );
  const tickers = [...new Set([...rows.keys(), ...byTicker.keys()])];
  const parts = tickers.map((ticker) => pairUp(byTicker.get(ticker) ?? [], rows.get(ticker) ?? [], criteria));
  return {
    listed: parts.flatMap((part) => part.listed),
    fresh: parts.flatMap((part) => part.fresh).toSorted(byExDate),
    absent: parts.flatMap((part) => part.absent),
  };
}

function pairUp(splits: readonly Split[], records: readonly SplitRecord[], criteria: readonly Criterion[]): Identified {
  const listed: Pair[] = [];
  const absent = new Set(splits);
  const fresh = new Set(records);
  for (const matches of criteria) {
    for (const pair of nearestFirst([...absent], [...fresh], matches)) {
      if (!absent.has(pair.split) || !fresh.has(pair.record)) continue;
      listed.push(pair);
      absent.delete(pair.split);
      fresh.delete(pair.record);
    }
  }
  return { listed, fresh: [...fresh], absent: [...absent] };
}

function nearestFirst(splits: readonly Split[], records: readonly SplitRecord[], matches: Criterion): readonly Pair[] {
  return splits
    .flatMap((split) => records.filter((record) => matches(split, record)).map((record) => ({ split, record })))
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

/** A closed split returns only with its own ex date: any other row is a second split, unless it was postponed. */
function isFollowed(split: Split): boolean {
  return split.status !== "closed";
}

/**
 * Whether the row can be the split with a moved date: its ex date has not passed, or is corrected to an earlier day, or a
 * release postponed the split, so that it never took effect.
 */
function mayMove(split: Split, record: SplitRecord, today: Day): boolean {
  const { exDate } = latestRecord(split);
  if (isFollowed(split) && (exDate >= today || record.exDate < exDate)) return true;
  return split.withdrawal?.kind === "postponed" && split.withdrawal.exDate === exDate && record.exDate > exDate;
}

/** One row per listing and terms, by ex date and ticker; independent of the order of the rows. */
export function withoutDuplicates(records: readonly SplitRecord[]): SplitRecord[] {
  return [...new Map(records.toSorted(byExDate).map((record) => [termsKey(record), record])).values()];
}

function termsKey({ ticker, exchange, exDate, ratio, ratioText }: SplitRecord): string {
  return JSON.stringify([ticker, exchange, exDate, ratio ? ratioCode(ratio) : ratioText]);
}

/** By ex date and ticker; the other fields make the order total. */
function byExDate(a: SplitRecord, b: SplitRecord): number {
  return compareText(orderKey(a), orderKey(b));
}

function orderKey({ exDate, ticker, exchange, ratioText, dateAnnounced, company }: SplitRecord): string {
  return JSON.stringify([exDate, ticker, exchange, ratioText, dateAnnounced ?? "", company]);
}
