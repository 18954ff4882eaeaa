import type { Observation } from "../../catalog/observation.ts";
import type { Release } from "../../catalog/release.ts";
import {
  type Destination,
  type DestinationKey,
  destinationKey,
  isPerson,
  type Person,
  parsePersonKey,
} from "../../domain/alert/destination.ts";
import { isAnonymous } from "../../domain/alert/personal-data.ts";
import type { Instant } from "../../domain/time/day.ts";
import type { ProcessLock } from "../../lib/process-lock.ts";
import type { Log } from "../../ports/log.ts";
import type { SourceReads } from "../../ports/state-records.ts";
import { observationKey, releaseKey, type Store, sourceReadsKey } from "../../ports/store.ts";
import type { OpenOptions } from "../store-definition.ts";
import { type CalendarsFile, calendarsWithout, LowdbCalendars } from "./collections/calendars.ts";
import { LowdbDestinationSettings, type SettingsFile } from "./collections/destination-settings.ts";
import { type ImportsFile, importsWithoutPerson, LowdbImports, unexpiredImports } from "./collections/imports.ts";
import { type InstallationsFile, LowdbInstallations } from "./collections/installations.ts";
import { LowdbHistory, LowdbOutbox } from "./collections/outbox.ts";
import { LowdbDirectChannels, type PeopleFile, PurgedPeople } from "./collections/people.ts";
import { LowdbPostings } from "./collections/postings.ts";
import { LowdbRules, type RulesFile, rulesWithout } from "./collections/rules.ts";
import { LowdbSessions, type SessionsFile } from "./collections/sessions.ts";
import { LowdbPollReports, LowdbSnapshot } from "./collections/snapshot.ts";
import { LowdbSourceRecords } from "./collections/source-records.ts";
import { LowdbWatchlists } from "./collections/watchlists.ts";
import { asStoreError, type Disk, realDisk, WriteHealth, watchedDisk } from "./files/disk.ts";
import { accessProblem, createMissing, lockFolder, readFiles, type StoreFiles, tidyFolder } from "./files/folder.ts";
import { StateFile } from "./files/json-file.ts";
import { WriteAheadLog } from "./log/write-ahead-log.ts";

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
 * `history.json` belong together: see `WriteAheadLog`. Every other file is independent: the JSON files are replaced atomically
 * through lowdb, the logs are append-only.
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
  const { log: writeAheadLog, purged, postings, releases, observations, sourceReads } = collections;
  const { watchlists, rules, imports } = collections;
  return {
    snapshot: new LowdbSnapshot(writeAheadLog, purged),
    outbox: new LowdbOutbox(writeAheadLog),
    history: new LowdbHistory(writeAheadLog),
    rules: new LowdbRules(rules, purged),
    watchlists,
    directChannels: new LowdbDirectChannels(collections.directChannels),
    calendars: new LowdbCalendars(collections.calendars),
    destinationSettings: new LowdbDestinationSettings(collections.settings),
    imports: new LowdbImports(imports),
    installations: new LowdbInstallations(collections.installations),
    postings,
    sessions: new LowdbSessions(collections.sessions),
    releases,
    observations,
    sourceReads,
    polls: new LowdbPollReports(),
    prune: async (before: Instant) => {
      await writeAheadLog.prune(before);
      await postings.prune(before);
      await imports.change((state) => [unexpiredImports(state, before), undefined]);
    },
    purgePerson: (person) => purgePerson(person, collections),
    destinations: async (platform) => findDestinations(collections, platform),
    health: () =>
      health.reason(async () => {
        await rules.rewrite();
        await writeAheadLog.flushSnapshot();
      }),
    close: once(async () => {
      health.close();
      const { purged: _, ...files } = collections;
      await Promise.all(Object.values(files).map((file) => file.close()));
      await lock.release();
    }),
  };
}

