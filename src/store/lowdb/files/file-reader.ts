import { type FileHandle, stat } from "node:fs/promises";
import { openRegularFile } from "../../../lib/bounded-file.ts";
import { readIfExists } from "../../../lib/durable-file.ts";
import { damagedFileError } from "./disk.ts";

/** Read access to the files of a folder. */
export interface FileReader {
  exists(path: string): Promise<boolean>;
  /** Returns the content of a file; null if it does not exist. */
  readFile(path: string): Promise<Buffer | null>;
  /** Yields a file in chunks, up to `end`. A missing file is a StoreError. */
  readChunks(path: string, end?: number): AsyncIterable<Uint8Array>;
}

export const fileReader: FileReader = {
  exists: (path) => stat(path).then(() => true, isMissing),
  readFile: readIfExists,
  readChunks: async function* (path, end) {
    const file = await openExisting(path);
    try {
      yield* chunksOf(file, end);
    } finally {
      await file.close();
    }
  },
};

export function openExisting(path: string): Promise<FileHandle> {
  return openRegularFile(path).catch((error: unknown) => {
    isMissing(error);
    throw damagedFileError(path, "is missing");
  });
}

/** Returns false for the error of a file that does not exist, and throws others. */
function isMissing(error: unknown): false {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
  throw error;
}

const CHUNK_BYTES = 64 * 1024;

export async function* chunksOf(file: FileHandle, end = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  for (let position = 0; position < end; ) {
    const size = Math.min(CHUNK_BYTES, end - position);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(size), 0, size, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}
