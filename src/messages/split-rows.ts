import { exchangeName } from "../domain/split/exchange.ts";
import type { Serial } from "../domain/split/serial.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import { compareText } from "../lib/compare-text.ts";
import { hasRecordWarning } from "./marks.ts";
import type { Row } from "./message.ts";
import { repeatSplitBadges } from "./serial-words.ts";
import { exDateText, splitName } from "./split-facts.ts";
import { capitalize, type TimeContext } from "./words.ts";

/** What is known of a split in a list beside its record. */
export interface RowExtras {
  /** Something else than the record itself is odd. */
  readonly hasWarning: boolean;
  readonly repeats: Serial | null;
}

/** A split in a list. */
export function splitRow(record: SplitRecord, at: TimeContext, extras?: RowExtras): Row {
  const parts = [capitalize(exDateText(record, at)), exchangeName(record.exchange), record.company];
  const check = hasRecordWarning(record) || extras?.hasWarning ? ["CHECK"] : [];
  const badges = [...check, ...repeatSplitBadges(extras?.repeats ?? null)];
  return {
    title: splitName(record),
    detail: parts.filter((part) => part !== "").join(" · "),
    ...(badges.length > 0 ? { badges } : {}),
  };
}

/** The order of every list of splits: by ex date, then by ticker. */
export function byExDate(a: SplitRecord, b: SplitRecord): number {
  return compareText(a.exDate, b.exDate) || compareText(a.ticker, b.ticker);
}
