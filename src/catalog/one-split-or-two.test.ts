import { describe, expect, it } from "vitest";
import {
  catalogOf,
  differences,
  finra,
  halt,
  history,
  nasdaq,
  notice,
  onlySplit,
  release,
  rows,
  withEvidence,
} from "../../test/support/statements.ts";
import { completeSplits } from "./catalog-split.ts";

describe("one split or two", () => {
  it("is one with a legal date and a trading date", () => {
    expect(rows(release("2026-03-02", { exDate: "2026-03-09" }), nasdaq("2026-03-06"))).toEqual([
      "NASDAQ:ACME 1:20 2026-03-10 2026-03-02",
    ]);
    expect(catalogOf(finra("2026-03-06", { exDate: "2026-03-09" }), nasdaq("2026-03-10"))).toHaveLength(1);
  });

  it("is one with different ratios on one day", () => {
    expect(catalogOf(nasdaq("2026-03-06"), finra("2026-03-09", { ratio: "1:25" }))).toHaveLength(1);
  });

  it.each([
    ["the same ratio more than 20 trading days later", { exDate: "2026-04-09" }, 2],
    ["the same ratio up to 20 trading days later", { exDate: "2026-04-07" }, 1],
    ["another ratio some days after the first", { exDate: "2026-03-31", ratio: "1:5" }, 2],
  ])("is decided by date and ratio: %s", (_, parts, expected) => {
    expect(catalogOf(nasdaq("2026-03-06"), nasdaq("2026-03-30", parts))).toHaveLength(expected);
  });

  it("is two if one source has two notices in force, far apart", () => {
    expect(catalogOf(finra("2026-03-02"), finra("2026-03-02", { exDate: "2026-06-10" }))).toHaveLength(2);
  });

  it("is two if a release follows an effective split with a date far later", () => {
    expect(catalogOf(nasdaq("2026-03-06"), release("2026-03-16", { exDate: "2026-05-11" }))).toHaveLength(2);
  });

  it.each([
    ["two after a cancellation", { kind: "cancelled", exDate: null } as const, 2],
    ["one after a mere revision", { exDate: "2026-03-11" }, 1],
  ])("is %s, for a new notice with another date", (_, revision, expected) => {
    const statements = [nasdaq("2026-03-05", { id: "7" }), nasdaq("2026-03-06", { id: "7", ...revision })];
    expect(catalogOf(...statements, nasdaq("2026-03-13", { exDate: "2026-03-18" }))).toHaveLength(expected);
  });

  it("is one if the notice moves a pending split far ahead", () => {
    expect(rows(release("2026-03-02"), nasdaq("2026-03-05", { exDate: "2026-04-20" }))).toEqual([
      "NASDAQ:ACME 1:20 2026-04-20 2026-03-02",
    ]);
  });

  it.each([
    ["on or about March 10, 2026", "2026-03-13", 1],
    ["on March 10, 2026", "2026-03-13", 2],
    ["on or about March 10, 2026", "2026-03-16", 2],
  ])("is decided by the wording of the date, if the ratios differ: %s, %s", (sentence, exDate, expected) => {
    const said = withEvidence(release("2026-03-02", { ratio: "1:25" }), { exDate: sentence });
    expect(catalogOf(said, nasdaq("2026-03-12", { exDate }))).toHaveLength(expected);
  });

  it("is one with a release that repeats, months later, a date that did not apply", () => {
    const official = [nasdaq("2026-03-06"), finra("2026-03-06", { exDate: "2026-03-17" })];
    expect(catalogOf(...official, release("2026-09-01", { exDate: "2026-03-17" }))).toHaveLength(1);
  });

  it("is two for a Canadian share and its over-the-counter line, each with its own day", () => {
    const statements = [
      release("2026-03-02", { ticker: "ACM", exchange: "CSE" }, { tags: ["CSE: ACM", "OTC: ACMFF"] }),
      finra("2026-03-10", { listings: ["OTC: ACMFF"], exDate: "2026-03-11" }),
    ];
    expect(rows(...statements)).toEqual(["CSE:ACM 1:20 2026-03-10 2026-03-02", "OTC:ACMFF 1:20 2026-03-11 2026-03-10"]);
  });

  it("is twelve for an issuer that splits twelve times", () => {
    const months = Array.from({ length: 12 }, (_, n) => `2025-${String(n + 1).padStart(2, "0")}`);
    const statements = months.flatMap((month) => [
      release(`${month}-03`, { exDate: `${month}-12` }),
      nasdaq(`${month}-10`, { exDate: `${month}-12` }),
      finra(`${month}-11`, { exDate: `${month}-12`, listings: ["NASDAQ: ACME"] }),
    ]);
    expect(rows(...statements)).toEqual(months.map((month) => `NASDAQ:ACME 1:20 ${month}-12 ${month}-03`));
  });

  it.each(["2026-06-10", "2026-06-09"])("is one if a revision moves it to the day of another notice: %s", (exDate) => {
    const statements = [finra("2026-03-02", { id: "7" }), finra("2026-03-03", { exDate: "2026-06-10" })];
    expect(rows(...statements)).toHaveLength(2);
    expect(rows(...statements, finra("2026-03-09", { id: "7", exDate }))).toEqual([
      `OTC:ACME 1:20 ${exDate} 2026-03-02`,
    ]);
  });

  it("is not another one when FINRA's interim symbol ends", () => {
    const confirmed = finra("2026-03-10", { kind: "confirmed" });
    const split = onlySplit(
      finra("2026-03-09"),
      confirmed,
      release("2026-03-12", { ticker: "ACMED", exchange: "OTC" }),
    );
    expect(completeSplits(split)).toMatchObject([{ ticker: "ACME", exDate: "2026-03-10" }]);
    expect(split.confirmations).toHaveLength(1);
  });

  it("is one under the old and the new symbol", () => {
    const renamed = nasdaq("2026-03-06", { listings: ["NASDAQ: ACME", "NASDAQ: ACMX"] });
    const statements = [release("2026-03-02", { ticker: "ACMX" }), renamed, release("2026-03-09", { ticker: "ACME" })];
    expect(rows(...statements)).toEqual(["NASDAQ:ACME 1:20 2026-03-10 2026-03-02"]);
  });
});

