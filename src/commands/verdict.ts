import { type Destination, destinationKey } from "../core/destination.ts";
import { callsOffBy, isMatchable } from "../core/event.ts";
import { explainMismatch, isWatchlistNews } from "../core/match.ts";
import type { Rule } from "../core/rule.ts";
import type { Verdict } from "../messages/why-answer.ts";
import type { Trail } from "../ports/store.ts";

/** One destination, with all that decides what it hears of a ticker. */
export interface Listener {
  readonly place: Destination;
  readonly rules: readonly Rule[];
  readonly watches: boolean;
  /** Why nothing is sent there at the moment. */
  readonly paused: string | null;
}

/** Why the listener was told of the event, or was not. `trails`: all that is kept about the ticker. */
export function verdictOn(trail: Trail, trails: readonly Trail[], listener: Listener): Verdict {
  const told = deliveryTo(trail, listener);
  if (told) {
    return { kind: "told", because: told.delivery.because, outcome: told.outcome, paused: listener.paused };
  }
  const { event } = trail;
  const { rules, watches, place } = listener;
  const isPerson = place.kind === "person";
  if (!isMatchable(event)) return { kind: "not-asked-for", rules: [], watchlist: isPerson ? "no-such-event" : null };
  const calledOff = trails.find((other) => callsOffBy(other.event, event) && deliveryTo(other, listener));
  if (calledOff) return { kind: "told-as", event: calledOff.event.kind };

  const judged = rules.map((rule) => ({ number: rule.number, reason: explainMismatch(rule, event) }));
  const asking = judged.flatMap(({ number, reason }) => (reason === null ? [number] : []));
  const onWatchlist = watches && isWatchlistNews(event);
  if (asking.length > 0 || onWatchlist) return { kind: "asked-for-later", rules: asking, watchlist: onWatchlist };
  if (rules.length === 0 && !isPerson) return { kind: "no-rules" };
  const silent = judged.flatMap(({ number, reason }) => (reason === null ? [] : [{ number, reason }]));
  const watchlist = watches ? "no-such-event" : "not-watched";
  return { kind: "not-asked-for", rules: silent, watchlist: isPerson ? watchlist : null };
}

function deliveryTo(trail: Trail, { place }: Listener): Trail["deliveries"][number] | undefined {
  return trail.deliveries.find(({ delivery }) => destinationKey(delivery.to) === destinationKey(place));
}
