import { describe, expect, it } from "vitest";
import { exchange, ticker } from "../../test/support/builders.ts";
import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import { extractFacts } from "./extract.ts";

const TERMS =
  "today announced a 1-for-12 reverse stock split. Trading on a split-adjusted basis begins on May 11, 2026.";
const HEADING = "Harbor Mills Announces Reverse Stock Split";

function read(content: string, heading = HEADING, directory: SymbolDirectory | null = null) {
  return extractFacts({ heading, content: `BOISE, May 4, 2026 -- ${content}` }, directory);
}

describe("the issuer of a release that tags another company first", () => {
  it.each([
    ["its customer", `Its customer Tide Corp (NYSE: TDE) Harbor Mills, Inc. (NASDAQ: HMIL) ${TERMS}`],
    ["a partner", `After its agreement with Tide Corp (NYSE: TDE), Harbor Mills, Inc. (NASDAQ: HMIL) ${TERMS}`],
    ["a company without a role", `Tide Corp (NYSE: TDE) makes boats. Harbor Mills, Inc. (NASDAQ: HMIL) ${TERMS}`],
    [
      "a customer with a shorter symbol",
      `Its customer Tide Corp (NYSE: HMI) likes Harbor Mills, Inc. (NASDAQ: HMIL). It ${TERMS}`,
    ],
    [
      "a competitor, with a symbol sentence",
      `Harbor Mills, Inc., which competes with Tide Corp (NYSE: TDE), ${TERMS} The stock trades on Nasdaq under the symbol "HMIL".`,
    ],
  ])("is not %s", (_, content) => {
    expect(read(content).splits).toMatchObject([{ ticker: "HMIL", exchange: "NASDAQ", company: "Harbor Mills, Inc." }]);
  });

  it("is the defined company where the heading names none", () => {
    const content = `Tide Corp (NYSE: TDE) and Harbor Mills, Inc. (NASDAQ: HMIL) (the "Company") ${TERMS}`;
    expect(read(content, "Reverse Stock Split Announced").security.ticker).toBe("HMIL");
  });

  it("has no ticker where only the other company has one, which is a contradiction", () => {
    const { splits, contradictions } = read(`Its customer Tide Corp (NYSE: TDE) Harbor Mills, Inc. ${TERMS}`);
    expect(splits).toMatchObject([{ ticker: null, company: "Harbor Mills, Inc." }]);
    expect(contradictions).toEqual(["ticker"]);
  });
});

describe("a symbol without its exchange", () => {
  const HARBOR = { company: "Harbor Mills, Inc.", exchange: exchange("NASDAQ"), directory: "one" };
  const FORMER = { company: "Old Quay Holdings", exchange: exchange("OTC"), directory: "two" };
  const TIDE = { company: "Tide Corp", exchange: exchange("NYSE"), directory: "one" };
  const entries = new Map([
    [ticker("HMIL"), [HARBOR]],
    [ticker("HMLD"), [FORMER, HARBOR]],
    [ticker("HMXD"), [HARBOR]],
    [ticker("TDE"), [TIDE]],
  ]);
  const directory: SymbolDirectory = { find: (symbol) => entries.get(symbol) ?? [] };

  it.each([
    ["in the heading", `Harbor Mills, Inc. ${TERMS}`, "Reverse Stock Split of Harbor Mills (HMXD, Fortune 500)"],
    ["of its shares", `Harbor Mills, Inc. said the common shares of HMXD will be consolidated. It ${TERMS}`, HEADING],
    ["before its shares", `Harbor Mills, Inc. ${TERMS} The HMXD shares will not change otherwise.`, HEADING],
  ])("counts %s if the directory lists it for a company that the text names", (_, content, heading) => {
    expect(read(content, heading, directory).security).toEqual({
      ticker: "HMXD",
      exchange: "NASDAQ",
      company: "Harbor Mills, Inc.",
    });
    expect(read(content, heading).security.ticker).toBeNull();
  });

  it("counts if one of several directories lists it for a company that the text names", () => {
    const { security } = read(`Harbor Mills, Inc. ${TERMS}`, "Reverse Stock Split of Harbor Mills (HMLD)", directory);
    expect(security).toMatchObject({ ticker: "HMLD", exchange: "NASDAQ" });
  });

  it("does not count if the directory lists it for another company", () => {
    expect(read(`Harbor Mills, Inc. (TDE) is well. It ${TERMS}`, HEADING, directory).security.ticker).toBeNull();
  });

  it("does not replace a tag", () => {
    const content = `Harbor Mills, Inc. (OTCQB: HMLS) ${TERMS} The common shares of HMIL are well.`;
    expect(read(content, HEADING, directory).security).toMatchObject({ ticker: "HMLS", exchange: "OTC" });
  });
});
