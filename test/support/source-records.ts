import type { Observation } from "../../src/catalog/observation.ts";
import type { Release } from "../../src/catalog/release.ts";
import { createListeners, type Listeners } from "../../src/lib/listeners.ts";
import type { SourceStatus, SourceStatuses } from "../../src/ports/source-status.ts";
import type { SourceReads } from "../../src/ports/state-records.ts";
import {
  type KeyOf,
  observationKey,
  type RecordsChange,
  releaseKey,
  type SourceRecords,
  StoreError,
  sourceReadsKey,
} from "../../src/ports/store.ts";
import type { LiveRecords } from "../../src/sources/live/live-state.ts";
import { openRecordCache } from "../../src/sources/record-cache.ts";

/** In-memory records of a store. With `isFull`, writes fail. */
class MemoryRecords<T> implements SourceRecords<T> {
  readonly stored = new Map<string, T>();
  isFull = false;
  /** Every record that was written, in order. */
  readonly written: T[] = [];
  /** Number of durable writes. */
  writes = 0;
  /** Writes end when it resolves. */
  blockedBy: Promise<void> | null = null;
  readonly #keyOf: KeyOf<T>;
  readonly #listeners = createListeners<[RecordsChange<T>]>();
  readonly onChange = this.#listeners.add;

  constructor(keyOf: KeyOf<T>) {
    this.#keyOf = keyOf;
  }

  async all(): Promise<readonly T[]> {
    return [...this.stored.values()];
  }

  async put(records: readonly T[]): Promise<void> {
    await this.#write();
    this.written.push(...records);
    for (const record of records) this.stored.set(this.#keyOf(record), record);
  }

  async remove(keys: readonly string[]): Promise<void> {
    await this.#write();
    for (const key of keys) this.stored.delete(key);
  }

  /** Changes the records as another process does. */
  changeElsewhere(change: RecordsChange<T>): void {
    for (const record of change.put) this.stored.set(this.#keyOf(record), record);
    for (const key of change.removed) this.stored.delete(key);
    this.#listeners.notify(change);
  }

  async #write(): Promise<void> {
    await this.blockedBy;
    if (this.isFull) throw new StoreError("no space left");
    this.writes += 1;
  }
}

export class MemoryReleases extends MemoryRecords<Release> {
  constructor() {
    super(releaseKey);
  }
}

export class MemoryObservations extends MemoryRecords<Observation> {
  constructor() {
    super(observationKey);
  }
}

/** The source records of a store, in memory. */
export interface MemorySourceRecords {
  readonly releases: MemoryReleases;
  readonly observations: MemoryObservations;
  readonly sourceReads: MemorySourceReads;
  readonly sourceStatuses: SourceStatuses;
}

class MemorySourceStatuses implements SourceStatuses {
  #last: readonly SourceStatus[] = [];

  async write(statuses: readonly SourceStatus[]): Promise<void> {
    this.#last = statuses;
  }

  async read(): Promise<readonly SourceStatus[]> {
    return this.#last;
  }

  onChange(): () => void {
    return () => undefined;
  }
}

export function memorySourceRecords(parts: Partial<MemorySourceRecords> = {}): MemorySourceRecords {
  return {
    releases: new MemoryReleases(),
    observations: new MemoryObservations(),
    sourceReads: new MemorySourceReads(),
    sourceStatuses: new MemorySourceStatuses(),
    ...parts,
  };
}

export async function openSourceRecords({
  releases,
  observations,
  sourceReads,
}: MemorySourceRecords): Promise<LiveRecords> {
  return {
    releases: await openRecordCache(releases, releaseKey),
    observations: await openRecordCache(observations, observationKey),
    sourceReads: await openRecordCache(sourceReads, sourceReadsKey),
  };
}

export class MemorySourceReads extends MemoryRecords<SourceReads> {
  constructor() {
    super(sourceReadsKey);
  }
}

/** The source records of two processes on one store: what one writes, the other is notified of. */
export function sharedSourceRecords(): readonly [MemorySourceRecords, MemorySourceRecords] {
  const [one, other] = [memorySourceRecords(), memorySourceRecords()];
  for (const [from, to] of [[one, other] as const, [other, one] as const]) {
    forward(from.releases, to.releases);
    forward(from.observations, to.observations);
    forward(from.sourceReads, to.sourceReads);
  }
  const statuses = sharedStatuses();
  return [
    { ...one, sourceStatuses: statuses() },
    { ...other, sourceStatuses: statuses() },
  ];
}

function forward<T>(from: MemoryRecords<T>, to: MemoryRecords<T>): void {
  const put = from.put.bind(from);
  const remove = from.remove.bind(from);
  from.put = async (records) => {
    await put(records);
    to.changeElsewhere({ put: records, removed: [] });
  };
  from.remove = async (keys) => {
    await remove(keys);
    to.changeElsewhere({ put: [], removed: keys });
  };
}

/** Returns a function that opens the statuses for one more process. */
function sharedStatuses(): () => SourceStatuses {
  let last: readonly SourceStatus[] = [];
  const processes: Listeners<[]>[] = [];
  return () => {
    const own = createListeners();
    processes.push(own);
    return {
      async write(statuses) {
        last = statuses;
        for (const listeners of processes) if (listeners !== own) listeners.notify();
      },
      read: async () => last,
      onChange: own.add,
    };
  };
}
