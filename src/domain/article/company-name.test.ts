import { describe, expect, it } from "vitest";
import { containsName, foldName, foldText } from "./company-name.ts";

describe("company names", () => {
  it.each([
    ["Harbor Mills, Inc.", "harbor mills"],
    ["HARBOR MILLS CORPORATION", "harbor mills"],
    ["The Harbor Mills Company", "harbor mills"],
    ["Harbor Mills plc American Depositary Shares", "harbor mills"],
    ["Harbor Mills Ltd. Common Stock", "harbor mills"],
    ["Harbor & Mills", "harbor and mills"],
    ["U.S. Harbor L.P.", "us harbor"],
    ["Denny’s Harbor", "denny s harbor"],
    ["Inc.", "inc"],
    ["", ""],
  ])("%j is compared as %j", (company, folded) => {
    expect(foldName(company).join(" ")).toBe(folded);
  });

  it.each([
    ["Harbor Mills, Inc.", "all about HARBOR-MILLS today", true],
    ["Harbor Mills, Inc.", "all about Harbor and Mills", false],
    ["Harbor Mills Trust", "the Harbor Mills Trust’s agent", true],
    ["Denny's Harbor", "DENNY’S HARBOR rose", true],
    ["Block, Inc.", "Block's shares rose", false],
    ["Block, Inc.", "a block of shares", false],
    ["Block, Inc.", "shares of Block Inc rose", true],
    ["", "anything", false],
    ["A Inc.", "a inc", false],
  ])("%j in %j: %s", (company, text, found) => {
    expect(containsName(foldName(company), foldText(text))).toBe(found);
  });
});
