import { type RawBuilder, sql, type Transaction } from "kysely";
import { DELIVERY_ID_SEPARATOR, type DeliveryId } from "../../domain/alert/delivery.ts";
import { type DestinationKey, destinationKey, type Person } from "../../domain/alert/destination.ts";
import { type EventId, isForOneDestination } from "../../domain/alert/event.ts";
import {
  anonymizeTest,
  isTestRequestedBy,
  mentionOf,
  redactBody,
  redactDelivery,
} from "../../domain/alert/personal-data.ts";
import { compareText, groupBy, inPages } from "../../lib/collections.ts";
import { PAGE_SIZE } from "../../ports/store.ts";
import { json } from "../database.ts";
import type { Schema } from "../schema.ts";
import { deleteDeliveries, deleteEvents } from "./deleted-alerts.ts";
import { keyRange } from "./key-ranges.ts";
import { NO_ATTEMPT_DELAY, NO_PAUSE, NO_RELEASE_DELAY } from "./queues.ts";

interface PurgedAlerts {
  /** Number of removed deliveries that waited. */
  readonly waiting: number;
  /** Messages with a test that the person requested. */
  readonly testMessageIds: readonly string[];
}

/** A delivery whose message contains the person's name. `message_id`: null while it waits. */
interface NamingDelivery {
  readonly id: DeliveryId;
  readonly queue_key: DestinationKey;
  readonly message_id: string | null;
}

/** Removes alerts for the person, and the person's name from all others. */
export async function purgeAlerts(
  transaction: Transaction<Schema>,
  person: Person,
  holder: number | null,
): Promise<PurgedAlerts> {
  const key = destinationKey(person);
  const mentioning = await lockQueues(transaction, key, person);
  const tests = await anonymizeTests(transaction, person);
  await redactAttempts(transaction, person, [...mentioning, ...tests]);
  const waiting = await purgeOwn(transaction, key, holder);
  await redactMentions(transaction, person);
  return { waiting, testMessageIds: tests.flatMap(({ message_id }) => message_id ?? []) };
}

/** Locks the person's queue and those with deliveries that mention the person. Returns these deliveries. */
async function lockQueues(
  transaction: Transaction<Schema>,
  key: DestinationKey,
  person: Person,
): Promise<readonly NamingDelivery[]> {
  const rows = await transaction
    .selectFrom("delivery_mentions as n")
    .innerJoin("deliveries as d", "d.id", "n.delivery_id")
    .select(["d.id", "d.queue_key", "d.message_id"])
    .where(mentions(person))
    .where("d.message_id", "is", null)
    .execute();
  const keys = [...new Set([key, ...rows.map(({ queue_key }) => queue_key)])].toSorted(compareText);
  for (const page of inPages(keys, PAGE_SIZE))
    await transaction.selectFrom("queues").select("key").where("key", "in", page).orderBy("key").forUpdate().execute();
  return rows;
}

/** Condition for the mentions (`n`) of the person in deliveries (`d`) on the person's platform. */
function mentions(person: Person): RawBuilder<boolean> {
  return sql`n.mention = ${mentionOf(person)} and ${keyRange("d.queue_key", person.platform, "")}`;
}

/** Removes what is sent to the person. Returns the number of waiting deliveries. */
async function purgeOwn(transaction: Transaction<Schema>, key: DestinationKey, holder: number | null): Promise<number> {
  await transaction
    .deleteFrom("queues")
    .where("key", "=", key)
    .where((eb) => eb.or([eb("holder", "is", null), eb("holder", "=", holder)]))
    .execute();
  // The claim of another process lasts until its release.
  await transaction
    .updateTable("queues")
    .set({ waiting: 0, first_arrival: null, ...NO_PAUSE, ...NO_ATTEMPT_DELAY, ...NO_RELEASE_DELAY })
    .where("key", "=", key)
    .execute();
  await transaction.deleteFrom("attempts").where("queue_key", "=", key).execute();
  const waiting = await transaction
    .selectFrom("deliveries")
    .select("id")
    .where("queue_key", "=", key)
    .where("message_id", "is", null)
    .execute();
  const settled = await transaction
    .deleteFrom("messages")
    .where("queue_key", "=", key)
    .returning("deliveries")
    .execute();
  const events = await deleteDeliveries(transaction, [
    ...waiting.map(({ id }) => id),
    ...settled.flatMap(({ deliveries }) => deliveries),
  ]);
  await deleteEvents(transaction, await personalAmong(transaction, new Set(events)));
  return waiting.length;
}

