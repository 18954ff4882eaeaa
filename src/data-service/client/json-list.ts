import { isJsonObject, type JsonObject, parseJson } from "../../lib/json.ts";
import { yieldToEventLoop } from "../../lib/slices.ts";

/** Parsed value of an answer's body, or the reason why it is invalid. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** Maximum number of rows in one answer. A service lists a few hundred splits, or 40 articles per page. */
const MAX_ROWS = 20_000;

/** Fits an article with the longest stored text (200,000 characters), with every character written as an escape. */
const MAX_ROW_BYTES = 1_500_000;

/** Maximum nesting of a row, including the row. Known fields are flat. */
const MAX_DEPTH = 16;

/** Maximum number of values in a row, including nested values. Rows have six fields; very many keys take seconds to parse. */
const MAX_ROW_VALUES = 1_000;

/** Maximum size of the JSON outside the list, such as totals. */
const MAX_SURROUNDING_BYTES = 64 * 1024;

/** Maximum size of a key that is compared with the name of the list. */
const MAX_KEY_BYTES = 100;

/** Limits of the work between two yields to the event loop. */
const BYTES_PER_SLICE = 512 * 1024;
const ROWS_PER_SLICE = 250;

/** Row of the list, or the reason why it wasn't parsed. */
export type ListRow =
  | { readonly ok: true; readonly value: unknown; readonly bytes: Buffer }
  | { readonly ok: false; readonly problem: string; readonly bytes: Buffer };

/** JSON object with a list that is parsed row by row. */
export interface JsonList {
  /** All fields of the object; the list is empty here. */
  readonly fields: JsonObject;
  readonly rows: readonly RowRange[];
}

interface RowRange {
  readonly bytes: Buffer;
  /** Nesting depth; 0 for a string or a number. */
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
 * Finds the rows of a list in one linear scan without parsing them, so that deep or long lists can't block the event loop.
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

/** Parses the rows, and yields to the event loop after each slice. Throws a SyntaxError if a row isn't JSON. */
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

/** Position of the closing quote of the string that starts at `start`. */
function endOfString(body: Buffer, start: number): number {
  let position = start + 1;
  while (position < body.length && body[position] !== QUOTE) position += body[position] === BACKSLASH ? 2 : 1;
  return position;
}

function isWhitespace(bytes: Buffer): boolean {
  return bytes.every(isWhitespaceByte);
}

function isWhitespaceByte(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Position after the byte order mark and whitespace. */
function skipWhitespace(body: Buffer): number {
  let position = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  while (isWhitespaceByte(body[position])) position += 1;
  return position;
}

/** True if a raw key, such as `"data"` or `"d\u0061ta"`, equals `name`. */
function isNamed(key: string, name: string): boolean {
  return key === `"${name}"` || (key.includes("\\") && parseJson(key) === name);
}

/** Scanner of a JSON object that contains the list `name`. If several lists have this name, the last one is used. */
class ListScan {
  readonly #body: Buffer;
  readonly #name: string;
  readonly #surroundings: Buffer[] = [];
  #surroundingBytes = 0;
  #surroundingStart: number;
  #surroundingDepth = 0;
  #rows: RowRange[] = [];
  #position: number;
  #depth = 0;
  #key = "";
  /** Start of the current row; null outside the list. */
  #rowStart: number | null = null;
  #rowDepth = 0;
  #rowCommas = 0;

  constructor(body: Buffer, name: string) {
    this.#body = body;
    this.#name = name;
    this.#position = skipWhitespace(body);
    this.#surroundingStart = this.#position;
  }

  /** Scans up to the position `end`. Returns the problem if a limit is exceeded, else null. */
  advance(end: number): string | null {
    while (this.#position < end && this.#rows.length <= MAX_ROWS) this.#readByte();
    if (this.#surroundingBytes > MAX_SURROUNDING_BYTES) return surroundingsTooLarge(this.#surroundingBytes, this.#name);
    return this.#rows.length > MAX_ROWS ? `got more than ${MAX_ROWS} rows, expected at most ${MAX_ROWS}` : null;
  }

  finish(): Parsed<JsonList> {
    if (this.#depth !== 0 || this.#rowStart !== null) throw new SyntaxError("the JSON is incomplete");
    if (this.#surroundingDepth > MAX_DEPTH) {
      return { ok: false, problem: `got JSON nested ${this.#surroundingDepth} deep, expected at most ${MAX_DEPTH}` };
    }
    this.#surroundings.push(this.#body.subarray(this.#surroundingStart));
    return readFields(this.#surroundings, this.#name, this.#rows);
  }

  #readByte(): void {
    const byte = this.#body[this.#position] ?? 0;
    if (byte === QUOTE) this.#readString();
    else if (OPENING.has(byte)) this.#open(byte);
    else if (CLOSING.has(byte)) this.#close();
    else if (byte === COMMA) this.#readComma();
    this.#position += 1;
  }

  /** Moves to the closing quote. */
  #readString(): void {
    const start = this.#position;
    this.#position = endOfString(this.#body, start);
    const isKey = this.#depth === 1 && this.#position - start <= MAX_KEY_BYTES;
    if (isKey) this.#key = this.#body.toString("utf8", start, this.#position + 1);
  }

  #open(byte: number): void {
    this.#depth += 1;
    if (this.#rowStart !== null) this.#rowDepth = Math.max(this.#rowDepth, this.#depth - 2);
    else this.#surroundingDepth = Math.max(this.#surroundingDepth, this.#depth);
    const isList = this.#rowStart === null && this.#depth === 2 && byte === OPENING_LIST;
    if (isList && isNamed(this.#key, this.#name)) this.#startList();
  }

  #startList(): void {
    const piece = this.#body.subarray(this.#surroundingStart, this.#position + 1);
    this.#surroundings.push(piece);
    this.#surroundingBytes += piece.length;
    this.#rows = [];
    this.#startRow();
  }

  #close(): void {
    this.#depth -= 1;
    if (this.#rowStart === null || this.#depth !== 1) return;
    const isEmpty = this.#rows.length === 0 && isWhitespace(this.#body.subarray(this.#rowStart, this.#position));
    if (!isEmpty) this.#endRow(this.#rowStart);
    this.#rowStart = null;
    this.#surroundingStart = this.#position;
  }

  #readComma(): void {
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
    this.#rowStart = this.#position + 1;
    this.#rowDepth = 0;
    this.#rowCommas = 0;
  }

  #endRow(start: number): void {
    this.#rows.push({
      bytes: this.#body.subarray(start, this.#position),
      depth: this.#rowDepth,
      values: this.#rowCommas + 1,
    });
  }
}

function readFields(surroundings: readonly Buffer[], name: string, rows: readonly RowRange[]): Parsed<JsonList> {
  const text = Buffer.concat(surroundings).toString("utf8").trim();
  if (text.length > MAX_SURROUNDING_BYTES) return { ok: false, problem: surroundingsTooLarge(text.length, name) };
  const fields: unknown = JSON.parse(text);
  if (isJsonObject(fields) && Array.isArray(fields[name])) return { ok: true, value: { fields, rows } };
  return { ok: false, problem: `expected an object with a list "${name}"` };
}

function surroundingsTooLarge(length: number, name: string): string {
  return `got ${length} characters outside the list "${name}", expected at most ${MAX_SURROUNDING_BYTES}`;
}
