import { EXAMPLE_TICKER } from "../messages/example-tickers.ts";
import { defineCommand } from "./command.ts";
import { readCurrentData } from "./current-data.ts";
import { readTickerCards } from "./ticker-cards.ts";

export const show = defineCommand({
  name: "show",
  aboutSplits: true,
  summary: "All about one ticker's split: terms, history, press releases, fractional shares",
  example: `show ${EXAMPLE_TICKER}`,
  options: {
    ticker: { kind: "ticker", required: true, summary: "The ticker" },
  },
  shareable: true,
  async run({ ticker }, call, context) {
    const data = await readCurrentData(context);
    const { splits, unlisted, releases } = await readTickerCards(ticker, call.person, data, context);
    return [...unlisted, ...splits.flatMap(({ cards }) => cards), ...releases];
  },
});
