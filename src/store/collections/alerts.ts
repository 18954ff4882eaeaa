import { type InsertObject, sql, type Transaction } from "kysely";
import type { Delivery } from "../../domain/alert/delivery.ts";
import { type DestinationKey, destinationKey, isPerson, parseDestinationKey } from "../../domain/alert/destination.ts";
import {
  type Event,
  type EventId,
  indexedTickers,
  isForOneDestination,
  isSplitEvent,
} from "../../domain/alert/event.ts";
import { compareText, inPages } from "../../lib/collections.ts";
import { forEachInSlices, TimeSlice, yieldToEventLoop } from "../../lib/slices.ts";
import { StoreError } from "../../ports/store.ts";
import { json } from "../database.ts";
import type { Notifications } from "../notifications.ts";
import type { Schema } from "../schema.ts";
import { changeCount } from "./counters.ts";
import type { PurgedPeople } from "./purged-people.ts";
import { NO_RELEASE_DELAY } from "./queues.ts";

/** Events, deliveries and queues that are written by one statement. */
const EVENT_BATCH = 500;
const DELIVERY_BATCH = 250;
const QUEUE_BATCH = 250;

interface Alerts {
  readonly events: readonly Event[];
  readonly deliveries: readonly Delivery[];
}

interface AlertParts {
  readonly notifications: Notifications;
  readonly purged: PurgedPeople;
}

/** Adds new events and deliveries, in a transaction that has locked the snapshot. */
export async function addAlerts(transaction: Transaction<Schema>, alerts: Alerts, parts: AlertParts): Promise<void> {
  if (alerts.events.length + alerts.deliveries.length === 0) return;
  const { events, deliveries } = await withoutPurged(transaction, alerts, parts.purged);
  for (const page of inPages(events, EVENT_BATCH)) await addEvents(transaction, page);
  if (deliveries.length === 0) return;
  await assertKnownEvents(transaction, deliveries);
  let added = 0;
  const queues = new Map<DestinationKey, AddedToQueue>();
  for (const page of inPages(deliveries, DELIVERY_BATCH)) {
    for (const { queue_key, arrival } of await addDeliveries(transaction, page)) {
      const { waiting, firstArrival } = queues.get(queue_key) ?? { waiting: 0, firstArrival: arrival };
      queues.set(queue_key, { waiting: waiting + 1, firstArrival: Math.min(firstArrival, arrival) });
      added += 1;
    }
    await yieldToEventLoop();
  }
  const keys = [...queues.keys()].toSorted(compareText);
  for (const page of inPages(keys, QUEUE_BATCH)) {
    await addToQueues(transaction, page, queues);
    await yieldToEventLoop();
  }
  await changeCount(transaction, "waiting", added);
  await parts.notifications.send(transaction, "deliveries");
}

/** Removes what is only for people who were purged since the commit was prepared. A test is a new request. */
async function withoutPurged(
  transaction: Transaction<Schema>,
  { events, deliveries }: Alerts,
  purged: PurgedPeople,
): Promise<Alerts> {
  const recipients = new Set<DestinationKey>();
  await forEachInSlices(deliveries, ({ to }) => {
    if (isPerson(to)) recipients.add(destinationKey(to));
  });
  const people = await purged.among(transaction, [...recipients]);
  if (people.size === 0) return { events, deliveries };
  const tests = new Set(events.filter(({ kind }) => kind === "test").map(({ id }) => id));
  const unwanted = new Set<EventId>();
  const kept: Delivery[] = [];
  const slice = new TimeSlice();
  for (const delivery of deliveries) {
    await slice.next();
    if (!people.has(destinationKey(delivery.to)) || tests.has(delivery.eventId)) kept.push(delivery);
    else unwanted.add(delivery.eventId);
  }
  return {
    events: events.filter((event) => !(isForOneDestination(event) && unwanted.has(event.id))),
    deliveries: kept,
  };
}

/** Events with known ids are left unchanged. */
async function addEvents(transaction: Transaction<Schema>, events: readonly Event[]): Promise<void> {
  const added = await transaction
    .insertInto("events")
    .values(events.map(rowOfEvent))
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .execute();
  const ids = new Set(added.map(({ id }) => id));
  const tickers = events.filter(({ id }) => ids.delete(id)).flatMap(rowsOfTickers);
  if (tickers.length > 0) await transaction.insertInto("event_tickers").values(tickers).execute();
}

