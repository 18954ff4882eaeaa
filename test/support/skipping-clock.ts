import type { Instant } from "../../src/domain/time/day.ts";
import type { Clock } from "../../src/ports/clock.ts";

/** A clock on which sleeping ends immediately and advances the time. `slept` records every pause. */
export class SkippingClock implements Clock {
  readonly slept: number[] = [];
  #now: Instant = Date.parse("2026-03-02T14:00:00Z");

  now(): Instant {
    return this.#now;
  }

  sleep(ms: number): Promise<void> {
    if (ms > 0) {
      this.slept.push(ms);
      this.#now += ms;
    }
    return Promise.resolve();
  }

  skip(ms: number): void {
    this.#now += ms;
  }
}
