import { beforeEach, describe, expect, it } from "vitest";
import { aRelease } from "../../test/support/releases.ts";
import { MemoryReleases } from "../../test/support/source-records.ts";
import type { Release } from "../catalog/release.ts";
import { releaseKey, StoreError } from "../ports/store.ts";
import { openRecordCache, type RecordCache } from "./record-cache.ts";

const [A, B] = ["https://wire.example/a", "https://wire.example/b"];

let stored: MemoryReleases;
let cache: RecordCache<Release>;
let changes: number;

beforeEach(async () => {
  stored = new MemoryReleases();
  await stored.put([aRelease({ url: A, tries: 0 })]);
  cache = await openRecordCache(stored, releaseKey);
  changes = 0;
  cache.onChange(() => {
    changes += 1;
  });
});

/** Adds one to the tries of the release. */
function countTry(url: string): Promise<unknown> {
  return cache.update(() => {
    const release = cache.get(url);
    return release === undefined ? [] : [{ ...release, tries: release.tries + 1 }];
  });
}

describe("a record cache", () => {
  it("stores the records of one call in one write, as one change", async () => {
    stored.writes = 0;
    await cache.put([aRelease({ url: A, tries: 5 }), aRelease({ url: B })]);
    expect([stored.writes, changes, cache.revision]).toEqual([1, 1, 1]);
    expect([...cache.all()].map(({ url, tries }) => [url, tries])).toEqual([
      [A, 5],
      [B, 0],
    ]);
    expect([...stored.stored.values()]).toEqual([...cache.all()]);
  });

  it("applies all updates of simultaneous callers", async () => {
    const gate = Promise.withResolvers<void>();
    stored.blockedBy = gate.promise;
    const updates = [countTry(A), countTry(A), cache.put([aRelease({ url: B, tries: 7 })]), countTry(B), countTry(A)];
    gate.resolve();
    await Promise.all(updates);
    expect([cache.get(A)?.tries, cache.get(B)?.tries]).toEqual([3, 8]);
    expect([...stored.stored.values()]).toEqual([...cache.all()]);
  });

  it("removes only the records that are obsolete after the earlier writes", async () => {
    const gate = Promise.withResolvers<void>();
    stored.blockedBy = gate.promise;
    const update = countTry(A);
    const removal = cache.removeWhere(({ tries }) => tries === 0);
    gate.resolve();
    await Promise.all([update, removal]);
    expect(cache.get(A)?.tries).toBe(1);
    await cache.removeWhere(({ tries }) => tries === 1);
    expect([[...cache.all()], stored.stored.size]).toEqual([[], 0]);
  });

  it("changes nothing if the store can't write, and works again after the store recovers", async () => {
    stored.isFull = true;
    await expect(countTry(A)).rejects.toThrow(StoreError);
    await expect(cache.removeWhere(() => true)).rejects.toThrow(StoreError);
    expect([cache.get(A)?.tries, changes]).toEqual([0, 0]);
    stored.isFull = false;
    await countTry(A);
    expect(cache.get(A)?.tries).toBe(1);
  });

  it("neither writes nor reports an empty change", async () => {
    stored.writes = 0;
    await cache.put([]);
    await countTry("https://wire.example/unknown");
    await cache.removeWhere(() => false);
    expect([stored.writes, changes]).toEqual([0, 0]);
  });

  it("applies the changes of other processes, each as one change", async () => {
    stored.changeElsewhere({ put: [aRelease({ url: A, tries: 3 }), aRelease({ url: B })], removed: [] });
    expect([cache.get(A)?.tries, cache.get(B)?.tries, changes, cache.revision]).toEqual([3, 0, 1, 1]);
    stored.changeElsewhere({ put: [], removed: [A, "https://wire.example/unknown"] });
    expect([[...cache.all()].map(({ url }) => url), changes]).toEqual([[B], 2]);
    await countTry(B);
    expect(stored.stored.get(B)?.tries).toBe(1);
  });

  it("contains the changes that other processes make while it is opened", async () => {
    const reading = Promise.withResolvers<void>();
    const all = stored.all.bind(stored);
    stored.all = async () => {
      const records = await all();
      await reading.promise;
      return records;
    };
    const opening = openRecordCache(stored, releaseKey);
    await Promise.resolve();
    stored.changeElsewhere({ put: [aRelease({ url: B })], removed: [A] });
    reading.resolve();
    expect([...(await opening).all()].map(({ url }) => url)).toEqual([B]);
  });
});
