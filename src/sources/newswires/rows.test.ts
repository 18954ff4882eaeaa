import { expect, it } from "vitest";
import { MemoryReleases } from "../../../test/newswires/memory-releases.ts";
import { aRelease } from "../../../test/support/releases.ts";
import { buildCatalog } from "../../catalog/catalog.ts";
import type { Release } from "../../catalog/release.ts";
import { openReleaseCache } from "./release-state.ts";
import { backfilledRows } from "./rows.ts";

const READ_FIRST = Date.parse("2026-03-05T17:00:00Z");

async function oldNewsOf(...releases: readonly Release[]): Promise<readonly string[]> {
  const kept = new MemoryReleases();
  for (const release of releases) await kept.put(release);
  const shelf = await openReleaseCache(kept);
  return [...backfilledRows(buildCatalog(shelf.all()), shelf)];
}

/** Published on that day, and shown by its wire then or when that was read for the first time. */
function shown(published: string, parts: Parameters<typeof aRelease>[0] = {}): Release {
  const at = Math.max(READ_FIRST, Date.parse(`${published}T17:01:00Z`));
  return aRelease({ published, foundAt: at, url: `https://wire.example/${published}`, ...parts });
}

it("a split is old news when it had been out for days before its wire was first read", async () => {
  expect(await oldNewsOf(shown("2026-03-02"))).toEqual(["NASDAQ:ACME 2026-03-10"]);
});

it.each<[string, readonly Release[]]>([
  ["came out in the two days before", [shown("2026-03-04")]],
  ["came out after that", [shown("2026-03-06")]],
  ["has no time of its own in the feed", [shown("2026-03-02", { publishedAt: null })]],
  [
    "has a later word on it",
    [shown("2026-03-02"), shown("2026-03-06", { facts: { splits: [{ exDate: "2026-03-12" }] } })],
  ],
  [
    "was shown late by a wire that had been read before",
    [
      aRelease({ published: "2026-02-20", url: "https://wire.example/first", facts: { kind: "other", splits: [] } }),
      shown("2026-03-02"),
    ],
  ],
  [
    "was shown long after the wire was first read, under a date that cannot be right",
    [
      shown("2026-03-05", { facts: { kind: "other", splits: [] } }),
      shown("2026-02-02", { foundAt: Date.parse("2026-03-09T17:00:00Z") }),
    ],
  ],
  ["was corrected since", [shown("2026-03-02", { reads: 2 })]],
  [
    "is on another wire, which was read in time",
    [shown("2026-03-02", { foundAt: Date.parse("2026-03-02T17:05:00Z") })],
  ],
])("a split is news where its release %s", async (_, releases) => {
  expect(await oldNewsOf(...releases)).toEqual([]);
});
