import type { Clock, MonotonicTime } from "../../../ports/clock.ts";
import type { SharedTime } from "../../process-clock.ts";

/** The database's clock as a process sees it, in milliseconds. */
export interface ClockReading {
  /** Clock of the database plus the correction. */
  readonly time: number;
  /** Number of changes of the correction. */
  readonly changes: number;
  /** Times of this process before and after the reading. */
  readonly startedAt: MonotonicTime;
  readonly endedAt: MonotonicTime;
}

/** A reading that took longer is not used. */
const MAX_READING_MS = 1_000;

/** Smaller differences are inaccurate readings, or gradual corrections of a clock. */
const MIN_JUMP_MS = 1_000;

/**
 * Shared time derived from the database's clock. It continues when that clock is set: the first process that notices the change
 * corrects the time of all, so that no claim or delay ends early or late.
 */
export class DatabaseTime implements SharedTime {
  readonly #clock: Clock;
  /** Shared time at the start of the monotonic clock, and the difference to the system clock then. */
  #origin: number | null = null;
  #systemOrigin = 0;
  #changes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return Math.round(this.#clock.monotonic() + (this.#origin ?? 0));
  }

  /** Uses a reading. Returns by how many milliseconds the database's clock was set forward, which is to be corrected; 0: it was not. */
  read({ time, changes, startedAt, endedAt }: ClockReading): number {
    if (this.#origin !== null && endedAt - startedAt > MAX_READING_MS) return 0;
    const origin = time - (startedAt + endedAt) / 2;
    const jumpMs = this.#origin === null || changes !== this.#changes ? 0 : Math.round(origin - this.#origin);
    if (Math.abs(jumpMs) >= MIN_JUMP_MS && !this.#wasSuspended()) return jumpMs;
    this.restart();
    this.#origin = origin;
    this.#changes = changes;
    return 0;
  }

  /** Confirms that the correction was changed as `read` requested. */
  corrected(): void {
    this.#changes += 1;
  }

  /** Makes the next reading the current time, whatever the last one was. */
  restart(): void {
    this.#origin = null;
    this.#systemOrigin = this.#clock.now() - this.#clock.monotonic();
  }

  /** A suspended machine's monotonic clock stops, so that all other clocks seem to be set forward. */
  #wasSuspended(): boolean {
    return Math.abs(this.#clock.now() - this.#clock.monotonic() - this.#systemOrigin) >= MIN_JUMP_MS;
  }
}
