import { groupBy } from "../../lib/group-by.ts";
import type { SplitEvidence } from "../alert/event.ts";
import { type ArticleIndex, evidenceOn } from "../article/evidence.ts";
import { withoutDuplicates } from "../diff/identify.ts";
import { dayInZone } from "../time/day.ts";
import { hasKnownHolidays, MARKET_ZONE, tradingDayKind } from "../time/trading-day.ts";
import { isKnownExchange, sharesSymbols } from "./exchange.ts";
import { isEqualPair } from "./ratio.ts";
import { changedTerms, type Split, type SplitRecord } from "./split.ts";

/** What is odd about a split as it came. Odd records are told all the same, with their marks; nothing is mended in silence. */
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

/** Those that tell of the split itself. */
type IssueMark = Exclude<QualityMark, "holidays-not-checked">;

/** Those that the record alone shows. */
export type RecordMark = Exclude<QualityMark, "listed-after-ex-date" | "two-rows" | "sources-disagree">;

/** The marks of a record, the gravest first. */
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

/** The rows of `listed` under the same symbol with other terms, each once: any of them may be the wrong one. */
function otherRows(record: SplitRecord, listed: readonly SplitRecord[]): readonly SplitRecord[] {
  const others = listed.filter(
    (other) => other.ticker === record.ticker && sharesSymbols(other.exchange, record.exchange),
  );
  return withoutDuplicates(others).filter((other) => changedTerms(record, other).length > 0);
}

/** All that releases and the list's other rows say of a split: what an alert shows beside its record. */
export function evidenceWithOtherRows(
  record: SplitRecord,
  listed: readonly SplitRecord[],
  articles: ArticleIndex,
): SplitEvidence {
  const others = otherRows(record, listed);
  return { ...evidenceOn(record, articles), ...(others.length > 0 ? { otherRows: others } : {}) };
}

export function listedRecords(splits: Iterable<Split>): readonly SplitRecord[] {
  return [...splits].filter(({ status }) => status === "listed").map(({ record }) => record);
}

/** A split that came to the list as news, when its ex date was over. */
export function isListedLate({ record, revision, firstSeenAt }: Split): boolean {
  return revision > 0 && dayInZone(firstSeenAt, MARKET_ZONE) > record.exDate;
}

/** A listed split, and all that is odd about it. */
export interface MarkedSplit {
  readonly record: SplitRecord;
  /** At least one. */
  readonly marks: readonly QualityMark[];
}

/** The listed splits that have marks, in no particular order. */
export function markedSplits(splits: Iterable<Split>, articles: ArticleIndex): readonly MarkedSplit[] {
  const listed = [...splits].filter(({ status }) => status === "listed");
  const byTicker = groupBy(listed, ({ record }) => record.ticker);
  return listed.flatMap((split) => {
    const { record } = split;
    const beside = (byTicker.get(record.ticker) ?? []).map((other) => other.record);
    const marks: readonly QualityMark[] = [
      ...qualityMarks(record),
      ...(isListedLate(split) ? (["listed-after-ex-date"] as const) : []),
      ...(otherRows(record, beside).length > 0 ? (["two-rows"] as const) : []),
      ...(evidenceOn(record, articles).disagreements.length > 0 ? (["sources-disagree"] as const) : []),
    ];
    return marks.length === 0 ? [] : [{ record, marks }];
  });
}

/** How many splits have each of the marks that tell of something odd; what is only a note is none. */
export function countMarks(marked: readonly MarkedSplit[]): Readonly<Record<IssueMark, number>> {
  const counts = QUALITY_MARKS.filter(isIssueMark).map((mark) => [
    mark,
    marked.filter(({ marks }) => marks.includes(mark)).length,
  ]);
  return Object.fromEntries(counts) as Record<IssueMark, number>;
}

/** Whether something about the split itself is odd; that holidays are not known says nothing of it. */
export function isIssueMark(mark: QualityMark): mark is IssueMark {
  return mark !== "holidays-not-checked";
}
