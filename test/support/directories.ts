import type { SymbolDirectory } from "../../src/domain/split/symbol-directory.ts";

/** A directory that lists the symbols under these names, without their exchanges. */
export function aDirectory(names: Readonly<Record<string, string>>): SymbolDirectory {
  return {
    find: (ticker) => {
      const company = names[ticker];
      return company === undefined ? [] : [{ company, exchange: null, directory: "the directory" }];
    },
  };
}
