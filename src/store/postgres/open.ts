import { hostname } from "node:os";
import { sql } from "kysely";
import type { Log } from "../../ports/log.ts";
import { type Store, StoreError, StoreSettingError } from "../../ports/store.ts";
import type { OpenOptions } from "../store-definition.ts";
import { PostgresCalendars } from "./collections/calendars.ts";
import { PostgresDirectChannels } from "./collections/direct-channels.ts";
import { Database } from "./database.ts";
import { applyMigrations, readMigrations } from "./migrate.ts";
import type { DatabaseAddress } from "./settings.ts";

export interface PostgresOptions extends OpenOptions {
  readonly address: DatabaseAddress;
}

/** The oldest major version that the PostgreSQL project maintains. */
const MIN_VERSION = 15;

/** The collections that are kept in PostgreSQL so far. */
export type PostgresStore = Pick<Store, "directChannels" | "calendars" | "health" | "close">;

/** Opens the store in a database, whose pending migrations are applied. Failures are StoreErrors that say what to do. */
export async function openPostgresStore({ address, log, holder }: PostgresOptions): Promise<PostgresStore> {
  const database = new Database(address, { log, applicationName: applicationName(holder) });
  try {
    await prepare(database, log);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    directChannels: new PostgresDirectChannels(database),
    calendars: new PostgresCalendars(database),
    health: () => database.health(),
    close: () => database.close(),
  };
}

async function prepare(database: Database, log: Log): Promise<void> {
  const problem = serverProblem(await describeServer(database));
  if (problem !== null) throw new StoreSettingError(`DATABASE_URL: ${problem}`);
  const { pending } = await readMigrations(database);
  if (pending.length === 0) return;
  const migrations = await migrateDatabase(database.address, log);
  log.info("database migrated", { migrations });
}

/** Applies the pending migrations on a connection of its own, on which statements may take any time. */
export async function migrateDatabase(address: DatabaseAddress, log: Log): Promise<readonly string[]> {
  const limits = { maxConnections: 2, statementMs: 0, lockMs: 0 };
  const database = new Database(address, { log, applicationName: applicationName("migrations"), limits });
  try {
    return await applyMigrations(database);
  } finally {
    await database.close();
  }
}

export interface ServerDescription {
  /** Version number as PostgreSQL counts: 170004 is 17.4. */
  readonly version: number;
  readonly encoding: string;
  readonly isReadOnly: boolean;
  readonly canCreate: boolean;
  /** The server's clock, in milliseconds. */
  readonly now: number;
}

export async function describeServer({ db }: Database): Promise<ServerDescription> {
  const { rows } = await sql<ServerDescription>`
    select
      current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding,
      pg_is_in_recovery() or current_setting('default_transaction_read_only')::bool as "isReadOnly",
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as "canCreate",
      (extract(epoch from clock_timestamp()) * 1000)::int8 as now
  `.execute(db);
  const [row] = rows;
  if (row === undefined)
    throw new StoreError("database: no answer to a query; check that DATABASE_URL names PostgreSQL");
  return row;
}

/** Why splitwatch can't use the server; null if it can. */
export function serverProblem({ version, encoding, isReadOnly }: ServerDescription): string | null {
  const major = Math.floor(version / 10_000);
  if (major < MIN_VERSION) return `PostgreSQL ${major} is too old; update the server to ${MIN_VERSION} or newer`;
  if (encoding !== "UTF8") return `the database has the encoding ${encoding}; create it with the encoding UTF8`;
  if (isReadOnly) return "the server is read-only; name the primary server";
  return null;
}

/** Name in pg_stat_activity, which is limited to 63 bytes. */
function applicationName(holder = `pid ${process.pid}`): string {
  return `splitwatch ${holder} ${hostname()}`.slice(0, 63);
}
