import { describe, expect, it } from "vitest";
import { anObservation } from "../../test/support/observations.ts";
import { aRelease, type FactParts, type SplitParts } from "../../test/support/releases.ts";
import { type ListCoverage, measureCoverage } from "./coverage.ts";
import type { Observation } from "./observation.ts";
import type { Release } from "./release.ts";

type ObservationParts = Parameters<typeof anObservation>[0] & {};

function observationOf(
  source: string,
  symbol: string,
  exDate: string | null,
  parts: ObservationParts = {},
): Observation {
  const id = `${source}-${symbol}`;
  return anObservation({
    source,
    id,
    url: `https://${source}.example/${id}`,
    listings: [symbol],
    company: `${symbol.split(": ").at(-1)} Corp.`,
    exDate,
    issuedOn: "2026-03-06",
    ...parts,
  });
}

/** A halt on the day before the ex date. */
function aHalt(symbol: string, exDate: string): Observation {
  return observationOf("halts", symbol, exDate, {
    id: `${symbol} ${exDate}`,
    kind: "confirmed",
    ratio: null,
    company: null,
  });
}

function releaseOf(
  ticker: string,
  exDate: string,
  split: SplitParts = {},
  parts: FactParts & { published?: string } = {},
): Release {
  const { published = "2026-03-02", ...facts } = parts;
  const url = `https://wire.example/${ticker}`;
  return aRelease({
    url,
    published,
    facts: { announced: published, splits: [{ ticker, company: `${ticker} Corp.`, exDate, ...split }], ...facts },
  });
}

/**
 * Nasdaq: AAA as in its release; BBB with another ratio and date than its release; CCC without a release; DDD cancelled; EEE in
 * April; FFF in a release, but not in the list. NYSE: GGG, and HHH without a release. CSE: none.
 */
const MONTH = {
  releases: [
    releaseOf("AAA", "2026-03-10"),
    releaseOf("BBB", "2026-03-11", { ratio: "1:16" }),
    releaseOf("FFF", "2026-03-12"),
    releaseOf("GGG", "2026-03-13", { exchange: "NYSEAMERICAN" }),
    releaseOf("TTT", "2026-03-13", { exchange: "TSX" }),
  ],
  observations: [
    observationOf("nasdaq", "NASDAQ: AAA", "2026-03-10"),
    observationOf("nasdaq", "NASDAQ: BBB", "2026-03-12", { ratio: "1:15" }),
    observationOf("nasdaq", "NASDAQ: CCC", "2026-03-18", { issuedOn: "2026-03-16" }),
    observationOf("nasdaq", "NASDAQ: DDD", "2026-03-20"),
    observationOf("nasdaq", "NASDAQ: DDD", "2026-03-20", {
      kind: "cancelled",
      observedAt: Date.parse("2026-03-17T14:00:00Z"),
    }),
    observationOf("nasdaq", "NASDAQ: EEE", "2026-04-01"),
    observationOf("nyse", "GGG", "2026-03-13", { ratio: null }),
    observationOf("nyse", "HHH", "2026-03-16", { ratio: null }),
    observationOf("finra", "OTC: OOO", "2026-02-10", { issuedOn: "2026-02-09" }),
  ],
};

type Compared = Extract<ListCoverage, { readonly problem: null }>;

function listOf(source: string, records: Parameters<typeof measureCoverage>[0] = MONTH): Compared {
  const list = measureCoverage(records, "2026-03").lists.find((candidate) => candidate.source === source);
  if (list?.problem !== null) throw new Error(list?.problem ?? `no list ${source}`);
  return list;
}

const tickersOf = (splits: readonly { readonly ticker: string }[]) => splits.map(({ ticker }) => ticker);

