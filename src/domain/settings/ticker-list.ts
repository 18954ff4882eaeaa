import { quoteValue } from "../../lib/error-text.ts";
import { textPieces } from "../../lib/text-pieces.ts";
import { isExchangePrefix, parseUserTicker, type Ticker } from "../split/ticker.ts";
import { tickerHint } from "../split/ticker-hint.ts";
import { TICKER_FORM } from "./import-field.ts";

/** An invalid entry of an imported text. */
export interface LineProblem {
  /** Counted from 1. */
  readonly line: number;
  /** The invalid text in quotation marks, with the name of its field. */
  readonly got: string;
  readonly expected: string;
  /** A sentence on the invalid text; absent if it has no meaning of its own. */
  readonly hint?: string;
}

export interface ParsedTickerList {
  /** True if there are more words than allowed; tickers and problems are then incomplete. */
  readonly isTooLong: boolean;
  /** Tickers without duplicates, in the order of the text. */
  readonly tickers: readonly Ticker[];
  readonly problems: readonly LineProblem[];
}

/** Headings of the ticker column in tables. */
const COLUMN_NAMES: ReadonlySet<string> = new Set(["ticker", "tickers", "symbol", "symbols", "ticker symbol"]);
const DELIMITERS = ["\t", ";", ","] as const;

const WORDS_PER_PAUSE = 500;

/** The start of `NASDAQ: ACME`. */
const TAG = /(?<![\w-])([A-Z][A-Z-]{1,15}):[ \t]/gi;

const NUMBERING = /^\s*(?:[-*•]|\d{1,5}[.)])\s+/;

/** Free text in which every word is a ticker, or a table with a ticker column. */
type Layout =
  | { readonly kind: "words" }
  | { readonly kind: "column"; readonly delimiter: string; readonly index: number };

/** Number of characters of the first line in which the heading of the ticker column is searched. */
const MAX_HEADING_LENGTH = 1_000;

/**
 * Reads tickers separated by commas, semicolons, spaces or line breaks, with `#` comments, or a table with a ticker column. Awaits
 * `pause` regularly.
 */
export async function readTickerList(
  lines: readonly string[],
  limits: { readonly maxWords: number; readonly maxProblems: number },
  pause: () => Promise<void>,
): Promise<ParsedTickerList> {
  const tickers = new Set<Ticker>();
  const problems: LineProblem[] = [];
  let words = 0;
  for (const { word, line } of wordsIn(lines, limits.maxWords)) {
    words += 1;
    if (words % WORDS_PER_PAUSE === 0) await pause();
    if (words > limits.maxWords || problems.length > limits.maxProblems) break;
    const ticker = parseUserTicker(word);
    if (ticker === undefined) problems.push({ line, got: quoteValue(word), expected: TICKER_FORM, ...hintOf(word) });
    else tickers.add(ticker);
  }
  return { isTooLong: words > limits.maxWords, tickers: [...tickers], problems };
}

/** The words that should be tickers, with their line numbers. Yields at most `max` + 1 words per line, enough to exceed `max`. */
function* wordsIn(lines: readonly string[], max: number): Generator<{ readonly word: string; readonly line: number }> {
  const { layout, firstIndex } = layoutOf(lines);
  for (const [index, text] of lines.entries()) {
    if (index < firstIndex) continue;
    for (const word of wordsOf(withoutComment(text), layout, max + 1)) yield { word, line: index + 1 };
  }
}

/** Determines the layout from the first non-empty line, which may be a heading. */
function layoutOf(lines: readonly string[]): { readonly layout: Layout; readonly firstIndex: number } {
  const headingIndex = lines.findIndex((line) => withoutComment(line) !== "");
  const heading =
    headingIndex < 0
      ? null
      : layoutFromHeading(withoutComment((lines[headingIndex] ?? "").slice(0, MAX_HEADING_LENGTH)));
  return heading === null
    ? { layout: { kind: "words" }, firstIndex: 0 }
    : { layout: heading, firstIndex: headingIndex + 1 };
}

/** Removes everything from `#` or `//` on, at the start of the line or after white space. */
function withoutComment(line: string): string {
  for (let at = 0; at < line.length; at += 1) {
    const isMark = line[at] === "#" || (line[at] === "/" && line[at + 1] === "/");
    if (isMark && (at === 0 || /\s/.test(line.charAt(at - 1)))) return line.slice(0, at).trim();
  }
  return line.trim();
}

/** Returns the layout that a heading implies; null if the line isn't a heading. */
function layoutFromHeading(line: string): Layout | null {
  for (const delimiter of DELIMITERS) {
    const names = cellsOf(line, delimiter).map((cell) => cell.toLowerCase());
    const index = names.findIndex((name) => COLUMN_NAMES.has(name));
    if (index >= 0) return names.length === 1 ? { kind: "words" } : { kind: "column", delimiter, index };
  }
  return null;
}

function wordsOf(line: string, layout: Layout, max: number): readonly string[] {
  if (line === "") return [];
  if (layout.kind === "column") return [cellsOf(line, layout.delimiter, layout.index + 1)[layout.index] ?? ""];
  const numbering = NUMBERING.exec(line.slice(0, MAX_HEADING_LENGTH))?.[0] ?? "";
  const words: string[] = [];
  for (const piece of textPieces(line.slice(numbering.length))) {
    const joined = piece.replace(TAG, (tag, name: string) => (isExchangePrefix(name) ? `${name}:` : tag));
    words.push(...joined.split(/[\s,;|"'()[\]{}]+/, max).filter((word) => word !== ""));
    if (words.length >= max) break;
  }
  return words.slice(0, max);
}

function hintOf(word: string): Pick<LineProblem, "hint"> {
  const hint = tickerHint(word);
  return hint === undefined ? {} : { hint };
}

/** Splits at delimiters outside quotation marks. Returns the first `max` cells. */
function cellsOf(line: string, delimiter: string, max = Number.POSITIVE_INFINITY): readonly string[] {
  const cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === delimiter && !isQuoted) {
      cells.push(cell.trim());
      if (cells.length === max) return cells;
      cell = "";
    } else cell += character;
  }
  return [...cells, cell.trim()];
}
