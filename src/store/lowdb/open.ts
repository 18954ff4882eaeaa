import type { Instant } from "../../domain/time/day.ts";
import type { ProcessLock } from "../../lib/process-lock.ts";
import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store.ts";
import type { OpenOptions } from "../store-kind.ts";
import { LowdbCalendars } from "./collections/calendars.ts";
import { LowdbPlaceSettings } from "./collections/destination-settings.ts";
import { LowdbDirectChannels } from "./collections/direct-channels.ts";
import { LowdbHistory } from "./collections/history.ts";
import { importsUntil, LowdbImports } from "./collections/imports.ts";
import { type InstallationsFile, LowdbInstallations } from "./collections/installations.ts";
import { LowdbOutbox } from "./collections/outbox.ts";
import { peopleIn } from "./collections/people.ts";
import { LowdbPollReports } from "./collections/poll-reports.ts";
import { LowdbPostings } from "./collections/postings.ts";
import { LowdbReleases } from "./collections/releases.ts";
import { LowdbRules } from "./collections/rules.ts";
import { LowdbSnapshot } from "./collections/snapshot.ts";
import { Absent } from "./collections/unreachable-people.ts";
import { LowdbWatchlists } from "./collections/watchlists.ts";
import { asStoreError } from "./files/as-store-error.ts";
import { type Disk, realDisk, watchedDisk } from "./files/disk.ts";
import { lockFolder, makeMissing, readFiles, type StoreFiles } from "./files/folder.ts";
import { StateFile } from "./files/json-file.ts";
import { tidyFolder } from "./files/staging.ts";
import { WriteHealth } from "./files/write-health.ts";
import { Ledger } from "./log/ledger.ts";
import { completeForgetting, type ForgetParts, forgetPerson } from "./purge-person.ts";

export interface LowdbOptions extends OpenOptions {
  /** DATA_DIR; created where needed. */
  readonly dir: string;
  readonly disk?: Disk;
  /** The journal is compacted when it is larger, in bytes. */
  readonly compactAbove?: number;
}

const COMPACT_ABOVE = 16 * 1024 * 1024;

/** Opens the store in the files of one folder. Every failure is a StoreError that says what to do. */
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
  const { clock, log } = options;
  const health = new WriteHealth();
  const kept = await openKept(options, watchedDisk(options.disk ?? realDisk, health));
  await completeForgetting(kept).catch((error: unknown) => log.warn("purge incomplete", { error }));
  const { ledger, absent, postings, releases, watchlists, rules, imports } = kept;
  return {
    snapshot: new LowdbSnapshot(ledger, absent),
    outbox: new LowdbOutbox(ledger, clock),
    history: new LowdbHistory(ledger),
    rules: new LowdbRules(rules, absent),
    watchlists,
    directChannels: new LowdbDirectChannels(kept.people),
    calendars: new LowdbCalendars(kept.calendars),
    destinationSettings: new LowdbPlaceSettings(kept.settings),
    imports: new LowdbImports(imports),
    installations: new LowdbInstallations(kept.installations),
    postings,
    releases,
    polls: new LowdbPollReports(),
    prune: async (before: Instant) => {
      await ledger.prune(before);
      await postings.prune(before);
      await imports.change((state) => [importsUntil(state, before), undefined]);
    },
    purgePerson: (person) => forgetPerson(person, kept),
    people: async (platform) => peopleIn(kept, platform),
    health: () =>
      health.reason(async () => {
        await rules.rewrite();
        await ledger.flushSnapshot();
      }),
    close: once(async () => {
      health.close();
      const { absent: _, ...files } = kept;
      await Promise.all(Object.values(files).map((file) => file.close()));
      await lock.release();
    }),
  };
}

/** All that is kept in the folder. */
interface Kept extends ForgetParts {
  readonly releases: LowdbReleases;
  readonly installations: StateFile<InstallationsFile>;
}

async function openKept({ dir, clock, log, compactAbove = COMPACT_ABOVE }: LowdbOptions, disk: Disk): Promise<Kept> {
  const files = await openFiles(disk, dir);
  const ledger = await Ledger.open(files, { disk, clock, log, compactAbove });
  const postings = await LowdbPostings.open(disk, files.postings.path, files.postings.read);
  const releases = await LowdbReleases.open(disk, files.releases.path, files.releases.read);
  warnOfTorn(files, log);
  const absent = new Absent();
  return {
    ledger,
    absent,
    postings,
    watchlists: new LowdbWatchlists(files.watchlists.low, absent),
    rules: new StateFile(files.rules.low),
    people: new StateFile(files.people.low),
    settings: new StateFile(files.settings.low),
    calendars: new StateFile(files.calendars.low),
    imports: new StateFile(files.imports.low),
    releases,
    installations: new StateFile(files.installations.low),
  };
}

async function openFiles(disk: Disk, dir: string): Promise<StoreFiles> {
  await tidyFolder(dir);
  const files = await readFiles(disk, dir);
  await makeMissing(disk, files);
  return files;
}

function warnOfTorn({ postings, releases, journal }: StoreFiles, log: Log): void {
  for (const { path, read } of [postings, releases, journal])
    if (read.torn) log.warn("torn log record dropped", { file: path, ...read.torn });
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}
