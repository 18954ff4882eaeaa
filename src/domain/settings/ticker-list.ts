import { parseKnownExchange } from "../split/exchange.ts";
import { parseTicker, type Ticker } from "../split/ticker.ts";

/** What stood where something else is expected, with its line, counted from 1. */
export interface LineProblem {
  readonly line: number;
  /** What stood there, within quotation marks, and of what it is. */
  readonly got: string;
  readonly expected: string;
}

export interface ReadTickerList {
  /** Each once, in the order of the text. */
  readonly tickers: readonly Ticker[];
  readonly problems: readonly LineProblem[];
}

export const TICKER_FORM = "a ticker such as ACME or BRK.B";

/** What tables call the column of the tickers. */
const COLUMN_NAMES: ReadonlySet<string> = new Set(["ticker", "tickers", "symbol", "symbols", "ticker symbol"]);
const DELIMITERS = ["\t", ";", ","] as const;

const LONGEST_SHOWN = 40;

const COMMENT = /(?:^|\s)(?:#|\/\/).*$/;
const NUMBERING = /^\s*(?:[-*•]|\d{1,5}[.)])\s+/;

/** How the lines of a text are read: words in any order, or the one column of a table that holds tickers. */
type Layout = { readonly kind: "words" } | { readonly kind: "column"; readonly delimiter: string; readonly at: number };

/** Tickers between commas, semicolons, blanks and line ends, with comments after `#`; or a table with a column of tickers. */
export function readTickerList(lines: readonly string[]): ReadTickerList {
  const { layout, from } = layoutOf(lines);
  const tickers = new Set<Ticker>();
  const problems: LineProblem[] = [];
  for (const [index, line] of lines.entries()) {
    if (index < from) continue;
    for (const word of wordsOf(withoutComment(line), layout)) {
      const ticker = tickerOf(word);
      if (ticker === undefined) problems.push({ line: index + 1, got: shown(word), expected: TICKER_FORM });
      else tickers.add(ticker);
    }
  }
  return { tickers: [...tickers], problems };
}

/** The first line that holds anything may be a heading. */
function layoutOf(lines: readonly string[]): { readonly layout: Layout; readonly from: number } {
  const first = lines.findIndex((line) => withoutComment(line) !== "");
  const heading = first < 0 ? null : layoutNamedIn(withoutComment(lines[first] ?? ""));
  return heading === null ? { layout: { kind: "words" }, from: 0 } : { layout: heading, from: first + 1 };
}

function shown(word: string): string {
  return JSON.stringify(word.slice(0, LONGEST_SHOWN));
}

function withoutComment(line: string): string {
  return line.replace(COMMENT, "").trim();
}

/** Null where the line is no heading. */
function layoutNamedIn(line: string): Layout | null {
  for (const delimiter of DELIMITERS) {
    const names = cellsOf(line, delimiter).map((cell) => cell.toLowerCase());
    const at = names.findIndex((name) => COLUMN_NAMES.has(name));
    if (at >= 0) return names.length === 1 ? { kind: "words" } : { kind: "column", delimiter, at };
  }
  return null;
}

function wordsOf(line: string, layout: Layout): readonly string[] {
  if (line === "") return [];
  if (layout.kind === "column") return [cellsOf(line, layout.delimiter)[layout.at] ?? ""];
  const words = line.replace(NUMBERING, "").split(/[\s,;|"'()[\]{}]+/);
  return words.filter((word) => word !== "");
}

/** Within quotation marks a delimiter parts nothing. */
function cellsOf(line: string, delimiter: string): readonly string[] {
  const cells: string[] = [];
  let cell = "";
  let quoted = false;
  for (const character of line) {
    if (character === '"') quoted = !quoted;
    else if (character === delimiter && !quoted) {
      cells.push(cell.trim());
      cell = "";
    } else cell += character;
  }
  return [...cells, cell.trim()];
}

/** `$ACME`, `ACME.` at the end of a sentence, and `NASDAQ:ACME` as releases write it. */
function tickerOf(word: string): Ticker | undefined {
  const [tag = "", tagged] = word.split(":", 2);
  const bare = tagged === undefined || parseKnownExchange(tag) === undefined ? word : tagged;
  return parseTicker(bare.replace(/^[*_~$]+|[*_~.!?:]+$/g, ""));
}
