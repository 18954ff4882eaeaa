import { type Destination, destinationKey } from "../domain/alert/destination.ts";
import {
  covers,
  coversRelease,
  type Event,
  isMatchable,
  isSplitEvent,
  type MatchableEvent,
} from "../domain/alert/event.ts";
import type { HoldFor } from "../domain/alert/hold.ts";
import { explainMismatch, isForWatchlists, selectorsIn } from "../domain/alert/match.ts";
import { fractionsOf } from "../domain/article/evidence.ts";
import type { Rule } from "../domain/settings/rule.ts";
import { type Split, symbolsOf } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import type { Day } from "../domain/time/day.ts";
import { explainedCard, type WhyVerdict, whyCard } from "../messages/answers/why-answer.ts";
import { EXAMPLE_TICKER } from "../messages/example-tickers.ts";
import type { HistoryEntry } from "../ports/store.ts";
import { type Call, type Command, defineCommand } from "./command.ts";
import type { AnswerContext } from "./context.ts";
import {
  type CurrentData,
  readCurrentData,
  renamedSplitsUnder,
  sampleBadges,
  splitSourcesOf,
  splitsOf,
  tickerState,
  watchedEntry,
} from "./current-data.ts";
import { readHold } from "./destination-state.ts";
import { PAGE_OPTION, paginate } from "./paging.ts";

const PAGE_SIZE = 5;

export const why: Command = defineCommand({
  name: "why",
  aboutSplits: true,
  summary: "Why you got or didn't get alerts on a ticker in the last 90 days",
  example: `why ${EXAMPLE_TICKER}`,
  options: {
    ticker: { kind: "ticker", required: true, summary: "The ticker" },
    page: PAGE_OPTION,
  },
  async run(options, call, context) {
    const { ticker } = options;
    const destinations = destinationsOf(call);
    const [data, watched] = await Promise.all([readCurrentData(context), context.store.watchlists.of(call.person)]);
    const history = await readHistory({ ticker, renamed: renamedSplitsUnder(data, ticker), destinations }, context);
    const recipients = await readRecipients(destinations, { watched, data }, context);
    const page = paginate(history, PAGE_SIZE, why, options);
    const head = whyCard({
      ticker,
      events: history.length,
      state: tickerState(data, ticker),
      watchedAs: watchedEntry(data, ticker, watched) ?? null,
      pageLine: page.pageLine,
      buttons: page.buttons,
    });
    const explanations = page.rows.map((entry) => explainEntry(entry, { ticker, history, recipients, context }));
    const split = splitsOf(data, ticker)[0];
    const sources = split ? splitSourcesOf(split, fractionsOf(split.record, data.articles), context) : [];
    return [{ ...head, badges: sampleBadges(context) }, ...sources, ...explanations];
  },
});

interface HistoryQuery {
  readonly ticker: Ticker;
  /** Splits of the ticker whose symbol changed. */
  readonly renamed: readonly Split[];
  readonly destinations: readonly Destination[];
}

/** The events about a ticker, and about its renamed splits under their other symbols, newest first. */
async function readHistory(
  { ticker, renamed, destinations }: HistoryQuery,
  { store }: Pick<AnswerContext, "store">,
): Promise<readonly HistoryEntry[]> {
  const own = await store.history.forTicker(ticker, destinations);
  const otherSymbols = new Set(renamed.flatMap(({ record }) => symbolsOf(record)));
  otherSymbols.delete(ticker);
  if (otherSymbols.size === 0) return own;
  const ids = new Set(renamed.map(({ id }) => id));
  const others = await Promise.all([...otherSymbols].map((symbol) => store.history.forTicker(symbol, destinations)));
  const onSplits = others.flat().filter(({ event }) => isSplitEvent(event) && ids.has(event.splitId));
  const byId = new Map([...own, ...onSplits].map((entry) => [entry.event.id, entry]));
  return [...byId.values()].toSorted((a, b) => b.event.at - a.event.at);
}

/** The channel and the person; in a direct message they are the same. */
function destinationsOf({ destination, person }: Call): readonly Destination[] {
  return destinationKey(destination) === destinationKey(person) ? [person] : [destination, person];
}

/** Destination and the state that decides which alerts it receives. */
interface Recipient {
  readonly destination: Destination;
  readonly rules: readonly Rule[];
  /** The person's watchlist; empty for a channel. */
  readonly watched: ReadonlySet<Ticker>;
  /** Reason why deliveries are paused; null if they aren't. */
  readonly pauseReason: string | null;
  readonly holdFor: HoldFor;
  readonly hasReminders: boolean;
  /** Current day at the exchanges. */
  readonly today: Day;
}

