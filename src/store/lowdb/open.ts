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
import { createRateSlots } from "../../lib/rate-limiter.ts";
import { forEachInSlices, TimeSlice } from "../../lib/slices.ts";
import type { Log } from "../../ports/log.ts";
import { observationKey, releaseKey, type Store, sourceReadsKey } from "../../ports/store.ts";
import type { OpenOptions } from "../store-definition.ts";
import { LowdbCalendars } from "./collections/calendars.ts";
import { LowdbDestinationSettings } from "./collections/destination-settings.ts";
import { LowdbDocuments } from "./collections/documents.ts";
import { LowdbImports } from "./collections/imports.ts";
import { LowdbInspection } from "./collections/inspection.ts";
import { LowdbInstallations } from "./collections/installations.ts";
import { LowdbJobs } from "./collections/jobs.ts";
import { LowdbHistory, LowdbOutbox } from "./collections/outbox.ts";
import { LowdbDirectChannels, PurgedPeople, PurgesDuringClaims } from "./collections/people.ts";
import { LowdbPostings } from "./collections/postings.ts";
import { purgeTables } from "./collections/purge.ts";
import { pruneTables } from "./collections/retention.ts";
import { LowdbRules, type RulesRow } from "./collections/rules.ts";
import { LowdbSeenRequests } from "./collections/seen-requests.ts";
import { LowdbSessions } from "./collections/sessions.ts";
import { LowdbPollReports, LowdbSnapshot, LowdbSourceStatuses } from "./collections/snapshot.ts";
import { LowdbSourceRecords } from "./collections/source-records.ts";
import { LowdbWatchlists } from "./collections/watchlists.ts";
import { asStoreError, type Disk, realDisk, WriteHealth, watchedDisk } from "./files/disk.ts";
import { accessProblem, lockFolder, removeSuperseded, tidyFolder } from "./files/folder.ts";
import { Archive } from "./indexes/archive.ts";
import { Claims } from "./indexes/claims.ts";
import { Queues } from "./indexes/queues.ts";
import { createRows } from "./rows/checkpoint.ts";
import { RowStore } from "./rows/row-store.ts";
import { readRows, type StoredRows } from "./rows/stored-rows.ts";
import type { Tables } from "./rows/tables.ts";

export interface LowdbOptions extends OpenOptions {
  /** DATA_DIR; created if it does not exist. */
  readonly dir: string;
  readonly disk?: Disk;
  /** A log of changes above this size or 4 MiB triggers a checkpoint. */
  readonly checkpointAboveBytes?: number;
}

