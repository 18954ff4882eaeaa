import { setMaxListeners } from "node:events";
import type { Instant } from "../../src/domain/time/day.ts";
import type { Clock } from "../../src/ports/clock.ts";

interface Sleeper {
  readonly until: Instant;
  readonly wake: () => void;
}

/** Clock that runs from a given start at a given speed, and that the test can advance. */
export class RunningClock implements Clock {
  #speed: number;
  #startedAt = performance.now();
  #start: Instant;
  #sleepers: readonly Sleeper[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor({ speed = 1, start = "2026-03-02T14:00:00Z" }: { speed?: number; start?: string } = {}) {
    this.#speed = speed;
    this.#start = Date.parse(start);
  }

  now(): Instant {
    return Math.floor(this.#start + (performance.now() - this.#startedAt) * this.#speed);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted) return Promise.resolve();
    // Many sleeps share one signal, as with the real clock.
    if (signal) setMaxListeners(0, signal);
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const sleeper = { until: this.now() + ms, wake };
      this.#sleepers = [...this.#sleepers, sleeper];
      signal?.addEventListener("abort", wake);
      this.#arm();
    });
  }

  /** Changes the speed; the time continues where it is. */
  setSpeed(speed: number): void {
    const now = this.now();
    this.#start = now;
    this.#startedAt = performance.now();
    this.#speed = speed;
    this.#arm();
  }

  /** Advances the time and wakes the sleepers that are due. */
  skip(ms: number): void {
    this.#start += ms;
    this.#arm();
  }

  /** Sets the time. */
  setTo(time: string): void {
    this.skip(Date.parse(time) - this.now());
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#sleepers.length === 0) return;
    const next = Math.min(...this.#sleepers.map(({ until }) => until));
    this.#timer = setTimeout(() => this.#wakeDue(), Math.max(0, (next - this.now()) / this.#speed));
    this.#timer.unref();
  }

  #wakeDue(): void {
    const now = this.now();
    const due = this.#sleepers.filter(({ until }) => until <= now).toSorted((a, b) => a.until - b.until);
    for (const sleeper of due) sleeper.wake();
    this.#arm();
  }
}
