import type { Release } from "../../src/catalog/release.ts";
import { type Releases, StoreError } from "../../src/ports/store.ts";

/** In-memory releases of a store. With `full`, writes fail. */
export class MemoryReleases implements Releases {
  readonly stored = new Map<string, Release>();
  isFull = false;
  /** Every write, in order. */
  readonly written: Release[] = [];

  async all(): Promise<readonly Release[]> {
    return [...this.stored.values()];
  }

  async put(release: Release): Promise<void> {
    this.#write();
    this.written.push(release);
    this.stored.set(release.url, release);
  }

  async remove(urls: readonly string[]): Promise<void> {
    this.#write();
    for (const url of urls) this.stored.delete(url);
  }

  #write(): void {
    if (this.isFull) throw new StoreError("no space left");
  }
}
