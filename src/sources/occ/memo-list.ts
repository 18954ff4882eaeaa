import { US_MARKET } from "../../domain/split/exchange.ts";
import { parseTicker, type Ticker } from "../../domain/split/ticker.ts";
import { addDays, type Day, dayInZone } from "../../domain/time/day.ts";
import { MARKET_ZONE, tradingDayKind } from "../../domain/time/trading-day.ts";
import { instantAt, MINUTES_PER_DAY } from "../../domain/time/wall-clock.ts";
import { validatorsOf } from "../../http/validators.ts";
import { type CsvRecord, csvRecords } from "../../lib/csv.ts";
import { oneLine } from "../../lib/external-text.ts";
import { yieldToEventLoop } from "../../lib/slices.ts";
import type { DocumentReading, ReadContext } from "../document-reading.ts";
import { parseFieldDay } from "../notations.ts";
import type { Statement, StatementPollResult, StatementReader } from "../official/follow-statements.ts";
import type { StatementReaderTools } from "../official/official-source.ts";
import { pollIntervalMs } from "../publishing-hours.ts";
import { decodeText } from "../web/decode-text.ts";
import { FetchError, unreadable } from "../web/fetch-error.ts";
import { isWebPage } from "../web/html-scan.ts";
import type { WebAnswer } from "../web/web.ts";

const LIST_PATH = "/infomemo/exportmemo";
const SITE = "https://infomemo.theocc.com";
/** The list has all memos since 1997, about 60,000. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;
const PACE_MS = 1_000;
/** Days before the reading within which a memo is posted or takes effect. */
const WINDOW_DAYS = 40;
/** Factor by which polls are less frequent at night, at weekends and on holidays. */
const QUIET_FACTOR = 4;
const ROWS_PER_SLICE = 1_000;
const MAX_TITLE_LENGTH = 1_000;

/** A memo of the list. */
interface Memo {
  readonly number: string;
  readonly title: string;
  /** Null if not stated. */
  readonly postedOn: Day | null;
  readonly effectiveOn: Day | null;
  /** As in the list. */
  readonly effective: string;
}

/** Rows of the list, and the number of rows without a number or title. */
interface MemoList {
  readonly memos: readonly Memo[];
  readonly rowCount: number;
  readonly unreadableLines: readonly number[];
}

/** Reads the list of memos, conditionally. The memos themselves are PDF files, which are only linked. */
export function createMemoReader(origin: string, { web, clock, everyMs }: StatementReaderTools): StatementReader {
  let cached: { readonly list: MemoList; readonly validators: Readonly<Record<string, string>> } | null = null;
  return {
    name: "occ",
    intervalMs: (now) => pollIntervalMs(now, { everyMs, quietMs: QUIET_FACTOR * everyMs }),
    async read(signal): Promise<StatementPollResult> {
      const headers = { accept: "text/csv, */*;q=0.1", ...cached?.validators };
      const request = { kind: "feed", headers, maxBytes: MAX_LIST_BYTES, paceMs: PACE_MS, signal } as const;
      const answer = await web.request(`${origin}${LIST_PATH}`, request);
      const firstDay = addDays(dayInZone(clock.now(), MARKET_ZONE), -WINDOW_DAYS);
      if (answer.status !== 304 || cached === null)
        cached = { list: await readMemoList(answer, firstDay), validators: validatorsOf(answer) };
      const { memos, rowCount, unreadableLines } = cached.list;
      const failures = shapeFailures(answer, rowCount, unreadableLines);
      return { items: memos, statements: memos.flatMap((memo) => statementOf(memo) ?? []), failures };
    },
  };
}

/** Reads a captured list. Rejects with a FetchError for another document. */
export async function readMemoDocument(document: WebAnswer, { now }: ReadContext): Promise<DocumentReading> {
  const firstDay = addDays(dayInZone(now, MARKET_ZONE), -WINDOW_DAYS);
  const { memos, rowCount, unreadableLines } = await readMemoList(document, firstDay);
  return {
    document: "list of memos",
    statements: memos.flatMap((memo) => statementOf(memo) ?? []),
    entries: memos.map(({ number, title, postedOn }) => ({
      id: number,
      title,
      publishedAt: postedOn === null ? null : endOf(postedOn),
      isFollowed: confirmsReverseSplit(title),
    })),
    refusals: shapeFailures(document, rowCount, unreadableLines).map(({ message }) => message),
  };
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
 * Memos that were posted or take effect on the day `since` or later. Rejects with a FetchError for another document, an empty
 * list, and if half of the rows or more have no number or title.
 */
async function readMemoList(answer: WebAnswer, since: Day): Promise<MemoList> {
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
    if (rowCount % ROWS_PER_SLICE === 0) await yieldToEventLoop();
    const memo = memoOf(fields, columns);
    if (memo === null) unreadableLines.push(line);
    else if (isRecent(memo, since)) memos.push(memo);
  }
  if (rowCount === 0) throw new FetchError("empty", `${answer.url.host}${answer.url.pathname}: the list has no memos`);
  if (unreadableLines.length >= rowCount / 2)
    throw unreadable(answer, `only ${rowCount - unreadableLines.length} of ${rowCount} rows have a number and a title`);
  return { memos, rowCount, unreadableLines };
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
  return {
    number,
    title,
    postedOn: parseFieldDay(field("postedOn")),
    effectiveOn: parseFieldDay(effective),
    effective,
  };
}

/** A memo without dates is not recent: no list has one at its start. */
function isRecent({ postedOn, effectiveOn }: Memo, since: Day): boolean {
  return (postedOn ?? since) >= since ? postedOn !== null || effectiveOn !== null : (effectiveOn ?? "") >= since;
}

function shapeFailures({ url }: WebAnswer, rowCount: number, lines: readonly number[]): readonly FetchError[] {
  if (lines.length === 0) return [];
  const problem = `${lines.length} of ${rowCount} rows have no number or title, the first in line ${lines[0]}`;
  return [new FetchError("unreadable", `${url.pathname}: ${problem}`)];
}

const REVERSE_SPLIT = /\brevers(?:e|ed)[\s/-]{1,3}(?:(?:stock|share|unit|ads)\s)?split/i;
/** Titles of memos that don't confirm that the split takes effect on the memo's day. */
const OTHER_TOPIC =
  /\banticipat|\bpropos|\bpending\b|\bcancel|\bwithdraw|\brescind|\bpostpone|\bdelay|\bcash[\s-]{1,2}in[\s-]{1,2}lieu|\bcash settle|\bsettlement\b|\bfractional\b|\bforward\b|\breminder\b|\bterminat/i;

function confirmsReverseSplit(title: string): boolean {
  return REVERSE_SPLIT.test(title) && !OTHER_TOPIC.test(title);
}

/** Confirmation of a split; null for a memo on something else, and if its title doesn't name one symbol for certain. */
function statementOf(memo: Memo): Statement | null {
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
function endOf(day: Day): number {
  return instantAt(day, MINUTES_PER_DAY - 1, MARKET_ZONE);
}
