import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { day } from "../../test/support/builders.ts";
import { aRelease, type FactParts, mention, type SplitParts } from "../../test/support/releases.ts";
import { growthFactor } from "../../test/support/timing.ts";
import { ratioCode } from "../domain/split/ratio.ts";
import { buildCatalog } from "./catalog.ts";
import { type CatalogSplit, completeSplits, historyOf } from "./catalog-split.ts";
import type { Release } from "./release.ts";

let releaseCount = 0;

/** Returns a release about one split, with a unique address, and with a dateline unless `announced` overrides it. */
function releaseOn(
  published: string,
  terms: SplitParts = {},
  parts: FactParts & { source?: string; tickers?: string[] } = {},
): Release {
  releaseCount += 1;
  const { source = "globenewswire", tickers = [], ...facts } = parts;
  return aRelease({
    url: `https://wire.example/${releaseCount}`,
    source,
    published,
    tickers: tickers.map(mention),
    facts: { announced: published, splits: [terms], ...facts },
  });
}

function catalogOf(releases: readonly Release[]): readonly CatalogSplit[] {
  return buildCatalog({ releases, observations: [] });
}

/** Returns the rows of the catalog as text. */
function rows(...releases: readonly Release[]): readonly string[] {
  return catalogOf(releases)
    .flatMap(completeSplits)
    .map(({ ticker, exchange, ratio, exDate, announced }) =>
      [`${exchange}:${ticker}`, ratioCode(ratio), exDate, announced ?? "unknown"].join(" "),
    );
}

function onlySplit(...releases: readonly Release[]): CatalogSplit {
  const [split, ...extra] = catalogOf(releases);
  if (!split || extra.length > 0) throw new Error(`got ${extra.length + (split ? 1 : 0)} splits, expected one`);
  return split;
}

function kindsOf({ events }: CatalogSplit): readonly string[] {
  return events.map(({ kind }) => kind);
}

