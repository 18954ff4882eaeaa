import type { Release } from "../../../catalog/release.ts";
import type { Releases } from "../../../ports/store.ts";
import type { Disk } from "../files/disk.ts";
import { WriteQueue } from "../files/write-queue.ts";
import { AppendOnlyLog, type LogContent } from "../log/append-only-log.ts";

/** A record of `releases.log`. The last record for an address applies. */
export type SourceRecordEntry = { readonly kept: Release } | { readonly dropped: readonly string[] };

/** Number of outdated records, beyond the number of valid ones, above which the log is rewritten. */
const MAX_OUTDATED_RECORDS = 1_000;

export class LowdbSourceRecords implements Releases {
  readonly #log: AppendOnlyLog<SourceRecordEntry>;
  readonly #queue: WriteQueue<SourceRecordEntry>;
  readonly #byUrl = new Map<string, Release>();
  #lines = 0;

  private constructor(log: AppendOnlyLog<SourceRecordEntry>, entries: readonly SourceRecordEntry[]) {
    this.#log = log;
    this.#apply(entries);
    this.#queue = new WriteQueue((changes) => this.#write(changes));
  }

  static async open(disk: Disk, path: string, read: LogContent<SourceRecordEntry>): Promise<LowdbSourceRecords> {
    const releases = new LowdbSourceRecords(
      await AppendOnlyLog.continue<SourceRecordEntry>(disk, path, read),
      read.entries,
    );
    if (read.isOutdated) await releases.#compact();
    return releases;
  }

  async all(): Promise<readonly Release[]> {
    return [...this.#byUrl.values()];
  }

  async put(release: Release): Promise<void> {
    await this.#queue.submit({ kept: release });
  }

  async remove(urls: readonly string[]): Promise<void> {
    const known = urls.filter((url) => this.#byUrl.has(url));
    if (known.length > 0) await this.#queue.submit({ dropped: known });
  }

  async close(): Promise<void> {
    await this.#queue.close();
    await this.#log.close();
  }

  async #write(changes: readonly SourceRecordEntry[]): Promise<void> {
    await this.#log.append(changes);
    this.#apply(changes);
    if (this.#lines > 2 * this.#byUrl.size + MAX_OUTDATED_RECORDS) await this.#compact();
  }

  /** Rewrites the log. If there is no space for a second file, the first one stays in use. */
  async #compact(): Promise<void> {
    const kept = [...this.#byUrl.values()].map((release) => ({ kept: release }));
    const compacted = await this.#log.rewrite(0, kept).then(
      () => true,
      () => false,
    );
    if (compacted) this.#lines = kept.length;
  }

  #apply(entries: readonly SourceRecordEntry[]): void {
    applySourceRecords(this.#byUrl, entries);
    this.#lines += entries.length;
  }
}

/** Applies the records to the releases. */
export function applySourceRecords(byUrl: Map<string, Release>, entries: readonly SourceRecordEntry[]): void {
  for (const entry of entries) {
    if ("kept" in entry) byUrl.set(entry.kept.url, entry.kept);
    else for (const url of entry.dropped) byUrl.delete(url);
  }
}
