import type { Snapshot } from "../domain/diff/snapshot.ts";
import { listedRecords } from "../domain/split/quality.ts";
import type { ListedSymbols } from "../domain/split/symbol-directory.ts";
import { baseSymbol, namesMarket, type Ticker } from "../domain/split/ticker.ts";
import { closestWord } from "../lib/closest-word.ts";
import { moreUnknownSymbolsText, unknownSymbolText } from "../messages/answers/watch-answer.ts";
import type { CommandContext } from "./context.ts";
import { isKnownTicker } from "./current-data.ts";
import type { NamedTicker } from "./name-index.ts";

/** Most warnings in one answer; searching a similar symbol takes a few milliseconds. */
const MAX_WARNINGS = 15;

/**
 * Warnings about tickers that no split, release or symbol directory has, with the most similar symbol. The directories cover the US
 * exchanges. None before the first list, and for invented companies.
 */
export function symbolWarnings(
  tickers: readonly Ticker[],
  snapshot: Snapshot,
  { source }: Pick<CommandContext, "source">,
): readonly string[] {
  if (!snapshot.splitsKnown || source.sample) return [];
  const directories = source.live?.directories() ?? [];
  const unknown = tickers.filter(
    (ticker) => !isKnownTicker(snapshot, ticker) && !directories.some((listed) => listed.has(ticker)),
  );
  const warnings = unknown.slice(0, MAX_WARNINGS).map((ticker) => {
    const isCovered = directories.length > 0 && !namesMarket(ticker);
    return unknownSymbolText(ticker, similarSymbol(ticker, snapshot, directories), isCovered);
  });
  return unknown.length > MAX_WARNINGS ? [...warnings, moreUnknownSymbolsText(unknown.slice(MAX_WARNINGS))] : warnings;
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
