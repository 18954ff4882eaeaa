import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../ports/clock.ts";

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
