import { setMaxListeners } from "node:events";
import type { Instant } from "../../src/domain/time/day.ts";
import type { Clock } from "../../src/ports/clock.ts";

interface Sleeper {
  readonly until: Instant;
  wake(): void;
}

/** Time stands still until the test moves it; sleepers wake in the order of their times. */
export class ManualClock implements Clock {
  #now: Instant;
  #sleepers: Sleeper[] = [];

  constructor(start = "2026-03-02T14:00:00Z") {
    this.#now = Date.parse(start);
  }

  now(): Instant {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted) return Promise.resolve();
    if (signal) setMaxListeners(0, signal);
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const sleeper: Sleeper = { until: this.#now + ms, wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener("abort", wake);
    });
  }

  /** How many wait for time to pass. */
  get sleepers(): number {
    return this.#sleepers.length;
  }

  /** Moves time on, waking each sleeper at its own moment and letting what it starts run before the next. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#sleepers.filter((sleeper) => sleeper.until <= end).toSorted((a, b) => a.until - b.until)[0];
      if (!next) break;
      this.#now = Math.max(this.#now, next.until);
      next.wake();
      await settled();
    }
    this.#now = end;
    await settled();
  }

  /** Jumps there: nobody wakes before time moves on again. */
  setTo(time: string): void {
    this.#now = Date.parse(time);
  }

  /** Jumps on, as `setTo` does. */
  skip(ms: number): void {
    this.#now += ms;
  }
}

/** Lets the promises that are ready run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
