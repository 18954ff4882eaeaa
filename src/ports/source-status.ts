import type { Instant } from "../domain/time/day.ts";

/**
 * Condition of a source after its last read. `waiting`: not read yet. `stale`: readable, but without items, or without a new
 * item for longer than usual.
 */
export type SourceCondition = "waiting" | "ok" | "stale" | "refusing" | "unreachable" | "unreadable";

/**
 * Whether a source can be read. `down`: its list or its documents can't be read. `degraded`: a part can't be read. `waiting`:
 * not read yet.
 */
export type SourceVerdict = "waiting" | "up" | "degraded" | "down";

/** State of one source, or of one wire, with counts since startup. */
export interface SourceStatus {
  /** Id, such as `prnewswire`. */
  readonly name: string;
  readonly verdict: SourceVerdict;
  /** Kind of problem of the last read. */
  readonly condition: SourceCondition;
  /** Start of the current condition. */
  readonly since: Instant;
  /** Message of the first failed part, such as a feed, even if others can be read; null if none failed. */
  readonly problem: string | null;
  readonly lastReadAt: Instant | null;
  readonly lastOkAt: Instant | null;
  /** Time at which the newest item was found; its publication time if the first read found it. */
  readonly lastNewAt: Instant | null;
  readonly lastGapAt: Instant | null;
  /** Number of items at the last read. */
  readonly itemCount: number;
  /** Number of new items. */
  readonly newItemCount: number;
  /** Number of times that items may have been missed. */
  readonly gaps: number;
  /** Number of requests, including those for pages and robots rules. */
  readonly requests: number;
  /** Number of failed reads of feeds and pages, by kind. */
  readonly faults: Readonly<Partial<Record<string, number>>>;
  readonly documents: DocumentsStatus;
  /**
   * Share of the last documents that could not be read: `3 of 14 documents could not be read`, or, of a wire, `12 of 14 pages
   * refused or unreadable (86%); the feed's summaries are used instead`. Null if all can be read.
   */
  readonly unreadDocuments: string | null;
  /** Number of successive reads whose lists could not be read. */
  readonly failedLists: number;
  /** Remarks that are no problems, such as which of two addresses is read. */
  readonly notes: readonly string[];
}

/** Documents of a source, such as the pages of notices. */
export interface DocumentsStatus {
  /** Whether each of the last documents could be read, the oldest first. */
  readonly recent: readonly boolean[];
  readonly lastReadAt: Instant | null;
  /** Number of documents in a row that could not be read. */
  readonly failed: number;
  /** Number of reads in a row that requested documents and could read none of them. */
  readonly failedReads: number;
}

/**
 * Statuses of the live sources, shared by all processes because only one of them reads the sources. Their times are those of the
 * reader's system clock. They need not survive a restart.
 */
export interface SourceStatuses {
  /** Replaces all statuses. */
  write(statuses: readonly SourceStatus[]): Promise<void>;
  /** Empty before the first write. */
  read(): Promise<readonly SourceStatus[]>;
  /** Calls `listener` after another process wrote. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
}
