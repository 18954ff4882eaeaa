import { setMaxListeners } from "node:events";
import type { Instant } from "../../src/core/day.ts";
import type { Clock } from "../../src/ports/clock.ts";

interface Sleeper {
  readonly until: Instant;
  readonly wake: () => void;
  timer: NodeJS.Timeout;
}

/** The machine's time, from another start: it runs by itself, and a test may jump ahead in it. */
export class RunningClock implements Clock {
  readonly #sleepers = new Set<Sleeper>();
  #ahead: number;

  constructor(start = "2026-03-02T14:00:00Z") {
    this.#ahead = Date.parse(start) - Date.now();
  }

  now(): Instant {
    return Date.now() + this.#ahead;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted) return Promise.resolve();
    if (signal) setMaxListeners(0, signal);
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(sleeper.timer);
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const sleeper = { until: this.now() + ms, wake, timer: setTimeout(wake, ms) };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", wake);
    });
  }

  /** Jumps on; who would have woken in that time wakes now, the others so much earlier. */
  skip(ms: number): void {
    this.#ahead += ms;
    for (const sleeper of this.#sleepers) {
      clearTimeout(sleeper.timer);
      sleeper.timer = setTimeout(sleeper.wake, Math.max(0, sleeper.until - this.now()));
    }
  }
}
