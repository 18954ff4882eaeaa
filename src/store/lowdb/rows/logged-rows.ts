import { readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { damagedFileError } from "../files/disk.ts";
import type { LogLine } from "../files/log-lines.ts";
import type { ChangesFile, LineHeader } from "./changes-files.ts";
import { elementsOf, type JsonSlice, parseSlice, sliceOf } from "./json-bytes.ts";
import type { SnapshotRows } from "./snapshot-rows.ts";
import { TABLE_NAMES } from "./tables.ts";
import type { Operation } from "./transaction.ts";

/** JSON in a log file. */
interface LoggedJson {
  readonly file: ChangesFile;
  readonly offset: number;
  readonly length: number;
  readonly crc: number;
}

/** Effect of all operations on one row. */
interface LoggedRow {
  /** True if the row in the segment was removed, so that a later one is a new row. */
  readonly isNew: boolean;
  /** Undefined for the value in the segment, null for none. */
  readonly value: LoggedJson | null | undefined;
  /** Fields to replace, oldest first. */
  readonly fields: readonly LoggedJson[];
}

/** Value of a row as bytes of JSON. */
export interface RowSlice extends JsonSlice {
  readonly key: string;
}

/**
 * Effect of the logs on the rows in the segments: for each changed row, the positions of its last operations. The values stay
 * in the files.
 */
export class LoggedRows {
  readonly #snapshot: SnapshotRows;
  /** `fdOf`: returns the descriptor of an open file. */
  readonly #fdOf: (path: string) => number;
  readonly #tables = new Map<string, Map<string, LoggedRow>>();
  readonly #cleared = new Set<string>();

  constructor(snapshot: SnapshotRows, fdOf: (path: string) => number) {
    this.#snapshot = snapshot;
    this.#fdOf = fdOf;
  }

  /** Adds the operations of a line; those of the snapshot are applied. Returns false if there is no such table. */
  add(line: LogLine, { n, opsAt }: LineHeader, file: ChangesFile): boolean {
    for (const op of elementsOf(line.json, opsAt)) if (!this.#addOperation(line, op, n, file)) return false;
    return true;
  }

  #addOperation(line: LogLine, op: JsonSlice, n: number, file: ChangesFile): boolean {
    const [kind, table, key, value] = [...elementsOf(op.bytes, op.from)];
    const name = String(table && parseSlice(table));
    if (!TABLE_NAMES.has(name)) return this.#snapshot.apply(parseSlice(op) as Operation, n);
    const json = value && loggedJson(line, value, file);
    this.#change(name, kind && parseSlice(kind), String(key && parseSlice(key)), json);
    return true;
  }

  #change(table: string, kind: unknown, key: string, json: LoggedJson | undefined): void {
    const rows = this.#tables.get(table) ?? new Map<string, LoggedRow>();
    this.#tables.set(table, rows);
    const { isNew, value, fields } = rows.get(key) ?? { isNew: false, value: undefined, fields: [] };
    if (kind === "clear") {
      rows.clear();
      this.#cleared.add(table);
    } else if (kind === "remove") rows.set(key, { isNew: true, value: null, fields: [] });
    else if (kind === "set" && json) {
      if (value !== null) rows.set(key, { isNew, value, fields: [...fields, json] });
    } else if (json) {
      // A row that is created again is the last one.
      if (!value) rows.delete(key);
      rows.set(key, { isNew, value: json, fields: [] });
    }
  }

  /** Returns rows of the table as they are after the logs. `segments`: as they were before. */
  async *rows(table: string, segments: AsyncIterable<Iterable<RowSlice>>): AsyncGenerator<Iterable<RowSlice>> {
    const changes = this.#tables.get(table);
    if (!changes) {
      yield* segments;
      return;
    }
    const found = new Set<string>();
    if (!this.#cleared.has(table)) for await (const rows of segments) yield this.#changed(rows, changes, found);
    yield this.#created(changes, found);
  }

  /** Adds the keys of changed rows to `found`. */
  *#changed(
    rows: Iterable<RowSlice>,
    changes: ReadonlyMap<string, LoggedRow>,
    found: Set<string>,
  ): Generator<RowSlice> {
    for (const row of rows) {
      const change = changes.get(row.key);
      if (!change) yield row;
      else if (!change.isNew) {
        found.add(row.key);
        const value = this.#valueAfter(change, row);
        if (value) yield { ...value, key: row.key };
      }
    }
  }

  *#created(changes: ReadonlyMap<string, LoggedRow>, found: ReadonlySet<string>): Generator<RowSlice> {
    for (const [key, change] of changes) {
      const value = found.has(key) ? null : this.#valueAfter(change, null);
      if (value) yield { ...value, key };
    }
  }

  /** `before`: the value in the segment. */
  #valueAfter({ value, fields }: LoggedRow, before: JsonSlice | null): JsonSlice | null {
    const kept = value === undefined ? before : null;
    const current = value ? this.#read(value) : kept;
    if (!current || fields.length === 0) return current;
    return sliceOf(Object.assign({}, ...[current, ...fields.map((json) => this.#read(json))].map(parseSlice)));
  }

  /** Reads a part of a file that is in memory, so a synchronous call is fastest. */
  #read({ file: { path }, offset, length, crc }: LoggedJson): JsonSlice {
    const bytes = Buffer.allocUnsafe(length);
    const size = readSync(this.#fdOf(path), bytes, 0, length, offset);
    if (size === length && crc32(bytes) === crc) return { bytes, from: 0, to: length };
    // The lines of a write that failed are replaced.
    throw damagedFileError(path, "was changed while it was read, because a write failed");
  }
}

function loggedJson(line: LogLine, { bytes, from, to }: JsonSlice, file: ChangesFile): LoggedJson {
  return { file, offset: line.offset + from, length: to - from, crc: crc32(bytes.subarray(from, to)) };
}
