import type { Instant } from "../domain/time/day.ts";

/** The polling of the data source by this process. */
export interface Polling {
  /** False if another process polls, or none. */
  isRunning(): boolean;
  /** Runs `change` while no poll is in progress: one poll must not mix the rows of the old and the new data. */
  pauseFor(change: () => Promise<void>): Promise<void>;
  /** Creates the due reminders immediately. */
  remindNow(): void;
}

/** Changes of the built-in sample data, which show every kind of event. They start soon after the first subscription. */
export interface SampleStory {
  /** Null before the start. */
  readonly startedAt: Instant | null;
  /** Id of the sample that the story replaced, whose splits are shown until the first poll; null if there was none. */
  readonly replacedId: string | null;
  /** Starts the sample of today and its story again, in all processes. */
  replay(): Promise<void>;
}
