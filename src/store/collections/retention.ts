import { sql, type Transaction } from "kysely";
import type { EventId } from "../../domain/alert/event.ts";
import type { Instant } from "../../domain/time/day.ts";
import type { Database } from "../database.ts";
import type { Schema } from "../schema.ts";
import { deleteDeliveries, deleteEvents } from "./deleted-alerts.ts";
import { lockSnapshot, pruneSnapshot } from "./snapshot.ts";

/** Rows that are removed by one transaction, so that no other change waits for long. */
const BATCH = 1_000;

/** Tables whose rows are removed after the time in a column: `key` has the columns that identify a row. */
const EXPIRING = [
  { table: "postings", key: ["number"], time: "at" },
  // Traces of removed records.
  { table: "source_records", key: ["kind", "key"], time: "removed_at" },
] as const;

/** Removes messages before `before`, older events that no other delivery needs, and rows that expired before it. */
export async function prune(database: Database, before: Instant): Promise<void> {
  let pruned = BATCH;
  while (pruned === BATCH) pruned = await database.transaction((transaction) => pruneMessages(transaction, before));
  let last: EventPosition | null = { at: Number.MIN_SAFE_INTEGER, id: "" };
  while (last !== null) {
    const from: EventPosition = last;
    last = await database.transaction((transaction) => pruneEvents(transaction, before, from));
  }
  await pruneSnapshot(database);
  await pruneExpired(database, before);
  await pruneNames(database);
}

/** Removes the names of destinations that have no rules, watchlist or waiting alerts any more. */
async function pruneNames({ db }: Database): Promise<void> {
  await sql`
    delete from keyed_records where kind = 'destination-name'
      and not exists (select 1 from rules where destination = keyed_records.key)
      and not exists (select 1 from watchlists where person = keyed_records.key)
      and not exists (select 1 from queues where key = keyed_records.key)
  `.execute(db);
}

async function pruneExpired({ db }: Database, before: Instant): Promise<void> {
  for (const { table, key, time } of EXPIRING) {
    const columns = sql.join(key.map((column) => sql.ref(column)));
    const expired = sql`select ${columns} from ${sql.table(table)} where ${sql.ref(time)} < ${before} limit ${BATCH}`;
    const statement = sql`delete from ${sql.table(table)} where (${columns}) in (${expired})`;
    let removed = BATCH;
    while (removed === BATCH) removed = Number((await statement.execute(db)).numAffectedRows);
  }
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
