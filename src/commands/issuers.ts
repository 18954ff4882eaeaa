import type { Snapshot } from "../domain/diff/snapshot.ts";
import type { ListedSymbols } from "../domain/split/symbol-directory.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { memoize } from "../lib/collections.ts";
import type { CommandContext } from "./context.ts";
import { isKnownTicker } from "./current-data.ts";
import { indexNames, type NamedTicker, type NameIndex, type NameMatch } from "./name-index.ts";

/** Tickers and companies that the words of a command can name. */
export interface Issuers {
  /** True if a split, a release or a symbol directory has the ticker. */
  isKnown(ticker: Ticker): boolean;
  /** See `NameIndex`. */
  find(text: string, isPartial?: boolean): readonly NameMatch[];
  /** True if `find` searches all known names; false if there are directories that it doesn't search. */
  readonly isComplete: boolean;
}

/** Maximum number of different texts that are searched for one command. Further words are tickers only. */
export const MAX_SEARCHES = 500;

/** Issuers of the known splits. Names are indexed once per snapshot. */
export async function readIssuers(snapshot: Snapshot, { source }: Pick<CommandContext, "source">): Promise<Issuers> {
  const directories = source.live?.directories() ?? [];
  const names = await namesIn(snapshot);
  return { ...issuersIn(snapshot, directories, [names]), isComplete: directories.length === 0 };
}

/** Issuers of the known splits, and all listed companies; null if no directory is available. */
export async function readListedIssuers(
  snapshot: Snapshot,
  { source }: Pick<CommandContext, "source">,
): Promise<Issuers | null> {
  const directories = source.live?.directories() ?? [];
  if (directories.length === 0) return null;
  const listed = await Promise.all(directories.map(namesInDirectory));
  return issuersIn(snapshot, directories, [await namesIn(snapshot), ...listed]);
}

function issuersIn(snapshot: Snapshot, directories: readonly ListedSymbols[], indexes: readonly NameIndex[]): Issuers {
  const foundByText = new Map<string, readonly NameMatch[]>();
  const search = (text: string, isPartial: boolean): readonly NameMatch[] => {
    for (const index of indexes) {
      const found = index.find(text, isPartial);
      if (found.length > 0) return found;
    }
    return [];
  };
  return {
    isComplete: true,
    isKnown: (ticker) => isKnownTicker(snapshot, ticker) || directories.some((listed) => listed.has(ticker)),
    find(text, isPartial = false) {
      const key = `${isPartial} ${text}`;
      const known = foundByText.get(key);
      if (known !== undefined || foundByText.size === MAX_SEARCHES) return known ?? [];
      const found = search(text, isPartial);
      foundByText.set(key, found);
      return found;
    },
  };
}

const namesIn = memoize((snapshot: Snapshot): Promise<NameIndex> => indexNames(namedIn(snapshot)));

const namesInDirectory = memoize((listed: ListedSymbols): Promise<NameIndex> => indexNames(namedInDirectory(listed)));

/** Companies of current splits first, then those of past splits and of splits that only releases announce. */
function* namedIn({ splits, articles }: Snapshot): Generator<NamedTicker> {
  const all = [...splits.values()];
  yield* all.filter(({ status }) => status !== "closed").map(({ record }) => record);
  yield* all.filter(({ status }) => status === "closed").map(({ record }) => record);
  for (const { terms } of articles.values())
    for (const { ticker, company } of terms) if (ticker !== null && company !== null) yield { ticker, company };
}

function* namedInDirectory(listed: ListedSymbols): Generator<NamedTicker> {
  // `Acme Robotics, Inc. - Common Stock`
  for (const [ticker, { company }] of listed) yield { ticker, company: company.replace(/ - .*$/s, "") };
}
