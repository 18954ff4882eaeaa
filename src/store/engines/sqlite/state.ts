import { rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import { systemClock } from "../../../lib/clock.ts";
import { syncFolder } from "../../../lib/durable-file.ts";
import { SILENT_LOG } from "../../../ports/log.ts";
import type { StateKind, StateRecord } from "../../../ports/state-records.ts";
import { StoreError } from "../../../ports/store.ts";
import { readState } from "../../state/read-state.ts";
import { writeState } from "../../state/restore.ts";
import type { RestoreOptions } from "../../store-definition.ts";
import { SqliteDatabase } from "./database.ts";
import {
  asStoreError,
  DATABASE_FILE,
  findDatabase,
  lockFolder,
  RESTORED_FILE,
  removeDatabase,
  stateFiles,
} from "./folder.ts";
import { assertMatching, openDatabase, sqliteMigrations } from "./open.ts";

/** Reads the state of a folder as it is at one moment; yields nothing if it has no database. Another process may use the folder. */
export async function* readFolder(dir: string, kinds?: readonly StateKind[]): AsyncGenerator<StateRecord> {
  const path = await asStoreError(dir, () => findDatabase(dir));
  if (path === null) return;
  await asStoreError(dir, () => assertMatching(path));
  const database = new SqliteDatabase(path, SILENT_LOG);
  yield* readState(database, { migrations: sqliteMigrations(database), kinds });
}

/**
 * Writes the records into a new database, which becomes that of the folder when it is complete. Fails if the folder has a state. An error
 * thrown by `records` is passed on unchanged.
 */
export async function restoreFolder(
  dir: string,
  records: AsyncIterable<StateRecord>,
  { holder }: RestoreOptions,
): Promise<void> {
  const lock = await asStoreError(dir, () => lockFolder(dir, holder));
  try {
    await assertEmpty(dir);
    const path = join(dir, RESTORED_FILE);
    await removeDatabase(path);
    try {
      await write(path, records);
      await asStoreError(dir, async () => {
        await rename(path, join(dir, DATABASE_FILE));
        await syncFolder(resolve(dir));
      });
    } finally {
      await removeDatabase(path);
    }
  } finally {
    await lock.release();
  }
}

async function assertEmpty(dir: string): Promise<void> {
  const names = await asStoreError(dir, () => stateFiles(dir));
  if (names.length === 0) return;
  throw new StoreError(
    `DATA_DIR: got ${dir}, which already holds a state (${names.toSorted().join(", ")}), expected a folder without one. ` +
      `Move it away (mv ${dir} ${dir}.old), or give another DATA_DIR. Nothing was changed`,
  );
}

/** The file is complete when its log is part of it. Closing the database would leave it incomplete on a full disk, without an error. */
async function write(path: string, records: AsyncIterable<StateRecord>): Promise<void> {
  const database = await openDatabase(path, SILENT_LOG);
  try {
    await writeState(database, records, { clock: systemClock, now: systemClock.now() });
    await database.truncateLog();
  } finally {
    await database.close();
  }
}