describe("a release that states all terms", () => {
  it("has one row", () => {
    expect(rows(releaseOn("2026-03-02"))).toEqual(["NASDAQ:ACME 1:20 2026-03-10 2026-03-02"]);
  });

  it.each([
    ["ticker", { ticker: null }],
    ["exchange", { exchange: null }],
    ["company", { company: null }],
    ["ratio", { ratio: null }],
    ["ex date", { exDate: null }],
  ])("has no row without its %s", (_, terms) => {
    expect(rows(releaseOn("2026-03-02", terms))).toEqual([]);
    expect(catalogOf([releaseOn("2026-03-02", terms)])).toHaveLength(1);
  });

  it.each(["approval_only", "ratio_range", "forward_split", "completed_past", "deficiency", "other"] as const)(
    "has no row if it is of another kind: %s",
    (kind) => {
      expect(catalogOf([releaseOn("2026-03-02", {}, { kind })])).toEqual([]);
    },
  );

  it("may be an ADS ratio change", () => {
    expect(rows(releaseOn("2026-03-02", {}, { kind: "ads_ratio_change" }))).toHaveLength(1);
  });

  it("has one row per fund", () => {
    const funds = ["AAAU", "BBBD", "CCCS"].map((ticker) => ({
      ticker,
      company: `${ticker} Daily 2X`,
      exchange: "CBOE",
    }));
    const release = releaseOn("2026-03-02", {}, { splits: [...funds, { ...funds[0], ticker: "DDDD", ratio: "1:5" }] });
    expect(rows(release).map((row) => row.slice(0, 14))).toEqual([
      "CBOE:AAAU 1:20",
      "CBOE:BBBD 1:20",
      "CBOE:CCCS 1:20",
      "CBOE:DDDD 1:5 ",
    ]);
  });

  it("is listed without the interim suffix D of its symbol", () => {
    const [first] = rows(
      releaseOn("2026-03-02", { ticker: "ACMED", exchange: "OTC" }),
      releaseOn("2026-03-03", { exchange: "OTC" }),
    );
    expect(first).toBe("OTC:ACME 1:20 2026-03-10 2026-03-02");
    expect(rows(releaseOn("2026-03-02", { ticker: "ACMED" }))[0]).toContain("NASDAQ:ACMED");
  });

  it("keeps a symbol that ends in D if nothing else shows that it is an interim one", () => {
    const [first] = rows(
      releaseOn("2026-03-02", { ticker: "ACMED", exchange: "OTC" }),
      releaseOn("2026-03-03", { exchange: "OTC", company: "Other Corp." }),
    );
    expect(first).toBe("OTC:ACMED 1:20 2026-03-10 2026-03-02");
  });

  it("has the listing that the feed states, even if the text names another", () => {
    const release = releaseOn("2026-03-02", { ticker: "OTHR", exchange: "NYSE" }, { tickers: ["NASDAQ: ACME"] });
    expect(rows(release)).toEqual(["NASDAQ:ACME 1:20 2026-03-10 2026-03-02"]);
    expect(onlySplit(release).facts.listing).toMatchObject([{ evidence: "feed: NASDAQ: ACME" }]);
    expect(rows(releaseOn("2026-03-02", { exchange: "NYSE" }, { tickers: ["NYSEAMERICAN: ACME"] }))[0]).toMatch(
      /^NYSEAMERICAN:/,
    );
  });

  it.each([
    ["several others", {}, ["NYSE: OTHR", "TSX: OTH"], "NASDAQ:ACME"],
    ["only the over-the-counter line", { ticker: "ACM", exchange: "TSXV" }, ["OTC: ACMFF"], "TSXV:ACM"],
    ["only the over-the-counter symbol of a Nasdaq share", {}, ["OTC: ACMEF"], "NASDAQ:ACME"],
    ["only the listing in another country", {}, ["TSX: ACM"], "NASDAQ:ACME"],
  ])("keeps the listing in the text if the feed states %s", (_, terms, tickers, expected) => {
    expect(rows(releaseOn("2026-03-02", terms, { tickers }))).toEqual([`${expected} 1:20 2026-03-10 2026-03-02`]);
  });

  it("has the listing in its text, completed by the SEC's list, if it is a filing", () => {
    const url = "https://www.sec.gov/Archives/edgar/data/1/2/ex99-1.htm";
    const filing = (terms: SplitParts): Release => ({
      ...releaseOn("2026-03-02", terms, { tickers: ["NYSE: ACME"] }),
      url,
    });
    expect(rows(filing({ exchange: "NYSEAMERICAN" }))[0]).toMatch(/^NYSEAMERICAN:ACME /);
    expect(rows(filing({ exchange: null }))[0]).toMatch(/^NYSE:ACME /);
    expect(rows(filing({ ticker: null, exchange: null }))[0]).toMatch(/^NYSE:ACME /);
    expect(rows(filing({ ticker: "ACMX", exchange: "NYSE" }))[0]).toMatch(/^NYSE:ACMX /);
  });

  it("is completed by the feed", () => {
    const release = releaseOn("2026-03-02", { ticker: null, exchange: null }, { tickers: ["NASDAQ: ACME"] });
    expect(rows(release)).toEqual(["NASDAQ:ACME 1:20 2026-03-10 2026-03-02"]);
    const unclear = releaseOn("2026-03-02", { ticker: null }, { tickers: ["NASDAQ: ACME", "NYSE: OTHR"] });
    expect(rows(unclear)).toEqual([]);
  });

  it("has one row per tagged exchange", () => {
    const tags = ["NASDAQ: ACMX", "TSX: ACM", "OTC: ACMXF", "NYSE: OTHR"];
    expect(rows(releaseOn("2026-03-02", { ticker: "ACMX" }, { tags }))).toEqual([
      "NASDAQ:ACMX 1:20 2026-03-10 2026-03-02",
      "TSX:ACM 1:20 2026-03-10 2026-03-02",
    ]);
  });

  it("changes and withdraws the rows of both exchanges, regardless of which one a later release tags", () => {
    const dualListed = releaseOn("2026-03-02", { ticker: "ACMX" }, { tags: ["NASDAQ: ACMX", "TSX: ACM"] });
    const moved = releaseOn("2026-03-04", { ticker: "ACM", exchange: "TSX", exDate: "2026-03-12" });
    expect(rows(dualListed, moved).map((row) => row.slice(-21))).toEqual([
      "2026-03-12 2026-03-02",
      "2026-03-12 2026-03-02",
    ]);
    expect(rows(dualListed, releaseOn("2026-03-05", { ticker: "ACMX" }, { kind: "cancelled" }))).toEqual([]);
  });
});

