import type { Low } from "lowdb";
import type { KnownArticle } from "../../../domain/article/article.ts";
import { EMPTY_SNAPSHOT, headerOf, type Snapshot, type SnapshotHeader } from "../../../domain/diff/snapshot.ts";
import type { PastSplit } from "../../../domain/split/repeat-splits.ts";
import type { Split } from "../../../domain/split/split.ts";
import { createMutex } from "../../../lib/mutex.ts";
import { yieldToEventLoop } from "../../../lib/slices.ts";
import type { Log } from "../../../ports/log.ts";

/** Content of `snapshot.json`. */
export interface SnapshotFile {
  /** Number of the last commit that it includes. */
  readonly commit: number;
  readonly header: SnapshotHeader;
  readonly splits: readonly Split[];
  /** Absent in files of earlier versions. */
  readonly past?: readonly PastSplit[];
  readonly articles: readonly KnownArticle[];
}

export const EMPTY_SNAPSHOT_FILE: SnapshotFile = {
  commit: 0,
  header: headerOf(EMPTY_SNAPSHOT),
  splits: [],
  articles: [],
};

export function snapshotIn({ header, splits, past = [], articles }: SnapshotFile): Snapshot {
  return {
    ...header,
    splits: new Map(splits.map((split) => [split.id, split])),
    past: new Map(past.map((split) => [split.id, split])),
    articles: new Map(articles.map((article) => [article.url, article])),
  };
}

export function snapshotFileOf(snapshot: Snapshot, commit: number): SnapshotFile {
  return {
    commit,
    header: headerOf(snapshot),
    splits: [...snapshot.splits.values()],
    past: [...snapshot.past.values()],
    articles: [...snapshot.articles.values()],
  };
}

/** Delay before a failed write is retried. */
const RETRY_MS = 30_000;

/** The committed snapshot and the number of the last commit. */
interface Committed {
  readonly snapshot: Snapshot;
  readonly commit: number;
}

/**
 * Keeps `snapshot.json` current. Writes are serial: snapshots that are committed during a write share the next one. Commits do
 * not wait for writes, because the write-ahead log has every commit that the file lacks.
 */
export class SnapshotWriter {
  readonly #low: Low<SnapshotFile>;
  readonly #committed: Committed;
  readonly #log: Log;
  readonly #mutex = createMutex();
  /** Snapshot in the file; null while the file may lack a commit of the log. */
  #saved: Snapshot | null;
  #isScheduled = false;
  #isClosed = false;

  constructor(low: Low<SnapshotFile>, committed: Committed, log: Log) {
    this.#low = low;
    this.#committed = committed;
    this.#log = log;
    this.#saved = low.data.commit === committed.commit ? committed.snapshot : null;
  }

  /** Schedules a write of the newest snapshot, unless the file is current. */
  schedule(): void {
    if (this.#isScheduled || this.#isClosed) return;
    this.#isScheduled = true;
    void this.#mutex(async () => {
      // Lets the callers of the commit continue before the snapshot is serialized.
      await yieldToEventLoop();
      this.#isScheduled = false;
      await this.#writeOrRetry();
    });
  }

  /** Writes the file even if only the number of the last commit has changed, as a checkpoint requires. */
  write(): Promise<void> {
    return this.#mutex(() => this.#write());
  }

  /** Writes the file if it is not current. */
  async flush(): Promise<void> {
    await this.#mutex(async () => {
      if (!this.#isCurrent()) await this.#write();
    });
  }

  /** Tries a last write. If it fails, the write-ahead log has every commit that the file lacks. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#mutex(() => this.#writeOrRetry());
  }

  async #writeOrRetry(): Promise<void> {
    if (this.#isCurrent()) return;
    try {
      await this.#write();
    } catch (error) {
      this.#log.warn("snapshot file not written", { error });
      setTimeout(() => this.schedule(), RETRY_MS).unref();
    }
  }

  #isCurrent(): boolean {
    return this.#saved === this.#committed.snapshot;
  }

  async #write(): Promise<void> {
    const { snapshot, commit } = this.#committed;
    this.#low.data = snapshotFileOf(snapshot, commit);
    await this.#low.write();
    this.#saved = snapshot;
  }
}
