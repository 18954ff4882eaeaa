import type { SourceRecords } from "../ports/store.ts";

/** Records of live sources in memory, written through to the store. */
export interface RecordCache<T> {
  all(): Iterable<T>;
  get(key: string): T | undefined;
  /** Resolves when the record is durable. Rejects with a StoreError and changes nothing if it can't be written. */
  put(record: T): Promise<void>;
  remove(keys: readonly string[]): Promise<void>;
  /** Increases with every change. */
  readonly revision: number;
  /** Calls `listener` after every change. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
}

/** Reads all records of the store. `keyOf` returns the key by which the store identifies a record. */
export async function openRecordCache<T>(
  records: SourceRecords<T>,
  keyOf: (record: T) => string,
): Promise<RecordCache<T>> {
  const byKey = new Map((await records.all()).map((record) => [keyOf(record), record]));
  const listeners = new Set<() => void>();
  let revision = 0;
  const changed = (): void => {
    revision += 1;
    for (const listener of listeners) listener();
  };
  return {
    all: () => byKey.values(),
    get: (key) => byKey.get(key),
    get revision() {
      return revision;
    },
    async put(record) {
      await records.put(record);
      byKey.set(keyOf(record), record);
      changed();
    },
    async remove(keys) {
      await records.remove(keys);
      for (const key of keys) byKey.delete(key);
      changed();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
