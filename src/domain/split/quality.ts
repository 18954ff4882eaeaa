import { groupBy } from "../../lib/collections.ts";
import type { SplitEvidence } from "../alert/event.ts";
import { type ArticleIndex, evidenceOn } from "../article/evidence.ts";
import { withoutDuplicates } from "../diff/identify.ts";
import { dayInZone } from "../time/day.ts";
import { hasKnownHolidays, MARKET_ZONE, tradingDayKind } from "../time/trading-day.ts";
import { isKnownExchange, sharesSymbols } from "./exchange.ts";
import { isEqualPair } from "./ratio.ts";
import { changedTerms, type Split, type SplitRecord } from "./split.ts";

/** Marks for inconsistent data. Alerts show marked records unchanged, with their marks. */
export const QUALITY_MARKS = [
  "ratio-equal",
  "ratio-unreadable",
  "ratio-not-whole",
  "ex-date-closed",
  "announced-after-ex-date",
  "listed-after-ex-date",
  "two-rows",
  "sources-disagree",
  "exchange-unknown",
  "holidays-not-checked",
] as const;

export type QualityMark = (typeof QUALITY_MARKS)[number];

/** Marks of problems with the split itself. */
type IssueMark = Exclude<QualityMark, "holidays-not-checked">;

/** Marks that follow from the record alone. */
export type RecordMark = Exclude<QualityMark, "listed-after-ex-date" | "two-rows" | "sources-disagree">;

/** Returns the marks of a record, most serious first. */
export function qualityMarks(record: SplitRecord): readonly RecordMark[] {
  const { exchange, exDate, dateAnnounced, ratio } = record;
  const marks: RecordMark[] = [];
  if (ratio === null) marks.push(isEqualPair(record.ratioText) ? "ratio-equal" : "ratio-unreadable");
  else if (ratio.newShares !== 1) marks.push("ratio-not-whole");
  if (tradingDayKind(exchange, exDate) === "closed") marks.push("ex-date-closed");
  if (dateAnnounced !== null && dateAnnounced > exDate) marks.push("announced-after-ex-date");
  if (!isKnownExchange(exchange)) marks.push("exchange-unknown");
  if (!hasKnownHolidays(exchange)) marks.push("holidays-not-checked");
  return marks;
}

/** Rows with the same symbol and different terms, without duplicates. */
function otherRows(record: SplitRecord, listed: readonly SplitRecord[]): readonly SplitRecord[] {
  const sameSymbol = listed.filter(
    (other) => other.ticker === record.ticker && sharesSymbols(other.exchange, record.exchange),
  );
  return withoutDuplicates(sameSymbol).filter((other) => changedTerms(record, other).length > 0);
}

/** Evidence from releases and from other rows of the list. */
export function evidenceWithOtherRows(
  record: SplitRecord,
  listed: readonly SplitRecord[],
  articles: ArticleIndex,
): SplitEvidence {
  const rows = otherRows(record, listed);
  return { ...evidenceOn(record, articles), ...(rows.length > 0 ? { otherRows: rows } : {}) };
}

export function listedRecords(splits: Iterable<Split>): readonly SplitRecord[] {
  return [...splits].filter(({ status }) => status === "listed").map(({ record }) => record);
}

/** True if the split was announced although it was first listed after its ex date. */
export function isListedLate({ record, revision, firstSeenAt }: Split): boolean {
  return revision > 0 && dayInZone(firstSeenAt, MARKET_ZONE) > record.exDate;
}

/** A listed split with its marks. */
export interface MarkedSplit {
  readonly record: SplitRecord;
  /** At least one. */
  readonly marks: readonly QualityMark[];
}

/** Returns the listed splits that have marks, in no particular order. */
export function markedSplits(splits: Iterable<Split>, articles: ArticleIndex): readonly MarkedSplit[] {
  const listedSplits = [...splits].filter(({ status }) => status === "listed");
  const byTicker = groupBy(listedSplits, ({ record }) => record.ticker);
  return listedSplits.flatMap((split) => {
    const { record } = split;
    const sameTicker = (byTicker.get(record.ticker) ?? []).map((other) => other.record);
    const marks: readonly QualityMark[] = [
      ...qualityMarks(record),
      ...(isListedLate(split) ? (["listed-after-ex-date"] as const) : []),
      ...(otherRows(record, sameTicker).length > 0 ? (["two-rows"] as const) : []),
      ...(evidenceOn(record, articles).disagreements.length > 0 ? (["sources-disagree"] as const) : []),
    ];
    return marks.length === 0 ? [] : [{ record, marks }];
  });
}

/** Number of splits with each issue mark. */
export function countMarks(splits: readonly MarkedSplit[]): Readonly<Record<IssueMark, number>> {
  const counts = QUALITY_MARKS.filter(isIssueMark).map((mark) => [
    mark,
    splits.filter(({ marks }) => marks.includes(mark)).length,
  ]);
  return Object.fromEntries(counts) as Record<IssueMark, number>;
}

/** False for the note that an exchange's holidays are not checked. */
export function isIssueMark(mark: QualityMark): mark is IssueMark {
  return mark !== "holidays-not-checked";
}
