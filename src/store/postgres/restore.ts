import { randomUUID } from "node:crypto";
import { sql, type Transaction } from "kysely";
import { attemptSchema } from "../../domain/alert/delivery.ts";
import { destinationKey } from "../../domain/alert/destination.ts";
import { MAX_PAUSE_MS, pauseSchema } from "../../domain/alert/pause.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Clock } from "../../ports/clock.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import type { StateKind, StateRecord, StateValues } from "../../ports/state-records.ts";
import { StoreError } from "../../ports/store.ts";
import { insertKeys } from "./collections/api-keys.ts";
import { purgeData } from "./collections/purge.ts";
import { Database, json, lockName } from "./database.ts";
import { notification } from "./notifications.ts";
import { migrateDatabase } from "./open.ts";
import { type RestoredRevision, type Row, rowsOf, type TableName } from "./restored-rows.ts";
import type { Schema } from "./schema.ts";
import type { DatabaseAddress } from "./settings.ts";
import { STATE_TABLES, tablesWithRows } from "./state-tables.ts";

/** Rows that one statement inserts. */
const BATCH = 500;

interface RestoreParts {
  readonly clock?: Clock;
  /** Replaces the shared time of the database. */
  readonly sharedNow?: number;
}

/**
 * Writes the records in one transaction into a database that has no state yet; creates the tables if needed. Failures are
 * StoreErrors that say what to do; an error thrown by `records` is passed on unchanged.
 */
export async function restoreDatabase(
  address: DatabaseAddress,
  records: AsyncIterable<StateRecord>,
  { clock = systemClock, sharedNow }: RestoreParts = {},
): Promise<void> {
  await migrateDatabase(address);
  const limits = { maxConnections: 1, statementMs: 0 };
  const database = new Database(address, { log: SILENT_LOG, applicationName: "splitwatch restore", limits });
  try {
    await database.db.transaction().execute(async (transaction) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
      await lockEmptyState(transaction, address);
      const now = sharedNow ?? (await readSharedTime(transaction));
      const state = await RestoredState.begin({ transaction, clock, now });
      for await (const record of records) await state.add(record);
      await state.finish();
    });
  } finally {
    await database.close();
  }
}

/** Other processes can't write until the transaction ends. */
async function lockEmptyState(transaction: Transaction<Schema>, address: DatabaseAddress): Promise<void> {
  await lockName(transaction, "restore");
  const tables = sql.join(["snapshot", "posting_number", ...STATE_TABLES].map((name) => sql.table(name)));
  await sql`lock table ${tables} in share row exclusive mode`.execute(transaction);
  const found = await tablesWithRows(transaction);
  if (found.length === 0) return;
  const { database, server } = address;
  throw new StoreError(
    `DATABASE_URL: got ${database} at ${server}, which already holds a state (${found.join(", ")}), expected a database without ` +
      "one. Name another database, or create this one again (dropdb, createdb). Nothing was changed",
  );
}

