import type { Low } from "lowdb";
import { createMutex } from "../../../lib/mutex.ts";
import { yieldToEventLoop } from "../../../lib/slices.ts";
import type { Log } from "../../../ports/log.ts";
import type { OpenedFile } from "../files/json-file.ts";
import type { SnapshotFile, SnapshotRows } from "./snapshot-rows.ts";

/** Delay before a failed write is retried. */
const RETRY_MS = 30_000;

/**
 * Keeps `snapshot.json` current. Writes are serial: snapshots that are committed during a write share the next one. Commits do
 * not wait for writes, because the log of changes has every change that the file lacks.
 */
export class SnapshotWriter {
  readonly #low: Low<SnapshotFile>;
  readonly #rows: SnapshotRows;
  readonly #log: Log;
  readonly #mutex = createMutex();
  /** Number of the last transaction in the file. */
  #saved: number;
  #isScheduled = false;
  #isClosed = false;

  constructor({ low }: OpenedFile<SnapshotFile>, rows: SnapshotRows, log: Log) {
    this.#low = low;
    this.#rows = rows;
    this.#log = log;
    this.#saved = low.data.transaction;
  }

  /** Schedules a write of the newest snapshot, unless the file is current. */
  schedule(): void {
    if (this.#isScheduled || this.#isClosed || this.#isCurrent()) return;
    this.#isScheduled = true;
    void this.#mutex(async () => {
      // Lets the callers of the commit continue before the snapshot is serialized.
      await yieldToEventLoop();
      this.#isScheduled = false;
      await this.#writeOrRetry();
    });
  }

  /** Writes the file if it is not current. Returns the number of its last transaction. */
  flush(): Promise<number> {
    return this.#mutex(async () => {
      if (!this.#isCurrent()) await this.#write();
      return this.#saved;
    });
  }

  /** Tries a last write. If it fails, the log has every change that the file lacks. */
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
    return this.#saved === this.#rows.transaction;
  }

  async #write(): Promise<void> {
    const file = this.#rows.file;
    this.#low.data = file;
    await this.#low.write();
    this.#saved = file.transaction;
  }
}
