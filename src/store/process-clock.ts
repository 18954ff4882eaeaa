import type { Instant } from "../domain/time/day.ts";
import type { Clock } from "../ports/clock.ts";

/** Time that all processes of a store share, in milliseconds. It doesn't depend on the clocks of their machines. */
export interface SharedTime {
  now(): number;
}

/** Smaller differences between system clocks are ignored, so that a stored time is read unchanged. */
const MIN_DIFFERENCE_MS = 5_000;

/**
 * System clock of this process, compared with the shared time. Stored times keep their ages when the clock is set, and when another
 * process reads them.
 */
export class ProcessClock {
  readonly #clock: Pick<Clock, "now">;
  readonly #shared: SharedTime;

  constructor(clock: Pick<Clock, "now">, shared: SharedTime) {
    this.#clock = clock;
    this.#shared = shared;
  }

  /** Difference between the system clock and the shared time, in milliseconds. Stored with times of this process. */
  get offset(): number {
    return Math.round(this.#clock.now() - this.#shared.now());
  }

  /** Returns a function that converts times that were stored with this offset into times of the system clock as it is now. */
  fromOffset(offset: number): <T extends Instant | null>(at: T) => T | Instant {
    const differenceMs = this.offset - offset;
    if (Math.abs(differenceMs) < MIN_DIFFERENCE_MS) return (at) => at;
    return (at) => (at === null ? at : at + differenceMs);
  }
}
