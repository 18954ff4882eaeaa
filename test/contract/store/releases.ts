import { expect, it } from "vitest";
import type { Store } from "../../../src/ports/store.ts";
import { aRelease } from "../../support/releases.ts";
import type { CurrentStore, Restart } from "../store-builders.ts";
import { FAR_FUTURE } from "../store-builders.ts";

async function releaseUrls(store: Store): Promise<readonly string[]> {
  return (await store.releases.all()).map(({ url }) => url).toSorted();
}

export function describeReleases(use: CurrentStore, restart: Restart): void {
  const URLS = ["https://wire.example/1", "https://wire.example/2", "https://wire.example/3"] as const;

  it("are empty initially", async () => {
    expect(await use().releases.all()).toEqual([]);
  });

  it("are kept unchanged with text and facts", async () => {
    const pending = aRelease({ url: URLS[0], text: null, readVersion: null, problem: "no answer", tries: 2 });
    const read = aRelease({ url: URLS[1], text: "Ratio “1‑for‑20”.\n\nSecond paragraph.", publishedAt: null });
    await Promise.all([use().releases.put(pending), use().releases.put(read)]);

    for (const store of [use(), await restart()]) {
      const all = (await store.releases.all()).toSorted((a, b) => (a.url < b.url ? -1 : 1));
      expect(all).toEqual([pending, read]);
    }
  });

  it("replace the release with the same address", async () => {
    await use().releases.put(aRelease({ url: URLS[0], version: "1", text: "first" }));
    await use().releases.put(aRelease({ url: URLS[1] }));
    const corrected = aRelease({ url: URLS[0], version: "2", text: "second" });
    await use().releases.put(corrected);

    for (const store of [use(), await restart()]) {
      expect(await releaseUrls(store)).toEqual([URLS[0], URLS[1]]);
      expect(await store.releases.all()).toContainEqual(corrected);
    }
  });

  it("no longer exist after they are removed, until they are added again", async () => {
    for (const url of URLS) await use().releases.put(aRelease({ url }));
    await use().releases.remove([URLS[0], URLS[2], "https://wire.example/unknown"]);
    await use().releases.remove([]);
    for (const store of [use(), await restart()]) expect(await releaseUrls(store)).toEqual([URLS[1]]);

    await use().releases.put(aRelease({ url: URLS[2] }));
    for (const store of [use(), await restart()]) expect(await releaseUrls(store)).toEqual([URLS[1], URLS[2]]);
  });

  it("are kept when old data is pruned", async () => {
    await use().releases.put(aRelease());
    await use().prune(FAR_FUTURE);
    expect(await releaseUrls(await restart())).toHaveLength(1);
  });

  it("equal the last of many simultaneous writes", async () => {
    const versions = Array.from({ length: 2_500 }, (_, number) => String(number));
    await Promise.all(versions.map((version) => use().releases.put(aRelease({ url: URLS[0], version, text: null }))));
    await use().releases.put(aRelease({ url: URLS[1] }));
    for (const store of [use(), await restart()]) {
      expect(await releaseUrls(store)).toEqual([URLS[0], URLS[1]]);
      expect(await store.releases.all()).toContainEqual(expect.objectContaining({ url: URLS[0], version: "2499" }));
    }
  });
}
