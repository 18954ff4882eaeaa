import { mkdir, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { makeFolder, syncFolder, temporaryTarget } from "../../../lib/durable-file.ts";
import { acquireProcessLock, LockHeldError, type ProcessLock } from "../../../lib/process-lock.ts";
import { StoreError } from "../../../ports/store.ts";
import { CHECKPOINT_NAME, isRowFileName, rowFileNames, SNAPSHOT_NAME, type StoredRows } from "../rows/stored-rows.ts";

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

/** Removes only the store's temporary files, because other modules write files in this folder without the lock. */
async function removeLeftovers(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    const target = temporaryTarget(name);
    if (target !== null && isStoreFileName(target)) await rm(join(dir, name), { force: true });
  }
}

function isStoreFileName(name: string): boolean {
  return name === CHECKPOINT_NAME || name === SNAPSHOT_NAME || isRowFileName(name);
}

/** Names of the store's files in the folder; empty if it does not exist. */
export async function storeFileNames(dir: string): Promise<readonly string[]> {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter(isStoreFileName);
}

/** Removes files of rows that are not part of the state: an interrupted checkpoint left them. */
export async function removeSuperseded(dir: string, rows: StoredRows): Promise<void> {
  const used = new Set(rowFileNames(rows));
  for (const name of await readdir(dir)) if (isRowFileName(name) && !used.has(name)) await rm(join(dir, name));
}

/**
 * A restore writes its files into the folder STAGING inside DATA_DIR, renames the folder to COMMITTED, and then moves the files
 * into DATA_DIR. If it is interrupted after the rename, the next process that locks DATA_DIR moves the files.
 */
const STAGING = "restore.tmp";
const COMMITTED = "restore.whole";

/** Creates the empty staging folder. */
export async function makeStaging(dir: string): Promise<string> {
  await dropStaging(dir);
  const staging = join(dir, STAGING);
  await mkdir(staging, { mode: 0o700 });
  return staging;
}

/** Removes leftover files of ended processes. Returns whether it completed an interrupted restore. */
export async function tidyFolder(dir: string): Promise<boolean> {
  await removeLeftovers(dir);
  await dropStaging(dir);
  return completeStaging(dir);
}

/** Removes the files of an incomplete restore. */
export async function dropStaging(dir: string): Promise<void> {
  await rm(join(dir, STAGING), { recursive: true, force: true });
}

/** Makes the durable files in the staging folder the state of `dir`. */
export async function commitStaging(dir: string): Promise<void> {
  await syncFolder(join(dir, STAGING));
  await rename(join(dir, STAGING), join(dir, COMMITTED));
  await syncFolder(dir);
  await completeStaging(dir);
}

/** Moves the files of a committed restore into `dir`, `checkpoint.json` last. Returns false if there is no committed restore. */
async function completeStaging(dir: string): Promise<boolean> {
  const names = await committedFiles(dir);
  if (names === null) return false;
  const listLast = names.toSorted((a, b) => Number(a === CHECKPOINT_NAME) - Number(b === CHECKPOINT_NAME));
  for (const name of listLast) await rename(join(dir, COMMITTED, name), join(dir, name));
  await syncFolder(dir);
  await rmdir(join(dir, COMMITTED));
  await syncFolder(dir);
  return true;
}

/** Throws if a committed restore is not complete yet. For readers without the lock. */
export async function assertNoPendingRestore(dir: string): Promise<void> {
  if ((await committedFiles(dir)) === null) return;
  throw new StoreError(
    `${dir}: a restore was interrupted while it moved its files. The next start of splitwatch completes it`,
  );
}

async function committedFiles(dir: string): Promise<readonly string[] | null> {
  return readdir(join(dir, COMMITTED)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}
