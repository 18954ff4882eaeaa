import type { Instant } from "../domain/time/day.ts";

/** Milliseconds since an arbitrary start, unaffected by changes of the system clock. Meaningless in another process. */
export type MonotonicTime = number;

/** Source of time; tests replace it. */
export interface Clock {
  /** The system clock, which can be set back and forward. For times that are stored, shown or compared with calendars. */
  now(): Instant;
  /** Never goes back. For delays, timeouts and ages within this process. */
  monotonic(): MonotonicTime;
  /** Resolves after `ms` milliseconds, or immediately when `signal` aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
