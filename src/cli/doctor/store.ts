import { constants } from "node:fs";
import { access, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { listKeys } from "../../data-service/server/keys.ts";
import { type Finding, unwell, well } from "../../lib/check-result.ts";
import { systemClock } from "../../lib/clock.ts";
import { temporaryPath, writeDurably } from "../../lib/durable-file.ts";
import { realDisk } from "../../store/lowdb/files/disk.ts";
import { readFiles } from "../../store/lowdb/files/folder.ts";
import { assertComplete } from "../../store/lowdb/files/staging.ts";
import { assertSameAge } from "../../store/lowdb/log/ledger.ts";

const LOOK_AGAIN_MS = 500;

/** Whether DATA_DIR can be written, and what is in it can be read. Nothing in it is changed. */
export async function checkStore(dataDir: string): Promise<readonly Finding[]> {
  const folder = await stat(dataDir).catch(() => null);
  if (folder === null) return [await checkPlaceFor(dataDir)];
  if (!folder.isDirectory()) return [unwell(`DATA_DIR: got ${dataDir}, which is a file, expected a folder`)];
  return [await checkWriting(dataDir), await checkFiles(dataDir), await checkKeys(dataDir)];
}

async function checkPlaceFor(dataDir: string): Promise<Finding> {
  let parent = dirname(dataDir);
  while (parent !== dirname(parent) && (await stat(parent).catch(() => null)) === null) parent = dirname(parent);
  return access(parent, constants.W_OK).then(
    () => well(`DATA_DIR: ${dataDir} is not there yet; the first start makes it`),
    () => unwell(`DATA_DIR: ${dataDir} is not there and cannot be made; make it, or let splitwatch write in ${parent}`),
  );
}

/** By writing: permissions alone do not tell of a full disk or of one that was mounted to be read only. */
async function checkWriting(dataDir: string): Promise<Finding> {
  const path = temporaryPath(join(dataDir, "doctor"));
  try {
    await writeDurably(path, "splitwatch doctor looked whether this folder can be written\n");
    await rm(path);
    return well(`DATA_DIR: ${dataDir} can be written`);
  } catch (error) {
    return unwell(`DATA_DIR: ${dataDir} cannot be written (${textOf(error)}); give splitwatch space and the right to`);
  }
}

/** As a start reads them. One that runs may compact them meanwhile: only what stays wrong is told. */
async function checkFiles(dataDir: string): Promise<Finding> {
  const first = await examineFiles(dataDir);
  if (first.ok) return first;
  await systemClock.sleep(LOOK_AGAIN_MS);
  return examineFiles(dataDir);
}

async function examineFiles(dataDir: string): Promise<Finding> {
  try {
    await assertComplete(dataDir);
    const files = await readFiles(realDisk, dataDir);
    assertSameAge(files);
    const found = Object.values(files).filter((file) => file.found);
    return well(found.length === 0 ? "store: nothing is stored yet" : `store: its ${found.length} files can be read`);
  } catch (error) {
    return unwell(`store: ${textOf(error)}`);
  }
}

async function checkKeys(dataDir: string): Promise<Finding> {
  try {
    const good = (await listKeys(dataDir)).filter(({ revoked }) => revoked === null);
    return well(`API keys: ${good.length} that others may use`);
  } catch (error) {
    return unwell(`API keys: ${textOf(error)}`);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
