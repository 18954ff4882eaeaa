import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { day } from "../../test/support/builders.ts";
import { cpuMilliseconds } from "../../test/support/cpu-time.ts";
import { aRelease, type FactParts, mention, type Said } from "../../test/support/releases.ts";
import { ratioCode } from "../domain/split/ratio.ts";
import { buildCatalog } from "./catalog.ts";
import { type CatalogSplit, completeSplits, historyOf } from "./catalog-split.ts";
import type { Release } from "./release.ts";

let made = 0;

/** A release of its own address on one split, read, with its own dateline unless `announced` says otherwise. */
function on(
  published: string,
  said: Said = {},
  parts: FactParts & { source?: string; tickers?: string[] } = {},
): Release {
  made += 1;
  const { source = "globenewswire", tickers = [], ...facts } = parts;
  return aRelease({
    url: `https://wire.example/${made}`,
    source,
    published,
    tickers: tickers.map(mention),
    facts: { announced: published, splits: [said], ...facts },
  });
}

/** What the list shows, a line for each row. */
function rows(...releases: readonly Release[]): readonly string[] {
  return buildCatalog(releases)
    .flatMap(completeSplits)
    .map(({ ticker, exchange, ratio, exDate, announced }) =>
      [`${exchange}:${ticker}`, ratioCode(ratio), exDate, announced ?? "unknown"].join(" "),
    );
}

function onlySplit(...releases: readonly Release[]): CatalogSplit {
  const [split, ...others] = buildCatalog(releases);
  if (!split || others.length > 0) throw new Error(`got ${others.length + (split ? 1 : 0)} splits, expected one`);
  return split;
}

function kindsOf({ events }: CatalogSplit): readonly string[] {
  return events.map(({ kind }) => kind);
}

describe("a release that states all terms", () => {
  it("is a row of the list", () => {
    expect(rows(on("2026-03-02"))).toEqual(["NASDAQ:ACME 1:20 2026-03-10 2026-03-02"]);
  });

  it.each([
    ["ticker", { ticker: null }],
    ["exchange", { exchange: null }],
    ["company", { company: null }],
    ["ratio", { ratio: null }],
    ["ex date", { exDate: null }],
  ])("is none while its %s is not stated", (_, said) => {
    expect(rows(on("2026-03-02", said))).toEqual([]);
    expect(buildCatalog([on("2026-03-02", said)])).toHaveLength(1);
  });

  it.each(["approval_only", "ratio_range", "forward_split", "completed_past", "deficiency", "other"] as const)(
    "is none when it is a release of another kind: %s",
    (kind) => {
      expect(buildCatalog([on("2026-03-02", {}, { kind })])).toEqual([]);
    },
  );

  it("counts for a change of the ADS ratio as well", () => {
    expect(rows(on("2026-03-02", {}, { kind: "ads_ratio_change" }))).toHaveLength(1);
  });

  it("is one row for each fund that it speaks of", () => {
    const funds = ["AAAU", "BBBD", "CCCS"].map((ticker) => ({
      ticker,
      company: `${ticker} Daily 2X`,
      exchange: "CBOE",
    }));
    const release = on("2026-03-02", {}, { splits: [...funds, { ...funds[0], ticker: "DDDD", ratio: "1:5" }] });
    expect(rows(release).map((row) => row.slice(0, 14))).toEqual([
      "CBOE:AAAU 1:20",
      "CBOE:BBBD 1:20",
      "CBOE:CCCS 1:20",
      "CBOE:DDDD 1:5 ",
    ]);
  });

  it("has the symbol without the D that it carries over the counter for a while", () => {
    const [first] = rows(on("2026-03-02", { ticker: "ACMED", exchange: "OTC" }), on("2026-03-03", { exchange: "OTC" }));
    expect(first).toBe("OTC:ACME 1:20 2026-03-10 2026-03-02");
    expect(rows(on("2026-03-02", { ticker: "ACMED" }))[0]).toContain("NASDAQ:ACMED");
  });

  it("takes from the wire's own entry what its text leaves out", () => {
    const release = on("2026-03-02", { ticker: null, exchange: null }, { tickers: ["NASDAQ: ACME"] });
    expect(rows(release)).toEqual(["NASDAQ:ACME 1:20 2026-03-10 2026-03-02"]);
    const unclear = on("2026-03-02", { ticker: null }, { tickers: ["NASDAQ: ACME", "NYSE: OTHR"] });
    expect(rows(unclear)).toEqual([]);
  });

  it("is a row for each exchange that lists the share and that it tags", () => {
    const tags = ["NASDAQ: ACMX", "TSX: ACM", "OTC: ACMXF", "NYSE: OTHR"];
    expect(rows(on("2026-03-02", { ticker: "ACMX" }, { tags }))).toEqual([
      "NASDAQ:ACMX 1:20 2026-03-10 2026-03-02",
      "TSX:ACM 1:20 2026-03-10 2026-03-02",
    ]);
  });

  it("moves and calls off the rows of both exchanges, whichever a later release tags", () => {
    const both = on("2026-03-02", { ticker: "ACMX" }, { tags: ["NASDAQ: ACMX", "TSX: ACM"] });
    const moved = on("2026-03-04", { ticker: "ACM", exchange: "TSX", exDate: "2026-03-12" });
    expect(rows(both, moved).map((row) => row.slice(-21))).toEqual(["2026-03-12 2026-03-02", "2026-03-12 2026-03-02"]);
    expect(rows(both, on("2026-03-05", { ticker: "ACMX" }, { kind: "cancelled" }))).toEqual([]);
  });
});

