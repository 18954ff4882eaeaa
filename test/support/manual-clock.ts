import { setMaxListeners } from "node:events";
import type { Instant } from "../../src/domain/time/day.ts";
import type { Clock, MonotonicTime } from "../../src/ports/clock.ts";

interface Sleeper {
  readonly until: MonotonicTime;
  wake(): void;
}

/** Clock that the test advances. Sleepers wake in the order of their times. */
export class ManualClock implements Clock {
  /** The system clock's time at the start of the monotonic clock. */
  #epoch: Instant;
  #monotonic: MonotonicTime = 1_000;
  #sleepers: Sleeper[] = [];

  constructor(start = "2026-03-02T14:00:00Z") {
    this.#epoch = Date.parse(start) - this.#monotonic;
  }

  now(): Instant {
    return this.#epoch + this.#monotonic;
  }

  monotonic(): MonotonicTime {
    return this.#monotonic;
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
      const sleeper: Sleeper = { until: this.#monotonic + ms, wake };
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
    return this.#sleepers.length === 0 ? null : this.#epoch + Math.min(...this.#sleepers.map(({ until }) => until));
  }

  /** Advances the time. Wakes each sleeper at its time, and runs ready promises before the next. */
  async advance(ms: number): Promise<void> {
    const end = this.#monotonic + ms;
    for (;;) {
      const next = this.#sleepers.filter((sleeper) => sleeper.until <= end).toSorted((a, b) => a.until - b.until)[0];
      if (!next) break;
      this.#monotonic = Math.max(this.#monotonic, next.until);
      next.wake();
      await settled();
    }
    this.#monotonic = end;
    await settled();
  }

  /** Lets time pass until `time` without waking sleepers. For an earlier time, sets the system clock back. */
  setTo(time: string): void {
    const ms = Date.parse(time) - this.now();
    if (ms < 0) this.jump(ms);
    else this.skip(ms);
  }

  /** Lets time pass without waking sleepers. */
  skip(ms: number): void {
    if (ms < 0) throw new RangeError("time cannot pass backwards; use jump");
    this.#monotonic += ms;
  }

  /** Sets the system clock forward, or back if `ms` is negative. No time passes. */
  jump(ms: number): void {
    this.#epoch += ms;
  }
}

/** Turns of the event loop after which work counts as endless. */
const MAX_TURNS = 10_000;

/** Runs ready promises, and work in slices until it ends: how many slices it needs depends on the machine. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < MAX_TURNS; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (!process.getActiveResourcesInfo().includes("Immediate")) return;
  }
}
