import type { DiffSettings } from "../domain/diff/snapshot.ts";
import type { RowKey } from "../domain/split/split.ts";
import type { Mutex } from "../lib/mutex.ts";
import type { Clock } from "../ports/clock.ts";
import type { SplitSource } from "../ports/split-source.ts";
import type { CommitParts } from "./commit.ts";

/** What a poll works with. */
export interface PollParts extends CommitParts {
  readonly source: SplitSource;
  readonly clock: Clock;
  readonly exclusive: Mutex;
  readonly settings: DiffSettings;
  /** The rows that the source knows to be no news. */
  knownRows(): ReadonlySet<RowKey>;
  /** A poll has ended, with so many events. */
  onPollEnd(events: number): Promise<void>;
  /** Aborts when we stop. */
  readonly signal: AbortSignal;
}
