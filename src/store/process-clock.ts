import type { Instant } from "../domain/time/day.ts";
import type { Clock } from "../ports/clock.ts";

/** Smaller differences between system clocks are ignored, so that a stored time is read unchanged. */
const MIN_DIFFERENCE_MS = 5_000;

/**
 * System clock of this process, compared with a time that no setting of a system clock changes. Stored times keep their ages when
 * the clock is set, and when another process reads them.
 */
export class ProcessClock {
  readonly #clock: Pick<Clock, "now">;
  readonly #reference: { now(): number };

  /** `reference`: shared by all processes that read the stored times; in milliseconds. */
  constructor(clock: Pick<Clock, "now">, reference: { now(): number }) {
    this.#clock = clock;
    this.#reference = reference;
  }

  /** Difference between the system clock and the reference, in milliseconds. Stored with times of this process. */
  get offset(): number {
    return Math.round(this.#clock.now() - this.#reference.now());
  }

  /** Returns a function that converts times that were stored with this offset into times of the system clock as it is now. */
  fromOffset(offset: number): <T extends Instant | null>(at: T) => T | Instant {
    const differenceMs = this.offset - offset;
    if (Math.abs(differenceMs) < MIN_DIFFERENCE_MS) return (at) => at;
    return (at) => (at === null ? at : at + differenceMs);
  }
}
