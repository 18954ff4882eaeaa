import { type Destination, destinationKey } from "../domain/alert/destination.ts";
import { explainedCard, whyCard } from "../messages/answers/why-answer.ts";
import { A_TICKER } from "../messages/example-tickers.ts";
import { pageButtons, pageLine } from "../messages/message.ts";
import { type Call, defineCommand } from "./command.ts";
import { readCurrentData, sampleBadges, tickerState } from "./current-data.ts";
import { readHold } from "./destination-state.ts";
import { PAGE_OPTION, pageOf } from "./paging.ts";
import { writeCommandLine } from "./parser/words.ts";
import { explainDelivery, type RecipientState } from "./verdict.ts";

const PAGE_SIZE = 5;

export const why = defineCommand({
  name: "why",
  summary: "Why you were told about a ticker, or were not: 90 days back",
  example: `why ${A_TICKER}`,
  options: {
    ticker: { kind: "ticker", required: true, summary: "The ticker" },
    page: PAGE_OPTION,
  },
  async run({ ticker, page: askedPage }, call, context) {
    const { store } = context;
    const places = placesOf(call);
    const [knowledge, watched, trails] = await Promise.all([
      readCurrentData(context),
      store.watchlists.of(call.person),
      store.history.forTicker(ticker, places),
    ]);
    const listeners: RecipientState[] = [];
    for (const destination of places) {
      const watches = destination.kind === "person" && watched.includes(ticker);
      const [rules, paused, holdOn, { reminders }] = await Promise.all([
        store.rules.at(destination),
        store.outbox.pauseReason(destination),
        readHold(destination, context),
        store.destinationSettings.of(destination),
      ]);
      listeners.push({
        destination: destination,
        rules,
        isWatching: watches,
        paused,
        holdOn,
        reminders,
        today: knowledge.at.today,
      });
    }
    const page = pageOf(trails, askedPage, PAGE_SIZE);
    const head = whyCard({
      ticker,
      events: trails.length,
      state: tickerState(knowledge, ticker),
      watched: watched.includes(ticker),
      pageLine: pageLine(page),
      buttons: pageButtons(page, (number) => writeCommandLine("why", { ticker, page: number })),
    });
    const explained = page.rows.map((trail) =>
      explainedCard(
        {
          event: trail.event,
          ticker,
          verdicts: listeners.map((listener) => ({
            place: listener.destination.kind,
            verdict: explainDelivery(trail, trails, listener),
          })),
        },
        context.timezone,
      ),
    );
    return [{ ...head, badges: sampleBadges(context) }, ...explained];
  },
});

/** The channel and the asker; in a direct message they are one. */
function placesOf({ destination, person }: Call): readonly Destination[] {
  return destinationKey(destination) === destinationKey(person) ? [person] : [destination, person];
}
