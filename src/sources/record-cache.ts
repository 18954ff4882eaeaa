import { createListeners } from "../lib/listeners.ts";
import { createMutex } from "../lib/mutex.ts";
import type { RecordsChange, SourceRecords } from "../ports/store.ts";

/**
 * Records of live sources in memory, written through to the store. Writes run one after another; each is durable before it is
 * visible and calls the listeners once. A write that fails rejects with a StoreError and changes nothing.
 */
export interface RecordCache<T> {
  all(): Iterable<T>;
  get(key: string): T | undefined;
  /** Adds the records, or replaces those with the same keys. */
  put(records: readonly T[]): Promise<void>;
  /**
   * Puts the records that `change` returns, and returns them. `change` runs after all earlier writes and so reads the current
   * records. Later writes wait for it.
   */
  update(change: () => readonly T[] | Promise<readonly T[]>): Promise<readonly T[]>;
  /** Removes the current records for which `isObsolete` is true. */
  removeWhere(isObsolete: (record: T) => boolean): Promise<void>;
  /** Increases with every change. */
  readonly revision: number;
  /** Calls `listener` after every change. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
}

/**
 * Creates a cache with all records of the store, and follows the changes by other processes. `keyOf` returns the store's key of a record;
 * `toCurrent` returns a record in the form of this version.
 */
export async function openRecordCache<T>(
  records: SourceRecords<T>,
  keyOf: (record: T) => string,
  toCurrent: (stored: T) => T = (stored) => stored,
): Promise<RecordCache<T>> {
  const byKey = new Map<string, T>();
  const listeners = createListeners();
  const runExclusively = createMutex();
  let revision = 0;
  const notifyListeners = (): void => {
    revision += 1;
    listeners.notify();
  };
  const earlyChanges: RecordsChange<T>[] = [];
  let applyChange = (change: RecordsChange<T>): void => void earlyChanges.push(change);
  records.onChange((change) => applyChange(change));
  const addStored = (stored: readonly T[]): void => {
    for (const record of stored) byKey.set(keyOf(record), toCurrent(record));
  };
  addStored(await records.all());
  applyChange = ({ put, removed }) => {
    addStored(put);
    for (const key of removed) byKey.delete(key);
    notifyListeners();
  };
  for (const change of earlyChanges) applyChange(change);
  const update: RecordCache<T>["update"] = (change) =>
    runExclusively(async () => {
      const changes = await change();
      if (changes.length === 0) return changes;
      await records.put(changes);
      for (const record of changes) byKey.set(keyOf(record), record);
      notifyListeners();
      return changes;
    });
  return {
    all: () => byKey.values(),
    get: (key) => byKey.get(key),
    get revision() {
      return revision;
    },
    async put(added) {
      await update(() => added);
    },
    update,
    removeWhere: (isObsolete) =>
      runExclusively(async () => {
        const keys = [...byKey].filter(([, record]) => isObsolete(record)).map(([key]) => key);
        if (keys.length === 0) return;
        await records.remove(keys);
        for (const key of keys) byKey.delete(key);
        notifyListeners();
      }),
    onChange: listeners.add,
  };
}
