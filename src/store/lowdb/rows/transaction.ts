import type { Table } from "./table.ts";

/**
 * Change of one row. Its effect depends only on that row, so replaying the end of the log over segments of any age within it
 * gives the same rows.
 */
export type Operation = readonly ["put", string, string, unknown] | readonly ["remove", string, string];

/** A line of `changes-N.log`: changes that are durable together. */
export interface LoggedTransaction {
  /** Consecutive number. */
  readonly n: number;
  readonly ops: readonly Operation[];
}

/** Changed rows by table and key; undefined for a removed row. */
export class PendingRows {
  readonly #byTable = new Map<string, Map<string, unknown>>();

  of(table: string): ReadonlyMap<string, unknown> {
    return this.#byTable.get(table) ?? new Map();
  }

  add(ops: readonly Operation[]): void {
    for (const [, table, key, value] of ops) {
      const rows = this.#byTable.get(table) ?? new Map<string, unknown>();
      this.#byTable.set(table, rows.set(key, value));
    }
  }
}

/** Reads rows, including the changes of earlier transactions of the same write, and collects changes. */
export class Transaction {
  readonly #earlier: PendingRows;
  readonly #own = new PendingRows();
  readonly #ops: Operation[] = [];

  constructor(earlier: PendingRows) {
    this.#earlier = earlier;
  }

  get ops(): readonly Operation[] {
    return this.#ops;
  }

  get<V>(table: Table<V>, key: string): V | undefined {
    for (const pending of [this.#own.of(table.name), this.#earlier.of(table.name)])
      if (pending.has(key)) return pending.get(key) as V | undefined;
    return table.get(key);
  }

  /** All rows of a small table. */
  entries<V>(table: Table<V>): ReadonlyMap<string, V> {
    const entries = new Map<string, V>();
    for (const { key, value } of table.rows()) entries.set(key, value);
    for (const pending of [this.#earlier.of(table.name), this.#own.of(table.name)]) {
      for (const [key, value] of pending) {
        if (value === undefined) entries.delete(key);
        else entries.set(key, value as V);
      }
    }
    return entries;
  }

  put<V>(table: Table<V>, key: string, value: V): void {
    this.#add(["put", table.name, key, value]);
  }

  /** Does nothing if the row does not exist. */
  remove<V>(table: Table<V>, key: string): void {
    if (this.get(table, key) !== undefined) this.#add(["remove", table.name, key]);
  }

  #add(op: Operation): void {
    this.#ops.push(op);
    this.#own.add([op]);
  }
}
