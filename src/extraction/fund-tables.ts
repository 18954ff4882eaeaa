import type { Exchange } from "../domain/split/exchange.ts";
import { isSameRatio, type Ratio } from "../domain/split/ratio.ts";
import { parseTicker, type Ticker } from "../domain/split/ticker.ts";
import { type Day, daysBetween } from "../domain/time/day.ts";
import { nextTradingDay } from "../domain/time/trading-day.ts";
import { calendarOf, type DateContext, isMarketClosed, releaseDay } from "./date-candidates.ts";
import { findDates } from "./dates.ts";
import { findLastListingExchange } from "./exchange-names.ts";
import { FORWARD, MAX_CELL_LENGTH, REVERSE, ratiosIn } from "./fund-tokens.ts";
import { normalizeNumbers, parseWholeRatio } from "./number-words.ts";
import { toPlainText } from "./plain-text.ts";
import type { Sentence } from "./sentences.ts";

/** Row of a table whose headings name a ticker and a ratio column. */
export interface FundRow {
  readonly ticker: Ticker;
  readonly ratio: Ratio;
  readonly isReverse: boolean;
  /** Whether the row or the heading above its table states that the split is a reverse one. */
  readonly isNamedReverse: boolean;
  /** Null if the table has no such column, or its cell is empty. */
  readonly name: string | null;
  readonly exchange: Exchange | null;
  readonly newCusip: string | null;
  /** Undefined if the table has no column of ex dates; null if its cell states no possible day. */
  readonly exDate: Day | null | undefined;
  /** Day on which the split takes effect, or the next trading day; null if the table has a column of ex dates or states no such day. */
  readonly effectiveDate: Day | null;
  readonly sentence: Sentence;
}

type Column =
  | "ticker"
  | "ratio"
  | "direction"
  | "exDate"
  | "effectiveDate"
  | "newCusip"
  | "exchange"
  | "name"
  | "other";

/** Column headings; the first match decides. */
const HEADINGS: readonly { readonly column: Column; readonly pattern: RegExp }[] = [
  { column: "other", pattern: /\b(?:new|proposed|future) (?:ticker|symbol)/i },
  { column: "ticker", pattern: /\b(?:ticker|symbol)s?\b/i },
  { column: "newCusip", pattern: /\bnew\b.*\bcusip|\bcusip\b.*\b(?:new|post)\b/i },
  { column: "direction", pattern: /\b(?:type|direction)\b|^(?:corporate )?actions?$/i },
  {
    column: "exDate",
    pattern:
      /\bex[ -]?(?:(?:dividend|distribution|split) )?date\b|\bfirst (?:trading )?(?:day|date)\b.*\b(?:adjusted|post)|\b(?:adjusted|post[ -]?split)\b.*\btrading\b/i,
  },
  { column: "effectiveDate", pattern: /^(?:(?:market |split )?effective|(?:reverse )?split) (?:date|day)s?$/i },
  { column: "other", pattern: /\b(?:date|cusip|isin|nav|price|payable|decrease|increase|outstanding)s?\b/i },
  { column: "ratio", pattern: /\bratios?\b|^(?:reverse |forward )?(?:(?:share|stock) )?splits?$/i },
  { column: "exchange", pattern: /^(?:(?:listing|listed|primary) )*(?:exchange|market|venue|listing)$/i },
  {
    column: "name",
    pattern: /\bnames?\b|^(?:the )?(?:(?:affected|leveraged) )?(?:fund|etf|etn|etp|product|security)s?$/i,
  },
];

/** Wording by which the effective date is the first trading day on the adjusted basis. */
const ADJUSTED_ON_EFFECTIVE_DATE =
  /(?:adjusted|post[ -]?split)\b[^.;]{0,120}\b(?:on|as of|from|at the open(?:ing)? (?:on|of)) (?:the |its |their |each )?(?:respective |corresponding |applicable )*(?:(?:market )?effective|split) date/i;

const EFFECTIVE_AFTER_CLOSE = /\beffect\w*\b[^.;]{0,120}\b(?:clos(?:e|es|ing)\b|\d ?p\.? ?m\b)/i;

