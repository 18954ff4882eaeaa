import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readIfExists } from "../../lib/durable-file.ts";
import { StoreError } from "../../ports/store.ts";
import { assertNoPendingRestore, storeFileNames } from "./files/folder.ts";
import { OpenRows } from "./rows/open-rows.ts";
import { CHECKPOINT_NAME } from "./rows/stored-rows.ts";

/** Reads are repeated: a running process may leave a file invalid for a moment, such as before it truncates a partial record. */
const MAX_READS = 3;
const REREAD_DELAY_MS = 200;

/** Reads are also repeated while a running process replaces the files that are read. */
const MAX_READS_OF_CHANGING_FILES = 200;
const CHANGING_DELAY_MS = 5;

/**
 * Opens a consistent view of the files in a folder, even while a process uses it; null if there is no state yet. All files are
 * checked as at startup, except the segments, which are checked when their rows are read.
 */
export async function openState(dir: string): Promise<OpenRows | null> {
  let [reads, readsOfChanging] = [0, 0];
  for (;;) {
    const before = await filesIn(dir);
    const state = await openNow(dir);
    if (!(state instanceof StoreError)) return state;
    const isChanging = (await filesIn(dir)) !== before;
    if (isChanging) readsOfChanging += 1;
    else reads += 1;
    if (reads === MAX_READS || readsOfChanging === MAX_READS_OF_CHANGING_FILES) throw state;
    await sleep(isChanging ? CHANGING_DELAY_MS : REREAD_DELAY_MS);
  }
}

/** Returns the StoreError of a file that is invalid, maybe for a moment. */
async function openNow(dir: string): Promise<OpenRows | null | StoreError> {
  try {
    await assertNoPendingRestore(dir);
    return await OpenRows.open(dir);
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}

/** The list of the checkpoint and the names of the files, as one text. */
async function filesIn(dir: string): Promise<string> {
  const list = await readIfExists(join(dir, CHECKPOINT_NAME));
  return [list?.toString("latin1"), ...(await storeFileNames(dir))].join(" ");
}
