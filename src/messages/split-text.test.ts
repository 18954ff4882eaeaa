import { describe, expect, it } from "vitest";
import { parseRatio } from "../domain/split/ratio.ts";
import { repeatSplitBadges, repeatSplitLines } from "./split-text.ts";

describe("the text on an issuer's repeated splits", () => {
  it.each([
    [2, "1:400", false, "Second reverse split in 24 months: 1-for-400 in total."],
    [3, "1:2400", false, "Third reverse split in 24 months: 1-for-2,400 in total."],
    [3, "1:1000000", true, "Third reverse split in 24 months: at least 1-for-1,000,000 in total."],
    [4, "1:7.7", false, "Fourth reverse split in 24 months: 1-for-7.7 in total."],
    [2, "7:12000", false, "Second reverse split in 24 months: 7-for-12,000 in total."],
    [12, "1:2", true, "12th reverse split in 24 months: at least 1-for-2 in total."],
    [21, "1:2", false, "21st reverse split in 24 months: 1-for-2 in total."],
    [5, null, true, "Fifth reverse split in 24 months."],
  ])("has the count %i and the total %s", (count, total, atLeast, words) => {
    const serial = { count, atLeast, total: total === null ? null : (parseRatio(total) ?? null) };
    expect(repeatSplitLines(serial)).toEqual([words]);
    expect(repeatSplitBadges(serial)).toEqual([`${count} SPLITS IN 24 MONTHS`]);
  });

  it("is empty for a first split", () => {
    expect([...repeatSplitLines(null), ...repeatSplitBadges(null)]).toEqual([]);
  });
});
