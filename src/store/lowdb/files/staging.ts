import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../../../lib/durable-file.ts";
import { StoreError } from "../../../ports/store.ts";
import { NAMES, removeLeftovers } from "./folder.ts";

/**
 * A state that is put into a folder is made in a folder inside it, which is renamed once it is whole: that is the moment from
 * which the state is there. What is left, to move its files up, is completed by whoever takes the folder next.
 */
const UNFINISHED = "restore.tmp";
const WHOLE = "restore.whole";

/** Empty, whatever was there. */
export async function makeStaging(dir: string): Promise<string> {
  await dropStaging(dir);
  const staging = join(dir, UNFINISHED);
  await mkdir(staging, { mode: 0o700 });
  return staging;
}

/** Before the folder is used: nothing is left in it of a process that died. True where the state of a restore was completed. */
export async function tidyFolder(dir: string): Promise<boolean> {
  await removeLeftovers(dir);
  await dropStaging(dir);
  return completeStaging(dir);
}

/** What a process left that died, or gave up, before its state was whole. */
export async function dropStaging(dir: string): Promise<void> {
  await rm(join(dir, UNFINISHED), { recursive: true, force: true });
}

/** Makes the files in the staging folder the state of `dir`. Each of them is durable already. */
export async function commitStaging(dir: string): Promise<void> {
  await syncFolder(join(dir, UNFINISHED));
  await rename(join(dir, UNFINISHED), join(dir, WHOLE));
  await syncFolder(dir);
  await completeStaging(dir);
}

/** Moves up what was committed; the journal goes last, as in a folder that is begun. True where there was something. */
async function completeStaging(dir: string): Promise<boolean> {
  const names = await committedIn(dir);
  if (names === null) return false;
  const journalLast = names.toSorted((a, b) => Number(a === NAMES.journal) - Number(b === NAMES.journal));
  for (const name of journalLast) await rename(join(dir, WHOLE, name), join(dir, name));
  await syncFolder(dir);
  await rmdir(join(dir, WHOLE));
  await syncFolder(dir);
  return true;
}

/** For those who take no lock, and so complete nothing: the files of the folder are not yet all of its state. */
export async function assertComplete(dir: string): Promise<void> {
  if ((await committedIn(dir)) === null) return;
  throw new StoreError(
    `${dir}: a restore into it was cut short at its very end. The next start of splitwatch completes it`,
  );
}

async function committedIn(dir: string): Promise<readonly string[] | null> {
  return readdir(join(dir, WHOLE)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}