describe("several releases about one split", () => {
  it("result in one row, announced on the earliest dateline", () => {
    const releases = [
      releaseOn("2026-03-03", {}, { source: "prnewswire" }),
      releaseOn("2026-03-02"),
      releaseOn("2026-03-09", { exchange: null, company: null }),
    ];
    expect(rows(...releases)).toEqual(["NASDAQ:ACME 1:20 2026-03-10 2026-03-02"]);
    expect(kindsOf(onlySplit(...releases))).toEqual(["announced"]);
  });

  it("complement each other", () => {
    const split = onlySplit(
      releaseOn("2026-03-02", { exDate: null, exchange: null }),
      releaseOn("2026-03-04", { ratio: null, company: null }, { subject: "Acme Robotics" }),
      releaseOn("2026-03-05", { ticker: null, exDate: null, exchange: null }),
    );
    expect(completeSplits(split)).toMatchObject([{ exchange: "NASDAQ", exDate: "2026-03-10" }]);
    expect(kindsOf(split)).toEqual(["announced", "announced"]);
    expect(split.conflicts).toEqual([]);
  });

  it("match by company name in any spelling", () => {
    const named = releaseOn("2026-03-02", { exDate: null });
    const untagged = releaseOn("2026-03-04", { ticker: null, exchange: null, company: "ACME ROBOTICS, INC" });
    expect(rows(named, untagged)).toEqual(["NASDAQ:ACME 1:20 2026-03-10 2026-03-02"]);
  });

  it("can correct ratio and date days later", () => {
    const split = onlySplit(releaseOn("2026-03-02"), releaseOn("2026-03-06", { ratio: "1:25", exDate: "2026-03-11" }));
    expect(completeSplits(split)).toMatchObject([
      { ratio: { oldShares: 25 }, exDate: "2026-03-11", announced: "2026-03-02" },
    ]);
    expect(kindsOf(split)).toEqual(["announced", "corrected"]);
    expect(split.conflicts).toEqual([]);
  });

  it.each(["2026-03-31", "2026-03-04", "2026-05-29"])("can change the date to %s", (exDate) => {
    expect(rows(releaseOn("2026-03-02"), releaseOn("2026-03-03", { exDate }))).toEqual([
      `NASDAQ:ACME 1:20 ${exDate} 2026-03-02`,
    ]);
  });

  it("can change the exchange within one market", () => {
    const split = onlySplit(releaseOn("2026-03-02", { exchange: "OTC" }), releaseOn("2026-03-05"));
    expect(completeSplits(split)).toMatchObject([{ exchange: "NASDAQ" }]);
    expect(kindsOf(split)).toEqual(["announced", "corrected"]);
  });

  it("result in two rows if the symbol belongs to different shares in different markets", () => {
    expect(
      rows(releaseOn("2026-03-02"), releaseOn("2026-03-02", { exchange: "TSXV", company: "Acme Mines Ltd." })),
    ).toHaveLength(2);
  });

  it("are marked as a conflict if they differ on one day; the later one applies", () => {
    const first = releaseOn("2026-03-02", { ratio: "1:20" }, { source: "prnewswire" });
    const later = { ...releaseOn("2026-03-02", { ratio: "1:25" }), publishedAt: (first.publishedAt ?? 0) + 1 };
    const split = onlySplit(later, first);
    expect(completeSplits(split)).toMatchObject([{ ratio: { oldShares: 25 } }]);
    expect(split.conflicts).toEqual([{ kind: "same-day", day: "2026-03-02", url: later.url, earlierUrl: first.url }]);
  });
});

