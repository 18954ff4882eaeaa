import { isKnownExchange } from "./exchange.ts";
import { isEqualPair } from "./ratio.ts";
import type { SplitRecord } from "./split.ts";
import { holidaysChecked, tradingDayKind } from "./trading-day.ts";

/** What is odd about a split as it came. Odd records are told all the same, with their marks; nothing is mended in silence. */
export type QualityMark =
  | "ratio-equal"
  | "ratio-unreadable"
  | "ex-date-closed"
  | "announced-after-ex-date"
  | "exchange-unknown"
  | "holidays-not-checked";

/** The marks of a record, the gravest first. */
export function qualityMarks(record: SplitRecord): readonly QualityMark[] {
  const { exchange, exDate, dateAnnounced } = record;
  const marks: QualityMark[] = [];
  if (record.ratio === null) marks.push(isEqualPair(record.ratioText) ? "ratio-equal" : "ratio-unreadable");
  if (tradingDayKind(exchange, exDate) === "closed") marks.push("ex-date-closed");
  if (dateAnnounced !== null && dateAnnounced > exDate) marks.push("announced-after-ex-date");
  if (!isKnownExchange(exchange)) marks.push("exchange-unknown");
  if (!holidaysChecked(exchange)) marks.push("holidays-not-checked");
  return marks;
}
