import { randomBytes } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Puts `text` in the place of the file at `path`, with mode 0600. After a crash or a power cut the file holds either the old
 * text or the new one, whole. When it resolves, the new text would survive a power cut. Two writers at once do not harm the
 * file, but the later one wins.
 */
export async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = temporaryPath(path);
  try {
    await writeAndSync(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    // A part of the new text must not keep a full disk full.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
}

/** A new name beside `path`, for what is to be renamed to it: `rules.json.4711-89abcdef.tmp`. */
export function temporaryPath(path: string): string {
  // The process id alone is not enough: every container has a process 1.
  return `${path}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`;
}

/** Whether `name` is what a process that died left behind on its way to the file `of`. */
export function isTemporaryName(name: string, of: string): boolean {
  return name.startsWith(`${of}.`) && /^\d+-[0-9a-f]{8}\.tmp$/.test(name.slice(of.length + 1));
}

/** Makes names that were created, renamed or removed in the folder survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** What the file holds; null when there is none. */
export async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

async function writeAndSync(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}
