import type { Person } from "../domain/alert/destination.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { type SplitView, timelineSteps } from "../messages/split-view.ts";
import type { AnswerContext } from "./context.ts";
import { isFromEffectiveDate, readCurrentData } from "./current-data.ts";
import { readTickerCards } from "./ticker-cards.ts";

/** Returns everything known about the splits of a ticker: the answer of `show`, and a timeline of each split. */
export async function readSplitView(ticker: Ticker, person: Person, context: AnswerContext): Promise<SplitView> {
  const data = await readCurrentData(context);
  const { splits, unlisted, releases } = await readTickerCards(ticker, person, data, context);
  return {
    ticker,
    company: splits[0]?.split.record.company ?? "",
    isSample: context.source.sample,
    sections: splits.map(({ split, events, cards }) => ({
      steps: timelineSteps(split, events, data.time, { isFromEffectiveDate: isFromEffectiveDate(split, context) }),
      cards,
    })),
    cards: [...unlisted, ...releases],
  };
}
