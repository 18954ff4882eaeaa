import { type Destination, destinationKey } from "../domain/alert/destination.ts";
import {
  coversRelease,
  type Event,
  isCoveredBy,
  isMatchable,
  isSplitEvent,
  type MatchableEvent,
} from "../domain/alert/event.ts";
import type { HoldFor } from "../domain/alert/hold.ts";
import { explainMismatch, isForWatchlists } from "../domain/alert/match.ts";
import type { Rule } from "../domain/settings/rule.ts";
import type { Day } from "../domain/time/day.ts";
import type { WhyVerdict } from "../messages/answers/why-answer.ts";
import type { HistoryEntry } from "../ports/store.ts";

/** One destination, with all that decides what it hears of a ticker. */
export interface RecipientState {
  readonly destination: Destination;
  readonly rules: readonly Rule[];
  readonly isWatching: boolean;
  /** Why nothing is sent there at the moment. */
  readonly paused: string | null;
  /** What its settings hold now. */
  readonly holdOn: HoldFor;
  /** Whether it wants reminders. */
  readonly reminders: boolean;
  /** The day at the exchanges. */
  readonly today: Day;
}

/** Why the listener was told of the event, or was not. `trails`: all that is kept about the ticker. */
export function explainDelivery(
  trail: HistoryEntry,
  trails: readonly HistoryEntry[],
  listener: RecipientState,
): WhyVerdict {
  const told = deliveryTo(trail, listener);
  if (told) {
    const { paused, holdOn } = listener;
    return { kind: "told", because: told.delivery.reasons, outcome: told.outcome, paused, held: holdOn(trail.event) };
  }
  const { event } = trail;
  if (!isMatchable(event)) {
    return {
      kind: "not-asked-for",
      rules: [],
      watchlist: listener.destination.kind === "person" ? "no-such-event" : null,
    };
  }
  const telling = tellingsOf(trail, trails).find((other) => deliveryTo(other, listener));
  if (telling) return { kind: "told-as", event: telling.event.kind };

  return verdictOnUntold(event, listener);
}

/** Why nothing was made for the listener of an event that was told to it in no other form either. */
function verdictOnUntold(event: MatchableEvent, listener: RecipientState): WhyVerdict {
  const { rules, isWatching: watches, destination } = listener;
  const isPerson = destination.kind === "person";
  const judged = rules.map((rule) => ({ number: rule.number, reason: explainMismatch(rule, event) }));
  const asking = judged.flatMap(({ number, reason }) => (reason === null ? [number] : []));
  const onWatchlist = watches && isForWatchlists(event);
  if (asking.length > 0 || onWatchlist) {
    return reminderVerdict(event, listener) ?? { kind: "asked-for-later", rules: asking, watchlist: onWatchlist };
  }
  if (rules.length === 0 && !isPerson) return { kind: "no-rules" };
  const silent = judged.flatMap(({ number, reason }) => (reason === null ? [] : [{ number, reason }]));
  const watchlist = watches ? "no-such-event" : "not-watched";
  return { kind: "not-asked-for", rules: silent, watchlist: isPerson ? watchlist : null };
}

/** A reminder is made for those who ask until its day is over, at the next of their times. */
function reminderVerdict(event: MatchableEvent, { reminders, today }: RecipientState): WhyVerdict | null {
  if (event.kind === "reminder") {
    if (!reminders) return { kind: "no-reminders" };
    return event.record.exDate > today ? { kind: "to-be-reminded" } : null;
  }
  return event.kind === "effective" && event.record.exDate >= today ? { kind: "to-be-reminded" } : null;
}

/** Other events that tell the same: a release's in any order, a split's only where it came before. */
function tellingsOf(trail: HistoryEntry, trails: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const { event } = trail;
  const earlier = trails.slice(trails.indexOf(trail) + 1).filter((other) => isCoveredBy(other.event, event));
  return [...trails.filter((other) => coversRelease(event, other.event)), ...earlier.filter(isSameSplitAs(event))];
}

function isSameSplitAs(event: Event): (other: HistoryEntry) => boolean {
  return (other) => isSplitEvent(event) && isSplitEvent(other.event) && other.event.splitId === event.splitId;
}

function deliveryTo(
  trail: HistoryEntry,
  { destination }: RecipientState,
): HistoryEntry["deliveries"][number] | undefined {
  return trail.deliveries.find(({ delivery }) => destinationKey(delivery.to) === destinationKey(destination));
}
