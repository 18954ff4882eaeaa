import { type Delivery, deliveryId } from "../domain/alert/delivery.ts";
import { type Destination, destinationKey } from "../domain/alert/destination.ts";
import {
  type Announced,
  covers,
  type DigestEvent,
  type Event,
  isMatchable,
  type MatchableEvent,
} from "../domain/alert/event.ts";
import { type Audience, digestPerDestination, matchEvents, tickersOf } from "../domain/alert/match.ts";
import type { SnapshotPatch } from "../domain/diff/snapshot.ts";
import type { Log } from "../ports/log.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Store } from "../ports/store.ts";

export interface CommitParts {
  readonly store: Store;
  readonly log: Log;
  readonly metrics: Metrics;
  /** False if the event must not be sent to the destination: sample data is sent to the web page only. */
  canReceive(destination: Destination, event: Event): boolean;
  /** Wakes the deliverer, because a delivery is waiting. */
  wake(): void;
}

/** Snapshot patch and events of a poll or a reminder tick. */
export interface Changes {
  readonly patch: SnapshotPatch | null;
  readonly events: readonly Event[];
  /**
   * Earlier events that are still valid. They are matched again, because rules or watchlists may have been added since;
   * existing deliveries are not repeated.
   */
  readonly stillValid?: readonly MatchableEvent[];
  /** Earlier announcements whose fraction treatment is now stated. They are matched with rules that filter by treatment. */
  readonly treatmentAnnouncements?: readonly Announced[];
}

/** Matches the events with rules and watchlists, and saves snapshot, events and deliveries in one transaction. */
export async function commitChanges(parts: CommitParts, changes: Changes): Promise<void> {
  const { store, log, metrics } = parts;
  const { patch, treatmentAnnouncements = [], stillValid = [] } = changes;
  if (patch === null && changes.events.length + treatmentAnnouncements.length + stillValid.length === 0) return;
  const audience = await audienceOf(parts, [...changes.events, ...treatmentAnnouncements, ...stillValid]);
  const digests = changes.events
    .filter((event): event is DigestEvent => event.kind === "digest")
    .flatMap((event) => digestPerDestination(event, audience));
  const matchable = changes.events.filter(isMatchable);
  const matched = await withoutCovered(store, matchable, matchEvents(matchable, audience));
  const treatmentDeliveries = await withoutCovered(
    store,
    treatmentAnnouncements,
    matchTreatments(treatmentAnnouncements, audience),
  );
  const treatmentEvents = treatmentAnnouncements.filter(({ id }) =>
    treatmentDeliveries.some(({ eventId }) => eventId === id),
  );
  const events = [...matchable, ...digests.map(({ event }) => event), ...treatmentEvents];
  const newDeliveries = [...matched, ...digests.map(({ delivery }) => delivery), ...treatmentDeliveries];
  const deliveries = [...newDeliveries, ...matchEvents(stillValid, audience)];
  await store.snapshot.commit({ patch, events: [...events, ...stillValid], deliveries });
  for (const { kind, id } of events) {
    metrics.countEvent(kind);
    const count = newDeliveries.filter(({ eventId }) => eventId === id).length;
    log.info("event detected", { kind, id, deliveries: count });
  }
  await recheckDigestHolds(store, deliveries);
  if (deliveries.length > 0) parts.wake();
}

/** Rechecks destinations that wait for a digest: the new delivery may not have to wait for it. */
async function recheckDigestHolds(
  { destinationSettings, outbox }: Store,
  deliveries: readonly Delivery[],
): Promise<void> {
  for (const { to } of deliveries) if ((await destinationSettings.of(to)).digest) await outbox.recheck(to);
}

async function audienceOf(parts: CommitParts, events: readonly Event[]): Promise<Audience> {
  const tickers = [...new Set(events.flatMap(tickersOf))];
  const [rules, watchers] = await Promise.all([parts.store.rules.all(), parts.store.watchlists.watchersOf(tickers)]);
  return { rules, watchers, canReceive: (destination, event) => parts.canReceive(destination, event) };
}

/** Removes deliveries whose content an earlier event covered: a split reported as cancelled is not reported as missing. */
async function withoutCovered(
  store: Store,
  events: readonly MatchableEvent[],
  deliveries: readonly Delivery[],
): Promise<readonly Delivery[]> {
  const covered = new Set<string>();
  for (const event of events) {
    const candidates = deliveries.filter(({ eventId }) => eventId === event.id);
    const earlier = candidates.length === 0 ? [] : await coveringEvents(store, event);
    for (const { id, to } of candidates) if (await hasDelivery(store, earlier, to)) covered.add(id);
  }
  return deliveries.filter(({ id }) => !covered.has(id));
}

async function coveringEvents(store: Store, event: MatchableEvent): Promise<readonly Event[]> {
  if (event.kind !== "announced" && event.kind !== "missing") return [];
  return (await store.history.forSplit(event.splitId)).filter((earlier) => covers(earlier, event));
}

async function hasDelivery(store: Store, events: readonly Event[], destination: Destination): Promise<boolean> {
  for (const { id } of events) {
    if ((await store.outbox.outcome(deliveryId(id, destinationKey(destination)))) !== null) return true;
  }
  return false;
}

/** Deliveries to destinations that did not match the announcement while its fraction treatment was unknown. */
function matchTreatments(announcements: readonly Announced[], audience: Audience): Delivery[] {
  const withoutTreatment = announcements.map((event): Announced => ({ ...event, fraction: null }));
  const matchedBefore = new Set(matchEvents(withoutTreatment, audience).map(({ id }) => id));
  return matchEvents(announcements, audience).filter(({ id }) => !matchedBefore.has(id));
}
