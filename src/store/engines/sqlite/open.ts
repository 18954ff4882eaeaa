import { dirname, join } from "node:path";
import { systemClock } from "../../../lib/clock.ts";
import type { ProcessLock } from "../../../lib/process-lock.ts";
import { createRateSlots } from "../../../lib/rate-limiter.ts";
import type { Clock } from "../../../ports/clock.ts";
import { type Log, SILENT_LOG } from "../../../ports/log.ts";
import type { Store } from "../../../ports/store.ts";
import { freeClaims } from "../../collections/claims.ts";
import { NO_RELEASE_DELAY } from "../../collections/queues.ts";
import { readCopy, type SqlSnapshot } from "../../collections/snapshot.ts";
import { baseMigration, Migrations } from "../../migrations.ts";
import { Notifications } from "../../notifications.ts";
import { openCollections } from "../../open-collections.ts";
import type { SharedTime } from "../../process-clock.ts";
import { schemaStatements } from "../../schema-statements.ts";
import { SNAPSHOT_FILE, SnapshotFile } from "../../snapshot/snapshot-file.ts";
import type { OpenOptions } from "../../store-definition.ts";
import { SqliteDatabase } from "./database.ts";
import { damagedFileError } from "./errors.ts";
import {
  accessProblem,
  asStoreError,
  createDatabaseFile,
  DATABASE_FILE,
  findDatabase,
  lockFolder,
  RESTORED_FILE,
  removeDatabase,
  removeTemporaryFiles,
} from "./folder.ts";
import { ONLY_PROCESS, onlyProcess } from "./only-process.ts";

const MIGRATIONS = [
  baseMigration(
    schemaStatements({
      text: "text",
      json: "json_text",
      float: "real",
      sequence: "integer primary key autoincrement",
      compact: "without rowid",
      // Unlike `greatest`, `max` is null if one of its values is.
      latest: (...columns) => `nullif(max(${columns.map((column) => `coalesce(${column}, 0)`).join(", ")}), 0)`,
    }),
  ),
];

/** Time between a copy of the log into the database and the new version of the snapshot, which is written as a whole. */
const RENEWAL_DELAY_MS = 1_000;

export interface SqliteOptions extends OpenOptions {
  /** DATA_DIR; created if it does not exist. */
  readonly dir: string;
}

/** Opens the store in a folder. Failures are StoreErrors that say what to do. */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { dir, holder = `pid ${process.pid}` } = options;
  const lock = await asStoreError(dir, () => lockFolder(dir, holder));
  try {
    return await asStoreError(dir, () => openLocked({ ...options, holder }, lock));
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openLocked(
  { dir, clock, log, holder, roles, configuredRules }: SqliteOptions & { readonly holder: string },
  lock: ProcessLock,
): Promise<Store> {
  const problem = await accessProblem(dir);
  if (problem !== null) log.warn("data folder not protected", { problem });
  await removeDatabase(join(dir, RESTORED_FILE));
  await removeTemporaryFiles(dir);
  const snapshotFile = new SnapshotFile(dir);
  const database = await openFolder(dir, log, snapshotFile);
  try {
    await endClaims(database);
    const closing = new AbortController();
    const store = await openCollections({
      database,
      membership: onlyProcess({ holder, roles: roles ?? null }),
      notifications: new Notifications(),
      time: timeSinceStart(clock),
      rateSlots: createRateSlots(clock),
      snapshotFile,
      configuredRules,
      clock,
      log,
      afterPurge: () => database.truncateLog(),
      close: async () => {
        closing.abort();
        try {
          await database.close();
        } finally {
          await lock.release();
        }
      },
    });
    renewAfterCopies(database, store.snapshot, closing.signal);
    return store;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Renews the snapshot when the log was copied into the database; copies that follow each other share a renewal. */
function renewAfterCopies(database: SqliteDatabase, snapshot: SqlSnapshot, closing: AbortSignal): void {
  let isWaiting = false;
  const renew = async (): Promise<void> => {
    isWaiting = true;
    await systemClock.sleep(RENEWAL_DELAY_MS, closing);
    isWaiting = false;
    if (!closing.aborted) await snapshot.renew();
  };
  // A failure is reported by the database, and made up for after the next copy.
  database.onCopied(() => {
    if (!isWaiting) renew().catch(() => undefined);
  });
}

/** Opens the database of the folder, which is created if there is none. */
export async function openFolder(dir: string, log: Log, file = new SnapshotFile(dir)): Promise<SqliteDatabase> {
  const path = await findDatabase(dir);
  if (path !== null) await assertMatching(path, file);
  return openDatabase(path ?? join(dir, DATABASE_FILE), log);
}

/**
 * Fails if another version wrote the database, or if `snapshot.json` beside it is unreadable, newer, or of another database. Changes no
 * file: a connection that writes would move the log into the database when it is closed.
 */
export async function assertMatching(path: string, file = new SnapshotFile(dirname(path))): Promise<void> {
  const database = new SqliteDatabase(path, SILENT_LOG);
  try {
    await readMatching(database, file);
  } finally {
    await database.close();
  }
}

/** Compares `snapshot.json` with the database beside it. */
export async function readMatching(database: SqliteDatabase, file: SnapshotFile): Promise<void> {
  const { applied } = await sqliteMigrations(database).read();
  if (applied.length > 0) await readCopy(file, database.db);
  else if ((await file.read()) !== null) throw damagedFileError(database.path, `is empty beside ${SNAPSHOT_FILE}`);
}

/** Opens the file, which is created if there is none, with the current schema. */
export async function openDatabase(path: string, log: Log): Promise<SqliteDatabase> {
  await createDatabaseFile(path);
  const database = new SqliteDatabase(path, log);
  try {
    await sqliteMigrations(database).apply();
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

export function sqliteMigrations(database: SqliteDatabase): Migrations {
  return new Migrations(database, MIGRATIONS);
}

/** The last process may have ended without releasing its claims and jobs. */
async function endClaims(database: SqliteDatabase): Promise<void> {
  await database.transaction(async (transaction) => {
    await freeClaims(transaction, ONLY_PROCESS);
    await transaction.updateTable("queues").set({ slot_at: null }).where("slot_at", "is not", null).execute();
    // They may be until a time of day, and the system clock may have been set since.
    await transaction.updateTable("queues").set(NO_RELEASE_DELAY).where("release_due", "is not", null).execute();
    await transaction.updateTable("jobs").set({ holder: null }).execute();
  });
}

/** Time that continues when the system clock is set. */
function timeSinceStart(clock: Clock): SharedTime {
  const origin = clock.now() - clock.monotonic();
  return { now: () => Math.round(origin + clock.monotonic()) };
}
