import { MINUTE_MS } from "../domain/time/day.ts";
import type { RateLimit } from "../ports/chat-platform.ts";
import type { Clock, MonotonicTime } from "../ports/clock.ts";
import { createMutex } from "./mutex.ts";

/** At this number of keys, those that were idle for longer than `KEY_IDLE_MS` are removed. Used again, they start as new. */
const MAX_KEYS = 10_000;
const KEY_IDLE_MS = 10 * MINUTE_MS;

/**
 * Token buckets by key (generic cell rate algorithm), checked before each request, so that no request exceeds a limit. A new
 * key may not burst until it has been idle for a while, so a restart causes no burst.
 */
export interface RateLimiter {
  /** Milliseconds until all `limits` have a free slot. Takes the slot if that is at most `maxWaitMs`. */
  reserve(limits: readonly RateLimit[], maxWaitMs: number): number;
  /** Takes the next slot and resolves when it is due, in call order. */
  acquire(limits: readonly RateLimit[], signal?: AbortSignal): Promise<void>;
  /** Blocks a key for `ms` milliseconds, as a platform's 429 requires; slots that were already taken are blocked too. */
  block(key: string, ms: number): void;
  /** Milliseconds for which one of `limits` is still blocked; 0 if none is. */
  blockedFor(limits: readonly RateLimit[]): number;
  /** Counts a message as in flight until the returned function is called; null if a limit's `maxInFlight` is reached. */
  enter(limits: readonly RateLimit[]): (() => void) | null;
}

export function createRateLimiter(clock: Clock): RateLimiter {
  /** Time of each key's next slot at its steady pace. A burst takes slots before their time. */
  const nextAt = new Map<string, MonotonicTime>();
  const blockedUntil = new Map<string, MonotonicTime>();
  const inFlight = new Map<string, number>();
  const acquireInOrder = createMutex();

  function changeInFlight(limits: readonly RateLimit[], change: 1 | -1): void {
    for (const { key } of limits) {
      const current = (inFlight.get(key) ?? 0) + change;
      if (current === 0) inFlight.delete(key);
      else inFlight.set(key, current);
    }
  }

  function dropIdle(now: MonotonicTime): void {
    for (const times of [nextAt, blockedUntil]) {
      if (times.size < MAX_KEYS) continue;
      for (const [key, at] of times) if (now - at > KEY_IDLE_MS) times.delete(key);
    }
  }

  function blockedFor(limits: readonly RateLimit[]): number {
    const now = clock.monotonic();
    return Math.max(0, ...limits.map(({ key }) => (blockedUntil.get(key) ?? 0) - now));
  }

  function reserve(limits: readonly RateLimit[], maxWaitMs: number): number {
    const now = clock.monotonic();
    const states = limits.map((limit) => {
      const credit = (limit.burst - 1) * limit.everyMs;
      return { limit, credit, next: nextAt.get(limit.key) ?? now + credit };
    });
    const unblockedAt = now + blockedFor(limits);
    const slotAt = Math.max(unblockedAt, ...states.map(({ next, credit }) => next - credit));
    if (slotAt - now > maxWaitMs) return slotAt - now;
    dropIdle(now);
    for (const { limit, next } of states) nextAt.set(limit.key, Math.max(next, slotAt) + limit.everyMs);
    return slotAt - now;
  }

  return {
    reserve,
    acquire(limits, signal) {
      return acquireInOrder(async () => {
        const waitMs = reserve(limits, Number.POSITIVE_INFINITY);
        if (waitMs > 0) await clock.sleep(waitMs, signal);
      });
    },
    block(key, ms) {
      blockedUntil.set(key, Math.max(blockedUntil.get(key) ?? 0, clock.monotonic() + ms));
    },
    blockedFor,
    enter(limits) {
      const limitsInFlight = limits.filter((limit) => limit.maxInFlight !== undefined);
      if (limitsInFlight.some(({ key, maxInFlight: max = 0 }) => (inFlight.get(key) ?? 0) >= max)) return null;
      changeInFlight(limitsInFlight, 1);
      return () => changeInFlight(limitsInFlight, -1);
    },
  };
}

/** Rate limiter that allows exactly `max` requests per key within any window of `windowMs`, unlike a token bucket. */
export interface SlidingWindow {
  /** Counts a request and returns 0, or returns the milliseconds until the next one is allowed. Refused requests don't count. */
  take(key: string): number;
}

/** Times of a key's last `max` requests. `next` is the index of the oldest. */
interface Ring {
  readonly times: MonotonicTime[];
  next: number;
  latest: MonotonicTime;
}

export function createSlidingWindow(clock: Clock, { max, windowMs }: { max: number; windowMs: number }): SlidingWindow {
  const rings = new Map<string, Ring>();
  let purgedAt = Number.NEGATIVE_INFINITY;

  function ringOf(key: string, now: MonotonicTime): Ring {
    const existing = rings.get(key);
    if (existing) return existing;
    purgeIdle(now);
    const ring = { times: [], next: 0, latest: now };
    rings.set(key, ring);
    return ring;
  }

  /** Runs at most once per window, which bounds the cost of many new keys. */
  function purgeIdle(now: MonotonicTime): void {
    if (now - purgedAt < windowMs) return;
    purgedAt = now;
    for (const [name, { latest }] of rings) if (now - latest >= windowMs) rings.delete(name);
  }

  return {
    take(key) {
      const now = clock.monotonic();
      const ring = ringOf(key, now);
      const elapsedMs = now - (ring.times[ring.next] ?? -Infinity);
      if (elapsedMs < windowMs) return windowMs - elapsedMs;
      ring.times[ring.next] = now;
      ring.next = (ring.next + 1) % max;
      ring.latest = now;
      return 0;
    },
  };
}
