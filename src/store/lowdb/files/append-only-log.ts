import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { renameFields } from "../../renamed-fields.ts";
import { type Disk, type DiskFile, damagedFileError, newerSchemaError } from "./disk.ts";
import { checksum, checksumText } from "./json-file.ts";

/** Schema 1 has older names of some fields. Schemas 3 to 8 changed the files in the folder. */
const SCHEMA = 8;
const FIRST_SCHEMA_WITH_CURRENT_NAMES = 2;

const NEWLINE = 0x0a;
const CLOSING_BRACE = 0x7d;

/** Length of a checksum and the space after it. */
const PREFIX_LENGTH = 9;

/** The first line. */
export interface LogHead {
  readonly schema: number;
  /** Number of the first transaction; in logs of earlier schemas, the number of the last commit or posting. */
  readonly mark: number;
  /** Number of entries written together with the head, in logs of earlier schemas; if any is missing, the file is damaged. */
  readonly kept: number;
}

/** Text that is encoded and written in one block, in bytes. */
const MAX_WRITE_BYTES = 256 * 1024;

/** End of the valid lines. */
interface End {
  readonly offset: number;
  /** Checksum of the last valid line, which the checksum of the next line continues. */
  readonly chain: number;
  readonly lineCount: number;
}

const BEGINNING: End = { offset: 0, chain: 0, lineCount: 0 };

export interface LogContent<E> {
  readonly head: LogHead;
  readonly entries: readonly E[];
  readonly end: End;
  /** Lines of an interrupted append; null if the file ends with a complete entry. */
  readonly torn: { readonly line: number; readonly bytes: number } | null;
}

/** Returns the content of a log without entries. */
export function emptyLog(mark = 0): string {
  return lineAfter(JSON.stringify(headOf(mark)), BEGINNING).text;
}

function headOf(mark: number): LogHead {
  return { schema: SCHEMA, mark, kept: 0 };
}

/** Parses the bytes of the log at `path`. Damage, other than by an interrupted append, is a StoreError that names the line. */
export function parseLog<E>(path: string, bytes: Buffer): LogContent<E> {
  const { lines, end, whole } = readValidLines(bytes);
  const [head, ...entries] = lines as [LogHead | undefined, ...E[]];
  if (bytes.length === 0) throw damagedFileError(path, "is empty");
  if (head && head.schema > SCHEMA) throw newerSchemaError(path, head.schema, SCHEMA);
  const isInterrupted = isInterruptedAppend(bytes.subarray(end.offset), end.chain);
  if (!head || entries.length < head.kept || !isInterrupted)
    throw damagedFileError(path, `is damaged in line ${lines.length + 1}`);
  const kept = entries.slice(0, whole.lineCount - 1);
  const hasOldNames = head.schema < FIRST_SCHEMA_WITH_CURRENT_NAMES;
  const torn = { line: whole.lineCount + 1, bytes: bytes.length - whole.offset };
  return {
    head,
    entries: hasOldNames ? kept.map((entry) => renameFields(entry) as E) : kept,
    end: whole,
    torn: torn.bytes === 0 ? null : torn,
  };
}

/**
 * Whether an append that never succeeded can have left these bytes: a partial line, with zeros after it if a power failure
 * came between the file's size and its data. A complete line may have been acknowledged, so one that is invalid is damage.
 */
function isInterruptedAppend(remaining: Buffer, chain: number): boolean {
  return !remaining.includes(NEWLINE) && !hasChangedLineEnd(remaining, chain);
}

/** Whether the bytes are a valid line, followed by anything but its line end. */
function hasChangedLineEnd(bytes: Buffer, chain: number): boolean {
  const expected = bytes.toString("latin1", 0, PREFIX_LENGTH - 1);
  let crc = chain;
  let from = PREFIX_LENGTH;
  for (let brace = bytes.indexOf(CLOSING_BRACE, from); brace >= 0; brace = bytes.indexOf(CLOSING_BRACE, from)) {
    crc = crc32(bytes.subarray(from, brace + 1), crc);
    from = brace + 1;
    if (from < bytes.length && checksumText(crc) === expected) return true;
  }
  return false;
}

/** Reads up to the first invalid line. `whole`: end of the last entry whose lines are complete. */
function readValidLines(bytes: Buffer): { readonly lines: readonly unknown[]; readonly end: End; readonly whole: End } {
  const lines: unknown[] = [];
  let end = BEGINNING;
  let whole = BEGINNING;
  for (;;) {
    const newline = bytes.indexOf(NEWLINE, end.offset);
    const line = newline < 0 ? null : readLine(bytes.subarray(end.offset, newline), end.chain);
    if (line === null) return { lines, end, whole };
    lines.push(line.value);
    end = { offset: newline + 1, chain: line.chain, lineCount: end.lineCount + 1 };
    if (!isContinued(line.value)) whole = end;
  }
}

/** Whether the next line belongs to the same entry. */
function isContinued(line: unknown): boolean {
  return (line as { readonly more?: unknown }).more === true;
}

