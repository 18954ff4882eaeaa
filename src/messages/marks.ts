import { exchangeName } from "../core/exchange.ts";
import { type QualityMark, qualityMarks } from "../core/quality.ts";
import type { SplitRecord } from "../core/split.ts";
import { dayWords, quoted } from "./words.ts";

/** What is odd about a split, in sentences. */
export function markWords(record: SplitRecord): readonly string[] {
  return qualityMarks(record).map((mark) => wordsOf(mark, record));
}

function wordsOf(mark: QualityMark, record: SplitRecord): string {
  switch (mark) {
    case "ratio-equal":
      return `The ratio came as ${quoted(record.ratioText)}: both sides are equal, which is no reverse split.`;
    case "ratio-unreadable":
      return `The ratio came as ${quoted(record.ratioText)} and could not be read.`;
    case "ex-date-closed":
      return `The exchange is closed on the ex date, ${dayWords(record.exDate)}.`;
    case "announced-after-ex-date":
      return "The date of the announcement is after the ex date.";
    case "exchange-unknown":
      return `${quoted(record.exchange)} is not an exchange that splitwatch knows.`;
    case "holidays-not-checked":
      return `Trading days on ${exchangeName(record.exchange)} are counted as weekdays: holidays not checked.`;
  }
}
