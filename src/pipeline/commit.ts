import { type Delivery, deliveryId } from "../domain/alert/delivery.ts";
import { type Destination, destinationKey } from "../domain/alert/destination.ts";
import { digestPerDestination } from "../domain/alert/digest.ts";
import {
  type Announced,
  type DigestEvent,
  type Event,
  isCoveredBy,
  isMatchable,
  type MatchableEvent,
} from "../domain/alert/event.ts";
import { type Audience, matchEvents, tickersOf } from "../domain/alert/match.ts";
import type { SnapshotPatch } from "../domain/diff/snapshot.ts";
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

export interface Changes {
  readonly patch: SnapshotPatch | null;
  readonly events: readonly Event[];
  /** Known events, for whoever asks for them by now: who was told is not told again. */
  readonly standing?: readonly MatchableEvent[];
  /** Told only where a rule asks for a treatment of fractions, and so could not be told before. */
  readonly stated?: readonly Announced[];
}

/** Matches the events with rules and watchlists, and saves snapshot, events and deliveries together. */
export async function commitChanges(parts: CommitParts, news: Changes): Promise<void> {
  const { store, log, metrics } = parts;
  const { stated = [], standing = [] } = news;
  if (news.patch === null && news.events.length + stated.length + standing.length === 0) return;
  const audience = await audienceOf(parts, [...news.events, ...stated, ...standing]);
  const digests = news.events
    .filter((event): event is DigestEvent => event.kind === "digest")
    .flatMap((event) => digestPerDestination(event, audience));
  const matchable = news.events.filter(isMatchable);
  const late = await untold(store, stated, matchStated(stated, audience));
  const toldLate = stated.filter((event) => late.some((delivery) => delivery.eventId === event.id));
  const events = [...matchable, ...digests.map(({ event }) => event), ...toldLate];
  const matched = await untold(store, matchable, matchEvents(matchable, audience));
  const deliveries = [...matched, ...digests.map(({ delivery }) => delivery), ...late];
  const again = matchEvents(standing, audience);
  await store.snapshot.commit({
    patch: news.patch,
    events: [...events, ...standing],
    deliveries: [...deliveries, ...again],
  });
  for (const event of events) {
    metrics.eventSeen(event.kind);
    const told = deliveries.filter((delivery) => delivery.eventId === event.id).length;
    log.info("event detected", { kind: event.kind, id: event.id, deliveries: told });
  }
  await lookAgain(store, [...deliveries, ...again]);
  if (deliveries.length + again.length > 0) parts.wake();
}

/** Where a digest holds what waits, something may have come that does not wait for it. */
async function lookAgain({ destinationSettings, outbox }: Store, deliveries: readonly Delivery[]): Promise<void> {
  for (const { to } of deliveries) if ((await destinationSettings.of(to)).digest) await outbox.recheck(to);
}

async function audienceOf(parts: CommitParts, events: readonly Event[]): Promise<Audience> {
  const tickers = [...new Set(events.flatMap(tickersOf))];
  const [rules, watchers] = await Promise.all([parts.store.rules.all(), parts.store.watchlists.watchersOf(tickers)]);
  return { rules, watchers, reaches: (to, event) => parts.reaches(to, event) };
}

/** Leaves out who heard the same of an earlier event: a split that was told as cancelled need not be told as missing. */
async function untold(
  store: Store,
  events: readonly MatchableEvent[],
  deliveries: readonly Delivery[],
): Promise<readonly Delivery[]> {
  const heard = new Set<string>();
  for (const event of events) {
    const mine = deliveries.filter(({ eventId }) => eventId === event.id);
    const earlier = mine.length === 0 ? [] : await earlierTellings(store, event);
    for (const { id, to } of mine) if (await wasTold(store, earlier, to)) heard.add(id);
  }
  return deliveries.filter(({ id }) => !heard.has(id));
}

async function earlierTellings(store: Store, event: MatchableEvent): Promise<readonly Event[]> {
  if (event.kind !== "announced" && event.kind !== "missing") return [];
  return (await store.history.forSplit(event.splitId)).filter((earlier) => isCoveredBy(earlier, event));
}

async function wasTold(store: Store, earlier: readonly Event[], to: Destination): Promise<boolean> {
  for (const { id } of earlier) {
    if ((await store.outbox.outcome(deliveryId(id, destinationKey(to)))) !== null) return true;
  }
  return false;
}

/** Only those whom the announcement did not reach: nobody hears of a split twice because a release came later. */
function matchStated(stated: readonly Announced[], audience: Audience): Delivery[] {
  const silent = stated.map((event): Announced => ({ ...event, fraction: null }));
  const reached = new Set(matchEvents(silent, audience).map((delivery) => delivery.id));
  return matchEvents(stated, audience).filter((delivery) => !reached.has(delivery.id));
}
