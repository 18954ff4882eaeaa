import type { Ticker } from "../../domain/split/ticker.ts";
import { tickerHint } from "../../domain/split/ticker-hint.ts";
import { EXAMPLE_TICKER } from "../example-tickers.ts";
import { formatCount, inQuotes, joinShortList } from "../format.ts";
import { type Button, button, type Card, card, type Row } from "../message.ts";
import { unwatchButton } from "../split-text.ts";

/** Result of `watch` or `unwatch`. */
export interface WatchChange {
  readonly changed: readonly Ticker[];
  /** Tickers that were already watched, or weren't watched. */
  readonly unchanged: readonly Ticker[];
  /** Words that aren't tickers. */
  readonly invalid: readonly string[];
  /** State of each ticker shown. */
  readonly rows: readonly Row[];
  readonly undo: Button | null;
  /** Warnings about unknown tickers; default: none. */
  readonly warnings?: readonly string[];
}

/** Most invalid tickers that are explained. */
const MAX_HINTS = 3;

const TICKER_FORM = `A ticker has up to six letters or digits, such as ${EXAMPLE_TICKER} or BRK.B.`;
const TOO_MANY_TO_UNDO = "There are too many tickers for an undo button.";

/** Warning about an unknown ticker. `isCovered`: whether a symbol directory covers its exchange. */
export function unknownSymbolText(
  ticker: Ticker,
  similar: { readonly ticker: Ticker; readonly company: string } | null,
  isCovered: boolean,
): string {
  const unknown = isCovered
    ? `No split, release or US symbol directory has ${ticker}: check its spelling.`
    : `No split or release has ${ticker}, and no symbol directory covers it: check its spelling.`;
  return similar === null ? unknown : `${unknown} Did you mean ${similar.ticker} (${similar.company})?`;
}

/** Warning about unknown tickers beside those that are named one by one. */
export function moreUnknownSymbolsText(tickers: readonly Ticker[]): string {
  return `Also unknown: ${joinShortList(tickers)}.`;
}

export function watchedCard(change: WatchChange, overLimit: readonly Ticker[], limit: number): Card {
  const { changed, unchanged } = change;
  return card({
    tone: changed.length > 0 ? "good" : "plain",
    title: changed.length > 0 ? `You now watch ${joinShortList(changed)}` : nothingAddedTitle(unchanged),
    lines: [
      ...(changed.length > 0 && unchanged.length > 0 ? [`You were already watching ${joinShortList(unchanged)}.`] : []),
      ...(changed.length > 0
        ? [`You'll get a direct message about each of ${changed.length === 1 ? "its" : "their"} events.`]
        : []),
      ...(overLimit.length > 0
        ? [`Not added: ${joinShortList(overLimit)}. A watchlist can have at most ${formatCount(limit, "ticker")}.`]
        : []),
      ...commonLines(change),
    ],
    warnings: change.warnings ?? [],
    rows: change.rows,
    buttons: change.undo ? [change.undo] : [],
  });
}

function nothingAddedTitle(unchanged: readonly Ticker[]): string {
  return unchanged.length === 0
    ? "Nothing was added: your watchlist is full"
    : `You already watch ${joinShortList(unchanged)}`;
}

/** `clearCommand` removes all tickers. It is offered if ALL was entered, which is also a valid ticker; otherwise null. */
export function unwatchedCard(change: WatchChange, clearCommand: string | null): Card {
  const { changed, unchanged } = change;
  return card({
    tone: changed.length > 0 ? "good" : "plain",
    title:
      changed.length > 0
        ? `You no longer watch ${joinShortList(changed)}`
        : `You don't watch ${joinShortList(unchanged)}`,
    lines: [
      ...(changed.length > 0 && unchanged.length > 0 ? [`You weren't watching ${joinShortList(unchanged)}.`] : []),
      ...(clearCommand === null ? [] : ["ALL was read as a ticker."]),
      ...commonLines(change),
    ],
    rows: change.rows,
    buttons: [
      ...(change.undo ? [change.undo] : []),
      ...(clearCommand === null ? [] : [button("Clear your watchlist", clearCommand, "danger")]),
    ],
  });
}

/** Adds the watched symbols that include the requested ones, such as the former symbol of a split. */
export function withRenamed(
  unwatched: Card,
  renamed: readonly { readonly ticker: Ticker; readonly entry: Ticker }[],
): Card {
  if (renamed.length === 0) return unwatched;
  const lines = renamed.map(({ ticker, entry }) => `You watch ${entry}, which includes ${ticker}.`);
  const buttons = [...new Set(renamed.map(({ entry }) => entry))].slice(0, MAX_HINTS).map(unwatchButton);
  return {
    ...unwatched,
    lines: [...lines.slice(0, MAX_HINTS), ...unwatched.lines],
    buttons: [...buttons, ...unwatched.buttons],
  };
}

function commonLines({ changed, invalid, rows, undo }: WatchChange): readonly string[] {
  const hiddenCount = changed.length - rows.length;
  return [
    ...(invalid.length > 0
      ? [`Not valid: ${joinShortList(invalid.map((word) => inQuotes(word, 20)))}. ${TICKER_FORM}`]
      : []),
    ...invalid.slice(0, MAX_HINTS).flatMap((word) => tickerHint(word) ?? []),
    ...(hiddenCount > 0 && rows.length > 0
      ? [`The first ${rows.length} are shown. See them all: /splits watchlist`]
      : []),
    ...(changed.length > 0 && undo === null ? [TOO_MANY_TO_UNDO] : []),
  ];
}

export function watchlistCard(
  total: number,
  rows: readonly Row[],
  pageLine: string | null,
  buttons: readonly Button[],
): Card {
  if (total === 0) {
    return card({
      title: "Your watchlist is empty",
      lines: [`Add tickers to get direct messages about them: /splits watch ${EXAMPLE_TICKER}`],
    });
  }
  return card({
    title: `You watch ${formatCount(total, "ticker")}`,
    lines: pageLine === null ? [] : [pageLine],
    rows,
    buttons,
  });
}
