import {
  type Destination,
  type DestinationKey,
  destinationKey,
  isPerson,
  isSameDestination,
  type Person,
  parsePersonKey,
} from "../../domain/alert/destination.ts";
import { isAnonymous } from "../../domain/alert/personal-data.ts";
import type { Instant } from "../../domain/time/day.ts";
import { createMutex, type Mutex } from "../../lib/mutex.ts";
import type { ProcessLock } from "../../lib/process-lock.ts";
import type { Log } from "../../ports/log.ts";
import type { PendingPurge } from "../../ports/state-records.ts";
import { observationKey, releaseKey, type Store, sourceReadsKey } from "../../ports/store.ts";
import type { OpenOptions } from "../store-definition.ts";
import { LowdbCalendars } from "./collections/calendars.ts";
import { LowdbDestinationSettings } from "./collections/destination-settings.ts";
import { LowdbImports, purgeImports } from "./collections/imports.ts";
import { LowdbInstallations } from "./collections/installations.ts";
import { LowdbHistory, LowdbOutbox } from "./collections/outbox.ts";
import { LowdbDirectChannels, PurgedPeople } from "./collections/people.ts";
import { LowdbPostings } from "./collections/postings.ts";
import { LowdbRules, purgeRules } from "./collections/rules.ts";
import { LowdbSessions } from "./collections/sessions.ts";
import { LowdbPollReports, LowdbSnapshot } from "./collections/snapshot.ts";
import { LowdbSourceRecords } from "./collections/source-records.ts";
import { LowdbWatchlists } from "./collections/watchlists.ts";
import { asStoreError, type Disk, realDisk, WriteHealth, watchedDisk } from "./files/disk.ts";
import {
  accessProblem,
  createMissing,
  lockFolder,
  readFiles,
  removeSuperseded,
  type StoreFiles,
  tidyFolder,
} from "./files/folder.ts";
import { WriteAheadLog } from "./log/write-ahead-log.ts";
import { RowStore } from "./rows/row-store.ts";

export interface LowdbOptions extends OpenOptions {
  /** DATA_DIR; created if it does not exist. */
  readonly dir: string;
  readonly disk?: Disk;
  /** A log above this size triggers a checkpoint. */
  readonly checkpointAboveBytes?: number;
}

const DEFAULT_CHECKPOINT_ABOVE_BYTES = 16 * 1024 * 1024;

/**
 * Opens the store in the files of one folder. Failures are StoreErrors that say what to do. `journal.log`, `snapshot.json` and
 * `history.json` belong together: see `WriteAheadLog`; `checkpoint.json`, the files that it lists and `changes-N.log` as well: see
 * `RowStore`. Every other file is an independent log.
 */
