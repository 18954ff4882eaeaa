import type { Instant } from "../domain/time/day.ts";

/** Where time comes from. Tests move it by hand. */
export interface Clock {
  now(): Instant;
  /** Resolves when `ms` have passed, or at once when `signal` aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
