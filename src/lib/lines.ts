/** Lines above this size can't be records. Their bytes are not kept in memory. */
const MAX_LINE_BYTES = 128 * 1024 * 1024;

const NEWLINE = 10;

export interface ByteLine {
  /** Counted from 1. */
  readonly number: number;
  /** The line without its end; null if it is too long. Yielded as soon as it is, because its end may never come. */
  readonly bytes: Buffer | null;
  /** False for a last line without a line end. */
  readonly isTerminated: boolean;
}

/** Splits a stream of bytes at `\n`. Chunks are joined once per line, so the time is linear however small they are. */
export async function* byteLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ByteLine> {
  let pieces: Buffer[] = [];
  let length = 0;
  let number = 1;
  /** Returns true if the piece makes the line too long. */
  const append = (piece: Buffer): boolean => {
    const wasTooLong = length > MAX_LINE_BYTES;
    length += piece.length;
    if (length <= MAX_LINE_BYTES) pieces.push(piece);
    else pieces = [];
    return length > MAX_LINE_BYTES && !wasTooLong;
  };
  for await (const chunk of chunks) {
    let remaining = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let end = remaining.indexOf(NEWLINE); end >= 0; end = remaining.indexOf(NEWLINE)) {
      if (append(remaining.subarray(0, end))) yield { number, bytes: null, isTerminated: true };
      else if (length <= MAX_LINE_BYTES) yield { number, bytes: Buffer.concat(pieces), isTerminated: true };
      remaining = remaining.subarray(end + 1);
      [pieces, length, number] = [[], 0, number + 1];
    }
    if (remaining.length > 0 && append(remaining)) yield { number, bytes: null, isTerminated: true };
  }
  if (length > 0 && length <= MAX_LINE_BYTES) yield { number, bytes: Buffer.concat(pieces), isTerminated: false };
}

export interface TextLine {
  /** Counted from 1. */
  readonly number: number;
  /** The line without its end; null if it is too long. */
  readonly text: string | null;
}

/** Splits UTF-8 text at `\n` or `\r\n` only: JSON may contain any other line break. Invalid bytes become U+FFFD. */
export async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine> {
  for await (const { number, bytes } of byteLines(chunks)) {
    // A byte order mark counts only at the beginning of the text.
    const decoder = new TextDecoder("utf-8", { ignoreBOM: number > 1 });
    yield { number, text: bytes === null ? null : decoder.decode(bytes).replace(/\r$/, "") };
  }
}
