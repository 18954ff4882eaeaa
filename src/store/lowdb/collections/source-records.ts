import type { Log } from "../../../ports/log.ts";
import type { KeyOf, SourceRecords } from "../../../ports/store.ts";
import type { Disk } from "../files/disk.ts";
import { WriteQueue } from "../files/write-queue.ts";
import { AppendOnlyLog, type LogContent } from "../log/append-only-log.ts";

/** A line of `releases.log`, `observations.log` or `source-reads.log`. The last line for a key applies. */
export type SourceRecordEntry<T> = { readonly kept: T } | { readonly dropped: readonly string[] };

/** The log is rewritten when its outdated lines outnumber its valid lines by more than this. */
const MAX_OUTDATED_LINES = 1_000;

/** Records of the data sources in an append-only log. */
export class LowdbSourceRecords<T> implements SourceRecords<T> {
  readonly #file: AppendOnlyLog<SourceRecordEntry<T>>;
  readonly #queue: WriteQueue<readonly SourceRecordEntry<T>[]>;
  readonly #keyOf: KeyOf<T>;
  readonly #log: Log;
  readonly #byKey = new Map<string, T>();
  /** Number of lines up to which a failed compaction is not retried. */
  #retryAboveLines = 0;

  private constructor(file: AppendOnlyLog<SourceRecordEntry<T>>, keyOf: KeyOf<T>, log: Log) {
    this.#file = file;
    this.#keyOf = keyOf;
    this.#log = log;
    this.#queue = new WriteQueue((changes) => this.#write(changes.flat()));
  }

  static async open<T>(
    disk: Disk,
    { path, read }: { readonly path: string; readonly read: LogContent<SourceRecordEntry<T>> },
    keyOf: KeyOf<T>,
    log: Log,
  ): Promise<LowdbSourceRecords<T>> {
    const file = await AppendOnlyLog.continue<SourceRecordEntry<T>>(disk, path, read);
    const records = new LowdbSourceRecords(file, keyOf, log);
    applySourceRecords(records.#byKey, read.entries, keyOf);
    if (read.isOutdated) await records.#compact();
    return records;
  }

  async all(): Promise<readonly T[]> {
    return [...this.#byKey.values()];
  }

  async put(records: readonly T[]): Promise<void> {
    if (records.length > 0) await this.#queue.submit(records.map((record) => ({ kept: record })));
  }

  async remove(keys: readonly string[]): Promise<void> {
    const existingKeys = keys.filter((key) => this.#byKey.has(key));
    if (existingKeys.length > 0) await this.#queue.submit([{ dropped: existingKeys }]);
  }

  async close(): Promise<void> {
    await this.#queue.close();
    await this.#file.close();
  }

  async #write(changes: readonly SourceRecordEntry<T>[]): Promise<void> {
    await this.#file.append(changes);
    applySourceRecords(this.#byKey, changes, this.#keyOf);
    const lines = this.#file.entryCount;
    if (lines > 2 * this.#byKey.size + MAX_OUTDATED_LINES && lines > this.#retryAboveLines) await this.#compact();
  }

  /** Rewrites the log. A failure, such as a full disk, is logged, and retried after further lines: the records are durable. */
  async #compact(): Promise<void> {
    try {
      await this.#file.rewrite(
        0,
        [...this.#byKey.values()].map((record) => ({ kept: record })),
      );
      this.#retryAboveLines = 0;
    } catch (error) {
      this.#log.warn("source records not compacted", { error });
      this.#retryAboveLines = this.#file.entryCount + MAX_OUTDATED_LINES;
    }
  }
}

/** Applies the lines to the records. */
export function applySourceRecords<T>(
  byKey: Map<string, T>,
  entries: readonly SourceRecordEntry<T>[],
  keyOf: KeyOf<T>,
): void {
  for (const entry of entries) {
    if ("kept" in entry) byKey.set(keyOf(entry.kept), entry.kept);
    else for (const key of entry.dropped) byKey.delete(key);
  }
}