describe("several releases on one split", () => {
  it("are one row, first announced by the earliest dateline", () => {
    const releases = [
      on("2026-03-03", {}, { source: "prnewswire" }),
      on("2026-03-02"),
      on("2026-03-09", { exchange: null, company: null }),
    ];
    expect(rows(...releases)).toEqual(["NASDAQ:ACME 1:20 2026-03-10 2026-03-02"]);
    expect(kindsOf(onlySplit(...releases))).toEqual(["announced"]);
  });

  it("add up to what each leaves out", () => {
    const split = onlySplit(
      on("2026-03-02", { exDate: null, exchange: null }),
      on("2026-03-04", { ratio: null, company: null }),
      on("2026-03-05", { ticker: null, exDate: null, exchange: null }),
    );
    expect(completeSplits(split)).toMatchObject([{ exchange: "NASDAQ", exDate: "2026-03-10" }]);
    expect(kindsOf(split)).toEqual(["announced", "announced"]);
    expect(split.conflicts).toEqual([]);
  });

  it("know the company by its name, however it is written", () => {
    const named = on("2026-03-02", { exDate: null });
    const untagged = on("2026-03-04", { ticker: null, exchange: null, company: "ACME ROBOTICS, INC" });
    expect(rows(named, untagged)).toEqual(["NASDAQ:ACME 1:20 2026-03-10 2026-03-02"]);
  });

  it("correct ratio and date together, days later", () => {
    const split = onlySplit(on("2026-03-02"), on("2026-03-06", { ratio: "1:25", exDate: "2026-03-11" }));
    expect(completeSplits(split)).toMatchObject([
      { ratio: { oldShares: 25 }, exDate: "2026-03-11", announced: "2026-03-02" },
    ]);
    expect(kindsOf(split)).toEqual(["announced", "corrected"]);
    expect(split.conflicts).toEqual([]);
  });

  it.each(["2026-03-31", "2026-03-04", "2026-05-29"])("may move the date to %s", (exDate) => {
    expect(rows(on("2026-03-02"), on("2026-03-03", { exDate }))).toEqual([`NASDAQ:ACME 1:20 ${exDate} 2026-03-02`]);
  });

  it("may name another exchange of the same market: the last one counts", () => {
    const split = onlySplit(on("2026-03-02", { exchange: "OTC" }), on("2026-03-05"));
    expect(completeSplits(split)).toMatchObject([{ exchange: "NASDAQ" }]);
    expect(kindsOf(split)).toEqual(["announced", "corrected"]);
  });

  it("are not one where the symbol means another share elsewhere", () => {
    expect(rows(on("2026-03-02"), on("2026-03-02", { exchange: "TSXV", company: "Acme Mines Ltd." }))).toHaveLength(2);
  });

  it("that disagree on one day are marked, and the later one stands", () => {
    const first = on("2026-03-02", { ratio: "1:20" }, { source: "prnewswire" });
    const later = { ...on("2026-03-02", { ratio: "1:25" }), publishedAt: (first.publishedAt ?? 0) + 1 };
    const split = onlySplit(later, first);
    expect(completeSplits(split)).toMatchObject([{ ratio: { oldShares: 25 } }]);
    expect(split.conflicts).toEqual([{ kind: "same-day", day: "2026-03-02", url: later.url, against: first.url }]);
  });
});

