import { hash, randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { Instant } from "../../domain/time/day.ts";
import { folderProblem, makeFolder, readIfExists, writeDurably } from "../../lib/durable-file.ts";
import { errorMessage, quoteValue } from "../../lib/error-text.ts";
import { parseJson } from "../../lib/json.ts";
import { withProcessLock } from "../../lib/process-lock.ts";
import { type ApiKey, apiKeySchema, KEY_NAME } from "../../ports/state-records.ts";
import { StoreSettingError } from "../../ports/store.ts";

const keyFile = z.object({ version: z.literal(1), keys: z.array(apiKeySchema) });

/** An API key as shown to the operator. */
export type KeyInfo = Omit<ApiKey, "sha256">;

/** Failure to read or change the keys. The message is for the operator. */
export class KeysError extends Error {
  override readonly name = "KeysError";
}

/** Returns the reason why the name of a key is invalid; null if it is valid. */
export function keyNameProblem(name: string): string | null {
  if (KEY_NAME.test(name)) return null;
  return `NAME: got ${quoteValue(name)}, expected 1 to 64 letters, digits, dots, hyphens or underscores`;
}

/** Random key of 256 bits, in characters that need no escaping in a URL. */
export function generateKey(): string {
  return `sw_${randomBytes(32).toString("base64url")}`;
}

/** SHA-256 hash of a key. A fast hash suffices, because a random key can't be guessed. */
export function hashKey(key: string): Buffer {
  return Buffer.from(hash("sha256", key, "hex"), "hex");
}

/** Adds a key and returns it; only its hash is stored. Running services accept it within a second. */
export async function addKey(dir: string, name: string, at: Instant = Date.now()): Promise<string> {
  const problem = keyNameProblem(name);
  if (problem !== null) throw new KeysError(problem);
  const key = generateKey();
  const record = { name, sha256: hashKey(key).toString("hex"), created: new Date(at).toISOString(), revoked: null };
  await changeKeys(dir, (keys) => {
    if (!keys.some((known) => isActive(known, name))) return [...keys, record];
    throw new KeysError(`NAME: a key "${name}" already exists; use another name, or run \`keys revoke ${name}\` first`);
  });
  return key;
}

/** All keys, including revoked ones, in the order in which they were added. */
export async function listKeys(dir: string): Promise<readonly KeyInfo[]> {
  const keys = await readKeys(dir);
  return keys.map(({ name, created, revoked }) => ({ name, created, revoked }));
}

/** Revokes a key. Running services refuse it within a second. */
export async function revokeKey(dir: string, name: string, at: Instant = Date.now()): Promise<void> {
  const revoked = new Date(at).toISOString();
  await changeKeys(dir, (keys) => {
    if (!keys.some((known) => isActive(known, name))) throw unknownName(name, keys);
    return keys.map((known) => (isActive(known, name) ? { ...known, revoked } : known));
  });
}

/** Reads, changes and writes the keys while no other process can change them. */
async function changeKeys(dir: string, change: (keys: readonly ApiKey[]) => readonly ApiKey[]): Promise<void> {
  try {
    await makeFolder(resolve(dir));
    await withProcessLock({ dir, name: "keys.lock", holder: `pid ${process.pid}` }, async () => {
      await writeDurably(keyFilePath(dir), formatKeyFile(change(await readKeys(dir))));
    });
  } catch (error) {
    throw asKeysError("changed", dir, error);
  }
}

/** All keys with their hashes, in the order in which they were added. */
export async function readKeys(dir: string): Promise<readonly ApiKey[]> {
  const path = keyFilePath(dir);
  const content = await readIfExists(path).catch((error: unknown) => {
    throw asKeysError("read", dir, error);
  });
  return content === null ? [] : parseKeyFile(content.toString("utf8"), path);
}

/** Returns a StoreSettingError for a folder that can't be used, else a KeysError. */
function asKeysError(action: "read" | "changed", dir: string, error: unknown): Error {
  if (error instanceof KeysError || error instanceof StoreSettingError) return error;
  const problem = folderProblem(dir, error);
  if (problem !== null) return new StoreSettingError(problem, { cause: error });
  return new KeysError(`The keys could not be ${action}: ${errorMessage(error)}`, { cause: error });
}

export function keyFilePath(dir: string): string {
  return join(dir, "keys.json");
}

/** Throws a KeysError for a damaged file. Reading it as empty would lock out every caller. */
export function parseKeyFile(text: string, path: string): readonly ApiKey[] {
  const parsed = keyFile.safeParse(parseJson(text));
  if (parsed.success) return parsed.data.keys;
  const found = text.trim() === "" ? "an empty file" : "a file that is damaged or of another version";
  throw new KeysError(
    `${path}: got ${found}, expected the API keys that \`splitwatch keys\` wrote. ` +
      "Restore a backup of it, or delete it and create new keys; deleting it invalidates all issued keys.",
  );
}

export function formatKeyFile(keys: readonly ApiKey[]): string {
  return `${JSON.stringify({ version: 1, keys: [...keys] } satisfies z.infer<typeof keyFile>)}\n`;
}

function isActive(key: ApiKey, name: string): boolean {
  return key.name === name && key.revoked === null;
}

function unknownName(name: string, keys: readonly ApiKey[]): KeysError {
  const active = keys.filter((key) => key.revoked === null).map((key) => key.name);
  const expected = active.length === 0 ? "but there are no active keys" : `expected one of ${active.join(", ")}`;
  return new KeysError(`NAME: got ${quoteValue(name)}, ${expected}`);
}
