import { hash, randomBytes } from "node:crypto";
import type { Instant } from "../../domain/time/day.ts";
import { quoteValue } from "../../lib/error-text.ts";
import { type ApiKeys, KeysError } from "../../ports/api-keys.ts";
import { type ApiKey, KEY_NAME } from "../../ports/state-records.ts";

/** An API key as shown to the operator. */
export type KeyInfo = Omit<ApiKey, "sha256">;

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
export async function addKey(apiKeys: ApiKeys, name: string, at: Instant = Date.now()): Promise<string> {
  const problem = keyNameProblem(name);
  if (problem !== null) throw new KeysError(problem);
  const key = generateKey();
  const record = { name, sha256: hashKey(key).toString("hex"), created: new Date(at).toISOString(), revoked: null };
  await apiKeys.change((keys) => {
    if (!keys.some((known) => isActive(known, name))) return [...keys, record];
    throw new KeysError(`NAME: a key "${name}" already exists; use another name, or run \`keys revoke ${name}\` first`);
  });
  return key;
}

/** All keys, including revoked ones, in the order in which they were added. */
export async function listKeys(apiKeys: ApiKeys): Promise<readonly KeyInfo[]> {
  const keys = await apiKeys.read();
  return keys.map(({ name, created, revoked }) => ({ name, created, revoked }));
}

/** Revokes a key. Running services refuse it within a second. */
export async function revokeKey(apiKeys: ApiKeys, name: string, at: Instant = Date.now()): Promise<void> {
  const revoked = new Date(at).toISOString();
  await apiKeys.change((keys) => {
    if (!keys.some((known) => isActive(known, name))) throw unknownName(name, keys);
    return keys.map((known) => (isActive(known, name) ? { ...known, revoked } : known));
  });
}

function isActive(key: ApiKey, name: string): boolean {
  return key.name === name && key.revoked === null;
}

function unknownName(name: string, keys: readonly ApiKey[]): KeysError {
  const active = keys.filter((key) => key.revoked === null).map((key) => key.name);
  const expected = active.length === 0 ? "but there are no active keys" : `expected one of ${active.join(", ")}`;
  return new KeysError(`NAME: got ${quoteValue(name)}, ${expected}`);
}
