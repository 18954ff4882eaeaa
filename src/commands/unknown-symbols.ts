import type { Snapshot } from "../domain/diff/snapshot.ts";
import { listedRecords } from "../domain/split/quality.ts";
import type { ListedSymbols } from "../domain/split/symbol-directory.ts";
import { baseSymbol, namesMarket, type Ticker } from "../domain/split/ticker.ts";
import { closestWord } from "../lib/closest-word.ts";
import { unknownSymbolText } from "../messages/answers/watch-answer.ts";
import type { CommandContext } from "./context.ts";
import { isKnownTicker } from "./current-data.ts";
import type { NamedTicker } from "./name-index.ts";

/** Maximum number of tickers in one answer that are checked. */
const MAX_CHECKED = 15;

/**
 * Warnings about tickers that no split, release or symbol directory has. The directories cover the US exchanges; where none covers a
 * ticker, the warning is given only if a similar symbol is listed, because most symbols have no split.
 */
export function symbolWarnings(
  tickers: readonly Ticker[],
  snapshot: Snapshot,
  { source }: Pick<CommandContext, "source">,
): readonly string[] {
  const directories = source.live?.directories() ?? [];
  return tickers.slice(0, MAX_CHECKED).flatMap((ticker) => {
    if (isKnownTicker(snapshot, ticker) || directories.some((listed) => listed.has(ticker))) return [];
    const similar = similarSymbol(ticker, snapshot, directories);
    const isCovered = directories.length > 0 && !namesMarket(ticker);
    return similar === null && !isCovered ? [] : [unknownSymbolText(ticker, similar, isCovered)];
  });
}

/** A listed split's symbol for which this one can be a typing error or another notation, else one of a directory; null if there is none. */
export function similarSymbol(
  ticker: Ticker,
  snapshot: Snapshot,
  directories: readonly ListedSymbols[],
): NamedTicker | null {
  const listed = listedRecords(snapshot.splits.values());
  const name = closestTicker(
    ticker,
    listed.map((record) => record.ticker),
  );
  const record = listed.find((one) => one.ticker === name);
  if (record !== undefined) return record;
  for (const directory of directories) {
    // Typing errors are rarely in the first letter.
    const candidates = [...directory.keys()].filter((symbol) => symbol[0] === ticker[0]);
    const symbol = closestTicker(ticker, candidates);
    const company = symbol && directory.get(symbol)?.company;
    // `Acme Robotics, Inc. - Common Stock`
    if (symbol !== undefined && company !== undefined)
      return { ticker: symbol, company: company.replace(/ - .*$/s, "") };
  }
  return null;
}

/** The same letters with other separators, else the symbol without its suffix, else the one with one different letter. */
function closestTicker(ticker: Ticker, candidates: readonly Ticker[]): Ticker | undefined {
  const letters = ticker.replaceAll(".", "");
  const base = baseSymbol(ticker);
  return (candidates.find((candidate) => candidate !== ticker && candidate.replaceAll(".", "") === letters) ??
    (base === ticker ? undefined : candidates.find((candidate) => candidate === base)) ??
    closestWord(ticker, candidates, 1)) as Ticker | undefined;
}
