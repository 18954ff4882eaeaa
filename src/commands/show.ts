import { fractionsOf } from "../domain/article/evidence.ts";
import { withdrawingRelease } from "../domain/diff/withdrawal.ts";
import type { Split } from "../domain/split/split.ts";
import { noSplitCard, releasesCard, splitDetailsCard, unlistedSplitCard } from "../messages/answers/show-answer.ts";
import { EXAMPLE_TICKER } from "../messages/example-tickers.ts";
import type { Button, Card } from "../messages/message.ts";
import { unwatchButton, watchButton } from "../messages/split-text.ts";
import { defineCommand } from "./command.ts";
import type { CommandContext } from "./context.ts";
import {
  type CurrentData,
  evidenceOf,
  readCurrentData,
  releasesOn,
  repeatSplitsIn,
  sampleBadges,
  splitSourcesOf,
  splitsOf,
  unlistedSplitOf,
} from "./current-data.ts";

const MAX_SPLITS = 3;
const MAX_RELEASES = 5;

export const show = defineCommand({
  name: "show",
  summary: "All about one ticker's split: terms, history, press releases, fractional shares",
  example: `show ${EXAMPLE_TICKER}`,
  options: {
    ticker: { kind: "ticker", required: true, summary: "The ticker" },
  },
  shareable: true,
  async run({ ticker }, call, context) {
    const data = await readCurrentData(context);
    const watched = (await context.store.watchlists.of(call.person)).includes(ticker);
    const toggle = watched ? unwatchButton(ticker) : watchButton(ticker);

    const splits = splitsOf(data, ticker).slice(0, MAX_SPLITS);
    const splitCards: Card[] = [];
    for (const split of splits) {
      splitCards.push(await detailsCardOf(split, data, [toggle], context), ...splitSourcesOf(split, [], context));
    }
    const unlisted = unlistedSplitOf(data, ticker);
    if (unlisted) splitCards.unshift(unlistedSplitCard(unlisted, [toggle], data.time));
    const releases = releasesOn(data, ticker);
    const cards = [
      ...(splitCards.length === 0
        ? [noSplitCard({ ticker, hasCompleteList: data.snapshot.splitsKnown, isWatched: watched })]
        : splitCards),
      ...(releases.length === 0 ? [] : [releasesCard(ticker, releases.slice(0, MAX_RELEASES), releases.length)]),
    ];
    const badges = sampleBadges(context);
    return cards.map((card) => ({ ...card, badges }));
  },
});

async function detailsCardOf(
  split: Split,
  data: CurrentData,
  buttons: readonly Button[],
  { store, source }: CommandContext,
): Promise<Card> {
  const { articles, time } = data;
  const details = {
    ...evidenceOf(data, split),
    split,
    repeats: repeatSplitsIn(data, split.record, source.sample),
    withdrawnBy: withdrawingRelease(split, articles) ?? null,
    fractions: fractionsOf(split.record, articles),
    events: await store.history.forSplit(split.id),
    buttons,
  };
  return splitDetailsCard(details, time);
}
