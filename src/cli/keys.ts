import { readConfig } from "../config/index.ts";
import { addKey, type KeyInfo, listKeys, revokeKey } from "../data-service/server/api-keys.ts";
import { systemClock } from "../lib/clock.ts";
import { type ApiKeys, KEY_CHECK_MS } from "../ports/api-keys.ts";
import { EXIT, type Invocation, reportStoreError } from "./invocation.ts";

/** Prints only the key to standard output, for scripts. */
export function addNamedKey(name: string, invocation: Invocation): Promise<number> {
  return reportProblems(invocation, async (apiKeys) => {
    const key = await addKey(apiKeys, name);
    invocation.err(`Created the API key "${name}". Copy it now: only its hash is stored, and it is never shown again.`);
    invocation.out(key);
    await acceptedEverywhere();
  });
}

/** Waits until running services accept a new key, so that the next command of a script can use it. */
function acceptedEverywhere(): Promise<void> {
  return systemClock.sleep(KEY_CHECK_MS + READING_MS);
}

/** Longer than a service takes to read the keys. */
const READING_MS = 150;

export function printKeys(invocation: Invocation): Promise<number> {
  return reportProblems(invocation, async (apiKeys) => {
    const keys = await listKeys(apiKeys);
    if (keys.length === 0) invocation.err("No API keys. Create one with `splitwatch keys add NAME`.");
    for (const row of keyTable(keys)) invocation.out(row);
  });
}

export function revokeNamedKey(name: string, invocation: Invocation): Promise<number> {
  return reportProblems(invocation, async (apiKeys) => {
    await revokeKey(apiKeys, name);
    invocation.err(`Revoked the API key "${name}". A running service rejects it within a second.`);
  });
}

async function reportProblems(invocation: Invocation, action: (apiKeys: ApiKeys) => Promise<void>): Promise<number> {
  const config = readConfig(invocation);
  try {
    await action(await config.store.apiKeys());
    return EXIT.ok;
  } catch (error) {
    return reportStoreError(error, config, invocation);
  }
}

function keyTable(keys: readonly KeyInfo[]): string[] {
  if (keys.length === 0) return [];
  const width = Math.max(4, ...keys.map(({ name }) => name.length));
  const rows = keys.map(({ name, created, revoked }) => [name, created, revoked ? `revoked ${revoked}` : "active"]);
  return [["NAME", "CREATED", "STATE"], ...rows].map(
    ([name = "", created = "", state = ""]) => `${name.padEnd(width)}  ${created.padEnd(24)}  ${state}`,
  );
}