describe("a share with two listings", () => {
  const both = release("2026-03-09", { ticker: "ACMX" }, { tags: ["NASDAQ: ACMX", "CSE: ACM"] });
  const first = nasdaq("2026-03-05", { listings: ["NASDAQ: ACMX"] });
  const second = notice("cse", "2026-03-06", { listings: ["CSE: ACM"] });

  it("is one split with a row for each, even if the exchanges publish before the release", () => {
    expect(onlySplit(first, second, both).listings).toHaveLength(2);
    expect(rows(first, second, both)).toEqual([
      "NASDAQ:ACMX 1:20 2026-03-10 2026-03-05",
      "CSE:ACM 1:20 2026-03-10 2026-03-05",
    ]);
  });

  it("is one split even if the exchanges state different days", () => {
    const later = notice("cse", "2026-03-06", { listings: ["CSE: ACM"], exDate: "2026-03-12" });
    const split = onlySplit(first, later, both);
    expect(completeSplits(split).map(({ exDate }) => exDate)).toEqual(["2026-03-10", "2026-03-10"]);
    expect(differences(split)).toEqual(["exDate: nasdaq 2026-03-10, cse 2026-03-12"]);
  });

  it("is two splits while nothing connects them", () => {
    expect(catalogOf(first, second)).toHaveLength(2);
  });
});

describe("a confirmation", () => {
  it("is kept on the split of its day", () => {
    const split = onlySplit(nasdaq("2026-03-06"), halt({ id: "ACME|19:50" }));
    expect(split.confirmations).toMatchObject([{ source: "halts", id: "ACME|19:50" }]);
    expect(history(split)).toEqual(["announced by nasdaq, 2026-03-10"]);
  });

  it.each([
    ["another day", { exDate: "2026-03-11" }],
    ["no day", { exDate: null }],
    ["another symbol", { listings: ["NASDAQ: OTHR"] }],
    ["another market", { listings: ["TSXV: ACME"] }],
  ])("of %s has no effect", (_, parts) => {
    const split = onlySplit(nasdaq("2026-03-06"));
    expect(onlySplit(nasdaq("2026-03-06", { id: split.observations[0]?.id ?? "" }), halt(parts))).toEqual(split);
  });

  it("without a day does not confirm a postponed split", () => {
    const undated = nasdaq("2026-03-06", { kind: "postponed", exDate: null });
    expect(onlySplit(undated, halt({ exDate: null })).confirmations).toEqual([]);
  });

  it("is taken back by its last revision, which states no day", () => {
    const confirmed = halt({ id: "ACME" });
    const retracted = halt({ id: "ACME", exDate: null, observedAt: Date.parse("2026-03-11T12:00:00Z") });
    expect(onlySplit(nasdaq("2026-03-06"), confirmed).confirmations).toHaveLength(1);
    expect(onlySplit(nasdaq("2026-03-06"), retracted, confirmed).confirmations).toEqual([]);
  });

  it("never makes a split", () => {
    expect(catalogOf(halt())).toEqual([]);
  });
});
