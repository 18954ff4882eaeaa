import { timingSafeEqual } from "node:crypto";
import type { FollowedKeys } from "../../ports/api-keys.ts";
import type { ApiKey } from "../../ports/state-records.ts";
import { hashKey } from "./api-keys.ts";

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

/** The name contains parentheses, so that no stored key can have it. */
const BOT: KeyHolder = { name: "(splitwatch)", isRateLimited: false };

/** The stored keys that are not revoked, and the key of the embedded bot; `botKey` is null without a bot. */
export function createKeyring({
  keys,
  botKey,
}: {
  keys: Pick<FollowedKeys, "current">;
  botKey: string | null;
}): Keyring {
  const botKeys: ValidKey[] = botKey === null ? [] : [{ holder: BOT, hash: hashKey(botKey) }];
  let stored: readonly ApiKey[] | null = null;
  let validKeys = botKeys;
  /**
   * Owners of the valid keys that were used since the last change. The lookup compares a key with one whose hash, which is salted at
   * random, is equal, so that the duration reveals nothing about a guess.
   */
  const used = new Map<string, KeyHolder>();

  function refresh(): void {
    const current = keys.current();
    if (current === stored) return;
    stored = current;
    used.clear();
    validKeys = [...botKeys, ...current.flatMap(toValidKey)];
  }

  return {
    find(key) {
      refresh();
      const known = used.get(key);
      if (known) return known;
      const holder = findByHash(key);
      if (holder) used.set(key, holder);
      return holder;
    },
  };

  function findByHash(key: string): KeyHolder | undefined {
    const hash = hashKey(key);
    // Compares all keys in constant time, so that the duration reveals nothing about a guess.
    return validKeys.filter((candidate) => timingSafeEqual(candidate.hash, hash))[0]?.holder;
  }
}

function toValidKey({ name, sha256, revoked }: ApiKey): readonly ValidKey[] {
  return revoked === null ? [{ holder: { name, isRateLimited: true }, hash: Buffer.from(sha256, "hex") }] : [];
}
