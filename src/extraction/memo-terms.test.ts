import { describe, expect, it } from "vitest";
import { readTerms, type TermsCase } from "../../test/support/terms.ts";
import type { Day } from "../domain/time/day.ts";
import { extractFacts } from "./extract.ts";

interface MemoParts {
  readonly title?: string;
  readonly company?: string;
  readonly symbol?: string;
  readonly newCompany?: string;
  readonly newSymbol?: string;
  readonly note?: string;
}

/** A memo of a clearing house about the options on a share. */
function memo({
  title = "HARBOR MILLS CORP.",
  company = "Harbor Mills Corp.",
  symbol = "HBML",
  newCompany = company,
  newSymbol = symbol,
  note = "",
}: MemoParts): string {
  return [
    "DATE: MAY 1, 2024",
    `SUBJECT: ${title} – REVERSE SPLIT`,
    `OPTION SYMBOL: ${symbol}`,
    `NEW SYMBOL: ${newSymbol}1`,
    "DATE: 5/6/24",
    `${company} (${symbol}) has announced a 1-for-30 reverse stock split. Each ${symbol} Common Share becomes 0.033333 (New) ${newCompany} Common Shares.${note} The split will take effect before the market opens on May 6, 2024.`,
    "CONTRACT ADJUSTMENT",
    "Effective Date: May 6, 2024",
    `Option Symbol: ${symbol} changes to ${newSymbol}1`,
    "Strike Divisor: 1",
    "New Deliverable",
    `Per Contract: 1) 3 (New) ${newCompany} (${newSymbol}) Common Shares`,
    `2) Cash in lieu of approximately 0.3333 fractional ${newSymbol} Shares`,
  ].join("\n");
}

function factsOf(content: string, heading = "Memo 90001") {
  const { security, fraction, splits } = extractFacts({ heading, content, published: "2024-05-01" as Day });
  return { ...security, exDate: splits[0]?.exDate, fraction: fraction?.treatment ?? null };
}

describe("a memo about options", () => {
  it.each([
    ["in single lines", memo({})],
    ["in paragraphs", memo({}).replaceAll("\n", "\n\n")],
    ["in one line", memo({}).replaceAll("\n", " ")],
    [
      "with labels in small letters",
      memo({}).replaceAll("OPTION SYMBOL", "Option Symbol").replaceAll("NEW SYMBOL", "New Symbol"),
    ],
    [
      "with labels in small letters, in one line",
      memo({})
        .replaceAll("OPTION SYMBOL", "Option Symbol")
        .replaceAll("NEW SYMBOL", "New Symbol")
        .replaceAll("\n", " "),
    ],
    ["with a list of labels", memo({}).replaceAll("\n", "\n• ")],
  ])("names the company and the symbol of its share: %s", (_, content) => {
    expect(factsOf(content)).toEqual({
      ticker: "HBML",
      exchange: null,
      company: "Harbor Mills Corp.",
      exDate: "2024-05-06",
      fraction: null,
    });
  });

  it("states the symbol that is the company's initials", () => {
    expect(factsOf(memo({ symbol: "HMC" }))).toMatchObject({ ticker: "HMC", company: "Harbor Mills Corp." });
    const alert =
      "Harbor Mills Corp. (HMC) has announced a reverse split effective for Monday, May 6, 2024. On that date, the current HMC option class will change to HMC1. No options on HMC will trade.";
    expect(factsOf(alert)).toMatchObject({ ticker: "HMC", exDate: "2024-05-06" });
    const release = "Harbor Mills Corp. (HMC) has announced a 1-for-30 reverse split. HMC is based in Boise.";
    expect(factsOf(release).ticker).toBeNull();
  });

  it("keeps the symbol of the share whose name changes with the split", () => {
    const note = " The new shares will trade on the Nasdaq under the trading symbol “TDLB”.";
    const content = memo({ newCompany: "Tide Labs, Inc.", newSymbol: "TDLB", note });
    expect(factsOf(content)).toMatchObject({ ticker: "HBML", company: "Harbor Mills Corp." });
  });

  it("states the treatment of fractions only of the shares", () => {
    const note = " Cash will be paid in lieu of fractional shares.";
    expect(factsOf(memo({ note })).fraction).toBe("cash_in_lieu");
  });

  it("reads a name with a country", () => {
    const content = memo({ title: "UNITED STATES TIMBER FUND, LP", company: "United States Timber Fund, LP" });
    expect(factsOf(content, "Memo: UNITED STATES TIMBER FUND, LP – REVERSE SPLIT").company).toBe(
      "United States Timber Fund, LP",
    );
  });
});

