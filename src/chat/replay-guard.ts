import { MINUTE_MS } from "../domain/time/day.ts";
import type { Log } from "../ports/log.ts";
import type { SeenRequests } from "../ports/store.ts";

/** Longer than any platform repeats a request, and as long as a request can be answered on any of them. */
const KEEP_MS = 15 * MINUTE_MS;

/** Records the ids of a request. Returns false if one of them was recorded before. Ids that are not strings are ignored. */
export type IsNew = (ids: readonly unknown[]) => Promise<boolean>;

/** Recognizes requests that a platform delivers more than once. If the store fails, a request counts as new. */
export function createReplayGuard(platform: string, seenRequests: SeenRequests, log: Log): IsNew {
  return async (ids) => {
    const names = ids.flatMap((id) => (typeof id === "string" ? `${platform}.${id}` : []));
    try {
      return await seenRequests.add(names, KEEP_MS);
    } catch (error) {
      log.warn(`${platform} request not recorded`, { error });
      return true;
    }
  };
}
