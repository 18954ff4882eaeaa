import type { Polling } from "../../src/ports/data-source.ts";

/** The polling of a process in which no poll is in progress. Counts the times at which reminders are created. */
export function idlePolling({ isRunning = true } = {}): Polling & { readonly reminders: () => number } {
  let reminders = 0;
  return {
    isRunning: () => isRunning,
    pauseFor: (change) => change(),
    remindNow() {
      reminders += 1;
    },
    reminders: () => reminders,
  };
}
