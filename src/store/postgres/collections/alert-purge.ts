import { type RawBuilder, sql, type Transaction } from "kysely";
import type { Attempt, DeliveryId } from "../../../domain/alert/delivery.ts";
import { type DestinationKey, destinationKey, type Person } from "../../../domain/alert/destination.ts";
import { type Event, type EventId, isForOneDestination } from "../../../domain/alert/event.ts";
import { anonymizeTest, isTestRequestedBy, mentionOf, redactBody } from "../../../domain/alert/personal-data.ts";
import { json } from "../database.ts";
import type { Schema } from "../schema.ts";

interface PurgedAlerts {
  /** Number of removed deliveries that waited. */
  readonly waiting: number;
  /** Messages with a test that the person requested. */
  readonly testMessageIds: readonly string[];
}

/** Removes alerts for the person, and the person's name from all others. */
export async function purgeAlerts(transaction: Transaction<Schema>, person: Person): Promise<PurgedAlerts> {
  const key = destinationKey(person);
  const mentioning = await lockQueues(transaction, key, person);
  const tests = await anonymizeTests(transaction, person);
  await redactAttempts(transaction, person, [...mentioning, ...tests.deliveries]);
  const waiting = await purgeOwn(transaction, key);
  await redactMentions(transaction, person);
  return { waiting, testMessageIds: tests.messages };
}

/** Locks the person's queue and those with deliveries that mention the person. Returns these deliveries. */
async function lockQueues(
  transaction: Transaction<Schema>,
  key: DestinationKey,
  person: Person,
): Promise<readonly DeliveryId[]> {
  const { rows } = await sql<{ readonly id: DeliveryId; readonly queue_key: DestinationKey }>`
    select id, queue_key from deliveries where ${mentions(person)} and message_id is null
  `.execute(transaction);
  const keys = [key, ...new Set(rows.map(({ queue_key }) => queue_key))];
  await sql`select from queues where key = any(${keys}) order by key for update`.execute(transaction);
  return rows.map(({ id }) => id);
}

/** Condition for deliveries on the person's platform that mention the person. */
function mentions(person: Person): RawBuilder<boolean> {
  return sql`
    mentions @> array[${mentionOf(person)}::text] and mentions <> '{}' and starts_with(queue_key, ${`${person.platform}:`})
  `;
}

/** Removes what is sent to the person. Returns the number of waiting deliveries. */
async function purgeOwn(transaction: Transaction<Schema>, key: DestinationKey): Promise<number> {
  await sql`delete from queues where key = ${key} and holder is null`.execute(transaction);
  // A claim lasts until its release.
  await sql`
    update queues set
      waiting = 0, first_arrival = null, attempt_due = null, attempt_delay = null, release_due = null, release_delay = null,
      pause = null, paused_at = null, pause_due = null, pause_delay = null
    where key = ${key}
  `.execute(transaction);
  await sql`delete from attempts where queue_key = ${key}`.execute(transaction);
  const { rows: waiting } = await sql<{ readonly event_id: EventId }>`
    delete from deliveries where queue_key = ${key} and message_id is null returning event_id
  `.execute(transaction);
  const { rows: settled } = await sql<{ readonly event_id: EventId }>`
    with purged as (delete from messages where queue_key = ${key} returning deliveries)
    delete from deliveries where id in (select unnest(deliveries) from purged) returning event_id
  `.execute(transaction);
  const ids = [...new Set([...waiting, ...settled].map(({ event_id }) => event_id))];
  const { rows: events } = await sql<{ readonly value: Event }>`
    select value from events where id = any(${ids})
  `.execute(transaction);
  const personal = events.filter(({ value }) => isForOneDestination(value)).map(({ value }) => value.id);
  await sql`delete from events where id = any(${personal})`.execute(transaction);
  return waiting.length;
}

async function redactMentions(transaction: Transaction<Schema>, person: Person): Promise<void> {
  await sql`
    update deliveries set mentions = array_remove(mentions, ${mentionOf(person)}) where ${mentions(person)}
  `.execute(transaction);
}

/** Removes the person's name from the tests that the person requested. Returns their deliveries and messages. */
async function anonymizeTests(
  transaction: Transaction<Schema>,
  person: Person,
): Promise<{ readonly deliveries: readonly DeliveryId[]; readonly messages: readonly string[] }> {
  const prefix = `test.${person.platform}:`;
  const { rows: events } = await sql<{ readonly value: Event }>`
    select value from events where id >= ${prefix} and id < ${`test.${person.platform};`}
  `.execute(transaction);
  const tests = events.map(({ value }) => value).filter((event) => isTestRequestedBy(event, person));
  for (const test of tests)
    await sql`update events set value = ${json(anonymizeTest(test))} where id = ${test.id}`.execute(transaction);
  const { rows } = await sql<{ readonly id: DeliveryId; readonly message_id: string | null }>`
    select d.id, d.message_id from unnest(${tests.map(({ id }) => id)}::text[]) as test(id)
    cross join lateral (
      select id, message_id from deliveries
      where id >= test.id || '>' and id < test.id || '?' and event_id = test.id offset 0
    ) as d
  `.execute(transaction);
  return {
    deliveries: rows.filter((row) => row.message_id === null).map(({ id }) => id),
    messages: rows.flatMap((row) => row.message_id ?? []),
  };
}

/** Removes the person's name from messages that contain one of the deliveries. */
async function redactAttempts(
  transaction: Transaction<Schema>,
  person: Person,
  deliveries: readonly DeliveryId[],
): Promise<void> {
  const { rows } = await sql<{ readonly queue_key: DestinationKey; readonly body: Attempt["body"] }>`
    select queue_key, body from attempts
    where queue_key in (select queue_key from deliveries where id = any(${deliveries}))
      and deliveries && ${deliveries}::text[]
    order by queue_key for update
  `.execute(transaction);
  for (const { queue_key, body } of rows)
    await sql`
      update attempts set body = ${json(redactBody(body, person))} where queue_key = ${queue_key}
    `.execute(transaction);
}
