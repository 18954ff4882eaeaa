import type { Instant } from "../../domain/time/day.ts";
import type { Clock } from "../../ports/clock.ts";

/** Lets requests go one after the other, whatever they are for: sends, looks for messages, channels that are opened. */
export interface Pacer {
  /** Resolves when it is the caller's turn. */
  turn(): Promise<void>;
  /** The platform's word: nothing before this moment. */
  holdUntil(at: Instant): void;
}

/** Turns that may be made up for at once: timers are late on a busy machine, and each would cost a little for ever. */
const MADE_UP = 3;

export function createPacer(clock: Clock, everyMs: number, signal: AbortSignal): Pacer {
  // Without credit at first: a restart makes no burst.
  let next: Instant = clock.now();
  let last: Promise<void> = Promise.resolve();

  async function wait(): Promise<void> {
    const now = clock.now();
    const mine = Math.max(now - MADE_UP * everyMs, next);
    next = mine + everyMs;
    if (mine > now) await clock.sleep(mine - now, signal);
  }

  return {
    turn() {
      last = last.then(wait);
      return last;
    },
    holdUntil(at) {
      next = Math.max(next, at);
    },
  };
}
