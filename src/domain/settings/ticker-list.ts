import { quoteValue } from "../../lib/error-text.ts";
import { parseKnownExchange } from "../split/exchange.ts";
import { parseTicker, type Ticker } from "../split/ticker.ts";
import { TICKER_FORM } from "./import-field.ts";

/** An invalid entry of an imported text. */
export interface LineProblem {
  /** Counted from 1. */
  readonly line: number;
  /** The invalid text in quotation marks, with the name of its field. */
  readonly got: string;
  readonly expected: string;
}

export interface ReadTickerList {
  /** Without duplicates, in text order. */
  readonly tickers: readonly Ticker[];
  readonly problems: readonly LineProblem[];
}

/** Headings of the ticker column in tables. */
const COLUMN_NAMES: ReadonlySet<string> = new Set(["ticker", "tickers", "symbol", "symbols", "ticker symbol"]);
const DELIMITERS = ["\t", ";", ","] as const;

const COMMENT = /(?:^|\s)(?:#|\/\/).*$/;
const NUMBERING = /^\s*(?:[-*•]|\d{1,5}[.)])\s+/;

/** Free text with a ticker per word, or a table with one ticker column. */
type Layout = { readonly kind: "words" } | { readonly kind: "column"; readonly delimiter: string; readonly at: number };

/** Reads tickers separated by commas, semicolons, blanks or line ends, with `#` comments, or a table with a ticker column. */
export function readTickerList(lines: readonly string[]): ReadTickerList {
  const { layout, from } = layoutOf(lines);
  const tickers = new Set<Ticker>();
  const problems: LineProblem[] = [];
  for (const [index, line] of lines.entries()) {
    if (index < from) continue;
    for (const word of wordsOf(withoutComment(line), layout)) {
      const ticker = tickerOf(word);
      if (ticker === undefined) problems.push({ line: index + 1, got: quoteValue(word), expected: TICKER_FORM });
      else tickers.add(ticker);
    }
  }
  return { tickers: [...tickers], problems };
}

/** Determines the layout from the first non-empty line, which may be a heading. */
function layoutOf(lines: readonly string[]): { readonly layout: Layout; readonly from: number } {
  const first = lines.findIndex((line) => withoutComment(line) !== "");
  const heading = first < 0 ? null : layoutNamedIn(withoutComment(lines[first] ?? ""));
  return heading === null ? { layout: { kind: "words" }, from: 0 } : { layout: heading, from: first + 1 };
}

function withoutComment(line: string): string {
  return line.replace(COMMENT, "").trim();
}

/** Null if the line is not a heading. */
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

/** Splits at delimiters outside quotation marks. */
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

/** Also accepts `$ACME`, `ACME.` at the end of a sentence, and `NASDAQ:ACME`. */
function tickerOf(word: string): Ticker | undefined {
  const [tag = "", tagged] = word.split(":", 2);
  const bare = tagged === undefined || parseKnownExchange(tag) === undefined ? word : tagged;
  return parseTicker(bare.replace(/^[*_~$]+|[*_~.!?:]+$/g, ""));
}
