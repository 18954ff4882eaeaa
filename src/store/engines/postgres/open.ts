import { hostname } from "node:os";
import { type Kysely, sql } from "kysely";
import { type Log, SILENT_LOG } from "../../../ports/log.ts";
import { type Store, StoreError, StoreSettingError } from "../../../ports/store.ts";
import { baseMigration, Migrations } from "../../migrations.ts";
import { openCollections } from "../../open-collections.ts";
import type { SharedTime } from "../../process-clock.ts";
import type { Schema } from "../../schema.ts";
import type { MigrationState, OpenOptions } from "../../store-definition.ts";
import { PostgresDatabase } from "./database.ts";
import { DatabaseTime } from "./database-time.ts";
import { DatabaseMembership } from "./membership.ts";
import { DatabaseNotifications } from "./notifications.ts";
import { PostgresRateSlots } from "./rate-slots.ts";
import { Session } from "./session.ts";
import type { DatabaseAddress } from "./settings.ts";
import { STATEMENTS } from "./statements.ts";

export const MIGRATIONS = [baseMigration(STATEMENTS)];

export function postgresMigrations(database: PostgresDatabase): Migrations {
  return new Migrations(database, MIGRATIONS);
}

export interface PostgresOptions extends OpenOptions {
  readonly address: DatabaseAddress;
  /** Replaces the time of the database. */
  readonly sharedTime?: SharedTime;
}

/** The oldest major version that the PostgreSQL project maintains. */
const MIN_VERSION = 15;

export interface PostgresStore extends Store {
  readonly membership: DatabaseMembership;
}

/** Opens the store in a database, whose pending migrations are applied. Failures are StoreErrors that say what to do. */
export async function openPostgresStore(options: PostgresOptions): Promise<PostgresStore> {
  const { address, clock, log, holder = `pid ${process.pid}`, roles = null } = options;
  const name = applicationName(holder);
  const database = new PostgresDatabase(address, { log, applicationName: name });
  const notifications = new DatabaseNotifications();
  const session = new Session(address, name, notifications);
  const close = async (): Promise<void> => {
    await session.close();
    await database.close();
  };
  try {
    await prepare(database, log);
    const databaseTime = new DatabaseTime(clock);
    const membership = await DatabaseMembership.join(session, { clock, log, holder, roles, time: databaseTime });
    try {
      return await openStore(options, { database, databaseTime, membership, notifications, close });
    } catch (error) {
      await membership.close();
      throw error;
    }
  } catch (error) {
    await close();
    throw error;
  }
}

interface Connected {
  readonly database: PostgresDatabase;
  readonly notifications: DatabaseNotifications;
  readonly databaseTime: DatabaseTime;
  readonly membership: DatabaseMembership;
  readonly close: () => Promise<void>;
}

async function openStore(
  { clock, log, sharedTime, configuredRules }: PostgresOptions,
  { database, databaseTime, membership, notifications, close }: Connected,
): Promise<PostgresStore> {
  const time = sharedTime ?? databaseTime;
  const rateSlots = await PostgresRateSlots.open(database, time);
  const parts = { database, membership, notifications, time, rateSlots, configuredRules, clock, log };
  const store = await openCollections({
    ...parts,
    snapshotFile: null,
    afterPurge: (person) => rateSlots.purge(person),
    close: async () => {
      await membership.close();
      await close();
    },
  });
  return { ...store, membership };
}

async function prepare(database: PostgresDatabase, log: Log): Promise<void> {
  await checkServer(database);
  const { pending } = await postgresMigrations(database).read();
  if (pending.length === 0) return;
  // Empty if another process has applied them meanwhile.
  const migrations = await migrateDatabase(database.address);
  if (migrations.length > 0) log.info("database migrated", { migrations });
}

/** Throws a StoreSettingError if splitwatch can't use the server. */
async function checkServer(database: PostgresDatabase): Promise<void> {
  const problem = serverProblem(await describeServer(database)) ?? (await poolingProblem(database));
  if (problem !== null) throw new StoreSettingError(`DATABASE_URL: ${problem}`);
}

