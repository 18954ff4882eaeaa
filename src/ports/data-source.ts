import type { Instant } from "../domain/time/day.ts";

/** True for the ids of sample data: of the built-in sample, and of an external service that marks its data as a sample. */
export function isSampleId(id: string): boolean {
  return id.startsWith("sample:");
}

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
  /** Starts the sample of today and its story again, in all processes. */
  replay(): Promise<void>;
}
