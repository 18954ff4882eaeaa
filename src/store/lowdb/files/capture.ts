import { type FileHandle, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pass } from "node:timers/promises";
import { StoreError } from "../../../ports/store.ts";
import type { ReadFile } from "./json-file.ts";

/** A look takes about a millisecond, and a durable write longer: even beside a process that writes without a break the first few do. */
const MOST_LOOKS = 200;
const LOOK_AGAIN_MS = 5;

interface Captured {
  readonly file: FileHandle;
  readonly size: number;
}

/**
 * Runs `use` with the files of a folder as they were at one moment, also while another process writes them: JSON files are
 * only ever replaced and journals only grow, so what is open by then, up to its length by then, stays as it was.
 */
export async function withCaptured<R>(
  dir: string,
  names: readonly string[],
  use: (readFile: ReadFile) => Promise<R>,
): Promise<R> {
  const paths = names.map((name) => join(dir, name));
  const files = await capture(dir, paths);
  try {
    return await use(async (path) => {
      const captured = files.get(path);
      return captured ? readUpTo(captured) : null;
    });
  } finally {
    await closeAll(files);
  }
}

async function capture(dir: string, paths: readonly string[]): Promise<ReadonlyMap<string, Captured>> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const files = await openAll(paths);
    // Two looks that see the same were not disturbed between the last file of the first and the first one of the second.
    const [first, second] = [await marksOf(paths), await marksOf(paths)];
    const opened = await marksOfOpen(paths, files);
    if (first === second && second === opened) return files;
    await closeAll(files);
    await pass(LOOK_AGAIN_MS);
  }
  throw new StoreError(`${dir} changed with each of ${MOST_LOOKS} looks at it. Try again, or stop splitwatch first`);
}

async function openAll(paths: readonly string[]): Promise<ReadonlyMap<string, Captured>> {
  const files = new Map<string, Captured>();
  try {
    for (const path of paths) {
      const file = await open(path, "r").catch(nullWhereMissing);
      if (file) files.set(path, { file, size: (await file.stat()).size });
    }
    return files;
  } catch (error) {
    await closeAll(files);
    throw error;
  }
}

async function closeAll(files: ReadonlyMap<string, Captured>): Promise<void> {
  await Promise.all([...files.values()].map(({ file }) => file.close()));
}

/** Of one that is open the inode is given to no other. */
async function marksOf(paths: readonly string[]): Promise<string> {
  const stats = await Promise.all(paths.map((path) => stat(path).catch(nullWhereMissing)));
  return stats.map((one) => (one ? `${one.dev}:${one.ino}:${one.size}` : "none")).join(" ");
}

async function marksOfOpen(paths: readonly string[], files: ReadonlyMap<string, Captured>): Promise<string> {
  const marks = paths.map(async (path) => {
    const captured = files.get(path);
    if (!captured) return "none";
    const { dev, ino } = await captured.file.stat();
    return `${dev}:${ino}:${captured.size}`;
  });
  return (await Promise.all(marks)).join(" ");
}

async function readUpTo({ file, size }: Captured): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let done = 0;
  while (done < size) {
    const { bytesRead } = await file.read(bytes, done, size - done, done);
    // A journal is cut back where a write to it failed.
    if (bytesRead === 0) return bytes.subarray(0, done);
    done += bytesRead;
  }
  return bytes;
}

function nullWhereMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