/** Applies the pending migrations and returns their names. */
export async function migrateDatabase(address: DatabaseAddress): Promise<readonly string[]> {
  return withMigrationDatabase(address, async (database) => {
    await checkServer(database);
    return postgresMigrations(database).apply();
  });
}

export async function readDatabaseMigrations(address: DatabaseAddress): Promise<MigrationState> {
  return withMigrationDatabase(address, (database) => postgresMigrations(database).read());
}

/** Connects for migrations, whose statements may take any time. */
async function withMigrationDatabase<T>(
  address: DatabaseAddress,
  work: (database: PostgresDatabase) => Promise<T>,
): Promise<T> {
  const limits = { maxConnections: 2, statementMs: 0, lockMs: 0 };
  const database = new PostgresDatabase(address, {
    log: SILENT_LOG,
    applicationName: applicationName("migrations"),
    limits,
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

export interface ServerDescription {
  readonly user: string;
  /** Schema of the tables; null if the user may use no schema of the search path. */
  readonly schema: string | null;
  readonly searchPath: string;
  /** Version number as PostgreSQL counts: 170004 is 17.4. */
  readonly version: number;
  readonly encoding: string;
  readonly isReadOnly: boolean;
  readonly canCreate: boolean;
  /** The server's clock, in milliseconds. */
  readonly now: number;
}

export async function describeServer({ db }: PostgresDatabase): Promise<ServerDescription> {
  const { rows } = await sql<ServerDescription>`
    select
      current_user as user,
      current_schema() as schema,
      current_setting('search_path') as "searchPath",
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
export function serverProblem(server: ServerDescription): string | null {
  const { version, encoding, isReadOnly, user, schema, searchPath } = server;
  const major = Math.floor(version / 10_000);
  if (major < MIN_VERSION) return `PostgreSQL ${major} is too old; update the server to ${MIN_VERSION} or newer`;
  if (encoding !== "UTF8") return `the database has the encoding ${encoding}; create it with the encoding UTF8`;
  if (isReadOnly) return "the server is read-only; name the primary server";
  if (schema === null)
    return `user ${user} can use no schema of the search path (${searchPath}); grant USAGE on the schema, or correct the user's search_path`;
  return null;
}

/**
 * Why splitwatch can't use the pooler at the address; null if there is none, or if it pools by session. A connection must have the same
 * process of the server before, during and after a transaction of another connection, which has another one. An idle pooler in
 * transaction mode reuses its last connection, or takes turns. Needs two connections.
 */
export async function poolingProblem({ db, address }: PostgresDatabase): Promise<string | null> {
  const isPooled = await db.connection().execute(async (connection) => {
    const backends = new Set([await backendOf(connection)]);
    const other = await db
      .transaction()
      .setAccessMode("read only")
      .execute(async (transaction) => {
        const backend = await backendOf(transaction);
        // A pooler with one connection has none left now.
        if (!backends.has(backend)) backends.add(await backendOf(connection));
        return backend;
      });
    for (let reads = 0; reads < 2; reads += 1) backends.add(await backendOf(connection));
    return backends.size > 1 || backends.has(other);
  });
  if (!isPooled) return null;
  return `the pooler at ${address.server} pools by transaction; set it to session mode (PgBouncer: pool_mode = session), or connect to PostgreSQL directly`;
}

/** Identifies the process of the server that executes the statement. */
async function backendOf(db: Kysely<Schema>): Promise<string | undefined> {
  const { rows } = await sql<{ readonly backend: string }>`
    select concat(pid, ' ', backend_start) as backend from pg_stat_activity where pid = pg_backend_pid()
  `.execute(db);
  return rows[0]?.backend;
}

/** Name in pg_stat_activity, which is limited to 63 bytes. */
function applicationName(holder: string): string {
  return `splitwatch ${holder} ${hostname()}`.slice(0, 63);
}
