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
  readonly #log: AppendOnlyLog<SourceRecordEntry<T>>;
  readonly #queue: WriteQueue<readonly SourceRecordEntry<T>[]>;
  readonly #keyOf: KeyOf<T>;
  readonly #byKey = new Map<string, T>();
  #lines = 0;

  private constructor(
    log: AppendOnlyLog<SourceRecordEntry<T>>,
    entries: readonly SourceRecordEntry<T>[],
    keyOf: KeyOf<T>,
  ) {
    this.#log = log;
    this.#keyOf = keyOf;
    this.#apply(entries);
    this.#queue = new WriteQueue((changes) => this.#write(changes.flat()));
  }

  static async open<T>(
    disk: Disk,
    { path, read }: { readonly path: string; readonly read: LogContent<SourceRecordEntry<T>> },
    keyOf: KeyOf<T>,
  ): Promise<LowdbSourceRecords<T>> {
    const log = await AppendOnlyLog.continue<SourceRecordEntry<T>>(disk, path, read);
    const records = new LowdbSourceRecords(log, read.entries, keyOf);
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
    await this.#log.close();
  }

  async #write(changes: readonly SourceRecordEntry<T>[]): Promise<void> {
    await this.#log.append(changes);
    this.#apply(changes);
    if (this.#lines > 2 * this.#byKey.size + MAX_OUTDATED_LINES) await this.#compact();
  }

  /** Rewrites the log. If there is no space for a second file, the old file stays in use. */
  async #compact(): Promise<void> {
    const entries = [...this.#byKey.values()].map((record) => ({ kept: record }));
    const isRewritten = await this.#log.rewrite(0, entries).then(
      () => true,
      () => false,
    );
    if (isRewritten) this.#lines = entries.length;
  }

  #apply(entries: readonly SourceRecordEntry<T>[]): void {
    applySourceRecords(this.#byKey, entries, this.#keyOf);
    this.#lines += entries.length;
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
