import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { ApiKey } from "./state-records.ts";
import { StoreError } from "./store.ts";

/** API keys of the data service, including revoked ones, in the order in which they were added. */
export interface ApiKeys {
  read(): Promise<readonly ApiKey[]>;
  /** Replaces the keys by those that `change` returns, while no other process can change them. */
  change(change: (keys: readonly ApiKey[]) => readonly ApiKey[]): Promise<void>;
  /** Follows the changes of all processes. Rejects if the keys can't be read; later failures are logged. */
  follow(parts: { readonly clock: Clock; readonly log: Log }): Promise<FollowedKeys>;
}

/** Interval at which processes that follow the keys read them. */
export const KEY_CHECK_MS = 250;

export interface FollowedKeys {
  /** The keys, at most a second old; the last known ones while they can't be read. The same array until they change. */
  current(): readonly ApiKey[];
  close(): Promise<void>;
}

/** Failure to read or change the keys. The message is for the operator. */
export class KeysError extends StoreError {
  override readonly name = "KeysError";
}
