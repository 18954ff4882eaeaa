import type { Delivery } from "../core/delivery.ts";
import type { Destination } from "../core/destination.ts";
import { digestPerDestination } from "../core/digest.ts";
import { type Announced, type DigestEvent, type Event, isMatchable, type MatchableEvent } from "../core/event.ts";
import { type Audience, matchEvents, tickersOf } from "../core/match.ts";
import type { SnapshotPatch } from "../core/snapshot.ts";
import type { Log } from "../ports/log.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Store } from "../ports/store.ts";

export interface CommitParts {
  readonly store: Store;
  readonly log: Log;
  readonly metrics: Metrics;
  /** False where the event may not go: invented data stays on the web page. */
  reaches(to: Destination, event: Event): boolean;
  /** Tells the delivery that something waits. */
  wake(): void;
}

export interface News {
  readonly patch: SnapshotPatch | null;
  readonly events: readonly Event[];
  /** Known events, for whoever asks for them by now: who was told is not told again. */
  readonly standing?: readonly MatchableEvent[];
  /** Told only where a rule asks for a treatment of fractions, and so could not be told before. */
  readonly stated?: readonly Announced[];
}

/** Matches the events with rules and watchlists, and saves snapshot, events and deliveries together. */
export async function commitNews(parts: CommitParts, news: News): Promise<void> {
  const { store, log, metrics } = parts;
  const { stated = [], standing = [] } = news;
  if (news.patch === null && news.events.length + stated.length + standing.length === 0) return;
  const audience = await audienceOf(parts, [...news.events, ...stated, ...standing]);
  const digests = news.events
    .filter((event): event is DigestEvent => event.kind === "digest")
    .flatMap((event) => digestPerDestination(event, audience));
  const matchable = news.events.filter(isMatchable);
  const late = matchStated(stated, audience);
  const toldLate = stated.filter((event) => late.some((delivery) => delivery.eventId === event.id));
  const events = [...matchable, ...digests.map(({ event }) => event), ...toldLate];
  const deliveries = [...matchEvents(matchable, audience), ...digests.map(({ delivery }) => delivery), ...late];
  const again = matchEvents(standing, audience);
  await store.snapshot.commit({
    patch: news.patch,
    events: [...events, ...standing],
    deliveries: [...deliveries, ...again],
  });
  for (const event of events) {
    metrics.eventSeen(event.kind);
    const told = deliveries.filter((delivery) => delivery.eventId === event.id).length;
    log.info("event-seen", { kind: event.kind, id: event.id, deliveries: told });
  }
  if (deliveries.length + again.length > 0) parts.wake();
}

async function audienceOf(parts: CommitParts, events: readonly Event[]): Promise<Audience> {
  const tickers = [...new Set(events.flatMap(tickersOf))];
  const [rules, watchers] = await Promise.all([parts.store.rules.all(), parts.store.watchlists.watchersOf(tickers)]);
  return { rules, watchers, reaches: (to, event) => parts.reaches(to, event) };
}

/** Only those whom the announcement did not reach: nobody hears of a split twice because a release came later. */
function matchStated(stated: readonly Announced[], audience: Audience): Delivery[] {
  const silent = stated.map((event): Announced => ({ ...event, fraction: null }));
  const reached = new Set(matchEvents(silent, audience).map((delivery) => delivery.id));
  return matchEvents(stated, audience).filter((delivery) => !reached.has(delivery.id));
}
