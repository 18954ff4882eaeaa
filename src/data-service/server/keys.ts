import { mkdir } from "node:fs/promises";
import type { Instant } from "../../domain/time/day.ts";
import { readIfExists, writeDurably } from "../../lib/durable-file.ts";
import { withProcessLock } from "../../lib/process-lock.ts";
import type { ApiKey } from "../../ports/state-records.ts";
import { formatKeyFile, generateKey, hashKey, KeysError, keyFilePath, parseKeyFile } from "./key-file.ts";
import { keyNameProblem } from "./key-name.ts";

/** What is told of a key. */
export type KeyInfo = Omit<ApiKey, "sha256">;

/** Makes a key and gives it out, this once. Running services accept it within a second. */
export async function addKey(dir: string, name: string, at: Instant = Date.now()): Promise<string> {
  const problem = keyNameProblem(name);
  if (problem !== null) throw new KeysError(problem);
  const key = generateKey();
  const record = { name, sha256: hashKey(key).toString("hex"), created: new Date(at).toISOString(), revoked: null };
  await changeKeys(dir, (keys) => {
    if (!keys.some((known) => isActive(known, name))) return [...keys, record];
    throw new KeysError(
      `NAME: there is a key "${name}" already, expected a new name, or \`keys revoke ${name}\` first`,
    );
  });
  return key;
}

/** In the order in which they were added. */
export async function listKeys(dir: string): Promise<readonly KeyInfo[]> {
  const keys = await readKeys(dir);
  return keys.map(({ name, created, revoked }) => ({ name, created, revoked }));
}

/** Running services refuse the key within a second. */
export async function revokeKey(dir: string, name: string, at: Instant = Date.now()): Promise<void> {
  const revoked = new Date(at).toISOString();
  await changeKeys(dir, (keys) => {
    if (!keys.some((known) => isActive(known, name))) throw unknownName(name, keys);
    return keys.map((known) => (isActive(known, name) ? { ...known, revoked } : known));
  });
}

/** Reads, changes and writes the keys while nobody else does. */
async function changeKeys(dir: string, change: (keys: readonly ApiKey[]) => readonly ApiKey[]): Promise<void> {
  const path = keyFilePath(dir);
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await withProcessLock({ dir, name: "keys.lock", holder: `pid ${process.pid}` }, async () => {
      await writeDurably(path, formatKeyFile(change(await readKeys(dir))));
    });
  } catch (error) {
    if (error instanceof KeysError) throw error;
    throw new KeysError(`The keys could not be changed: ${(error as Error).message}`, { cause: error });
  }
}

/** Revoked ones too, in the order in which they were added. */
export async function readKeys(dir: string): Promise<readonly ApiKey[]> {
  const path = keyFilePath(dir);
  const content = await readIfExists(path).catch((error: Error) => {
    throw new KeysError(`The keys could not be read: ${error.message}`, { cause: error });
  });
  return content === null ? [] : parseKeyFile(content.toString("utf8"), path);
}

function isActive(key: ApiKey, name: string): boolean {
  return key.name === name && key.revoked === null;
}

function unknownName(name: string, keys: readonly ApiKey[]): KeysError {
  const active = keys.filter((key) => key.revoked === null).map((key) => key.name);
  const expected = active.length === 0 ? "but there are no keys" : `expected one of ${active.join(", ")}`;
  return new KeysError(`NAME: got ${JSON.stringify(name)}, ${expected}`);
}
