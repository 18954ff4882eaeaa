import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { readTextSync } from "../../lib/bounded-file.ts";
import { fileStamp, folderProblem, makeFolder, readIfExists, writeDurably } from "../../lib/durable-file.ts";
import { errorMessage } from "../../lib/error-text.ts";
import { parseJson } from "../../lib/json.ts";
import { withProcessLock } from "../../lib/process-lock.ts";
import { type ApiKeys, type FollowedKeys, KeysError } from "../../ports/api-keys.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { type ApiKey, apiKeySchema } from "../../ports/state-records.ts";
import { StoreError, StoreSettingError } from "../../ports/store.ts";

/** File in DATA_DIR with the API keys. It is separate, because keys are added while another process uses the store. */
export const KEY_FILE = "keys.json";

const keyFile = z.object({ version: z.literal(1), keys: z.array(apiKeySchema) });

/** API keys in a file of a folder. */
export class FileApiKeys implements ApiKeys {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async read(): Promise<readonly ApiKey[]> {
    const path = keyFilePath(this.#dir);
    const content = await readIfExists(path).catch((error: unknown) => {
      throw asKeysError("read", this.#dir, error);
    });
    return content === null ? [] : parseKeyFile(content.toString("utf8"), path);
  }

  async change(change: (keys: readonly ApiKey[]) => readonly ApiKey[]): Promise<void> {
    const dir = this.#dir;
    try {
      await makeFolder(resolve(dir));
      await withProcessLock({ dir, name: "keys.lock", holder: `pid ${process.pid}` }, async () => {
        await writeDurably(keyFilePath(dir), formatKeyFile(change(await this.read())));
      });
    } catch (error) {
      throw asKeysError("changed", dir, error);
    }
  }

  async follow(parts: { readonly clock: Clock; readonly log: Log }): Promise<FollowedKeys> {
    return followKeyFile(keyFilePath(this.#dir), parts);
  }
}

const CHECK_INTERVAL_MS = 250;
const MAX_KEY_FILE_BYTES = 64 * 1024 * 1024;
const MISSING_STAMP = "missing";

/** Checks the file when the keys are used. Throws a KeysError if it is damaged now; later damage is logged. */
function followKeyFile(path: string, { clock, log }: { readonly clock: Clock; readonly log: Log }): FollowedKeys {
  let stamp = stampOf(path);
  let keys = readKeyFile(path);
  let checkedAt = clock.monotonic();
  let loggedProblem: string | null = null;

  function refresh(): void {
    const now = clock.monotonic();
    if (now - checkedAt < CHECK_INTERVAL_MS) return;
    checkedAt = now;
    try {
      const current = stampOf(path);
      if (current === stamp) return;
      stamp = current;
      keys = readKeyFile(path);
      loggedProblem = null;
    } catch (error) {
      const { message } = error as Error;
      const keysInUse = keys.filter(({ revoked }) => revoked === null).length;
      if (message !== loggedProblem) log.error("keys unreadable", { error: message, keysInUse });
      loggedProblem = message;
    }
  }

  return {
    current() {
      refresh();
      return keys;
    },
    close: () => Promise.resolve(),
  };
}

function stampOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? fileStamp(stats) : MISSING_STAMP;
}

function readKeyFile(path: string): readonly ApiKey[] {
  return stampOf(path) === MISSING_STAMP ? [] : parseKeyFile(readTextSync(path, MAX_KEY_FILE_BYTES), path);
}

/** Returns a StoreSettingError for a folder that can't be used, else a KeysError. */
function asKeysError(action: "read" | "changed", dir: string, error: unknown): Error {
  if (error instanceof StoreError) return error;
  const problem = folderProblem(dir, error);
  if (problem !== null) return new StoreSettingError(problem, { cause: error });
  return new KeysError(`The keys could not be ${action}: ${errorMessage(error)}`, { cause: error });
}

function keyFilePath(dir: string): string {
  return join(dir, KEY_FILE);
}

/** Throws a KeysError for a damaged file. Reading it as empty would lock out every caller. */
function parseKeyFile(text: string, path: string): readonly ApiKey[] {
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
