import { mkdtemp, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type CheckResult, fail, pass, warn } from "../../../lib/check-result.ts";
import { RUNNING_USER, temporaryPath, writeDurably } from "../../../lib/durable-file.ts";
import { errorMessage } from "../../../lib/error-text.ts";
import { acquireProcessLock, LockHeldError } from "../../../lib/process-lock.ts";
import { SILENT_LOG } from "../../../ports/log.ts";
import { checkApiKeys } from "../../check-api-keys.ts";
import { SnapshotFile } from "../../snapshot/snapshot-file.ts";
import { apiKeysIn } from "./api-keys.ts";
import { SqliteDatabase } from "./database.ts";
import { accessProblem, asStoreError, createDatabaseFile, findDatabase, removeDatabase } from "./folder.ts";
import { readMatching } from "./open.ts";

/** Checks that the folder can be locked and written, and that its files can be read. Changes no file of the store. */
export async function checkFolder(dir: string): Promise<readonly CheckResult[]> {
  const folder = await stat(dir).catch(() => null);
  if (folder === null) return [await checkParent(dir)];
  if (!folder.isDirectory()) return [fail(`DATA_DIR: got ${dir}, which is a file, expected a folder`)];
  const problem = await accessProblem(dir);
  const [writing, state] = [await checkWriting(dir), await checkState(dir)];
  return [
    writing,
    ...(problem === null ? [] : [warn(problem)]),
    ...(writing.status === "pass" ? await checkFileSystem(dir) : []),
    state,
    ...(state.status === "pass" ? [await checkApiKeys(apiKeysIn(dir))] : []),
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

const LOCAL_DISK = "use a folder on a local disk, or PostgreSQL (DATABASE_URL)";

/** Tries what network file systems often lack: Unix sockets, by which a process locks the folder, and the log of the database. */
async function checkFileSystem(dir: string): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  try {
    const lock = await acquireProcessLock({ dir, name: "doctor.lock", holder: `pid ${process.pid}` });
    await lock.release();
  } catch (error) {
    if (!(error instanceof LockHeldError))
      results.push(fail(`DATA_DIR: ${dir} cannot be locked (${errorMessage(error)}); ${LOCAL_DISK}`));
  }
  const path = temporaryPath(join(dir, "doctor.db"));
  try {
    await createDatabaseFile(path);
    const database = new SqliteDatabase(path, SILENT_LOG);
    try {
      await database.truncateLog();
    } finally {
      await database.close();
    }
  } catch (error) {
    results.push(fail(`DATA_DIR: ${dir} cannot hold a database (${errorMessage(error)}); ${LOCAL_DISK}`));
  } finally {
    await removeDatabase(path).catch(() => undefined);
  }
  return results;
}

/** Reads the whole database. */
async function checkState(dir: string): Promise<CheckResult> {
  try {
    return await asStoreError(dir, async () => {
      const path = await findDatabase(dir);
      if (path === null) return pass("store: OK (empty)");
      const database = new SqliteDatabase(path, SILENT_LOG);
      try {
        await readMatching(database, new SnapshotFile(dir));
        const problem = await database.findDamage();
        return problem === null ? pass("store: OK") : fail(`store: ${problem.message}`);
      } finally {
        await database.close();
      }
    });
  } catch (error) {
    return fail(`store: ${errorMessage(error)}`);
  }
}
