import { type Instant, MINUTE_MS } from "../domain/time/day.ts";
import type { RateLimit } from "../ports/chat-platform.ts";

/** A key that was not used for so long is forgotten: it begins anew, without credit. */
const FORGOTTEN_AFTER_MS = 10 * MINUTE_MS;
const MOST_KEYS = 10_000;

/**
 * Hands out send slots in front of a platform's client, so that its limits are not found out by hitting them.
 * It starts without credit: a restart makes no burst.
 */
export interface Limiter {
  /** The milliseconds until there is a slot under all these limits. It is taken when that is at most `patienceMs`. */
  reserve(limits: readonly RateLimit[], now: Instant, patienceMs: number): number;
  /** The platform's word: nothing under this key before `until`, not even in slots that were handed out before. */
  block(key: string, until: Instant): void;
  /** The milliseconds for which the platform's word still holds for one of these limits; 0: go. */
  blockedFor(limits: readonly RateLimit[], now: Instant): number;
  /** Counts one message as on its way; gives what ends that. Null: as many as may be are on their way. */
  enter(limits: readonly RateLimit[]): (() => void) | null;
}

/** Each key has the moment at which its next slot would be free at the steady pace. */
export function createLimiter(): Limiter {
  const nextAt = new Map<string, Instant>();
  const blockedUntil = new Map<string, Instant>();
  const underWay = new Map<string, number>();

  function count(limits: readonly RateLimit[], change: 1 | -1): void {
    for (const { key } of limits) {
      const now = (underWay.get(key) ?? 0) + change;
      if (now === 0) underWay.delete(key);
      else underWay.set(key, now);
    }
  }

  function forgetOld(now: Instant): void {
    for (const times of [nextAt, blockedUntil]) {
      if (times.size < MOST_KEYS) continue;
      for (const [key, at] of times) if (now - at > FORGOTTEN_AFTER_MS) times.delete(key);
    }
  }

  const blockedFor = (limits: readonly RateLimit[], now: Instant): number =>
    Math.max(0, ...limits.map(({ key }) => (blockedUntil.get(key) ?? 0) - now));

  return {
    reserve(limits, now, patienceMs) {
      const states = limits.map((limit) => {
        const credit = (limit.burst - 1) * limit.everyMs;
        return { limit, credit, next: nextAt.get(limit.key) ?? now + credit };
      });
      const free = now + blockedFor(limits, now);
      const slot = Math.max(free, ...states.map(({ next, credit }) => next - credit));
      if (slot - now > patienceMs) return slot - now;
      forgetOld(now);
      for (const { limit, next } of states) nextAt.set(limit.key, Math.max(next, slot) + limit.everyMs);
      return slot - now;
    },
    block(key, until) {
      blockedUntil.set(key, Math.max(blockedUntil.get(key) ?? 0, until));
    },
    blockedFor,
    enter(limits) {
      const counted = limits.filter(({ inFlight }) => inFlight !== undefined);
      if (counted.some(({ key, inFlight = 0 }) => (underWay.get(key) ?? 0) >= inFlight)) return null;
      count(counted, 1);
      return () => count(counted, -1);
    },
  };
}
