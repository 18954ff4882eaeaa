import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { companyNameOf } from "./company-name.ts";

const DESCRIPTIONS = [
  " - Common Stock",
  " – Common Stock",
  ", Common Stock",
  " Common Stock, $0.001 par value",
  " Common Stock (DE)",
  " Common Stock, par value $0.01 per share",
  " Par Value $0.001",
  " Common",
  " COM",
  " New Common Stock",
  " Common Shares",
  " (Class A Common Stock)",
  " Class A Shares",
  " CL A",
  " Class B",
  " Class A Ordinary Shares",
  " - Ordinary Shares",
  " Ordinary Share",
  " American Depositary Shares, each representing ten Ordinary Shares",
  " - American Depository Shares",
  " Sponsored ADR",
  " ADS",
  " Depository Receipts",
  " Subordinate Voting Shares",
  " Series A Preferred Stock",
  " Common Units representing Limited Partner Interests",
  " Capital Stock",
  " Shares of Beneficial Interest",
] as const;

describe("the company in a security's name", () => {
  it.each(DESCRIPTIONS)("has no%s", (description) => {
    expect(companyNameOf(`Brandvale Lithium Corp.${description}`)).toBe("Brandvale Lithium Corp.");
  });

  it.each([
    ["QUILLMERE THERAPEUTICS, INC. \\DE\\", "QUILLMERE THERAPEUTICS, INC."],
    ["HARBOR MILLS LTD /CAN/", "HARBOR MILLS LTD"],
    ["Tarn  Valley\tCopper Corp.  Common Stock", "Tarn Valley Copper Corp."],
    ["Common Harbor Foods Inc.", "Common Harbor Foods Inc."],
    ["Commonwealth Mills plc - Ordinary Shares", "Commonwealth Mills plc"],
    ["ADS-Mills Energy PLC - Ordinary Shares", "ADS-Mills Energy PLC"],
    ["Harbor Common Good Inc.", "Harbor Common Good Inc."],
    ["Class A Logistics Inc.", "Class A Logistics Inc."],
    ["Common Stock", "Common Stock"],
    ["", ""],
  ])("is, of %s, %s", (name, company) => {
    expect(companyNameOf(name)).toBe(company);
  });

  it("does not depend on the description, its case or its spaces", () => {
    const description = fc
      .constantFrom(...DESCRIPTIONS)
      .chain((text) => fc.constantFrom(text, text.toUpperCase(), text.toLowerCase()));
    const space = fc.constantFrom(" ", "  ", "\t", "\u00a0");
    fc.assert(
      fc.property(description, space, (text, gap) => {
        expect(companyNameOf(`Harbor Mills Inc.${text}`.replaceAll(" ", gap))).toBe("Harbor Mills Inc.");
      }),
    );
  });
});
