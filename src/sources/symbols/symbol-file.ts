import { parseExchange } from "../../domain/split/exchange.ts";
import type { ListedSymbol } from "../../domain/split/symbol-directory.ts";
import { parseTicker, type Ticker } from "../../domain/split/ticker.ts";
import { forEachInSlices } from "../../lib/slices.ts";
import { companyNameOf } from "../company-name.ts";
import { unreadable } from "../web/fetch-error.ts";
import type { WebAnswer } from "../web/web.ts";

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

/** Names of the same column in different files. */
const SYMBOL_COLUMNS = ["Symbol", "ACT Symbol"];
const EXCHANGE_COLUMNS = ["Listing Exchange", "Exchange"];

/**
 * Parses a symbol directory: a header line, lines of cells separated by `|`, and a line with the time of creation. Throws a
 * FetchError if the file is incomplete, has no symbols or is not a symbol directory.
 */
export async function readSymbolFile(answer: WebAnswer): Promise<ReadonlyMap<Ticker, ListedSymbol>> {
  const lines = answer.body.toString("utf8").split(/\r?\n/, MAX_LINES);
  const header = lines[0]?.split("|") ?? [];
  const columns = {
    symbol: header.findIndex((name) => SYMBOL_COLUMNS.includes(name)),
    name: header.indexOf("Security Name"),
    exchange: header.findIndex((name) => EXCHANGE_COLUMNS.includes(name)),
    test: header.indexOf("Test Issue"),
  };
  if (Object.values(columns).includes(-1)) throw unreadable(answer, "expected a symbol directory, got another file");
  if (!lines.slice(-2).some((line) => line.startsWith("File Creation Time"))) {
    throw unreadable(answer, "expected the time of creation in the last line: the file is incomplete");
  }
  const symbols = new Map<Ticker, ListedSymbol>();
  await forEachInSlices(lines.slice(1), (line) => addLine(line, columns, symbols));
  if (symbols.size === 0) throw unreadable(answer, "expected a symbol directory, got one without symbols");
  return symbols;
}

type Columns = Readonly<Record<"symbol" | "name" | "exchange" | "test", number>>;

function addLine(line: string, columns: Columns, symbols: Map<Ticker, ListedSymbol>): void {
  const cells = line.split("|");
  const ticker = parseTicker(cells[columns.symbol] ?? "");
  const exchange = parseExchange(EXCHANGES[cells[columns.exchange] ?? ""] ?? "");
  const company = companyOf(cells[columns.name] ?? "");
  if (ticker === undefined || exchange === undefined || company === null || cells[columns.test] !== "N") return;
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
