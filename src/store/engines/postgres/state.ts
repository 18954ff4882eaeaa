import { sql, type Transaction } from "kysely";
import { systemClock } from "../../../lib/clock.ts";
import type { Clock } from "../../../ports/clock.ts";
import { SILENT_LOG } from "../../../ports/log.ts";
import type { StateKind, StateRecord } from "../../../ports/state-records.ts";
import { StoreError } from "../../../ports/store.ts";
import { lockName } from "../../database.ts";
import type { Schema } from "../../schema.ts";
import { readState, tablesWithState } from "../../state/read-state.ts";
import { writeState } from "../../state/restore.ts";
import { STATE_TABLES } from "../../state/state-kinds.ts";
import { PostgresDatabase } from "./database.ts";
import { DatabaseNotifications } from "./notifications.ts";
import { migrateDatabase, postgresMigrations } from "./open.ts";
import type { DatabaseAddress } from "./settings.ts";

interface RestoreParts {
  readonly clock?: Clock;
  /** Replaces the shared time of the database. */
  readonly sharedNow?: number;
}

/** Reads the state of a database as it is at one moment; yields nothing if it has no tables. */
export function readDatabaseState(address: DatabaseAddress, kinds?: readonly StateKind[]): AsyncGenerator<StateRecord> {
  const database = connect(address, "splitwatch backup");
  return readState(database, { migrations: postgresMigrations(database), kinds, begin: allowPauses });
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
  const database = connect(address, "splitwatch restore");
  try {
    await writeState(database, records, {
      clock,
      now: sharedNow ?? (await readSharedTime(database)),
      notifications: new DatabaseNotifications(),
      begin: async (transaction) => {
        await allowPauses(transaction);
        await lockEmptyState(transaction, address);
      },
    });
  } finally {
    await database.close();
  }
}

/** Connects for statements that may take any time. */
function connect(address: DatabaseAddress, applicationName: string): PostgresDatabase {
  const limits = { maxConnections: 1, statementMs: 0 };
  return new PostgresDatabase(address, { log: SILENT_LOG, applicationName, limits });
}

/** The backup may be a pipe, whose other end takes any time. */
async function allowPauses(transaction: Transaction<Schema>): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
}

/** Other processes can't write until the transaction ends. */
async function lockEmptyState(transaction: Transaction<Schema>, address: DatabaseAddress): Promise<void> {
  await lockName(transaction, "restore");
  const tables = sql.join(STATE_TABLES.map((name) => sql.table(name)));
  await sql`lock table ${tables} in share row exclusive mode`.execute(transaction);
  const found = await tablesWithState(transaction);
  if (found.length === 0) return;
  const { database, server } = address;
  throw new StoreError(
    `DATABASE_URL: got ${database} at ${server}, which already holds a state (${found.join(", ")}), expected a database without ` +
      "one. Name another database, or create this one again (dropdb, createdb). Nothing was changed",
  );
}

async function readSharedTime({ db }: PostgresDatabase): Promise<number> {
  const { rows } = await sql<{ readonly now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::int8 + correction_ms as now from shared_time
  `.execute(db);
  return rows[0]?.now ?? 0;
}

/** Names of the tables that the user may not read or change. */
export async function forbiddenTables({ db }: PostgresDatabase): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly name: string }>`
    select name from unnest(${[...STATE_TABLES, "locks", "purge_key"]}::text[]) as name
    where not (
      select bool_and(has_table_privilege(name, privilege)) from unnest(array['select', 'insert', 'update', 'delete']) as privilege
    )
  `.execute(db);
  return rows.map(({ name }) => name);
}
