import type { Exchange } from "./exchange.ts";
import type { Ticker } from "./ticker.ts";

/** Company and exchange of a listed symbol. */
export interface ListedSymbol {
  readonly company: string;
  /** Null if the directory states none, or a group of exchanges. */
  readonly exchange: Exchange | null;
}

/** A listed symbol with the name of the directory, as users read it. */
export interface DirectoryEntry extends ListedSymbol {
  readonly directory: string;
}

/** Directories of the symbols that are listed now, as the exchanges and the SEC publish them. */
export interface SymbolDirectory {
  /** Entries of the symbol, the most reliable one first. None: it is not listed, or no directory covers its exchange. */
  readonly find: (ticker: Ticker) => readonly DirectoryEntry[];
}