const TICKER_CELL = /^(?:([A-Za-z .]{2,30}): ?)?\(?([A-Z]{1,5})\)?$/;
const CUSIP_CELL = /^([0-9A-Z]\d{2}[0-9A-Z]{3}) ?([0-9A-Z]{2}) ?(\d)$/;
const MAX_ROWS = 200;
const MAX_COLUMNS = 20;
/** Maximum time from the release to an ex date in a table, in days. */
const MAX_AHEAD_DAYS = 366;

/** Columns by index. */
type Columns = readonly Column[];

interface TableContext extends DateContext {
  /** Whether the release mentions forward splits. */
  readonly namesForward: boolean;
  /** Whether the effective date is the first trading day on the adjusted basis. */
  readonly adjustedOnEffectiveDate: boolean;
  /** Whether the splits take effect after the close of the effective date. */
  readonly effectiveAfterClose: boolean;
}

/** Table at the current sentence of a release. */
interface Table {
  columns: Columns | null;
  /** Direction that the heading above the table states. */
  section: Direction | undefined;
}

/** Finds the rows of tables with a ticker and a ratio in each row. Rows without a readable ticker or ratio are omitted. */
export function findFundRows(sentences: readonly Sentence[], dates: DateContext): readonly FundRow[] {
  const context: TableContext = {
    ...dates,
    namesForward: sentences.some(({ plain }) => FORWARD.test(plain)),
    adjustedOnEffectiveDate: sentences.some(({ plain }) => ADJUSTED_ON_EFFECTIVE_DATE.test(plain)),
    effectiveAfterClose: sentences.some(({ plain }) => EFFECTIVE_AFTER_CLOSE.test(plain)),
  };
  const rows: FundRow[] = [];
  const table: Table = { columns: null, section: undefined };
  for (const sentence of sentences) {
    const row = readRow(sentence, table, context);
    if (row !== null) rows.push(row);
    if (rows.length === MAX_ROWS) break;
  }
  return rows;
}

/** Reads a sentence as a row of the current table. Null for a heading row, which sets the columns, and for prose, which ends the table. */
function readRow(sentence: Sentence, table: Table, context: TableContext): FundRow | null {
  const cells = cellsOf(sentence);
  if (cells === null) {
    table.columns = null;
    table.section = sectionAfter(sentence, table.section);
    return null;
  }
  const columns = columnsOf(cells);
  if (columns === null)
    return table.columns && rowOf({ cells, columns: table.columns, sentence, section: table.section }, context);
  table.columns = columns;
  return null;
}

const MAX_HEADING_LENGTH = 80;

/** Direction of the splits in the tables below a line. A heading sets the direction; a text about both directions removes it. */
function sectionAfter({ plain }: Sentence, section: Direction | undefined): Direction | undefined {
  const isHeading = plain.length < MAX_HEADING_LENGTH || plain.endsWith(":");
  const direction = directionOf(plain);
  if (direction !== undefined) return isHeading ? direction : section;
  return FORWARD.test(plain) ? undefined : section;
}

/** Cells of a table row, empty ones included; null for prose. */
function cellsOf({ verbatim }: Sentence): readonly string[] | null {
  if (!/[\t|]/.test(verbatim)) return null;
  const cells = verbatim.replace(/^\s*\||\|\s*$/g, "").split(/[\t|]/);
  if (cells.length < 2 || cells.length > MAX_COLUMNS || cells.some(({ length }) => length > MAX_CELL_LENGTH))
    return null;
  return cells.map((cell) => normalizeNumbers(toPlainText(cell).plain).trim());
}

/** Columns of a heading row; null for any other row, and if two columns could state the ticker or the ratio. */
function columnsOf(cells: readonly string[]): Columns | null {
  if (cells.some((cell) => TICKER_CELL.test(cell) && parseTicker(cell) !== undefined && !headingOf(cell))) return null;
  const columns = cells.map((cell) => headingOf(cell) ?? "other");
  const isUnique = (column: Column): boolean => columns.filter((one) => one === column).length === 1;
  return isUnique("ticker") && isUnique("ratio") ? columns : null;
}

function headingOf(cell: string): Column | undefined {
  return HEADINGS.find(({ pattern }) => pattern.test(cell))?.column;
}

interface TableRow {
  readonly cells: readonly string[];
  readonly columns: Columns;
  readonly sentence: Sentence;
  /** Direction that the heading above the table states. */
  readonly section: Direction | undefined;
}