/** The collections in the folder. */
interface Collections {
  readonly log: WriteAheadLog;
  readonly purged: PurgedPeople;
  readonly postings: LowdbPostings;
  readonly watchlists: LowdbWatchlists;
  readonly rules: StateFile<RulesFile>;
  readonly directChannels: StateFile<PeopleFile>;
  readonly settings: StateFile<SettingsFile>;
  readonly calendars: StateFile<CalendarsFile>;
  readonly imports: StateFile<ImportsFile>;
  readonly releases: LowdbSourceRecords<Release>;
  readonly observations: LowdbSourceRecords<Observation>;
  readonly sourceReads: LowdbSourceRecords<SourceReads>;
  readonly installations: StateFile<InstallationsFile>;
  readonly sessions: StateFile<SessionsFile>;
}

async function openCollections(
  { dir, clock, log, checkpointAboveBytes = DEFAULT_CHECKPOINT_ABOVE_BYTES }: LowdbOptions,
  disk: Disk,
): Promise<Collections> {
  const files = await openFiles(disk, dir);
  const writeAheadLog = await WriteAheadLog.open(files, { disk, clock, log, checkpointAboveBytes });
  const postings = await LowdbPostings.open(disk, files.postings, log);
  const releases = await LowdbSourceRecords.open(disk, files.releases, releaseKey, log);
  const observations = await LowdbSourceRecords.open(disk, files.observations, observationKey, log);
  const sourceReads = await LowdbSourceRecords.open(disk, files.sourceReads, sourceReadsKey, log);
  warnOfTornRecords(files, log);
  const purged = new PurgedPeople();
  return {
    log: writeAheadLog,
    purged,
    postings,
    watchlists: new LowdbWatchlists(files.watchlists.low, purged),
    rules: new StateFile(files.rules.low),
    directChannels: new StateFile(files.people.low),
    settings: new StateFile(files.settings.low),
    calendars: new StateFile(files.calendars.low),
    imports: new StateFile(files.imports.low),
    releases,
    observations,
    sourceReads,
    installations: new StateFile(files.installations.low),
    sessions: new StateFile(files.sessions.low),
  };
}

async function openFiles(disk: Disk, dir: string): Promise<StoreFiles> {
  await tidyFolder(dir);
  const files = await readFiles(disk, dir);
  await createMissing(disk, files);
  return files;
}

function warnOfTornRecords(files: StoreFiles, log: Log): void {
  const { postings, releases, observations, sourceReads, journal } = files;
  for (const { path, read } of [postings, releases, observations, sourceReads, journal])
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
  await collections.watchlists.purge(person);
  await collections.rules.change((state) => [rulesWithout(state, person), undefined]);
  await collections.directChannels.change((state) => [withoutKey(state, key), undefined]);
  await collections.settings.change((state) => [withoutKey(state, key), undefined]);
  await collections.calendars.change((state) => [calendarsWithout(state, person), undefined]);
  await collections.imports.change((state) => [importsWithoutPerson(state, person), undefined]);
  await collections.postings.purge(person, entry.tests);
  await collections.log.finishPurge(entry);
}

/** Completes purges that a crash interrupted. */
async function completePurges(collections: Collections): Promise<void> {
  for (const { person } of collections.log.state.pendingPurges) await purgePerson(person, collections);
}

/** Returns the state without the key; the same object if it does not have the key. */
function withoutKey<V>(state: Readonly<Record<DestinationKey, V>>, key: DestinationKey): Readonly<Record<string, V>> {
  if (!Object.hasOwn(state, key)) return state;
  const { [key]: _, ...others } = state;
  return others;
}

/** Returns people and channels on a platform about which data is stored outside the history. */
function findDestinations(collections: Collections, platform: string): readonly Destination[] {
  const known: readonly Destination[] = [
    ...collections.watchlists.people(),
    ...collections.rules.state.rules.flatMap(({ destination, createdBy }) => [destination, createdBy]),
    ...(Object.keys(collections.directChannels.state) as DestinationKey[]).map(parsePersonKey),
    ...Object.values(collections.settings.state).map(({ to }) => to),
    ...Object.values(collections.calendars.state),
    ...collections.imports.state.map(({ person }) => person),
    ...collections.log.state.queues.destinations(),
    ...collections.postings.destinations(),
  ].filter((destination) => destination.platform === platform && !(isPerson(destination) && isAnonymous(destination)));
  return [...new Map(known.map((destination) => [destinationKey(destination), destination])).values()];
}
