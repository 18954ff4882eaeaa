import { sql, type Transaction } from "kysely";
import type { Delivery } from "../../../domain/alert/delivery.ts";
import { destinationKey, isPerson } from "../../../domain/alert/destination.ts";
import {
  type Event,
  type EventId,
  indexedTickers,
  isForOneDestination,
  isSplitEvent,
} from "../../../domain/alert/event.ts";
import { TimeSlice } from "../../../lib/slices.ts";
import { StoreError } from "../../../ports/store.ts";
import { json } from "../database.ts";
import { notification } from "../notifications.ts";
import type { Schema } from "../schema.ts";
import { changeCount } from "./counters.ts";
import { purgedAmong } from "./purged-people.ts";

/** Events and deliveries that are written by one statement. */
const EVENT_BATCH = 500;
const DELIVERY_BATCH = 2_000;

interface Alerts {
  readonly events: readonly Event[];
  readonly deliveries: readonly Delivery[];
}

/** Adds new events and deliveries, in a transaction that has locked the snapshot. */
export async function addAlerts(transaction: Transaction<Schema>, alerts: Alerts): Promise<void> {
  if (alerts.events.length + alerts.deliveries.length === 0) return;
  const { events, deliveries } = await withoutPurged(transaction, alerts);
  for (let from = 0; from < events.length; from += EVENT_BATCH)
    await addEvents(transaction, events.slice(from, from + EVENT_BATCH));
  if (deliveries.length === 0) return;
  await assertKnownEvents(transaction, deliveries);
  let added = 0;
  for (let from = 0; from < deliveries.length; from += DELIVERY_BATCH)
    added += await addDeliveries(transaction, deliveries.slice(from, from + DELIVERY_BATCH));
  await changeCount(transaction, "waiting", added);
  await notification("deliveries").execute(transaction);
}

/** Removes what is only for people who were purged since the commit was prepared. A test is a new request. */
async function withoutPurged(transaction: Transaction<Schema>, { events, deliveries }: Alerts): Promise<Alerts> {
  const { rows } = await sql`select from purged_people limit 1`.execute(transaction);
  if (rows.length === 0) return { events, deliveries };
  const recipients = new Set(deliveries.flatMap(({ to }) => (isPerson(to) ? destinationKey(to) : [])));
  const people = await purgedAmong(transaction, [...recipients]);
  const tests = new Set(events.filter(({ kind }) => kind === "test").map(({ id }) => id));
  const purged = new Set<EventId>();
  const kept: Delivery[] = [];
  const slice = new TimeSlice();
  for (const delivery of deliveries) {
    await slice.next();
    if (!people.has(destinationKey(delivery.to)) || tests.has(delivery.eventId)) kept.push(delivery);
    else purged.add(delivery.eventId);
  }
  return { events: events.filter((event) => !(isForOneDestination(event) && purged.has(event.id))), deliveries: kept };
}

async function addEvents(transaction: Transaction<Schema>, events: readonly Event[]): Promise<void> {
  await transaction
    .insertInto("events")
    .values(
      events.map((event) => ({
        id: event.id,
        at: event.at,
        split_id: isSplitEvent(event) ? event.splitId : null,
        tickers: [...indexedTickers(event)],
        value: json<unknown>(event),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function assertKnownEvents(transaction: Transaction<Schema>, deliveries: readonly Delivery[]): Promise<void> {
  const slice = new TimeSlice();
  const unknown = new Map<string, Delivery>();
  for (const delivery of deliveries) {
    unknown.set(delivery.eventId, delivery);
    await slice.next();
  }
  const { rows } = await sql<{ readonly id: string }>`
    select id from events where id = any(${[...unknown.keys()]})
  `.execute(transaction);
  for (const { id } of rows) unknown.delete(id);
  for (const { id, eventId } of unknown.values())
    throw new StoreError(`delivery ${id}: its event ${eventId} is unknown`);
}

/** True for a queue whose destination receives digests; false if its last release had no delay. */
const isHeldForDigest = sql`(
  queues.release_due is not null and exists (
    select from destination_settings s where s.destination = queues.key and s.value ->> 'digest' = 'true'
  )
)`;

/** Returns the number of deliveries that were new. */
async function addDeliveries(transaction: Transaction<Schema>, deliveries: readonly Delivery[]): Promise<number> {
  const rows = deliveries.map(({ id, eventId, to, reasons, mentions }) => {
    return { id, queue_key: destinationKey(to), event_id: eventId, reasons, mentions };
  });
  const result = await sql<{ readonly added: number }>`
    with given as (
      select * from rows from (
        json_to_recordset(${JSON.stringify(rows)}::json)
          as (id text, queue_key text, event_id text, reasons json, mentions text[])
      ) with ordinality as given (id, queue_key, event_id, reasons, mentions, n)
    ), inserted as (
      insert into deliveries (id, queue_key, event_id, reasons, mentions)
      select id, queue_key, event_id, reasons, mentions from given order by n
      on conflict (id) do nothing
      returning queue_key, arrival
    ), counted as (
      insert into queues (key, platform, waiting, first_arrival)
      select queue_key, split_part(queue_key, ':', 1), count(*), min(arrival)
      from inserted group by queue_key order by queue_key
      on conflict (key) do update set
        waiting = queues.waiting + excluded.waiting,
        first_arrival = least(queues.first_arrival, excluded.first_arrival),
        release_due = case when ${isHeldForDigest} then null else queues.release_due end,
        release_delay = case when ${isHeldForDigest} then null else queues.release_delay end
    )
    select count(*) as added from inserted
  `.execute(transaction);
  return result.rows[0]?.added ?? 0;
}
