import { type Delivery, deliveryId } from "../domain/alert/delivery.ts";
import { destinationKey } from "../domain/alert/destination.ts";
import { type Announced, covers, type Event, isMatchable, type MatchableEvent } from "../domain/alert/event.ts";
import type { SnapshotPatch } from "../domain/diff/snapshot.ts";
import { inPages } from "../lib/collections.ts";
import { TimeSlice, yieldToEventLoop } from "../lib/slices.ts";
import type { Log } from "../ports/log.ts";
import type { Metrics } from "../ports/metrics.ts";
import { PAGE_SIZE, type Store } from "../ports/store.ts";
import { divideDigest, type MatchParts, matchEvents, matchTreatments } from "./match.ts";

export interface CommitParts extends MatchParts {
  readonly store: Store;
  readonly log: Log;
  readonly metrics: Metrics;
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

/** An event with its new deliveries. */
interface Alert {
  readonly event: Event;
  readonly deliveries: readonly Delivery[];
}

/** Matches the events with rules and watchlists, and saves snapshot, events and deliveries in one transaction. */
export async function commitChanges(parts: CommitParts, changes: Changes): Promise<void> {
  const { store, log, metrics } = parts;
  const { patch, events, treatmentAnnouncements = [], stillValid = [] } = changes;
  if (patch === null && events.length + treatmentAnnouncements.length + stillValid.length === 0) return;
  const matchable = events.filter(isMatchable);
  const matcher = await matchEvents(parts, [...matchable, ...stillValid]);
  const alerts: readonly Alert[] = [
    ...(await withoutCovered(store, matchable, (event) => matcher.deliveriesOf(event))),
    ...(await digestAlerts(parts, events)),
    ...(await treatmentAlerts(parts, treatmentAnnouncements)),
  ];
  const lists = [...alerts.map((alert) => alert.deliveries), ...stillValid.map((event) => matcher.deliveriesOf(event))];
  const deliveries = await concatenate(lists);
  await store.snapshot.commit({ patch, events: [...alerts.map(({ event }) => event), ...stillValid], deliveries });
  for (const alert of alerts) {
    const { kind, id } = alert.event;
    metrics.countEvent(kind);
    log.info("event detected", { kind, id, deliveries: alert.deliveries.length });
  }
  if (deliveries.length > 0) parts.wake();
}

/** Unlike `flat`, does not stall the event loop. */
async function concatenate(lists: readonly (readonly Delivery[])[]): Promise<readonly Delivery[]> {
  const all: Delivery[] = [];
  const slice = new TimeSlice();
  for (const list of lists) {
    for (const delivery of list) all.push(delivery);
    await slice.next();
  }
  return all;
}

async function digestAlerts(parts: CommitParts, events: readonly Event[]): Promise<readonly Alert[]> {
  const digests = events.filter((event) => event.kind === "digest");
  const divided = await Promise.all(digests.map((digest) => divideDigest(parts, digest)));
  return divided.flat().map(({ event, delivery }) => ({ event, deliveries: [delivery] }));
}

async function treatmentAlerts(parts: CommitParts, announcements: readonly Announced[]): Promise<readonly Alert[]> {
  if (announcements.length === 0) return [];
  const matched = await matchTreatments(parts, announcements);
  const alerts = await withoutCovered(parts.store, announcements, (event) => matched.get(event) ?? []);
  return alerts.filter(({ deliveries }) => deliveries.length > 0);
}

/** Removes deliveries whose content an earlier event covered: a split reported as cancelled is not reported as missing. */
async function withoutCovered<E extends MatchableEvent>(
  store: Store,
  events: readonly E[],
  deliveriesOf: (event: E) => readonly Delivery[],
): Promise<readonly Alert[]> {
  const alerts: Alert[] = [];
  const slice = new TimeSlice();
  for (const event of events) {
    const deliveries = deliveriesOf(event);
    await slice.next();
    const earlier = deliveries.length === 0 ? [] : await coveringEvents(store, event);
    alerts.push({ event, deliveries: earlier.length === 0 ? deliveries : await uncovered(store, earlier, deliveries) });
  }
  return alerts;
}

async function uncovered(
  { outbox }: Store,
  earlier: readonly Event[],
  deliveries: readonly Delivery[],
): Promise<readonly Delivery[]> {
  const rest: Delivery[] = [];
  for (const page of inPages(deliveries, PAGE_SIZE)) {
    const earlierIds = page.map(({ to }) => earlier.map(({ id }) => deliveryId(id, destinationKey(to))));
    const known = await outbox.existing(earlierIds.flat());
    for (const [index, delivery] of page.entries())
      if (!earlierIds[index]?.some((id) => known.has(id))) rest.push(delivery);
    await yieldToEventLoop();
  }
  return rest;
}

async function coveringEvents(store: Store, event: MatchableEvent): Promise<readonly Event[]> {
  if (event.kind !== "announced" && event.kind !== "missing") return [];
  return (await store.history.forSplit(event.splitId)).filter((earlier) => covers(earlier, event));
}
