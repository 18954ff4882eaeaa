import { type Instant, MINUTE_MS } from "../../../domain/time/day.ts";
import type { Clock } from "../../../ports/clock.ts";

/** Slack repeats what it takes for lost after at most five minutes. */
const RETENTION_MS = 15 * MINUTE_MS;
const MAX_TRACKED_IDS = 20_000;

/** Remembers for a while what has come in. */
export interface ReplayGuard {
  /** False where one of these came in before. Those that came now are remembered either way. */
  isNew(ids: readonly string[]): boolean;
}

export function createReplayGuard(clock: Clock): ReplayGuard {
  const seenAt = new Map<string, Instant>();

  function forgetOld(now: Instant): void {
    for (const [id, at] of seenAt) {
      if (now - at < RETENTION_MS && seenAt.size <= MAX_TRACKED_IDS) return;
      seenAt.delete(id);
    }
  }

  return {
    isNew(ids) {
      const now = clock.now();
      forgetOld(now);
      const isNew = ids.every((id) => !seenAt.has(id));
      for (const id of ids) if (!seenAt.has(id)) seenAt.set(id, now);
      return isNew;
    },
  };
}
