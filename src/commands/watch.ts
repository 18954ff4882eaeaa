import type { Ticker } from "../domain/split/ticker.ts";
import { unwatchedCard, watchedCard } from "../messages/answers/watch-answer.ts";
import { A_TICKER, ANOTHER_TICKER } from "../messages/example-tickers.ts";
import type { Button } from "../messages/message.ts";
import { undoButton } from "../messages/split-text.ts";
import { defineCommand } from "./command.ts";
import { readCurrentData, sampleBadges, tickerRow } from "./current-data.ts";
import { MAX_WATCHED_TICKERS } from "./limits.ts";
import { MAX_BUTTON_LINE_LENGTH } from "./parser/words.ts";

const MAX_ROWS = 15;

const TICKERS = { kind: "looseTickers", required: true, summary: "One ticker or many, in any form" } as const;

export const watch = defineCommand({
  name: "watch",
  summary: "Be told in a direct message what happens to these tickers",
  example: `watch ${A_TICKER} ${ANOTHER_TICKER}`,
  options: { tickers: TICKERS },
  async run({ tickers: { tickers, refused } }, call, context) {
    const { watchlists } = context.store;
    const changed = await watchlists.add(call.person, tickers, MAX_WATCHED_TICKERS);
    const [watched, knowledge] = await Promise.all([watchlists.of(call.person), readCurrentData(context)]);
    const unchanged = tickers.filter((ticker) => watched.includes(ticker) && !changed.includes(ticker));
    const shown = changed.length > 0 ? changed : unchanged;
    const card = watchedCard(
      {
        changed,
        unchanged,
        invalid: refused,
        rows: shown.slice(0, MAX_ROWS).map((ticker) => tickerRow(knowledge, ticker)),
        undo: undoOf("unwatch", changed),
      },
      tickers.filter((ticker) => !watched.includes(ticker)),
      MAX_WATCHED_TICKERS,
    );
    return [{ ...card, badges: sampleBadges(context) }];
  },
});

export const unwatch = defineCommand({
  name: "unwatch",
  summary: "Take tickers off your watchlist",
  example: `unwatch ${A_TICKER}`,
  options: { tickers: TICKERS },
  async run({ tickers: { tickers, refused } }, call, context) {
    const { watchlists } = context.store;
    const changed = await watchlists.remove(call.person, tickers);
    // ALL is a ticker, and what somebody types who wants an empty list.
    const meantAll = changed.length === 0 && tickers.join() === "ALL";
    const card = unwatchedCard(
      {
        changed,
        unchanged: tickers.filter((ticker) => !changed.includes(ticker)),
        invalid: refused,
        rows: [],
        undo: undoOf("watch", changed),
      },
      meantAll ? lineOf("unwatch", await watchlists.of(call.person)) : null,
    );
    return [card];
  },
});

function undoOf(command: string, tickers: readonly Ticker[]): Button | null {
  const line = lineOf(command, tickers);
  return line === null ? null : undoButton(line);
}

/** Null where it would be longer than a button can carry, or name nothing. */
function lineOf(command: string, tickers: readonly Ticker[]): string | null {
  const line = `${command} ${tickers.join(" ")}`;
  return tickers.length === 0 || line.length > MAX_BUTTON_LINE_LENGTH ? null : line;
}
