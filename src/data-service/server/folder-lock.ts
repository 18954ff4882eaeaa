import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, rmdir, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const TRIES = 250;
const TRY_EVERY_MS = 20;

/** The owners of this process: another owner with our process id is from before a restart of the machine or container. */
const ours = new Set<string>();

/**
 * Runs `work` while no other process does so under the same `path`; throws when it stays taken for five seconds.
 *
 * The lock is a folder that holds one file, named after the owner. It is taken by renaming a prepared folder to it, which
 * works over nothing and over an empty folder alone. A dead owner's lock is taken over by renaming the file within, which
 * only one can do: a plain lock file could be deleted by two at once, the second deleting the first one's new lock.
 */
export async function withFolderLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const owner = `${process.pid}-${randomBytes(4).toString("hex")}`;
  ours.add(owner);
  try {
    await take(path, owner);
    return await work();
  } finally {
    await release(path, owner);
    ours.delete(owner);
  }
}

async function take(path: string, owner: string): Promise<void> {
  const prepared = `${path}.${owner}`;
  await mkdir(prepared);
  try {
    await writeFile(join(prepared, owner), "");
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (await renamed(prepared, path)) return;
      const holder = await readHolder(path);
      if (holder !== undefined && !isAlive(holder) && (await renamed(join(path, holder), join(path, owner)))) return;
      await wait(TRY_EVERY_MS);
    }
  } finally {
    await rm(prepared, { recursive: true, force: true });
  }
  const holder = (await readHolder(path)) ?? "another process";
  throw new Error(`${path}: process ${holder} holds this lock. If it is not splitwatch, delete the folder ${path}`);
}

async function release(path: string, owner: string): Promise<void> {
  const held = await unlink(join(path, owner)).then(
    () => true,
    () => false,
  );
  // The empty folder is free already, and somebody may have renamed theirs over it: then it stays.
  if (held) await rmdir(path).catch(() => undefined);
}

async function renamed(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "ENOENT", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

async function readHolder(path: string): Promise<string | undefined> {
  const names = await readdir(path).catch(() => []);
  return names[0];
}

function isAlive(owner: string): boolean {
  const pid = Number.parseInt(owner, 10);
  if (pid === process.pid) return ours.has(owner);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
