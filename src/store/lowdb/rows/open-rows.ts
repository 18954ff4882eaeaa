import { readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { damagedFileError, realDisk } from "../files/disk.ts";
import { chunksOf, type FileReader, fileReader, openExisting } from "../files/file-reader.ts";
import { checkedState } from "../files/json-file.ts";
import { endOfString } from "./json-bytes.ts";
import { LoggedRows, type RowSlice } from "./logged-rows.ts";
import { SnapshotRows } from "./snapshot-rows.ts";
import { assertListed, fileCountOf, type ListedSegment, readStored } from "./stored-rows.ts";

/** Larger than most segments. */
const FILE_BYTES = 512 * 1024;

const NEWLINE = 0x0a;
const COMMA = 0x2c;
/** First bytes of a line with a row. */
const ROW = '["';

/** Files that stay open, so that they can be read after another process has replaced and removed them. */
class HeldFiles implements FileReader {
  readonly #files = new Map<string, FileHandle>();

  exists(path: string): Promise<boolean> {
    return fileReader.exists(path);
  }

  readFile(path: string): Promise<Buffer | null> {
    return fileReader.readFile(path);
  }

  async open(path: string): Promise<FileHandle> {
    const file = this.#files.get(path) ?? (await openExisting(path));
    this.#files.set(path, file);
    return file;
  }

  async *readChunks(path: string, end?: number): AsyncGenerator<Buffer> {
    yield* chunksOf(await this.open(path), end);
  }

  fdOf(path: string): number {
    return this.#files.get(path)?.fd ?? -1;
  }

  async close(): Promise<void> {
    for (const file of this.#files.values()) await file.close();
  }
}

/** The rows in a folder as they are at one moment, read from its files when they are needed. */
export class OpenRows {
  readonly snapshot = new SnapshotRows();
  readonly #held = new HeldFiles();
  readonly #logged = new LoggedRows(this.snapshot, (path) => this.#held.fdOf(path));
  readonly #segments = new Map<string, ListedSegment[]>();
  /** Content of one file. */
  #buffer = Buffer.allocUnsafeSlow(FILE_BYTES);

  #fileCount = 0;

  private constructor() {}

  /** Number of the files with the state. */
  get fileCount(): number {
    return this.#fileCount;
  }

  /** Opens all files, without waiting for another process that writes; null for a folder without a state. */
  static async open(dir: string): Promise<OpenRows | null> {
    const rows = new OpenRows();
    try {
      const stored = await readStored(realDisk, dir, rows.#held, {
        snapshot: rows.snapshot,
        addSegment: (table, segment) => rows.#addSegment(table, segment),
        apply: (line, header, file) => rows.#logged.add(line, header, file),
      });
      rows.#fileCount = fileCountOf(stored);
      if (stored.checkpoint.exists) return rows;
    } catch (error) {
      await rows.close();
      throw error;
    }
    await rows.close();
    return null;
  }

  /** Yields the rows of a table in order of creation, valid until the next ones are requested. */
  rows(table: string): AsyncGenerator<Iterable<RowSlice>> {
    return this.#logged.rows(table, this.#segmentRows(table));
  }

  async close(): Promise<void> {
    await this.#held.close();
  }

  async #addSegment(table: string, segment: ListedSegment): Promise<void> {
    await this.#held.open(segment.path);
    const segments = this.#segments.get(table) ?? [];
    this.#segments.set(table, segments);
    segments.push(segment);
  }

  async *#segmentRows(table: string): AsyncGenerator<Iterable<RowSlice>> {
    for (const segment of this.#segments.get(table) ?? []) {
      const state = checkedState(segment.path, await this.#read(segment.path));
      assertListed(segment, state.crc);
      yield rowLines(segment.path, state.bytes);
    }
  }

  async #read(path: string): Promise<Buffer> {
    const file = await this.#held.open(path);
    for (let size = 0; ; ) {
      size += readSync(file.fd, this.#buffer, size, this.#buffer.length - size, size);
      if (size < this.#buffer.length) return this.#buffer.subarray(0, size);
      this.#buffer = Buffer.concat([this.#buffer, Buffer.allocUnsafeSlow(size)]);
    }
  }
}

/** Row in a line of a segment, whose key is decoded only if it is needed. */
class RowLine implements RowSlice {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  readonly #keyFrom: number;

  constructor(bytes: Buffer, keyFrom: number, to: number) {
    this.bytes = bytes;
    this.#keyFrom = keyFrom;
    this.from = endOfString(bytes, keyFrom) + 1;
    this.to = to;
  }

  get key(): string {
    return JSON.parse(this.bytes.toString("utf8", this.#keyFrom, this.from - 1)) as string;
  }
}

/** Returns the rows of a segment, each of which is a line `["key",value]`. */
function* rowLines(path: string, state: Buffer): Generator<RowSlice> {
  let from = state.indexOf(NEWLINE) + 1;
  for (let end = state.indexOf(NEWLINE, from); end >= 0; end = state.indexOf(NEWLINE, from)) {
    const to = state[end - 1] === COMMA ? end - 2 : end - 1;
    if (state.toString("latin1", from, from + ROW.length) !== ROW)
      throw damagedFileError(path, "is damaged: it was changed");
    yield new RowLine(state, from + 1, to);
    from = end + 1;
  }
}