function readLine(bytes: Buffer, chain: number): { value: unknown; chain: number } | null {
  const json = bytes.subarray(PREFIX_LENGTH);
  const crc = bytes.toString("latin1", 0, PREFIX_LENGTH - 1);
  if (bytes[PREFIX_LENGTH - 1] !== 0x20 || checksum(json, chain) !== crc) return null;
  return { value: JSON.parse(json.toString("utf8")), chain: Number.parseInt(crc, 16) };
}

function lineAfter(json: string, { offset, chain, lineCount }: End): { readonly text: string; readonly end: End } {
  const crc = crc32(json, chain);
  const text = `${checksumText(crc)} ${json}\n`;
  return { text, end: { offset: offset + Buffer.byteLength(text), chain: crc, lineCount: lineCount + 1 } };
}

/** More than the last block of a file can have left on a full disk. */
const PROBE_BYTES = 8 * 1024;

/**
 * An append-only file of lines, each `<checksum> <JSON>`. Each checksum continues the previous one, so changed, missing,
 * duplicated and moved lines are detected, but not whole lines missing at the end. Calls must not overlap.
 */
export class AppendOnlyLog {
  readonly #disk: Disk;
  readonly #path: string;
  #file: DiskFile;
  #end: End;
  /** True if a failed write may have left bytes after the end. */
  #hasRemainder: boolean;
  /** True after a rename until the folder is synced: until then, a power failure may undo the rename. */
  #isNameUnsynced = false;

  private constructor(disk: Disk, path: string, opened: { file: DiskFile; end: End; hasRemainder: boolean }) {
    this.#disk = disk;
    this.#path = path;
    this.#file = opened.file;
    this.#end = opened.end;
    this.#hasRemainder = opened.hasRemainder;
  }

  /** Continues after the parsed content and truncates a partial last line. */
  static async continue(
    disk: Disk,
    path: string,
    read: Pick<LogContent<unknown>, "end" | "torn">,
  ): Promise<AppendOnlyLog> {
    const log = new AppendOnlyLog(disk, path, {
      file: await disk.open(path),
      end: read.end,
      hasRemainder: read.torn !== null,
    });
    try {
      await log.repair();
    } catch (error) {
      await log.close();
      throw error;
    }
    return log;
  }

  /** Creates a log without entries; its name is durable. After an error, the file does not exist or has no entries. */
  static async create(disk: Disk, path: string, mark: number): Promise<AppendOnlyLog> {
    const { text, end } = lineAfter(JSON.stringify(headOf(mark)), BEGINNING);
    const file = await disk.open(path);
    const log = new AppendOnlyLog(disk, path, { file, end, hasRemainder: true });
    try {
      await file.write(Buffer.from(text), 0);
      log.#isNameUnsynced = true;
      await log.repair();
    } catch (error) {
      await disk.remove(path).catch(() => undefined);
      await file.close();
      throw error;
    }
    return log;
  }

  get sizeBytes(): number {
    return this.#end.offset;
  }

  get entryCount(): number {
    return this.#end.lineCount - 1;
  }

  /** Appends lines of JSON durably. A crash before the promise resolves may leave some of the first ones. */
  async append(lines: Iterable<string>): Promise<void> {
    await this.repair();
    this.#hasRemainder = true;
    try {
      const end = await this.#write(lines);
      await this.#file.sync();
      this.#end = end;
    } catch (error) {
      // A partial line would occupy space on a full disk, and a complete one would reappear after a restart.
      await this.repair().catch(() => undefined);
      throw error;
    }
    this.#hasRemainder = false;
  }

  /** Returns the end after the lines. Each write lets other work continue. */
  async #write(lines: Iterable<string>): Promise<End> {
    let end = this.#end;
    let from = end.offset;
    let texts: string[] = [];
    for (const json of lines) {
      const line = lineAfter(json, end);
      texts.push(line.text);
      end = line.end;
      if (end.offset - from < MAX_WRITE_BYTES) continue;
      await this.#file.write(Buffer.from(texts.join("")), from);
      from = end.offset;
      texts = [];
    }
    if (texts.length > 0) await this.#file.write(Buffer.from(texts.join("")), from);
    return end;
  }

  /** Writes bytes after the end and removes them. Rejects if the file is not writable or the disk has no space left. */
  async probe(): Promise<void> {
    await this.repair();
    this.#hasRemainder = true;
    try {
      await this.#file.write(Buffer.alloc(PROBE_BYTES), this.#end.offset);
      await this.#file.sync();
    } finally {
      await this.repair();
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  /** Removes the effects of an earlier failure, so that the file ends with its last acknowledged line. */
  async repair(): Promise<void> {
    if (this.#hasRemainder) {
      await this.#file.truncate(this.#end.offset);
      await this.#file.sync();
      this.#hasRemainder = false;
    }
    if (this.#isNameUnsynced) {
      await this.#disk.syncFolder(dirname(this.#path));
      this.#isNameUnsynced = false;
    }
  }
}
