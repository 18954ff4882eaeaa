import type { Instant } from "../core/day.ts";
import type { RateLimit } from "../ports/chat-platform.ts";

/**
 * Hands out send slots in front of a platform's client, so that its limits are not found out by hitting them.
 * It starts without credit: a restart makes no burst.
 */
export interface Limiter {
  /** Takes a slot under all these limits; gives the milliseconds to wait for it. */
  reserve(limits: readonly RateLimit[], now: Instant): number;
  /** The platform's word: nothing under this key before `until`. */
  block(key: string, until: Instant): void;
}

/** Each key has the moment at which its next slot would be free at the steady pace. */
export function createLimiter(): Limiter {
  const nextAt = new Map<string, Instant>();

  return {
    reserve(limits, now) {
      const states = limits.map((limit) => {
        const credit = (limit.burst - 1) * limit.everyMs;
        return { limit, credit, next: nextAt.get(limit.key) ?? now + credit };
      });
      const slot = Math.max(now, ...states.map(({ next, credit }) => next - credit));
      for (const { limit, next } of states) nextAt.set(limit.key, Math.max(next, slot) + limit.everyMs);
      return slot - now;
    },
    block(key, until) {
      nextAt.set(key, Math.max(nextAt.get(key) ?? 0, until));
    },
  };
}
