import type { Exchange } from "./exchange.ts";
import type { Ticker } from "./ticker.ts";

/** Company and exchange of a listed symbol. */
export interface ListedSymbol {
  readonly company: string;
  readonly exchange: Exchange;
}

/** Directory of the symbols that are listed now, as the exchanges and the SEC publish it. */
export interface SymbolDirectory {
  /** Null: the symbol is not listed, or the directory does not cover its exchange. */
  readonly find: (ticker: Ticker) => ListedSymbol | null;
}
