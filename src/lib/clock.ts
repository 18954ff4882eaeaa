import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../ports/clock.ts";

/** Node runs a timer that is set for longer than this at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),

  async sleep(ms, signal) {
    // Every delivery that waits for its turn sleeps under the one signal to stop: that is no leak.
    if (signal) setMaxListeners(0, signal);
    try {
      for (let left = ms; left > 0; left -= LONGEST_TIMER_MS) {
        await wait(Math.min(left, LONGEST_TIMER_MS), undefined, signal ? { signal } : {});
      }
    } catch {
      // The signal aborted; that is all a timer can fail of.
    }
  },
};
