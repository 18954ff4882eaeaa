import { mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isTemporaryName, readIfExists, syncFolder } from "../../../lib/durable-file.ts";
import { acquireProcessLock, LockHeldError, type ProcessLock } from "../../../lib/process-lock.ts";
import type { Posting } from "../../../ports/state-records.ts";
import { StoreError } from "../../../ports/store.ts";
import type { CalendarsFile } from "../collections/calendars.ts";
import type { SettingsFile } from "../collections/destination-settings.ts";
import type { PeopleFile } from "../collections/direct-channels.ts";
import type { ImportsFile } from "../collections/imports.ts";
import { type InstallationsFile, NO_INSTALLATIONS } from "../collections/installations.ts";
import type { ReleaseEntry } from "../collections/releases.ts";
import { NO_RULES, type RulesFile } from "../collections/rules.ts";
import type { WatchlistsFile } from "../collections/watchlists.ts";
import { type ArchiveFile, EMPTY_ARCHIVE } from "../log/archive.ts";
import type { LedgerEntry } from "../log/ledger-entry.ts";
import { EMPTY_SNAPSHOT_FILE, type SnapshotFile } from "../log/snapshot-file.ts";
import { emptyJournal, type ReadJournal, readJournal } from "../log/write-ahead-log.ts";
import { damaged } from "./damage.ts";
import type { Disk } from "./disk.ts";
import { type OpenedFile, openJsonFile, type ReadFile } from "./json-file.ts";

export const NAMES = {
  snapshot: "snapshot.json",
  history: "history.json",
  rules: "rules.json",
  watchlists: "watchlists.json",
  people: "people.json",
  settings: "settings.json",
  calendars: "calendars.json",
  imports: "imports.json",
  installations: "installations.json",
  postings: "postings.log",
  releases: "releases.log",
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
  readonly postings: OpenedLog<Posting>;
  readonly releases: OpenedLog<ReleaseEntry>;
  readonly journal: OpenedLog<LedgerEntry>;
}

interface OpenedLog<E> {
  readonly path: string;
  /** False: there is no such file yet. */
  readonly found: boolean;
  readonly read: ReadJournal<E>;
}

/**
 * Reads all files, and changes none. A folder is begun with `journal.log` made last, so a journal without one of the other
 * files means that the file was lost, and a used file without a journal that the journal was: to go on with less than all
 * would tell old splits anew, or forget what waits.
 */
export async function readFiles(disk: Disk, dir: string, readFile: ReadFile = readIfExists): Promise<StoreFiles> {
  const json = <S>(name: string, beginning: S): Promise<OpenedFile<S>> =>
    openJsonFile(disk, join(dir, name), beginning, readFile);
  const files: StoreFiles = {
    snapshot: await json(NAMES.snapshot, EMPTY_SNAPSHOT_FILE),
    history: await json(NAMES.history, EMPTY_ARCHIVE),
    rules: await json<RulesFile>(NAMES.rules, NO_RULES),
    watchlists: await json<WatchlistsFile>(NAMES.watchlists, {}),
    people: await json<PeopleFile>(NAMES.people, {}),
    settings: await json<SettingsFile>(NAMES.settings, {}),
    calendars: await json<CalendarsFile>(NAMES.calendars, {}),
    imports: await json<ImportsFile>(NAMES.imports, []),
    installations: await json<InstallationsFile>(NAMES.installations, NO_INSTALLATIONS),
    postings: await readLog(join(dir, NAMES.postings), readFile),
    releases: await readLog(join(dir, NAMES.releases), readFile),
    journal: await readLog(join(dir, NAMES.journal), readFile),
  };
  assertNoneLost(files);
  return files;
}

/** Begins the folder, or goes on where a start was cut short. */
export async function makeMissing(disk: Disk, files: StoreFiles): Promise<void> {
  const { postings, releases, journal, ...json } = files;
  for (const { found, low } of Object.values(json)) if (!found) await low.write();
  for (const { found, path } of [postings, releases, journal]) if (!found) await disk.replace(path, emptyJournal());
}

/** Makes the folder where needed and locks it; throws a StoreError that names the process that holds the lock. */
export async function lockFolder(dir: string, holder: string): Promise<ProcessLock> {
  await makeFolder(dir);
  try {
    return await acquireProcessLock({ dir, name: "lock", holder });
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    throw new StoreError(
      `${dir} is in use by another splitwatch (${error.holder}). Stop that one first, or give this one another DATA_DIR`,
      { cause: error },
    );
  }
}

/** Also makes the folders above it. */
async function makeFolder(dir: string): Promise<void> {
  const first = await mkdir(dir, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  // Each new folder's name must survive a power cut too.
  const top = dirname(resolve(first));
  for (let folder = dirname(resolve(dir)); folder.length > top.length; folder = dirname(folder))
    await syncFolder(folder);
  await syncFolder(top);
}

/** Only those of our own files: others write theirs in this folder without asking for the lock. */
export async function removeLeftovers(dir: string): Promise<void> {
  const ours = Object.values(NAMES);
  for (const name of await readdir(dir))
    if (ours.some((file) => isTemporaryName(name, file))) await rm(join(dir, name), { force: true });
}

function assertNoneLost({ journal, postings, releases, ...json }: StoreFiles): void {
  const needed = [
    ...Object.values(json),
    { ...postings, used: postings.read.entries.length > 0 },
    { ...releases, used: releases.read.entries.length > 0 },
  ];
  const odd = needed.find(({ found, used }) => (journal.found ? !found : used));
  if (odd) throw damaged(journal.found ? odd.path : journal.path, "is missing");
}

async function readLog<E>(path: string, readFile: ReadFile): Promise<OpenedLog<E>> {
  const bytes = await readFile(path);
  return { path, found: bytes !== null, read: readJournal<E>(path, bytes ?? Buffer.from(emptyJournal())) };
}
