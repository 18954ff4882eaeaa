import { createMutex } from "../../../lib/mutex.ts";
import type { Log } from "../../../ports/log.ts";
import type { Disk } from "../files/disk.ts";
import { ChangeLog } from "./change-log.ts";
import { CheckpointWriter, MAX_SEGMENT_BYTES, retireSegments } from "./checkpoint.ts";
import { SnapshotWriter } from "./snapshot-file.ts";
import type { StoredRows } from "./stored-rows.ts";

/** A start replays a log of this size in about 0.2 s. */
const MAX_LOG_BYTES = 4 * 1024 * 1024;

export interface RowStoreOptions {
  readonly disk: Disk;
  readonly dir: string;
  readonly log: Log;
  /** A log of changes above this size or 4 MiB triggers a checkpoint. */
  readonly checkpointAboveBytes: number;
  readonly maxSegmentBytes?: number;
}

/** The log of changes with its checkpoints, which run in the background and one at a time. */
export class RowStore {
  readonly changes: ChangeLog;
  readonly #snapshotFile: SnapshotWriter;
  readonly #writer: CheckpointWriter;
  readonly #options: Required<RowStoreOptions>;
  readonly #mutex = createMutex();
  readonly #minBytes: number;
  #checkpointAboveBytes: number;
  #isScheduled = false;
  #isClosed = false;

  private constructor(changes: ChangeLog, { checkpoint, snapshot }: StoredRows, options: Required<RowStoreOptions>) {
    this.changes = changes;
    this.#snapshotFile = new SnapshotWriter(snapshot, changes.tables.snapshot, options.log);
    const flushSnapshot = (): Promise<number> => this.#snapshotFile.flush();
    this.#writer = new CheckpointWriter({ ...options, file: checkpoint, flushSnapshot });
    this.#options = options;
    this.#minBytes = Math.min(options.checkpointAboveBytes, MAX_LOG_BYTES);
    this.#checkpointAboveBytes = this.#minBytes;
  }

  static async open(rows: StoredRows, given: RowStoreOptions): Promise<RowStore> {
    const options = { maxSegmentBytes: MAX_SEGMENT_BYTES, ...given };
    let store: RowStore | null = null;
    const changes = await ChangeLog.open({ ...options, onWrite: () => store?.afterWrite() }, rows);
    store = new RowStore(changes, rows, options);
    await store.#complete(rows);
    store.checkpointIfDue();
    return store;
  }

  /** Writes `snapshot.json` if it is not current. */
  async flushSnapshot(): Promise<void> {
    await this.#snapshotFile.flush();
  }

  /** Makes the segments current and removes the earlier files, which may contain removed rows. */
  checkpoint(): Promise<void> {
    return this.#mutex(async () => {
      const { tables } = this.changes;
      const { maxSegmentBytes } = this.#options;
      const { position, result: retired } = await this.changes.rotate(() => retireSegments(tables, maxSegmentBytes));
      if (retired.length === 0 && position.number === this.#writer.changes) return this.#writer.removeObsolete();
      await this.#writer.write(tables, retired, position);
      this.#options.log.debug("checkpoint written", { log: position.number });
    });
  }

  /** Starts the work that a change has made necessary. */
  afterWrite(): void {
    this.#snapshotFile.schedule();
    this.checkpointIfDue();
  }

  checkpointIfDue(): void {
    if (this.#isClosed || this.#isScheduled || this.changes.sizeBytes <= this.#checkpointAboveBytes) return;
    this.#isScheduled = true;
    void this.#tryCheckpoint();
  }

  /** Waits for a running checkpoint. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#mutex(async () => undefined);
    await this.changes.close();
    await this.#snapshotFile.close();
  }

  /** Writes what a crash left to be written. A full disk does not prevent the start: the log has all changes. */
  async #complete({ hasPurge }: StoredRows): Promise<void> {
    try {
      await this.#snapshotFile.flush();
      if (hasPurge) await this.checkpoint();
    } catch (error) {
      this.#options.log.warn(hasPurge ? "purge incomplete" : "snapshot file not written", { error });
    }
  }

  /** Logs a failure instead of throwing it: all changes are durable in the log. */
  async #tryCheckpoint(): Promise<void> {
    try {
      await this.checkpoint();
      this.#checkpointAboveBytes = this.#minBytes;
    } catch (error) {
      this.#options.log.warn("checkpoint failed", { error });
      this.#checkpointAboveBytes = Math.max(this.#minBytes, this.changes.sizeBytes * 2);
    }
    this.#isScheduled = false;
    this.checkpointIfDue();
  }
}
