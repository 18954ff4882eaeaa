import { watchlistCard } from "../messages/answers/watch-answer.ts";
import { pageButtons, pageLine } from "../messages/message.ts";
import { defineCommand } from "./command.ts";
import { readCurrentData, sampleBadges, tickerRow } from "./current-data.ts";
import { PAGE_OPTION, pageOf } from "./paging.ts";
import { writeCommandLine } from "./parser/words.ts";

const PAGE_SIZE = 15;

export const watchlist = defineCommand({
  name: "watchlist",
  summary: "The tickers that you watch, and how they stand",
  example: "watchlist",
  options: { page: PAGE_OPTION },
  async run({ page: askedPage }, call, context) {
    const tickers = await context.store.watchlists.of(call.person);
    const knowledge = await readCurrentData(context);
    const page = pageOf(tickers, askedPage, PAGE_SIZE);
    const card = watchlistCard(
      tickers.length,
      page.rows.map((ticker) => tickerRow(knowledge, ticker)),
      pageLine(page),
      pageButtons(page, (number) => writeCommandLine("watchlist", { page: number })),
    );
    return [{ ...card, badges: tickers.length > 0 ? sampleBadges(context) : [] }];
  },
});