describe("an old release that a wire shows again", () => {
  it.each([
    ["with its old dateline", { announced: "2026-03-02" }],
    ["without a dateline", { announced: null }],
  ])("%s does not undo a correction", (_, parts) => {
    const corrected = on("2026-03-04", { ratio: "1:25", exDate: "2026-03-12" });
    const split = onlySplit(on("2026-03-02"), corrected, on("2026-03-06", {}, parts));
    expect(completeSplits(split)).toMatchObject([{ ratio: { oldShares: 25 }, exDate: "2026-03-12" }]);
  });

  it("is marked where it cannot be told from a change of mind", () => {
    const corrected = on("2026-03-04", { exDate: "2026-03-12" });
    const again = on("2026-03-06", {}, { announced: null });
    expect(onlySplit(on("2026-03-02"), corrected, again).conflicts).toEqual([
      { kind: "outdated", day: "2026-03-06", url: again.url, against: corrected.url },
    ]);
  });

  it("does not bring back what was cancelled, nor what was postponed", () => {
    const again = on("2026-03-06", {}, { announced: null });
    expect(rows(on("2026-03-02"), on("2026-03-05", {}, { kind: "cancelled" }), again)).toEqual([]);
    expect(rows(on("2026-03-02"), on("2026-03-05", { exDate: null }, { kind: "postponed" }), again)).toEqual([]);
  });

  it("is not the announcement when it comes after the ex date", () => {
    expect(rows(on("2026-03-16"))).toEqual(["NASDAQ:ACME 1:20 2026-03-10 unknown"]);
    expect(rows(on("2026-03-02"), on("2026-03-16"))).toEqual(["NASDAQ:ACME 1:20 2026-03-10 2026-03-02"]);
  });

  it("months later is still the split of its date", () => {
    expect(rows(on("2026-03-02"), on("2026-09-01"))).toEqual(["NASDAQ:ACME 1:20 2026-03-10 2026-03-02"]);
  });

  it("takes its place by its dateline, not by the day on which it was shown", () => {
    const repost = on("2026-03-08", {}, { announced: "2026-02-27" });
    expect(rows(repost, on("2026-03-04", { exDate: "2026-03-12" }))).toEqual([
      "NASDAQ:ACME 1:20 2026-03-12 2026-02-27",
    ]);
  });

  it("goes by the day of the wire where the dateline cannot be right", () => {
    expect(rows(on("2026-03-02", {}, { announced: "2025-03-02" }))[0]).toMatch(/2026-03-02$/);
    expect(rows(on("2026-03-02", {}, { announced: "2026-03-20" }))[0]).toMatch(/2026-03-02$/);
  });
});

describe("a second split of the same issuer", () => {
  it.each([
    ["with the same ratio seven months later", "2026-10-05", { exDate: "2026-10-12" }],
    ["with another ratio four weeks after the first", "2026-04-07", { exDate: "2026-04-14", ratio: "1:5" }],
  ])("%s is another one", (_, published, said) => {
    const splits = buildCatalog([on("2026-03-02"), on(published, said)]);
    expect(splits).toHaveLength(2);
    expect(splits.map(kindsOf)).toEqual([["announced"], ["announced"]]);
  });

  it("after a cancelled one is another one", () => {
    const cancelled = on("2026-03-05", {}, { kind: "cancelled" });
    const again = on("2026-03-20", { exDate: "2026-04-01" });
    expect(buildCatalog([on("2026-03-02"), cancelled, again])).toHaveLength(2);
    expect(rows(on("2026-03-02"), cancelled, again)).toEqual(["NASDAQ:ACME 1:20 2026-04-01 2026-03-20"]);
  });

  it("is corrected by what comes last, and leaves the first as it was", () => {
    const releases = [
      on("2026-03-02"),
      on("2026-10-05", { exDate: "2026-10-12" }),
      on("2026-10-07", { exDate: "2026-10-14", ratio: "1:30" }),
    ];
    expect(rows(...releases)).toEqual([
      "NASDAQ:ACME 1:20 2026-03-10 2026-03-02",
      "NASDAQ:ACME 1:30 2026-10-14 2026-10-05",
    ]);
  });
});

