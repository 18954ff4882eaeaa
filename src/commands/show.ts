import type { FractionEvidence } from "../core/event.ts";
import { articlesOn } from "../core/evidence.ts";
import type { Split } from "../core/split.ts";
import type { Button, Card } from "../messages/message.ts";
import { noSplitCard, releasesCard, splitDetailsCard } from "../messages/show-answer.ts";
import { unwatchButton, watchButton } from "../messages/split-facts.ts";
import { defineCommand } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { type Knowledge, readKnowledge, releasesOn, sampleBadges, splitsOf } from "./knowledge.ts";

const MOST_SPLITS = 3;
const MOST_RELEASES = 5;

export const show = defineCommand({
  name: "show",
  summary: "All about one ticker's split: terms, history, press releases, fractional shares",
  example: "show ACME",
  options: {
    ticker: { kind: "ticker", required: true, summary: "The ticker" },
  },
  shareable: true,
  async run({ ticker }, call, context) {
    const knowledge = await readKnowledge(context);
    const watched = (await context.store.watchlists.of(call.person)).includes(ticker);
    const toggle = watched ? unwatchButton(ticker) : watchButton(ticker);

    const splits = splitsOf(knowledge, ticker).slice(0, MOST_SPLITS);
    const splitCards: Card[] = [];
    for (const split of splits) splitCards.push(await describe(split, knowledge, [toggle], context));
    const releases = releasesOn(knowledge, ticker);
    const cards = [
      ...(splits.length === 0 ? [noSplitCard(ticker, toggle)] : splitCards),
      ...(releases.length === 0 ? [] : [releasesCard(ticker, releases.slice(0, MOST_RELEASES), releases.length)]),
    ];
    const badges = sampleBadges(context);
    return cards.map((card) => ({ ...card, badges }));
  },
});

async function describe(
  split: Split,
  knowledge: Knowledge,
  buttons: readonly Button[],
  { store }: CommandContext,
): Promise<Card> {
  const events = await store.history.ofSplit(split.id);
  return splitDetailsCard({ split, fractions: fractionsOf(split, knowledge), events, buttons }, knowledge.at);
}

/** What releases say of its fractional shares: the newest of each treatment. */
function fractionsOf({ record }: Split, { articles }: Knowledge): readonly FractionEvidence[] {
  const all = articlesOn(record, articles).flatMap(({ fraction, url, source }) =>
    fraction ? [{ ...fraction, url, source }] : [],
  );
  return all.filter(({ treatment }, index) => all.findIndex((other) => other.treatment === treatment) === index);
}
