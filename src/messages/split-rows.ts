import { compareText } from "../core/compare-text.ts";
import { exchangeName } from "../core/exchange.ts";
import type { SplitRecord } from "../core/split.ts";
import { markWords } from "./marks.ts";
import type { Row } from "./message.ts";
import { exDateWords, splitName } from "./split-facts.ts";
import { capitalised, type Moment } from "./words.ts";

/** A split in a list. */
export function splitRow(record: SplitRecord, at: Moment): Row {
  const parts = [capitalised(exDateWords(record, at)), exchangeName(record.exchange), record.company];
  const odd = markWords(record).filter((mark) => !mark.endsWith("holidays not checked."));
  return {
    title: splitName(record),
    detail: parts.filter((part) => part !== "").join(" · "),
    ...(odd.length > 0 ? { badges: ["CHECK"] } : {}),
  };
}

/** The order of every list of splits: by ex date, then by ticker. */
export function byExDate(a: SplitRecord, b: SplitRecord): number {
  return compareText(a.exDate, b.exDate) || compareText(a.ticker, b.ticker);
}
