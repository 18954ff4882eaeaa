import { mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Instant } from "../../core/day.ts";
import type { Rule } from "../../core/rule.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { type Posting, type Store, StoreError } from "../../ports/store.ts";
import { isTemporaryName, readIfThere, syncFolder } from "../../system/durable-file.ts";
import { EMPTY_ARCHIVE } from "./archive.ts";
import { damaged } from "./damage.ts";
import { type Disk, realDisk, watchedDisk } from "./disk.ts";
import { LowdbHistory } from "./history.ts";
import { emptyJournal, type ReadJournal, readJournal } from "./journal.ts";
import { type OpenedFile, openJsonFile, StateFile } from "./json-file.ts";
import { Ledger } from "./ledger.ts";
import type { LedgerEntry } from "./ledger-entry.ts";
import { EMPTY_SNAPSHOT_FILE } from "./ledger-state.ts";
import { acquireLock, type Lock } from "./lock.ts";
import { LowdbOutbox } from "./outbox.ts";
import { LowdbPollReports } from "./poll-reports.ts";
import { LowdbPostings } from "./postings.ts";
import { LowdbRules } from "./rules.ts";
import { LowdbSnapshot } from "./snapshot.ts";
import { LowdbWatchlists, type WatchlistsFile } from "./watchlists.ts";
import { WriteHealth } from "./write-health.ts";

export interface LowdbOptions {
  /** DATA_DIR; made when it is not there. */
  readonly dir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Names this process to a second one that is refused: `pid 4711, http://127.0.0.1:8080`. */
  readonly holder?: string;
  readonly disk?: Disk;
  /** The journal is compacted when it is larger, in bytes. */
  readonly compactAbove?: number;
}

const COMPACT_ABOVE = 16 * 1024 * 1024;

const FILES = {
  snapshot: "snapshot.json",
  history: "history.json",
  rules: "rules.json",
  watchlists: "watchlists.json",
  postings: "postings.log",
  journal: "journal.log",
} as const;

/** Opens the store in the files of one folder. Every failure is a StoreError that says what to do. */
export async function openLowdbStore(options: LowdbOptions): Promise<Store> {
  const { dir } = options;
  const lock = await asStoreError(dir, async () => {
    await makeFolder(dir);
    return acquireLock(dir, options.holder ?? `pid ${process.pid}`);
  });
  try {
    return await asStoreError(dir, () => openLocked(options, lock));
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openLocked(options: LowdbOptions, lock: Lock): Promise<Store> {
  const { dir, clock, log } = options;
  const health = new WriteHealth();
  const disk = watchedDisk(options.disk ?? realDisk, health);
  await removeLeftovers(dir);
  const files = await readFiles(disk, dir);
  for (const { path, read } of [files.postings, files.journal])
    if (read.torn) log.warn("torn-line-cut", { file: path, ...read.torn });
  const compactAbove = options.compactAbove ?? COMPACT_ABOVE;
  const ledger = await Ledger.open(files, { disk, clock, log, compactAbove });
  const postings = await LowdbPostings.open(disk, files.postings.path, files.postings.read);
  const rules = new StateFile(files.rules.low);
  const watchlists = new LowdbWatchlists(files.watchlists.low);
  return {
    snapshot: new LowdbSnapshot(ledger),
    outbox: new LowdbOutbox(ledger, clock),
    history: new LowdbHistory(ledger),
    rules: new LowdbRules(rules),
    watchlists,
    postings,
    polls: new LowdbPollReports(),
    prune: async (before: Instant) => {
      await ledger.prune(before);
      await postings.prune(before);
    },
    health: () => health.reason(() => rules.rewrite()),
    close: once(async () => {
      await Promise.all([rules.drained(), watchlists.drained()]);
      await Promise.all([ledger.close(), postings.close()]);
      health.close();
      await lock.release();
    }),
  };
}

interface Files {
  readonly snapshot: OpenedFile<typeof EMPTY_SNAPSHOT_FILE>;
  readonly history: OpenedFile<typeof EMPTY_ARCHIVE>;
  readonly rules: OpenedFile<readonly Rule[]>;
  readonly watchlists: OpenedFile<WatchlistsFile>;
  readonly postings: { readonly path: string; readonly read: ReadJournal<Posting> };
  readonly journal: { readonly path: string; readonly read: ReadJournal<LedgerEntry> };
}

/**
 * Reads all files before any is changed. A folder is begun with `journal.log` made last, so a journal without one of the
 * other files means that the file was lost, and a used file without a journal that the journal was: to go on with less than
 * all would tell old splits anew, or forget what waits.
 */
async function readFiles(disk: Disk, dir: string): Promise<Files> {
  const json = {
    snapshot: await openJsonFile(disk, join(dir, FILES.snapshot), EMPTY_SNAPSHOT_FILE),
    history: await openJsonFile(disk, join(dir, FILES.history), EMPTY_ARCHIVE),
    rules: await openJsonFile<readonly Rule[]>(disk, join(dir, FILES.rules), []),
    watchlists: await openJsonFile<WatchlistsFile>(disk, join(dir, FILES.watchlists), {}),
  };
  const postings = await readLog<Posting>(join(dir, FILES.postings));
  const journal = await readLog<LedgerEntry>(join(dir, FILES.journal));
  const others = [...Object.values(json), { ...postings, used: postings.read.entries.length > 0 }];
  const odd = others.find((file) => (journal.found ? !file.found : file.used));
  if (odd) throw damaged(journal.found ? odd.path : journal.path, "is missing");
  for (const file of Object.values(json)) if (!file.found) await file.low.write();
  for (const log of [postings, journal]) if (!log.found) await disk.replace(log.path, emptyJournal());
  return { ...json, postings, journal };
}

async function readLog<E>(path: string): Promise<{ path: string; found: boolean; read: ReadJournal<E> }> {
  const bytes = await readIfThere(path);
  return { path, found: bytes !== null, read: readJournal<E>(path, bytes ?? Buffer.from(emptyJournal())) };
}

async function makeFolder(dir: string): Promise<void> {
  const first = await mkdir(dir, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  // Each new folder's name must survive a power cut too.
  const top = dirname(resolve(first));
  for (let folder = dirname(resolve(dir)); folder.length > top.length; folder = dirname(folder))
    await syncFolder(folder);
  await syncFolder(top);
}

/** Only of our own files: others write theirs in this folder without asking for the lock. */
async function removeLeftovers(dir: string): Promise<void> {
  const ours = Object.values(FILES);
  for (const name of await readdir(dir))
    if (ours.some((file) => isTemporaryName(name, file))) await rm(join(dir, name), { force: true });
}

async function asStoreError<R>(dir: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(`cannot use ${dir}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}
