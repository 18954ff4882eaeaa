import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DATABASE_FILE } from "../../src/store/engines/sqlite/folder.ts";
import type { Random } from "./random.ts";

/** Format of the log: sqlite.org/fileformat2.html, section 4.1. */
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const SALT_BYTES = 8;

/** Writes a part of a frame to the end of the database's log, as a power cut does. Returns false if the log has no frame. */
export async function tearLog(dataDir: string, random: Random): Promise<boolean> {
  const path = join(dataDir, `${DATABASE_FILE}-wal`);
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  if (bytes.length <= HEADER_BYTES) return false;
  const frameBytes = FRAME_HEADER_BYTES + bytes.readUInt32BE(8);
  const end = endOfFrames(bytes, frameBytes);
  if (end === HEADER_BYTES) return false;
  const last = bytes.subarray(end - frameBytes, end);
  const file = await open(path, "r+");
  try {
    await file.write(last, 0, 1 + random.below(last.length - 1), end);
  } finally {
    await file.close();
  }
  return true;
}

/** Frames that were written before the log began again have another salt than the header. */
function endOfFrames(bytes: Buffer, frameBytes: number): number {
  const salt = bytes.subarray(16, 16 + SALT_BYTES);
  let end = HEADER_BYTES;
  while (end + frameBytes <= bytes.length && bytes.subarray(end + 8, end + 8 + SALT_BYTES).equals(salt))
    end += frameBytes;
  return end;
}