describe("a republished old release", () => {
  it.each([
    ["with its old dateline", { announced: "2026-03-02" }],
    ["without a dateline", { announced: null }],
  ])("%s does not undo a correction", (_, parts) => {
    const corrected = releaseOn("2026-03-04", { ratio: "1:25", exDate: "2026-03-12" });
    const split = onlySplit(releaseOn("2026-03-02"), corrected, releaseOn("2026-03-06", {}, parts));
    expect(completeSplits(split)).toMatchObject([{ ratio: { oldShares: 25 }, exDate: "2026-03-12" }]);
  });

  it("is marked as a conflict if it may be a correction", () => {
    const corrected = releaseOn("2026-03-04", { exDate: "2026-03-12" });
    const repost = releaseOn("2026-03-06", {}, { announced: null });
    expect(onlySplit(releaseOn("2026-03-02"), corrected, repost).conflicts).toEqual([
      { kind: "outdated", day: "2026-03-06", url: repost.url, earlierUrl: corrected.url },
    ]);
  });

  it("restores neither a cancelled nor a postponed split", () => {
    const repost = releaseOn("2026-03-06", {}, { announced: null });
    expect(rows(releaseOn("2026-03-02"), releaseOn("2026-03-05", {}, { kind: "cancelled" }), repost)).toEqual([]);
    expect(
      rows(releaseOn("2026-03-02"), releaseOn("2026-03-05", { exDate: null }, { kind: "postponed" }), repost),
    ).toEqual([]);
  });

  it("is not the announcement if it follows the ex date", () => {
    expect(rows(releaseOn("2026-03-16"))).toEqual(["NASDAQ:ACME 1:20 2026-03-10 unknown"]);
    expect(rows(releaseOn("2026-03-02"), releaseOn("2026-03-16"))).toEqual(["NASDAQ:ACME 1:20 2026-03-10 2026-03-02"]);
  });

  it("belongs to the split of its date, even months later", () => {
    expect(rows(releaseOn("2026-03-02"), releaseOn("2026-09-01"))).toEqual(["NASDAQ:ACME 1:20 2026-03-10 2026-03-02"]);
  });

  it("is sorted by its dateline, not by its publication", () => {
    const repost = releaseOn("2026-03-08", {}, { announced: "2026-02-27" });
    expect(rows(repost, releaseOn("2026-03-04", { exDate: "2026-03-12" }))).toEqual([
      "NASDAQ:ACME 1:20 2026-03-12 2026-02-27",
    ]);
  });

  it("precedes the other releases of its dateline", () => {
    const repost = releaseOn("2026-03-08", {}, { announced: "2026-03-04" });
    expect(rows(repost, releaseOn("2026-03-04", { exDate: "2026-03-12" }))).toEqual([
      "NASDAQ:ACME 1:20 2026-03-12 2026-03-04",
    ]);
  });

  it("is sorted by its publication if the dateline is implausible", () => {
    expect(rows(releaseOn("2026-03-02", {}, { announced: "2025-03-02" }))[0]).toMatch(/2026-03-02$/);
    expect(rows(releaseOn("2026-03-02", {}, { announced: "2026-03-20" }))[0]).toMatch(/2026-03-02$/);
  });
});

describe("a second split of the same issuer", () => {
  it.each([
    ["with the same ratio seven months later", "2026-10-05", { exDate: "2026-10-12" }],
    ["with another ratio four weeks after the first", "2026-04-07", { exDate: "2026-04-14", ratio: "1:5" }],
  ])("is a separate split %s", (_, published, terms) => {
    const splits = catalogOf([releaseOn("2026-03-02"), releaseOn(published, terms)]);
    expect(splits).toHaveLength(2);
    expect(splits.map(kindsOf)).toEqual([["announced"], ["announced"]]);
  });

  it("is a separate split after a cancellation", () => {
    const cancelled = releaseOn("2026-03-05", {}, { kind: "cancelled" });
    const secondSplit = releaseOn("2026-03-20", { exDate: "2026-04-01" });
    expect(catalogOf([releaseOn("2026-03-02"), cancelled, secondSplit])).toHaveLength(2);
    expect(rows(releaseOn("2026-03-02"), cancelled, secondSplit)).toEqual(["NASDAQ:ACME 1:20 2026-04-01 2026-03-20"]);
  });

  it("is corrected by later releases, which do not change the first split", () => {
    const releases = [
      releaseOn("2026-03-02"),
      releaseOn("2026-10-05", { exDate: "2026-10-12" }),
      releaseOn("2026-10-07", { exDate: "2026-10-14", ratio: "1:30" }),
    ];
    expect(rows(...releases)).toEqual([
      "NASDAQ:ACME 1:20 2026-03-10 2026-03-02",
      "NASDAQ:ACME 1:30 2026-10-14 2026-10-05",
    ]);
  });
});

