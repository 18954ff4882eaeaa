import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** File system in memory, and the free space from which on it is used. */
const MEMORY_FOLDER = "/dev/shm";
const MIN_FREE_BYTES = 1024 ** 3;

/** Folder for temporary files that needn't survive a crash of the machine: in memory if there is room. */
export function temporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize < MIN_FREE_BYTES ? tmpdir() : MEMORY_FOLDER;
  } catch {
    return tmpdir();
  }
}
