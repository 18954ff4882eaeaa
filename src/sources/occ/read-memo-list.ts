import { US_MARKET } from "../../domain/split/exchange.ts";
import { parseTicker, type Ticker } from "../../domain/split/ticker.ts";
import type { Day } from "../../domain/time/day.ts";
import { MARKET_ZONE, tradingDayKind } from "../../domain/time/trading-day.ts";
import { instantAt, MINUTES_PER_DAY } from "../../domain/time/wall-clock.ts";
import { type CsvRecord, csvRecords } from "../../lib/csv.ts";
import { oneLine } from "../../lib/external-text.ts";
import { parseFieldDay } from "../notations.ts";
import type { Statement } from "../official/statement.ts";
import { decodeText } from "../web/decode-text.ts";
import { FetchError, unreadable } from "../web/fetch-error.ts";
import { isWebPage } from "../web/html-scan.ts";
import type { WebAnswer } from "../web/web-answer.ts";

const SITE = "https://infomemo.theocc.com";
const MAX_TITLE_LENGTH = 1_000;
/** The list has all memos since 1997, about 60,000. */
const MAX_ROWS = 300_000;
/** Maximum number of recent memos; a month has about 300. */
const MAX_MEMOS = 10_000;

/** A memo of the list. */
export interface Memo {
  readonly number: string;
  readonly title: string;
  /** Null if not stated. */
  readonly postedOn: Day | null;
  readonly effectiveOn: Day | null;
  /** As in the list. */
  readonly effective: string;
  /** Confirmation of a split; null for a memo on something else. */
  readonly statement: Statement | null;
}

export interface MemoList {
  readonly memos: readonly Memo[];
  /** Description of the rows without a number or title; null: none. */
  readonly problem: string | null;
}

type Column = "number" | "postedOn" | "effectiveOn" | "title";

