import type { SnapshotPatch } from "../../../domain/diff/snapshot.ts";
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

/** A pending row before a change. */
interface ReplacedRow {
  readonly rows: Map<string, unknown>;
  readonly key: string;
  /** True if the row was not pending. */
  readonly isNew: boolean;
  readonly before: unknown;
}

/** Rows after changes that are not durable yet. */
export class PendingRows {
  readonly #tables: Tables;
  /** Undefined for a removed row. */
  readonly #byTable = new Map<string, Map<string, unknown>>();
  /** Changes since `begin`, oldest first. */
  #changed: ReplacedRow[] = [];

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Starts the changes that a later `rollback` reverts. */
  begin(): void {
    this.#changed = [];
  }

  rollback(): void {
    for (const { rows, key, isNew, before } of this.#changed.toReversed())
      if (isNew) rows.delete(key);
      else rows.set(key, before);
    this.begin();
  }

  get<V>(table: Table<V>, key: string): V | undefined {
    const rows = this.#byTable.get(table.name);
    return rows?.has(key) ? (rows.get(key) as V | undefined) : table.get(key);
  }

  /** Includes rows that are changed during the iteration, with their value at that time. */
  *rows<V>(table: Table<V>): Generator<readonly [string, V]> {
    for (const { key } of table.rows()) {
      const value = this.get(table, key);
      if (value !== undefined) yield [key, value];
    }
    for (const [key, value] of this.#byTable.get(table.name) ?? [])
      if (value !== undefined && table.get(key) === undefined) yield [key, value as V];
  }

  /** Changes of the snapshot, which no step reads, are left out. */
  apply(op: Operation): void {
    const [kind, name, key = "", value] = op;
    const table = this.#tables.table(name);
    if (!table || kind === "clear") return;
    const rows = this.#byTable.get(name) ?? new Map<string, unknown>();
    this.#byTable.set(name, rows);
    const current = this.get(table, key);
    if (kind === "set" && current === undefined) return;
    this.#changed.push({ rows, key, isNew: !rows.has(key), before: rows.get(key) });
    rows.set(key, kind === "set" ? Object.assign({}, current, value) : value);
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
