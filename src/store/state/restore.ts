import { randomUUID } from "node:crypto";
import { type InsertObject, sql, type Transaction } from "kysely";
import { inPages } from "../../lib/collections.ts";
import type { PendingPurge, StateKind, StateRecord } from "../../ports/state-records.ts";
import { StoreError } from "../../ports/store.ts";
import { changeCount } from "../collections/counters.ts";
import { purgeData } from "../collections/purge.ts";
import { openPurgedPeople, type PurgedPeople } from "../collections/purged-people.ts";
import { NO_ATTEMPT_DELAY, NO_PAUSE, type Times } from "../collections/queues.ts";
import type { Database } from "../database.ts";
import { Notifications } from "../notifications.ts";
import type { Schema } from "../schema.ts";
import { type RestoredRecord, SINGLE_ROWS, STATE_KINDS, type TableName, type TableRow } from "./state-kinds.ts";

/** Rows that one statement inserts. */
const PAGE = 500;

type QueueRow = InsertObject<Schema, "queues">;

type Row = Readonly<Record<string, unknown>>;

export interface WriteOptions extends Times {
  /** Reports to other processes. Default: there are none. */
  readonly notifications?: Notifications;
  /** Locks what other processes may use. */
  readonly begin?: (transaction: Transaction<Schema>) => Promise<void>;
}

/**
 * Writes the records in one transaction into a database that has no state yet. An error thrown by `records` is passed on unchanged.
 */
export async function writeState(
  database: Database,
  records: AsyncIterable<StateRecord>,
  options: WriteOptions,
): Promise<void> {
  const purged = await openPurgedPeople(database, { now: () => options.now });
  // The records can't be read again: the transaction is not repeated.
  await database.db.transaction().execute(async (transaction) => {
    await options.begin?.(transaction);
    const state = new WrittenState(transaction, options, await nextRevision(transaction));
    for await (const record of records) await state.add(record);
    await state.finish(purged);
  });
}

/** Follows all earlier versions of the snapshot and revisions of records, which running processes may know. */
async function nextRevision(transaction: Transaction<Schema>): Promise<number> {
  const { version } = await transaction.selectFrom("snapshot").select("version").executeTakeFirstOrThrow();
  const revisions = await transaction.selectFrom("source_revisions").select("last").execute();
  return Math.max(version, ...revisions.map(({ last }) => last)) + 1;
}

/** Inserts records in pages, each table in the order of its records. */
class WrittenState {
  readonly #transaction: Transaction<Schema>;
  readonly #options: WriteOptions;
  readonly #revision: number;
  /** Writer of the source records. */
  readonly #writer = randomUUID();
  /** Numbers of records. */
  readonly #counts = new Map<StateKind, number>();
  /** Rows that are not inserted yet. */
  readonly #pending = new Map<TableName, Row[]>();
  readonly #queues = new Map<unknown, QueueRow>();
  readonly #purges: PendingPurge[] = [];

  constructor(transaction: Transaction<Schema>, options: WriteOptions, revision: number) {
    this.#transaction = transaction;
    this.#options = options;
    this.#revision = revision;
  }

  async add({ kind, value }: StateRecord): Promise<void> {
    const index = this.#count(kind);
    this.#counts.set(kind, index + 1);
    if (kind === "forgetting") this.#purges.push(value);
    const rowsOf = STATE_KINDS[kind].rows as (value: unknown, record: RestoredRecord) => readonly TableRow[];
    const record = { index, revision: this.#revision, writer: this.#writer, times: this.#options };
    for (const [table, row] of rowsOf(value, record))
      if (table === "queues") this.#queues.set(row.key, { ...this.#queues.get(row.key), ...row });
      else await this.#insert(table, row);
  }

  #count(kind: StateKind): number {
    return this.#counts.get(kind) ?? 0;
  }

  async #insert(table: TableName, row: Row): Promise<void> {
    if (SINGLE_ROWS[table]) {
      await this.#transaction.updateTable(table).set(row).execute();
      return;
    }
    const rows = this.#pending.get(table) ?? [];
    this.#pending.set(table, rows);
    rows.push(row);
    if (rows.length === PAGE) await this.#flush(table);
  }

  async #flush(table: TableName): Promise<void> {
    const rows = this.#pending.get(table) ?? [];
    this.#pending.delete(table);
    if (rows.length > 0) await this.#transaction.insertInto(table).values(rows).execute();
  }

  /** Writes the rest, and what is derived from the records. */
  async finish(purged: PurgedPeople): Promise<void> {
    const transaction = this.#transaction;
    const { clock, notifications = new Notifications() } = this.#options;
    for (const table of this.#pending.keys()) await this.#flush(table);
    await assertKnownEvents(transaction);
    await this.#insertQueues();
    await raiseNumbers(transaction);
    await transaction.updateTable("source_revisions").set({ last: this.#revision }).execute();
    await changeCount(transaction, "waiting", this.#count("delivery"));
    await changeCount(transaction, "rules", this.#count("rule"));
    await changeCount(transaction, "people", this.#count("watchlist"));
    for (const purge of this.#purges) await purgeData(transaction, { ...purge, at: clock.now(), purged, holder: null });
    for (const kind of ["release", "observation", "source-reads"])
      await notifications.send(transaction, "records", `${this.#writer} ${kind}`);
    await notifications.send(transaction, "deliveries");
  }

  async #insertQueues(): Promise<void> {
    const empty = { ...NO_PAUSE, ...NO_ATTEMPT_DELAY };
    for (const page of inPages(this.#queues.values(), PAGE))
      await this.#transaction
        .insertInto("queues")
        .values(page.map((row) => ({ ...empty, ...row })))
        .execute();
    await sql`
      update queues set (waiting, first_arrival) = (
        select count(*), min(arrival) from deliveries where queue_key = queues.key and message_id is null
      )
    `.execute(this.#transaction);
  }
}

async function assertKnownEvents(transaction: Transaction<Schema>): Promise<void> {
  const unknown = await transaction
    .selectFrom("deliveries")
    .select(["id", "event_id"])
    .where("message_id", "is", null)
    .where(sql<boolean>`not exists (select 1 from events where events.id = deliveries.event_id)`)
    .limit(1)
    .executeTakeFirst();
  if (unknown !== undefined)
    throw new StoreError(`delivery ${unknown.id}: its event ${unknown.event_id} is not among the records`);
}

/** Numbers of rules and postings are not used again, even if the records don't contain the last one. */
async function raiseNumbers(transaction: Transaction<Schema>): Promise<void> {
  await sql`
    insert into rule_numbers (destination, last) select destination, max(number) from rules where true group by destination
    on conflict (destination) do update
      set last = case when excluded.last > rule_numbers.last then excluded.last else rule_numbers.last end
  `.execute(transaction);
  await sql`
    update posting_number set last = (select max(number) from postings) where last < (select max(number) from postings)
  `.execute(transaction);
}
