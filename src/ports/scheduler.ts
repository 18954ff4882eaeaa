import type { Instant } from "../core/day.ts";

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
  start(schedule: Schedule): void;
  /** True when a tick of `cron` fell in the time after `since` and up to `until`. */
  ticked(cron: string, timezone: string, since: Instant, until: Instant): boolean;
  /** The longest time between ticks of `cron` that follow each other, in milliseconds; of a rare one, the next years count. */
  longestPause(cron: string, timezone: string): number;
  /** No tick starts after this. */
  stop(): Promise<void>;
}
