import type { KeyOf, SourceRecords } from "../../../ports/store.ts";
import type { ChangeLog } from "../rows/change-log.ts";
import type { Table } from "../rows/table.ts";

/** Records of the data sources. */
export class LowdbSourceRecords<T> implements SourceRecords<T> {
  readonly #log: ChangeLog;
  readonly #table: Table<T>;
  readonly #keyOf: KeyOf<T>;

  constructor(log: ChangeLog, table: Table<T>, keyOf: KeyOf<T>) {
    this.#log = log;
    this.#table = table;
    this.#keyOf = keyOf;
  }

  async all(): Promise<readonly T[]> {
    return [...this.#table.values()];
  }

  async put(records: readonly T[]): Promise<void> {
    await this.#log.change((transaction) => {
      for (const record of records) transaction.put(this.#table, this.#keyOf(record), record);
    });
  }

  async remove(keys: readonly string[]): Promise<void> {
    await this.#log.change((transaction) => {
      for (const key of keys) transaction.remove(this.#table, key);
    });
  }

  /** Never calls the listener: no other process uses the files. */
  onChange(): () => void {
    return () => undefined;
  }
}
