import { randomBytes } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { openRegularFile } from "./bounded-file.ts";
import { errorMessage } from "./error-text.ts";

/**
 * Replaces the content of the file at `path` with `text`, with mode 0600. A crash or power loss leaves the complete old or
 * new text. After the promise resolves, the new text survives power loss. Of two concurrent writers the later one wins.
 */
export async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = temporaryPath(path);
  try {
    await writeAndSync(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    // Frees the space of the partial file, because the disk may be full.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Unique path beside `path` for a file that will be renamed to it: `rules.json.4711-89abcdef.tmp`. */
export function temporaryPath(path: string): string {
  // The process id is not unique across containers.
  return `${path}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`;
}

/** Target of the temporary file with this name; null for other files. */
export function temporaryTarget(name: string): string | null {
  return /^(.+)\.\d+-[0-9a-f]{8}\.tmp$/.exec(name)?.[1] ?? null;
}

/** Makes created, renamed and removed names in the folder survive power loss. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, "r");
  await folder.sync();
}

/** Content of the regular file, or null if it does not exist. */
export async function readIfExists(path: string): Promise<Buffer | null> {
  await using file = await openRegularFile(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  });
  return (await file?.readFile()) ?? null;
}

async function writeAndSync(path: string, text: string): Promise<void> {
  await using file = await open(path, "wx", 0o600);
  await file.writeFile(text);
  await file.datasync();
}

/** Value that changes with every change of the file. */
export function fileStamp({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino}:${size}:${mtimeNs}`;
}

/** Creates the folder and its missing parents; the path is absolute. mkdir's `recursive` would never end in /proc (Node 20). */
export async function makeFolder(dir: string): Promise<void> {
  if (await isFolder(dir)) return;
  const parent = dirname(dir);
  if (parent !== dir) await makeFolder(parent);
  await mkdir(dir, { mode: 0o700 }).catch(async (error: unknown) => {
    // Another process may have created it.
    if (!(await isFolder(dir))) throw error;
  });
  // The name of the new folder must survive a power failure too.
  await syncFolder(parent);
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && found.isDirectory();
}

/** Error codes of a DATA_DIR that is no folder, can't be created or lacks permissions. */
const FOLDER_PROBLEMS: ReadonlySet<string> = new Set(
  "EACCES EEXIST ELOOP ENAMETOOLONG ENOENT ENOTDIR EPERM EROFS".split(" "),
);

/** splitwatch, with its user where the system has users: the one that needs access to a folder. */
export const RUNNING_USER = process.getuid === undefined ? "splitwatch" : `splitwatch (user ${process.getuid()})`;

/** Message for an error, or its cause, that another DATA_DIR or other permissions would solve; null for other errors. */
export function folderProblem(dir: string, thrown: unknown): string | null {
  const error = [thrown, thrown instanceof Error ? thrown.cause : null].find(isFolderError);
  if (error === undefined) return null;
  const expected = `a folder that exists or can be created, and that ${RUNNING_USER} can read and write`;
  return `DATA_DIR: got ${dir}, expected ${expected} (${errorMessage(error)})`;
}

function isFolderError(error: unknown): boolean {
  return error instanceof Error && "code" in error && FOLDER_PROBLEMS.has(String(error.code));
}
