import { crc32 } from "node:zlib";
import { byteLines } from "../../../lib/lines.ts";
import { damagedFileError, otherSchemaError } from "./disk.ts";
import { checksum, checksumText } from "./json-file.ts";

export const LOG_SCHEMA = 8;

const CLOSING_BRACE = 0x7d;

/** Length of a checksum and the space after it. */
const PREFIX_LENGTH = 9;

/** The first line. */
export interface LogHead {
  readonly schema: number;
  /** Number of the first transaction. */
  readonly mark: number;
}

/** End of the valid lines. */
export interface LogEnd {
  readonly offset: number;
  /** Checksum of the last valid line, which the checksum of the next line continues. */
  readonly chain: number;
  readonly lineCount: number;
}

export const LOG_BEGINNING: LogEnd = { offset: 0, chain: 0, lineCount: 0 };

/** Valid part of a log. */
export interface LogExtent {
  /** Null if the first line is incomplete. */
  readonly head: LogHead | null;
  /** End of the last entry whose lines are complete. */
  readonly end: LogEnd;
  /** Bytes of an interrupted append; null if the file ends with a complete entry. */
  readonly torn: { readonly line: number; readonly bytes: number } | null;
}

/** A line, each of which is `<checksum> <JSON>`. */
export interface LogLine {
  readonly json: Buffer;
  /** Position of the JSON in the file. */
  readonly offset: number;
}

type Chunks = AsyncIterable<Uint8Array>;

export function lineAfter(json: string, { offset, chain, lineCount }: LogEnd): { text: string; end: LogEnd } {
  const crc = crc32(json, chain);
  const text = `${checksumText(crc)} ${json}\n`;
  return { text, end: { offset: offset + Buffer.byteLength(text), chain: crc, lineCount: lineCount + 1 } };
}

/**
 * Checks a log that is read in chunks, one line at a time. Damage, other than by an interrupted append, is a StoreError that
 * names the line of the file at `path`.
 */
export async function scanLog(path: string, chunks: Chunks): Promise<LogExtent> {
  const lines = new LineReader(path, chunks);
  let head: LogHead | null = null;
  let end = LOG_BEGINNING;
  for await (const { json } of lines) {
    head ??= readHead(path, json);
    if (!isContinued(json)) end = lines.end;
  }
  const torn = { line: end.lineCount + 1, bytes: lines.size - end.offset };
  return { head, end, torn: torn.bytes === 0 ? null : torn };
}

/** Returns the head; throws a StoreError if the first line is incomplete. */
export function headIn(path: string, { head, torn }: LogExtent): LogHead {
  if (head) return head;
  throw torn ? damagedLineError(path, 1) : damagedFileError(path, "is empty");
}

/** Yields the lines after the head. `chunks`: up to the end of the log's extent. */
export async function* entryLines(path: string, chunks: Chunks): AsyncGenerator<LogLine> {
  const lines = new LineReader(path, chunks);
  for await (const line of lines) if (lines.end.lineCount > 1) yield line;
}

/** Reads the complete lines of a log and checks them; an incomplete one at the end is counted only. */
class LineReader {
  /** End of the lines that were read. */
  end = LOG_BEGINNING;
  /** Size of the file; known after the last line. */
  size = 0;
  readonly #path: string;
  readonly #chunks: Chunks;

  constructor(path: string, chunks: Chunks) {
    this.#path = path;
    this.#chunks = chunks;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LogLine> {
    for await (const { number, bytes, isTerminated } of byteLines(this.#chunks)) {
      const { offset, chain } = this.end;
      if (bytes === null || (!isTerminated && hasChangedLineEnd(bytes, chain)))
        throw damagedLineError(this.#path, number);
      this.size = offset + bytes.length;
      if (!isTerminated) return;
      const next = chainAfter(bytes, chain);
      if (next === null) throw damagedLineError(this.#path, number);
      this.size += 1;
      this.end = { offset: this.size, chain: next, lineCount: number };
      yield { json: bytes.subarray(PREFIX_LENGTH), offset: offset + PREFIX_LENGTH };
    }
  }
}

function damagedLineError(path: string, line: number): Error {
  return damagedFileError(path, `is damaged in line ${line}`);
}

function readHead(path: string, json: Buffer): LogHead {
  const head = JSON.parse(json.toString("utf8")) as LogHead;
  if (head.schema !== LOG_SCHEMA) throw otherSchemaError(path, head.schema, LOG_SCHEMA);
  return head;
}

/** Begins a line whose entry continues in the next line. */
const CONTINUED = /^\{"n":\d+(,"purge":true)?,"more":true,/;
const MAX_CONTINUED_LENGTH = 64;

function isContinued(json: Buffer): boolean {
  return CONTINUED.test(json.toString("latin1", 0, MAX_CONTINUED_LENGTH));
}

/** Returns the checksum of a line that continues `chain`, or null if the line is invalid. */
function chainAfter(line: Buffer, chain: number): number | null {
  const crc = line.toString("latin1", 0, PREFIX_LENGTH - 1);
  const isValid = line[PREFIX_LENGTH - 1] === 0x20 && checksum(line.subarray(PREFIX_LENGTH), chain) === crc;
  return isValid ? Number.parseInt(crc, 16) : null;
}

/**
 * Whether the bytes are a valid line, followed by anything but its line end. Such a line may have been acknowledged, so it is
 * damage. An append that never succeeded leaves a partial line, with zeros after it if a power failure came between the file's
 * size and its data.
 */
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
