import { mkdir, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { makeFolder, readIfExists, syncFolder, temporaryTarget } from "../../../lib/durable-file.ts";
import { acquireProcessLock, LockHeldError, type ProcessLock } from "../../../lib/process-lock.ts";
import type { Posting } from "../../../ports/state-records.ts";
import { StoreError } from "../../../ports/store.ts";
import { emptyLog, type LogContent, parseLog } from "../log/append-only-log.ts";
import { type ArchiveFile, EMPTY_ARCHIVE } from "../log/archive.ts";
import type { LogRecord } from "../log/replayed-state.ts";
import { EMPTY_SNAPSHOT_FILE, type SnapshotFile } from "../log/snapshot-file.ts";
import { createRows } from "../rows/checkpoint.ts";
import {
  CHECKPOINT_NAME,
  isRowFileName,
  readRows,
  rowFileNames,
  type StoredRows,
  unlistedTables,
} from "../rows/stored-rows.ts";
import { type Disk, damagedFileError } from "./disk.ts";
import { EARLIER_FILE_NAMES, readEarlierFiles } from "./earlier-files.ts";
import { type OpenedFile, openJsonFile, type ReadFile } from "./json-file.ts";

export const FILE_NAMES = {
  snapshot: "snapshot.json",
  history: "history.json",
  postings: "postings.log",
  checkpoint: CHECKPOINT_NAME,
  journal: "journal.log",
} as const;

export interface StoreFiles {
  /** Rows of all other collections. */
  readonly rows: StoredRows;
  readonly snapshot: OpenedFile<SnapshotFile>;
  readonly history: OpenedFile<ArchiveFile>;
  readonly postings: OpenedLog<Posting>;
  readonly journal: OpenedLog<LogRecord>;
}

/** Schema of the journal that introduced `checkpoint.json` and the files that it lists. */
const ROWS_SINCE = 6;

export interface OpenedLog<E> {
  readonly path: string;
  /** False if the file does not exist yet. */
  readonly exists: boolean;
  /** True if the log has entries. */
  readonly isUsed: boolean;
  readonly read: LogContent<E>;
}

/**
 * Reads all files and changes none. Throws a StoreError for a lost file, because starting without it would repeat or lose
 * alerts. A missing file is lost if `journal.log` exists, since that is created last; a missing `journal.log` is lost if any
 * other file is used.
 */
export async function readFiles(disk: Disk, dir: string, readFile: ReadFile = readIfExists): Promise<StoreFiles> {
  const json = <S>(name: string, initial: S): Promise<OpenedFile<S>> =>
    openJsonFile(disk, join(dir, name), initial, readFile);
  const rows = await readRows(disk, dir, readFile);
  const files: StoreFiles = {
    rows,
    snapshot: await json(FILE_NAMES.snapshot, EMPTY_SNAPSHOT_FILE),
    history: await json(FILE_NAMES.history, EMPTY_ARCHIVE),
    postings: await readLog(join(dir, FILE_NAMES.postings), readFile),
    journal: await readLog(join(dir, FILE_NAMES.journal), readFile),
  };
  const schema = files.journal.exists ? files.journal.read.head.schema : null;
  if (!rows.checkpoint.exists && schema !== null && schema >= ROWS_SINCE)
    throw damagedFileError(rows.checkpoint.path, "is missing");
  await readEarlierFiles({ disk, dir, readFile }, rows, schema);
  assertNoneLost(files);
  return files;
}

/**
 * Creates the missing files of a new folder, of a folder with an earlier schema, or after an interrupted first start. Returns
 * false if none is missing.
 */
export async function createMissing(disk: Disk, dir: string, files: StoreFiles): Promise<boolean> {
  const { journal, rows, ...otherFiles } = files;
  const missingFiles = [...Object.values(otherFiles), journal].filter(({ exists }) => !exists);
  const hasAllTables = unlistedTables(rows).length === 0;
  if (hasAllTables && missingFiles.length === 0) return false;
  if (!hasAllTables) await createRows(disk, dir, rows);
  for (const file of missingFiles) {
    if ("low" in file) await file.low.write();
    else await disk.replace(file.path, emptyLog());
  }
  return true;
}

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

const FIXED_NAMES: ReadonlySet<string> = new Set([...Object.values(FILE_NAMES), ...EARLIER_FILE_NAMES]);

function isStoreFileName(name: string): boolean {
  return FIXED_NAMES.has(name) || isRowFileName(name);
}

/** Names of the store's files in the folder; empty if it does not exist. */
export async function storeFileNames(dir: string): Promise<readonly string[]> {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter(isStoreFileName);
}

/** Removes files of rows that are not part of the state: left by an interrupted checkpoint, or of an earlier schema. */
export async function removeSuperseded(dir: string, { rows }: StoreFiles): Promise<void> {
  const used = new Set(rowFileNames(rows));
  const superseded = new Set<string>(EARLIER_FILE_NAMES);
  for (const name of await readdir(dir))
    if (superseded.has(name) || (isRowFileName(name) && !used.has(name))) await rm(join(dir, name));
}

function assertNoneLost({ journal, rows, ...otherFiles }: StoreFiles): void {
  if (!journal.exists) {
    const hasRows = rows.tables.all().some(({ size }) => size > 0);
    if (hasRows || Object.values(otherFiles).some(({ isUsed }) => isUsed))
      throw damagedFileError(journal.path, "is missing");
    return;
  }
  const lostFile = Object.values(otherFiles).find(({ exists }) => !exists);
  if (lostFile) throw damagedFileError(lostFile.path, "is missing");
}

async function readLog<E>(path: string, readFile: ReadFile): Promise<OpenedLog<E>> {
  const bytes = await readFile(path);
  const read = parseLog<E>(path, bytes ?? Buffer.from(emptyLog()));
  return { path, exists: bytes !== null, isUsed: read.entries.length > 0, read };
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

/** Moves the files of a committed restore into `dir`, `journal.log` last. Returns false if there is no committed restore. */
async function completeStaging(dir: string): Promise<boolean> {
  const names = await committedFiles(dir);
  if (names === null) return false;
  const journalLast = names.toSorted((a, b) => Number(a === FILE_NAMES.journal) - Number(b === FILE_NAMES.journal));
  for (const name of journalLast) await rename(join(dir, COMMITTED, name), join(dir, name));
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
