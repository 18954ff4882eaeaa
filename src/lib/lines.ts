/** Lines above this size can't be records. Their bytes are not kept in memory. */
const MAX_LINE_BYTES = 128 * 1024 * 1024;

const NEWLINE = 10;

export interface ByteLine {
  /** Counted from 1. */
  readonly number: number;
  /** The line without its end; null if it is too long. Such a line is yielded immediately, because its end may never come. */
  readonly bytes: Buffer | null;
  /** False for a last line without a line end. */
  readonly isTerminated: boolean;
}

/**
 * Splits a stream of bytes at `\n`. Chunks are joined once per line, so the time is linear however small they are. A line within
 * one chunk shares its memory.
 */
export async function* byteLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ByteLine> {
  let line = new PartialLine();
  let number = 1;
  for await (const chunk of chunks) {
    let remaining = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let end = remaining.indexOf(NEWLINE); end >= 0; end = remaining.indexOf(NEWLINE)) {
      const exceeds = line.append(remaining.subarray(0, end));
      if (exceeds || !line.isTooLong) yield { number, bytes: line.bytes, isTerminated: true };
      remaining = remaining.subarray(end + 1);
      line = new PartialLine();
      number += 1;
    }
    if (line.append(remaining)) yield { number, bytes: null, isTerminated: true };
  }
  if (line.length > 0 && !line.isTooLong) yield { number, bytes: line.bytes, isTerminated: false };
}

/** The bytes of a line so far. A line that is too long keeps none. */
class PartialLine {
  length = 0;
  #pieces: Buffer[] = [];

  get isTooLong(): boolean {
    return this.length > MAX_LINE_BYTES;
  }

  get bytes(): Buffer | null {
    if (this.isTooLong) return null;
    const [piece] = this.#pieces;
    return piece && this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces);
  }

  /** Returns true if the piece makes the line too long. */
  append(piece: Buffer): boolean {
    const wasTooLong = this.isTooLong;
    this.length += piece.length;
    if (this.isTooLong) this.#pieces = [];
    else this.#pieces.push(piece);
    return this.isTooLong && !wasTooLong;
  }
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
