import { describe, expect, it } from "vitest";
import { normalizeNumbers, parseAmount, ratioOfAmounts } from "./number-words.ts";

describe("normalizeNumbers", () => {
  it.each([
    ["one", "1"],
    ["twenty four", "24"],
    ["twenty-four", "24"],
    ["twentyfour", "24"],
    ["Seventeen", "17"],
    ["seventy", "70"],
    ["a hundred", "a 100"],
    ["one hundred fifty", "150"],
    ["one-hundred-and-fifty", "150"],
    ["two hundred forty-nine", "249"],
    ["three hundred and thirty five", "335"],
    ["one thousand five hundred", "1500"],
    ["twenty-five hundred", "2500"],
    ["six hundred thousand", "600000"],
    ["sixty (60)", "60"],
    ["two hundred forty-nine (249)", "249"],
    ["fifteen thousand (15,000)", "15000"],
    ["40 (forty)", "40"],
    ["15,000", "15000"],
    ["11.74", "11.74"],
    ["six and one-quarter", "6 1/4"],
    ["six and one-quarter (6.25)", "6 1/4"],
    ["seven and a half", "7 1/2"],
    ["sixteen and two-thirds", "16 2/3"],
    ["7½", "7 1/2"],
    ["one-half", "1/2"],
    ["one-for-one hundred fifty", "1-for-150"],
    ["one-for-twenty four (1-for-24)", "1-for-24 (1-for-24)"],
    ["forevery six (6) shares", "forevery 6 shares"],
    ["onefor tenshares", "1for 10shares"],
  ])("writes digits: %s", (words, digits) => {
    expect(normalizeNumbers(words)).toBe(digits);
  });

  it.each(["often", "stone and bone", "everyone", "tenure", "weighty", "fortune"])(
    "ignores other words: %s",
    (text) => {
      expect(normalizeNumbers(text)).toBe(text);
    },
  );

  it("does not merge words and digits in brackets if they differ", () => {
    expect(normalizeNumbers("forty (50)")).toBe("40 (50)");
  });
});

describe("parseAmount", () => {
  it.each([
    ["20", { numerator: 20, denominator: 1 }],
    ["7.7", { numerator: 77, denominator: 10 }],
    ["16 2/3", { numerator: 50, denominator: 3 }],
    ["1/2", { numerator: 1, denominator: 2 }],
  ])("returns an exact fraction: %s", (text, amount) => {
    expect(parseAmount(text)).toEqual(amount);
  });

  it.each(["", "x", "1/0", "1.2.3", "99999999999999999999", "1-for-2"])("rejects %s", (text) => {
    expect(parseAmount(text)).toBeUndefined();
  });

  it("returns a ratio in lowest integers", () => {
    expect(ratioOfAmounts({ numerator: 1, denominator: 1 }, { numerator: 25, denominator: 4 })).toEqual({
      newShares: 4,
      oldShares: 25,
    });
    expect(ratioOfAmounts({ numerator: 3, denominator: 2 }, { numerator: 1, denominator: 1 })).toEqual({
      newShares: 2,
      oldShares: 3,
    });
    expect(ratioOfAmounts({ numerator: 1, denominator: 2 }, { numerator: 2, denominator: 4 })).toBeUndefined();
  });
});
