import { describe, expect, it } from "vitest";
import { parseDay } from "../domain/time/day.ts";
import { extractFacts } from "./extract.ts";

/** A text with its publication day, if known, and its terms: kind, ratio, ex date with its basis, treatment of fractions. */
interface Case {
  readonly heading: string;
  readonly content: string;
  readonly published?: string;
  readonly terms: string | readonly string[];
}

function read({ heading, content, published = "" }: Case): string {
  const { kind, splits, fraction } = extractFacts({ heading, content, published: parseDay(published) ?? null });
  const terms = splits.map(({ ratio, exDate, exDateBasis }) =>
    [ratio ? `${ratio.newShares}:${ratio.oldShares}` : "-", exDate ?? "-", exDateBasis ?? "-"].join(" "),
  );
  return [kind, ...terms, fraction?.treatment ?? "-"].join(" | ");
}
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
      terms: "reverse_split | 1:20 2019-04-23 effective | -",
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
      terms: "completed_past | -",
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

describe("the treatment of fractions", () => {
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
