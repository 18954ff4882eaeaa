import { groupBy, memoize } from "../../lib/collections.ts";
import type { SplitEvidence } from "../alert/event.ts";
import { type ArticleIndex, evidenceOn } from "../article/evidence.ts";
import { withoutDuplicates } from "../diff/identify.ts";
import { dayInZone } from "../time/day.ts";
import { hasKnownHolidays, MARKET_ZONE, tradingDayKind } from "../time/trading-day.ts";
import { isKnownExchange, sharesSymbols } from "./exchange.ts";
import { isEqualPair } from "./ratio.ts";
import { changedTerms, type Split, type SplitRecord } from "./split.ts";

/** Warnings about inconsistent data. Alerts show the records unchanged, with their warnings. */
export const QUALITY_WARNINGS = [
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

export type QualityWarning = (typeof QUALITY_WARNINGS)[number];

/** Warnings of problems with the split itself. */
type IssueWarning = Exclude<QualityWarning, "holidays-not-checked">;

/** Warnings that follow from the record alone. */
export type RecordWarning = Exclude<QualityWarning, "listed-after-ex-date" | "two-rows" | "sources-disagree">;

/** Returns the warnings of a record, most serious first. */
export const qualityWarnings = memoize((record: SplitRecord): readonly RecordWarning[] => {
  const { exchange, exDate, dateAnnounced, ratio } = record;
  const warnings: RecordWarning[] = [];
  if (ratio === null) warnings.push(isEqualPair(record.ratioText) ? "ratio-equal" : "ratio-unreadable");
  else if (ratio.newShares !== 1) warnings.push("ratio-not-whole");
  if (tradingDayKind(exchange, exDate) === "closed") warnings.push("ex-date-closed");
  if (dateAnnounced !== null && dateAnnounced > exDate) warnings.push("announced-after-ex-date");
  if (!isKnownExchange(exchange)) warnings.push("exchange-unknown");
  if (!hasKnownHolidays(exchange)) warnings.push("holidays-not-checked");
  return warnings;
});

/** Rows with the same symbol and different terms, without duplicates. */
function otherRows(record: SplitRecord, listed: readonly SplitRecord[]): readonly SplitRecord[] {
  const different = (rowsByTicker(listed).get(record.ticker) ?? []).filter(
    (other) => sharesSymbols(other.exchange, record.exchange) && changedTerms(record, other).length > 0,
  );
  return withoutDuplicates(different);
}

const rowsByTicker = memoize((rows: readonly SplitRecord[]) => groupBy(rows, ({ ticker }) => ticker));

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

/** A listed split with its warnings. */
export interface SplitWithWarnings {
  readonly record: SplitRecord;
  /** At least one. */
  readonly warnings: readonly QualityWarning[];
}

/** Returns the listed splits that have warnings, in no particular order. */
export function splitsWithWarnings(splits: Iterable<Split>, articles: ArticleIndex): readonly SplitWithWarnings[] {
  const listedSplits = [...splits].filter(({ status }) => status === "listed");
  const listed = listedSplits.map(({ record }) => record);
  return listedSplits.flatMap((split) => {
    const { record } = split;
    const warnings: readonly QualityWarning[] = [
      ...qualityWarnings(record),
      ...(isListedLate(split) ? (["listed-after-ex-date"] as const) : []),
      ...(otherRows(record, listed).length > 0 ? (["two-rows"] as const) : []),
      ...(evidenceOn(record, articles).disagreements.length > 0 ? (["sources-disagree"] as const) : []),
    ];
    return warnings.length === 0 ? [] : [{ record, warnings }];
  });
}

/** Number of splits with each issue warning. */
export function countWarnings(splits: readonly SplitWithWarnings[]): Readonly<Record<IssueWarning, number>> {
  const counts = QUALITY_WARNINGS.filter(isIssueWarning).map((warning) => [
    warning,
    splits.filter(({ warnings }) => warnings.includes(warning)).length,
  ]);
  return Object.fromEntries(counts) as Record<IssueWarning, number>;
}

/** False for the note that an exchange's holidays are not checked. */
export function isIssueWarning(warning: QualityWarning): warning is IssueWarning {
  return warning !== "holidays-not-checked";
}
