import { setMaxListeners } from "node:events";
import type { Instant } from "../../src/domain/time/day.ts";
import type { Clock } from "../../src/ports/clock.ts";

interface Sleeper {
  readonly until: Instant;
  wake(): void;
}

/** Clock that the test advances. Sleepers wake in the order of their times. */
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

  /** Number of pending sleeps. */
  get sleepers(): number {
    return this.#sleepers.length;
  }

  /** Time at which the next sleep ends; null without one. */
  get nextWake(): Instant | null {
    return this.#sleepers.length === 0 ? null : Math.min(...this.#sleepers.map(({ until }) => until));
  }

  /** Advances the time. Wakes each sleeper at its time, and runs ready promises before the next. */
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

  /** Sets the time without waking sleepers. */
  setTo(time: string): void {
    this.#now = Date.parse(time);
  }

  /** Adds to the time without waking sleepers. */
  skip(ms: number): void {
    this.#now += ms;
  }
}

/** Runs ready promises. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