function readRecipients(
  destinations: readonly Destination[],
  { watched, data }: { readonly watched: readonly Ticker[]; readonly data: CurrentData },
  context: AnswerContext,
): Promise<readonly Recipient[]> {
  const { rules, pauses, destinationSettings } = context.store;
  return Promise.all(
    destinations.map(async (destination) => ({
      destination,
      rules: await rules.at(destination),
      watched: new Set(destination.kind === "person" ? watched : []),
      pauseReason: (await pauses.of(destination))?.reason ?? null,
      holdFor: await readHold(destination, context),
      hasReminders: (await destinationSettings.of(destination)).reminders,
      today: data.time.today,
    })),
  );
}

interface ExplainContext {
  readonly ticker: Ticker;
  readonly history: readonly HistoryEntry[];
  readonly recipients: readonly Recipient[];
  readonly context: AnswerContext;
}

function explainEntry(entry: HistoryEntry, { ticker, history, recipients, context }: ExplainContext) {
  const results = recipients.map((recipient) => ({
    destinationKind: recipient.destination.kind,
    verdict: explainDelivery(entry, history, recipient),
  }));
  return explainedCard({ event: entry.event, ticker, results }, context.readersTimezone);
}

/** Explains why the recipient received the event or didn't. `history`: all entries about the ticker, newest first. */
function explainDelivery(entry: HistoryEntry, history: readonly HistoryEntry[], recipient: Recipient): WhyVerdict {
  const { event } = entry;
  const entryDelivery = deliveryTo(entry, recipient);
  if (entryDelivery) {
    const { pauseReason, holdFor } = recipient;
    return {
      kind: "delivery",
      matchedBy: entryDelivery.delivery.reasons,
      outcome: entryDelivery.outcome,
      pauseReason,
      hold: holdFor(event),
    };
  }
  if (!isMatchable(event)) {
    const watchlist = recipient.destination.kind === "person" ? "kind-not-included" : null;
    return { kind: "no-match", rules: [], watchlist };
  }
  const coveringEntry = coveringEntries(entry, history).find((other) => deliveryTo(other, recipient));
  return coveringEntry ? { kind: "covered", event: coveringEntry.event.kind } : explainUndelivered(event, recipient);
}

/** Explains why neither the event nor an event that covers it was delivered. */
function explainUndelivered(event: MatchableEvent, recipient: Recipient): WhyVerdict {
  const { rules, watched, destination } = recipient;
  const isWatching = [...selectorsIn(event)].some((selector) => watched.has(selector));
  const isPerson = destination.kind === "person";
  const evaluations = rules.map((rule) => ({ number: rule.number, reason: explainMismatch(rule, event) }));
  const matching = evaluations.flatMap(({ number, reason }) => (reason === null ? [number] : []));
  const isOnWatchlist = isWatching && isForWatchlists(event);
  if (matching.length > 0 || isOnWatchlist) {
    return reminderVerdict(event, recipient) ?? { kind: "matches-now", rules: matching, watchlist: isOnWatchlist };
  }
  if (rules.length === 0 && !isPerson) return { kind: "no-rules" };
  const mismatches = evaluations.flatMap(({ number, reason }) => (reason === null ? [] : [{ number, reason }]));
  const watchlist = isWatching ? "kind-not-included" : "not-watched";
  return { kind: "no-match", rules: mismatches, watchlist: isPerson ? watchlist : null };
}

/**
 * Verdict on a matching event `reminder` or `effective` without a delivery: reminders are off, or the alert can still be sent.
 * Null if it is too late to send it, and for all other events.
 */
function reminderVerdict(event: MatchableEvent, { hasReminders, today }: Recipient): WhyVerdict | null {
  if (event.kind === "reminder") {
    if (!hasReminders) return { kind: "reminders-off" };
    return event.record.exDate > today ? { kind: "reminder-pending" } : null;
  }
  return event.kind === "effective" && event.record.exDate >= today ? { kind: "reminder-pending" } : null;
}

/** Entries whose alert already contains the event's content: entries on its release, and earlier entries on its split. */
function coveringEntries(entry: HistoryEntry, history: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const { event } = entry;
  const earlierEntries = history.slice(history.indexOf(entry) + 1).filter((other) => covers(other.event, event));
  return [
    ...history.filter((other) => coversRelease(event, other.event)),
    ...earlierEntries.filter(isSameSplitAs(event)),
  ];
}

function isSameSplitAs(event: Event): (other: HistoryEntry) => boolean {
  return (other) => isSplitEvent(event) && isSplitEvent(other.event) && other.event.splitId === event.splitId;
}

function deliveryTo(
  { deliveries }: HistoryEntry,
  { destination }: Recipient,
): HistoryEntry["deliveries"][number] | undefined {
  const key = destinationKey(destination);
  return deliveries.find(({ delivery }) => destinationKey(delivery.to) === key);
}
