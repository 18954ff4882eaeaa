import { exchangeName } from "../domain/split/exchange.ts";
import type { Serial } from "../domain/split/serial.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import { compareText } from "../lib/compare-text.ts";
import { isOdd } from "./marks.ts";
import type { Row } from "./message.ts";
import { serialBadges } from "./serial-words.ts";
import { exDateWords, splitName } from "./split-facts.ts";
import { capitalised, type Moment } from "./words.ts";

/** What is known of a split in a list beside its record. */
export interface RowExtras {
  /** Something else than the record itself is odd. */
  readonly isMarked: boolean;
  readonly serial: Serial | null;
}

/** A split in a list. */
export function splitRow(record: SplitRecord, at: Moment, extras?: RowExtras): Row {
  const parts = [capitalised(exDateWords(record, at)), exchangeName(record.exchange), record.company];
  const check = isOdd(record) || extras?.isMarked ? ["CHECK"] : [];
  const badges = [...check, ...serialBadges(extras?.serial ?? null)];
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
