import { type Destination, destinationKey } from "../domain/alert/destination.ts";
import { explainedCard, whyCard } from "../messages/answers/why-answer.ts";
import { A_TICKER } from "../messages/example-tickers.ts";
import { pageButtons, pageLine } from "../messages/pages.ts";
import { type Call, defineCommand } from "./command.ts";
import { holdOnAt } from "./held-destinations.ts";
import { readKnowledge, sampleBadges, tickerState } from "./knowledge.ts";
import { PAGE_OPTION, pageOf } from "./paging.ts";
import { writeCommandLine } from "./parser/words.ts";
import { type Listener, verdictOn } from "./verdict.ts";

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
      readKnowledge(context),
      store.watchlists.of(call.person),
      store.history.about(ticker, places),
    ]);
    const listeners: Listener[] = [];
    for (const place of places) {
      const watches = place.kind === "person" && watched.includes(ticker);
      const [rules, paused, holdOn, { reminders }] = await Promise.all([
        store.rules.at(place),
        store.outbox.pauseAt(place),
        holdOnAt(place, context),
        store.placeSettings.of(place),
      ]);
      listeners.push({ place, rules, watches, paused, holdOn, reminders, today: knowledge.at.today });
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
            place: listener.place.kind,
            verdict: verdictOn(trail, trails, listener),
          })),
        },
        context.timezone,
      ),
    );
    return [{ ...head, badges: sampleBadges(context) }, ...explained];
  },
});

/** The channel and the asker; in a direct message they are one. */
function placesOf({ place, person }: Call): readonly Destination[] {
  return destinationKey(place) === destinationKey(person) ? [person] : [place, person];
}
