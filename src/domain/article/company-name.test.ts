import { describe, expect, it } from "vitest";
import { containsName, foldName, foldText, isRenamedIn, isSameCompany } from "./company-name.ts";

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

  it.each([
    ["Harbor Mills, Inc.", "HARBOR MILLS CORP"],
    ["Harbor Mills", "The Harbor Mills Company"],
    ["Harbor Mills International Holdings", "HARBOR MILLS INTL HLDGS LTD"],
    ["Harbor Mills Inc.", "HarborMills plc"],
    ["Harbor Mills Technologies", "Harbor Mills"],
    ["Harbor", "Harbor Mills Inc."],
    ["Harbor Holdings Inc.", "Harbor Inc."],
    ["Harbor Funds", "Harbor Daily Copper Bear 2X ETF"],
    ["Harbor Asset Management LLC", "Harbor Daily Copper Bear 2X ETF"],
    ["Harbor", "Harbor ETF Trust"],
    ["Harbor & Mills", "HARBOR AND MILLS"],
    ["Harbor Pharma", "Harbor Pharmaceuticals Inc."],
    ["Harbor Commns Grp", "Harbor Communications Group"],
  ])("%j and %j are one company", (a, b) => {
    expect([isSameCompany(a, b), isSameCompany(b, a)]).toEqual([true, true]);
  });

  it.each([
    ["Harbor Mills, Inc.", "Harbor Capital LLC"],
    ["Harbor Inc.", "Harbor Mills Inc."],
    ["Harbor Mills", "Mills Harbor"],
    ["Harbor Research", "Mills Inc."],
    ["First National Mills", "First National"],
    ["American", "American Harbor Inc."],
    ["Harbor Mills Inc.", "Harbor Fund Advisors LLC"],
    ["Harbor Mills Inc.", "Harbor Daily News"],
    ["Harbor Media", "Harbor Medical"],
    ["Harbor Media Inc.", "Harbor Medical Inc."],
    ["Harbor Age", "Harbor Agency"],
    ["", ""],
    ["", "Harbor"],
  ])("%j and %j are two", (a, b) => {
    expect([isSameCompany(a, b), isSameCompany(b, a)]).toEqual([false, false]);
  });

  it.each([
    ["Nova, Inc. (formerly Harbor Mills, Inc.) today", true],
    ["Nova, Inc. (NASDAQ: NOVA), formerly known as Harbor Mills, today", true],
    ["Nova, Inc., f/k/a “Harbor Mills Inc.”, today", true],
    ["Nova, Inc., formerly a supplier of Harbor Mills, today", false],
    ["Nova, Inc. said that Zed (formerly Harbor Mills) today", false],
    ["Harbor Mills, formerly Nova, Inc., today", false],
  ])("%j names the former name: %s", (sentence, expected) => {
    expect(isRenamedIn(sentence, "Nova, Inc.", "HARBOR MILLS CORP")).toBe(expected);
  });
});
