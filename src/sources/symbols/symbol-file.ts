import { parseExchange } from "../../domain/split/exchange.ts";
import type { ListedSymbol } from "../../domain/split/symbol-directory.ts";
import { parseTicker, type Ticker } from "../../domain/split/ticker.ts";
import { companyNameOf } from "../company-name.ts";
import { unreadable } from "../web/fetch-error.ts";
import type { WebAnswer } from "../web/web-answer.ts";

/** The files have fewer lines. */
const MAX_LINES = 60_000;

/** Codes in the column of the listing exchange. */
const EXCHANGES: Readonly<Record<string, string>> = {
  A: "NYSEAMERICAN",
  N: "NYSE",
  P: "NYSEARCA",
  Q: "NASDAQ",
  V: "IEX",
  Z: "CBOE",
};

/** Names of the same column in different files, in lower case. */
const COLUMNS = {
  symbol: ["symbol", "act symbol"],
  name: ["security name"],
  exchange: ["listing exchange", "exchange"],
  test: ["test issue"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Column that only the file of Nasdaq's own listings has, which states no exchange. */
const NASDAQ_COLUMN = "market category";

/**
 * Parses a symbol directory: a header line, then lines of cells separated by `|`, in any order of columns. Symbol, name and
 * exchange are required. Throws a FetchError if the file is incomplete, has no symbols or is not a symbol directory.
 */
export function readSymbolFile(answer: WebAnswer): ReadonlyMap<Ticker, ListedSymbol> {
  const text = answer.body.toString("utf8").replace(/^\uFEFF/, "");
  const lines = text.split(/\r?\n/, MAX_LINES);
  const header = cellsOf(lines[0] ?? "").map((name) => name.toLowerCase());
  const columnOf = (names: readonly string[]): number => header.findIndex((name) => names.includes(name));
  const columns: Columns = {
    symbol: columnOf(COLUMNS.symbol),
    name: columnOf(COLUMNS.name),
    exchange: columnOf(COLUMNS.exchange),
    test: columnOf(COLUMNS.test),
    defaultExchange: header.includes(NASDAQ_COLUMN) ? "Q" : "",
  };
  const hasExchange = columns.exchange >= 0 || columns.defaultExchange !== "";
  if (columns.symbol < 0 || columns.name < 0 || !hasExchange)
    throw unreadable(answer, "expected a symbol directory with symbol, name and exchange, got another file");
  if (!isComplete(lines, header.length))
    throw unreadable(
      answer,
      "expected the time of creation or a complete row in the last line: the file is incomplete",
    );
  const symbols = new Map<Ticker, ListedSymbol>();
  for (const line of lines.slice(1)) addLine(line, columns, symbols);
  if (symbols.size === 0) throw unreadable(answer, "expected a symbol directory, got one without symbols");
  return symbols;
}

interface Columns extends Readonly<Record<keyof typeof COLUMNS, number>> {
  readonly defaultExchange: string;
}

function cellsOf(line: string): readonly string[] {
  return line.split("|").map((cell) => cell.trim());
}

/** Whether the file ends with the line that states its time of creation, or at least with a complete row and a line end. */
function isComplete(lines: readonly string[], columnCount: number): boolean {
  const last = lines.findLast((line) => line.trim() !== "") ?? "";
  if (/^\s{0,5}file creation time/i.test(last)) return true;
  return lines.at(-1) === "" && cellsOf(last).length === columnCount;
}

function addLine(line: string, columns: Columns, symbols: Map<Ticker, ListedSymbol>): void {
  const cells = cellsOf(line);
  const ticker = parseTicker(cells[columns.symbol] ?? "");
  const code = cells[columns.exchange] ?? columns.defaultExchange;
  const exchange = parseExchange(EXCHANGES[code.toUpperCase()] ?? "");
  const company = companyOf(cells[columns.name] ?? "");
  const isTest = /^y/i.test(cells[columns.test] ?? "");
  if (ticker !== undefined && exchange !== undefined && company !== null && !isTest)
    symbols.set(ticker, { company, exchange });
}

/** Securities that are not the issuer's shares. */
const OTHER_SECURITY_PATTERN = /\b(?:warrants?|rights?|(?<!common )units?|preferred|notes?|debentures?)\b/i;
const MAX_NAME_LENGTH = 500;

/** Company of a name such as `Quillmere Therapeutics, Inc. - Common Stock`; null for other securities, such as warrants. */
function companyOf(securityName: string): string | null {
  const name = securityName.slice(0, MAX_NAME_LENGTH);
  return OTHER_SECURITY_PATTERN.test(name) ? null : companyNameOf(name) || null;
}
