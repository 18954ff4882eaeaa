/** A line longer than this is no record but a mistake, or another kind of file, and is not held in memory. In bytes. */
const LONGEST_LINE = 128 * 1024 * 1024;

const NEWLINE = 10;

export interface ByteLine {
  /** From 1 on. */
  readonly number: number;
  /** Without its end. Null: longer than any record. */
  readonly bytes: Buffer | null;
  /** False: the input ended before the line did. */
  readonly ended: boolean;
}

/**
 * The lines of a file byte for byte as they come in, one at a time, ended by `\n` alone. In pieces: joining them once keeps the
 * time in step with the length, however small the chunks are.
 */
export async function* byteLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ByteLine> {
  let pieces: Buffer[] = [];
  let length = 0;
  let number = 1;
  const append = (piece: Buffer): void => {
    length += piece.length;
    if (length > LONGEST_LINE) pieces = [];
    else pieces.push(piece);
  };
  const bytes = (): Buffer | null => (length > LONGEST_LINE ? null : Buffer.concat(pieces));
  for await (const chunk of chunks) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      append(rest.subarray(0, end));
      yield { number, bytes: bytes(), ended: true };
      rest = rest.subarray(end + 1);
      [pieces, length, number] = [[], 0, number + 1];
    }
    if (rest.length > 0) append(rest);
  }
  if (length > 0) yield { number, bytes: bytes(), ended: false };
}
