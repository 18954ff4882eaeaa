import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../ports/clock.ts";

/** Longest delay of a Node timer: a longer one fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),

  async sleep(ms, signal) {
    // Every waiting delivery listens to the same stop signal: many listeners are no leak.
    if (signal) setMaxListeners(0, signal);
    try {
      for (let left = ms; left > 0; left -= MAX_TIMER_MS) {
        await wait(Math.min(left, MAX_TIMER_MS), undefined, signal ? { signal } : {});
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
