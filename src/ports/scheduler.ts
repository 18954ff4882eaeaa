import type { Instant } from "../domain/time/day.ts";

export interface Schedule {
  readonly name: string;
  /** A cron expression of 5 fields, or 6 with seconds first. */
  readonly cron: string;
  readonly timezone: string;
  /** Ticks during a run are skipped. */
  run(): Promise<void>;
}

/** Runs work on cron schedules. */
export interface Scheduler {
  /** Returns a function that ends the schedule: it starts no more runs and resolves when none is running. */
  start(schedule: Schedule): () => Promise<void>;
  /** True if `cron` had a tick after `since` and up to `until`. */
  hasTicked(cron: string, timezone: string, since: Instant, until: Instant): boolean;
  /** Returns the first tick of `cron` after `after`; null if there is none within a year. */
  nextTick(cron: string, timezone: string, after: Instant): Instant | null;
  /** Returns the longest time between two consecutive ticks of `cron`, in milliseconds. */
  longestPause(cron: string, timezone: string): number;
  /** Ends all schedules. */
  stop(): Promise<void>;
}