/** Headings of the columns, in any order, case and spelling. */
const HEADINGS: Readonly<Record<Column, RegExp>> = {
  number: /^(?:memo\s*)?(?:number|no\.?|#)$|^memo$/i,
  postedOn: /^(?:memo\s*)?post(?:ed|ing)?\s*(?:date|on)?$/i,
  effectiveOn: /^effective\s*(?:date|on)?$/i,
  title: /^(?:memo\s*)?(?:title|subject)$/i,
};
const REQUIRED = ["number", "effectiveOn", "title"] as const;
/** Records above the headings. */
const MAX_PREAMBLE = 5;

type Columns = Readonly<Record<Column, number>>;

/**
 * Memos that were posted or take effect on the day `since` or later. Throws a FetchError for another document, an empty list,
 * one with too many rows or recent memos, and if half of the rows or more have no number or title.
 */
export function readMemoList(answer: WebAnswer, since: Day): MemoList {
  const text = decodeText(answer.body, answer.header("content-type"));
  if (isWebPage(text)) throw unreadable(answer, "expected a CSV list of memos, got a web page");
  const records = csvRecords(text);
  const columns = readHeadings(records);
  if (columns === null)
    throw unreadable(answer, "expected a CSV list with the columns Number, Effective Date and Title");
  const memos: Memo[] = [];
  const unreadableLines: number[] = [];
  let rowCount = 0;
  for (const { line, fields } of records) {
    rowCount += 1;
    const memo = memoOf(fields, columns);
    if (memo === null) unreadableLines.push(line);
    else if (isRecent(memo, since)) memos.push(memo);
    if (rowCount > MAX_ROWS || memos.length > MAX_MEMOS)
      throw unreadable(answer, `expected at most ${MAX_ROWS} rows and ${MAX_MEMOS} recent memos, got more`);
  }
  if (rowCount === 0) throw new FetchError("empty", `${answer.url.host}${answer.url.pathname}: the list has no memos`);
  if (unreadableLines.length >= rowCount / 2)
    throw unreadable(answer, `only ${rowCount - unreadableLines.length} of ${rowCount} rows have a number and a title`);
  return { memos, problem: describeUnreadable(unreadableLines, rowCount) };
}

/** Reads the records up to the row of headings; null if none of the first ones is. */
function readHeadings(records: Iterator<CsvRecord>): Columns | null {
  for (let count = 0; count < MAX_PREAMBLE; count += 1) {
    const { done, value } = records.next();
    if (done === true) return null;
    const columns = columnsOf(value.fields);
    if (columns !== null) return columns;
  }
  return null;
}

/** Null for a record that isn't the row of headings. */
function columnsOf(fields: readonly string[]): Columns | null {
  const headings = fields.map((field) => field.replace(/\s+/g, " ").trim());
  const indexOf = (column: Column): number => headings.findIndex((heading) => HEADINGS[column].test(heading));
  if (REQUIRED.some((column) => indexOf(column) < 0)) return null;
  return {
    number: indexOf("number"),
    postedOn: indexOf("postedOn"),
    effectiveOn: indexOf("effectiveOn"),
    title: indexOf("title"),
  };
}

function memoOf(fields: readonly string[], columns: Columns): Memo | null {
  const field = (column: Column): string => oneLine(fields[columns[column]] ?? "", MAX_TITLE_LENGTH);
  const number = /^#?\s?(\d{1,9})$/.exec(field("number"))?.[1];
  const title = field("title");
  if (number === undefined || title === "") return null;
  const effective = field("effectiveOn");
  const [postedOn, effectiveOn] = [parseFieldDay(field("postedOn")), parseFieldDay(effective)];
  const row = { number, title, postedOn, effectiveOn, effective };
  return { ...row, statement: statementOf(row) };
}

/** A memo without dates is not recent: no list has one at its start. */
function isRecent({ postedOn, effectiveOn }: Memo, since: Day): boolean {
  return (postedOn ?? since) >= since ? postedOn !== null || effectiveOn !== null : (effectiveOn ?? "") >= since;
}

function describeUnreadable(lines: readonly number[], rowCount: number): string | null {
  if (lines.length === 0) return null;
  return `${lines.length} of ${rowCount} rows have no number or title, the first in line ${lines[0]}`;
}

const REVERSE_SPLIT = /\brevers(?:e|ed)[\s/-]{1,3}(?:(?:stock|share|unit|ads)\s)?split/i;
/** Titles of memos that don't confirm that the split takes effect on the memo's day. */
const OTHER_TOPIC =
  /\banticipat|\bpropos|\bpending\b|\bcancel|\bwithdraw|\brescind|\bpostpone|\bdelay|\bcash[\s-]{1,2}in[\s-]{1,2}lieu|\bcash settle|\bsettlement\b|\bfractional\b|\bforward\b|\breminder\b|\bterminat/i;

export function confirmsReverseSplit(title: string): boolean {
  return REVERSE_SPLIT.test(title) && !OTHER_TOPIC.test(title);
}

/** Confirmation of a split; null for a memo on something else, and if its title doesn't name one symbol for certain. */
function statementOf(memo: Omit<Memo, "statement">): Statement | null {
  const { number, title, postedOn, effectiveOn, effective } = memo;
  const ticker = confirmsReverseSplit(title) ? tickerIn(title) : null;
  if (ticker === null) return null;
  const isTradingDay = effectiveOn !== null && tradingDayKind(US_MARKET, effectiveOn) !== "closed";
  return {
    id: number,
    url: `${SITE}/infomemos?number=${number}`,
    kind: "confirmed",
    listings: [{ ticker, exchange: null }],
    company: null,
    ratio: null,
    exDate: isTradingDay ? effectiveOn : null,
    newCusip: null,
    evidence: { kind: title, ...(effective !== "" && { exDate: `Effective Date: ${effective}` }) },
    publishedAt: postedOn === null ? null : endOf(postedOn),
  };
}

/** `Option Symbol: QLMR New Symbol: QLMR1`; the list may state several, and days before them. */
const OPTION_SYMBOLS = /\boption\s{0,3}symbols?\s{0,3}[:-]?\s{0,3}(.{1,120})/i;

/** The share's symbol, from which adjusted options differ by a digit; null if the title names none or several. */
function tickerIn(title: string): Ticker | null {
  const [, after = ""] = OPTION_SYMBOLS.exec(title) ?? [];
  const [symbols = ""] = after.split(/\b(?:new|adjusted)\s{0,3}(?:option\s{0,3})?symbols?\b|\bbecomes\b/i);
  const found = new Set(symbols.match(/(?<![\w.])[A-Z]{1,5}(?:\.[A-Z])?(?!\w)/g));
  const [only, ...others] = found;
  return only === undefined || others.length > 0 ? null : (parseTicker(only) ?? null);
}

/** The list states only the day, so the time is the last minute of the day. */
export function endOf(day: Day): number {
  return instantAt(day, MINUTES_PER_DAY - 1, MARKET_ZONE);
}
