import { sql, type Transaction } from "kysely";
import type { EventId } from "../../domain/alert/event.ts";
import type { Instant } from "../../domain/time/day.ts";
import type { Database } from "../database.ts";
import type { Schema } from "../schema.ts";
import { deleteDeliveries, deleteEvents } from "./deleted-alerts.ts";
import { lockSnapshot, pruneSnapshot } from "./snapshot.ts";

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
  await lockSnapshot(transaction);
  const pruned = await transaction
    .deleteFrom("messages")
    .where("number", "in", (eb) =>
      eb.selectFrom("messages").select("number").where("at", "<", before).orderBy("at").limit(BATCH),
    )
    .returning("deliveries")
    .execute();
  await deleteDeliveries(
    transaction,
    pruned.flatMap(({ deliveries }) => deliveries),
  );
  return pruned.length;
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
  await lockSnapshot(transaction);
  // The ids of deliveries start with the id of their event and ">"; "?" is the next character. The limit selects the index.
  const { rows } = await sql<EventPosition & { readonly id: EventId; readonly delivery: string | null }>`
    select at, id, (
      select d.id from deliveries d where d.id >= events.id || '>' and d.id < events.id || '?' limit 1
    ) as delivery
    from events where at < ${before} and (at, id) > (${from.at}, ${from.id}) order by at, id limit ${BATCH}
  `.execute(transaction);
  await deleteEvents(
    transaction,
    rows.filter(({ delivery }) => delivery === null).map(({ id }) => id),
  );
  return rows.length === BATCH ? (rows.at(-1) ?? null) : null;
}
