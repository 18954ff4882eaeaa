import { MINUTE_MS } from "../domain/time/day.ts";
import type { RateLimit } from "../ports/chat-platform.ts";
import type { Clock, MonotonicTime } from "../ports/clock.ts";
import type { RateSlots, Reservation } from "../ports/rate-slots.ts";
import { assertShort } from "./limit-blocked.ts";
import { createMutex } from "./mutex.ts";
import type { SharedSlots } from "./shared-slots.ts";

/** From this number of keys on, keys that were idle for longer than `KEY_IDLE_MS` are removed. If used again, they count as new. */
const MAX_KEYS = 10_000;
const KEY_IDLE_MS = 10 * MINUTE_MS;

/** Slots of token buckets by key (generic cell rate algorithm), in memory. */
export function createRateSlots(clock: Clock): RateSlots {
  /** Time of each key's next slot at its steady pace. A burst takes slots before their time. */
  const nextAt = new Map<string, MonotonicTime>();
  const blockedUntil = new Map<string, MonotonicTime>();

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

  function reserve(limits: readonly RateLimit[], maxWaitMs: number): Reservation {
    const now = clock.monotonic();
    const states = limits.map((limit) => {
      const credit = (limit.burst - 1) * limit.everyMs;
      const next = nextAt.get(limit.key) ?? now + credit;
      return { limit, next, slotAt: next - credit };
    });
    const slotAt = Math.max(now, ...states.map((state) => state.slotAt));
    const unblockedAt = now + blockedFor(limits);
    const waitMs = Math.max(slotAt, unblockedAt) - now;
    const isSharedWait = states.some((state) => state.limit.isShared && state.slotAt === slotAt);
    if (waitMs > maxWaitMs && (!isSharedWait || unblockedAt > slotAt)) return { waitMs, isTaken: false };
    dropIdle(now);
    for (const { limit, next } of states) nextAt.set(limit.key, Math.max(next, now + waitMs) + limit.everyMs);
    return { waitMs, isTaken: true };
  }

  return {
    areShared: false,
    reserve: async (limits, maxWaitMs) => reserve(limits, maxWaitMs),
    async block(key, ms) {
      blockedUntil.set(key, Math.max(blockedUntil.get(key) ?? 0, clock.monotonic() + ms));
    },
    blockedFor: async (limits) => blockedFor(limits),
  };
}

/** Limits the number of unanswered messages of this process per key. */
export interface InFlightLimiter {
  /** Counts a message as in flight until the returned function is called; null if a limit's `maxInFlight` is reached. */
  enter(limits: readonly RateLimit[]): (() => void) | null;
}

export function createInFlightLimiter(): InFlightLimiter {
  const inFlight = new Map<string, number>();

  function change(limits: readonly RateLimit[], by: 1 | -1): void {
    for (const { key } of limits) {
      const current = (inFlight.get(key) ?? 0) + by;
      if (current === 0) inFlight.delete(key);
      else inFlight.set(key, current);
    }
  }

  return {
    enter(limits) {
      const limitsInFlight = limits.filter((limit) => limit.maxInFlight !== undefined);
      if (limitsInFlight.some(({ key, maxInFlight: max = 0 }) => (inFlight.get(key) ?? 0) >= max)) return null;
      change(limitsInFlight, 1);
      return () => change(limitsInFlight, -1);
    },
  };
}

/**
 * Limits the number of requests that arrive at a server within any window. A request arrives before its answer, so its slot can be
 * used again one window after the answer, however long requests take.
 */
export interface RequestWindow {
  /**
   * Calls `send` when a slot is free, in call order. Rejects without calling it if the shared slots can't be reached, or with a
   * LimitBlockedError during a long block.
   */
  run<T>(send: () => Promise<T>): Promise<T>;
  /** Sends nothing for `ms` milliseconds. Never rejects: other processes learn of the platform's limit from its answers, too. */
  block(ms: number): Promise<void>;
  /** Number of requests that have a slot: those without an answer, and one that waits for the time of its slot. */
  readonly slotsInUse: number;
}

/** Number of requests that can be sent without delay after a pause. The next ones are spread, at a pace slightly above the limit's average. */
const WINDOW_BURST = 5;
const WINDOW_PACE = 1.1;

export interface RequestWindowParts {
  readonly clock: Clock;
  /** After it aborts, `run` doesn't wait. */
  readonly signal: AbortSignal;
  /** Slots that all processes share, which requests take in addition; null for a single process. */
  readonly shared?: SharedSlots | null;
}

export function createRequestWindow(
  { max, windowMs }: { readonly max: number; readonly windowMs: number },
  { clock, signal, shared = null }: RequestWindowParts,
): RequestWindow {
  const sendInOrder = createMutex();
  /** Times of the last answers in the idle slots. The initial times are spread, so that a restart causes no burst. */
  const free = Array.from({ length: max }, (_, index) => clock.monotonic() - windowMs + (index * windowMs) / max);
  const everyMs = windowMs / max / WINDOW_PACE;
  /** Time of the next request at an even pace. */
  let nextAt = Number.NEGATIVE_INFINITY;
  let blockedUntil = Number.NEGATIVE_INFINITY;
  let onFree: (() => void) | null = null;
  let waiting = 0;
  signal.addEventListener("abort", () => onFree?.());

  async function takeSlot(): Promise<void> {
    while (free.length === 0 && !signal.aborted)
      await new Promise<void>((resolve) => {
        onFree = resolve;
      });
    const answeredAt = free.shift() ?? 0;
    try {
      await waitUntil(Math.max(answeredAt + windowMs, nextAt - (WINDOW_BURST - 1) * everyMs));
    } catch (error) {
      free.unshift(answeredAt);
      throw error;
    }
    nextAt = Math.max(nextAt, clock.monotonic()) + everyMs;
  }

  /** Waits until a slot, the end of a short block, and a shared slot. */
  async function waitUntil(slotAt: MonotonicTime): Promise<void> {
    const waitMs = (): number => (signal.aborted ? 0 : Math.max(slotAt, blockedUntil) - clock.monotonic());
    do {
      while (waitMs() > 0) {
        assertShort(blockedUntil - clock.monotonic());
        await clock.sleep(waitMs(), signal);
      }
      await shared?.take(waiting);
    } while (waitMs() > 0);
  }

  return {
    async run(send) {
      waiting += 1;
      await sendInOrder(takeSlot).finally(() => {
        waiting -= 1;
      });
      try {
        return await send();
      } finally {
        free.push(clock.monotonic());
        onFree?.();
      }
    },
    async block(ms) {
      blockedUntil = Math.max(blockedUntil, clock.monotonic() + ms);
      await shared?.block(ms).catch(() => undefined);
    },
    get slotsInUse() {
      return max - free.length;
    },
  };
}

/** Rate limiter that allows exactly `max` requests per key within any window of `windowMs`, unlike a token bucket. */
export interface SlidingWindow {
  /** Counts a request and returns 0 if it is allowed. Otherwise returns the milliseconds until the next one is allowed. */
  admit(key: string): number;
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
    admit(key) {
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
