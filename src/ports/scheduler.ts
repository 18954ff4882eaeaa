import type { Instant } from "../domain/time/day.ts";

export interface Schedule {
  readonly name: string;
  /** node-cron's form: 5 fields, or 6 with seconds first. */
  readonly cron: string;
  readonly timezone: string;
  /** A tick is skipped while the last run still goes on. */
  run(): Promise<void>;
}

/** Runs work at set times. */
export interface Scheduler {
  /** Gives what ends it again: no tick of it starts after that, and none runs any more when it has resolved. */
  start(schedule: Schedule): () => Promise<void>;
  /** True when a tick of `cron` fell in the time after `since` and up to `until`. */
  ticked(cron: string, timezone: string, since: Instant, until: Instant): boolean;
  /** The first tick of `cron` after `after`; null: none comes within a year. */
  nextTick(cron: string, timezone: string, after: Instant): Instant | null;
  /** The longest time between ticks of `cron` that follow each other, in milliseconds; of a rare one, the next years count. */
  longestPause(cron: string, timezone: string): number;
  /** Ends all of them, for good. */
  stop(): Promise<void>;
}
