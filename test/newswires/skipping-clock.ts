import type { Instant } from "../../src/domain/time/day.ts";
import type { Clock } from "../../src/ports/clock.ts";

/** Who sleeps wakes at once, and it is so much later. The network takes no time here, so every pause that is kept shows. */
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
