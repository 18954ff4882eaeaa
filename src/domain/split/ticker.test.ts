import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTicker } from "./ticker.ts";

describe("parseTicker", () => {
  it.each([
    ["ACME", "ACME"],
    ["acme", "ACME"],
    [" $acme ", "ACME"],
    ["$ACME", "ACME"],
    ["A", "A"],
    ["BRK.B", "BRK.B"],
    ["brk-b", "BRK-B"],
    ["BRK/B", "BRK/B"],
    ["GODB.P", "GODB.P"],
    ["ACMEDW", "ACMEDW"],
    ["X1", "X1"],
    ["NaN", "NAN"],
    ["null", "NULL"],
  ])("parses %j as %s", (text, ticker) => {
    expect(parseTicker(text)).toBe(ticker);
  });

  it.each([
    "",
    " ",
    "$",
    "$$ACME",
    "TOOLONG",
    "A B",
    "ACME,BETA",
    "123",
    "12.34",
    "BRK.",
    ".B",
    "A..B",
    "ACME!",
    "ÄCME",
  ])("rejects %j", (text) => {
    expect(parseTicker(text)).toBeUndefined();
  });

  it("parses its own result in any case", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), (text) => {
        const ticker = parseTicker(text);
        if (ticker === undefined) return;
        expect(parseTicker(ticker)).toBe(ticker);
        expect(parseTicker(`$${ticker.toLowerCase()}`)).toBe(ticker);
      }),
    );
  });
});
