import type { Exchange } from "./exchange.ts";
import type { Ticker } from "./ticker.ts";

/** Company and exchange of a listed symbol. */
export interface ListedSymbol {
  readonly company: string;
  /** Null if the directory states none, or a group of exchanges. */
  readonly exchange: Exchange | null;
}

/** Listed symbols of one directory. */
export type ListedSymbols = ReadonlyMap<Ticker, ListedSymbol>;

/** A listed symbol with the display name of its directory. */
export interface DirectoryEntry extends ListedSymbol {
  readonly directory: string;
}

/** Directories of currently listed symbols, as published by the exchanges and the SEC. */
export interface SymbolDirectory {
  /** Returns the entries of a symbol, most reliable first; empty if it isn't listed, or if no directory covers its exchange. */
  readonly find: (ticker: Ticker) => readonly DirectoryEntry[];
}
