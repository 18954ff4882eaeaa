import type { Person } from "../domain/alert/destination.ts";
import type { Event } from "../domain/alert/event.ts";
import { fractionsOf } from "../domain/article/evidence.ts";
import { contradictionsByOthers, withdrawingRelease } from "../domain/diff/withdrawal.ts";
import type { Split } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { noSplitCard, releasesCard, splitDetailsCard, unlistedSplitCard } from "../messages/answers/show-answer.ts";
import type { Button, Card } from "../messages/message.ts";
import { unwatchButton, watchButton } from "../messages/split-text.ts";
import type { CommandContext } from "./context.ts";
import {
  type CurrentData,
  evidenceOf,
  isFromEffectiveDate,
  releasesOn,
  repeatSplitsIn,
  sampleBadges,
  splitSourcesOf,
  splitsOf,
  unlistedSplitOf,
  watchedEntry,
} from "./current-data.ts";
import type { NamedTicker } from "./name-index.ts";
import { releaseMarks } from "./release-marks.ts";
import { similarSymbol } from "./unknown-symbols.ts";

const MAX_SPLITS = 3;
const MAX_RELEASES = 5;

/** Everything known about one ticker. */
export interface TickerCards {
  /** Upcoming splits by ex date, then past splits, the latest first. */
  readonly splits: readonly SplitCards[];
  /** Announcement in a release that isn't listed yet; without any split, a card that says so. */
  readonly unlisted: readonly Card[];
  readonly releases: readonly Card[];
}

export interface SplitCards {
  readonly split: Split;
  /** Oldest first. */
  readonly events: readonly Event[];
  /** The split's terms and history, and the sources of the terms. */
  readonly cards: readonly Card[];
}

/** `person`: whose watchlist decides between the buttons to watch and to unwatch. */
export async function readTickerCards(
  ticker: Ticker,
  person: Person,
  data: CurrentData,
  context: CommandContext,
): Promise<TickerCards> {
  const watched = await context.store.watchlists.of(person);
  const entry = watchedEntry(data, ticker, watched);
  const isWatched = entry !== undefined;
  const toggle = isWatched ? unwatchButton(entry) : watchButton(ticker);
  const badges = sampleBadges(context);
  const marked = (cards: readonly Card[]): readonly Card[] => cards.map((card) => ({ ...card, badges }));

  const splits: SplitCards[] = [];
  for (const split of splitsOf(data, ticker).slice(0, MAX_SPLITS)) {
    const events = await context.store.history.forSplit(split.id);
    const details = detailsCard(split, events, { data, buttons: [toggle], context });
    splits.push({ split, events, cards: marked([details, ...splitSourcesOf(split, [], context)]) });
  }
  const unlisted = unlistedSplitOf(data, ticker);
  const noSplit = { ticker, list: data.list, isWatched, similar: similarOf(ticker, data, context) };
  const releases = releasesOn(data, ticker);
  const shown = releases
    .slice(0, MAX_RELEASES)
    .map((article) => ({ article, marks: releaseMarks(article, data, context) }));
  return {
    splits,
    unlisted: marked([
      ...(unlisted === null ? [] : [unlistedSplitCard(unlisted, [toggle], data.time)]),
      ...(unlisted === null && splits.length === 0 ? [noSplitCard(noSplit)] : []),
    ]),
    releases: marked(shown.length === 0 ? [] : [releasesCard(ticker, shown, releases.length)]),
  };
}

/** Symbol for which this one can be a typing error. A listed symbol is none. */
function similarOf(ticker: Ticker, { snapshot }: CurrentData, { source }: CommandContext): NamedTicker | null {
  const directories = source.live?.directories() ?? [];
  return directories.some((listed) => listed.has(ticker)) ? null : similarSymbol(ticker, snapshot, directories);
}

interface DetailsParts {
  readonly data: CurrentData;
  readonly buttons: readonly Button[];
  readonly context: CommandContext;
}

function detailsCard(split: Split, events: readonly Event[], { data, buttons, context }: DetailsParts): Card {
  const { articles, time } = data;
  const details = {
    ...evidenceOf(data, split),
    split,
    repeats: repeatSplitsIn(data, split.record, context.source.sample),
    isFromEffectiveDate: isFromEffectiveDate(split, context),
    withdrawnBy: withdrawingRelease(split, articles) ?? null,
    contradictionsByOthers: split.status === "listed" ? contradictionsByOthers(split, articles) : [],
    fractions: fractionsOf(split.record, articles),
    events,
    buttons,
  };
  return splitDetailsCard(details, time);
}
