import { describe, expect, it } from "vitest";
import { aKnownArticle, aRecord, aSplit, someTerms } from "../../../test/support/builders.ts";
import { indexArticles } from "../article/evidence.ts";
import {
  countWarnings,
  evidenceWithOtherRows,
  QUALITY_WARNINGS,
  qualityWarnings,
  splitsWithWarnings,
} from "./quality.ts";

describe("quality marks", () => {
  it("are empty for a valid record", () => {
    expect(qualityWarnings(aRecord())).toEqual([]);
  });

  it.each([
    ["a ratio of equal numbers", { ratio: "1:1" }, ["ratio-equal"]],
    ["a ratio of equal numbers written differently", { ratio: "2,000-for-2000.0" }, ["ratio-equal"]],
    ["a ratio of equal numbers with a misplaced comma", { ratio: "1,0:10" }, ["ratio-unreadable"]],
    ["a ratio that is not a pair", { ratio: "one for twenty" }, ["ratio-unreadable"]],
    ["a ratio with a zero", { ratio: "0:0" }, ["ratio-unreadable"]],
    ["a range of ratios", { ratio: "1:10-1:20" }, ["ratio-unreadable"]],
    ["a fractional ratio", { ratio: "1:7.7" }, ["ratio-not-whole"]],
    ["a ratio of several new shares", { ratio: "3:10" }, ["ratio-not-whole"]],
    ["an ex date on a Saturday", { exDate: "2026-03-14" }, ["ex-date-closed"]],
    ["an ex date on Good Friday", { exDate: "2026-04-03" }, ["ex-date-closed"]],
    ["an announcement after the ex date", { dateAnnounced: "2026-03-11" }, ["announced-after-ex-date"]],
    ["an exchange outside the US", { exchange: "TSX" }, ["holidays-not-checked"]],
    ["an unknown exchange", { exchange: "XETRA" }, ["exchange-unknown", "holidays-not-checked"]],
    [
      "all problems together, the most severe first",
      { ratio: "?", exDate: "2026-03-15", dateAnnounced: "2026-03-16", exchange: "XETRA" },
      ["ratio-unreadable", "ex-date-closed", "announced-after-ex-date", "exchange-unknown", "holidays-not-checked"],
    ],
  ])("report %s", (_what, parts, marks) => {
    expect(qualityWarnings(aRecord(parts))).toEqual(marks);
  });

  it.each([
    ["an announcement on the ex date itself", { dateAnnounced: "2026-03-10" }],
    ["a missing announcement date", { dateAnnounced: null }],
    ["a ratio in reverse order", { ratio: "20:1" }],
    ["a day with an early close", { exDate: "2026-11-27" }],
  ])("do not report %s", (_what, parts) => {
    expect(qualityWarnings(aRecord(parts))).toEqual([]);
  });
});

const NO_ARTICLES = indexArticles([]);

describe("the list's other rows", () => {
  const record = aRecord();
  it.each([
    ["with a different ratio", { ratio: "1:25" }, 1],
    ["with a different date", { exDate: "2026-03-11" }, 1],
    ["on another exchange that shares symbols", { exchange: "NYSE" }, 1],
    ["with the same terms", { company: "ACME ROBOTICS INC" }, 0],
    ["in another country", { exchange: "TSX" }, 0],
    ["with another symbol", { ticker: "BOLT" }, 0],
  ])("are found by symbol: %s", (_what, parts, others) => {
    const listed = [record, aRecord(parts), aRecord(parts)];
    expect(evidenceWithOtherRows(record, listed, NO_ARTICLES).otherRows ?? []).toHaveLength(others);
  });
});

describe("marks of a list", () => {
  it("are the marks of its splits, counted by kind", () => {
    const terms = [someTerms({ ratio: "1:25" })];
    const splits = [
      aSplit(),
      aSplit({ ticker: "TWIN", ratio: "1:5" }),
      { ...aSplit({ ticker: "TWIN", ratio: "1:6" }), id: aSplit({ ticker: "TWO" }).id },
      aSplit({ ticker: "LATE", exDate: "2026-02-27", dateAnnounced: "2026-02-20" }),
      aSplit({ ticker: "GONE", ratio: "?" }, { status: "missing" }),
      aSplit({ ticker: "TSXV", exchange: "TSX" }),
    ];
    const marked = splitsWithWarnings(splits, indexArticles([aKnownArticle({ terms })]));
    expect(marked.map(({ record, warnings: marks }) => [record.ticker, ...marks])).toEqual([
      ["ACME", "sources-disagree"],
      ["TWIN", "two-rows"],
      ["TWIN", "two-rows"],
      ["LATE", "listed-after-ex-date"],
      ["TSXV", "holidays-not-checked"],
    ]);
    const counts = countWarnings(marked);
    // The note on holidays is not an issue of the split.
    expect(Object.keys(counts)).toEqual(QUALITY_WARNINGS.filter((mark) => mark !== "holidays-not-checked"));
    expect(counts).toMatchObject({ "two-rows": 2, "sources-disagree": 1, "ratio-unreadable": 0 });
  });
});
