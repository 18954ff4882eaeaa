import { describe, expect, it } from "vitest";
import { ticker } from "../../test/support/builders.ts";
import { isOtherSecurity } from "./share-symbols.ts";

const isOther = (symbol: string, others: readonly string[]): boolean =>
  isOtherSecurity(ticker(symbol), new Set([symbol, ...others].map(ticker)));

describe("the symbols of a company", () => {
  it.each<[string, readonly string[]]>([
    ["QLMRL", ["QLMR"]],
    ["QLMRA", ["QLMR"]],
    ["QLMRF", ["QLMR"]],
    ["HRBA", ["HRB"]],
    ["HG", ["H"]],
    ["HRB.A", ["HRB.B"]],
    ["HRB.B", ["HRB"]],
    ["QLMW", ["QL"]],
    ["QLMRW", []],
    ["QLMR", ["QLMRW", "QLMRU"]],
  ])("include a share class %s beside %j", (symbol, others) => {
    expect(isOther(symbol, others)).toBe(false);
  });

  it.each<[string, readonly string[]]>([
    ["QLMRW", ["QLMR"]],
    ["QLMRU", ["QLMR"]],
    ["QLMRR", ["QLMR"]],
    ["QLMRP", ["QLMR"]],
    ["QLMRO", ["QLMR"]],
    ["QLMRN", ["QLMR", "QLMRL"]],
    ["QLMRZ", ["QLMR"]],
    ["HRBWS", ["HRB"]],
    ["HRBU", ["HRB"]],
    ["HRB.WS", ["HRB"]],
    ["HRB.WT", []],
    ["HRB.U", ["HRB"]],
    ["HRB.UN", ["HRB"]],
    ["HRB.RT", ["HRB"]],
    ["HRB.PA", []],
    ["HRB.P", []],
    ["HRB.PRB", ["HRB"]],
  ])("include another security %s beside %j", (symbol, others) => {
    expect(isOther(symbol, others)).toBe(true);
  });
});