/** Opens the store in the files of one folder; see `RowStore`. Failures are StoreErrors that say what to do. */
export async function openLowdbStore(options: LowdbOptions): Promise<Store> {
  const { dir } = options;
  const lock = await asStoreError(dir, () => lockFolder(dir, holderOf(options)));
  try {
    return await asStoreError(dir, () => openLocked(options, lock));
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function holderOf({ holder = `pid ${process.pid}` }: LowdbOptions): string {
  return holder;
}

async function openLocked(options: LowdbOptions, lock: ProcessLock): Promise<Store> {
  const { log, dir, clock, checkpointAboveBytes = Number.POSITIVE_INFINITY } = options;
  const problem = await accessProblem(dir);
  if (problem !== null) log.warn("data folder not protected", { problem });
  const health = new WriteHealth();
  const disk = watchedDisk(options.disk ?? realDisk, health);
  const rows = await openRows({ disk, dir, log, checkpointAboveBytes }, health);
  const { changes } = rows;
  const { tables } = changes;
  const purged = new PurgedPeople();
  const purges = new PurgesDuringClaims();
  const indexes = { queues: new Queues(tables), archive: new Archive(tables) };
  const claims = new Claims(indexes.queues, clock);
  const postings = new LowdbPostings(changes);
  const unlogged = openUnlogged(options);
  return {
    snapshot: new LowdbSnapshot(changes, indexes.archive, { claims, purged }),
    outbox: new LowdbOutbox(changes, indexes, { claims, purges }),
    history: new LowdbHistory(tables, indexes),
    rules: new LowdbRules(changes, purged),
    watchlists: new LowdbWatchlists(changes, purged),
    directChannels: new LowdbDirectChannels(changes),
    calendars: new LowdbCalendars(changes),
    destinationSettings: new LowdbDestinationSettings(changes, claims),
    imports: new LowdbImports(changes),
    installations: new LowdbInstallations(changes),
    postings,
    sessions: new LowdbSessions(changes),
    releases: new LowdbSourceRecords(changes, tables.releases, releaseKey),
    observations: new LowdbSourceRecords(changes, tables.observations, observationKey),
    sourceReads: new LowdbSourceRecords(changes, tables.sourceReads, sourceReadsKey),
    ...unlogged,
    inspection: new LowdbInspection({
      tables,
      indexes,
      jobs: unlogged.jobs,
      holder: holderOf(options),
      roles: options.roles ?? null,
    }),
    prune: async (before: Instant) => {
      await pruneTables(changes, before);
      await rows.checkpoint();
    },
    purgePerson: async (person: Person) => {
      purged.add(person);
      await purges.during(person, () =>
        changes.change((transaction, slice) => purgeTables(transaction, slice, { tables, person })),
      );
      await rows.checkpoint();
    },
    destinations: (platform, idPrefix = "") =>
      findDestinations(tables, [...indexes.queues.destinations(), ...postings.destinations()], { platform, idPrefix }),
    health: () => health.reason(),
    close: once(async () => {
      health.close();
      await rows.close();
      await lock.release();
    }),
  };
}

type RowOptions = Parameters<typeof RowStore.open>[1];

/** Opens the rows. `health` shows whether the disk is full, which does not prevent the start. */
async function openRows(options: RowOptions, health: WriteHealth): Promise<RowStore> {
  const files = await openFiles(options.disk, options.dir);
  warnOfTornRecords(files, options.log);
  const rows = await RowStore.open(files, options);
  health.check = async () => {
    await rows.changes.probe();
    await rows.flushSnapshot();
  };
  await rows.changes.probe().catch(() => undefined);
  return rows;
}

type UnloggedCollections = Pick<
  Store,
  "polls" | "rateSlots" | "sourceStatuses" | "documents" | "seenRequests" | "mayStillSend"
> & { readonly jobs: LowdbJobs };

/** Collections without rows: most of them exist to be shared by several processes, of which the files have only one. */
function openUnlogged({ dir, clock, log }: LowdbOptions): UnloggedCollections {
  return {
    polls: new LowdbPollReports(clock),
    rateSlots: createRateSlots(clock),
    sourceStatuses: new LowdbSourceStatuses(),
    documents: new LowdbDocuments(dir),
    seenRequests: new LowdbSeenRequests(clock),
    jobs: new LowdbJobs({ clock, log }),
    mayStillSend: () => true,
  };
}

async function openFiles(disk: Disk, dir: string): Promise<StoredRows> {
  await tidyFolder(dir);
  let files = await readRows(disk, dir);
  if (!files.checkpoint.exists) {
    await createRows(disk, dir, files);
    files = await readRows(disk, dir);
  }
  await removeSuperseded(dir, files);
  return files;
}

function warnOfTornRecords({ logs }: StoredRows, log: Log): void {
  for (const { path, extent } of logs)
    if (extent.torn) log.warn("torn log record dropped", { file: path, ...extent.torn });
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}

/**
 * Returns people and channels on a platform about which data is stored outside the history, and whose ids start with the prefix.
 * `others`: of deliveries and postings.
 */
async function findDestinations(
  tables: Tables,
  others: readonly Destination[],
  { platform, idPrefix }: { readonly platform: string; readonly idPrefix: string },
): Promise<readonly Destination[]> {
  const found = new Map<DestinationKey, Destination>();
  const slice = new TimeSlice();
  function add(destination: Destination): void {
    const isWanted = destination.platform === platform && destination.id.startsWith(idPrefix);
    if (isWanted && !(isPerson(destination) && isAnonymous(destination)))
      found.set(destinationKey(destination), destination);
  }
  const people = destinationKey({ platform, kind: "person", id: idPrefix });
  function addPerson(key: string): void {
    if (key.startsWith(people)) add(parsePersonKey(key as DestinationKey));
  }
  for (const table of [tables.watchlists, tables.directChannels, tables.calendars])
    await forEachInSlices(table.keys(), addPerson, slice);
  function addRules({ rules }: RulesRow): void {
    for (const { destination, createdBy } of rules) {
      add(destination);
      add(createdBy);
    }
  }
  await forEachInSlices(tables.rules.values(), addRules, slice);
  await forEachInSlices(tables.settings.values(), ({ to }) => add(to), slice);
  await forEachInSlices(tables.imports.values(), ({ person }) => add(person), slice);
  await forEachInSlices(others, add, slice);
  return [...found.values()];
}
