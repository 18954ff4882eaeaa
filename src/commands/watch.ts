import { coversSelector, type Ticker } from "../domain/split/ticker.ts";
import { unwatchedCard, watchedCard, watchlistCard, withRenamed } from "../messages/answers/watch-answer.ts";
import { EXAMPLE_TICKER, SECOND_EXAMPLE_TICKER } from "../messages/example-tickers.ts";
import { type Button, MAX_BUTTON_LINE_LENGTH } from "../messages/message.ts";
import { undoButton } from "../messages/split-text.ts";
import { type Command, defineCommand } from "./command.ts";
import {
  type CurrentData,
  readCurrentData,
  readSnapshotOf,
  sampleBadges,
  tickerRow,
  watchedEntry,
} from "./current-data.ts";
import { withDeliveryNote } from "./delivery-note.ts";
import { PAGE_OPTION, paginate } from "./paging.ts";
import { withStory } from "./sample-story.ts";
import { symbolWarnings } from "./unknown-symbols.ts";

/** Maximum number of tickers on one person's watchlist. */
export const MAX_WATCHED_TICKERS = 500;
const MAX_ROWS = 15;
const PAGE_SIZE = 15;

const TICKERS = { kind: "tickerText", required: true, summary: "One or more tickers, in any format" } as const;

export const watch = defineCommand({
  name: "watch",
  aboutSplits: true,
  summary: "Get alerts on these tickers in a direct message",
  example: `watch ${EXAMPLE_TICKER} ${SECOND_EXAMPLE_TICKER}`,
  options: { tickers: TICKERS },
  stores: true,
  async run({ tickers: { tickers, invalid } }, call, context) {
    const { watchlists } = context.store;
    const changed = await watchlists.add(call.person, tickers, MAX_WATCHED_TICKERS);
    const [watched, data] = await Promise.all([watchlists.of(call.person), readCurrentData(context)]);
    const unchanged = tickers.filter((ticker) => watched.includes(ticker) && !changed.includes(ticker));
    const shownTickers = changed.length > 0 ? changed : unchanged;
    const card = watchedCard(
      {
        changed,
        unchanged,
        invalid,
        rows: shownTickers.slice(0, MAX_ROWS).map((ticker) => tickerRow(data, ticker)),
        undo: undoOf("unwatch", changed),
        warnings: symbolWarnings(changed, data.snapshot, context),
      },
      tickers.filter((ticker) => !watched.includes(ticker)),
      MAX_WATCHED_TICKERS,
    );
    const answer = withStory({ ...card, badges: sampleBadges(context) }, context);
    return [await withDeliveryNote(answer, call.person, context)];
  },
});

export const unwatch = defineCommand({
  name: "unwatch",
  summary: "Remove tickers from your watchlist",
  example: `unwatch ${EXAMPLE_TICKER}`,
  options: { tickers: { ...TICKERS, onlyWatched: true } },
  async run({ tickers: { tickers, invalid } }, call, context) {
    const { watchlists } = context.store;
    const watched = await watchlists.of(call.person);
    const selected = watched.filter((entry) => tickers.some((ticker) => coversSelector(ticker, entry)));
    const changed = await watchlists.remove(call.person, selected);
    // `ALL` is a ticker, but the caller may mean the whole list.
    const mayMeanWholeList = changed.length === 0 && tickers.join() === "ALL";
    const unchanged = tickers.filter((ticker) => !changed.some((entry) => coversSelector(ticker, entry)));
    const kept = watched.filter((entry) => !changed.includes(entry));
    const data = await readSnapshotOf(context);
    const card = unwatchedCard(
      {
        changed,
        unchanged,
        invalid,
        rows: [],
        undo: undoOf("watch", changed),
      },
      mayMeanWholeList ? lineOf("unwatch", watched) : null,
    );
    const renamed = unchanged.flatMap((ticker) => renamedEntry(ticker, kept, data));
    return [withRenamed(card, renamed)];
  },
});

export const watchlist: Command = defineCommand({
  name: "watchlist",
  aboutSplits: true,
  summary: "The tickers you watch and their status",
  example: "watchlist",
  options: { page: PAGE_OPTION },
  async run(options, call, context) {
    const tickers = await context.store.watchlists.of(call.person);
    const data = await readCurrentData(context);
    const page = paginate(tickers, PAGE_SIZE, watchlist, options);
    const rows = page.rows.map((ticker) => tickerRow(data, ticker));
    const card = watchlistCard(tickers.length, rows, page.pageLine, page.buttons);
    if (tickers.length === 0) return [card];
    return [await withDeliveryNote({ ...card, badges: sampleBadges(context) }, call.person, context)];
  },
});

/** The entry of the watchlist under whose symbol the split of a ticker was or is listed. */
function renamedEntry(ticker: Ticker, watched: readonly Ticker[], data: Pick<CurrentData, "snapshot">) {
  const entry = watchedEntry(data, ticker, watched);
  return entry === undefined ? [] : [{ ticker, entry }];
}

function undoOf(command: string, tickers: readonly Ticker[]): Button | null {
  const line = lineOf(command, tickers);
  return line === null ? null : undoButton(line);
}

/** Command line with the tickers; null if there are none, or too many for a button. */
function lineOf(command: string, tickers: readonly Ticker[]): string | null {
  const line = `${command} ${tickers.join(" ")}`;
  return tickers.length === 0 || line.length > MAX_BUTTON_LINE_LENGTH ? null : line;
}
