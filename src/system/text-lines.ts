/** A line longer than this is no record but a mistake, and is not held in memory. In characters. */
const LONGEST_LINE = 64_000_000;

export interface TextLine {
  /** From 1 on. */
  readonly number: number;
  /** Without its end. Null: longer than any record. */
  readonly text: string | null;
}

/**
 * The lines of a text as they come in, one at a time, ended by `\n` or `\r\n` alone: JSON may hold any other line break
 * as it is. Bytes that are no UTF-8 become U+FFFD.
 */
export async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder();
  let line = emptyLine();
  let number = 1;
  for await (const chunk of chunks) {
    const [first = "", ...rest] = decoder.decode(chunk, { stream: true }).split("\n");
    append(line, first);
    for (const piece of rest) {
      yield { number, text: textOf(line) };
      number += 1;
      line = emptyLine();
      append(line, piece);
    }
  }
  append(line, decoder.decode());
  if (line.length > 0) yield { number, text: textOf(line) };
}

/** In pieces: joining them once keeps the time in step with the length, however small the chunks are. */
interface Line {
  pieces: string[];
  length: number;
}

function emptyLine(): Line {
  return { pieces: [], length: 0 };
}

function append(line: Line, piece: string): void {
  line.length += piece.length;
  if (line.length > LONGEST_LINE) line.pieces = [];
  else line.pieces.push(piece);
}

function textOf({ pieces, length }: Line): string | null {
  return length > LONGEST_LINE ? null : pieces.join("").replace(/\r$/, "");
}
