import { isJsonObject, type JsonObject, parseJson } from "../../lib/json.ts";
import { yieldToEventLoop } from "../../lib/slices.ts";

/** The value of an answer's body, or why it is invalid. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** Rows of one answer: a service lists some hundred splits, or 40 articles per page. */
const MAX_ROWS = 20_000;

/** Size of one row: above an article of the longest text that is kept (200,000 characters), each written as an escape. */
const MAX_ROW_BYTES = 1_500_000;

/** Nesting within a row, itself included; rows are flat, and unknown fields need not be read further. */
const MAX_DEPTH = 16;

/** Values of one row, nested ones included; rows have six fields. Very many keys take seconds to read. */
const MAX_ROW_VALUES = 1_000;

/** Size of what surrounds the list: totals and the like. */
const MAX_SURROUNDING_BYTES = 64 * 1024;

/** Longer keys are not compared with the list's name. */
const MAX_KEY_BYTES = 100;

/** Work between two turns of the event loop. */
const BYTES_PER_SLICE = 512 * 1024;
const ROWS_PER_SLICE = 250;

/** A row of the list, or why it was not parsed. */
export type ListRow =
  | { readonly ok: true; readonly value: unknown; readonly bytes: Buffer }
  | { readonly ok: false; readonly problem: string; readonly bytes: Buffer };

/** A JSON object whose field `name` is a list, which is parsed row by row. */
export interface JsonList {
  /** The other fields; the list itself is empty. */
  readonly fields: JsonObject;
  readonly rows: readonly RowRange[];
}

