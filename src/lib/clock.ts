import { setMaxListeners } from "node:events";
import { uptime } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { type Instant, MINUTE_MS } from "../domain/time/day.ts";
import type { Clock, MonotonicTime } from "../ports/clock.ts";

/** Maximum delay of a Node timer. A timer with a longer one fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.floor(performance.now()),

  async sleep(ms, signal) {
    // Every waiting delivery listens to the same stop signal, so many listeners are not a leak.
    if (signal) setMaxListeners(0, signal);
    try {
      for (let remainingMs = ms; remainingMs > 0; remainingMs -= MAX_TIMER_MS) {
        await wait(Math.min(remainingMs, MAX_TIMER_MS), undefined, signal ? { signal } : {});
      }
    } catch {
      // Only an abort makes the timer reject.
    }
  },
};

/** Resolves with the result of `work`, or with null if it takes longer than `timeoutMs`; `work` is not stopped. */
export async function settleWithin<T>(work: Promise<T>, timeoutMs: number, clock: Clock): Promise<T | null> {
  const settled = new AbortController();
  try {
    return await Promise.race([work, clock.sleep(timeoutMs, settled.signal).then(() => null)]);
  } finally {
    settled.abort();
  }
}

/** Smaller differences are gradual corrections of a clock that runs fast or slow, not changes. */
const MIN_JUMP_MS = 1_000;

/**
 * Returns a function that detects changes of the system clock: it returns by how many milliseconds the clock was set forward
 * (negative: back) since the last change. A suspended machine counts as a clock that is set forward.
 */
export function createJumpDetector(clock: Clock): () => number {
  const offset = (): number => clock.now() - clock.monotonic();
  let knownOffset = offset();
  return () => {
    const jumpMs = offset() - knownOffset;
    if (Math.abs(jumpMs) < MIN_JUMP_MS) return 0;
    knownOffset += jumpMs;
    return jumpMs;
  };
}

/** Time for which a change of the system clock must last before it is used. */
export const SETTLE_MS = 2 * MINUTE_MS;

/**
 * Clock whose `now` ignores changes of the system clock that don't last: until a change has lasted for `SETTLE_MS`, the time
 * continues from before. The time of a suspended machine is used immediately. `uptimeMs` includes the time of suspension.
 */
export function createSettlingClock(system: Clock, uptimeMs = (): number => uptime() * 1_000): Clock {
  let offset = system.now() - system.monotonic();
  let bootedAt = system.now() - uptimeMs();
  let change: { readonly offset: number; readonly since: MonotonicTime } | null = null;

  function isSettled(current: number): boolean {
    if (Math.abs(system.now() - uptimeMs() - bootedAt) < MIN_JUMP_MS) return true;
    if (change === null || Math.abs(current - change.offset) >= MIN_JUMP_MS)
      change = { offset: current, since: system.monotonic() };
    return system.monotonic() - change.since >= SETTLE_MS;
  }

  function now(): Instant {
    const current = system.now() - system.monotonic();
    if (Math.abs(current - offset) >= MIN_JUMP_MS) {
      if (!isSettled(current)) return system.monotonic() + offset;
      offset = current;
      bootedAt = system.now() - uptimeMs();
    }
    change = null;
    return system.now();
  }

  return { now, monotonic: () => system.monotonic(), sleep: (ms, signal) => system.sleep(ms, signal) };
}

/** Due times of stored delays, converted to monotonic time once, so that later changes of the system clock don't move them. */
export class DueTimes {
  readonly #clock: Clock;
  readonly #known = new Map<string, { readonly at: Instant; readonly due: MonotonicTime }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the due time of a delay until `at`. Adds the delay if it is new or was changed. */
  of(key: string, at: Instant, maxDelayMs?: number): MonotonicTime {
    const known = this.#known.get(key);
    return known?.at === at ? known.due : this.add(key, at, maxDelayMs);
  }

  /** Adds a delay until `at`. `maxDelayMs` limits a delay that was stored before the clock was set back. */
  add(key: string, at: Instant, maxDelayMs = Number.POSITIVE_INFINITY): MonotonicTime {
    const due = this.#clock.monotonic() + Math.min(at - this.#clock.now(), maxDelayMs);
    this.#known.set(key, { at, due });
    return due;
  }

  delete(key: string): void {
    this.#known.delete(key);
  }
}
