import { describe, expect, it } from "vitest";
import { textsIn } from "../../../test/support/svg.ts";
import type { Treatment } from "../../domain/article/article.ts";
import type { Ratio } from "../../domain/split/ratio.ts";
import { convert, parseShares, settle } from "../../domain/split/share-conversion.ts";
import { calcPicture } from "./calc-picture.ts";

function textsOf(held: string, ratio: Ratio, treatment: Treatment | null): readonly string[] {
  const shares = parseShares(held);
  if (shares === undefined) throw new Error(`${held}: expected a number of shares`);
  const conversion = convert(shares, ratio);
  const settlement = treatment === null ? null : settle(treatment, conversion);
  return textsIn(calcPicture({ conversion, ratio, settlement, resultText: "The result" }).svg);
}

const OF_20: Ratio = { newShares: 1, oldShares: 20 };

describe("the picture of a calculation", () => {
  it("shows each group of old shares above its new share, and the fraction above its treatment", () => {
    const groups = Array.from({ length: 5 }, () => ["20", "↓", "1"]).flat();
    expect(textsOf("110", OF_20, "round_up")).toEqual([
      "110 old shares, 20 become 1",
      ...groups,
      "10",
      "↓",
      "1",
      "The result",
    ]);
  });

  it.each<[Treatment | null, string]>([
    ["round_up", "1"],
    ["round_nearest", "1"],
    ["round_down", "0"],
    ["cash_in_lieu", "cash"],
    [null, "?"],
  ])("marks the fraction with %s as %s", (treatment, mark) => {
    expect(textsOf("10", OF_20, treatment)).toEqual(["10 old shares, 20 become 1", "10", "↓", mark, "The result"]);
  });

  it.each([
    ["150", 0.5],
    ["155", 0.75],
  ])("fills the bar of the fraction of %s shares by %d", (held, share) => {
    const conversion = convert(parseShares(held) ?? { numerator: 1n, denominator: 1n }, OF_20);
    const { svg } = calcPicture({ conversion, ratio: OF_20, settlement: null, resultText: "The result" });
    const [whole = 0, filled] = [...svg.matchAll(/<rect width="([\d.]+)" height="8"/g)].map(([, width]) =>
      Number(width),
    );
    expect(filled).toBe(share * whole);
  });

  it("summarizes groups that don't fit", () => {
    expect(textsOf("999999999999999", { newShares: 1, oldShares: 2 }, null).slice(-6)).toEqual([
      "…",
      "+ 500T",
      "1",
      "↓",
      "?",
      "The result",
    ]);
  });

  it("shows no fraction if there is none", () => {
    expect(textsOf("40", OF_20, null)).toEqual([
      "40 old shares, 20 become 1",
      "20",
      "↓",
      "1",
      "20",
      "↓",
      "1",
      "The result",
    ]);
  });

  it("shortens amounts that aren't whole", () => {
    expect(textsOf("5", { newShares: 3, oldShares: 10 }, null).slice(1, -1)).toEqual([
      "≈ 3.33",
      "↓",
      "1",
      "≈ 1.67",
      "↓",
      "?",
    ]);
  });
});