describe("measureCoverage", () => {
  it("counts the splits in the latest state of the list, by ex date", () => {
    expect(listOf("nasdaq").splits).toBe(3);
    expect(listOf("nyse").splits).toBe(2);
  });

  it("counts found and missed splits with and without the list", () => {
    const { all, others } = listOf("nasdaq");
    expect([all.found, others.found]).toEqual([3, 2]);
    expect(all.missed).toEqual([]);
    expect(others.missed).toMatchObject([{ ticker: "CCC", exDate: "2026-03-18", lacks: null }]);
  });

  it("names the missing terms of a split without a row", () => {
    expect(listOf("nyse").all).toMatchObject({ found: 1, missed: [{ ticker: "HHH", lacks: ["ratio", "exchange"] }] });
  });

  it("compares ratio, ex date and exchange of found splits", () => {
    const { all, others } = listOf("nasdaq");
    expect(all.agreement).toEqual({
      ratio: { equal: 3, compared: 3 },
      exDate: { equal: 3, compared: 3 },
      exchange: { equal: 3, compared: 3 },
    });
    expect(others.agreement).toEqual({
      ratio: { equal: 1, compared: 2 },
      exDate: { equal: 1, compared: 2 },
      exchange: { equal: 2, compared: 2 },
    });
    expect(others.differences).toMatchObject([
      { split: { ticker: "BBB" }, field: "ratio", listed: "1:15", catalog: "1:16" },
      { split: { ticker: "BBB" }, field: "exDate", listed: "2026-03-12", catalog: "2026-03-11" },
    ]);
  });

  it("compares no ratio with a list without ratios, and accepts any exchange of the list", () => {
    const { ratio, exchange } = listOf("nyse").others.agreement;
    expect({ ratio, exchange }).toEqual({ ratio: { equal: 0, compared: 0 }, exchange: { equal: 1, compared: 1 } });
  });

  it("reports an exchange that differs", () => {
    const releases = [releaseOf("AAA", "2026-03-10", { exchange: "NYSE" })];
    expect(listOf("nasdaq", { ...MONTH, releases }).others.differences).toMatchObject([
      { split: { ticker: "AAA" }, field: "exchange", listed: "NASDAQ", catalog: "NYSE" },
    ]);
  });

  it("reports rows that are missing from the list, with their sources", () => {
    expect(listOf("nasdaq").extra).toMatchObject([
      { ticker: "FFF", exDate: "2026-03-12", sources: ["globenewswire"], url: "https://wire.example/FFF" },
    ]);
    expect(listOf("nyse").extra).toEqual([]);
  });

  it("does not report a row as extra if the list has it in another month", () => {
    const releases = [releaseOf("EEE", "2026-03-31")];
    expect(tickersOf(listOf("nasdaq", { ...MONTH, releases }).extra)).toEqual([]);
  });

  it("reports a row as extra if the list cancelled the split and a release did not", () => {
    const releases = [releaseOf("DDD", "2026-03-20", {}, { published: "2026-03-18" })];
    expect(tickersOf(listOf("nasdaq", { ...MONTH, releases }).extra)).toEqual(["DDD"]);
  });

  it("measures the lead from the first observation to the market opening on the ex date", () => {
    const { all, others } = listOf("nasdaq");
    // AAA and BBB were found on March 2 at 17:01 UTC, CCC on March 16; the market opens at 13:30 UTC.
    expect(others.leadHours?.worstDecile).toBeCloseTo(8 * 24 - 3.5 - 1 / 60);
    expect(others.leadHours?.median).toBeCloseTo(9 * 24 - 3.5 - 1 / 60);
    expect(all.leadHours?.worstDecile).toBeCloseTo(2 * 24 - 3.5 - 1 / 60);
    expect(all.leadHours?.median).toBeCloseTo(8 * 24 - 3.5 - 1 / 60);
  });

  it("counts the splits by the source of their first observation", () => {
    const { all, others } = listOf("nasdaq");
    expect([...all.firstSources]).toEqual([
      ["globenewswire", 2],
      ["nasdaq", 1],
    ]);
    expect([...others.firstSources]).toEqual([["globenewswire", 2]]);
  });

  it("measures the lead of a release from its feed item, not from a later read of its page", () => {
    const [release] = MONTH.releases;
    const reread = { ...release, readAt: Date.parse("2026-03-09T12:00:00Z") } as Release;
    expect(listOf("nasdaq", { ...MONTH, releases: [reread] }).others.leadHours?.median).toBeCloseTo(
      8 * 24 - 3.5 - 1 / 60,
    );
  });

  it("compares no list without observations in the month", () => {
    const { lists } = measureCoverage(MONTH, "2026-03");
    expect(lists.map(({ source, problem }) => [source, problem])).toEqual([
      ["nasdaq", null],
      ["finra", "the newest observation of finra dates from 2026-02-09, before 2026-03"],
      ["nyse", null],
      ["cse", "no observation of cse is stored"],
      ["tsxv", "no observation of tsxv is stored"],
    ]);
  });

  it.each([
    ["2026-01", "the records of nasdaq start on 2026-03-06, after 2026-01"],
    ["2026-05", "the newest observation of nasdaq dates from 2026-03-17, before 2026-05"],
  ])("explains that the records don't cover %s", (month, problem) => {
    const nasdaq = MONTH.observations.filter(({ source }) => source === "nasdaq");
    const { lists, uncompared } = measureCoverage({ releases: [], observations: nasdaq }, month);
    expect(lists[0]).toMatchObject({ source: "nasdaq", problem });
    expect(uncompared.size).toBe(0);
  });

  it.each([
    "Acme Daily Oil Bear 2X Shares",
    "Acme 1.5X Long Gold Daily",
    "Acme UltraShort Silver",
    "Acme Copper ETF",
    "Acme Exchange-Traded Notes",
  ])("counts the fund %s separately from shares", (company) => {
    const fund = observationOf("nasdaq", "NASDAQ: AFND", "2026-03-17", { company });
    const { splits, all, funds } = listOf("nasdaq", { ...MONTH, observations: [...MONTH.observations, fund] });
    expect({ splits, found: all.found }).toEqual({ splits: 3, found: 3 });
    expect(funds).toMatchObject({ splits: 1, all: { found: 1 }, others: { found: 0 }, extra: [] });
  });

  it.each(["Longview Mines Inc.", "Acme Income Trust", "Shortline Funding Corp.", "Ultra Foods Inc."])(
    "does not count %s as a fund",
    (company) => {
      const share = observationOf("nasdaq", "NASDAQ: ASHR", "2026-03-17", { company });
      const { splits, funds } = listOf("nasdaq", { ...MONTH, observations: [...MONTH.observations, share] });
      expect({ splits, funds }).toEqual({ splits: 4, funds: null });
    },
  );

  it("has no halts if no halt of its exchanges is stored for the month", () => {
    const halts = [aHalt("NYSE: GGG", "2026-03-13"), aHalt("NASDAQ: AAA", "2026-04-10")];
    const records = { ...MONTH, observations: [...MONTH.observations, ...halts] };
    expect(listOf("nasdaq", records).halts).toBeNull();
    expect(listOf("nyse", records).halts).toEqual({ confirmed: 1, unlisted: [] });
  });

  it("counts splits with a halt on the day before, and reports halts without a split", () => {
    const halts = [
      aHalt("NASDAQ: AAA", "2026-03-10"),
      aHalt("NASDAQ: BBB", "2026-03-11"),
      aHalt("NASDAQ: NEWS", "2026-03-10"),
    ];
    const { halts: haltCoverage } = listOf("nasdaq", { ...MONTH, observations: [...MONTH.observations, ...halts] });
    expect(haltCoverage).toMatchObject({
      confirmed: 1,
      unlisted: [
        { ticker: "NEWS", exchange: "NASDAQ", exDate: "2026-03-10" },
        { ticker: "BBB", exDate: "2026-03-11" },
      ],
    });
  });

  it("states the first day of the list's records if it is within the month", () => {
    expect(listOf("nasdaq").readSince).toBe("2026-03-06");
    const earlier = observationOf("nasdaq", "NASDAQ: ZZZ", "2026-02-24", { issuedOn: "2026-02-20" });
    const observations = [...MONTH.observations, earlier];
    expect(listOf("nasdaq", { ...MONTH, observations }).readSince).toBeNull();
  });

  it("counts the rows of exchanges without a list", () => {
    expect([...measureCoverage(MONTH, "2026-03").uncompared]).toEqual([["TSX", 1]]);
  });

  it("has no lead for a month in which the list has no split", () => {
    const observations = [observationOf("nasdaq", "NASDAQ: EEE", "2026-04-01")];
    const { splits, all, extra } = listOf("nasdaq", { releases: [], observations });
    expect({ splits, all, extra }).toMatchObject({ splits: 0, all: { found: 0, leadHours: null }, extra: [] });
  });

  it("does not depend on the order of the records", () => {
    const reversed = { releases: MONTH.releases.toReversed(), observations: MONTH.observations.toReversed() };
    expect(measureCoverage(reversed, "2026-03")).toEqual(measureCoverage(MONTH, "2026-03"));
  });
});
