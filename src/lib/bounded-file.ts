import { closeSync, constants, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { FileTooLargeError, NotRegularFileError } from "./error-text.ts";

const CHUNK_BYTES = 64 * 1024;

/** Reads UTF-8 text, also from a device without a size. Throws a FileTooLargeError if the text is larger than `maxBytes`. */
export function readTextSync(path: string, maxBytes: number): string {
  const file = openSync(path, "r");
  try {
    const content = new BoundedBytes(path, maxBytes);
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const length = readSync(file, chunk, 0, CHUNK_BYTES, null);
      if (length === 0) return content.text();
      content.add(chunk.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
}

/** Asynchronous form of `readTextSync`. */
export async function readText(path: string, maxBytes: number): Promise<string> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const content = new BoundedBytes(path, maxBytes);
    if (size > maxBytes) throw new FileTooLargeError(path, maxBytes);
    for await (const chunk of file.createReadStream({ autoClose: false })) content.add(chunk as Buffer);
    return content.text();
  } finally {
    await file.close();
  }
}

/**
 * Reads the bytes of a regular file. Throws a FileTooLargeError above `maxBytes`, and a NotRegularFileError for a pipe, a
 * socket or a device, which could have no end. A folder is an error with the code EISDIR.
 */
export async function readBytes(path: string, maxBytes: number): Promise<Buffer> {
  // With O_NONBLOCK, opening a pipe doesn't wait for its writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile() && !stats.isDirectory()) throw new NotRegularFileError(path);
    if (stats.size > maxBytes) throw new FileTooLargeError(path, maxBytes);
    return await readStreamBytes(path, file.createReadStream({ autoClose: false }), maxBytes);
  } finally {
    await file.close();
  }
}

/** Reads a stream to its end. Throws a FileTooLargeError, which names the stream `name`, above `maxBytes`. */
export async function readStreamBytes(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer> {
  const content = new BoundedBytes(name, maxBytes);
  for await (const chunk of chunks) content.add(Buffer.from(chunk));
  return content.bytes();
}

class BoundedBytes {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #sizeBytes = 0;

  constructor(path: string, maxBytes: number) {
    this.#path = path;
    this.#maxBytes = maxBytes;
  }

  add(chunk: Buffer): void {
    this.#sizeBytes += chunk.length;
    if (this.#sizeBytes > this.#maxBytes) throw new FileTooLargeError(this.#path, this.#maxBytes);
    this.#chunks.push(chunk);
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  text(): string {
    return this.bytes().toString("utf8");
  }
}
