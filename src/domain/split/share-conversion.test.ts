import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TREATMENTS } from "../article/article.ts";
import { parseRatio, type Ratio } from "./ratio.ts";
import { type Conversion, convert, isHalf, isZero, parseShares, type Shares, settle } from "./share-conversion.ts";

function shares(text: string): Shares {
  const read = parseShares(text);
  if (!read) throw new Error(`the test's own "${text}" is not a number of shares`);
  return read;
}

function ratio(text: string): Ratio {
  const read = parseRatio(text);
  if (!read) throw new Error(`the test's own "${text}" is not a ratio`);
  return read;
}

function written({ numerator, denominator }: Shares): string {
  return `${numerator}/${denominator}`;
}

describe("parseShares", () => {
  it.each([
    ["150", "150/1"],
    ["0150", "150/1"],
    ["12.5", "25/2"],
    ["12.50", "25/2"],
    [".5", "1/2"],
    ["1,234.5678", "6172839/5000"],
    ["12,345,678", "12345678/1"],
    ["999999999999999", "999999999999999/1"],
    ["0.00000000000001", "1/100000000000000"],
  ])("parses %s exactly", (text, expected) => {
    expect(written(shares(text))).toBe(expected);
  });

  it.each([
    "",
    ".",
    "0",
    "0.00",
    "-5",
    "+5",
    "5.",
    "1e3",
    "1k",
    "1,23",
    "12,34,567",
    "1,2345",
    ",150",
    "1.2.3",
    "0x10",
    " 150",
    "1 234",
    "1234567890123456",
    "0.000000000000001",
    "NaN",
    "٣",
  ])("rejects %s", (text) => {
    expect(parseShares(text)).toBeUndefined();
  });
});

describe("convert", () => {
  it.each([
    ["150", "1:20", 7n, ["1/2", "10/1"]],
    ["140", "1-for-20", 7n, ["0/1", "0/1"]],
    ["10", "25:1", 0n, ["2/5", "10/1"]],
    ["37", "1:20", 1n, ["17/20", "17/1"]],
    ["150", "1-for-7.7", 19n, ["37/77", "37/10"]],
    ["12.5", "1:10", 1n, ["1/4", "5/2"]],
    ["10", "3-for-7", 4n, ["2/7", "2/3"]],
    ["1", "1:2,400", 0n, ["1/2400", "1/1"]],
    ["999,999,999,999,999", "1:2", 499_999_999_999_999n, ["1/2", "1/1"]],
  ])("%s at %s is %s whole shares, a fraction and its old shares: %s", (held, by, whole, [fraction, leftOver]) => {
    const conversion = convert(shares(held), ratio(by));
    expect(conversion.whole).toBe(whole);
    expect([written(conversion.fraction), written(conversion.leftOver)]).toEqual([fraction, leftOver]);
  });
});

describe("settle", () => {
  it.each([
    ["150", "1:20", [8n, 8n, 7n, 7n], "1/2"],
    ["149", "1:20", [8n, 7n, 7n, 7n], "9/20"],
    ["151", "1:20", [8n, 8n, 7n, 7n], "11/20"],
    ["140", "1:20", [7n, 7n, 7n, 7n], null],
    ["10", "1:25", [1n, 0n, 0n, 0n], "2/5"],
    ["0.5", "1:2400", [1n, 0n, 0n, 0n], "1/4800"],
  ])("settles %s at %s by each treatment: %s, and cash for %s of a share", (held, by, expected, cash) => {
    const settled = TREATMENTS.map((treatment) => settle(treatment, convert(shares(held), ratio(by))));
    expect(settled.map(({ newShares }) => newShares)).toEqual(expected);
    const cashFor = settled.map((settlement) => settlement.cashFor && written(settlement.cashFor));
    expect(cashFor).toEqual([null, null, null, cash]);
  });
});

const held = fc
  .tuple(fc.integer({ min: 1, max: 999_999_999 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([whole, decimals]) => shares(`${whole}.${decimals}`));
const anyRatio = fc
  .tuple(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 1_000_000 }))
  .filter(([newShares, oldShares]) => newShares < oldShares)
  .map(([newShares, oldShares]) => ratio(`${newShares}:${oldShares}`));

/** A holding and a ratio for which it does not hold; null when there is none. */
function counterexample(holds: (conversion: Conversion, ratio: Ratio) => boolean): unknown {
  return fc.check(fc.property(held, anyRatio, (owned, by) => holds(convert(owned, by), by))).counterexample;
}

/** Whether a weighted sum of shares equals another number of shares. */
function sumIs(sum: Shares, parts: readonly (readonly [times: bigint, part: Shares])[]): boolean {
  let total = NONE;
  for (const [times, { numerator, denominator }] of parts) {
    total = {
      numerator: total.numerator * denominator + times * numerator * total.denominator,
      denominator: total.denominator * denominator,
    };
  }
  return total.numerator * sum.denominator === sum.numerator * total.denominator;
}

const NONE: Shares = { numerator: 0n, denominator: 1n };
const ONE: Shares = { numerator: 1n, denominator: 1n };

describe("any holding at any ratio", () => {
  it("is split into whole shares and a fraction without loss", () => {
    const found = counterexample(
      ({ exact, whole, fraction }) =>
        fraction.numerator < fraction.denominator &&
        sumIs(exact, [
          [whole, ONE],
          [1n, fraction],
        ]),
    );
    expect(found).toBeNull();
  });

  it("is converted by the ratio", () => {
    const found = counterexample(({ held: owned, exact }, { newShares, oldShares }) => {
      return (
        exact.numerator * owned.denominator * BigInt(oldShares) ===
        owned.numerator * exact.denominator * BigInt(newShares)
      );
    });
    expect(found).toBeNull();
  });

  it("equals the old shares of the whole new shares plus the remaining old shares", () => {
    const found = counterexample(({ held: owned, whole, leftOver }, { newShares, oldShares }) =>
      sumIs(owned, [
        [whole, { numerator: BigInt(oldShares), denominator: BigInt(newShares) }],
        [1n, leftOver],
      ]),
    );
    expect(found).toBeNull();
  });

  it("differs by at most one share between roundings, and the nearest is the closer one", () => {
    const found = counterexample((conversion) => {
      const { fraction, whole } = conversion;
      const up = isZero(fraction) ? whole : whole + 1n;
      const nearest = isHalf(fraction) || fraction.numerator * 2n > fraction.denominator ? up : whole;
      return (
        settle("round_down", conversion).newShares === whole &&
        settle("round_up", conversion).newShares === up &&
        settle("round_nearest", conversion).newShares === nearest
      );
    });
    expect(found).toBeNull();
  });

  it("is paid in cash for the fraction", () => {
    const found = counterexample((conversion) => {
      const { newShares, cashFor } = settle("cash_in_lieu", conversion);
      return sumIs(conversion.exact, [
        [newShares, ONE],
        [1n, cashFor ?? NONE],
      ]);
    });
    expect(found).toBeNull();
  });

  it("stays in lowest terms", () => {
    const found = counterexample(({ exact, fraction, leftOver }) =>
      [exact, fraction, leftOver].every(({ numerator, denominator }) => divisorOf(numerator, denominator) === 1n),
    );
    expect(found).toBeNull();
  });
});

function divisorOf(a: bigint, b: bigint): bigint {
  return b === 0n ? a : divisorOf(b, a % b);
}