function rowOf(row: TableRow, context: TableContext): FundRow | null {
  const { cells, columns, sentence } = row;
  const [, tagged, symbol = ""] = TICKER_CELL.exec(cellOf(row, "ticker")) ?? [];
  const ticker = parseTicker(symbol);
  const ratio = ratioIn(cellOf(row, "ratio"));
  if (ticker === undefined || ratio === null || cells.length !== columns.length) return null;
  const exchange = findLastListingExchange(tagged ?? cellOf(row, "exchange")) ?? null;
  return {
    ticker,
    ratio: ratio.ratio,
    ...directionOfRow(row, ratio.isOldFirst, context),
    name: cellOf(row, "name") || null,
    exchange,
    newCusip: CUSIP_CELL.exec(cellOf(row, "newCusip"))?.slice(1).join("") ?? null,
    exDate: exDateOf(row, exchange, context),
    effectiveDate: effectiveDateOf(row, exchange, context),
    sentence,
  };
}

/** The direction that the row, else the heading above its table states, else that of the order of the numbers: `4-for-1`. */
function directionOfRow(
  row: TableRow,
  isOldFirst: boolean,
  { namesForward }: TableContext,
): Pick<FundRow, "isReverse" | "isNamedReverse"> {
  const direction = directionOf(cellOf(row, "direction")) ?? directionOf(cellOf(row, "ratio")) ?? row.section;
  if (direction === undefined) return { isReverse: !(namesForward && isOldFirst), isNamedReverse: false };
  return { isReverse: direction === "reverse", isNamedReverse: direction === "reverse" };
}

/** Cell of a column; "" if the table has no such column, or several. */
function cellOf({ cells, columns }: TableRow, column: Column): string {
  const index = columns.indexOf(column);
  return columns.lastIndexOf(column) === index ? (cells[index] ?? "") : "";
}

/** Returns the ratio in a cell; null if there is none, or if there are different ones. */
function ratioIn(cell: string): { readonly ratio: Ratio; readonly isOldFirst: boolean } | null {
  const whole = parseWholeRatio(cell);
  if (whole !== null) return { ratio: whole, isOldFirst: false };
  const [first, ...others] = ratiosIn(cell);
  if (first === undefined || others.some(({ ratio }) => !isSameRatio(ratio, first.ratio))) return null;
  return first;
}

type Direction = "reverse" | "forward";

/** The direction that a text states; undefined if it states both or none. */
function directionOf(text: string): Direction | undefined {
  const [isReverse, isForward] = [/\brevers/i.test(text) || REVERSE.test(text), /\bforward/i.test(text)];
  if (isReverse === isForward) return undefined;
  return isReverse ? "reverse" : "forward";
}

/** The only day in the cell of an ex date; null if it is not a possible first trading day, undefined without the column. */
function exDateOf(row: TableRow, exchange: Exchange | null, context: TableContext): Day | null | undefined {
  const accepted: readonly Column[] = context.adjustedOnEffectiveDate ? ["exDate", "effectiveDate"] : ["exDate"];
  const column = accepted.find((one) => row.columns.includes(one));
  if (column === undefined) return undefined;
  const day = dayOf(row, column, context);
  return day === null || isMarketClosed(exchange ?? context.exchange, day) ? null : day;
}

function effectiveDateOf(row: TableRow, exchange: Exchange | null, context: TableContext): Day | null {
  if (row.columns.includes("exDate")) return null;
  const day = dayOf(row, "effectiveDate", context);
  const market = exchange ?? context.exchange;
  if (day === null) return null;
  const isFirstDay = !context.effectiveAfterClose && !isMarketClosed(market, day);
  return isFirstDay ? day : nextTradingDay(calendarOf(market), day);
}

/** The only day in a cell; null if it is before the release or too far ahead. */
function dayOf(row: TableRow, column: Column, context: TableContext): Day | null {
  const released = releaseDay(context);
  const [date, ...others] = findDates(cellOf(row, column), released);
  if (date === undefined || others.length > 0 || date.hasWrongWeekday) return null;
  const daysAhead = released === null ? 0 : daysBetween(released, date.day);
  return daysAhead >= 0 && daysAhead <= MAX_AHEAD_DAYS ? date.day : null;
}
