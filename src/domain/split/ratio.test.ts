import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growthFactor } from "../../../test/support/timing.ts";
import { isSameRatio, oldPerNew, parseRatio, type Ratio, ratioCode, ratioName } from "./ratio.ts";

const share = fc.integer({ min: 1, max: 1_000_000 });
const unequalPair = fc.tuple(share, share).filter(([a, b]) => a !== b);

function mustRead(text: string): Ratio {
  const read = parseRatio(text);
  if (!read) throw new Error(`"${text}" was not read`);
  return read;
}

function ratio(newShares: number, oldShares: number): Ratio {
  return { newShares, oldShares };
}

describe("parseRatio", () => {
  it.each([
    ["1:20", 1, 20],
    ["20:1", 1, 20],
    [" 1 : 20 ", 1, 20],
    ["1/20", 1, 20],
    ["1-for-20", 1, 20],
    ["20-for-1", 1, 20],
    ["1 for 20", 1, 20],
    ["1 - FOR - 20", 1, 20],
    ["1- for -20", 1, 20],
    ["1 -for- 20", 1, 20],
    ["1for20", 1, 20],
    ["2:40", 1, 20],
    ["3:10", 3, 10],
    ["1:7.7", 10, 77],
    ["7.7:1", 10, 77],
    ["1.0:20.00", 1, 20],
    ["0.5:20", 1, 40],
    ["1:1.14", 50, 57],
    ["1:2,400", 1, 2400],
    ["1,000:31", 31, 1000],
    ["1:1,234,567.5", 2, 2469135],
    ["1:7500", 1, 7500],
    ["1:9007199254740991", 1, 9007199254740991],
  ])("parses %j with the smaller side as the new shares", (text, newShares, oldShares) => {
    expect(parseRatio(text)).toEqual(ratio(newShares, oldShares));
  });

  it("reads a text of many spaces in linear time", async () => {
    const words = ["1", "for", "-"];
    expect(await growthFactor((size) => parseRatio(words.join(" ".repeat(size))), 300)).toBeLessThan(8);
  });

  it.each([
    ["", "nothing"],
    ["1:1", "equal sides"],
    ["5:5.0", "equal sides, written in two ways"],
    ["0:20", "a zero"],
    ["20:0", "a zero on the other side"],
    ["0.00:1", "a zero with decimals"],
    ["-1:20", "a negative side"],
    ["1:-20", "a negative other side"],
    ["1:2,40", "a comma that groups no thousands"],
    ["1,2:5", "a comma for a decimal point"],
    ["1:9007199254740993", "more than can be counted exactly"],
    ["1:99999999999999999999", "far too much"],
    ["1:1e3", "an exponent"],
    ["1:20:3", "three sides"],
    ["1-20", "a range"],
    ["1:20-1:40", "a range of ratios"],
    ["20", "one side"],
    ["1:", "an empty side"],
    ["1.:20", "a point without decimals"],
    ["one-for-twenty", "words"],
    ["1:20 (approx.)", "more than a ratio"],
    ["1 20", "no sign in between"],
    ["NaN:20", "no number"],
    ["١:٢٠", "digits of another script"],
  ])("rejects %j: %s", (text) => {
    expect(parseRatio(text)).toBeUndefined();
  });

  it("parses every code that ratioCode writes", () => {
    fc.assert(
      fc.property(unequalPair, ([a, b]) => {
        const read = mustRead(`${a}:${b}`);
        expect(parseRatio(ratioCode(read))).toEqual(read);
      }),
    );
  });

  it("returns the same ratio for either order, any multiple and any form of decimals", () => {
    fc.assert(
      fc.property(unequalPair, fc.integer({ min: 1, max: 1000 }), ([a, b], factor) => {
        const read = parseRatio(`${a}:${b}`);
        expect(parseRatio(`${b}:${a}`)).toEqual(read);
        expect(parseRatio(`${a * factor}-for-${b * factor}`)).toEqual(read);
        expect(parseRatio(`${a}.0/${b}.000`)).toEqual(read);
        expect(parseRatio(`${a.toLocaleString("en-US")}:${b.toLocaleString("en-US")}`)).toEqual(read);
        expect(parseRatio(`${a / 100}:${b / 100}`)).toEqual(read);
      }),
    );
  });

  it("always returns fewer new than old shares, in lowest integers", () => {
    fc.assert(
      fc.property(fc.string(), unequalPair, (noise, [a, b]) => {
        const read = parseRatio(noise) ?? mustRead(`${a}:${b}`);
        expect(read.newShares).toBeGreaterThan(0);
        expect(read.newShares).toBeLessThan(read.oldShares);
        for (let divisor = 2; divisor <= Math.min(read.newShares, 50); divisor += 1) {
          expect(read.newShares % divisor === 0 && read.oldShares % divisor === 0).toBe(false);
        }
      }),
    );
  });
});

describe("ratioName", () => {
  it.each([
    [ratio(1, 20), "1-for-20"],
    [ratio(10, 77), "1-for-7.7"],
    [ratio(2, 5), "1-for-2.5"],
    [ratio(50, 57), "1-for-1.14"],
    [ratio(3, 10), "3-for-10"],
    [ratio(3, 7), "3-for-7"],
    [ratio(31, 1000), "31-for-1,000"],
    [ratio(1, 7500), "1-for-7,500"],
    [ratio(10, 15_005), "1-for-1,500.5"],
  ])("formats %j as %s", (given, name) => {
    expect(ratioName(given)).toBe(name);
  });

  it("returns text that parses to the same ratio", () => {
    fc.assert(
      fc.property(unequalPair, ([a, b]) => {
        const read = mustRead(`${a}:${b}`);
        expect(parseRatio(ratioName(read))).toEqual(read);
      }),
    );
  });
});

describe("oldPerNew", () => {
  it.each([
    [ratio(1, 20), 20],
    [ratio(10, 77), 7.7],
    [ratio(3, 10), 10 / 3],
  ])("is the number of old shares per new share of %j: %d", (given, old) => {
    expect(oldPerNew(given)).toBeCloseTo(old, 12);
  });
});

describe("isSameRatio", () => {
  it.each([
    [ratio(1, 20), ratio(1, 20), true],
    [ratio(1, 20), ratio(1, 21), false],
    [ratio(2, 21), ratio(1, 21), false],
    [ratio(1, 20), null, false],
    [null, ratio(1, 20), false],
    [null, null, true],
  ])("of %j and %j is %s", (a, b, same) => {
    expect(isSameRatio(a, b)).toBe(same);
  });
});
