const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** A JSON value within bytes. */
export interface JsonSlice {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
}

export function parseSlice({ bytes, from, to }: JsonSlice): unknown {
  return JSON.parse(bytes.toString("utf8", from, to));
}

export function sliceOf(value: unknown): JsonSlice {
  const bytes = Buffer.from(JSON.stringify(value));
  return { bytes, from: 0, to: bytes.length };
}

/** Returns the position after the string that begins at `from`. */
export function endOfString(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from + 1); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let escapes = at;
    while (bytes[escapes - 1] === BACKSLASH) escapes -= 1;
    if ((at - escapes) % 2 === 0) return at + 1;
  }
  return bytes.length;
}

/** Yields the elements of an array that begins at `from` and is written without white space. Returns the position after it. */
export function* elementsOf(bytes: Buffer, from: number): Generator<JsonSlice, number> {
  let at = from + 1;
  while (at < bytes.length && !CLOSING.has(bytes[at] ?? 0)) {
    const to = endOfValue(bytes, at);
    yield { bytes, from: at, to };
    at = bytes[to] === COMMA ? to + 1 : to;
  }
  return at + 1;
}

/** Returns the position after the value that begins at `from`. */
function endOfValue(bytes: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    if (depth === 0 && at > from && (byte === COMMA || CLOSING.has(byte))) return at;
    if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    at = byte === QUOTE ? endOfString(bytes, at) : at + 1;
  }
  return bytes.length;
}
