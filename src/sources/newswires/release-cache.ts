import type { Release } from "../../catalog/release.ts";
import type { Releases } from "../../ports/store.ts";

/** The releases that we keep: in memory for reading, in the store for good. */
export interface Shelf {
  all(): Iterable<Release>;
  get(url: string): Release | undefined;
  /** Takes effect once it is durable; rejects with a StoreError, and then nothing has changed. */
  put(release: Release): Promise<void>;
  drop(urls: readonly string[]): Promise<void>;
  /** Counts the changes: the same number, the same releases. */
  readonly revision: number;
}

export async function openShelf(releases: Releases): Promise<Shelf> {
  const byUrl = new Map((await releases.all()).map((release) => [release.url, release]));
  let revision = 0;
  return {
    all: () => byUrl.values(),
    get: (url) => byUrl.get(url),
    get revision() {
      return revision;
    },
    async put(release) {
      await releases.put(release);
      byUrl.set(release.url, release);
      revision += 1;
    },
    async drop(urls) {
      await releases.remove(urls);
      for (const url of urls) byUrl.delete(url);
      revision += 1;
    },
  };
}
