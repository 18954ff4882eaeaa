import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  type ReadStream,
  readSync,
  type Stats,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { FileTooLargeError, NotRegularFileError } from "./error-text.ts";

const CHUNK_BYTES = 64 * 1024;

/** With O_NONBLOCK, opening a pipe doesn't wait for its writer. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** Throws a NotRegularFileError for a pipe, a socket or a device, which could have no end. Reading a folder fails with EISDIR. */
function assertRegular(path: string, stats: Stats): void {
  if (!stats.isFile() && !stats.isDirectory()) throw new NotRegularFileError(path);
}

/** Opens a regular file for reading. Throws a NotRegularFileError for a pipe, a socket or a device. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const file = await open(path, FLAGS);
  try {
    assertRegular(path, await file.stat());
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Opens a regular file as a stream of chunks. Throws a NotRegularFileError for a pipe, a socket or a device. */
export function regularFileStream(path: string): ReadStream {
  return createReadStream(path, { fd: openRegularFileSync(path) });
}

function openRegularFileSync(path: string): number {
  const file = openSync(path, FLAGS);
  try {
    assertRegular(path, fstatSync(file));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Synchronous form of `readText`. */
export function readTextSync(path: string, maxBytes: number): string {
  const file = openRegularFileSync(path);
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

/** Reads the UTF-8 text of a regular file. Throws a FileTooLargeError above `maxBytes`, and a NotRegularFileError. */
export async function readText(path: string, maxBytes: number): Promise<string> {
  return (await readBytes(path, maxBytes)).toString("utf8");
}

/** Reads the bytes of a regular file. Throws a FileTooLargeError above `maxBytes`, and a NotRegularFileError. */
export async function readBytes(path: string, maxBytes: number): Promise<Buffer> {
  await using file = await openRegularFile(path);
  const { size } = await file.stat();
  if (size > maxBytes) throw new FileTooLargeError(path, maxBytes);
  return await readStreamBytes(path, file.createReadStream({ autoClose: false }), maxBytes);
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
