import type { DiffSettings } from "../domain/diff/snapshot.ts";
import type { RowKey } from "../domain/split/split.ts";
import type { Mutex } from "../lib/mutex.ts";
import type { Clock } from "../ports/clock.ts";
import type { SplitSource } from "../ports/split-source.ts";
import type { PollReport } from "../ports/store.ts";
import type { CommitParts } from "./commit.ts";

/** How long splits and articles that are polled together wait for each other, so that a slow one cannot hold up the other. */
export const MAX_WAIT_MS = 10_000;

export interface PollParts extends CommitParts {
  readonly source: SplitSource;
  readonly clock: Clock;
  /** Runs a read of the snapshot and the commit that follows from it without another one in between. */
  readonly exclusive: Mutex;
  readonly settings: DiffSettings;
  /** Rows that the source marks as already known: they are followed without an event. */
  silentRows(): ReadonlySet<RowKey>;
  /** Called after each poll with the number of its events. */
  readonly onPollEnd: (events: number) => Promise<void>;
  /** Aborts when the application stops. */
  readonly signal: AbortSignal;
}

export interface PollOutcome extends Omit<PollReport, "resource" | "at" | "lastCompleteAt"> {
  /** How long the source asked to wait. */
  readonly retryAfterMs?: number;
  readonly events: number;
}