describe("a withdrawn split", () => {
  it("is not listed after a cancellation", () => {
    const split = onlySplit(
      releaseOn("2026-03-02"),
      releaseOn("2026-03-05", { ratio: null, exDate: null }, { kind: "cancelled" }),
    );
    expect(completeSplits(split)).toEqual([]);
    expect(split.status).toBe("cancelled");
    expect(kindsOf(split)).toEqual(["announced", "cancelled"]);
  });

  it("is matched by the first issuer of a release that states nothing else", () => {
    const withoutTerms = releaseOn(
      "2026-03-05",
      {},
      { kind: "cancelled", splits: [], tags: ["NASDAQ: ACME", "NYSE: OTHR"], subject: "Acme Robotics" },
    );
    expect(rows(releaseOn("2026-03-02"), withoutTerms)).toEqual([]);
    expect(rows(releaseOn("2026-03-02", { ticker: "OTHR", company: "Other Corp." }), withoutTerms)).toHaveLength(1);
  });

  it("is not listed while it is postponed without a date", () => {
    const before = [
      releaseOn("2026-03-02"),
      releaseOn("2026-03-05", { exDate: null, ratio: null }, { kind: "postponed" }),
    ];
    expect(rows(...before)).toEqual([]);
    const withNewDate = releaseOn("2026-04-20", { exDate: "2026-04-28" });
    expect(rows(...before, withNewDate)).toEqual(["NASDAQ:ACME 1:20 2026-04-28 2026-03-02"]);
    expect(kindsOf(onlySplit(...before, withNewDate))).toEqual(["announced", "postponed", "corrected"]);
  });

  it("is moved to a stated day once, even if two wires report it", () => {
    const moved = releaseOn("2026-03-05", { exDate: "2026-03-17" }, { kind: "postponed" });
    const repetition = releaseOn("2026-03-06", { exDate: "2026-03-17" }, { kind: "postponed", source: "prnewswire" });
    const split = onlySplit(releaseOn("2026-03-02"), moved, repetition);
    expect(completeSplits(split)).toMatchObject([{ exDate: "2026-03-17" }]);
    expect(kindsOf(split)).toEqual(["announced", "postponed"]);
  });

  it("is not listed if the postponement states only the old date", () => {
    expect(rows(releaseOn("2026-03-02"), releaseOn("2026-03-05", {}, { kind: "postponed" }))).toEqual([]);
  });

  it("is listed after a postponement that states all terms, even without an announcement", () => {
    expect(rows(releaseOn("2026-03-05", {}, { kind: "postponed" }))).toEqual(["NASDAQ:ACME 1:20 2026-03-10 unknown"]);
  });

  it("does not affect an old split", () => {
    expect(
      rows(releaseOn("2026-03-02"), releaseOn("2026-08-05", { exDate: null }, { kind: "cancelled" })),
    ).toHaveLength(1);
  });
});

describe("a reinstated split", () => {
  const NOTHING = { ratio: null, exDate: null };
  const withdrawal = (kind: "cancelled" | "postponed"): Release => releaseOn("2026-03-05", NOTHING, { kind });
  const reinstatement = (published: string, terms: SplitParts = NOTHING): Release =>
    releaseOn(published, terms, { kindSentence: "The reverse split will proceed as originally announced." });

  it.each(["cancelled", "postponed"] as const)("has its former terms: %s", (kind) => {
    const split = onlySplit(releaseOn("2026-03-02"), withdrawal(kind), reinstatement("2026-03-06"));
    expect(completeSplits(split)).toMatchObject([{ ticker: "ACME", exDate: "2026-03-10", announced: "2026-03-02" }]);
    expect(kindsOf(split)).toEqual(["announced", kind, "announced"]);
  });

  it("has the new date if the release states one", () => {
    const releases = [
      releaseOn("2026-03-02"),
      withdrawal("cancelled"),
      reinstatement("2026-03-06", { ratio: null, exDate: "2026-03-12" }),
    ];
    expect(rows(...releases)).toEqual(["NASDAQ:ACME 1:20 2026-03-12 2026-03-02"]);
  });

  it("is matched by the issuer of a release that states nothing else", () => {
    const withoutTerms = releaseOn(
      "2026-03-06",
      {},
      {
        splits: [],
        tags: ["NASDAQ: ACME"],
        kindSentence: "It reinstates the reverse split.",
        subject: "Acme Robotics",
      },
    );
    expect(rows(releaseOn("2026-03-02"), withdrawal("cancelled"), withoutTerms)).toHaveLength(1);
  });

  it("is not listed for a past date", () => {
    expect(rows(releaseOn("2026-03-02"), withdrawal("postponed"), reinstatement("2026-03-12"))).toEqual([]);
  });

  it("requires the same company and an explicit statement", () => {
    const other = reinstatement("2026-03-06", { ...NOTHING, ticker: "OTHR", company: "Other Corp." });
    expect(rows(releaseOn("2026-03-02"), withdrawal("cancelled"), other)).toEqual([]);
    expect(rows(releaseOn("2026-03-02"), withdrawal("cancelled"), releaseOn("2026-03-06", NOTHING))).toEqual([]);
  });

  it("can be withdrawn again", () => {
    const releases = [releaseOn("2026-03-02"), withdrawal("cancelled"), reinstatement("2026-03-06")];
    expect(rows(...releases, releaseOn("2026-03-09", NOTHING, { kind: "cancelled" }))).toEqual([]);
  });

  it("is unchanged if it was never withdrawn", () => {
    expect(kindsOf(onlySplit(releaseOn("2026-03-02"), reinstatement("2026-03-06")))).toEqual(["announced"]);
  });
});