describe("a symbol in angle brackets, as on old wires", () => {
  it.each([
    ["HMIL", null, "Harbor Mills Inc. <HMIL>"],
    ["HMIL", null, "Harbor Mills Inc. <HMIL.O>"],
    ["HMIL", "NASDAQ", "Harbor Mills Inc. (Nasdaq:HMIL) <HMIL>"],
    ["HMIL", "OTC", "Harbor Mills Inc. (OTC BB: <HMIL>)"],
    [null, null, "Harbor Mills Inc. <PAGE>"],
  ])("is read as %s: %s, %s", (ticker, exchange, name) => {
    const content = `BOISE, May 3 -- ${name} today announced a one-for-five reverse split effective at the opening on May 10, 1999.`;
    expect(factsOf(content, "Harbor Mills announces reverse split")).toMatchObject({ ticker, exchange });
  });
});

describe("notices in lines", () => {
  it.each<TermsCase>([
    {
      heading: "Harbor Mills Inc.: Notice to holders",
      content:
        'OAK BANK, N.A.\nNOTICE OF CHANGE OF RATIO TO HOLDERS OF AMERICAN DEPOSITARY SHARES ("ADSs") OF HARBOR MILLS INC.\nCompany: Harbor Mills Inc.\nCUSIP No.: 411111111\nExisting Ratio: One (1) ADS to Three (3) Shares\nNew Ratio: One (1) ADS to Twelve (12) Shares\nEffective Date: May 6, 2024\nThe Depositary will sell the aggregated fractional ADSs and remit the net proceeds to the holders.',
      published: "2024-04-22",
      terms: "ads_ratio_change | 1:4 2024-05-06 effective | cash_in_lieu",
    },
    {
      heading: "Harbor Mills changes its ADS ratio",
      content:
        "Harbor Mills Limited (NASDAQ: HMIL) today announced a change of its ADS ratio. On the effective date of 6 May 2024, each ADS holder will be required to exchange every 15 ADSs for one new ADS. No fractional ADSs will be distributed. Instead, any fractional entitlements will be collected and sold by the Depositary. The net proceeds from these sales, after fees, will be distributed to the respective holders.",
      published: "2024-04-22",
      terms: "ads_ratio_change | 1:15 2024-05-06 effective | cash_in_lieu",
    },
    {
      heading: "Harbor Mills: Consolidation of securities - HMI",
      content:
        "3.1 Record date\nThursday May 9, 2024\n3.2a Effective date of consolidation or split\nMonday May 6, 2024\n3.3 Last day for trading in the pre consolidation or split securities\nTuesday May 7, 2024\n3.4 Trading in the post consolidation or split +securities commences on a deferred settlement basis.\nWednesday May 8, 2024\n3.5 The register is updated\nFriday May 17, 2024\n4.1 The +securities will be consolidated on the basis that every\n25\n(pre-consolidation) +securities will be consolidated into\n1\n(post-consolidation) +security.\n4.2 Fractions rounded up to the next whole number",
      published: "2024-04-15",
      terms: "reverse_split | 1:25 2024-05-08 trading | round_up",
    },
    {
      heading: "CIRCULAR 901-24 Harbor Mills Corp. (HMIL) Reverse Split",
      content:
        "THIS SUMMARY IS PREPARED FOR CLEARING MEMBERS AND APPROVED PARTICIPANTS. Harbor Mills Corp. (HMIL) will consolidate its shares. The reverse split, on the basis of a 1 for 4 ratio, will be effective at the opening of markets on Monday, May 6, 2024.",
      published: "2024-05-02",
      terms: "reverse_split | 1:4 2024-05-06 trading | -",
    },
  ])("are read: $heading", (release) => {
    expect(readTerms(release)).toBe(release.terms);
  });

  it("names the company below the heading of a section", () => {
    const content =
      "A Look at the New Ratio of Harbor Mills\nHarbor Mills Corp. (NASDAQ: HMIL) is taking a step by announcing a 1-for-20 reverse split of its common shares, which will take effect on the market before the open.";
    expect(factsOf(content).company).toBe("Harbor Mills Corp.");
  });
});
