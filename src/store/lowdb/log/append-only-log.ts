import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { temporaryPath } from "../../../lib/durable-file.ts";
import { renameFields } from "../../renamed-fields.ts";
import { type Disk, type DiskFile, damagedFileError, newerSchemaError } from "../files/disk.ts";
import { checksum, checksumText } from "../files/json-file.ts";

/** Schema 1 has older names of some fields. Schemas 3 to 7 of the journal changed the files in the folder. */
const SCHEMA = 7;
const FIRST_SCHEMA_WITH_CURRENT_NAMES = 2;

const NEWLINE = 0x0a;
const CLOSING_BRACE = 0x7d;

/** Length of a checksum and the space after it. */
const PREFIX_LENGTH = 9;

/** The first line. */
export interface LogHead {
  readonly schema: number;
  /** Number that the caller of the last rewrite stored, such as that of the last commit. */
  readonly mark: number;
  /** Number of entries written together with the head; if any is missing, the file is damaged. */
  readonly kept: number;
}

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
  /** Partial last line of an interrupted append; null if the file ends with a complete line. */
  readonly torn: { readonly line: number; readonly bytes: number } | null;
  /** True if the file has an earlier schema. The store tries to rewrite it at startup. */
  readonly isOutdated: boolean;
}

/** Returns the content of a log without entries. */
export function emptyLog(mark = 0): string {
  const head: LogHead = { schema: SCHEMA, mark, kept: 0 };
  return writeLines([head], BEGINNING).bytes.toString("utf8");
}

/** Parses the bytes of the log at `path`. Damage, other than by an interrupted append, is a StoreError that names the line. */
export function parseLog<E>(path: string, bytes: Buffer): LogContent<E> {
  const { lines, end } = readValidLines(bytes);
  const [head, ...entries] = lines as [LogHead | undefined, ...E[]];
  const nextLine = lines.length + 1;
  if (bytes.length === 0) throw damagedFileError(path, "is empty");
  if (head && head.schema > SCHEMA) throw newerSchemaError(path, head.schema, SCHEMA);
  const remaining = bytes.subarray(end.offset);
  if (!head || entries.length < head.kept || !isInterruptedAppend(remaining, end.chain))
    throw damagedFileError(path, `is damaged in line ${nextLine}`);
  const isOutdated = head.schema < SCHEMA;
  const hasOldNames = head.schema < FIRST_SCHEMA_WITH_CURRENT_NAMES;
  const renamed = hasOldNames ? entries.map((entry) => renameFields(entry) as E) : entries;
  return {
    head,
    entries: renamed,
    end,
    isOutdated,
    torn: remaining.length === 0 ? null : { line: nextLine, bytes: remaining.length },
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

/** Reads up to the first invalid line. */
function readValidLines(bytes: Buffer): { readonly lines: readonly unknown[]; readonly end: End } {
  const lines: unknown[] = [];
  let end = BEGINNING;
  for (;;) {
    const newline = bytes.indexOf(NEWLINE, end.offset);
    const line = newline < 0 ? null : readLine(bytes.subarray(end.offset, newline), end.chain);
    if (line === null) return { lines, end };
    lines.push(line.value);
    end = { offset: newline + 1, chain: line.chain, lineCount: end.lineCount + 1 };
  }
}

function readLine(bytes: Buffer, chain: number): { value: unknown; chain: number } | null {
  const json = bytes.subarray(PREFIX_LENGTH);
  const crc = bytes.toString("latin1", 0, PREFIX_LENGTH - 1);
  if (bytes[PREFIX_LENGTH - 1] !== 0x20 || checksum(json, chain) !== crc) return null;
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
  const lineCount = after.lineCount + lines.length;
  return { bytes, end: { offset: after.offset + bytes.length, chain, lineCount } };
}

/**
 * An append-only file of lines, each `<checksum> <JSON>`. Each checksum continues the previous one, so changed, missing,
 * duplicated and moved lines are detected, but not whole lines missing at the end. Calls must not overlap.
 */
export class AppendOnlyLog<E> {
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
  static async continue<E>(
    disk: Disk,
    path: string,
    read: Pick<LogContent<E>, "end" | "torn">,
  ): Promise<AppendOnlyLog<E>> {
    const log = new AppendOnlyLog<E>(disk, path, {
      file: await disk.open(path),
      end: read.end,
      hasRemainder: read.torn !== null,
    });
    await log.repair();
    return log;
  }

  /** Creates a log without entries; its name is durable. After an error, the file does not exist or has no entries. */
  static async create<E>(disk: Disk, path: string, mark: number): Promise<AppendOnlyLog<E>> {
    const { bytes, end } = writeLines([{ schema: SCHEMA, mark, kept: 0 } satisfies LogHead], BEGINNING);
    const file = await disk.open(path);
    const log = new AppendOnlyLog<E>(disk, path, { file, end, hasRemainder: true });
    try {
      await file.write(bytes, 0);
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

  /** Appends all entries durably. A crash before the promise resolves may leave some of the first ones. */
  async append(entries: readonly E[]): Promise<void> {
    await this.repair();
    const { bytes, end } = writeLines(entries, this.#end);
    this.#hasRemainder = true;
    try {
      await this.#file.write(bytes, this.#end.offset);
      await this.#file.sync();
    } catch (error) {
      // A partial line would occupy space on a full disk, and a complete one would reappear after a restart.
      await this.repair().catch(() => undefined);
      throw error;
    }
    this.#hasRemainder = false;
    this.#end = end;
  }

  /** Replaces the file with one that has these entries. After an error, the old or the new file is in use and complete. */
  async rewrite(mark: number, entries: readonly E[]): Promise<void> {
    const head: LogHead = { schema: SCHEMA, mark, kept: entries.length };
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
    const previousFile = this.#file;
    this.#file = file;
    this.#end = end;
    this.#hasRemainder = false;
    this.#isNameUnsynced = true;
    await previousFile.close();
    await this.repair();
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
