import { byteLines } from "./byte-lines.ts";

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
  for await (const { number, bytes } of byteLines(chunks)) {
    // A byte order mark is one at the beginning of the text alone.
    const decoder = new TextDecoder("utf-8", { ignoreBOM: number > 1 });
    yield { number, text: bytes === null ? null : decoder.decode(bytes).replace(/\r$/, "") };
  }
}
