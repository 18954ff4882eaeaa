import type { Release } from "../../src/catalog/release.ts";
import { type Releases, StoreError } from "../../src/ports/store.ts";

/** The releases part of a store, as far as a test of their readers needs one; `full` refuses writes. */
export class MemoryReleases implements Releases {
  readonly kept = new Map<string, Release>();
  full = false;
  /** Every release in the states in which it was written. */
  readonly written: Release[] = [];

  async all(): Promise<readonly Release[]> {
    return [...this.kept.values()];
  }

  async put(release: Release): Promise<void> {
    this.#write();
    this.written.push(release);
    this.kept.set(release.url, release);
  }

  async remove(urls: readonly string[]): Promise<void> {
    this.#write();
    for (const url of urls) this.kept.delete(url);
  }

  #write(): void {
    if (this.full) throw new StoreError("no space left");
  }
}