async function readSharedTime(transaction: Transaction<Schema>): Promise<number> {
  const { rows } = await sql<{ readonly now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::int8 + correction_ms as now from shared_time
  `.execute(transaction);
  return rows[0]?.now ?? 0;
}

/** Kinds that are written after all others. */
const LATER = ["attempt", "pause", "forgetting", "api-key", "posting-number"] as const;

type LaterKind = (typeof LATER)[number];

interface RestoredParts {
  readonly transaction: Transaction<Schema>;
  readonly clock: Clock;
  /** Shared time. */
  readonly now: number;
  readonly revision: RestoredRevision;
}

/** Inserts records in batches, each table in the order of its records. */
class RestoredState {
  readonly #parts: RestoredParts;
  /** Rows that are not inserted yet. */
  readonly #pending = new Map<TableName, Row[]>();
  readonly #later: { readonly [K in LaterKind]: StateValues[K][] } = {
    attempt: [],
    pause: [],
    forgetting: [],
    "api-key": [],
    "posting-number": [],
  };

  private constructor(parts: RestoredParts) {
    this.#parts = parts;
  }

  static async begin(parts: Omit<RestoredParts, "revision">): Promise<RestoredState> {
    const { rows } = await sql<{ readonly number: number }>`
      update snapshot set version = greatest(version, (select max(last) from source_revisions)) + 1
      returning version as number
    `.execute(parts.transaction);
    return new RestoredState({ ...parts, revision: { number: rows[0]?.number ?? 1, writer: randomUUID() } });
  }

  async add({ kind, value }: StateRecord): Promise<void> {
    if (isLater(kind)) (this.#later[kind] as unknown[]).push(value);
    else for (const [table, row] of rowsOf(kind, value, this.#parts.revision)) await this.#insert(table, row);
  }

  async #insert(table: TableName, row: Row): Promise<void> {
    const rows = this.#pending.get(table) ?? [];
    this.#pending.set(table, rows);
    rows.push(row);
    if (rows.length === BATCH) await this.#flush(table);
  }

  async #flush(table: TableName): Promise<void> {
    const rows = this.#pending.get(table) ?? [];
    this.#pending.delete(table);
    const { transaction } = this.#parts;
    if (table === "snapshot")
      await transaction
        .updateTable("snapshot")
        .set({ ...rows.at(-1), complete_from: this.#parts.revision.number })
        .execute();
    else if (rows.length > 0) await transaction.insertInto(table).values(rows).execute();
  }

  /** Writes the rest, and what is derived from the records. */
  async finish(): Promise<void> {
    for (const table of this.#pending.keys()) await this.#flush(table);
    const { transaction, clock, revision } = this.#parts;
    await assertKnownEvents(transaction);
    await this.#fillQueues();
    await fillNumbers(transaction, this.#later["posting-number"].at(-1)?.last ?? 0);
    await sql`update source_revisions set last = ${revision.number}`.execute(transaction);
    await insertKeys(transaction, this.#later["api-key"]);
    for (const { person, tests } of this.#later.forgetting)
      await purgeData(transaction, { person, tests, at: clock.now() });
    for (const kind of ["release", "observation", "source-reads"])
      await notification("records", `${revision.writer} ${kind}`).execute(transaction);
    await notification("deliveries").execute(transaction);
  }

  async #fillQueues(): Promise<void> {
    const { transaction } = this.#parts;
    await sql`
      insert into queues (key, platform, waiting, first_arrival)
      select queue_key, split_part(queue_key, ':', 1), count(*), min(arrival)
      from deliveries where message_id is null group by queue_key
    `.execute(transaction);
    for (const attempt of this.#later.attempt) await this.#insertAttempt(attemptSchema.parse(attempt));
    for (const pause of this.#later.pause) await this.#insertPause(pauseSchema.parse(pause));
  }

  async #insertAttempt(attempt: StateValues["attempt"]): Promise<void> {
    const { transaction } = this.#parts;
    const { to, body, replyTo, createdAt, state, sends, blindResends, notBefore, delayMs, problem } = attempt;
    const key = destinationKey(to);
    await sql`
      insert into attempts (
        queue_key, message_id, deliveries, body, reply_to, created_at, state,
        sends, blind_resends, not_before, delay_ms, problem
      ) values (
        ${key}, ${attempt.messageId}, ${attempt.deliveries}, ${json(body)}, ${replyTo === null ? null : json(replyTo)},
        ${createdAt}, ${state}, ${sends}, ${blindResends}, ${notBefore}, ${delayMs ?? null}, ${problem}
      )
    `.execute(transaction);
    const { due, delay } = this.#delayUntil(notBefore, delayMs);
    await sql`update queues set attempt_due = ${due}, attempt_delay = ${delay} where key = ${key}`.execute(transaction);
  }

  async #insertPause(pause: StateValues["pause"]): Promise<void> {
    const { due, delay } = this.#delayUntil(pause.retryAt, pause.delayMs ?? MAX_PAUSE_MS);
    await sql`
      insert into queues (key, platform, pause, paused_at, pause_due, pause_delay)
      values (${destinationKey(pause.to)}, ${pause.to.platform}, ${json(pause)}, ${pause.at}, ${due}, ${delay})
      on conflict (key) do update set
        pause = excluded.pause, paused_at = excluded.paused_at,
        pause_due = excluded.pause_due, pause_delay = excluded.pause_delay
    `.execute(this.#parts.transaction);
  }

  /** The shared time of a delay until `at`, which is at most `delayMs`; null if it is over. */
  #delayUntil(at: number, delayMs?: number): { readonly due: number | null; readonly delay: number | null } {
    const { clock, now } = this.#parts;
    const remainingMs = Math.min(at - clock.now(), delayMs ?? Number.POSITIVE_INFINITY);
    if (remainingMs <= 0) return { due: null, delay: null };
    return { due: Math.ceil(now + remainingMs), delay: delayMs === undefined ? null : Math.ceil(delayMs) };
  }
}

function isLater(kind: StateKind): kind is LaterKind {
  return LATER.some((later) => later === kind);
}

async function assertKnownEvents(transaction: Transaction<Schema>): Promise<void> {
  const { rows } = await sql<{ readonly id: string; readonly event_id: string }>`
    select id, event_id from deliveries d
    where message_id is null and not exists (select from events e where e.id = d.event_id) limit 1
  `.execute(transaction);
  for (const { id, event_id } of rows)
    throw new StoreError(`delivery ${id}: its event ${event_id} is not among the records`);
}

async function fillNumbers(transaction: Transaction<Schema>, lastPosting: number): Promise<void> {
  await sql`
    insert into rule_numbers (destination, last) select destination, max(number) from rules group by destination
    on conflict (destination) do update set last = greatest(rule_numbers.last, excluded.last)
  `.execute(transaction);
  await sql`
    select
      change_count('waiting', (select count(*) from deliveries where message_id is null)),
      change_count('rules', (select count(*) from rules)),
      change_count('people', (select count(*) from watchlists))
  `.execute(transaction);
  await sql`
    update posting_number set last = greatest(${lastPosting}, (select max(number) from postings))
  `.execute(transaction);
}
