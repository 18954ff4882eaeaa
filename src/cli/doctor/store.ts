import { constants } from "node:fs";
import { access, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { listKeys } from "../../data-service/server/keys.ts";
import { type CheckResult, fail, pass } from "../../lib/check-result.ts";
import { systemClock } from "../../lib/clock.ts";
import { temporaryPath, writeDurably } from "../../lib/durable-file.ts";
import { realDisk } from "../../store/lowdb/files/disk.ts";
import { readFiles } from "../../store/lowdb/files/folder.ts";
import { assertComplete } from "../../store/lowdb/files/staging.ts";
import { assertSameAge } from "../../store/lowdb/log/ledger.ts";

const LOOK_AGAIN_MS = 500;

/** Whether DATA_DIR can be written, and what is in it can be read. Nothing in it is changed. */
export async function checkStore(dataDir: string): Promise<readonly CheckResult[]> {
  const folder = await stat(dataDir).catch(() => null);
  if (folder === null) return [await checkPlaceFor(dataDir)];
  if (!folder.isDirectory()) return [fail(`DATA_DIR: got ${dataDir}, which is a file, expected a folder`)];
  return [await checkWriting(dataDir), await checkFiles(dataDir), await checkKeys(dataDir)];
}

async function checkPlaceFor(dataDir: string): Promise<CheckResult> {
  let parent = dirname(dataDir);
  while (parent !== dirname(parent) && (await stat(parent).catch(() => null)) === null) parent = dirname(parent);
  return access(parent, constants.W_OK).then(
    () => pass(`DATA_DIR: ${dataDir} is not there yet; the first start makes it`),
    () => fail(`DATA_DIR: ${dataDir} is not there and cannot be made; make it, or let splitwatch write in ${parent}`),
  );
}

/** By writing: permissions alone do not tell of a full disk or of one that was mounted to be read only. */
async function checkWriting(dataDir: string): Promise<CheckResult> {
  const path = temporaryPath(join(dataDir, "doctor"));
  try {
    await writeDurably(path, "splitwatch doctor looked whether this folder can be written\n");
    await rm(path);
    return pass(`DATA_DIR: ${dataDir} can be written`);
  } catch (error) {
    return fail(`DATA_DIR: ${dataDir} cannot be written (${textOf(error)}); give splitwatch space and the right to`);
  }
}

/** As a start reads them. One that runs may compact them meanwhile: only what stays wrong is told. */
async function checkFiles(dataDir: string): Promise<CheckResult> {
  const first = await examineFiles(dataDir);
  if (first.status === "pass") return first;
  await systemClock.sleep(LOOK_AGAIN_MS);
  return examineFiles(dataDir);
}

async function examineFiles(dataDir: string): Promise<CheckResult> {
  try {
    await assertComplete(dataDir);
    const files = await readFiles(realDisk, dataDir);
    assertSameAge(files);
    const found = Object.values(files).filter((file) => file.found);
    return pass(found.length === 0 ? "store: nothing is stored yet" : `store: its ${found.length} files can be read`);
  } catch (error) {
    return fail(`store: ${textOf(error)}`);
  }
}

async function checkKeys(dataDir: string): Promise<CheckResult> {
  try {
    const good = (await listKeys(dataDir)).filter(({ revoked }) => revoked === null);
    return pass(`API keys: ${good.length} that others may use`);
  } catch (error) {
    return fail(`API keys: ${textOf(error)}`);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
