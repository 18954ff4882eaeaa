import { describe, expect, it } from "vitest";
import { aRecord } from "../../test/support/builders.ts";
import { anObservation } from "../../test/support/observations.ts";
import { aRelease } from "../../test/support/releases.ts";
import { MemoryObservations, MemoryReleases } from "../../test/support/source-records.ts";
import { buildCatalog } from "../catalog/catalog.ts";
import type { Release } from "../catalog/release.ts";
import { observationKey, releaseKey } from "../ports/store.ts";
import { backfilledRows } from "./backfill.ts";
import { openRecordCache } from "./record-cache.ts";
import { earlyReportOf, splitOfRow } from "./served-rows.ts";

const FIRST_READ_AT = Date.parse("2026-03-05T17:00:00Z");

async function backfilledAmong(...releases: readonly Release[]): Promise<readonly string[]> {
  const stored = new MemoryReleases();
  await stored.put(releases);
  const cached = await openRecordCache(stored, releaseKey);
  const observations = await openRecordCache(new MemoryObservations(), observationKey);
  const splits = buildCatalog({ releases: cached.all(), observations: [] });
  return [...backfilledRows(splits, { releases: cached, observations })];
}

/** Published on that day, and found then or at the first read of its wire. */
function shown(published: string, parts: Parameters<typeof aRelease>[0] = {}): Release {
  const at = Math.max(FIRST_READ_AT, Date.parse(`${published}T17:01:00Z`));
  return aRelease({ published, foundAt: at, url: `https://wire.example/${published}`, ...parts });
}

it("a split is backfilled if its release is days older than the first read of its wire", async () => {
  expect(await backfilledAmong(shown("2026-03-02"))).toEqual(["NASDAQ:ACME 2026-03-10"]);
});

it("a split is backfilled if its wire is first read days after the SEC's exhibit of another release of that wire", async () => {
  const exhibit = aRelease({
    published: "2026-02-20",
    url: "https://www.sec.gov/Archives/edgar/data/9999901/000999999926000123/qlmr-ex991.htm",
    facts: { kind: "other", splits: [] },
  });
  expect(await backfilledAmong(exhibit, shown("2026-03-02"))).toEqual(["NASDAQ:ACME 2026-03-10"]);
});

it.each<[string, readonly Release[]]>([
  ["was published in the two days before", [shown("2026-03-04")]],
  ["was published later", [shown("2026-03-06")]],
  ["has no time in the feed", [shown("2026-03-02", { publishedAt: null })]],
  [
    "is followed by a later release",
    [shown("2026-03-02"), shown("2026-03-06", { facts: { splits: [{ exDate: "2026-03-12" }] } })],
  ],
  [
    "appears late on a wire that was read before",
    [
      aRelease({ published: "2026-02-20", url: "https://wire.example/first", facts: { kind: "other", splits: [] } }),
      shown("2026-03-02"),
    ],
  ],
  [
    "appears long after the first read of the wire, with an implausible date",
    [
      shown("2026-03-05", { facts: { kind: "other", splits: [] } }),
      shown("2026-02-02", { foundAt: Date.parse("2026-03-09T17:00:00Z") }),
    ],
  ],
  ["was corrected", [shown("2026-03-02", { reads: 2 })]],
  ["was found in time on another wire", [shown("2026-03-02", { foundAt: Date.parse("2026-03-02T17:05:00Z") })]],
])("a split is news if its release %s", async (_, releases) => {
  expect(await backfilledAmong(...releases)).toEqual([]);
});

function upperCase(source: string): string {
  return source.toUpperCase();
}

describe("an early report", () => {
  const url = "https://www.sec.gov/Archives/edgar/data/9999901/000999999926000123/qlmr-8k.htm";
  const early = { url, source: "sec", facts: { kind: "approval_only" as const } };

  it("is a filing's approval, under the name of its source", () => {
    expect(earlyReportOf(aRelease(early), upperCase)).toMatchObject({ url, source: "SEC", published: "2026-03-02" });
  });

  it.each([
    ["another kind", { ...early, facts: { kind: "reverse_split" as const } }],
    ["a wire's release, which is an article", { ...early, source: "businesswire" }],
    ["a configured feed", { ...early, url: "https://feed.example/1" }],
    ["a filing without a text", { ...early, text: "" }],
  ])("is not %s", (_, parts) => {
    expect(earlyReportOf(aRelease(parts), upperCase)).toBeNull();
  });
});

it("finds the split of a row by its ex date, also after the split moved", () => {
  const notice = anObservation({ exDate: "2026-03-10" });
  const moved = anObservation({ exDate: "2026-03-17", observedAt: notice.observedAt + 60_000 });
  const other = anObservation({
    id: "2026-102",
    url: "https://exchange.example/alerts/2026-102",
    exDate: "2026-11-10",
  });
  const splits = buildCatalog({ releases: [], observations: [notice, moved, other] });
  const found = ["2026-03-10", "2026-03-17", "2026-11-10", "2026-07-01"].map(
    (exDate) => splitOfRow(splits, aRecord({ exDate }))?.exDate ?? null,
  );
  expect(found).toEqual(["2026-03-17", "2026-03-17", "2026-11-10", null]);
  expect(splitOfRow(splits, aRecord({ ticker: "OTHR" }))).toBeNull();
});
