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
export interface Segment {
  /** Null until a checkpoint has written it. */
  file: SegmentFile | null;
  /** True if a row was changed since the file was written. */
  isDirty: boolean;
}

/** Notified of each durable change; `before` or `after` is undefined if the row is new or removed. */
export interface RowIndex<V> {
  changed(row: Row<V>, before: V | undefined, after: V | undefined): void;
}

/** Clean segments below this share of the limit are written again together with dirty ones, so that few are small. */
const SMALL_SHARE = 0.25;

/** The durable rows of one collection in memory, in order of their creation, and their division into segments. */
export class Table<V> {
  readonly name: string;
  readonly #rows = new Map<string, Row<V>>();
  readonly #byIndex: (Row<V> | undefined)[] = [];
  readonly #freeIndexes: number[] = [];
  readonly #segments = new Set<Segment>();
  /** Segment of new rows. */
  #open = newSegment();
  #rowIndex: RowIndex<V> | null = null;

  constructor(name: string) {
    this.name = name;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(key: string): V | undefined {
    return this.#rows.get(key)?.value;
  }

  keys(): Iterable<string> {
    return this.#rows.keys();
  }

  *values(): Generator<V> {
    for (const { value } of this.#rows.values()) yield value;
  }

  /** Rows that are added or removed during the iteration are included or skipped. */
  rows(): Iterable<Row<V>> {
    return this.#rows.values();
  }

  rowAt(index: number): Row<V> | undefined {
    return this.#byIndex[index];
  }

  /** Indexes all rows and later changes. */
  addIndex(rowIndex: RowIndex<V>): void {
    for (const row of this.#rows.values()) rowIndex.changed(row, undefined, row.value);
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

  remove(key: string): void {
    const row = this.#rows.get(key);
    if (!row) return;
    this.#rows.delete(key);
    this.#byIndex[row.index] = undefined;
    this.#freeIndexes.push(row.index);
    row.segment.isDirty = true;
    this.#rowIndex?.changed(row, row.value, undefined);
  }

  /** Adds the rows of a segment's file. */
  load(file: SegmentFile, rows: Iterable<readonly [string, V]>): void {
    const segment: Segment = { file, isDirty: false };
    this.#segments.add(segment);
    for (const [key, value] of rows) this.#insert(key, value, segment);
  }

  /** Files of the segments, in order. */
  files(): readonly SegmentFile[] {
    return [...this.#segments].flatMap(({ file }) => file ?? []);
  }

  /**
   * Removes the segments that a checkpoint writes again, and returns them: dirty ones and, if there are any, small ones. New rows
   * join another segment, so that a checkpoint ends while rows are added. The caller moves all other rows to segments that it adds.
   */
  retireSegments(maxBytes: number): ReadonlySet<Segment> {
    const dirty = [...this.#segments].filter(({ isDirty }) => isDirty);
    if (dirty.length === 0) return new Set();
    const small = [...this.#segments].filter(({ file }) => file !== null && file.sizeBytes < maxBytes * SMALL_SHARE);
    const retired = new Set([...dirty, ...small]);
    for (const segment of retired) this.#segments.delete(segment);
    this.#open = newSegment();
    return retired;
  }

  addSegment(segment: Segment): void {
    this.#segments.add(segment);
  }

  #openSegment(): Segment {
    this.#segments.add(this.#open);
    return this.#open;
  }

  #insert(key: string, value: V, segment: Segment): void {
    const index = this.#freeIndexes.pop() ?? this.#byIndex.length;
    const row: Row<V> = { key, index, value, segment };
    this.#rows.set(key, row);
    this.#byIndex[index] = row;
    this.#rowIndex?.changed(row, undefined, value);
  }
}

function newSegment(): Segment {
  return { file: null, isDirty: true };
}