describe("the history of a split", () => {
  it("lists the events with their releases, and the effective date", () => {
    const releases = [releaseOn("2026-03-02"), releaseOn("2026-03-04", { exDate: "2026-03-12" })];
    const history = historyOf(onlySplit(...releases), day("2026-03-12"));
    expect(history.map(({ kind, day: date, terms }) => [kind, date, terms.exDate])).toEqual([
      ["announced", "2026-03-02", "2026-03-10"],
      ["corrected", "2026-03-04", "2026-03-12"],
      ["effective", "2026-03-12", "2026-03-12"],
    ]);
    expect(history.map(({ url }) => url)).toEqual([releases[0]?.url, releases[1]?.url, releases[1]?.url]);
    expect(historyOf(onlySplit(...releases), day("2026-03-11"))).toHaveLength(2);
  });
});

const anyDay = fc
  .integer({ min: 0, max: 40 })
  .map((n) => new Date(Date.UTC(2026, 2, 1 + n)).toISOString().slice(0, 10));
const anyRelease = fc
  .record({
    published: anyDay,
    announced: fc.option(anyDay),
    kind: fc.constantFrom(
      "reverse_split" as const,
      "reverse_split" as const,
      "postponed" as const,
      "cancelled" as const,
    ),
    source: fc.constantFrom("prnewswire", "globenewswire"),
    terms: fc.record({
      ticker: fc.constantFrom("ACME", "ACMED", "BOLT", null),
      exchange: fc.constantFrom("NASDAQ", "OTC", "TSXV", null),
      company: fc.constantFrom("Acme Robotics Inc.", "Bolt Ltd.", null),
      ratio: fc.constantFrom("1:20", "1:25", null),
      exDate: fc.option(anyDay),
    }),
  })
  .map(({ terms, published, ...parts }) => releaseOn(published, terms, parts));

describe("the order of arrival", () => {
  it("has no effect", () => {
    const orders = fc
      .array(anyRelease, { maxLength: 12 })
      .chain((releases) =>
        fc.tuple(fc.constant(releases), fc.shuffledSubarray(releases, { minLength: releases.length })),
      );
    fc.assert(
      fc.property(orders, ([releases, shuffled]) => {
        expect(catalogOf(shuffled)).toEqual(catalogOf(releases));
      }),
      { numRuns: 500 },
    );
  });

  it("never results in two rows for one split", () => {
    fc.assert(
      fc.property(fc.array(anyRelease, { maxLength: 12 }), (releases) => {
        const listedRows = catalogOf(releases)
          .flatMap(completeSplits)
          .map(({ ticker, exchange, exDate }) => `${exchange}:${ticker} ${exDate}`);
        expect(new Set(listedRows).size).toBe(listedRows.length);
      }),
      { numRuns: 500 },
    );
  });
});

it("builds a catalog in time linear to its releases", async () => {
  expect(await growthFactor(buildReleases, 2_000)).toBeLessThan(8);
});

/** Builds a catalog of `size` releases on a quarter as many splits. */
function buildReleases(size: number): void {
  const companies = size / 4;
  const releases = Array.from({ length: size }, (_, n) =>
    releaseOn("2026-03-02", { ticker: `T${n % companies}`, company: `C${n % companies} Co. Ltd.` }),
  );
  expect(catalogOf(releases)).toHaveLength(companies);
}