async function personalAmong(transaction: Transaction<Schema>, ids: Iterable<EventId>): Promise<readonly EventId[]> {
  const personal: EventId[] = [];
  for (const page of inPages(ids, PAGE_SIZE)) {
    const rows = await transaction.selectFrom("events").select("value").where("id", "in", page).execute();
    for (const { value } of rows) if (isForOneDestination(value)) personal.push(value.id);
  }
  return personal;
}

async function redactMentions(transaction: Transaction<Schema>, person: Person): Promise<void> {
  const rows = await transaction
    .selectFrom("delivery_mentions as n")
    .innerJoin("deliveries as d", "d.id", "n.delivery_id")
    .select(["d.id", "d.mentions"])
    .where(mentions(person))
    .execute();
  const redacted = groupBy(rows, (row) => JSON.stringify(redactDelivery(row, person).mentions));
  for (const [rest, deliveries] of redacted)
    for (const page of inPages(deliveries, PAGE_SIZE)) {
      const ids = page.map(({ id }) => id);
      await transaction
        .updateTable("deliveries")
        .set({ mentions: sql<readonly string[]>`${rest}` })
        .where("id", "in", ids)
        .execute();
      await transaction
        .deleteFrom("delivery_mentions")
        .where("mention", "=", mentionOf(person))
        .where("delivery_id", "in", ids)
        .execute();
    }
}

/** Removes the person's name from the tests that the person requested. Returns their deliveries. */
async function anonymizeTests(transaction: Transaction<Schema>, person: Person): Promise<readonly NamingDelivery[]> {
  const rows = await transaction
    .selectFrom("events")
    .select("value")
    // Ids of tests begin with "test." and their destination.
    .where(keyRange("id", `test.${person.platform}`, ""))
    .execute();
  const deliveries: NamingDelivery[] = [];
  for (const { value } of rows)
    if (isTestRequestedBy(value, person)) {
      await transaction
        .updateTable("events")
        .set({ value: json(anonymizeTest(value)) })
        .where("id", "=", value.id)
        .execute();
      deliveries.push(...(await deliveriesOf(transaction, value.id)));
    }
  return deliveries;
}

function deliveriesOf(transaction: Transaction<Schema>, event: EventId): Promise<readonly NamingDelivery[]> {
  // Ids of deliveries, as `deliveryId` makes them, begin with the event and ">", which "?" follows.
  return transaction
    .selectFrom("deliveries")
    .select(["id", "queue_key", "message_id"])
    .where("id", ">", `${event}${DELIVERY_ID_SEPARATOR}` as DeliveryId)
    .where("id", "<", `${event}?` as DeliveryId)
    .where("event_id", "=", event)
    .execute();
}

/** Removes the person's name from messages that contain one of the deliveries. */
async function redactAttempts(
  transaction: Transaction<Schema>,
  person: Person,
  deliveries: readonly NamingDelivery[],
): Promise<void> {
  const naming = new Set(deliveries.map(({ id }) => id));
  const keys = [...new Set(deliveries.map(({ queue_key }) => queue_key))].toSorted(compareText);
  for (const page of inPages(keys, PAGE_SIZE)) {
    const rows = await transaction
      .selectFrom("attempts")
      .select(["queue_key", "deliveries", "body"])
      .where("queue_key", "in", page)
      .orderBy("queue_key")
      .forUpdate()
      .execute();
    for (const { queue_key, body } of rows.filter((row) => row.deliveries.some((id) => naming.has(id))))
      await transaction
        .updateTable("attempts")
        .set({ body: json(redactBody(body, person)) })
        .where("queue_key", "=", queue_key)
        .execute();
  }
}
