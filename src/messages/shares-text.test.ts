import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseShares } from "../domain/split/share-conversion.ts";
import { amountText, sharesText, wholeSharesText } from "./shares-text.ts";

describe("amountText", () => {
  it.each([
    [0n, 1n, "0"],
    [150n, 1n, "150"],
    [1n, 2n, "0.5"],
    [6172839n, 5000n, "1,234.5678"],
    [1n, 2500n, "0.0004"],
    [999_999_999_999_999n, 1n, "999,999,999,999,999"],
    [1n, 1_000_000_000_000_000n, "0.000000000000001"],
    [37n, 77n, "37/77 (about 0.4805)"],
    [1500n, 77n, "19 37/77 (about 19.4805)"],
    [2n, 3n, "2/3 (about 0.6667)"],
    [1n, 30_000n, "less than 0.0001"],
    [29_999n, 30_000n, "just under 1"],
    [60_001n, 30_000n, "just over 2"],
    [89_999n, 30_000n, "just under 3"],
    [10_000n, 30_001n, "about 0.3333"],
    [3_000_000_001n, 3n, "1,000,000,000 1/3 (about 1,000,000,000.3333)"],
  ])("formats %s / %s as %s", (numerator, denominator, text) => {
    expect(amountText({ numerator, denominator })).toBe(text);
  });

  it("formats an amount so that it parses to the same amount", () => {
    const amounts = fc.tuple(fc.integer({ min: 0, max: 9_999_999 }), fc.integer({ min: 1, max: 99_999_999 }));
    fc.assert(
      fc.property(amounts, ([whole, decimals]) => {
        const shares = parseShares(`${whole}.${decimals}`);
        expect(shares && parseShares(amountText(shares))).toEqual(shares);
      }),
    );
  });
});

describe("sharesText", () => {
  it.each([
    [1n, 1n, "1 share"],
    [1n, 2n, "0.5 shares"],
    [150n, 1n, "150 shares"],
  ])("formats %s / %s with its noun", (numerator, denominator, text) => {
    expect(sharesText({ numerator, denominator })).toBe(text);
    expect(sharesText({ numerator, denominator }, "old")).toBe(text.replace(" ", " old "));
  });

  it.each([
    [0n, "0 whole new shares"],
    [1n, "1 whole new share"],
    [1_234n, "1,234 whole new shares"],
  ])("formats %s whole shares with their noun", (shares, text) => {
    expect(wholeSharesText(shares)).toBe(text);
  });
});
