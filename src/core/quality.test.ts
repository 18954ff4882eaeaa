import { describe, expect, it } from "vitest";
import { aRecord } from "../../test/support/builders.ts";
import { qualityMarks } from "./quality.ts";

describe("the marks of a split", () => {
  it("are none for a record that is in order", () => {
    expect(qualityMarks(aRecord())).toEqual([]);
  });

  it.each([
    ["a ratio of equal sides", { ratio: "1:1" }, ["ratio-equal"]],
    ["a ratio of equal sides written differently", { ratio: "2,000-for-2000.0" }, ["ratio-equal"]],
    ["a ratio of equal sides with a comma out of place", { ratio: "1,0:10" }, ["ratio-unreadable"]],
    ["a ratio that is no pair", { ratio: "one for twenty" }, ["ratio-unreadable"]],
    ["a ratio with a zero", { ratio: "0:0" }, ["ratio-unreadable"]],
    ["a range of ratios", { ratio: "1:10-1:20" }, ["ratio-unreadable"]],
    ["an ex date on a Saturday", { exDate: "2026-03-14" }, ["ex-date-closed"]],
    ["an ex date on Good Friday", { exDate: "2026-04-03" }, ["ex-date-closed"]],
    ["an announcement after the ex date", { dateAnnounced: "2026-03-11" }, ["announced-after-ex-date"]],
    ["an exchange outside the US", { exchange: "TSX" }, ["holidays-not-checked"]],
    ["an exchange that nobody knows", { exchange: "XETRA" }, ["exchange-unknown", "holidays-not-checked"]],
    [
      "everything at once, the gravest first",
      { ratio: "?", exDate: "2026-03-15", dateAnnounced: "2026-03-16", exchange: "XETRA" },
      ["ratio-unreadable", "ex-date-closed", "announced-after-ex-date", "exchange-unknown", "holidays-not-checked"],
    ],
  ])("tell of %s", (_what, parts, marks) => {
    expect(qualityMarks(aRecord(parts))).toEqual(marks);
  });

  it.each([
    ["an announcement on the ex date itself", { dateAnnounced: "2026-03-10" }],
    ["an announcement that is not stated", { dateAnnounced: null }],
    ["a ratio the other way round", { ratio: "20:1" }],
    ["a ratio that is no whole number", { ratio: "1:7.7" }],
    ["a day on which the exchange closes early", { exDate: "2026-11-27" }],
  ])("do not fault %s", (_what, parts) => {
    expect(qualityMarks(aRecord(parts))).toEqual([]);
  });
});
