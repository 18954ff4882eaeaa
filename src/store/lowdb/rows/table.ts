import { LargeMap } from "../../../lib/large-map.ts";
import type { ValueJson } from "./row-json.ts";

/** A row: replaced as a whole, so a value never changes. */
export interface Row<V> {
  readonly key: string;
  /** Small number that is unique within the table while the row exists; indexes refer to rows by it. */
  readonly index: number;
  value: V;
  segment: Segment;
}

/** File of a segment, as `checkpoint.json` lists it. */
export interface SegmentFile {
  readonly number: number;
  /** Checksum of its rows. */
  readonly crc: string;
  readonly sizeBytes: number;
}

/** Rows of a table that are stored in one file. */
export class Segment {
  /** Null until a checkpoint has written it. */
  file: SegmentFile | null;
  /** True if a row was changed since the file was written. */
  isDirty: boolean;
  /** In order of creation; including rows that have left the segment. */
  readonly #rows: Row<unknown>[] = [];
  /** Number of the first ones that have left it, so that a checkpoint moves no row twice. */
  #drained = 0;

  constructor(file: SegmentFile | null, isDirty: boolean) {
    this.file = file;
    this.isDirty = isDirty;
  }

  add(row: Row<unknown>): void {
    this.#rows.push(row);
  }

  /** Rows that the caller moves to another segment. Skips rows that leave this one before the iteration reaches them. */
  *drain(): Generator<Row<unknown>> {
    for (; this.#drained < this.#rows.length; this.#drained += 1) {
      const row = this.#rows[this.#drained];
      if (row?.segment === this) yield row;
    }
  }

  /** Returns an iteration of the present rows and later ones. It includes rows that move to another segment meanwhile. */
  rows(): Iterable<Row<unknown>> {
    return existingRows(this.#rows, this.#drained);
  }
}

/** Segment of removed rows. */
const NO_SEGMENT = new Segment(null, false);

function* existingRows(rows: readonly Row<unknown>[], from: number): Generator<Row<unknown>> {
  for (let at = from; at < rows.length; at += 1) {
    const row = rows[at];
    if (row && row.segment !== NO_SEGMENT) yield row;
  }
}

/** Notified of each durable change; `before` or `after` is undefined if the row is new or removed. */
export interface RowIndex<V> {
  changed(row: Row<V>, before: V | undefined, after: V | undefined): void;
}

/** Clean segments below this share of the limit are written again together with dirty neighbors, so that few are small. */
const SMALL_SHARE = 0.25;

interface TableOptions<V> {
  /** Ends the part of a key by which rows are added together; see `LargeMap`. */
  readonly separator?: string | null;
  readonly toJson?: ValueJson<V>;
}

/** The durable rows of one collection in memory, in order of creation, and their division into segments. */
export class Table<V> {
  readonly name: string;
  readonly separator: string | null;
  readonly toJson: ValueJson<V>;
  readonly #rows: LargeMap<string, Row<V>>;
  readonly #byIndex: (Row<V> | undefined)[] = [];
  readonly #freeIndexes: number[] = [];
  /** In the order of their rows. */
  #segments: Segment[] = [];
  /** Segment of new rows. */
  #open = new Segment(null, true);
  #rowIndex: RowIndex<V> | null = null;

  constructor(name: string, { separator = null, toJson = (value) => JSON.stringify(value) }: TableOptions<V> = {}) {
    this.name = name;
    this.separator = separator;
    this.toJson = toJson;
    this.#rows = new LargeMap(separator);
  }

  get size(): number {
    return this.#rows.size;
  }

  get(key: string): V | undefined {
    return this.#rows.get(key)?.value;
  }

  *keys(): Generator<string> {
    for (const { key } of this.rows()) yield key;
  }

  *values(): Generator<V> {
    for (const { value } of this.rows()) yield value;
  }

