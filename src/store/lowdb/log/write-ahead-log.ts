import type { Low } from "lowdb";
import { destinationKey, type Person } from "../../../domain/alert/destination.ts";
import type { Instant } from "../../../domain/time/day.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/log.ts";
import { type Disk, damagedFileError } from "../files/disk.ts";
import type { OpenedFile } from "../files/json-file.ts";
import { WriteQueue } from "../files/write-queue.ts";
import { AppendOnlyLog, type LogContent } from "./append-only-log.ts";
import type { ArchiveFile } from "./archive.ts";
import { Claims } from "./claims.ts";
import { type LogRecord, type PurgeRecord, ReplayedState } from "./replayed-state.ts";
import { type SnapshotFile, SnapshotWriter } from "./snapshot-file.ts";

export interface CheckpointFiles {
  readonly snapshot: OpenedFile<SnapshotFile>;
  readonly history: OpenedFile<ArchiveFile>;
  readonly journal: { readonly path: string; readonly read: LogContent<LogRecord> };
}

export interface WriteAheadLogOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Log;
  /** A log above this size triggers a checkpoint. */
  readonly checkpointAboveBytes: number;
}

/**
 * Creates a record from the state at the time of the write; null if there is nothing to write. `nextCommit` returns the
 * number for a commit.
 */
type Step = (nextCommit: () => number) => LogRecord | null;

/**
 * Write-ahead log of snapshot, deliveries and history, in `journal.log`. Every change is durable before it is visible.
 * `snapshot.json` is written after each change of the snapshot; a checkpoint also writes `history.json` and shortens the log.
 * At startup, the records that these two files lack are replayed.
 */
export class WriteAheadLog {
  readonly state: ReplayedState;
  readonly claims: Claims;
  readonly #log: AppendOnlyLog<LogRecord>;
  readonly #snapshotFile: SnapshotWriter;
  readonly #historyFile: Low<ArchiveFile>;
  readonly #options: WriteAheadLogOptions;
  readonly #queue: WriteQueue<Step>;
  #checkpointAboveBytes: number;

  private constructor(
    state: ReplayedState,
    log: AppendOnlyLog<LogRecord>,
    files: Omit<CheckpointFiles, "journal">,
    options: WriteAheadLogOptions,
  ) {
    this.state = state;
    this.claims = new Claims(state.queues, options.clock);
    this.#log = log;
    this.#snapshotFile = new SnapshotWriter(files.snapshot.low, state, options.log);
    this.#historyFile = files.history.low;
    this.#options = options;
    this.#checkpointAboveBytes = options.checkpointAboveBytes;
    this.#queue = new WriteQueue((steps) => this.#write(steps));
  }

  static async open(files: CheckpointFiles, options: WriteAheadLogOptions): Promise<WriteAheadLog> {
    const { read, path } = files.journal;
    const state = new ReplayedState(files.snapshot.low.data, files.history.low.data);
    assertConsistent(files);
    state.replay(read.entries);
    const log = await AppendOnlyLog.continue<LogRecord>(options.disk, path, read);
    const writeAheadLog = new WriteAheadLog(state, log, files, options);
    if (read.isOutdated || read.entries.length > read.head.kept) await writeAheadLog.#tryCheckpoint();
    return writeAheadLog;
  }

  /** Resolves when the record is durable and applied. */
  write(step: Step): Promise<void> {
    return this.#queue.submit(step);
  }

  /** Removes messages that were settled before `before`, and older events that no other delivery needs. */
  async prune(before: Instant): Promise<void> {
    await this.#queue.runExclusive(async () => {
      const { archive, queues } = this.state;
      const kept = archive.contentSince(before, queues.deliveries());
      if (archive.hasSameSize(kept)) return;
      await this.#checkpoint(kept);
      this.state.replaceArchive(kept);
    });
  }

  /** Removes the person from the state. The files still contain them until `finishPurge`. */
  async beginPurge(person: Person): Promise<PurgeRecord> {
    const created: PurgeRecord[] = [];
    await this.write(() => {
      const entry = this.state.purgeRecord(person);
      created.push(entry);
      return entry;
    });
    return created[0] as PurgeRecord;
  }

  /** Rewrites the files without the person. */
  async finishPurge(entry: PurgeRecord): Promise<void> {
    await this.#queue.runExclusive(async () => {
      this.state.endPurge(entry.person);
      try {
        await this.#checkpoint(this.state.archive.contentSince(Number.NEGATIVE_INFINITY, []));
      } catch (error) {
        this.state.apply(entry);
        throw error;
      }
    });
  }

  /** Writes `snapshot.json` if an earlier write of it failed. */
  flushSnapshot(): Promise<void> {
    return this.#snapshotFile.flush();
  }

  async close(): Promise<void> {
    await this.#queue.close();
    await this.#snapshotFile.close();
    await this.#log.close();
  }

  async #write(steps: readonly Step[]): Promise<void> {
    let { commit } = this.state;
    const nextCommit = (): number => {
      commit += 1;
      return commit;
    };
    const entries = steps.flatMap((step) => step(nextCommit) ?? []);
    if (entries.length === 0) return;
    await this.#log.append(entries);
    for (const entry of entries)
      for (const destination of this.state.apply(entry)) this.claims.schedule(destinationKey(destination));
    if (entries.some((entry) => entry.kind === "commit" && entry.patch)) this.#snapshotFile.schedule();
    if (this.#log.sizeBytes > this.#checkpointAboveBytes) await this.#tryCheckpoint();
  }

  /** Logs a failure instead of throwing it: the caller's records are already durable in the log. */
  async #tryCheckpoint(): Promise<void> {
    try {
      await this.#checkpoint(this.state.archive.contentSince(Number.NEGATIVE_INFINITY, []));
    } catch (error) {
      this.#options.log.warn("checkpoint failed", { error });
      this.#checkpointAboveBytes = Math.max(this.#options.checkpointAboveBytes, this.#log.sizeBytes * 2);
    }
  }

  /** Writes the other two files before it removes their records from the log, so a crash in between loses nothing. */
  async #checkpoint(kept: Pick<ArchiveFile, "events" | "messages">): Promise<void> {
    const before = this.#log.sizeBytes;
    this.#historyFile.data = { commit: this.state.commit, ...kept };
    await this.#historyFile.write();
    await this.#snapshotFile.write();
    await this.#log.rewrite(this.state.commit, this.state.openRecords());
    // At least twice the size of the open records; otherwise a long queue would trigger a checkpoint with every write.
    this.#checkpointAboveBytes = Math.max(this.#options.checkpointAboveBytes, this.#log.sizeBytes * 2);
    this.#options.log.debug("checkpoint written", { from: before, to: this.#log.sizeBytes });
  }
}

/** Throws a StoreError for files of different ages, such as one restored by hand: they would repeat or lose alerts. */
export function assertConsistent({ snapshot, history, journal }: CheckpointFiles): void {
  const { head, entries } = journal.read;
  for (const file of [snapshot, history])
    if (file.low.data.commit < head.mark)
      throw damagedFileError(file.path, `is older than ${journal.path}, which starts after commit ${head.mark}`);
  const last = entries.findLast((entry) => entry.kind === "commit")?.number ?? head.mark;
  for (const file of [snapshot, history])
    if (file.low.data.commit > last)
      throw damagedFileError(
        journal.path,
        `is older than ${file.path}: it ends with commit ${last}, not ${file.low.data.commit}`,
      );
}
