import { dirname } from "node:path";
import { renameFields } from "../../../domain/renamed-fields.ts";
import { temporaryPath } from "../../../lib/durable-file.ts";
import { damaged, newerSchema } from "../files/damage.ts";
import type { Disk, DiskFile } from "../files/disk.ts";
import { checksum } from "../files/json-file.ts";

/**
 * An append-only file of lines, each `<checksum> <JSON>`. The checksum of a line goes on from that of the line before it, so
 * that a changed, missing, doubled or moved line is found. What cannot be found out is that whole lines are missing at the
 * end: any beginning of the file is a state that once was.
 *
 * Its owner appends one batch at a time.
 */
/** Records of schema 1 hold older names of some fields. */
const SCHEMA = 2;

const NEWLINE = 10;

/** The first line. */
export interface JournalHead {
  readonly schema: number;
  /** Its owner's: how far the files beside it had come when this journal was begun. */
  readonly mark: number;
  /** How many lines after this one were written together with it: they can only be lost by damage. */
  readonly kept: number;
}

/** Where good lines end. */
interface End {
  readonly offset: number;
  readonly chain: number;
}

const BEGINNING: End = { offset: 0, chain: 0 };

export interface ReadJournal<E> {
  readonly head: JournalHead;
  readonly entries: readonly E[];
  readonly end: End;
  /** What a power cut left of the last line; null when the journal ends with a whole one. */
  readonly torn: { readonly line: number; readonly bytes: number } | null;
  /** The file has an earlier schema: it is to be rewritten before anything is appended. */
  readonly isOutdated: boolean;
}

/** A journal without entries, for a folder that has none. */
export function emptyJournal(): string {
  const head: JournalHead = { schema: SCHEMA, mark: 0, kept: 0 };
  return writeLines([head], BEGINNING).bytes.toString("utf8");
}

/** Reads the bytes of the journal at `path`. Damage before the last line is a StoreError that names the line. */
export function readJournal<E>(path: string, bytes: Buffer): ReadJournal<E> {
  const { lines, end } = readGoodLines(bytes);
  const [head, ...entries] = lines as [JournalHead | undefined, ...E[]];
  const nextLine = lines.length + 1;
  if (bytes.length === 0) throw damaged(path, "is empty");
  if (head && head.schema > SCHEMA) throw newerSchema(path, head.schema, SCHEMA);
  const newline = bytes.indexOf(NEWLINE, end.offset);
  const moreFollows = newline >= 0 && newline < bytes.length - 1;
  if (!head || entries.length < head.kept || moreFollows) throw damaged(path, `is damaged in line ${nextLine}`);
  const left = bytes.length - end.offset;
  const isOutdated = head.schema < SCHEMA;
  const current = isOutdated ? entries.map((entry) => renameFields(entry) as E) : entries;
  return { head, entries: current, end, isOutdated, torn: left === 0 ? null : { line: nextLine, bytes: left } };
}

/** Up to the first line that is not whole. */
function readGoodLines(bytes: Buffer): { readonly lines: readonly unknown[]; readonly end: End } {
  const lines: unknown[] = [];
  let end = BEGINNING;
  for (;;) {
    const newline = bytes.indexOf(NEWLINE, end.offset);
    const line = newline < 0 ? null : readLine(bytes.subarray(end.offset, newline), end.chain);
    if (line === null) return { lines, end };
    lines.push(line.value);
    end = { offset: newline + 1, chain: line.chain };
  }
}

function readLine(bytes: Buffer, chain: number): { value: unknown; chain: number } | null {
  const json = bytes.subarray(9);
  const crc = bytes.toString("latin1", 0, 8);
  if (bytes[8] !== 32 || checksum(json, chain) !== crc) return null;
  return { value: JSON.parse(json.toString("utf8")), chain: Number.parseInt(crc, 16) };
}

function writeLines(values: Iterable<unknown>, after: End): { bytes: Buffer; end: End } {
  let { chain } = after;
  const lines: string[] = [];
  for (const value of values) {
    const json = JSON.stringify(value);
    const crc = checksum(json, chain);
    lines.push(`${crc} ${json}\n`);
    chain = Number.parseInt(crc, 16);
  }
  const bytes = Buffer.from(lines.join(""));
  return { bytes, end: { offset: after.offset + bytes.length, chain } };
}

export class Journal<E> {
  readonly #disk: Disk;
  readonly #path: string;
  #file: DiskFile;
  #end: End;
  /** Something that is not ours to keep may stand after the end. */
  #untidy: boolean;
  /** The file's name may not survive a power cut yet. */
  #nameless = false;

  private constructor(disk: Disk, path: string, opened: { file: DiskFile; end: End; untidy: boolean }) {
    this.#disk = disk;
    this.#path = path;
    this.#file = opened.file;
    this.#end = opened.end;
    this.#untidy = opened.untidy;
  }

  /** Goes on after what was read; a torn line is cut off. */
  static async continue<E>(disk: Disk, path: string, read: Pick<ReadJournal<E>, "end" | "torn">): Promise<Journal<E>> {
    const journal = new Journal<E>(disk, path, {
      file: await disk.open(path),
      end: read.end,
      untidy: read.torn !== null,
    });
    await journal.#tidy();
    return journal;
  }

  /** In bytes. */
  get size(): number {
    return this.#end.offset;
  }

  /** All of them or, when it throws, none. */
  async append(entries: readonly E[]): Promise<void> {
    await this.#tidy();
    const { bytes, end } = writeLines(entries, this.#end);
    this.#untidy = true;
    try {
      await this.#file.write(bytes, this.#end.offset);
      await this.#file.sync();
    } catch (error) {
      // Now, if the disk lets us: a part of a line keeps a full disk full, and a whole one would come back with a restart.
      await this.#tidy().catch(() => undefined);
      throw error;
    }
    this.#untidy = false;
    this.#end = end;
  }

  /** Puts a new journal with these entries in its place; when it throws, the old one or the new one stands, whole. */
  async rewrite(mark: number, entries: readonly E[]): Promise<void> {
    const head: JournalHead = { schema: SCHEMA, mark, kept: entries.length };
    const { bytes, end } = writeLines([head, ...entries], BEGINNING);
    const temporary = temporaryPath(this.#path);
    const file = await this.#disk.open(temporary);
    try {
      await file.write(bytes, 0);
      await file.sync();
      await this.#disk.rename(temporary, this.#path);
    } catch (error) {
      await this.#disk.remove(temporary).catch(() => undefined);
      await file.close();
      throw error;
    }
    const old = this.#file;
    this.#file = file;
    this.#end = end;
    this.#untidy = false;
    this.#nameless = true;
    await old.close();
    await this.#tidy();
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  /** What went wrong before is put right before anything else is appended. */
  async #tidy(): Promise<void> {
    if (this.#untidy) {
      await this.#file.truncate(this.#end.offset);
      await this.#file.sync();
      this.#untidy = false;
    }
    if (this.#nameless) {
      await this.#disk.syncFolder(dirname(this.#path));
      this.#nameless = false;
    }
  }
}
