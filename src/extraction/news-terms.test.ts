import { describe, expect, it } from "vitest";
import { readTerms, type TermsCase } from "../../test/support/terms.ts";

describe("terms of news and summaries", () => {
  it.each<TermsCase>([
    {
      heading: "Harbor Mills shares sink after reverse split",
      content:
        "Shares of Harbor Mills (NASDAQ: HMIL) fell 18% on Wednesday after the company said it would carry out a one-for-20 reverse stock split. Shares will start trading on a split-adjusted basis Friday. The retailer has struggled to keep its price above the $1 minimum.",
      published: "2024-05-15",
      terms: "reverse_split | 1:20 2024-05-17 trading | -",
    },
    {
      heading: "Why Harbor Mills stock is down today",
      content:
        "Harbor Mills Inc. shares are trading lower Monday as the 1-for-10 reverse stock split went into effect before the opening bell. The company announced the split last week to regain Nasdaq compliance.",
      published: "2024-07-08",
      terms: "reverse_split | 1:10 2024-07-08 effective | -",
    },
    {
      heading: "Harbor Mills to reverse-split stock 1-for-30",
      content:
        "(Reuters) - Electric truck maker Harbor Mills said on Thursday it would go ahead with a 1-for-30 reverse stock split, effective after trading closes on June 24. The split-adjusted stock will begin to trade the following day.",
      published: "2024-06-20",
      terms: "reverse_split | 1:30 2024-06-25 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Split: What Investors Should Know",
      content:
        "The reverse split takes effect prior to market open on Tuesday, October 1. Every 25 shares of Harbor Mills common stock will turn into one. Harbor Mills will not issue fractional shares; investors who would have received one will get cash.",
      published: "2024-09-25",
      terms: "reverse_split | 1:25 2024-10-01 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces 1-for-12 Reverse Split",
      content:
        "Harbor Mills (HMIL) announced a 1-for-12 reverse stock split as of the open on August 12. The number of shares outstanding will drop to about 4 million from 48 million.",
      published: "2024-08-07",
      terms: "reverse_split | 1:12 2024-08-12 trading | -",
    },
    {
      heading: "Stocks moving",
      content:
        "Harbor Mills (HMIL) tumbled 30% after the company announced a 1-for-40 reverse stock split, to be effective March 15.",
      published: "2024-03-11",
      terms: "reverse_split | 1:40 2024-03-15 effective | -",
    },
    {
      heading: "Harbor Mills stock: split is here",
      content:
        "It is official: Harbor Mills' 1-for-7 reverse split happens tonight after the close, and when the market opens tomorrow, each seven shares will have become one.",
      published: "2024-04-16",
      terms: "reverse_split | 1:7 2024-04-17 trading | -",
    },
    {
      heading: "Harbor Mills stock plunges",
      content:
        "Harbor Mills shares closed at $0.41 on Tuesday. On Wednesday the stock begins trading at its post-split price following the 1-for-50 reverse split.",
      published: "2024-04-16",
      terms: "reverse_split | 1:50 2024-04-17 trading | -",
    },
    {
      heading: "Harbor Mills: reverse split effective Sept. 3",
      content:
        "The telecom company said its previously approved 1-for-5 reverse stock split will be effective at 12:01 a.m. ET on Sept. 3. Trading is expected to begin on a split-adjusted basis at the market open the same day.",
      published: "2024-08-28",
      terms: "reverse_split | 1:5 2024-09-03 trading | -",
    },
    {
      heading: "Harbor Mills to do reverse stock split in bid to avoid delisting",
      content:
        "Harbor Mills, the maker of looms, will do a 15-for-1 reverse stock split on Feb. 9 in a bid to stay listed on the Nasdaq, it said Monday.",
      published: "2024-02-05",
      terms: "reverse_split | 1:15 2024-02-09 effective | -",
    },
    {
      heading: "Harbor Mills stock jumps ahead of split",
      content:
        "The stock jumped 12% on Thursday. The company is set to execute its 1-for-18 reverse split after the bell today. Trading at the new price starts tomorrow.",
      published: "2024-10-17",
      terms: "reverse_split | 1:18 2024-10-18 trading | -",
    },
    {
      heading: "Harbor Mills falls after reverse split",
      content: "Harbor Mills shares fell 9% on Monday, the first day of trading after its 1-for-9 reverse stock split.",
      published: "2024-10-21",
      terms: "reverse_split | 1:9 2024-10-21 trading | -",
    },
  ])("gives the terms of a news story with its publication day: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });

  it.each<TermsCase>([
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills (Nasdaq: HMIL) has announced a 1-for-22 reverse stock split effective December 9, 2024. The split aims to increase the per share trading price to regain compliance with the Nasdaq minimum bid requirement. The common stock will begin trading on a split-adjusted basis under symbol HMIL with new CUSIP number 41165J 20 3. Outstanding shares will be reduced from approximately 88 million to 4 million. No fractional shares will be issued, with holders receiving whole shares through rounding up.\nPositive\n- Potential to regain Nasdaq compliance\nNegative\n- Reverse split may signal financial weakness",
      published: "2024-12-04",
      terms: "reverse_split | 1:22 2024-12-09 effective | round_up",
    },
    {
      heading: "Harbor Mills to Execute 1-for-4 Reverse Split",
      content:
        "Harbor Mills Trust (NYSE: HMT) has announced a 1-for-4 reverse share split of its common shares, effective after market close on June 14, 2024. Trading on a split-adjusted basis will commence on June 17, 2024. Fractional shares will be paid out in cash.",
      published: "2024-06-03",
      terms: "reverse_split | 1:4 2024-06-17 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Completes Share Consolidation",
      content:
        "Harbor Mills (TSXV: HMI) has completed its previously announced share consolidation on a 10:1 basis. The consolidated shares will begin trading at market open on March 4, 2024. Post-consolidation, the company has 6.1 million shares. No fractional shares were issued; fractions of 0.5 or more were rounded up and those below were rounded down.",
      published: "2024-03-01",
      terms: "reverse_split | 1:10 2024-03-04 trading | round_nearest",
    },
    {
      heading: "Harbor Mills Sets Effective Date",
      content:
        "Harbor Mills has scheduled its 1-for-28 reverse stock split to go into effect at market open on January 17, 2025. Key points: (1) 28 shares become 1; (2) fractional shares are redeemed for cash; (3) ticker HMIL unchanged.",
      published: "2025-01-13",
      terms: "reverse_split | 1:28 2025-01-17 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills reverse split FAQ",
      content:
        "When does the reverse split take effect? The split will be effective on April 1, 2024, after the close. When will shares trade split-adjusted? On April 2, 2024. What is the ratio? 1-for-11. What happens to fractional shares? Partial shares will be paid out in cash.",
      terms: "reverse_split | 1:11 2024-04-02 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces 1-for-16 Reverse Stock Split",
      content:
        "TLDR: Harbor Mills Corp. will implement a 1-for-16 reverse split. Effective date: February 12, 2025. Fractional treatment: rounded up. Shares after: 5.5M. Expected to trade split-adjusted: February 13, 2025.",
      published: "2025-02-07",
      terms: "reverse_split | 1:16 2025-02-13 trading | round_up",
    },
    {
      heading: "Harbor Mills Announces Reverse Split",
      content:
        "Harbor Mills (NYSE American: HMIL) announced that its Board has approved a reverse stock split at a ratio of 1-for-33 with market effective date March 18, 2025.",
      published: "2025-03-12",
      terms: "reverse_split | 1:33 2025-03-18 trading | -",
    },
    {
      heading: "Core View",
      content:
        "Core Viewpoint - Harbor Mills, Inc. announced a one-for-fourteen reverse stock split to improve marketability [1]. Details - The reverse split will be effective on May 5, 2025, with shares trading on a post-split basis from the opening of the market that day [2]. - Fractional shares will be settled in cash [3].",
      published: "2025-04-29",
      terms: "reverse_split | 1:14 2025-05-05 trading | cash_in_lieu",
    },
  ])("gives the terms of a summary: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });

  it.each<TermsCase>([
    {
      heading: "Harbor Mills shares tank",
      content:
        "Shares of Harbor Mills Ltd dropped 22.1% in premarket trading on Friday after the firm announced the pricing of an offering. The company effected a 1-for-9 reverse stock split in April 2023.",
      published: "2024-10-21",
      terms: "completed_past | -",
    },
    {
      heading: "Harbor Mills considers split",
      content:
        "Harbor Mills is considering a 1-for-10 reverse stock split that could take effect as early as June 3, people familiar with the matter said.",
      published: "2024-05-20",
      terms: "other | -",
    },
    {
      heading: "Is Harbor Mills about to split its stock?",
      content:
        "Investors expect Harbor Mills to reverse split. A 1-for-20 reverse split, if approved at the meeting on June 10, would put the price at $8.",
      published: "2024-05-20",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills gains",
      content:
        "Harbor Mills regained compliance with Nasdaq's bid price rule. The company's 1-for-20 reverse split, which took effect May 6, lifted the price above $1 for ten straight days.",
      published: "2024-05-22",
      terms: "completed_past | -",
    },
    {
      heading: "Harbor Mills Q2 results",
      content: "Revenue rose 4%. Per-share figures reflect the 1-for-25 reverse stock split effected on July 12, 2024.",
      published: "2024-08-09",
      terms: "completed_past | -",
    },
  ])("finds no new split in other news: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });
});
