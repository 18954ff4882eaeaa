import { timingSafeEqual } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { fileStamp } from "../../lib/durable-file.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { hashKey, keyFilePath, parseKeyFile } from "./key-file.ts";

/** Who sent a request. */
export interface Caller {
  readonly name: string;
  /** Whether the limit of requests holds for them. */
  readonly limited: boolean;
}

/** The keys that are good now. */
export interface Keyring {
  find(key: string): Caller | undefined;
}

interface KnownKey {
  readonly caller: Caller;
  readonly hash: Buffer;
}

const LOOK_EVERY_MS = 250;

/**
 * Follows the key file of a data folder. `botKey` is the embedded bot's, made at start and kept in memory alone; null where
 * no bot runs. Throws a KeysError when the file is damaged at the start; later the last good keys hold, and the log says so.
 */
export function createKeyring(options: { dir: string; clock: Clock; log: Log; botKey: string | null }): Keyring {
  const { clock, log, botKey } = options;
  const path = keyFilePath(options.dir);
  // No name in the file can hold a bracket.
  const own: KnownKey[] =
    botKey === null ? [] : [{ caller: { name: "(splitwatch)", limited: false }, hash: hashKey(botKey) }];
  let stamp = stampOf(path);
  let given = readGivenKeys(path);
  let lookedAt = clock.now();
  let trouble: string | null = null;

  function look(): void {
    const sinceMs = clock.now() - lookedAt;
    if (sinceMs >= 0 && sinceMs < LOOK_EVERY_MS) return;
    lookedAt = clock.now();
    try {
      const now = stampOf(path);
      if (now === stamp) return;
      stamp = now;
      given = readGivenKeys(path);
      trouble = null;
    } catch (error) {
      const { message } = error as Error;
      if (message !== trouble) log.error("keys unreadable", { error: message, inUse: given.length });
      trouble = message;
    }
  }

  return {
    find(key) {
      look();
      const hash = hashKey(key);
      // All are compared, each in constant time: how long it takes tells nothing about how near a guess is.
      return [...own, ...given].filter((known) => timingSafeEqual(known.hash, hash))[0]?.caller;
    },
  };
}

function readGivenKeys(path: string): readonly KnownKey[] {
  if (stampOf(path) === ABSENT) return [];
  return parseKeyFile(readFileSync(path, "utf8"), path)
    .filter((key) => key.revoked === null)
    .map(({ name, sha256 }) => ({ caller: { name, limited: true }, hash: Buffer.from(sha256, "hex") }));
}

const ABSENT = "absent";

function stampOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? fileStamp(stats) : ABSENT;
}