interface RowRange {
  readonly bytes: Buffer;
  /** Depth of the nesting; 0 for a text or a number. */
  readonly depth: number;
  readonly values: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const OPENING_LIST = 0x5b;
const OPENING: ReadonlySet<number> = new Set([OPENING_LIST, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Finds the rows of a list in one linear scan without parsing them, so that neither depth nor number can stall the event loop.
 * Throws a SyntaxError if the JSON is incomplete.
 */
export async function findRows(body: Buffer, name: string): Promise<Parsed<JsonList>> {
  const scan = new ListScan(body, name);
  for (let end = 0; end < body.length; ) {
    end = Math.min(end + BYTES_PER_SLICE, body.length);
    const problem = scan.advance(end);
    if (problem !== null) return { ok: false, problem };
    await yieldToEventLoop();
  }
  return scan.finish();
}

/** Parses the rows in slices. Throws a SyntaxError if one is not JSON. */
export async function* parseRows(rows: readonly RowRange[]): AsyncGenerator<ListRow> {
  let sliceBytes = 0;
  let sliceRows = 0;
  for (const row of rows) {
    sliceBytes += row.bytes.length;
    sliceRows += 1;
    if (sliceBytes > BYTES_PER_SLICE || sliceRows > ROWS_PER_SLICE) {
      await yieldToEventLoop();
      sliceBytes = row.bytes.length;
      sliceRows = 1;
    }
    yield parseRow(row);
  }
}

function parseRow({ bytes, depth, values }: RowRange): ListRow {
  if (depth > MAX_DEPTH) return { ok: false, bytes, problem: `nested ${depth} deep, expected at most ${MAX_DEPTH}` };
  if (values > MAX_ROW_VALUES)
    return { ok: false, bytes, problem: `${values} values, expected at most ${MAX_ROW_VALUES}` };
  if (bytes.length <= MAX_ROW_BYTES) return { ok: true, bytes, value: JSON.parse(bytes.toString("utf8")) };
  return { ok: false, bytes, problem: `${bytes.length} bytes, expected at most ${MAX_ROW_BYTES}` };
}

/** Position of the quote that closes the text that starts at `start`. */
function endOfString(body: Buffer, start: number): number {
  let at = start + 1;
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  return at;
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every(isBlankByte);
}

function isBlankByte(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Position behind a byte order mark and blanks. */
function skipBlanks(body: Buffer): number {
  let at = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  while (isBlankByte(body[at])) at += 1;
  return at;
}

/** True if a key as written, such as `"data"` or `"d\u0061ta"`, is `name`. */
function isNamed(key: string, name: string): boolean {
  return key === `"${name}"` || (key.includes("\\") && parseJson(key) === name);
}

/** Scanner of a JSON object that contains the list `name`; of several lists of this name, the last one counts. */
class ListScan {
  readonly #body: Buffer;
  readonly #name: string;
  readonly #surroundings: Buffer[] = [];
  #surroundingBytes = 0;
  #surroundingStart: number;
  #surroundingDepth = 0;
  #rows: RowRange[] = [];
  #at: number;
  #depth = 0;
  #key = "";
  /** Start of the current row; null outside of the list. */
  #rowStart: number | null = null;
  #rowDepth = 0;
  #rowCommas = 0;

  constructor(body: Buffer, name: string) {
    this.#body = body;
    this.#name = name;
    this.#at = skipBlanks(body);
    this.#surroundingStart = this.#at;
  }

  /** Continues up to the position `end`. Returns the problem of a list beyond a limit, or null. */
  advance(end: number): string | null {
    while (this.#at < end && this.#rows.length <= MAX_ROWS) this.#readByte();
    if (this.#surroundingBytes > MAX_SURROUNDING_BYTES) return tooMuchAround(this.#surroundingBytes, this.#name);
    return this.#rows.length > MAX_ROWS ? `got more than ${MAX_ROWS} rows, expected at most ${MAX_ROWS}` : null;
  }

  finish(): Parsed<JsonList> {
    if (this.#depth !== 0 || this.#rowStart !== null) throw new SyntaxError("the JSON is cut short");
    if (this.#surroundingDepth > MAX_DEPTH) {
      return { ok: false, problem: `got JSON nested ${this.#surroundingDepth} deep, expected at most ${MAX_DEPTH}` };
    }
    this.#surroundings.push(this.#body.subarray(this.#surroundingStart));
    return readFields(this.#surroundings, this.#name, this.#rows);
  }

  #readByte(): void {
    const byte = this.#body[this.#at] ?? 0;
    if (byte === QUOTE) this.#readString();
    else if (OPENING.has(byte)) this.#open(byte);
    else if (CLOSING.has(byte)) this.#close();
    else if (byte === COMMA) this.#separate();
    this.#at += 1;
  }

  /** Ends on the closing quote. */
  #readString(): void {
    const start = this.#at;
    this.#at = endOfString(this.#body, start);
    const isKey = this.#depth === 1 && this.#at - start <= MAX_KEY_BYTES;
    if (isKey) this.#key = this.#body.toString("utf8", start, this.#at + 1);
  }

  #open(byte: number): void {
    this.#depth += 1;
    if (this.#rowStart !== null) this.#rowDepth = Math.max(this.#rowDepth, this.#depth - 2);
    else this.#surroundingDepth = Math.max(this.#surroundingDepth, this.#depth);
    const isList = this.#rowStart === null && this.#depth === 2 && byte === OPENING_LIST;
    if (isList && isNamed(this.#key, this.#name)) this.#startList();
  }

  #startList(): void {
    const piece = this.#body.subarray(this.#surroundingStart, this.#at + 1);
    this.#surroundings.push(piece);
    this.#surroundingBytes += piece.length;
    this.#rows = [];
    this.#startRow();
  }

  #close(): void {
    this.#depth -= 1;
    if (this.#rowStart === null || this.#depth !== 1) return;
    const isEmpty = this.#rows.length === 0 && isBlank(this.#body.subarray(this.#rowStart, this.#at));
    if (!isEmpty) this.#endRow(this.#rowStart);
    this.#rowStart = null;
    this.#surroundingStart = this.#at;
  }

  #separate(): void {
    if (this.#depth === 1) this.#key = "";
    if (this.#rowStart === null) return;
    if (this.#depth !== 2) {
      this.#rowCommas += 1;
      return;
    }
    this.#endRow(this.#rowStart);
    this.#startRow();
  }

  #startRow(): void {
    this.#rowStart = this.#at + 1;
    this.#rowDepth = 0;
    this.#rowCommas = 0;
  }

  #endRow(start: number): void {
    this.#rows.push({
      bytes: this.#body.subarray(start, this.#at),
      depth: this.#rowDepth,
      values: this.#rowCommas + 1,
    });
  }
}

function readFields(surroundings: readonly Buffer[], name: string, rows: readonly RowRange[]): Parsed<JsonList> {
  const text = Buffer.concat(surroundings).toString("utf8").trim();
  if (text.length > MAX_SURROUNDING_BYTES) return { ok: false, problem: tooMuchAround(text.length, name) };
  const fields: unknown = JSON.parse(text);
  if (isJsonObject(fields) && Array.isArray(fields[name])) return { ok: true, value: { fields, rows } };
  return { ok: false, problem: `expected an object with a list "${name}"` };
}

function tooMuchAround(length: number, name: string): string {
  return `got ${length} characters outside of the list "${name}", expected at most ${MAX_SURROUNDING_BYTES}`;
}
