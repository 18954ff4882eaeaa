import type { ListedSymbol, SymbolDirectory } from "../domain/split/symbol-directory.ts";
import type { Ticker } from "../domain/split/ticker.ts";

export type ListedSymbols = ReadonlyMap<Ticker, ListedSymbol>;

/** Symbols that are listed now, in memory; empty until a directory has been read. */
export interface SymbolTable extends SymbolDirectory {
  replace(symbols: ListedSymbols): void;
}

export function createSymbolTable(): SymbolTable {
  let listed: ListedSymbols = new Map();
  return {
    find: (ticker) => listed.get(ticker) ?? null,
    replace(symbols) {
      listed = symbols;
    },
  };
}
