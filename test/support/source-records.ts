import type { Observation } from "../../src/catalog/observation.ts";
import type { Release } from "../../src/catalog/release.ts";
import { type KeyOf, observationKey, releaseKey, type SourceRecords, StoreError } from "../../src/ports/store.ts";

/** In-memory records of a store. With `isFull`, writes fail. */
class MemoryRecords<T> implements SourceRecords<T> {
  readonly stored = new Map<string, T>();
  isFull = false;
  /** Every write, in order. */
  readonly written: T[] = [];
  readonly #keyOf: KeyOf<T>;

  constructor(keyOf: KeyOf<T>) {
    this.#keyOf = keyOf;
  }

  async all(): Promise<readonly T[]> {
    return [...this.stored.values()];
  }

  async put(record: T): Promise<void> {
    this.#write();
    this.written.push(record);
    this.stored.set(this.#keyOf(record), record);
  }

  async remove(keys: readonly string[]): Promise<void> {
    this.#write();
    for (const key of keys) this.stored.delete(key);
  }

  #write(): void {
    if (this.isFull) throw new StoreError("no space left");
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
