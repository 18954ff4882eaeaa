import type { Release } from "../../../catalog/release.ts";
import type { Releases } from "../../../ports/store.ts";
import type { Disk } from "../files/disk.ts";
import { WriteGate } from "../files/write-gate.ts";
import { Journal, type ReadJournal } from "../log/write-ahead-log.ts";

/** A line of `releases.log`. The last one on an address counts. */
export type ReleaseEntry = { readonly kept: Release } | { readonly dropped: readonly string[] };

/** So many lines that no longer count may stand in the file beside as many as do. */
const SPARE_LINES = 1_000;

export class LowdbReleases implements Releases {
  readonly #journal: Journal<ReleaseEntry>;
  readonly #gate: WriteGate<ReleaseEntry>;
  readonly #byUrl = new Map<string, Release>();
  #lines = 0;

  private constructor(journal: Journal<ReleaseEntry>, entries: readonly ReleaseEntry[]) {
    this.#journal = journal;
    this.#take(entries);
    this.#gate = new WriteGate((changes) => this.#write(changes));
  }

  static async open(disk: Disk, path: string, read: ReadJournal<ReleaseEntry>): Promise<LowdbReleases> {
    const releases = new LowdbReleases(await Journal.continue<ReleaseEntry>(disk, path, read), read.entries);
    if (read.isOutdated) await releases.#compact();
    return releases;
  }

  async all(): Promise<readonly Release[]> {
    return [...this.#byUrl.values()];
  }

  async put(release: Release): Promise<void> {
    await this.#gate.submit({ kept: release });
  }

  async remove(urls: readonly string[]): Promise<void> {
    const known = urls.filter((url) => this.#byUrl.has(url));
    if (known.length > 0) await this.#gate.submit({ dropped: known });
  }

  async close(): Promise<void> {
    await this.#gate.close();
    await this.#journal.close();
  }

  async #write(changes: readonly ReleaseEntry[]): Promise<void> {
    await this.#journal.append(changes);
    this.#take(changes);
    if (this.#lines > 2 * this.#byUrl.size + SPARE_LINES) await this.#compact();
  }

  /** What was asked for is durable by now: where there is no room for a second file, the first one goes on. */
  async #compact(): Promise<void> {
    const kept = [...this.#byUrl.values()].map((release) => ({ kept: release }));
    const compacted = await this.#journal.rewrite(0, kept).then(
      () => true,
      () => false,
    );
    if (compacted) this.#lines = kept.length;
  }

  #take(entries: readonly ReleaseEntry[]): void {
    takeReleases(this.#byUrl, entries);
    this.#lines += entries.length;
  }
}

/** What the lines make of the releases that were there before them. */
export function takeReleases(byUrl: Map<string, Release>, entries: readonly ReleaseEntry[]): void {
  for (const entry of entries) {
    if ("kept" in entry) byUrl.set(entry.kept.url, entry.kept);
    else for (const url of entry.dropped) byUrl.delete(url);
  }
}