describe("a split that is called off", () => {
  it("leaves the list when it is cancelled", () => {
    const split = onlySplit(on("2026-03-02"), on("2026-03-05", { ratio: null, exDate: null }, { kind: "cancelled" }));
    expect(completeSplits(split)).toEqual([]);
    expect(split.status).toBe("cancelled");
    expect(kindsOf(split)).toEqual(["announced", "cancelled"]);
  });

  it("is known by the issuer that the release names first, where the release states nothing else", () => {
    const bare = on("2026-03-05", {}, { kind: "cancelled", splits: [], tags: ["NASDAQ: ACME", "NYSE: OTHR"] });
    expect(rows(on("2026-03-02"), bare)).toEqual([]);
    expect(rows(on("2026-03-02", { ticker: "OTHR", company: "Other Corp." }), bare)).toHaveLength(1);
  });

  it("leaves the list while it is postponed, until a date is given", () => {
    const before = [on("2026-03-02"), on("2026-03-05", { exDate: null, ratio: null }, { kind: "postponed" })];
    expect(rows(...before)).toEqual([]);
    const dated = on("2026-04-20", { exDate: "2026-04-28" });
    expect(rows(...before, dated)).toEqual(["NASDAQ:ACME 1:20 2026-04-28 2026-03-02"]);
    expect(kindsOf(onlySplit(...before, dated))).toEqual(["announced", "postponed", "corrected"]);
  });

  it("moves when it is postponed to a day, though two wires say so", () => {
    const moved = on("2026-03-05", { exDate: "2026-03-17" }, { kind: "postponed" });
    const again = on("2026-03-06", { exDate: "2026-03-17" }, { kind: "postponed", source: "prnewswire" });
    const split = onlySplit(on("2026-03-02"), moved, again);
    expect(completeSplits(split)).toMatchObject([{ exDate: "2026-03-17" }]);
    expect(kindsOf(split)).toEqual(["announced", "postponed"]);
  });

  it("leaves the list when the postponement names the old date alone", () => {
    expect(rows(on("2026-03-02"), on("2026-03-05", {}, { kind: "postponed" }))).toEqual([]);
  });

  it("is listed by a postponement to a day that states all terms, though nobody announced it to us", () => {
    expect(rows(on("2026-03-05", {}, { kind: "postponed" }))).toEqual(["NASDAQ:ACME 1:20 2026-03-10 unknown"]);
  });

  it("leaves an old split alone", () => {
    expect(rows(on("2026-03-02"), on("2026-08-05", { exDate: null }, { kind: "cancelled" }))).toHaveLength(1);
  });
});

describe("a split that was called off and is on again", () => {
  const NOTHING = { ratio: null, exDate: null };
  const off = (kind: "cancelled" | "postponed"): Release => on("2026-03-05", NOTHING, { kind });
  const again = (published: string, said: Said = NOTHING): Release =>
    on(published, said, { says: "The reverse split will proceed as originally announced." });

  it.each(["cancelled", "postponed"] as const)("has its old terms again: %s", (kind) => {
    const split = onlySplit(on("2026-03-02"), off(kind), again("2026-03-06"));
    expect(completeSplits(split)).toMatchObject([{ ticker: "ACME", exDate: "2026-03-10", announced: "2026-03-02" }]);
    expect(kindsOf(split)).toEqual(["announced", kind, "announced"]);
  });

  it("has the new date where the release names one", () => {
    const releases = [on("2026-03-02"), off("cancelled"), again("2026-03-06", { ratio: null, exDate: "2026-03-12" })];
    expect(rows(...releases)).toEqual(["NASDAQ:ACME 1:20 2026-03-12 2026-03-02"]);
  });

  it("is known by the issuer where the release states nothing else", () => {
    const bare = on("2026-03-06", {}, { splits: [], tags: ["NASDAQ: ACME"], says: "It reinstates the reverse split." });
    expect(rows(on("2026-03-02"), off("cancelled"), bare)).toHaveLength(1);
  });

  it("is not listed for a date that has passed", () => {
    expect(rows(on("2026-03-02"), off("postponed"), again("2026-03-12"))).toEqual([]);
  });

  it("stays off where the release is about another company, or says no such thing", () => {
    const other = again("2026-03-06", { ...NOTHING, ticker: "OTHR", company: "Other Corp." });
    expect(rows(on("2026-03-02"), off("cancelled"), other)).toEqual([]);
    expect(rows(on("2026-03-02"), off("cancelled"), on("2026-03-06", NOTHING))).toEqual([]);
  });

  it("is off where it is called off once more", () => {
    const releases = [on("2026-03-02"), off("cancelled"), again("2026-03-06")];
    expect(rows(...releases, on("2026-03-09", NOTHING, { kind: "cancelled" }))).toEqual([]);
  });

  it("is as it was where it never was off", () => {
    expect(kindsOf(onlySplit(on("2026-03-02"), again("2026-03-06")))).toEqual(["announced"]);
  });
});

