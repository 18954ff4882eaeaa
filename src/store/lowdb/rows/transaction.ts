import type { SnapshotPatch } from "../../../domain/diff/snapshot.ts";
import { LargeMap } from "../../../lib/large-map.ts";
import { operationsOf, type SnapshotRows } from "./snapshot-rows.ts";
import type { Table } from "./table.ts";
import type { Tables } from "./tables.ts";

/**
 * Change of one row or table. Its effect depends on nothing else, so replaying the end of the log over segments of any age within
 * it gives the same rows.
 */
export type Operation =
  | readonly ["put", string, string, unknown]
  /** Replaces the given fields, if the row exists. */
  | readonly ["set", string, string, Readonly<Record<string, unknown>>]
  | readonly ["remove", string, string]
  | readonly ["clear", string];

/** A line of `changes-N.log`: changes that are durable together, or a part of them. */
export interface LoggedChanges {
  /** Consecutive number of the transaction. */
  readonly n: number;
  /** True if the next line continues the transaction. */
  readonly more?: true;
  /** True if a checkpoint must remove data from the files that precede the transaction. */
  readonly purge?: true;
  readonly ops: readonly Operation[];
}

interface PendingTable {
  /** By key; null for a removed row. */
  readonly rows: LargeMap<string, unknown>;
  /** Keys of the rows that became pending since `begin`. */
  added: string[];
}

/** Rows after changes that are not durable yet. */
export class PendingRows {
  readonly #tables: Tables;
  readonly #byTable = new Map<string, PendingTable>();
  /** Rows that were pending before they changed again since `begin`, oldest first. */
  #replaced: (readonly [table: PendingTable, key: string, row: unknown])[] = [];

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Starts the changes that a later `rollback` reverts. */
  begin(): void {
    this.#replaced = [];
    for (const table of this.#byTable.values()) table.added = [];
  }

  rollback(): void {
    for (const [{ rows }, key, row] of this.#replaced.toReversed()) rows.set(key, row);
    for (const { rows, added } of this.#byTable.values()) for (const key of added) rows.delete(key);
    this.begin();
  }

  get<V>(table: Table<V>, key: string): V | undefined {
    const pending = this.#byTable.get(table.name)?.rows.get(key);
    return pending === undefined ? table.get(key) : ((pending ?? undefined) as V | undefined);
  }

  isPending<V>(table: Table<V>, key: string): boolean {
    return this.#byTable.get(table.name)?.rows.has(key) === true;
  }

  /** Includes rows that are changed during the iteration, with their value at that time. */
  *rows<V>(table: Table<V>): Generator<readonly [string, V]> {
    for (const { key, value: stored } of table.rows()) {
      const value = this.#byTable.has(table.name) ? this.get(table, key) : stored;
      if (value !== undefined) yield [key, value];
    }
    for (const key of this.#byTable.get(table.name)?.rows.keys() ?? []) {
      const value = table.get(key) === undefined ? this.get(table, key) : undefined;
      if (value !== undefined) yield [key, value];
    }
  }

  /** Changes of the snapshot, which no step reads, are left out. */
  apply(op: Operation): void {
    const [kind, name, key = "", value] = op;
    const table = this.#tables.table(name);
    if (!table || kind === "clear") return;
    const pending = this.#pendingOf(table);
    const { rows, added } = pending;
    const row = kind === "set" ? Object.assign({}, this.get(table, key), value) : (value ?? null);
    if (rows.add(key, row)) {
      added.push(key);
      return;
    }
    this.#replaced.push([pending, key, rows.get(key)]);
    rows.set(key, row);
  }

  #pendingOf({ name, separator }: Table<unknown>): PendingTable {
    const pending = this.#byTable.get(name) ?? { rows: new LargeMap(separator), added: [] };
    this.#byTable.set(name, pending);
    return pending;
  }
}

/** Reads rows, including the changes of earlier transactions of the same write, and collects changes. */
export class Transaction {
  readonly ops: Operation[] = [];
  readonly #pending: PendingRows;
  #isPurge = false;

  constructor(pending: PendingRows) {
    this.#pending = pending;
  }

  get isPurge(): boolean {
    return this.#isPurge;
  }

  /** False if there is nothing to store. */
  get isStored(): boolean {
    return this.ops.length > 0;
  }

  get<V>(table: Table<V>, key: string): V | undefined {
    return this.#pending.get(table, key);
  }

  /** Whether this transaction or an earlier one of the same write has changed the row. */
  isChanged<V>(table: Table<V>, key: string): boolean {
    return this.#pending.isPending(table, key);
  }

  rows<V>(table: Table<V>): Iterable<readonly [string, V]> {
    return this.#pending.rows(table);
  }

  /** All rows of a small table. */
  entries<V>(table: Table<V>): ReadonlyMap<string, V> {
    return new Map(this.rows(table));
  }

  put<V>(table: Table<V>, key: string, value: V): void {
    this.#add(["put", table.name, key, value]);
  }

  /** Replaces some fields. Does nothing if the row does not exist. */
  set<V extends object>(table: Table<V>, key: string, fields: Partial<V>): void {
    if (this.get(table, key) !== undefined) this.#add(["set", table.name, key, fields]);
  }

  /** Does nothing if the row does not exist. */
  remove<V>(table: Table<V>, key: string): void {
    if (this.get(table, key) !== undefined) this.#add(["remove", table.name, key]);
  }

  patchSnapshot({ snapshot }: SnapshotRows, patch: SnapshotPatch): void {
    for (const op of operationsOf(patch, snapshot.past.values())) this.ops.push(op);
  }

  /** Makes a checkpoint necessary that removes data from earlier files. */
  markPurge(): void {
    this.#isPurge = true;
  }

  #add(op: Operation): void {
    this.ops.push(op);
    this.#pending.apply(op);
  }
}
