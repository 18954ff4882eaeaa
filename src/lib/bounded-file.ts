import { closeSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { FileTooLargeError } from "./error-text.ts";

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

  text(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}
