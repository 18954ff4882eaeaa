import type { Instant } from "../../src/domain/time/day.ts";
import type { Clock, MonotonicTime } from "../../src/ports/clock.ts";

/** A clock on which sleeping ends immediately and advances the time. `slept` records every pause. */
export class SkippingClock implements Clock {
  readonly slept: number[] = [];
  /** The system clock's time at the start of the monotonic clock. */
  #epoch: Instant = Date.parse("2026-03-02T14:00:00Z") - 1_000;
  #monotonic: MonotonicTime = 1_000;

  now(): Instant {
    return this.#epoch + this.#monotonic;
  }

  monotonic(): MonotonicTime {
    return this.#monotonic;
  }

  sleep(ms: number): Promise<void> {
    if (ms > 0) {
      this.slept.push(ms);
      this.#monotonic += ms;
    }
    return Promise.resolve();
  }

  /** Lets time pass. */
  skip(ms: number): void {
    if (ms < 0) throw new RangeError("time cannot pass backwards; use jump");
    this.#monotonic += ms;
  }

  /** Sets the system clock forward, or back if `ms` is negative. No time passes. */
  jump(ms: number): void {
    this.#epoch += ms;
  }
}
