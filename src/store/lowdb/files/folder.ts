import { mkdir, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Observation } from "../../../catalog/observation.ts";
import type { Release } from "../../../catalog/release.ts";
import { isTemporaryName, makeFolder, readIfExists, syncFolder } from "../../../lib/durable-file.ts";
import { acquireProcessLock, LockHeldError, type ProcessLock } from "../../../lib/process-lock.ts";
import type { Posting, SourceReads } from "../../../ports/state-records.ts";
import { StoreError } from "../../../ports/store.ts";
import type { CalendarsFile } from "../collections/calendars.ts";
import type { SettingsFile } from "../collections/destination-settings.ts";
import type { ImportsFile } from "../collections/imports.ts";
import { type InstallationsFile, NO_INSTALLATIONS } from "../collections/installations.ts";
import type { PeopleFile } from "../collections/people.ts";
import { NO_RULES, type RulesFile } from "../collections/rules.ts";
import type { SessionsFile } from "../collections/sessions.ts";
import type { SourceRecordEntry } from "../collections/source-records.ts";
import type { WatchlistsFile } from "../collections/watchlists.ts";
import { emptyLog, type LogContent, parseLog } from "../log/append-only-log.ts";
import { type ArchiveFile, EMPTY_ARCHIVE } from "../log/archive.ts";
import type { LogRecord } from "../log/replayed-state.ts";
import { EMPTY_SNAPSHOT_FILE, type SnapshotFile } from "../log/snapshot-file.ts";
import { type Disk, damagedFileError } from "./disk.ts";
import { type OpenedFile, openJsonFile, type ReadFile } from "./json-file.ts";

export const FILE_NAMES = {
  snapshot: "snapshot.json",
  history: "history.json",
  rules: "rules.json",
  watchlists: "watchlists.json",
  people: "people.json",
  settings: "settings.json",
  calendars: "calendars.json",
  imports: "imports.json",
  installations: "installations.json",
  sessions: "sessions.json",
  postings: "postings.log",
  releases: "releases.log",
  observations: "observations.log",
  sourceReads: "source-reads.log",
  journal: "journal.log",
} as const;

export interface StoreFiles {
  readonly snapshot: OpenedFile<SnapshotFile>;
  readonly history: OpenedFile<ArchiveFile>;
  readonly rules: OpenedFile<RulesFile>;
  readonly watchlists: OpenedFile<WatchlistsFile>;
  readonly people: OpenedFile<PeopleFile>;
  readonly settings: OpenedFile<SettingsFile>;
  readonly calendars: OpenedFile<CalendarsFile>;
  readonly imports: OpenedFile<ImportsFile>;
  readonly installations: OpenedFile<InstallationsFile>;
  readonly sessions: OpenedFile<SessionsFile>;
  readonly postings: OpenedLog<Posting>;
  readonly releases: OpenedLog<SourceRecordEntry<Release>>;
  readonly observations: OpenedLog<SourceRecordEntry<Observation>>;
  readonly sourceReads: OpenedLog<SourceRecordEntry<SourceReads>>;
  readonly journal: OpenedLog<LogRecord>;
}

/** Schema of the journal in which the file was introduced; 1 for all other files. */
const FIRST_SCHEMAS: Readonly<Partial<Record<string, number>>> = { observations: 3, sourceReads: 4, sessions: 5 };

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
  const files: StoreFiles = {
    snapshot: await json(FILE_NAMES.snapshot, EMPTY_SNAPSHOT_FILE),
    history: await json(FILE_NAMES.history, EMPTY_ARCHIVE),
    rules: await json<RulesFile>(FILE_NAMES.rules, NO_RULES),
    watchlists: await json<WatchlistsFile>(FILE_NAMES.watchlists, {}),
    people: await json<PeopleFile>(FILE_NAMES.people, {}),
    settings: await json<SettingsFile>(FILE_NAMES.settings, {}),
    calendars: await json<CalendarsFile>(FILE_NAMES.calendars, {}),
    imports: await json<ImportsFile>(FILE_NAMES.imports, []),
    installations: await json<InstallationsFile>(FILE_NAMES.installations, NO_INSTALLATIONS),
    sessions: await json<SessionsFile>(FILE_NAMES.sessions, []),
    postings: await readLog(join(dir, FILE_NAMES.postings), readFile),
    releases: await readLog(join(dir, FILE_NAMES.releases), readFile),
    observations: await readLog(join(dir, FILE_NAMES.observations), readFile),
    sourceReads: await readLog(join(dir, FILE_NAMES.sourceReads), readFile),
    journal: await readLog(join(dir, FILE_NAMES.journal), readFile),
  };
  assertNoneLost(files);
  return files;
}

/** Creates the missing files of a new folder or after an interrupted first start. */
export async function createMissing(disk: Disk, files: StoreFiles): Promise<void> {
  const { journal, ...otherFiles } = files;
  for (const file of [...Object.values(otherFiles), journal]) {
    if (file.exists) continue;
    if ("low" in file) await file.low.write();
    else await disk.replace(file.path, emptyLog());
  }
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

/** Returns a warning if other users of the machine can write in the folder; null if they cannot. */
export async function accessProblem(dir: string): Promise<string | null> {
  const { mode } = await stat(dir);
  if (process.platform === "win32" || (mode & 0o022) === 0) return null;
  const octal = (mode & 0o777).toString(8);
  return `DATA_DIR: other users can write in ${dir} (mode ${octal}); they could replace its files: chmod 700 ${dir}`;
}

/** Removes only the store's temporary files, because other modules write files in this folder without the lock. */
async function removeLeftovers(dir: string): Promise<void> {
  const names: readonly string[] = Object.values(FILE_NAMES);
  for (const name of await readdir(dir))
    if (names.some((file) => isTemporaryName(name, file))) await rm(join(dir, name), { force: true });
}

function assertNoneLost({ journal, ...otherFiles }: StoreFiles): void {
  if (!journal.exists) {
    if (Object.values(otherFiles).some(({ isUsed }) => isUsed)) throw damagedFileError(journal.path, "is missing");
    return;
  }
  const { schema } = journal.read.head;
  const lostFile = Object.entries(otherFiles).find(
    ([name, { exists }]) => !exists && schema >= (FIRST_SCHEMAS[name] ?? 1),
  );
  if (lostFile) throw damagedFileError(lostFile[1].path, "is missing");
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
