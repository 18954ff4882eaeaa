import { constants, open, readdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { folderProblem, makeFolder, syncFolder, temporaryTarget } from "../../../lib/durable-file.ts";
import { errorMessage } from "../../../lib/error-text.ts";
import { acquireProcessLock, LockHeldError, type ProcessLock } from "../../../lib/process-lock.ts";
import { StoreError, StoreSettingError } from "../../../ports/store.ts";
import { SNAPSHOT_FILE } from "../../snapshot/snapshot-file.ts";
import { damagedFileError } from "./errors.ts";

/** File in DATA_DIR with the tables. */
export const DATABASE_FILE = "splitwatch.db";

/** A database that a restore has not completed. */
export const RESTORED_FILE = `${DATABASE_FILE}.restore`;

/** Files that only earlier builds of splitwatch wrote. */
const EARLIER_FILES = /^(?:journal\.log|checkpoint\.json|changes\..*|keys\.json)$/;

/** Creates the folder if needed and locks it; throws a StoreError that names the process that holds the lock. */
export async function lockFolder(dir: string, holder: string): Promise<ProcessLock> {
  await makeFolder(resolve(dir));
  try {
    return await acquireProcessLock({ dir, name: "lock", holder });
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    throw new StoreError(
      `${dir} is in use by another splitwatch (${error.holder}). Stop that process first, or set another DATA_DIR for this process`,
      { cause: error },
    );
  }
}

/**
 * Returns the path of the database; null if the folder has none yet. Throws a StoreError if its state is not readable: without the
 * database, alerts would be repeated or lost.
 */
export async function findDatabase(dir: string): Promise<string | null> {
  const names = await stateFiles(dir);
  const path = join(dir, DATABASE_FILE);
  if (names.includes(DATABASE_FILE)) {
    // A first start that was killed leaves an empty file, but no snapshot.
    if (names.includes(SNAPSHOT_FILE) && (await stat(path)).size === 0)
      throw damagedFileError(path, `is empty beside ${SNAPSHOT_FILE}`);
    return path;
  }
  const earlier = names.find((name) => EARLIER_FILES.test(name));
  if (earlier !== undefined) throw new StoreError(earlierFormat(dir, earlier));
  if (names.length > 0) throw damagedFileError(path, `is missing beside ${SNAPSHOT_FILE}`);
  return null;
}

/** Names of the files with a state, of this version or an earlier build; empty if the folder does not exist. */
export async function stateFiles(dir: string): Promise<readonly string[]> {
  const names: readonly string[] = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => name === DATABASE_FILE || name === SNAPSHOT_FILE || EARLIER_FILES.test(name));
}

function earlierFormat(dir: string, name: string): string {
  return (
    `${join(dir, name)} was written by an earlier build of splitwatch. No file was changed. Back up the folder with that build ` +
    `(splitwatch backup FILE), move the folder ${dir} away, and restore the backup with this build (splitwatch restore FILE)`
  );
}

/** Creates the file, which only its owner may read, if there is none. */
export async function createDatabaseFile(path: string): Promise<void> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  await file.close();
  await syncFolder(resolve(path, ".."));
}

/** Removes a database and its log. */
export async function removeDatabase(path: string): Promise<void> {
  for (const suffix of ["", "-wal", "-shm"]) await rm(path + suffix, { force: true });
}

/** Removes the files of a killed process that were to replace files of the store. */
export async function removeTemporaryFiles(dir: string): Promise<void> {
  for (const name of await readdir(dir))
    if ([DATABASE_FILE, SNAPSHOT_FILE].includes(temporaryTarget(name) ?? ""))
      await rm(join(dir, name), { force: true });
}

const ROOT = 0;

/** Returns a warning if other users of the machine, except root, can write in the folder; null if they cannot. */
export async function accessProblem(dir: string): Promise<string | null> {
  const ownUid = process.getuid?.();
  const { mode, uid } = await stat(dir);
  if (ownUid === undefined) return null;
  if (uid !== ownUid && uid !== ROOT)
    return `DATA_DIR: another user (${uid}) owns ${dir} and could replace its files: chown ${ownUid} ${dir}`;
  if ((mode & 0o022) === 0) return null;
  const octal = (mode & 0o777).toString(8);
  return `DATA_DIR: other users can write in ${dir} (mode ${octal}); they could replace its files: chmod 700 ${dir}`;
}

/** Wraps errors of `work` in StoreErrors that name the folder. */
export async function asStoreError<R>(dir: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const problem = folderProblem(dir, error);
    if (problem !== null) throw new StoreSettingError(problem, { cause: error });
    throw new StoreError(`cannot use ${dir}: ${errorMessage(error)}`, { cause: error });
  }
}