  /** In order of creation. Rows that are added or removed during the iteration are included or skipped. */
  *rows(): Generator<Row<V>> {
    for (const rows of this.#segments.map((segment) => segment.rows())) yield* rows as Iterable<Row<V>>;
  }

  /**
   * Newest first, from the row before the one with the key `before` on; null for all. Includes the rows that exist at the start of the
   * iteration, unless they are removed meanwhile. Skips newer segments without reading them.
   */
  *newestValues(before: string | null = null): Generator<V> {
    const start = before === null ? undefined : this.#rows.get(before);
    const last = start === undefined ? -1 : this.#segments.indexOf(start.segment);
    const segments = last === -1 ? this.#segments : this.#segments.slice(0, last + 1);
    let isReached = start === undefined;
    for (const rows of segments.map((segment) => segment.rows() as Iterable<Row<V>>).toReversed()) {
      for (const row of [...rows].toReversed()) {
        if (isReached) yield row.value;
        else isReached = row === start;
      }
    }
  }

  rowAt(index: number): Row<V> | undefined {
    return this.#byIndex[index];
  }

  /** Indexes all rows and later changes. */
  addIndex(rowIndex: RowIndex<V>): void {
    for (const row of this.rows()) rowIndex.changed(row, undefined, row.value);
    this.#rowIndex = rowIndex;
  }

  put(key: string, value: V): void {
    const row = this.#rows.get(key);
    if (!row) {
      this.#insert(key, value, this.#openSegment());
      return;
    }
    const before = row.value;
    row.value = value;
    row.segment.isDirty = true;
    this.#rowIndex?.changed(row, before, value);
  }

  /** Replaces the given fields, if the row exists. */
  set(key: string, fields: unknown): void {
    const value = this.get(key);
    if (value !== undefined) this.put(key, Object.assign({}, value, fields));
  }

  clear(): void {
    for (const key of this.keys()) this.remove(key);
  }

  remove(key: string): void {
    const row = this.#rows.get(key);
    if (!row) return;
    this.#rows.delete(key);
    this.#byIndex[row.index] = undefined;
    this.#freeIndexes.push(row.index);
    row.segment.isDirty = true;
    row.segment = NO_SEGMENT;
    this.#rowIndex?.changed(row, row.value, undefined);
  }

  /** Adds the rows of a segment's file. */
  load(file: SegmentFile, rows: Iterable<readonly [string, V]>): void {
    const segment = new Segment(file, false);
    this.#segments.push(segment);
    for (const [key, value] of rows) this.#insert(key, value, segment);
  }

  /** Files of the segments, in order. */
  files(): readonly SegmentFile[] {
    return this.#segments.flatMap(({ file }) => file ?? []);
  }

  /**
   * Returns the segments that a checkpoint writes again, as runs of neighbors: dirty ones with the small ones beside them. New rows
   * join another segment, so that a checkpoint ends while rows are added.
   */
  retireSegments(maxBytes: number): readonly (readonly Segment[])[] {
    const isSmall = ({ file }: Segment): boolean => file !== null && file.sizeBytes < maxBytes * SMALL_SHARE;
    const runs: Segment[][] = [[]];
    for (const segment of this.#segments) {
      if (segment.isDirty || isSmall(segment)) runs.at(-1)?.push(segment);
      else runs.push([]);
    }
    this.#open = new Segment(null, true);
    return runs.filter((run) => run.some(({ isDirty }) => isDirty));
  }

  insertSegment(segment: Segment, next: Segment): void {
    this.#segments = this.#segments.toSpliced(this.#segments.indexOf(next), 0, segment);
  }

  /** Removes segments without rows. */
  removeSegments(segments: readonly Segment[]): void {
    this.#segments = this.#segments.filter((segment) => !segments.includes(segment));
  }

  #openSegment(): Segment {
    if (this.#segments.at(-1) !== this.#open) this.#segments.push(this.#open);
    return this.#open;
  }

  #insert(key: string, value: V, segment: Segment): void {
    const index = this.#freeIndexes.pop() ?? this.#byIndex.length;
    const row: Row<V> = { key, index, value, segment };
    this.#rows.set(key, row);
    this.#byIndex[index] = row;
    segment.add(row);
    this.#rowIndex?.changed(row, undefined, value);
  }
}
