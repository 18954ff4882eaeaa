import { mkdtemp, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type CheckResult, fail, pass, warn } from "../../lib/check-result.ts";
import { RUNNING_USER, temporaryPath, writeDurably } from "../../lib/durable-file.ts";
import { errorMessage } from "../../lib/error-text.ts";
import { checkApiKeys } from "../check-api-keys.ts";
import { FileApiKeys } from "./api-keys.ts";
import { asStoreError } from "./files/disk.ts";
import { accessProblem } from "./files/folder.ts";
import { openState } from "./open-state.ts";
import { chunksIn } from "./read-state.ts";

/** Checks that the folder can be written and its files can be read. Changes no file of the store. */
export async function checkFolder(dir: string): Promise<readonly CheckResult[]> {
  const folder = await stat(dir).catch(() => null);
  if (folder === null) return [await checkParent(dir)];
  if (!folder.isDirectory()) return [fail(`DATA_DIR: got ${dir}, which is a file, expected a folder`)];
  const problem = await accessProblem(dir);
  return [
    await checkWriting(dir),
    ...(problem === null ? [] : [warn(problem)]),
    await checkFiles(dir),
    await checkApiKeys(new FileApiKeys(dir)),
  ];
}

async function checkParent(dir: string): Promise<CheckResult> {
  let parent = dirname(dir);
  while (parent !== dirname(parent) && (await stat(parent).catch(() => null)) === null) parent = dirname(parent);
  if (!(await stat(parent)).isDirectory())
    return fail(`DATA_DIR: got ${dir}, although ${parent} is a file, expected a folder`);
  return createAndRemoveFolder(parent).then(
    () => pass(`DATA_DIR: ${dir} does not exist yet; the first start creates it`),
    () => fail(`DATA_DIR: ${dir} does not exist; create it, or allow splitwatch to write in ${parent}`),
  );
}

/** Creates a folder and removes it: permissions alone don't show a read-only disk. */
async function createAndRemoveFolder(parent: string): Promise<void> {
  await rmdir(await mkdtemp(join(parent, ".splitwatch-doctor-")));
}

/** Writes a file: permissions alone don't show a full or read-only disk. */
async function checkWriting(dir: string): Promise<CheckResult> {
  const path = temporaryPath(join(dir, "doctor"));
  try {
    await writeDurably(path, "splitwatch doctor checks that this folder can be written\n");
    await rm(path);
    return pass(`DATA_DIR: OK (${dir})`);
  } catch (error) {
    const needed = `free space or grant ${RUNNING_USER} write permission`;
    return fail(`DATA_DIR: ${dir} cannot be written (${errorMessage(error)}); ${needed}`);
  }
}

async function checkFiles(dir: string): Promise<CheckResult> {
  try {
    const count = await asStoreError(dir, () => countFiles(dir));
    return pass(count === 0 ? "store: OK (empty)" : `store: OK (${count} files)`);
  } catch (error) {
    return fail(`store: ${errorMessage(error)}`);
  }
}

/** Reads all files; a damaged one is a StoreError. */
async function countFiles(dir: string): Promise<number> {
  const state = await openState(dir);
  if (state === null) return 0;
  try {
    for await (const _ of chunksIn(state));
    return state.fileCount;
  } finally {
    await state.close();
  }
}
