import { timingSafeEqual } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { fileStamp } from "../../lib/durable-file.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { hashKey, keyFilePath, parseKeyFile } from "./key-file.ts";

/** The owner of a valid key. */
export interface KeyHolder {
  readonly name: string;
  /** True if the request limit applies to the key. */
  readonly isRateLimited: boolean;
}

/** The currently valid API keys. */
export interface Keyring {
  find(key: string): KeyHolder | undefined;
}

interface ValidKey {
  readonly holder: KeyHolder;
  readonly hash: Buffer;
}

const CHECK_INTERVAL_MS = 250;
const MISSING_STAMP = "missing";

/** The name contains parentheses, so that no key of the file can have it. */
const BOT: KeyHolder = { name: "(splitwatch)", isRateLimited: false };

/**
 * Follows the key file of a data folder. `botKey` is the key of the embedded bot; null without a bot. Throws a KeysError if the
 * file is damaged at startup. Later damage is logged, and the last valid keys stay in use.
 */
export function createKeyring(options: { dir: string; clock: Clock; log: Log; botKey: string | null }): Keyring {
  const { clock, log, botKey } = options;
  const path = keyFilePath(options.dir);
  const botKeys: ValidKey[] = botKey === null ? [] : [{ holder: BOT, hash: hashKey(botKey) }];
  let stamp = stampOf(path);
  let validKeys = [...botKeys, ...readFileKeys(path)];
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
      validKeys = [...botKeys, ...readFileKeys(path)];
      loggedProblem = null;
    } catch (error) {
      const { message } = error as Error;
      if (message !== loggedProblem)
        log.error("keys unreadable", { error: message, keysInUse: validKeys.length - botKeys.length });
      loggedProblem = message;
    }
  }

  return {
    find(key) {
      refresh();
      const hash = hashKey(key);
      // Compares all keys in constant time, so that the duration reveals nothing about a guess.
      return validKeys.filter((candidate) => timingSafeEqual(candidate.hash, hash))[0]?.holder;
    },
  };
}

function readFileKeys(path: string): readonly ValidKey[] {
  if (stampOf(path) === MISSING_STAMP) return [];
  return parseKeyFile(readFileSync(path, "utf8"), path)
    .filter((key) => key.revoked === null)
    .map(({ name, sha256 }) => ({ holder: { name, isRateLimited: true }, hash: Buffer.from(sha256, "hex") }));
}

function stampOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? fileStamp(stats) : MISSING_STAMP;
}
