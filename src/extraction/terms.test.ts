import { describe, expect, it } from "vitest";
import { type TermsCase as Case, readTerms as read } from "../../test/support/terms.ts";

describe("a completion that is announced in a text without its day", () => {
  it.each<Case>([
    {
      heading: "Orlock Motors Completes Reverse Stock Split",
      content:
        "Orlock Motors Inc. (NASDAQ: ORLK) has completed its previously announced 1-for-10 reverse stock split. Trading on a split-adjusted basis began on May 5, 2023, on the Nasdaq, with TSX following on May 8, 2023.",
      terms: "reverse_split | 1:10 2023-05-05 trading | -",
    },
    {
      heading: "Orlock Announces Completion of Reverse Stock Split",
      content:
        'NEW YORK--(BUSINESS WIRE)-- Orlock Motors, Inc. (NYSE: ORLK) announced today that it completed a previously announced reverse stock split at a ratio of 1-for-8 (the "Reverse Stock Split"). The Reverse Stock Split took effect at 5:00 p.m. Eastern Time on January 11, 2023 (the "Effective Time").',
      terms: "reverse_split | 1:8 2023-01-12 effective | -",
    },
    {
      heading: "Orlock Motors Completes Reverse Stock Split",
      content:
        "Orlock Motors Inc. (NASDAQ: ORLK) today announced that it has completed its 1-for-10 reverse stock split. The shares began trading on a split-adjusted basis on May 5, 2023.",
      terms: "reverse_split | 1:10 2023-05-05 trading | -",
    },
    {
      heading: "Orlock Motors Completes Reverse Stock Split",
      content:
        "Orlock Motors Inc. (NASDAQ: ORLK) today announced that it has completed its 1-for-10 reverse stock split. The split went effective on May 5, 2023.",
      terms: "reverse_split | 1:10 2023-05-05 effective | -",
    },
    {
      heading: "Orlock Motors Announces Effectiveness of Reverse Stock Split",
      content:
        "Orlock Motors Inc. (NASDAQ: ORLK) announced today that its 1-for-10 reverse stock split is effective. The common stock commenced trading on a post-split basis at the open on May 5, 2023.",
      terms: "reverse_split | 1:10 2023-05-05 trading | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("a split of the past", () => {
  it.each<Case>([
    {
      heading: "Equity",
      content:
        "12 Months Ended Dec. 31, 2022\n*Restated to reflect 1:7 reverse ratio (See note 18b)\nOn December 5, 2022, the Company's board of directors approved a reverse split of 1-for-7 ratio. The reverse split went effective on December 20, 2022.\nNo fractional shares were issued as a result of the reverse share split. Instead, such shares were rounded up to the next whole number of shares.",
      terms: "completed_past | -",
    },
    {
      heading: "Note 1. Organization",
      content:
        "For the year ended December 31, 2022. On December 5, 2022, the board approved a reverse split at a ratio of 1-for-7. The reverse split came into effect on December 20, 2022 and all share amounts were restated.",
      terms: ["completed_past | -", "other | -"],
    },
    {
      heading: "STOCKHOLDERS' EQUITY",
      content:
        "3 Months Ended Mar. 31, 2023. In December 2022 the Company completed a one-for-seven reverse stock split, which went into effect on December 20, 2022. Shares began trading on a split-adjusted basis on December 21, 2022.",
      terms: ["completed_past | -", "other | -"],
    },
    {
      heading: "Capital Stock",
      content:
        "The reverse split was made effective on December 20, 2022 at a ratio of 1-for-7 following approval of the board on December 5, 2022.",
      terms: ["approval_only | -", "completed_past | -", "other | -"],
    },
    {
      heading: "Orlock Motors Announces Nasdaq Compliance",
      content:
        "NEW YORK, June 20, 2024 (GLOBE NEWSWIRE) -- Orlock Motors Inc. (NASDAQ: ORLK) regained compliance after its 1-for-30 reverse stock split took effect on May 1, 2024.",
      terms: ["completed_past | -", "other | -"],
    },
    {
      heading: "Reverse stock split",
      content:
        "Reverse stock split\n12 Months Ended\nDec. 31, 2020\nThe Company effected a 1-for-7 reverse stock split on December 20, 2020. Trading on a split-adjusted basis commenced on December 21, 2020.",
      terms: ["completed_past | -", "other | -"],
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("a weekday without a date", () => {
  it.each<Case>([
    {
      heading: "",
      content:
        "Shares of Orlock Motors are falling Tuesday as the car maker begins trading on a split-adjusted basis. The company's 1-for-10 reverse stock split became effective after the market closed on Friday.",
      published: "2025-09-02",
      terms: "reverse_split | 1:10 2025-09-02 trading | -",
    },
    {
      heading: "Orlock stock slides as reverse split takes effect",
      content:
        "Orlock Motors (NASDAQ: ORLK) shares began trading Tuesday on a split-adjusted basis after a 1-for-10 reverse stock split.",
      published: "2025-09-02",
      terms: "reverse_split | 1:10 2025-09-02 trading | -",
    },
    {
      heading: "Orlock stock slides",
      content:
        "Orlock Motors (NASDAQ: ORLK) said its 1-for-10 reverse stock split will take effect Friday after the close, and the stock will begin trading on a split-adjusted basis Tuesday.",
      published: "2025-08-28",
      terms: "reverse_split | 1:10 2025-09-02 trading | -",
    },
    {
      heading: "Orlock stock slides",
      content:
        "Orlock Motors (NASDAQ: ORLK) fell 8% Thursday after the company said it would effect a 1-for-10 reverse stock split. The stock will begin trading on a split-adjusted basis on Tuesday.",
      published: "2025-08-28",
      terms: "reverse_split | 1:10 2025-09-02 trading | -",
    },
    {
      heading: "Orlock stock drops in first day of trading after reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) dropped 5% Tuesday morning, the first day of trading on a split-adjusted basis after its 1-for-10 reverse stock split.",
      published: "2025-09-02",
      terms: "reverse_split | 1:10 2025-09-02 trading | -",
    },
    {
      heading: "Orlock announces 1-for-10 reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) fell 8% Thursday after the company said it will effect a 1-for-10 reverse stock split.",
      published: "2025-08-28",
      terms: "reverse_split | 1:10 - - | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("a record date beside the effective date", () => {
  it.each<Case>([
    {
      heading: "Norland Bank to reverse split its ETNs",
      content:
        "Norland Bank is to implement a one-for-four reverse split of its Hexmoor Exchange Traded Notes (ETNs) effective 8 November 2013.\nThe record date for the reverse split will be the close of business, New York time, on 7 November 2013. The reverse split will be effective at the open of trading on 8 November and the ETNs will begin trading on the NYSE Arca on a reverse-split adjusted basis on such date.\nInvestors will receive one reverse-split adjusted ETN for every four ETNs held on the record date and a cash payment for any odd number of ETNs remaining (the partials).",
      terms: "reverse_split | 1:4 2013-11-08 trading | cash_in_lieu",
    },
    {
      heading: "Orlock Motors announces reverse split",
      content:
        "NEW YORK, June 10, 2024 -- Orlock Motors Inc. will effect a 1-for-10 reverse stock split. The record date is June 24, 2024. Shares will begin trading on a split-adjusted basis on June 25, 2024.",
      terms: "reverse_split | 1:10 2024-06-25 trading | -",
    },
    {
      heading: "Orlock Motors announces reverse split",
      content:
        "NEW YORK, June 10, 2024 -- Orlock Motors Inc. announced a 1-for-10 reverse stock split. Record date: June 24, 2024. Effective date: June 25, 2024.",
      terms: "reverse_split | 1:10 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors announces reverse split",
      content:
        "NEW YORK, June 10, 2024 -- Orlock Motors Inc. announced a 1-for-10 reverse stock split effective June 25, 2024 for shareholders of record as of June 24, 2024.",
      terms: "reverse_split | 1:10 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors announces reverse split",
      content:
        "NEW YORK, June 10, 2024 -- Orlock Motors Inc. announced a 1-for-10 reverse stock split with a record date of June 24, 2024 and an ex-date of June 25, 2024.",
      terms: "reverse_split | 1:10 2024-06-25 trading | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("a day without a year", () => {
  it.each<Case>([
    {
      heading: "HEXU Sets 4-For-1 Reverse Share Split",
      content:
        "By\nFebruary 07, 2012\nShare:\n\nHexmoor Funds is planning a 4-for-1 reverse split on its Hexmoor Gas Fund (NYSEArca: HEXU).\n\nThe reverse split, which will be effective on Feb. 22 for shareholders of record as of the Feb. 21 close, will quadruple the price, the company said.",
      terms: "reverse_split | 1:4 2012-02-22 effective | -",
    },
    {
      heading: "Orlock sets reverse split",
      content:
        "December 20, 2023\nOrlock Motors announced a 1-for-4 reverse split. The reverse split will be effective on Jan. 5.",
      terms: "reverse_split | 1:4 2024-01-05 effective | -",
    },
    {
      heading: "Orlock sets reverse split",
      content:
        "By Ann Lee\n\nDec 20, 2023 at 3:15 PM\n\nOrlock Motors announced a 1-for-4 reverse split. The stock will begin trading on a split-adjusted basis on Jan. 5.",
      terms: "reverse_split | 1:4 2024-01-05 trading | -",
    },
    {
      heading: "Orlock sets reverse split",
      content:
        "Published Dec. 20, 2023\n\nOrlock Motors announced a 1-for-4 reverse split. The stock will begin trading on a split-adjusted basis on January 5th.",
      terms: "reverse_split | 1:4 2024-01-05 trading | -",
    },
    {
      heading: "Orlock sets reverse split",
      content:
        "Ann Lee | Hexmoor News | December 20, 2023\n\nOrlock Motors announced a 1-for-4 reverse split. The stock will begin trading on a split-adjusted basis on January 5th.",
      terms: "reverse_split | 1:4 2024-01-05 trading | -",
    },
    {
      heading: "Orlock sets reverse split",
      content:
        "Globenewswire· 2023-12-20 11:00\nOrlock Motors announced a 1-for-4 reverse split. The stock will begin trading on a split-adjusted basis on January 5.",
      terms: "reverse_split | 1:4 2024-01-05 trading | -",
    },
    {
      heading: "Orlock sets reverse split",
      content:
        "Orlock Motors announced a 1-for-4 reverse split. The stock will begin trading on a split-adjusted basis on January 5.",
      terms: "reverse_split | 1:4 - - | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("the day on which the stock is set to reverse split", () => {
  it.each<Case>([
    {
      heading: "Orlock Stock to Reverse Split on Monday, April 22nd (ORLK)",
      content:
        "Shares of Orlock Co. (NYSE:ORLK) are set to reverse split on the morning of Monday, April 22nd. The 1-20 reverse split was announced on Wednesday, April 10th. The number of shares owned by shareholders will be adjusted after the market closes on Friday, April 19th.",
      published: "2019-04-14",
      terms: "reverse_split | 1:20 2019-04-22 effective | -",
    },
    {
      heading: "Orlock Stock to Reverse Split on Tuesday, April 23rd (ORLK)",
      content:
        "Shares of Orlock Co. (NYSE:ORLK) are scheduled to reverse split before the market opens on Tuesday, April 23rd. The 1-20 reverse split was announced on Wednesday, April 10th. The newly created shares will be issued to shareholders after the market closes on Monday, April 22nd.",
      published: "2019-04-14",
      terms: "reverse_split | 1:20 2019-04-23 trading | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("a decided split under a question, a fall of the price or an approval as heading", () => {
  it.each<Case>([
    {
      heading: "Why Is Orlock Stock Down 24% Today?",
      content:
        "Orlock Motors (NASDAQ:ORLK) stock is taking a beating on Friday after the company announced plans for a reverse stock split.\nAccording to Orlock, shares of ORLK stock are going to undergo a one-for-25 reverse split. This split will go into effect after markets close on Sept. 18, which will see the stock start trading on a split-adjusted basis on Sept. 19.",
      published: "2023-09-15",
      terms: "reverse_split | 1:25 2023-09-19 trading | -",
    },
    {
      heading: "What's Going On With Orlock Stock?",
      content:
        "Orlock Motors (NASDAQ:ORLK) is moving ahead with a reverse stock split. The company plans a 1-for-25 reverse stock split that will see its shares start trading on a split-adjusted basis on Sept. 19.",
      published: "2023-09-15",
      terms: "reverse_split | 1:25 2023-09-19 trading | -",
    },
    {
      heading: "Orlock Motors tanks following reverse stock split",
      content:
        "Shares of Orlock (NSDQ:ORLK) dropped more than 18% today after the company proceeded with a 1-to-16 reverse stock split.\nOrlock announced yesterday that it proceeded with a stock split, effective at the start of April 9, 2014, combining 16 shares of common stock into a single share.",
      published: "2014-04-09",
      terms: "reverse_split | 1:16 2014-04-09 effective | -",
    },
    {
      heading: "Orlock Motors tanks following reverse stock split",
      content:
        "Shares of Orlock (NSDQ:ORLK) dropped more than 18% today after the company proceeded with a 1-to-16 reverse stock split.\nOrlock announced yesterday that it proceeded with a stock split, effective at the start of April 9, 2014, combining 16 shares of common stock into a single share.",
      terms: "reverse_split | 1:16 2014-04-09 effective | -",
    },
    {
      heading: "Orlock Approves 1-for-7 Reverse Stock Split",
      content:
        "Orlock Inc. plans a 1 for 7 reverse stock split at the close of business on Aug. 1, slashing the number of its common stock to 57.1 million, the company said Thursday. The company does not plan to issue fractional shares and will instead offer cash redemption.",
      published: "2017-07-20",
      terms: "reverse_split | 1:7 2017-08-02 effective | cash_in_lieu",
    },
    {
      heading: "Orlock Board Approves Reverse Split",
      content: "The board of Orlock Inc. has approved a 1-for-7 reverse stock split that takes effect on Aug. 2.",
      published: "2017-07-20",
      terms: "reverse_split | 1:7 2017-08-02 effective | -",
    },
    {
      heading: "",
      content:
        "Orlock Motors (NASDAQ:ORLK) makes cars. The latest from this company is its announcement on Thursday that its Board of Directors approved a one-for-fifteen (1-for-15) reverse stock split of its common stock.\nThe stock split will become effective on Friday, March 29, 2019, upon the filing of a Certificate of Amendment with the Secretary of State.\nBeginning Friday, Orlock's common stock would trade on the Nasdaq on a reverse split-adjusted basis.\nAs previously disclosed, stockholders approved a proposal authorizing the Board to effect a reverse stock split by a ratio of not less than one-for-ten (1-for-10) and not more than one-for-twenty-five (1-for-25).\nStockholders who are entitled to receive a fractional share would instead receive a cash payment based on the closing price.",
      terms: "reverse_split | 1:15 2019-03-29 effective | cash_in_lieu",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("numbers of millions beside the ratio", () => {
  it.each<Case>([
    {
      heading: "Orlock stock slumps on eve of 1-for-32 reverse stock split",
      content:
        "Orlock Motors (NASDAQ:ORLK) stock fell on May 16 after the company said it was undertaking a 1-for-32 reverse stock split, effective May 17. The reverse stock split will also proportionately reduce the number of authorized common stock to 50M shares from 1.6B.",
      published: "2022-05-16",
      terms: "reverse_split | 1:32 2022-05-17 effective | -",
    },
    {
      heading: "Orlock stock slumps on eve of 1-for-32 reverse stock split",
      content:
        "Orlock Motors (NASDAQ:ORLK) said it was undertaking a 1-for-32 reverse stock split, effective May 17. The split will reduce its outstanding shares from 320m to 10m, or from 1.6B to 50M authorized.",
      published: "2022-05-16",
      terms: "reverse_split | 1:32 2022-05-17 effective | -",
    },
    {
      heading: "1-for-32 reverse stock split",
      content:
        "Orlock Motors (NASDAQ:ORLK) announced a 1-for-32 reverse stock split, effective May 17. After the reverse split the company will have 10 mln shares from 320 mln shares.",
      published: "2022-05-16",
      terms: "reverse_split | 1:32 2022-05-17 effective | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("a split beside what the issuer did historically", () => {
  it.each<Case>([
    {
      heading: "",
      content:
        "Hexmoor has announced a 1:10 reverse split, effective 26-May-2021 for HEXV. Historically Hexmoor has initiated reverse splits when HEXV has dropped below around $8, so this one was overdue. Hexmoor decided to do a 1:10 reverse split to bring the trading range up.",
      published: "2021-05-12",
      terms: "reverse_split | 1:10 2021-05-26 effective | -",
    },
    {
      heading: "",
      content:
        "Hexmoor has announced a 1:10 reverse split, effective 26-May-2021 for HEXV. Historically Hexmoor has initiated reverse splits when HEXV has dropped below around $8, so this one was overdue. Hexmoor decided to do a 1:10 reverse split to bring the trading range up.",
      terms: "reverse_split | 1:10 2021-05-26 effective | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("a change of the ADS ratio", () => {
  it.each<Case>([
    {
      heading: "",
      content:
        "On December 6th, Orlock announced the effective date for updating its American Depositary Share (ADS) ratio change. On November 30, 2023, Orlock announced plans to change the ratio of its ADS to Class A common shares from 3 ADSs representing 2 Class A common shares to 3 ADSs representing 40 Class A common shares on or around December 6, 2023. The effective date of this plan has been updated to December 11, 2023 Eastern Time in the United States.\nFor ADS holders, the change in ADS ratio will have the same effect as a 1:20 reverse ADS split.",
      published: "2023-12-06",
      terms: "ads_ratio_change | 1:20 2023-12-11 effective | -",
    },
    {
      heading: "ADS ratio change",
      content:
        'ADS ratio change\n12 Months Ended\nDec. 31, 2012\nEffective on December 10, 2012, the Company changed the ratio of its American Depositary Shares ("ADSs") to ordinary shares from one (1) ADS representing one (1) ordinary share to one (1) ADS representing five (5) ordinary shares. The ratio change brought the Company back into compliance.',
      terms: "completed_past | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("a supplement with the date of its prospectus", () => {
  it.each<Case>([
    {
      heading: "Form 497",
      content:
        "HEXMOOR ETF TRUST\n|HEXMOOR FUND\n|TICKER SYMBOL\n|HEXMOOR 2x SHORT Daily ETF\n|HXD\nSUPPLEMENT DATED OCTOBER 28, 2024\nTO THE PROSPECTUS\ndated OCTOBER 18, 2024\nAfter the close of the markets on November 01, 2024 (the “Effective Date”), the Fund will effect a reverse split of its shares as follows:\n|Fund Name\n|Ticker\n|Reverse Split Ratio\n|Hexmoor 2x Short Daily ETF\n|HXD\n|1 for 25\nEffective after the close of markets on the Effective Date, the Fund’s CUSIP will change.\nAs a result of the reverse split, every twenty-five shares of the Fund will be exchanged for one share of the Fund. Shares of the Fund will begin trading on the NASDAQ Stock Market. (the “NASDAQ”) on a split-adjusted basis on November 04, 2024.",
      published: "2024-10-28",
      terms: "reverse_split | 1:25 2024-11-04 trading | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("the treatment of units that remain", () => {
  it.each<Case>([
    {
      heading: "Norland Bank Announces Reverse Split of the Hexmoor ETNs",
      content:
        "Norland Bank announced that it will implement a 1 for 4 reverse split of its Hexmoor Futures Exchange Traded Notes effective Wednesday, August 23, 2017. Investors who hold a number of ETNs that is not divisible by four will receive one reverse-split adjusted ETN for every four ETNs held on August 22, 2017 and a cash payment for any odd number of ETNs remaining (the “partials”).",
      terms: "reverse_split | 1:4 2017-08-23 effective | cash_in_lieu",
    },
    {
      heading: "Norland Bank Announces Reverse Split of the Hexmoor ETNs",
      content:
        "Norland Bank announced that it will implement a 1 for 4 reverse split of its Hexmoor Futures Exchange Traded Notes effective Wednesday, August 23, 2017. Holders of a number of units that is not evenly divisible by four will receive a cash payment for any units remaining.",
      terms: "reverse_split | 1:4 2017-08-23 effective | cash_in_lieu",
    },
    {
      heading: "Norland Bank Announces Reverse Split of the Hexmoor ETNs",
      content:
        "Norland Bank announced that it will implement a 1 for 4 reverse split of its Hexmoor Futures Exchange Traded Notes effective Wednesday, August 23, 2017. The cash amount due on any partials will be determined on August 29, 2017.",
      terms: "reverse_split | 1:4 2017-08-23 effective | cash_in_lieu",
    },
    {
      heading: "Norland Bank Announces Reverse Split of the Hexmoor ETNs",
      content:
        "Norland Bank announced that it will implement a 1 for 4 reverse split of its Hexmoor Futures Exchange Traded Notes effective Wednesday, August 23, 2017. Holders will be compensated for fractional shares at the market closing price on August 22, 2017.",
      terms: "reverse_split | 1:4 2017-08-23 effective | cash_in_lieu",
    },
    {
      heading: "Norland Bank Announces Reverse Split of the Hexmoor ETNs",
      content:
        "Norland Bank announced that it will implement a 1 for 4 reverse split of its Hexmoor Futures Exchange Traded Notes effective Wednesday, August 23, 2017. Any partial ETN remaining will be paid out in cash.",
      terms: "reverse_split | 1:4 2017-08-23 effective | cash_in_lieu",
    },
    {
      heading: "Norland Bank Announces Reverse Split of the Hexmoor ETNs",
      content:
        "Norland Bank announced that it will implement a 1 for 4 reverse split of its Hexmoor Futures Exchange Traded Notes effective Wednesday, August 23, 2017. Shareholders left with a fraction of a share will be reimbursed at the closing price.",
      terms: "reverse_split | 1:4 2017-08-23 effective | cash_in_lieu",
    },
    {
      heading: "Norland Bank Announces Reverse Split of the Hexmoor ETNs",
      content:
        "Norland Bank announced that it will implement a 1 for 4 reverse split of its Hexmoor Futures Exchange Traded Notes effective Wednesday, August 23, 2017. Fractional shares will be bought back by the company at the closing price.",
      terms: "reverse_split | 1:4 2017-08-23 effective | cash_in_lieu",
    },
    {
      heading: "Norland Bank Announces Reverse Split of the Hexmoor ETNs",
      content:
        "Norland Bank announced that it will implement a 1 for 4 reverse split of its Hexmoor Futures Exchange Traded Notes effective Wednesday, August 23, 2017. No fractional shares will be issued; holders will get an additional share in place of any fraction.",
      terms: "reverse_split | 1:4 2017-08-23 effective | round_up",
    },
    {
      heading: "Norland Bank Announces Reverse Split of the Hexmoor ETNs",
      content:
        "Norland Bank announced that it will implement a 1 for 4 reverse split of its Hexmoor Futures Exchange Traded Notes effective Wednesday, August 23, 2017. The company does not plan to issue fractional shares and will instead offer cash redemption.",
      terms: "reverse_split | 1:4 2017-08-23 effective | cash_in_lieu",
    },
    {
      heading: "Norland Bank Announces Reverse Split of the Hexmoor ETNs",
      content:
        "Norland Bank announced that it will implement a 1 for 4 reverse split of its Hexmoor Futures Exchange Traded Notes effective Wednesday, August 23, 2017. On the payment date, a cash payment for the remaining coupon will be made to partial owners of the bonds.",
      terms: "reverse_split | 1:4 2017-08-23 effective | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("the treatment of fractions", () => {
  it.each<Case>([
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. In lieu of any fractional shares, each holder otherwise entitled to a fraction will receive the nearest whole number of post-consolidation shares.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | round_nearest",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. Holders entitled to a fractional share will be issued the closest whole number of shares.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | round_nearest",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. Voting rights will not be affected by the split (other than as a result of the payment of cash in lieu of fractional shares).",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | cash_in_lieu",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. The split will not change any holder's percentage, except for the payment of cash in lieu of fractional shares.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | cash_in_lieu",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. In lieu of fractional shares, holders will be paid in cash.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | cash_in_lieu",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. Cash will be paid in place of fractional shares.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | cash_in_lieu",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. Fractional entitlements will be settled in cash.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | cash_in_lieu",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. Holders entitled to a fraction will receive cash instead.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | cash_in_lieu",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. Any fractional shares will be exchanged for cash.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | cash_in_lieu",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. Fractional shares are to be cashed out.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | cash_in_lieu",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. Stockholders will receive the cash value of any fraction of a share.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | cash_in_lieu",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. The transfer agent will aggregate and sell fractional shares, and holders will receive their pro rata share of the proceeds.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | cash_in_lieu",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. Stockholders with fractional shares will get paid for them in cash at the average closing price.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | cash_in_lieu",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. Fractional shares will be liquidated and the proceeds paid to holders.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | cash_in_lieu",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. Fractional shares will be rounded up to the nearest whole share.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | round_up",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. Shareholders will receive one whole share in place of a fractional share.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | round_up",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. The company will round up any fractions.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | round_up",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. Fractions are to be rounded up to a full share at the participant level.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | round_up",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. Stockholders entitled to fractional shares will be issued one full share instead.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | round_up",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. Fractional shares will be rounded down to the nearest whole share, without compensation.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | round_down",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. Fractional shares will be cancelled without any payment.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | round_down",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. Fractional shares will be rounded to the nearest whole share.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | round_nearest",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. Fractional shares will be rounded up or down to the nearest whole number, with half shares rounded up.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | round_nearest",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. Any fraction of 0.5 or more will be rounded up, and any fraction below 0.5 will be rounded down.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | round_nearest",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. The split does not affect fractional ownership or voting power.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective June 25, 2024. No fractional shares will be issued.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("a notation of the ratio", () => {
  it.each<Case>([
    {
      heading: "Orlock Motors sets reverse split",
      content: "Orlock Motors (NASDAQ: ORLK) will carry out a 1-for-twenty reverse stock split on June 25, 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content: "Orlock Motors (NASDAQ: ORLK) will carry out a 20:1 reverse stock split on June 25, 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) will carry out a twenty (20) to one (1) reverse stock split on June 25, 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content: "Orlock Motors (NASDAQ: ORLK) will carry out a 20-for-1 reverse stock split on June 25, 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) will carry out a one (1) for twenty (20) reverse stock split on June 25, 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content: "Orlock Motors (NASDAQ: ORLK) will carry out a 1-20 reverse stock split on June 25, 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content: "Orlock Motors (NASDAQ: ORLK) will carry out a one-for-20 reverse stock split on June 25, 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content: "Orlock Motors (NASDAQ: ORLK) will carry out a 1/20 reverse stock split on June 25, 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content: "Orlock Motors (NASDAQ: ORLK) will carry out a 20-old-for-1-new reverse stock split on June 25, 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content: "Orlock Motors (NASDAQ: ORLK) will carry out a twenty-to-one reverse stock split on June 25, 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("a ratio in its own sentence", () => {
  it.each<Case>([
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) will carry out a reverse stock split on June 25, 2024. Every 20 old shares will be exchanged for one new share.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) will carry out a reverse stock split on June 25, 2024. Holders will receive one new share for each 20 shares held.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) will carry out a reverse stock split on June 25, 2024. Twenty shares will become one.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) will carry out a reverse stock split on June 25, 2024. The number of shares will be reduced by a factor of 20.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) will carry out a reverse stock split on June 25, 2024. The consolidation ratio is 20 to 1.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) will carry out a reverse stock split on June 25, 2024. One post-consolidation share will be issued for each twenty pre-consolidation shares.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) will carry out a reverse stock split on June 25, 2024. Shareholders will own one share for every 20 they hold now.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) will carry out a reverse stock split on June 25, 2024. The split will merge 20 shares into one.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("a split that is in effect today", () => {
  it.each<Case>([
    {
      heading: "Hexmoor fund experiences reverse split",
      content:
        "May 26, 2021\n- Hexmoor Silver (NYSEARCA:HXS) has witnessed a 1-for-4 reverse split that is in effect today, Wednesday, May 26th.",
      published: "2021-05-26",
      terms: "reverse_split | 1:4 2021-05-26 effective | -",
    },
    {
      heading: "Hexmoor fund reverse split",
      content: "Hexmoor Silver's 1-for-4 reverse split is now in effect as of today, May 26, 2021.",
      published: "2021-05-26",
      terms: "reverse_split | 1:4 2021-05-26 effective | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("a vote on a split", () => {
  it.each<Case>([
    {
      heading: "Orlock Motors Meeting",
      content:
        "NEW YORK, June 20, 2024 (GLOBE NEWSWIRE) -- Orlock Motors Inc. (NASDAQ: ORLK): Proposal 3 (reverse stock split of 1-for-30): For 12,000,000, Against 15,000,000. Proposal 3 was not approved. Proposal 1 was approved.",
      terms: "other | -",
    },
    {
      heading: "Orlock Motors Meeting",
      content:
        "NEW YORK, June 20, 2024 (GLOBE NEWSWIRE) -- Orlock Motors Inc. (NASDAQ: ORLK) held its annual meeting. Proposal 1 (election of directors) was approved. Proposal 3 (reverse stock split of 1-for-30) was defeated.",
      terms: "other | -",
    },
    {
      heading: "Orlock Motors postpones meeting",
      content:
        "NEW YORK, June 20, 2024 (GLOBE NEWSWIRE) -- Orlock Motors Inc. (NASDAQ: ORLK) postponed its special meeting on the 1-for-30 reverse stock split from June 24, 2024 to July 8, 2024.",
      terms: "other | -",
    },
    {
      heading: "Orlock Motors reschedules meeting",
      content:
        "NEW YORK, June 20, 2024 (GLOBE NEWSWIRE) -- Orlock Motors Inc. (NASDAQ: ORLK) rescheduled the special meeting of stockholders to vote on its 1-for-30 reverse stock split to July 8, 2024.",
      terms: "other | -",
    },
    {
      heading: "Orlock Motors",
      content:
        "NEW YORK, June 20, 2024 (GLOBE NEWSWIRE) -- Orlock Motors Inc. (NASDAQ: ORLK) today announced that the special meeting regarding the proposed 1-for-30 share consolidation has been moved to July 8, 2024.",
      terms: "other | -",
    },
    {
      heading: "Orlock Motors Announces Split Vote",
      content:
        "NEW YORK, June 20, 2024 (GLOBE NEWSWIRE) -- Orlock Motors Inc. (NASDAQ: ORLK) announced that stockholders voted down the 1-for-30 reverse split. The company's shares, which trade on the Nasdaq, would have traded on a split-adjusted basis on June 25, 2024.",
      terms: "other | -",
    },
    {
      heading: "Orlock Motors Announces Split Vote",
      content:
        "NEW YORK, June 20, 2024 (GLOBE NEWSWIRE) -- Orlock Motors Inc. (NASDAQ: ORLK) announced that its stockholders rejected the 1-for-30 reverse split, which would have taken effect on June 25, 2024.",
      terms: "other | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("a reverse split with the inverse forward split", () => {
  it.each<Case>([
    {
      heading: "Orlock Motors Announces Reverse/Forward Split",
      content:
        "NEW YORK, June 20, 2024 (GLOBE NEWSWIRE) -- Orlock Motors Inc. (NASDAQ: ORLK) will effect a one-for-two hundred reverse split and a two hundred-for-one forward split on June 25, 2024.",
      terms: "other | -",
    },
    {
      heading: "Orlock Motors Announces Reverse and Forward Split",
      content:
        "NEW YORK, June 20, 2024 (GLOBE NEWSWIRE) -- Orlock Motors Inc. (NASDAQ: ORLK) will effect a 1-for-500 reverse stock split, and a 500-for-1 forward split on June 25, 2024.",
      terms: "other | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("a period in which the split takes effect", () => {
  it.each<Case>([
    {
      heading: "Orlock Motors Announces Reverse Split",
      content:
        "NEW YORK, June 20, 2024 (GLOBE NEWSWIRE) -- Orlock Motors Inc. (NASDAQ: ORLK) announced a 1-for-30 reverse stock split expected to take effect between June 25 and July 10, 2024.",
      terms: "reverse_split | 1:30 - - | -",
    },
    {
      heading: "Orlock Motors Announces Reverse Split",
      content:
        "NEW YORK, June 20, 2024 (GLOBE NEWSWIRE) -- Orlock Motors Inc. (NASDAQ: ORLK) announced a 1-for-30 reverse stock split expected to be effective in the week of June 24, 2024.",
      terms: "reverse_split | 1:30 - - | -",
    },
    {
      heading: "Orlock Motors Announces Reverse Split",
      content:
        "NEW YORK, June 20, 2024 (GLOBE NEWSWIRE) -- Orlock Motors Inc. (NASDAQ: ORLK) announced a 1-for-30 reverse stock split to be effective from June 25 to July 10, 2024.",
      terms: "reverse_split | 1:30 - - | -",
    },
    {
      heading: "Orlock Motors Announces Reverse Split",
      content:
        "NEW YORK, June 20, 2024 (GLOBE NEWSWIRE) -- Orlock Motors Inc. (NASDAQ: ORLK) announced a 1-for-30 reverse stock split expected to take effect on June 25 or June 26, 2024.",
      terms: "reverse_split | 1:30 - - | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("a consolidation that the ADS ratio balances", () => {
  it.each<Case>([
    {
      heading: "Orlock plc Announces Share Consolidation with No ADS Ratio Change",
      content:
        "NEW YORK, June 20, 2024 (GLOBE NEWSWIRE) -- Orlock plc (NASDAQ: ORLK) will consolidate thirty ordinary shares into one and at the same time change the ADS from thirty ordinary shares to one new share. The ADS price is not affected. Effective June 25, 2024.",
      terms: "ads_ratio_change | - - - | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("text that a browser hides", () => {
  it.each<Case>([
    {
      heading: "Orlock Motors Reports Earnings",
      content:
        '<p>Orlock Motors Inc. (NASDAQ: ORLK) reported earnings.</p><p style="display:none">Orlock Motors Inc. (NASDAQ: ORLK) announced a 1-for-30 reverse stock split effective June 25, 2024</p><p hidden>announced a 1-for-30 reverse stock split</p>',
      terms: "other | -",
    },
    {
      heading: "Orlock Motors Split",
      content:
        '<div style="display: block"><p>Orlock Motors Inc. (NASDAQ: ORLK) announced a 1-for-30 reverse stock split effective June 25, 2024.</p></div><div hidden>1-for-70 reverse split effective July 1, 2024.</div>',
      published: "2024-06-20",
      terms: "reverse_split | 1:30 2024-06-25 effective | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("a range of ratios", () => {
  it.each<Case>([
    {
      heading: "Orlock Motors Reverse Split",
      content:
        "NEW YORK, June 20, 2024 (GLOBE NEWSWIRE) -- Orlock Motors Inc. (NASDAQ: ORLK) announced a reverse stock split at a ratio between 1-for-10 and 1-for-30, the exact ratio to be set by the board before June 25, 2024.",
      terms: "ratio_range | -",
    },
    {
      heading: "Orlock Motors Announces Reverse Split",
      content:
        "NEW YORK, June 20, 2024 (GLOBE NEWSWIRE) -- Orlock Motors Inc. (NASDAQ: ORLK) announced a reverse stock split in the range of 1-for-10 to 1-for-30; the final ratio will be determined by the board.",
      terms: "ratio_range | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("two exchanges with two days", () => {
  it.each<Case>([
    {
      heading: "Orlock Announces Share Consolidation",
      content:
        "CALGARY, April 28, 2023 -- Orlock Motors Inc. (NYSE American: ORLK) (TSX: ORLK) announced a 1-for-10 reverse stock split. Trading on a split-adjusted basis will begin on May 5, 2023 on the NYSE American, and on the TSX on May 8, 2023.",
      terms: "reverse_split | 1:10 2023-05-05 trading | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("trading that began today", () => {
  it.each<Case>([
    {
      heading: "Orlock Announces Reverse Split",
      content:
        "NEW YORK, May 5, 2023 -- Orlock Motors Inc. (NASDAQ: ORLK) announced that its common stock began trading on a split-adjusted basis on the Nasdaq this morning, May 5, 2023, following a 1-for-10 reverse stock split.",
      terms: "reverse_split | 1:10 2023-05-05 trading | -",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("other wordings of a decided split", () => {
  it.each<Case>([
    {
      heading: "Orlock Motors stock falls",
      content: "Orlock Motors (NASDAQ: ORLK) to carry out a 1-for-20 reverse split on June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Why Orlock Motors Shares Are Trading Lower",
      content:
        "Orlock Motors (NASDAQ: ORLK) is undergoing a 1-for-20 reverse stock split, with split-adjusted trading starting June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "",
      content: "Orlock Motors' (NASDAQ: ORLK) 20-to-1 share consolidation takes effect on June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors stockholders approve reverse split",
      content: "Shares of Orlock Motors (NASDAQ: ORLK) will be consolidated 20-to-1 on June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors stock falls",
      content:
        "Holders of Orlock Motors (NASDAQ: ORLK) will get one share for every 20 shares they own when the reverse split takes effect on June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Why Orlock Motors Shares Are Trading Lower",
      content:
        "The board of Orlock Motors (NASDAQ: ORLK) approved a one-for-twenty reverse stock split of the Company's ordinary shares, effective June 25, 2024 [1].",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "",
      content:
        "Core Viewpoint - Orlock Motors (NASDAQ: ORLK) has announced a 1-for-20 reverse stock split. - The reverse stock split will combine every 20 pre-split shares into one new share, effective at 12:01 a.m. Eastern Time on June 25, 2024 [2][3].",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors stockholders approve reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) has set June 25 as the effective date of its 1-for-20 reverse stock split.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors stock falls",
      content:
        "Orlock Motors (NASDAQ: ORLK) will execute its previously announced 1-for-20 reverse split on June 25, 2024.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Why Orlock Motors Shares Are Trading Lower",
      content: "The 1-for-20 reverse split of Orlock Motors (NASDAQ: ORLK) is now scheduled for June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "",
      content:
        "Orlock Motors (NASDAQ: ORLK) has finalized a 1-for-20 reverse split ratio, within the range of 1-for-10 to 1-for-50 that stockholders approved in May; the split becomes effective on June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors stockholders approve reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) gets the green light for its 1-for-20 reverse split, which will be effective June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors stock falls",
      content:
        "Following stockholder approval, Orlock Motors' (NASDAQ: ORLK) board set a ratio of 1-for-20 for the reverse split, which will be effective June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Why Orlock Motors Shares Are Trading Lower",
      content:
        "Orlock Motors (NASDAQ: ORLK) stockholders approved a 1-for-20 reverse stock split, which will take effect on June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "",
      content:
        "Orlock Motors (NASDAQ: ORLK) filed an amendment to its charter to effect a 1-for-20 reverse stock split effective June 25, 2024.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("other wordings of the first trading day", () => {
  it.each<Case>([
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The stock will trade ex-split on June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. Shares are expected to trade on a split-adjusted basis at the open on 25/06/2024.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The split's ex-date is 25.06.2024.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The split is effective 06-25-2024.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The shares will start trading split-adjusted on Tuesday (June 25).",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. Split-adjusted trading kicks off June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. Trading is expected to begin on a split-adjusted basis June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The reverse split will be reflected in the share price from June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The reverse split is happening on June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The reverse split kicks in Tuesday.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The reverse split takes effect after Monday's close.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The new shares hit the market on June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The change goes into effect before the bell on Tuesday.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The reverse split becomes effective at 12:01 a.m. ET on June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. It becomes effective at 5 p.m. ET on June 24.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The first day of split-adjusted trading will be June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The consolidation will take effect from the start of trade on 25 June.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. Its shares will begin to trade on a post-split basis as of Tuesday, June 25th.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. ORLK will open for trading on Tuesday at its post-split price.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. On Tuesday, June 25, the stock will begin trading at the split-adjusted price.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. Effective as of the opening of business on the 25th of June, 2024, each 20 shares will become one.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The company expects its stock to begin trading on a split-adjusted basis when markets open on June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The record date is June 24, and the shares will be consolidated on June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The split will be executed after the market closes on June 24.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The split will be executed after markets close Monday.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content: "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The split is set for June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. Reverse split date: June 25, 2024.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. Effective date: June 25, 2024. Record date: June 24, 2024.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The split, set to occur on June 25, was approved by holders on May 20.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The reverse split will be implemented on June 25, 2024, following approval at the May 20, 2024 annual meeting.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. Shareholders approved the split on May 20, and it will be effective June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The shares will be traded under the new ISIN from June 25, 2024.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
    {
      heading: "Orlock Motors sets reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The last day of trading of the old shares is June 24, and the new shares begin trading on June 25.",
      published: "2024-06-20",
      terms: ["reverse_split | 1:20 2024-06-25 trading | -", "reverse_split | 1:20 2024-06-25 effective | -"],
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("releases, filings and notices of funds, depositary banks and exchanges", () => {
  it.each<Case>([
    {
      heading: "Orlock Announces Completion of Reverse Stock Split",
      content:
        "Orlock Motors, Inc. (NYSE: ORLK) completed a 1-for-8 reverse stock split effective January 11, 2023.\nNEW YORK--(BUSINESS WIRE)-- Orlock Motors, Inc. (NYSE: ORLK) announced today that it completed a previously announced reverse stock split at a ratio of 1-for-8. The Reverse Stock Split took effect at 5:00 p.m. Eastern Time on January 11, 2023. Any fractional shares will be settled by cash payment.",
      terms: "reverse_split | 1:8 2023-01-12 effective | cash_in_lieu",
    },
    {
      heading: "Hexmoor Announces ETF Reverse Share Split",
      content:
        "Hexmoor Funds announced today a reverse share split on its Hexmoor Short Silver ETF (NYSE Arca: HXS). The reverse split will be 1:5. All reverse splits will be effective prior to market open on May 26, 2021, when the fund begins trading at its post-split price. The ticker symbol will not change.\nFractional shares\nShareholders who hold quantities of shares that are not an exact multiple of the reverse split ratio will be left with fractional shares, which will be redeemed for cash and sent to your broker of record.",
      published: "2021-05-11",
      terms: "reverse_split | 1:5 2021-05-26 trading | cash_in_lieu",
    },
    {
      heading: "Hexmoor Announces ETF Reverse Share Split",
      content:
        'Hexmoor Funds announced a 1-for-5 reverse split of its Hexmoor Short Silver ETF (NYSE Arca: HXS). After the close of the markets on May 25, 2021 (the "Record Date"), the fund will effect the reverse split. Shares of the fund will be offered on a split-adjusted basis on May 26, 2021. A fund will redeem for cash a shareholder\'s fractional shares at the split-adjusted NAV as of the Record Date.',
      published: "2021-05-11",
      terms: "reverse_split | 1:5 2021-05-26 trading | cash_in_lieu",
    },
    {
      heading: "Hexmoor Announces Consolidation of Units",
      content:
        "TORONTO, May 11, 2021 (GLOBE NEWSWIRE) -- Hexmoor ETFs announced a consolidation of the units of the Hexmoor Short Silver ETF (TSX: HXS) on a 1:5 basis. The consolidation will be effective before the opening of trading on the TSX on May 26, 2021. No fractional units will be issued; the number of post-consolidation units will be rounded down to the nearest whole unit.",
      terms: "reverse_split | 1:5 2021-05-26 trading | round_down",
    },
    {
      heading: "Hexmoor Announces Consolidation",
      content:
        "TORONTO, May 11, 2021 -- Hexmoor ETFs announced a consolidation of the units of Hexmoor Short Silver ETF (TSX: HXS) at 5:1. The record date will be May 25, 2021, and the units will begin trading on a consolidated basis at market open on May 26, 2021, the effective date.",
      terms: "reverse_split | 1:5 2021-05-26 trading | -",
    },
    {
      heading: "Orlock Announces ADS Ratio Change",
      content:
        'SHANGHAI, June 10, 2024 /PRNewswire/ -- Orlock Ltd. (NASDAQ: ORLK) today announced that it plans to change the ratio of its American depositary shares ("ADSs") to its ordinary shares from one ADS representing two ordinary shares to one ADS representing twenty ordinary shares. The ADS Ratio Change is expected to become effective on or about June 25, 2024. For ADS holders, the ADS Ratio Change will have the same effect as a one-for-ten reverse ADS split. No fractional new ADSs will be issued. Instead, fractional entitlements to new ADSs will be aggregated and sold by the depositary bank and the net cash proceeds will be distributed to the holders.',
      terms: "ads_ratio_change | 1:10 2024-06-25 effective | cash_in_lieu",
    },
    {
      heading: "Orlock announces ratio change under its ADR program",
      content:
        "Orlock Ltd. (NASDAQ, Euronext Amsterdam: ORLK) announces that it will change the ratio under its American Depositary Receipt program from one ADS representing one ordinary share to one ADS representing 25 ordinary shares. This change, effective March 6, 2023, has the same effect as a reverse split. The effective date of the Ratio Change is expected to be 6 March 2023.",
      published: "2023-02-20",
      terms: "ads_ratio_change | 1:25 2023-03-06 effective | -",
    },
    {
      heading: "Orlock ADS ratio",
      content:
        "Orlock Ltd. (NASDAQ: ORLK) will change its ADS ratio from 1 ADS: 1 share to 1 ADS: 25 shares. The ADSs will trade at the new ratio from the open on March 6, 2023.",
      published: "2023-02-20",
      terms: "ads_ratio_change | 1:25 2023-03-06 trading | -",
    },
    {
      heading: "Form 8-K",
      content:
        'Date of Report (Date of earliest event reported): June 18, 2024\nOn June 18, 2024, Orlock Motors Inc. (the "Company") filed a Certificate of Amendment to its Certificate of Incorporation to effect a 1-for-20 reverse stock split of its common stock, effective as of 12:01 a.m. on June 25, 2024 (the "Effective Time"). The common stock will begin trading on a split-adjusted basis when the market opens on June 25, 2024. Stockholders otherwise entitled to a fractional share will receive one whole share in lieu thereof.',
      terms: "reverse_split | 1:20 2024-06-25 trading | round_up",
    },
    {
      heading: "Orlock Motors, Inc.",
      content:
        "Date of Report (Date of earliest event reported): June 24, 2024\nItem 5.03\nOn June 24, 2024, Orlock Motors Inc. filed a Certificate of Amendment to effect a 1-for-20 reverse stock split. The Reverse Stock Split became effective at 4:05 p.m. on June 24, 2024. The common stock commenced trading on a split-adjusted basis at the market open on June 25, 2024. No fractional shares were issued; fractional shares were rounded up to the next whole share.",
      terms: "reverse_split | 1:20 2024-06-25 trading | round_up",
    },
    {
      heading: "Item 3.03 Material Modification to Rights of Security Holders",
      content:
        "On June 18, 2024, the board approved a final ratio of 1-for-20 for the reverse stock split that stockholders had approved on May 20, 2024. The Reverse Stock Split will become effective at 5:00 p.m. on June 24, 2024, and the common stock will open for trading on June 25, 2024 on a post-split basis.",
      terms: "reverse_split | 1:20 2024-06-25 trading | -",
    },
    {
      heading: "Orlock Motors Announces Effective Date of Share Consolidation",
      content:
        "VANCOUVER, British Columbia, June 20, 2024 -- Orlock Motors Inc. (TSXV: ORLK) announces that, further to its news release of June 3, 2024, effective at the opening on Tuesday, June 25, 2024, the common shares will commence trading on the TSX Venture Exchange on a consolidated basis of one new share for twenty old shares.",
      terms: "reverse_split | 1:20 2024-06-25 trading | -",
    },
    {
      heading: "Orlock Motors Announces Consolidation",
      content:
        "June 20, 2024 - Vancouver, BC: Orlock Motors Inc. (CSE: ORLK) announces that it will consolidate its issued and outstanding common shares on the basis of twenty (20) pre-consolidation shares for one (1) post-consolidation share. The Canadian Securities Exchange has set June 25, 2024 as the day on which the shares will begin trading on a post-consolidated basis. The record date is June 26, 2024.",
      terms: "reverse_split | 1:20 2024-06-25 trading | -",
    },
    {
      heading: "Orlock Motors Announces Consolidation",
      content:
        "June 20, 2024 - Orlock Motors Inc. (CSE: ORLK) announces that the consolidation of its shares on a 20:1 basis will be effective on June 25, 2024, with a record date of June 26, 2024. The shares will trade on a consolidated basis from market open on June 25, 2024.",
      terms: "reverse_split | 1:20 2024-06-25 trading | -",
    },
    {
      heading: "Orlock Motors Just Announced a Reverse Stock Split. Here's What You Need to Know",
      content:
        "Orlock Motors (NASDAQ: ORLK) investors face a 1-for-20 reverse stock split. The stock will trade on a split-adjusted basis as soon as the market opens on Tuesday.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 trading | -",
    },
    {
      heading: "Orlock Motors shares plunge",
      content:
        "Shares of Orlock Motors (NASDAQ: ORLK) plunged 30% on Thursday ahead of a 1-for-20 reverse stock split that goes into effect on Tuesday.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors: reverse split",
      content:
        "Orlock Motors (NASDAQ: ORLK): Following the completion of the 1-for-20 reverse stock split after close of trading on Monday, June 24, 2024, the shares began trading on a split-adjusted basis today, June 25, 2024.",
      published: "2024-06-25",
      terms: "reverse_split | 1:20 2024-06-25 trading | -",
    },
    {
      heading: "Orlock Motors Inc. Effects Reverse Split",
      content:
        "Orlock Motors Inc. (NASDAQ: ORLK) said Tuesday that its common stock began trading on a split-adjusted basis at the open of trading today following a 1-for-20 reverse split.",
      published: "2024-06-25",
      terms: "reverse_split | 1:20 2024-06-25 trading | -",
    },
    {
      heading: "Orlock Motors Announces Reverse Split",
      content:
        "Trading on the Nasdaq on a split-adjusted basis is scheduled for Tuesday, June 25, 2024. Orlock Motors Inc. (NASDAQ: ORLK) will effect the 1-for-20 reverse stock split on Monday, June 24, 2024 at 11:59 p.m.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 trading | -",
    },
    {
      heading: "Orlock Motors Announces Reverse Split",
      content:
        "Orlock Motors Inc. (NASDAQ: ORLK) will effect the 1-for-20 reverse stock split on Monday, June 24, 2024 at 11:59 p.m.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors Announces Reverse Split",
      content:
        "Orlock Motors Inc. (NASDAQ: ORLK) announced a 1-for-20 reverse stock split, effective after the close of trading on July 3, 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-07-05 effective | -",
    },
    {
      heading: "Orlock Motors Announces Reverse Split",
      content:
        "Orlock Motors Inc. (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. The reverse split was approved by the board on June 10, 2024, by stockholders on May 20, 2024, and will be effective for trading on June 25, 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 trading | -",
    },
    {
      heading: "Orlock Motors Revises Date of Reverse Split",
      content:
        "Orlock Motors Inc. (NASDAQ: ORLK) announced that its 1-for-20 reverse stock split will now be effective June 26, 2024, not June 25, 2024 as announced. Shares will begin trading on a split-adjusted basis on June 26, 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-26 trading | -",
    },
    {
      heading: "Orlock Motors Announces Reverse Split",
      content:
        'Orlock Motors Inc. (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. At the market open on June 25, 2024, each twenty shares will become one share. The stock trades under "ORLKD" for 20 business days until July 24, 2024.',
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 trading | -",
    },
    {
      heading: "Orlock Motors Announces FINRA Approval of Reverse Split",
      content:
        "Orlock Motors Inc. (OTC: ORLK) announced that FINRA has approved its 1-for-20 reverse stock split with a market effective date of June 25, 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 trading | -",
    },
    {
      heading: "Orlock Motors Announces Reverse Split",
      content:
        "Orlock Motors Inc. (OTC: ORLK) announced that FINRA's daily list of June 24, 2024 shows its 1-for-20 reverse stock split, which will be effective at the open of business on June 25, 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 trading | -",
    },
    {
      heading: "Share consolidation",
      content:
        "Orlock Motors plc (LSE: ORLK) announces a share consolidation on the basis of 1 new ordinary share for every 20 existing ordinary shares. Last day of dealings in existing shares: 24 June 2024. Record date: 6.00 p.m. on 24 June 2024. Admission and commencement of dealings in the new ordinary shares: 8.00 a.m. on 25 June 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 trading | -",
    },
    {
      heading: "Share consolidation",
      content:
        "Orlock Motors plc (LSE: ORLK) confirms that its share consolidation of 20 existing ordinary shares into 1 new ordinary share becomes effective and that dealings in the new ordinary shares will commence at 8.00 a.m. on 25 June 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 trading | -",
    },
    {
      heading: "Orlock reverse split",
      content:
        "Orlock Motors AB carries out a reverse split 1:20. The last day of trading before the reverse split is 24 June 2024, the first day of trading after the reverse split is 25 June 2024 and the record date is 26 June 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 trading | -",
    },
    {
      heading: "Orlock Motors to Effect Reverse Split",
      content:
        "Orlock Motors Inc. (NASDAQ: ORLK) will effect a 1-for-20 reverse stock split effective at the close of business on June 24, 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 effective | -",
    },
    {
      heading: "Orlock Motors to Effect Reverse Split",
      content:
        "Orlock Motors Inc. (NASDAQ: ORLK) will effect a 1-for-20 reverse stock split in the last week of June 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 - - | -",
    },
    {
      heading: "Orlock Motors to Effect Reverse Split",
      content:
        "Orlock Motors Inc. (NASDAQ: ORLK) announced a 1-for-20 reverse stock split. It expects the split to be effective on or before June 25, 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 - - | -",
    },
    {
      heading: "Orlock Motors Announces 1-for-20 Reverse Stock Split",
      content:
        "Orlock Motors Inc. (NASDAQ: ORLK) announced a 1-for-20 reverse split. Post-split trading will start on June 25, 2024. Holders will get a cash payment instead of fractional shares, equal to the fraction times the average closing price for the five days before June 25, 2024.",
      published: "2024-06-20",
      terms: "reverse_split | 1:20 2024-06-25 trading | cash_in_lieu",
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("a text without a new split", () => {
  it.each<Case>([
    {
      heading: "Note 3",
      content: "In 2019, we announced the completion of a 1-for-20 reverse stock split effective May 1, 2019.",
      terms: [
        "other | -",
        "forward_split | -",
        "completed_past | -",
        "approval_only | -",
        "ratio_range | -",
        "deficiency | -",
        "reverse_split | 1:20 - - | -",
        "reverse_split | - - - | -",
        "cancelled | 1:20 - - | -",
      ],
    },
    {
      heading: "Stockholders' equity",
      content:
        "On May 1, 2019, the Company announced that it completed a 1-for-20 reverse stock split. Trading on a split-adjusted basis began on May 2, 2019.",
      terms: [
        "other | -",
        "forward_split | -",
        "completed_past | -",
        "approval_only | -",
        "ratio_range | -",
        "deficiency | -",
        "reverse_split | 1:20 - - | -",
        "reverse_split | - - - | -",
        "cancelled | 1:20 - - | -",
      ],
    },
    {
      heading: "Basis of presentation",
      content:
        "The Company's 1-for-20 reverse stock split became effective on June 25, 2023. Shares began trading on a split-adjusted basis on June 26, 2023.",
      terms: [
        "other | -",
        "forward_split | -",
        "completed_past | -",
        "approval_only | -",
        "ratio_range | -",
        "deficiency | -",
        "reverse_split | 1:20 - - | -",
        "reverse_split | - - - | -",
        "cancelled | 1:20 - - | -",
      ],
    },
    {
      heading: "Subsequent events",
      content:
        "On June 25, 2023, the Company completed a reverse stock split of its common stock at a ratio of 1-for-20.",
      terms: [
        "other | -",
        "forward_split | -",
        "completed_past | -",
        "approval_only | -",
        "ratio_range | -",
        "deficiency | -",
        "reverse_split | 1:20 - - | -",
        "reverse_split | - - - | -",
        "cancelled | 1:20 - - | -",
      ],
    },
    {
      heading: "Orlock Motors Reports Results",
      content:
        "Orlock Motors (NASDAQ: ORLK) reported results for the quarter. All figures reflect the 1-for-20 reverse split that took effect on May 1, 2024.",
      published: "2024-06-20",
      terms: [
        "other | -",
        "forward_split | -",
        "completed_past | -",
        "approval_only | -",
        "ratio_range | -",
        "deficiency | -",
        "reverse_split | 1:20 - - | -",
        "reverse_split | - - - | -",
        "cancelled | 1:20 - - | -",
      ],
    },
    {
      heading: "Orlock Motors considers reverse split",
      content: "Orlock Motors (NASDAQ: ORLK) may effect a 1-for-20 reverse stock split by June 25.",
      published: "2024-06-20",
      terms: [
        "other | -",
        "forward_split | -",
        "completed_past | -",
        "approval_only | -",
        "ratio_range | -",
        "deficiency | -",
        "reverse_split | 1:20 - - | -",
        "reverse_split | - - - | -",
        "cancelled | 1:20 - - | -",
      ],
    },
    {
      heading: "Orlock Motors proposes reverse split",
      content: "Stockholders will vote on a 1-for-20 reverse stock split on June 25.",
      published: "2024-06-20",
      terms: [
        "other | -",
        "forward_split | -",
        "completed_past | -",
        "approval_only | -",
        "ratio_range | -",
        "deficiency | -",
        "reverse_split | 1:20 - - | -",
        "reverse_split | - - - | -",
        "cancelled | 1:20 - - | -",
      ],
    },
    {
      heading: "Orlock Motors proposes reverse split",
      content: "If approved, the 1-for-20 reverse stock split would take effect on June 25.",
      published: "2024-06-20",
      terms: [
        "other | -",
        "forward_split | -",
        "completed_past | -",
        "approval_only | -",
        "ratio_range | -",
        "deficiency | -",
        "reverse_split | 1:20 - - | -",
        "reverse_split | - - - | -",
        "cancelled | 1:20 - - | -",
      ],
    },
    {
      heading: "Orlock Motors plans reverse split",
      content: "Orlock Motors (NASDAQ: ORLK) plans a special meeting on June 25 to approve a 1-for-20 reverse split.",
      published: "2024-06-20",
      terms: [
        "other | -",
        "forward_split | -",
        "completed_past | -",
        "approval_only | -",
        "ratio_range | -",
        "deficiency | -",
        "reverse_split | 1:20 - - | -",
        "reverse_split | - - - | -",
        "cancelled | 1:20 - - | -",
      ],
    },
    {
      heading: "Orlock Motors plans reverse split",
      content: "Orlock Motors (NASDAQ: ORLK) plans a 1-for-20 reverse split after the meeting on June 25.",
      published: "2024-06-20",
      terms: [
        "other | -",
        "forward_split | -",
        "completed_past | -",
        "approval_only | -",
        "ratio_range | -",
        "deficiency | -",
        "reverse_split | 1:20 - - | -",
        "reverse_split | - - - | -",
        "cancelled | 1:20 - - | -",
      ],
    },
    {
      heading: "What is a reverse split?",
      content:
        "A reverse split reduces the number of shares. For example, in a 1-for-20 reverse split effective June 25, 2024, a holder of 20 shares would own one.",
      published: "2024-06-20",
      terms: [
        "other | -",
        "forward_split | -",
        "completed_past | -",
        "approval_only | -",
        "ratio_range | -",
        "deficiency | -",
        "reverse_split | 1:20 - - | -",
        "reverse_split | - - - | -",
        "cancelled | 1:20 - - | -",
      ],
    },
    {
      heading: "Shareholder alert",
      content:
        "Deadline June 25: law firm reminds holders of Orlock Motors (NASDAQ: ORLK), which announced a 1-for-20 reverse split on May 1, 2024.",
      published: "2024-06-20",
      terms: [
        "other | -",
        "forward_split | -",
        "completed_past | -",
        "approval_only | -",
        "ratio_range | -",
        "deficiency | -",
        "reverse_split | 1:20 - - | -",
        "reverse_split | - - - | -",
        "cancelled | 1:20 - - | -",
      ],
    },
    {
      heading: "Orlock Motors receives Nasdaq notice",
      content: "The Company must regain compliance by June 25, 2024 and may do so by a 1-for-20 reverse split.",
      published: "2024-06-20",
      terms: [
        "other | -",
        "forward_split | -",
        "completed_past | -",
        "approval_only | -",
        "ratio_range | -",
        "deficiency | -",
        "reverse_split | 1:20 - - | -",
        "reverse_split | - - - | -",
        "cancelled | 1:20 - - | -",
      ],
    },
    {
      heading: "Organization (Details)",
      content:
        "12 Months Ended Dec. 31, 2023. The Company effected a 1-for-20 reverse split on June 25, 2023, and announced the completion of it on June 26, 2023.",
      terms: [
        "other | -",
        "forward_split | -",
        "completed_past | -",
        "approval_only | -",
        "ratio_range | -",
        "deficiency | -",
        "reverse_split | 1:20 - - | -",
        "reverse_split | - - - | -",
        "cancelled | 1:20 - - | -",
      ],
    },
    {
      heading: "Warrants (Details)",
      content: "Warrants: after the 1-for-20 reverse split of June 25, 2023, the exercise price is $20.",
      terms: [
        "other | -",
        "forward_split | -",
        "completed_past | -",
        "approval_only | -",
        "ratio_range | -",
        "deficiency | -",
        "reverse_split | 1:20 - - | -",
        "reverse_split | - - - | -",
        "cancelled | 1:20 - - | -",
      ],
    },
    {
      heading: "Common Stock",
      content:
        "In connection with the reverse split, effective on June 25, 2023, every 20 shares were combined into one share.",
      terms: [
        "other | -",
        "forward_split | -",
        "completed_past | -",
        "approval_only | -",
        "ratio_range | -",
        "deficiency | -",
        "reverse_split | 1:20 - - | -",
        "reverse_split | - - - | -",
        "cancelled | 1:20 - - | -",
      ],
    },
    {
      heading: "Orlock Motors stock split history",
      content:
        "Orlock Motors had a 1-for-20 reverse split on June 25, 2023. Before that it had a 2-for-1 split on May 5, 2001.",
      terms: [
        "other | -",
        "forward_split | -",
        "completed_past | -",
        "approval_only | -",
        "ratio_range | -",
        "deficiency | -",
        "reverse_split | 1:20 - - | -",
        "reverse_split | - - - | -",
        "cancelled | 1:20 - - | -",
      ],
    },
    {
      heading: "Orlock stock split history",
      content:
        "Has Orlock Motors ever split its stock? Yes, Orlock completed a 1-for-20 reverse split effective June 25, 2023.",
      published: "2024-06-20",
      terms: [
        "other | -",
        "forward_split | -",
        "completed_past | -",
        "approval_only | -",
        "ratio_range | -",
        "deficiency | -",
        "reverse_split | 1:20 - - | -",
        "reverse_split | - - - | -",
        "cancelled | 1:20 - - | -",
      ],
    },
    {
      heading: "Orlock Motors meeting",
      content: "Stockholders rejected the 1-for-20 reverse stock split that was to take effect on June 25, 2024.",
      published: "2024-06-20",
      terms: [
        "other | -",
        "forward_split | -",
        "completed_past | -",
        "approval_only | -",
        "ratio_range | -",
        "deficiency | -",
        "reverse_split | 1:20 - - | -",
        "reverse_split | - - - | -",
        "cancelled | 1:20 - - | -",
      ],
    },
    {
      heading: "Orlock Motors statement",
      content: "The 1-for-20 reverse split will not take place on June 25, 2024.",
      published: "2024-06-20",
      terms: [
        "other | -",
        "forward_split | -",
        "completed_past | -",
        "approval_only | -",
        "ratio_range | -",
        "deficiency | -",
        "reverse_split | 1:20 - - | -",
        "reverse_split | - - - | -",
        "cancelled | 1:20 - - | -",
      ],
    },
  ])("gives $terms: $heading: $content", (text) => {
    expect([text.terms].flat()).toContain(read(text));
  });
});

describe("a split without its usual name", () => {
  it.each<Case>([
    {
      heading: "Orlock Motors holders approve reverse stock split",
      content:
        "Orlock Motors Corp. shareholders voted Monday to approve the company's plan. The company announced it would combine 200 shares into one, effective before markets open on April 15.",
      published: "2024-04-09",
      terms: "reverse_split | 1:200 2024-04-15 trading | -",
    },
    {
      heading: "Orlock Motors holders approve reverse stock split",
      content: "Orlock Motors will combine every 30 common shares into one share before the market opens on April 15.",
      published: "2024-04-09",
      terms: "reverse_split | 1:30 2024-04-15 effective | -",
    },
    {
      heading: "Ex reversed split from today 15th of April",
      content:
        "The shares in Orlock Motors ASA will be traded ex reversed split as from today 15th of April. 10 old shares gives 1 new share.",
      published: "2024-04-15",
      terms: "reverse_split | 1:10 2024-04-15 trading | -",
    },
    {
      heading: "Corporate action",
      content:
        "The shares of Orlock Motors ASA will trade ex reverse split from 15 April 2024. 10 old shares make 1 new share.",
      published: "2024-04-12",
      terms: "reverse_split | 1:10 2024-04-15 trading | -",
    },
  ])("gives $terms: $content", (text) => {
    expect(read(text)).toBe(text.terms);
  });

  it.each([
    "Orlock Motors would combine 200 shares into one if its holders approve the plan.",
    "Orlock Motors will combine its two mills into one.",
  ])("is none without a decision: %s", (content) => {
    expect(read({ heading: "News of Orlock Motors", content, published: "2024-04-09" })).not.toContain("reverse_split");
  });
});
