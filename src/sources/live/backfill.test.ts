import { describe, expect, it } from "vitest";
import { anObservation } from "../../../test/support/observations.ts";
import { aRelease } from "../../../test/support/releases.ts";
import { memorySourceRecords, openSourceRecords } from "../../../test/support/source-records.ts";
import { buildCatalog } from "../../catalog/catalog.ts";
import type { Observation } from "../../catalog/observation.ts";
import type { Release } from "../../catalog/release.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/day.ts";
import type { SourceReads } from "../../ports/state-records.ts";
import { backfilledReleases, backfilledRows } from "./backfill.ts";

const FIRST_READ_AT = Date.parse("2026-03-05T17:00:00Z");
const READS: SourceReads = {
  source: "globenewswire",
  firstReadAt: FIRST_READ_AT,
  lastReadAt: FIRST_READ_AT + 20 * DAY_MS,
  filledAt: FIRST_READ_AT + HOUR_MS,
};
const ROW = "NASDAQ:ACME 2026-03-10";

interface Stored {
  readonly releases?: readonly Release[];
  readonly observations?: readonly Observation[];
  readonly reads?: readonly SourceReads[];
}

async function backfilledAmong({
  releases = [],
  observations = [],
  reads = [READS],
}: Stored): Promise<readonly string[]> {
  const stored = memorySourceRecords();
  await stored.releases.put(releases);
  await stored.observations.put(observations);
  await stored.sourceReads.put(reads);
  return [...backfilledRows(buildCatalog({ releases, observations }), await openSourceRecords(stored))];
}

/** A release published on the given day, and found then or at the first poll of its wire. */
function shown(published: string, parts: Parameters<typeof aRelease>[0] = {}): Release {
  const at = Math.max(FIRST_READ_AT, Date.parse(`${published}T17:01:00Z`));
  return aRelease({ published, foundAt: at, url: `https://wire.example/${published}`, ...parts });
}

describe("a split is backfilled", () => {
  it.each<[string, Stored]>([
    ["its release is days older than the first poll of its wire", { releases: [shown("2026-03-02")] }],
    [
      "its notice is days older than the first poll of its source",
      {
        observations: [anObservation({ issuedOn: "2026-03-02", observedAt: FIRST_READ_AT })],
        reads: [{ ...READS, source: "nasdaq" }],
      },
    ],
    [
      "its page is readable only days after the first poll, while the source is not read completely",
      {
        observations: [anObservation({ issuedOn: "2026-03-02", observedAt: FIRST_READ_AT + 3 * DAY_MS })],
        reads: [{ ...READS, source: "nasdaq", filledAt: FIRST_READ_AT + 4 * DAY_MS }],
      },
    ],
    [
      "the first fill of its source has not ended",
      {
        releases: [shown("2026-03-02", { foundAt: FIRST_READ_AT + 3 * DAY_MS })],
        reads: [{ ...READS, filledAt: null }],
      },
    ],
    ["the first poll of its source is not recorded yet", { releases: [shown("2026-03-02")], reads: [] }],
    [
      "an exhibit of another release of its wire was found before the wire could be read",
      {
        releases: [
          shown("2026-03-02"),
          aRelease({
            published: "2026-02-20",
            url: "https://www.sec.gov/Archives/edgar/data/9999901/000999999926000123/qlmr-ex991.htm",
            facts: { kind: "other", splits: [] },
          }),
        ],
      },
    ],
  ])("if %s", async (_, stored) => {
    expect(await backfilledAmong(stored)).toEqual([ROW]);
  });
});

describe("a split is news", () => {
  it.each<[string, readonly Release[]]>([
    ["was published in the two days before", [shown("2026-03-04")]],
    ["was published later", [shown("2026-03-06")]],
    ["has no time in the feed", [shown("2026-03-02", { publishedAt: null })]],
    [
      "is followed by a later release",
      [shown("2026-03-02"), shown("2026-03-06", { facts: { splits: [{ exDate: "2026-03-12" }] } })],
    ],
    [
      "appears after the first fill with an implausible date",
      [shown("2026-02-02", { foundAt: Date.parse("2026-03-09T17:00:00Z") })],
    ],
    ["was corrected", [shown("2026-03-02", { reads: 2 })]],
  ])("if its release %s", async (_, releases) => {
    expect(await backfilledAmong({ releases })).toEqual([]);
  });

  it("if its release was found on another wire on the day of its publication", async () => {
    const foundAt = Date.parse("2026-03-02T17:05:00Z");
    const releases = [
      shown("2026-03-02"),
      shown("2026-03-02", { url: "https://other.example/1", source: "prnewswire", foundAt }),
    ];
    const other = { ...READS, source: "prnewswire", firstReadAt: Date.parse("2026-02-01T17:00:00Z") };
    expect(await backfilledAmong({ releases, reads: [READS, { ...other, filledAt: other.firstReadAt }] })).toEqual([]);
  });

  it("if it was published while splitwatch was stopped, and the earlier records are purged", async () => {
    const foundAt = FIRST_READ_AT + 10 * DAY_MS;
    const releases = [shown("2026-03-10", { foundAt }), shown("2026-03-12", { foundAt: foundAt + MINUTE_MS })];
    expect(await backfilledAmong({ releases })).toEqual([]);
  });
});

it("finds the releases that were old when their wire was first read, until they are corrected", async () => {
  const stored = memorySourceRecords();
  const [old, recent, corrected] = [shown("2026-03-01"), shown("2026-03-05"), shown("2026-03-02", { reads: 2 })];
  const late = shown("2026-02-20", { foundAt: FIRST_READ_AT + DAY_MS });
  await stored.releases.put([old, recent, corrected, late]);
  await stored.sourceReads.put([READS]);
  expect(backfilledReleases(await openSourceRecords(stored))).toEqual(new Set([old.url]));
});
