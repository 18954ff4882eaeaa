import { constants } from "node:fs";
import { access, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { listKeys } from "../splits-api/service/keys.ts";
import { realDisk } from "../store/lowdb/disk.ts";
import { readJournal } from "../store/lowdb/journal.ts";
import { openJsonFile } from "../store/lowdb/json-file.ts";
import { readIfThere, temporaryPath, writeDurably } from "../system/durable-file.ts";
import { type Finding, unwell, well } from "./finding.ts";

const STATE_FILES = ["snapshot.json", "history.json", "rules.json", "watchlists.json"];
const LOG_FILES = ["postings.log", "journal.log"];

/** Whether DATA_DIR can be written, and what is in it can be read. Nothing in it is changed. */
export async function checkStore(dataDir: string): Promise<readonly Finding[]> {
  const folder = await stat(dataDir).catch(() => null);
  if (folder === null) return [await checkPlaceFor(dataDir)];
  if (!folder.isDirectory()) return [unwell(`DATA_DIR: got ${dataDir}, which is a file, expected a folder`)];
  return [await checkWriting(dataDir), ...(await checkFiles(dataDir)), await checkKeys(dataDir)];
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

async function checkFiles(dataDir: string): Promise<readonly Finding[]> {
  const looks = await Promise.all([
    ...STATE_FILES.map((name) => look(dataDir, name, lookAtState)),
    ...LOG_FILES.map((name) => look(dataDir, name, lookAtLog)),
  ]);
  const bad = looks.flatMap(({ problem }) => (problem === null ? [] : [unwell(`store: ${problem}`)]));
  const found = looks.filter((file) => file.found);
  const lacking = looks.filter((file) => !file.found).map((file) => file.name);
  if (bad.length > 0) return bad;
  if (found.length === 0) return [well("store: nothing is stored yet")];
  if (lacking.length > 0)
    return [unwell(`store: ${lacking.join(", ")} missing in ${dataDir}; put back a backup of it`)];
  return [well(`store: its ${found.length} files can be read`)];
}

interface Look {
  readonly name: string;
  readonly found: boolean;
  readonly problem: string | null;
}

async function look(dataDir: string, name: string, read: (path: string) => Promise<boolean>): Promise<Look> {
  try {
    return { name, found: await read(join(dataDir, name)), problem: null };
  } catch (error) {
    return { name, found: true, problem: textOf(error) };
  }
}

async function lookAtState(path: string): Promise<boolean> {
  return (await openJsonFile(realDisk, path, null)).found;
}

async function lookAtLog(path: string): Promise<boolean> {
  const bytes = await readIfThere(path);
  if (bytes !== null) readJournal(path, bytes);
  return bytes !== null;
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