export function rowOfEvent(event: Event): InsertObject<Schema, "events"> {
  return { id: event.id, at: event.at, split_id: isSplitEvent(event) ? event.splitId : null, value: json(event) };
}

export function rowsOfTickers(event: Event): readonly InsertObject<Schema, "event_tickers">[] {
  return [...indexedTickers(event)].map((ticker) => ({ ticker, event_id: event.id }));
}

async function assertKnownEvents(transaction: Transaction<Schema>, deliveries: readonly Delivery[]): Promise<void> {
  const slice = new TimeSlice();
  const unknown = new Map<EventId, Delivery>();
  for (const delivery of deliveries) {
    unknown.set(delivery.eventId, delivery);
    await slice.next();
  }
  for (const page of inPages([...unknown.keys()], EVENT_BATCH)) {
    const rows = await transaction.selectFrom("events").select("id").where("id", "in", page).execute();
    for (const { id } of rows) unknown.delete(id);
  }
  for (const { id, eventId } of unknown.values())
    throw new StoreError(`delivery ${id}: its event ${eventId} is unknown`);
}

/** Returns the deliveries that were new. */
async function addDeliveries(
  transaction: Transaction<Schema>,
  deliveries: readonly Delivery[],
): Promise<readonly AddedDelivery[]> {
  const added = await transaction
    .insertInto("deliveries")
    .values(deliveries.map((delivery) => rowOfDelivery(delivery, destinationKey(delivery.to))))
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning(["id", "queue_key", "arrival"])
    .execute();
  const ids = new Set(added.map(({ id }) => id));
  const mentions = deliveries.filter(({ id }) => ids.has(id)).flatMap(rowsOfMentions);
  if (mentions.length > 0) await transaction.insertInto("delivery_mentions").values(mentions).execute();
  return added;
}

export function rowOfDelivery(
  { id, eventId, reasons, mentions }: Omit<Delivery, "to">,
  queue_key: DestinationKey,
): InsertObject<Schema, "deliveries"> {
  return { id, queue_key, event_id: eventId, reasons: json(reasons), mentions: json(mentions) };
}

export function rowsOfMentions({
  id,
  mentions,
}: Omit<Delivery, "to">): readonly InsertObject<Schema, "delivery_mentions">[] {
  return [...new Set(mentions)].map((mention) => ({ mention, delivery_id: id }));
}

interface AddedDelivery {
  readonly queue_key: DestinationKey;
  readonly arrival: number;
}

interface AddedToQueue {
  readonly waiting: number;
  readonly firstArrival: number;
}

/**
 * Counts the deliveries, and ends the delays of releases at destinations with a digest or with deferred deliveries: the new ones may
 * not have to wait.
 */
async function addToQueues(
  transaction: Transaction<Schema>,
  keys: readonly DestinationKey[],
  added: ReadonlyMap<DestinationKey, AddedToQueue>,
): Promise<void> {
  await transaction
    .insertInto("queues")
    .values(
      keys.map((key) => ({
        key,
        platform: parseDestinationKey(key).platform,
        waiting: added.get(key)?.waiting ?? 0,
        first_arrival: added.get(key)?.firstArrival ?? null,
      })),
    )
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({
        waiting: sql`queues.waiting + excluded.waiting`,
        // An earlier delivery has a lower number.
        first_arrival: sql`coalesce(queues.first_arrival, excluded.first_arrival)`,
      }),
    )
    .execute();
  await transaction
    .updateTable("queues")
    .set(NO_RELEASE_DELAY)
    .where("key", "in", keys)
    .where("release_due", "is not", null)
    .where((eb) =>
      eb.or([
        eb("key", "in", (inner) =>
          inner
            .selectFrom("destination_settings")
            .select("destination")
            .where("destination", "in", keys)
            .where("has_digest", "=", true)
            .$castTo<DestinationKey>(),
        ),
        eb("key", "in", (inner) =>
          inner
            .selectFrom("deliveries")
            .select("queue_key")
            .where("queue_key", "in", keys)
            .where("deferral", "is not", null),
        ),
      ]),
    )
    .execute();
}
