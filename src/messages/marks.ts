import type { SplitEvidence } from "../domain/alert/event.ts";
import { exchangeName } from "../domain/split/exchange.ts";
import { isIssueMark, isListedLate, qualityMarks, type RecordMark } from "../domain/split/quality.ts";
import type { Split, SplitRecord } from "../domain/split/split.ts";
import { termText } from "./split-facts.ts";
import { disagreementWarnings } from "./stated-words.ts";
import { formatDay, inQuotes, joinList } from "./words.ts";

/** What is odd about a split, in sentences. */
export function recordWarnings(record: SplitRecord): readonly string[] {
  return qualityMarks(record).map((mark) => wordsOf(mark, record));
}

/** What the list's other rows, and releases, say of it that differs. */
export function evidenceWarnings(
  record: SplitRecord,
  evidence: Pick<SplitEvidence, "otherRows" | "disagreements">,
): readonly string[] {
  return [...otherRowWords(record, evidence.otherRows ?? []), ...disagreementWarnings(evidence, record)];
}

/** What is odd about how a split came to the list. */
export function lateListingWarnings(split: Split): readonly string[] {
  return isListedLate(split) ? ["The source listed it only after its ex date."] : [];
}

function otherRowWords(record: SplitRecord, others: readonly SplitRecord[]): readonly string[] {
  if (others.length === 0) return [];
  const said = others.map((other) => {
    const terms = (["ratio", "exDate", "exchange"] as const).map((term) => termText(term, other));
    return terms.join(", ");
  });
  return [
    `The list has ${others.length === 1 ? "another row" : "other rows"} for ${record.ticker}: ${joinList(said)}.`,
  ];
}

function wordsOf(mark: RecordMark, record: SplitRecord): string {
  switch (mark) {
    case "ratio-equal":
      return `The ratio came as ${inQuotes(record.ratioText)}: both sides are equal, which is no reverse split.`;
    case "ratio-unreadable":
      return `The ratio came as ${inQuotes(record.ratioText)} and could not be read.`;
    case "ratio-not-whole":
      return "No whole number of old shares makes one new share.";
    case "ex-date-closed":
      return `The exchange is closed on the ex date, ${formatDay(record.exDate)}.`;
    case "announced-after-ex-date":
      return "The date of the announcement is after the ex date.";
    case "exchange-unknown":
      return `${inQuotes(record.exchange)} is not an exchange that splitwatch knows.`;
    case "holidays-not-checked":
      return `Trading days on ${exchangeName(record.exchange)} are counted as weekdays: holidays not checked.`;
  }
}

/** Whether something about the record itself is odd; that holidays are not known says nothing of it. */
export function hasRecordWarning(record: SplitRecord): boolean {
  return qualityMarks(record).some(isIssueMark);
}