export async function openLowdbStore(options: LowdbOptions): Promise<Store> {
  const { dir } = options;
  const lock = await asStoreError(dir, () => lockFolder(dir, options.holder ?? `pid ${process.pid}`));
  try {
    return await asStoreError(dir, () => openLocked(options, lock));
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openLocked(options: LowdbOptions, lock: ProcessLock): Promise<Store> {
  const { log, dir } = options;
  const problem = await accessProblem(dir);
  if (problem !== null) log.warn("data folder not protected", { problem });
  const health = new WriteHealth();
  const collections = await openCollections(options, watchedDisk(options.disk ?? realDisk, health));
  await completePurges(collections).catch((error: unknown) => log.warn("purge incomplete", { error }));
  const { log: writeAheadLog, purged, postings, rows } = collections;
  const { changes } = rows;
  const imports = new LowdbImports(changes, purged);
  return {
    snapshot: new LowdbSnapshot(writeAheadLog, purged),
    outbox: new LowdbOutbox(writeAheadLog),
    history: new LowdbHistory(writeAheadLog),
    rules: new LowdbRules(changes, purged),
    watchlists: new LowdbWatchlists(changes, purged),
    directChannels: new LowdbDirectChannels(changes),
    calendars: new LowdbCalendars(changes, purged),
    destinationSettings: new LowdbDestinationSettings(changes, purged),
    imports,
    installations: new LowdbInstallations(changes),
    postings,
    sessions: new LowdbSessions(changes),
    releases: new LowdbSourceRecords(changes, changes.tables.releases, releaseKey),
    observations: new LowdbSourceRecords(changes, changes.tables.observations, observationKey),
    sourceReads: new LowdbSourceRecords(changes, changes.tables.sourceReads, sourceReadsKey),
    polls: new LowdbPollReports(),
    prune: async (before: Instant) => {
      await writeAheadLog.prune(before);
      await postings.prune(before);
      await imports.prune(before);
      await rows.checkpoint();
    },
    purgePerson: (person) => collections.purging(() => purgePerson(person, collections)),
    destinations: async (platform) => findDestinations(collections, platform),
    health: () =>
      health.reason(async () => {
        await changes.probe();
        await writeAheadLog.flushSnapshot();
      }),
    close: once(async () => {
      health.close();
      const { purged: _, purging: __, ...files } = collections;
      await Promise.all(Object.values(files).map((file) => file.close()));
      await lock.release();
    }),
  };
}

/** The collections in the folder. */
interface Collections {
  readonly log: WriteAheadLog;
  readonly purged: PurgedPeople;
  /** Serializes purges. */
  readonly purging: Mutex;
  readonly postings: LowdbPostings;
  readonly rows: RowStore;
}

async function openCollections(
  { dir, clock, log, checkpointAboveBytes = DEFAULT_CHECKPOINT_ABOVE_BYTES }: LowdbOptions,
  disk: Disk,
): Promise<Collections> {
  const files = await openFiles(disk, dir);
  const writeAheadLog = await WriteAheadLog.open(files, { disk, clock, log, checkpointAboveBytes });
  const postings = await LowdbPostings.open(disk, files.postings, log);
  warnOfTornRecords(files, log);
  const rows = await RowStore.open(files.rows, { disk, dir, log, checkpointAboveBytes });
  const collections: Collections = {
    log: writeAheadLog,
    purged: new PurgedPeople((to) => completePurge(to, collections)),
    purging: createMutex(),
    postings,
    rows,
  };
  return collections;
}

async function openFiles(disk: Disk, dir: string): Promise<StoreFiles> {
  await tidyFolder(dir);
  let files = await readFiles(disk, dir);
  if (await createMissing(disk, dir, files)) files = await readFiles(disk, dir);
  await removeSuperseded(dir, files);
  return files;
}

function warnOfTornRecords(files: StoreFiles, log: Log): void {
  const { postings, journal, rows } = files;
  for (const { path, read } of [postings, journal, ...rows.logs])
    if (read.torn) log.warn("torn log record dropped", { file: path, ...read.torn });
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}

/**
 * Removes a person from every file; can be repeated after a failure. If a crash interrupts it after `beginPurge`, the next
 * start completes it.
 */
async function purgePerson(person: Person, collections: Collections): Promise<void> {
  const key = destinationKey(person);
  collections.purged.add(person);
  const entry = await collections.log.beginPurge(person);
  const { tables } = collections.rows.changes;
  await collections.rows.changes.change((transaction) => {
    for (const table of [tables.watchlists, tables.directChannels, tables.calendars]) transaction.remove(table, key);
    transaction.remove(tables.settings, key);
    purgeRules(tables.rules, person, transaction);
    purgeImports(tables.imports, person, transaction);
  });
  await collections.rows.checkpoint();
  await collections.postings.purge(person, entry.tests);
  await collections.log.finishPurge(entry);
}

/** Completes the purge of a person, if one is running or has failed. */
async function completePurge(to: Destination, collections: Collections): Promise<void> {
  const pending = (): PendingPurge | undefined =>
    collections.log.state.pendingPurges.find(({ person }) => isSameDestination(person, to));
  if (!pending()) return;
  await collections.purging(async () => {
    const purge = pending();
    if (purge) await purgePerson(purge.person, collections);
  });
}

/** Completes purges that a crash interrupted. */
async function completePurges(collections: Collections): Promise<void> {
  for (const { person } of collections.log.state.pendingPurges) await purgePerson(person, collections);
}

/** Returns people and channels on a platform about which data is stored outside the history. */
function findDestinations(collections: Collections, platform: string): readonly Destination[] {
  const { watchlists, directChannels, calendars, rules, settings, imports } = collections.rows.changes.tables;
  const people = [watchlists, directChannels, calendars].flatMap((table) => [...table.keys()] as DestinationKey[]);
  const known: readonly Destination[] = [
    ...people.map(parsePersonKey),
    ...[...rules.values()].flatMap((row) =>
      row.rules.flatMap(({ destination, createdBy }) => [destination, createdBy]),
    ),
    ...[...settings.values()].map(({ to }) => to),
    ...[...imports.values()].map(({ person }) => person),
    ...collections.log.state.queues.destinations(),
    ...collections.postings.destinations(),
  ].filter((destination) => destination.platform === platform && !(isPerson(destination) && isAnonymous(destination)));
  return [...new Map(known.map((destination) => [destinationKey(destination), destination])).values()];
}
