import { dirname } from "node:path";
import type { Disk, DiskFile } from "./disk.ts";
import { LOG_BEGINNING, LOG_SCHEMA, type LogEnd, type LogExtent, type LogHead, lineAfter } from "./log-lines.ts";

/** Text that is encoded and written in one block, in bytes. */
const MAX_WRITE_BYTES = 256 * 1024;

/** Returns the content of a log without entries. */
export function emptyLog(mark = 0): string {
  return lineAfter(JSON.stringify(headOf(mark)), LOG_BEGINNING).text;
}

function headOf(mark: number): LogHead {
  return { schema: LOG_SCHEMA, mark };
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
  #end: LogEnd;
  /** True if a failed write may have left bytes after the end. */
  #hasRemainder: boolean;
  /** True after a rename until the folder is synced: until then, a power failure may undo the rename. */
  #isNameUnsynced = false;

  private constructor(disk: Disk, path: string, opened: { file: DiskFile; end: LogEnd; hasRemainder: boolean }) {
    this.#disk = disk;
    this.#path = path;
    this.#file = opened.file;
    this.#end = opened.end;
    this.#hasRemainder = opened.hasRemainder;
  }

  /** Continues after the valid entries and truncates a partial last line. */
  static async continue(disk: Disk, path: string, read: Pick<LogExtent, "end" | "torn">): Promise<AppendOnlyLog> {
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
    const { text, end } = lineAfter(JSON.stringify(headOf(mark)), LOG_BEGINNING);
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
  async #write(lines: Iterable<string>): Promise<LogEnd> {
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
