import type { Instant } from "../domain/time/day.ts";

/** Source of time; tests replace it. */
export interface Clock {
  now(): Instant;
  /** Resolves after `ms` milliseconds, or immediately when `signal` aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