describe("the history of a split", () => {
  it("tells what was said when and by which release, and when it came into effect", () => {
    const releases = [on("2026-03-02"), on("2026-03-04", { exDate: "2026-03-12" })];
    const told = historyOf(onlySplit(...releases), day("2026-03-12"));
    expect(told.map(({ kind, day: said, terms }) => [kind, said, terms.exDate])).toEqual([
      ["announced", "2026-03-02", "2026-03-10"],
      ["corrected", "2026-03-04", "2026-03-12"],
      ["effective", "2026-03-12", "2026-03-12"],
    ]);
    expect(told.map(({ url }) => url)).toEqual([releases[0]?.url, releases[1]?.url, releases[1]?.url]);
    expect(historyOf(onlySplit(...releases), day("2026-03-11"))).toHaveLength(2);
  });
});

const dayOfSpring = fc
  .integer({ min: 0, max: 40 })
  .map((n) => new Date(Date.UTC(2026, 2, 1 + n)).toISOString().slice(0, 10));
const anyRelease = fc
  .record({
    published: dayOfSpring,
    announced: fc.option(dayOfSpring),
    kind: fc.constantFrom(
      "reverse_split" as const,
      "reverse_split" as const,
      "postponed" as const,
      "cancelled" as const,
    ),
    source: fc.constantFrom("prnewswire", "globenewswire"),
    said: fc.record({
      ticker: fc.constantFrom("ACME", "ACMED", "BOLT", null),
      exchange: fc.constantFrom("NASDAQ", "OTC", "TSXV", null),
      company: fc.constantFrom("Acme Robotics Inc.", "Bolt Ltd.", null),
      ratio: fc.constantFrom("1:20", "1:25", null),
      exDate: fc.option(dayOfSpring),
    }),
  })
  .map(({ said, published, ...parts }) => on(published, said, parts));

describe("the order in which releases arrive", () => {
  it("makes no difference", () => {
    const orders = fc
      .array(anyRelease, { maxLength: 12 })
      .chain((releases) =>
        fc.tuple(fc.constant(releases), fc.shuffledSubarray(releases, { minLength: releases.length })),
      );
    fc.assert(
      fc.property(orders, ([releases, shuffled]) => {
        expect(buildCatalog(shuffled)).toEqual(buildCatalog(releases));
      }),
      { numRuns: 500 },
    );
  });

  it("never lists a split twice", () => {
    fc.assert(
      fc.property(fc.array(anyRelease, { maxLength: 12 }), (releases) => {
        const listed = buildCatalog(releases)
          .flatMap(completeSplits)
          .map(({ ticker, exchange, exDate }) => `${exchange}:${ticker} ${exDate}`);
        expect(new Set(listed).size).toBe(listed.length);
      }),
      { numRuns: 500 },
    );
  });
});

it("reads ten thousand releases in a second", () => {
  const releases = Array.from({ length: 10_000 }, (_, n) =>
    on("2026-03-02", { ticker: `T${n % 3_000}`, company: `C${n % 3_000} Co. Ltd.` }),
  );
  const before = cpuMilliseconds();
  expect(buildCatalog(releases)).toHaveLength(3_000);
  expect(cpuMilliseconds() - before).toBeLessThan(1_000);
});
