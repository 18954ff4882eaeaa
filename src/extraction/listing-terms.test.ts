import { describe, expect, it } from "vitest";
import { readTerms, type TermsCase } from "../../test/support/terms.ts";

describe("terms of consolidations, depositary shares and funds", () => {
  it.each<TermsCase>([
    {
      heading: "Harbor Mills Announces Share Consolidation",
      content:
        "Vancouver, British Columbia--(Newsfile Corp. - January 8, 2024) - Harbor Mills Corp. (TSXV: HMI) announces that effective at the opening of trading on January 11, 2024, the common shares of the Company will be consolidated on the basis of one (1) post-consolidation common share for each ten (10) pre-consolidation common shares. No fractional shares will be issued. Any fractional share that is less than one-half of a share will be cancelled, and each fraction of at least one-half will be rounded up to one whole share.",
      terms: "reverse_split | 1:10 2024-01-11 trading | round_nearest",
    },
    {
      heading: "Harbor Mills Consolidates Shares",
      content:
        "Toronto, Ontario - March 14, 2024 - Harbor Mills Corp. (CSE: HMI) advises that it will consolidate its issued and outstanding share capital on a 5-to-1 basis. The record date of the consolidation is March 18, 2024. The shares will trade on a consolidated basis at the open on March 18, 2024.",
      terms: "reverse_split | 1:5 2024-03-18 trading | -",
    },
    {
      heading: "Harbor Mills receives approval for consolidation",
      content:
        "Calgary, Alberta, May 6, 2024 (GLOBE NEWSWIRE) -- Harbor Mills Corp. (TSX: HMI) announces it has received TSX approval for its previously announced consolidation of common shares on an eight-for-one basis. It is anticipated that the shares will start trading on the TSX on a post-consolidation basis at the opening of markets on or about May 10, 2024.",
      terms: "reverse_split | 1:8 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills announces effective date",
      content:
        "Further to its news release of April 2, 2024, Harbor Mills confirms that the rollback of its shares (20 old for 1 new) will be effective Thursday, April 18th, 2024. Fractions will be rounded down.",
      published: "2024-04-15",
      terms: "reverse_split | 1:20 2024-04-18 effective | round_down",
    },
    {
      heading: "Harbor Mills Announces Share Consolidation",
      content:
        "Vancouver, B.C., July 2, 2024 – Harbor Mills Ltd. (CSE: HMI) (the “Company”) announces that its board has approved a consolidation of its common shares on the basis of four pre-consolidation shares for one post-consolidation share, subject to regulatory approval. The Company will announce the effective date once the CSE has confirmed it.",
      terms: "reverse_split | 1:4 - - | -",
    },
  ])("gives the terms of a consolidation: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });

  it.each<TermsCase>([
    {
      heading: "Harbor Mills Announces ADS Ratio Change",
      content:
        "SHANGHAI, Aug. 7, 2024 /PRNewswire/ -- Harbor Mills Ltd. (NASDAQ: HMIL) today announced that it will change the ratio of its American depositary shares to ordinary shares from one ADS representing five ordinary shares to one ADS representing one hundred ordinary shares. The change is expected to take effect at the open of business on August 19, 2024 (U.S. Eastern Time). No fractional ADSs will be issued. Fractional entitlements to new ADSs will be aggregated and sold by the depositary bank, and the net cash proceeds will be distributed to the ADS holders.",
      terms: "ads_ratio_change | 1:20 2024-08-19 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills plans ADS ratio change",
      content:
        "Harbor Mills ADR (OTC: HMILY) will change its ratio to 1 ADR = 10 shares from 1 ADR = 2 shares on or about May 20. The depositary will sell fractions and pay holders the net proceeds.",
      published: "2024-05-06",
      terms: "ads_ratio_change | 1:5 2024-05-20 effective | cash_in_lieu",
    },
    {
      heading: "Harbor Mills changes ADS ratio",
      content:
        "The company said that effective November 4, 2024 each ADS will represent 30 ordinary shares instead of 3. ADS holders will be required to exchange every ten existing ADSs for one new ADS.",
      published: "2024-10-18",
      terms: "ads_ratio_change | 1:10 2024-11-04 effective | -",
    },
    {
      heading: "Harbor Mills plc ADS ratio",
      content:
        "Harbor Mills plc announced a change in the number of ordinary shares represented by its ADSs from two (2) to fifty (50), effective 3 June 2024. For holders, it has the same effect as a one-for-twenty-five reverse ADS split. Partial ADSs will be sold and cash paid out.",
      terms: "ads_ratio_change | 1:25 2024-06-03 effective | cash_in_lieu",
    },
  ])("gives the terms of a change of depositary shares: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });

  it.each<TermsCase>([
    {
      heading: "Harbor Bank Announces Reverse Split of Its Bear 3x ETNs",
      content:
        "NEW YORK, June 3, 2024 -- Harbor Bank announced today that it will implement a 1-for-10 reverse split of its Bear Gold 3x ETNs (NYSE Arca: BGLD), effective June 10, 2024. The ETNs will trade on a reverse split-adjusted basis as of that date under a new CUSIP. Holders of record on June 7, 2024 of a number of ETNs not evenly divisible by 10 will receive a cash payment for the partials.",
      terms: "reverse_split | 1:10 2024-06-10 trading | cash_in_lieu",
    },
    {
      heading: "Fund split",
      content:
        "The Board approved a one-for-three share split of the Harbor Volatility Fund (HVOL). The reverse split will apply to shareholders of record as of the close on January 23, 2025, payable after the close of the market on January 23, 2025. Shares will trade on a split-adjusted basis on January 24, 2025. Fractional shares that result will be redeemed for cash.",
      terms: "reverse_split | 1:3 2025-01-24 trading | cash_in_lieu",
    },
    {
      heading: "Harbor ETF Reverse Split",
      content:
        "Harbor Funds will execute a reverse share split for the Harbor Daily Bear 2X ETF. Ratio 1:20. Ex-date 11/20/2024. Record date 11/19/2024. As there may be fractional shares after the split, these will be redeemed at NAV and paid out in cash to the shareholder.",
      terms: "reverse_split | 1:20 2024-11-20 trading | cash_in_lieu",
    },
    {
      heading: "ETN reverse split",
      content:
        "Harbor Bank plc announced that a reverse split of its Natural Gas ETN (HGAZ) will be effective at the open of trading on 22 April 2024. The ETN will be reverse split 1 for 25. The record date is 19 April 2024. Investors with an odd number of ETNs will be paid the redemption value of the remaining partials in cash.",
      terms: "reverse_split | 1:25 2024-04-22 trading | cash_in_lieu",
    },
    {
      heading: "Reverse Split Notice",
      content:
        "Harbor Issuer plc gives notice of a consolidation of the Harbor 3x Short Gold ETP Securities at a ratio of 1:50. The consolidation becomes effective on 14 May 2024. Fractional entitlements will be compulsorily redeemed and the redemption amount paid.",
      terms: "reverse_split | 1:50 2024-05-14 effective | cash_in_lieu",
    },
  ])("gives the terms of a fund: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });

  it.each<TermsCase>([
    {
      heading: "HARBOR MILLS ANNOUNCES 1-FOR-20 REVERSE STOCK SPLIT",
      content:
        "NEW YORK, MAY 6, 2024 -- HARBOR MILLS, INC. (NASDAQ: HMIL) TODAY ANNOUNCED THAT IT WILL EFFECT A 1-FOR-20 REVERSE STOCK SPLIT OF ITS COMMON STOCK. THE COMMON STOCK WILL BEGIN TRADING ON A SPLIT-ADJUSTED BASIS ON MAY 10, 2024. FRACTIONAL SHARES WILL BE ROUNDED UP TO THE NEAREST WHOLE SHARE.",
      terms: "reverse_split | 1:20 2024-05-10 trading | round_up",
    },
    {
      heading: "Harbor Mills split",
      content:
        "<p>Harbor Mills, Inc. (NASDAQ:&nbsp;HMIL) will effect a <b>1&#8209;for&#8209;20</b> reverse split.</p><p>Trading on a split&ndash;adjusted basis begins on May&nbsp;10, 2024.</p><p>Fractions are rounded&nbsp;up.</p>",
      terms: "reverse_split | 1:20 2024-05-10 trading | round_up",
    },
    {
      heading: "Harbor Mills Announces Reverse Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-6 reverse stock split of its common stock, expected to be effective on Monday, May 13, 2024, at 12:01 a.m. Eastern Time. The Company's common stock will open for trading on the Nasdaq on May 13, 2024 on a split-adjusted ba...",
      terms: "reverse_split | 1:6 2024-05-13 trading | -",
    },
  ])("gives the terms of text in capitals, with markup, or cut off: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });

  it.each<TermsCase>([
    {
      heading: "Harbor Mills proposes consolidation",
      content:
        "Montreal, Quebec - June 3, 2024 - Harbor Mills Corp. (TSXV: HMI) proposes to consolidate its common shares on the basis of 10 old for one new, subject to TSX Venture Exchange approval and shareholder approval.",
      terms: "approval_only | -",
    },
  ])("finds no new split in a proposal: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });
});
