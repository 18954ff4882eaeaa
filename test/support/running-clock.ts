import { setMaxListeners } from "node:events";
import type { Instant } from "../../src/domain/time/day.ts";
import type { Clock, MonotonicTime } from "../../src/ports/clock.ts";

interface Sleeper {
  readonly until: MonotonicTime;
  readonly wake: () => void;
}

/** Clock that runs from a given start at a given speed, and that the test can advance. */
export class RunningClock implements Clock {
  #speed: number;
  #startedAt = performance.now();
  /** Monotonic time at `#startedAt`. */
  #start: MonotonicTime = 1_000;
  /** The system clock's time at the start of the monotonic clock. */
  #epoch: Instant;
  #sleepers: readonly Sleeper[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor({ speed = 1, start = "2026-03-02T14:00:00Z" }: { speed?: number; start?: string } = {}) {
    this.#speed = speed;
    this.#epoch = Date.parse(start) - this.#start;
  }

  now(): Instant {
    return this.#epoch + this.monotonic();
  }

  monotonic(): MonotonicTime {
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
      const sleeper = { until: this.monotonic() + ms, wake };
      this.#sleepers = [...this.#sleepers, sleeper];
      signal?.addEventListener("abort", wake);
      this.#arm();
    });
  }

  /** Changes the speed; the time continues where it is. */
  setSpeed(speed: number): void {
    this.#start = this.monotonic();
    this.#startedAt = performance.now();
    this.#speed = speed;
    this.#arm();
  }

  /** Lets time pass and wakes the sleepers that are due. */
  skip(ms: number): void {
    if (ms < 0) throw new RangeError("time cannot pass backwards; use jump");
    this.#start += ms;
    this.#arm();
  }

  /** Sets the system clock forward, or back if `ms` is negative. No time passes. */
  jump(ms: number): void {
    this.#epoch += ms;
  }

  /** Lets time pass until `time`. For an earlier time, sets the system clock back. */
  setTo(time: string): void {
    const ms = Date.parse(time) - this.now();
    if (ms < 0) this.jump(ms);
    else this.skip(ms);
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#sleepers.length === 0) return;
    const next = Math.min(...this.#sleepers.map(({ until }) => until));
    this.#timer = setTimeout(() => this.#wakeDue(), Math.max(0, (next - this.monotonic()) / this.#speed));
    this.#timer.unref();
  }

  #wakeDue(): void {
    const now = this.monotonic();
    const due = this.#sleepers.filter(({ until }) => until <= now).toSorted((a, b) => a.until - b.until);
    for (const sleeper of due) sleeper.wake();
    this.#arm();
  }
}
