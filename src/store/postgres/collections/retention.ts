import { sql, type Transaction } from "kysely";
import type { Instant } from "../../../domain/time/day.ts";
import type { Database } from "../database.ts";
import type { Schema } from "../schema.ts";
import { pruneSnapshot } from "./snapshot.ts";

/** Rows that are removed by one transaction, so that no commit waits for long. */
const BATCH = 1_000;

/** Removes messages before `before`, and older events that no other delivery needs. */
export async function pruneAlerts(database: Database, before: Instant): Promise<void> {
  let pruned = BATCH;
  while (pruned === BATCH) pruned = await database.transaction((transaction) => pruneMessages(transaction, before));
  let last: EventPosition | null = { at: Number.MIN_SAFE_INTEGER, id: "" };
  while (last !== null) {
    const from: EventPosition = last;
    last = await database.transaction((transaction) => pruneEvents(transaction, before, from));
  }
  await pruneSnapshot(database);
}

/** Returns the number of removed messages. */
async function pruneMessages(transaction: Transaction<Schema>, before: Instant): Promise<number> {
  await sql`select from snapshot for update`.execute(transaction);
  const { rows } = await sql<{ readonly pruned: number }>`
    with pruned as (
      delete from messages where message_id in (
        select message_id from messages where at < ${before} order by at limit ${BATCH}
      ) returning deliveries
    ), unneeded as (
      delete from deliveries where id in (select unnest(deliveries) from pruned)
    )
    select count(*) as pruned from pruned
  `.execute(transaction);
  return rows[0]?.pruned ?? 0;
}

/** An event in the order of age. */
interface EventPosition {
  readonly at: Instant;
  readonly id: string;
}

/** Removes the old events of the batch after `from` that have no deliveries. Returns the end of the batch; null if it is the last. */
async function pruneEvents(
  transaction: Transaction<Schema>,
  before: Instant,
  from: EventPosition,
): Promise<EventPosition | null> {
  await sql`select from snapshot for update`.execute(transaction);
  const { rows } = await sql<EventPosition>`
    select at, id from events where at < ${before} and (at, id) > (${from.at}, ${from.id}) order by at, id limit ${BATCH}
  `.execute(transaction);
  // The ids of deliveries start with the id of their event and ">"; "?" is the next character. The limit selects the index.
  await sql`
    delete from events e where id = any(${rows.map(({ id }) => id)}) and (
      select d.id from deliveries d where d.id >= e.id || '>' and d.id < e.id || '?' limit 1
    ) is null
  `.execute(transaction);
  return rows.length === BATCH ? (rows.at(-1) ?? null) : null;
}
