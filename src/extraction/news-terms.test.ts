import { describe, expect, it } from "vitest";
import { readTerms, type TermsCase } from "../../test/support/terms.ts";
import { parseDay } from "../domain/time/day.ts";
import { extractFacts } from "./extract.ts";

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
    {
      heading: "Why Harbor Mills Stock Just Crashed 22%",
      content:
        "Harbor Mills stock crashed 22% through 11:20 a.m. ET Thursday. Last night after close of trading, the company announced it will conduct a 1-for-20 reverse stock split. The reverse split will go into effect after the market closes on Nov. 8, and Harbor Mills stock will begin trading on a reverse-split-adjusted basis on Nov. 11.",
      published: "2024-10-31",
      terms: "reverse_split | 1:20 2024-11-11 trading | -",
    },
    {
      heading: "Harbor Mills Stock: What's Going On?",
      content:
        "Harbor Mills shares are trading lower by 14.9% during Friday's session. What To Know: The 1-for-12 reverse stock split is scheduled to be effective Monday at 4:05 p.m. ET, with the stock set to trade on a split-adjusted basis when the market opens Tuesday. The last day of trading at pre-split prices is Monday, Sept. 16.",
      published: "2024-09-13",
      terms: "reverse_split | 1:12 2024-09-17 trading | -",
    },
    {
      heading: "Harbor Mills enacts reverse stock split today",
      content:
        "The reverse stock split of Harbor Mills (HMIL) takes effect today. With the change, every 8 old shares become 1 new share. The stock opened at $7.90 this morning.",
      published: "2024-10-02",
      terms: "reverse_split | 1:8 2024-10-02 effective | -",
    },
    {
      heading: "Harbor Mills' reverse split takes effect: Here's what to know",
      content:
        "Harbor Mills' 1-for-10 reverse stock split took effect before Tuesday's open. Shares were down 5% in early trading.",
      published: "2025-03-18",
      terms: "reverse_split | 1:10 2025-03-18 trading | -",
    },
    {
      heading: "Harbor Mills stock begins trading post-split",
      content:
        "NEW YORK (MarketWire) - Shares of Harbor Mills began trading Thursday on a split-adjusted basis, after a 1-for-25 reverse split.",
      published: "2024-06-06",
      terms: "reverse_split | 1:25 2024-06-06 trading | -",
    },
    {
      heading: "Harbor Mills to consolidate shares 1-for-15 to regain compliance",
      content:
        "The move, which is set to be effective from the open on April 14, follows a warning from Nasdaq in October that the stock had traded below $1 for 30 days.",
      published: "2025-04-07",
      terms: "reverse_split | 1:15 2025-04-14 trading | -",
    },
    {
      heading: "Harbor Mills Shares Slide as Reverse Split Looms",
      content:
        "Harbor Mills shares slid 11% on Wednesday. A 1-for-50 reverse split kicks in Thursday morning before the bell.",
      published: "2024-07-24",
      terms: "reverse_split | 1:50 2024-07-25 effective | -",
    },
    {
      heading: "Harbor Mills Plans Reverse Split",
      content:
        "The ailing chain said it plans to go ahead with a one-for-12 reverse split, effective at 5 pm on Dec. 2, and expects its stock to trade at the adjusted price starting Dec. 3.",
      published: "2024-11-25",
      terms: "reverse_split | 1:12 2024-12-03 trading | -",
    },
    {
      heading: "Harbor Mills Shares Are Falling. Blame a Reverse Split",
      content:
        "Harbor Mills announced late Monday that it would reverse split its stock by a factor of 20. The split would be effective on Friday after the market closes, with trading on a split-adjusted basis starting on Monday, Oct. 7.",
      published: "2024-10-01",
      terms: "reverse_split | 1:20 2024-10-07 trading | -",
    },
    {
      heading: "Harbor Mills completes reverse split",
      content:
        "Harbor Mills said Monday it completed its 1-for-10 reverse split on Friday. The stock opened Monday at $8.10 on a split-adjusted basis.",
      published: "2024-09-30",
      terms: "reverse_split | 1:10 2024-09-30 trading | -",
    },
    {
      heading: "Harbor Mills: reverse split moves to June",
      content: "Harbor Mills postponed its 1-for-10 reverse split, which had been set for May 20, to June 3, 2024.",
      published: "2024-05-16",
      terms: "postponed | 1:10 2024-06-03 effective | -",
    },
    {
      heading: "Harbor Mills Reverse Split Set For Thursday",
      content:
        "Harbor Mills (NASDAQ:HMIL) is set to perform a reverse stock split on Thursday, August 22nd. The 1-30 reverse stock split was announced on Monday, August 19th. The number of shares owned by shareholders will be adjusted after the closing bell on Wednesday, August 21st.",
      published: "2024-08-20",
      terms: "reverse_split | 1:30 2024-08-22 effective | -",
    },
    {
      heading: "Harbor Mills (HMIL) falls ahead of reverse split",
      content:
        "HMIL dropped 7% in premarket trading on Friday ahead of a 1-for-35 reverse stock split that will be effective Monday.",
      published: "2024-11-15",
      terms: "reverse_split | 1:35 2024-11-18 effective | -",
    },
    {
      heading: "Harbor Mills to cut share count",
      content:
        "Harbor Mills will slash its outstanding shares through a reverse split of one-for-60, effective from the beginning of trading on 9 December.",
      published: "2024-12-03",
      terms: "reverse_split | 1:60 2024-12-09 trading | -",
    },
    {
      heading: "Harbor Mills announces share consolidation to keep listing",
      content:
        "The company, which makes looms, said on Tuesday its shareholders approved a 1-for-50 reverse split and that the new shares would start trading on May 22.",
      published: "2024-05-14",
      terms: "reverse_split | 1:50 2024-05-22 trading | -",
    },
    {
      heading: "Harbor Mills Confirms Reverse Split Date",
      content:
        "The company confirmed the reverse split would be executed overnight between July 11 and July 12, with the shares trading on a split-adjusted basis on July 12. Ten existing shares become one.",
      published: "2024-07-08",
      terms: "reverse_split | 1:10 2024-07-12 trading | -",
    },
    {
      heading: "Harbor Mills: A 1-for-16 reverse split is coming",
      content:
        "On December 13, stockholders approved the reverse split, and the board chose a ratio of 1-for-16. It is expected to be effective on or about December 27, 2024.",
      published: "2024-12-17",
      terms: "reverse_split | 1:16 2024-12-27 effective | -",
    },
    {
      heading: "Harbor Mills stock is up after reverse split",
      content:
        "Harbor Mills stock climbed 22% on Monday, a day after the reverse split. Trading in the split shares began Monday. The ratio was 1-for-20.",
      published: "2024-06-10",
      terms: "reverse_split | 1:20 2024-06-10 trading | -",
    },
    {
      heading: "Harbor Mills (NYSE: HMI) Announces Reverse Split",
      content:
        "Harbor Mills filed to reverse split its common stock 1-for-6. The split will be effective before markets open on October 28 and holders will see one share for each six held in their accounts.",
      published: "2024-10-21",
      terms: "reverse_split | 1:6 2024-10-28 trading | -",
    },
    {
      heading: "Harbor Mills to do 1-for-10 reverse split next month",
      content:
        "Harbor Mills plans to complete the reverse split on or around November 18 and have its shares begin trading on a post-split basis on the following day. Fractional holdings will be bought back for cash.",
      published: "2024-10-21",
      terms: "reverse_split | 1:10 2024-11-19 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. announced that its stockholders approved at the annual meeting on June 3, 2024 a reverse split and that its board fixed the ratio at 1-for-20 on June 5, 2024. The amendment was filed on June 6, 2024. The split takes effect at 12:01 a.m. on June 10, 2024; the record date for fractional shares is June 7, 2024.",
      published: "2024-06-06",
      terms: "reverse_split | 1:20 2024-06-10 effective | -",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, whose compliance deadline is July 8, 2024, will effect a 1-for-20 reverse split on June 17, 2024, the same day on which its CFO leaves. Earnings follow on August 8, 2024.",
      published: "2024-06-11",
      terms: "reverse_split | 1:20 2024-06-17 effective | -",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills will begin trading on a split-adjusted basis on June 17, 2024, after a 1-for-20 reverse split. In 2022 it did a 1-for-8 reverse split, effective March 7, 2022.",
      published: "2024-06-11",
      terms: "reverse_split | 1:20 2024-06-17 trading | -",
    },
    {
      heading: "Harbor Mills to effect split",
      content:
        "The 1-for-20 reverse split, which was approved on May 30, 2024 with 1,200,000 votes for and 300,000 against, becomes effective June 17, 2024. New shares will be sent to holders by June 28, 2024.",
      published: "2024-06-11",
      terms: "reverse_split | 1:20 2024-06-17 effective | -",
    },
    {
      heading: "Harbor Mills shares rise 8% on Tuesday",
      content:
        "Harbor Mills shares rose 8% on Tuesday. The 1-for-20 reverse split announced on Monday takes effect on Friday.",
      published: "2024-06-11",
      terms: "reverse_split | 1:20 2024-06-14 effective | -",
    },
    {
      heading: "Harbor Mills raises funds and splits",
      content:
        "Harbor Mills sold shares at $0.30 on June 10, 2024. After a 1-for-20 reverse split that takes effect on June 17, 2024, the price would be $6.00.",
      published: "2024-06-11",
      terms: "reverse_split | 1:20 2024-06-17 effective | -",
    },
    {
      heading: "Harbor Mills: new split date",
      content: "Harbor Mills moved the date of its 1-for-20 reverse split from June 17 to June 24, 2024.",
      published: "2024-06-11",
      terms: "reverse_split | 1:20 2024-06-24 effective | -",
    },
    {
      heading: "Harbor Mills: new ratio",
      content:
        "Harbor Mills changed the ratio of its reverse split from 1-for-20 to 1-for-30. Trading on a split-adjusted basis begins on June 24, 2024.",
      published: "2024-06-11",
      terms: "reverse_split | 1:30 2024-06-24 trading | -",
    },
    {
      heading: "Harbor Mills Announces Reverse Split",
      content:
        "Harbor Mills will effect a 1-for-20 reverse split of its common stock; its preferred stock converts 1-for-5. The split is effective June 17, 2024.",
      published: "2024-06-11",
      terms: "reverse_split | 1:20 2024-06-17 effective | -",
    },
    {
      heading: "Harbor Mills Announces Reverse Split and Authorized Share Reduction",
      content:
        "The number of authorized shares will fall from 500 million to 25 million. The 1-for-20 reverse split is effective June 17, 2024.",
      published: "2024-06-11",
      terms: "reverse_split | 1:20 2024-06-17 effective | -",
    },
    {
      heading: "Harbor Mills Announces Reverse Split",
      content:
        "At a ratio of 1-for-20 the reverse split reduces shares from 40,000,000 to 2,000,000 as of June 17, 2024, when split-adjusted trading starts.",
      published: "2024-06-11",
      terms: "reverse_split | 1:20 2024-06-17 trading | -",
    },
    {
      heading: "Harbor Mills Announces Reverse Split",
      content:
        "On June 14, 2024 after the close of trading, each 20 shares become one; the symbol changes to HMLL on June 18, 2024; the stock trades on a post-split basis on June 17, 2024.",
      published: "2024-06-11",
      terms: "reverse_split | 1:20 2024-06-17 trading | -",
    },
    {
      heading: "Harbor Mills Announces Reverse Split",
      content:
        "Harbor Mills said its reverse split, in a range of 1-for-10 to 1-for-30 approved by holders, will be 1-for-20 and take effect June 17, 2024.",
      published: "2024-06-11",
      terms: "reverse_split | 1:20 2024-06-17 effective | -",
    },
    {
      heading: "Harbor Mills Completes Reverse Split",
      content:
        "Harbor Mills today announced the completion of the 1-for-20 reverse split. The shares began trading on a split-adjusted basis today. It is the second reverse split since 2021.",
      published: "2024-06-17",
      terms: "reverse_split | 1:20 2024-06-17 trading | -",
    },
    {
      heading: "Harbor Mills: split today, results tomorrow",
      content:
        "Harbor Mills begins trading on a split-adjusted basis today following a 1-for-20 reverse split. It reports results tomorrow.",
      published: "2024-06-17",
      terms: "reverse_split | 1:20 2024-06-17 trading | -",
    },
    {
      heading: "Harbor Mills Announces 1-for-25 Reverse Stock Split; Shares Slump",
      content:
        "Harbor Mills, Inc. (NASDAQ:HMIL) shares slumped 24% to $0.19 in Monday's regular session after the EV charging company said its board gave the go-ahead to a 1-for-25 reverse stock split.\nThe split goes into effect Thursday at 12:01 a.m. ET, with the stock expected to open on a split-adjusted basis the same morning under its existing ticker.\nAs a result, 210 million outstanding shares will shrink to 8.4 million. Stockholders who would be left with a fraction will get cash.",
      published: "2024-03-18",
      terms: "reverse_split | 1:25 2024-03-21 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills to undergo reverse stock split",
      content:
        "Crypto miner Harbor Mills will undergo a one-for-ten reverse stock split, according to a filing on Friday. The consolidation becomes effective on Nov. 25, pending no change of plans, and the stock is expected to continue trading under HMIL.",
      published: "2024-11-15",
      terms: "reverse_split | 1:10 2024-11-25 effective | -",
    },
    {
      heading: "Harbor Mills Is Doing A Reverse Split. What You Need To Know.",
      content:
        "What is happening: Harbor Mills is doing a 1-for-8 reverse split.\nWhen: The split happens after the close on July 30; shares begin trading at the adjusted price on Aug. 2.\nWhy: to lift the price.\nFractions: cash.",
      published: "2021-07-30",
      terms: "reverse_split | 1:8 2021-08-02 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Stock Slides After Reverse Split Announcement",
      content:
        'Harbor Mills stock slid on Thursday after the firm unveiled a 1-for-18 reverse split. The move, to be implemented on May 24 before the market opens, was authorized by stockholders on April 30. "We believe this step is important," the CEO said on a May 9 call.',
      published: "2024-05-16",
      terms: "reverse_split | 1:18 2024-05-24 trading | -",
    },
    {
      heading: "Harbor Mills",
      content:
        "Harbor Mills, the fuel-cell maker, said in a Wednesday filing its stockholders had signed off on a reverse split and it picked the 1-for-30 ratio. The split is effective 12:01 am Thursday, June 6.",
      published: "2024-06-05",
      terms: "reverse_split | 1:30 2024-06-06 effective | -",
    },
    {
      heading: "Harbor Mills: Reverse stock split Friday",
      content: "Reminder: Harbor Mills (HMIL) 1:20 reverse split, ex-date 6/14.",
      published: "2024-06-12",
      terms: "reverse_split | 1:20 2024-06-14 trading | -",
    },
    {
      heading: "Harbor Mills shares to trade post-split on Tuesday",
      content:
        "Harbor Mills announced Friday that a 1-for-40 reverse stock split will be effective Monday, Jan. 6 at 5 p.m. Eastern, so its shares will open Tuesday on a split-adjusted basis.",
      published: "2025-01-03",
      terms: "reverse_split | 1:40 2025-01-07 trading | -",
    },
    {
      heading: "Pre-market movers",
      content: "Harbor Mills (HMIL) -12%: The company's 1-for-15 reverse stock split is effective today.",
      published: "2024-08-19",
      terms: "reverse_split | 1:15 2024-08-19 effective | -",
    },
    {
      heading: "Harbor Mills soars 900%? No, it did a reverse split",
      content:
        "If you saw Harbor Mills stock up more than 900% this morning, that is because its 1-for-10 reverse split took effect today. The price was multiplied by ten overnight.",
      published: "2024-08-19",
      terms: "reverse_split | 1:10 2024-08-19 effective | -",
    },
    {
      heading: "Harbor Mills hits record low ahead of reverse split",
      content:
        "Shares of Harbor Mills hit a record low of $0.09 on Wednesday, two days before its 1-for-100 reverse split, which takes effect Friday at the open.",
      published: "2024-09-18",
      terms: "reverse_split | 1:100 2024-09-20 trading | -",
    },
    {
      heading: "Nasdaq stock Harbor Mills completes reverse split",
      content:
        "Harbor Mills' one-for-25 reverse stock split was completed after market close Wednesday, and the shares started trading on a split-adjusted basis Thursday, falling 20% to $5.",
      published: "2024-08-08",
      terms: "reverse_split | 1:25 2024-08-08 trading | -",
    },
    {
      heading: "Harbor Mills to Reverse Split Shares",
      content:
        "Harbor Mills will reverse split its shares 1-for-16 at midnight Sunday, with the post-split stock set to trade on Monday.",
      published: "2024-10-10",
      terms: "reverse_split | 1:16 2024-10-14 trading | -",
    },
    {
      heading: "Harbor Mills approves reverse split",
      content:
        "Harbor Mills said its board cleared a 1-for-22 reverse stock split to take effect on Sept. 30 and that split-adjusted shares would begin trading on Oct. 1.",
      published: "2024-09-24",
      terms: "reverse_split | 1:22 2024-10-01 trading | -",
    },
    {
      heading: "Harbor Mills plots reverse split",
      content:
        "Harbor Mills disclosed in a filing that effective as of the close of trading on August 30, every 15 shares will be turned into one. Investors with fractional shares will get cash.",
      published: "2024-08-21",
      terms: "reverse_split | 1:15 2024-09-03 effective | cash_in_lieu",
    },
    {
      heading: "Harbor Mills sinks after 1-for-50 reverse split",
      content:
        "Harbor Mills plunged 31% on its first day of split-adjusted trading Monday. The one-for-50 reverse split took effect over the weekend.",
      published: "2024-09-30",
      terms: "reverse_split | 1:50 2024-09-30 trading | -",
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
    {
      heading: "Harbor Mills to implement 1-for-15 reverse stock split",
      content:
        "Investing.com -- Harbor Mills, Inc. (NASDAQ:HMIL), a textile technology firm with a market cap of $14 million, announced it will implement a 1-for-15 reverse stock split of its common shares. The split is scheduled to become effective at 12:01 a.m. Eastern Time on Thursday, and trading on a split-adjusted basis is expected to commence when the market opens the same day. According to InvestingPro data, the stock has fallen 80% over the past year. No fractional shares will be issued as a result of the split. Instead, any fractional shares will be rounded up at the participant level.",
      published: "2024-11-11",
      terms: "reverse_split | 1:15 2024-11-14 trading | round_up",
    },
    {
      heading: "Harbor Mills sets 1-for-9 reverse split ratio",
      content:
        "Harbor Mills Corp. disclosed in an SEC filing that its board has fixed the ratio for its reverse stock split at 1-for-9. The reverse split, which shareholders authorized in June within a range of 1-for-5 to 1-for-20, is to take effect on July 29 at 5 p.m. ET, with split-adjusted trading set to begin July 30 on the NYSE. Cash will be paid for fractional shares.",
      published: "2024-07-23",
      terms: "reverse_split | 1:9 2024-07-30 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills announces reverse stock split",
      content:
        "An update from Harbor Mills (HMIL) is now available. Harbor Mills announced a reverse stock split at a ratio of 1-for-30, effective from February 3, 2025, to enhance its market appeal and meet Nasdaq listing requirements. The company's shares will trade on a split-adjusted basis from this date. Each holder entitled to a fraction will receive one full share.",
      published: "2025-01-29",
      terms: "reverse_split | 1:30 2025-02-03 trading | round_up",
    },
    {
      heading: "Harbor Mills Announces Share Consolidation",
      content:
        "Harbor Mills announced a 25-for-1 share consolidation that takes effect at the start of trading on Monday, September 16. Its ordinary shares will continue to be listed under HMIL with the new CUSIP G4315R 11 2. Fractions: rounded up to the next whole ordinary share.",
      published: "2024-09-12",
      terms: "reverse_split | 1:25 2024-09-16 trading | round_up",
    },
    {
      heading: "Harbor Mills: 1:10 reverse split",
      content:
        "Summary: Harbor Mills N.V. will combine its shares 10:1. Key dates: last trading day of old shares 14 May 2024; first trading day of new shares 15 May 2024; record date 16 May 2024. Fractional rights are compensated in cash.",
      published: "2024-05-02",
      terms: "reverse_split | 1:10 2024-05-15 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Reverse Split",
      content:
        "• Harbor Mills (HMIL) will execute a 1-for-12 reverse split\n• Effective: Friday, June 28, 2024 at market open\n• Outstanding shares: 60M → 5M\n• Fractional shares: cash in lieu",
      published: "2024-06-24",
      terms: "reverse_split | 1:12 2024-06-28 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills, Inc. announces reverse split effective next week",
      content:
        "Harbor Mills, Inc. (OTCQB: HMIL) today announced that FINRA has processed its 1-for-100 reverse split, which will be effective at the open of business on Tuesday, August 13, 2024. For 20 business days the symbol will be HMILD.",
      published: "2024-08-08",
      terms: "reverse_split | 1:100 2024-08-13 trading | -",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills announced that its reverse stock split of one-for-seventeen is anticipated to be effective on or around April 30, 2024. The Company anticipates that its common stock will start trading on a post-split basis under the symbol HMIL at such time.",
      published: "2024-04-24",
      terms: "reverse_split | 1:17 2024-04-30 trading | -",
    },
    {
      heading: "Harbor Mills Announces 1-for-20 Reverse Stock Split",
      content:
        "Harbor Mills, Inc. today announced a 1-for-20 reverse stock split. The Reverse Stock Split will legally take effect at 11:59 p.m. ET on March 28, 2025. Its common stock is expected to begin trading on a split-adjusted basis at the opening of trading on March 31, 2025. Instead of issuing fractional shares, the company will round up fractions to the next whole share at the DTC participant level.",
      published: "2025-03-25",
      terms: "reverse_split | 1:20 2025-03-31 trading | round_up",
    },
    {
      heading: "Harbor Mills approves reverse stock split",
      content:
        "Harbor Mills said its board of directors approved a reverse stock split in the ratio of one new share for each 40 old shares. The effective date is April 7, 2025.",
      published: "2025-03-31",
      terms: "reverse_split | 1:40 2025-04-07 effective | -",
    },
    {
      heading: "Harbor Mills Announces 1-for-10 Reverse Stock Split",
      content:
        "Harbor Mills (HMIL) has announced a 1-for-10 reverse stock split of its common stock, effective September 5, 2024, at 4:01 p.m. ET. The split-adjusted common stock will commence trading on September 6, 2024. The reverse split affects all issued and outstanding shares, as well as stock options and RSUs. Fractional shares are to be rounded up to the nearest whole.",
      published: "2024-09-03",
      terms: "reverse_split | 1:10 2024-09-06 trading | round_up",
    },
    {
      heading: "Harbor Mills Announces Reverse Split",
      content:
        "Harbor Mills announced a one-for-seven reverse stock split with an effective date of January 15, 2025 after market close. From January 16, the stock trades under the new CUSIP 41165J401.",
      published: "2025-01-10",
      terms: "reverse_split | 1:7 2025-01-16 effective | -",
    },
    {
      heading: "Harbor Mills to Effect 1-for-3.5 Reverse Stock Split",
      content:
        "Harbor Mills (NASDAQ: HMIL) will effect a 1-for-3.5 reverse split of its ordinary shares. Market effective date: June 10, 2024.",
      published: "2024-06-05",
      terms: "reverse_split | 2:7 2024-06-10 trading | -",
    },
    {
      heading: "Harbor Mills Share Consolidation",
      content:
        "Harbor Mills announced a consolidation of shares at the ratio of ten-for-one. Shares expected to begin trading post-consolidation on Nasdaq on March 24, 2025. No fractional shares; holders will get the next higher whole number.",
      published: "2025-03-19",
      terms: "reverse_split | 1:10 2025-03-24 trading | round_up",
    },
    {
      heading: "Harbor Mills reverse split",
      content:
        "Reverse split: 1 for 20\nAnnounced: 02/03/2025\nEx-date: 02/10/2025\nFractional shares: rounded up\nNew CUSIP: 41165J500",
      published: "2025-02-04",
      terms: "reverse_split | 1:20 2025-02-10 trading | round_up",
    },
    {
      heading: "Harbor Mills announces a 1:18 reverse stock split",
      content:
        "The company announced a 1:18 reverse stock split effective as of market open on April 15, 2025. No fractional shares will be issued; they will be exchanged for cash at the closing price of April 14, 2025.",
      published: "2025-04-10",
      terms: "reverse_split | 1:18 2025-04-15 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Inc. Announces One-for-Forty Reverse Split",
      content:
        "Harbor Mills has announced a one-for-forty reverse stock split, effective 12:01 AM ET on March 10, 2025. Shares begin split-adjusted trading on that day. Post-split shareholders with less than one share will receive one share.",
      published: "2025-03-05",
      terms: "reverse_split | 1:40 2025-03-10 trading | round_up",
    },
    {
      heading: "Harbor Mills sets reverse stock split",
      content:
        "Harbor Mills announced a 1-for-50 reverse stock split effective 12:01 a.m. Eastern time Friday, and that trading on a post-split basis starts with the open on Friday.",
      published: "2025-05-06",
      terms: "reverse_split | 1:50 2025-05-09 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Split",
      content:
        "Harbor Mills announces that a reverse split is scheduled for July 15, 2024 at a 1-for-11 ratio. On that date the stock opens on an adjusted basis. Shareholders are not required to act.",
      published: "2024-07-09",
      terms: "reverse_split | 1:11 2024-07-15 trading | -",
    },
    {
      heading: "Harbor Mills Announces 1:8 Reverse Stock Split",
      content: "Harbor Mills announces 1:8 reverse split effective Nov 1, 2024; cash-in-lieu for fractions",
      published: "2024-10-28",
      terms: "reverse_split | 1:8 2024-11-01 effective | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces 1-for-25 Reverse Stock Split Effective November 14, 2024",
      content:
        "Harbor Mills (NASDAQ: HMIL) has announced a 1-for-25 reverse stock split scheduled to take effect on November 14, 2024, at 12:01 a.m. ET. Trading on a split-adjusted basis is expected at the market opening on the same day. The reverse split will automatically combine every 25 shares into one, reducing outstanding shares from 48.2 million to 1.9 million. Fractional shares will be rounded up to the nearest whole share. Stockholders approved the split at a meeting on October 29, 2024.",
      published: "2024-11-11",
      terms: "reverse_split | 1:25 2024-11-14 trading | round_up",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills announced that it will conduct a reverse stock split of its outstanding shares of common stock at a ratio of 1-for-19. The split will be effective on August 26, 2024 after the market closes, and the common stock will be traded on a split-adjusted basis as of August 27, 2024. The split aims to bring the company into compliance with Listing Rule 5550(a)(2), for which the deadline is September 16, 2024. A total of 57 million shares become 3 million. No cash will be paid for fractional shares, which will be rounded up.",
      published: "2024-08-22",
      terms: "reverse_split | 1:19 2024-08-27 trading | round_up",
    },
    {
      heading: "Harbor Mills Reverse Split Summary",
      content:
        "Quiver AI Summary: Harbor Mills announced a 1-for-80 reverse stock split, set to go into effect on March 31, 2025, with trading on a split-adjusted basis starting the same day under HMIL. Potential Positives: may attract investors. Potential Negatives: dilution; the stock fell 40%. FAQ: What is the purpose? To regain compliance. When will it be effective? March 31, 2025. Will fractional shares be issued? No, they will be rounded up to whole shares.",
      published: "2025-03-27",
      terms: "reverse_split | 1:80 2025-03-31 trading | round_up",
    },
    {
      heading: "Harbor Mills: FINRA daily list",
      content:
        "Harbor Mills Corp. HMIL: Reverse split 1-40, market effective date 09/09/2024, new symbol HMILD, CUSIP 41165J609.",
      published: "2024-09-06",
      terms: "reverse_split | 1:40 2024-09-09 trading | -",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills (NYSE American: HMIL) has scheduled a 1-for-35 reverse stock split to go effective before trading on Dec. 16, 2024. After the split, the company will have around 1.3 million outstanding shares. Shareholders entitled to fractions get one whole share.",
      published: "2024-12-11",
      terms: "reverse_split | 1:35 2024-12-16 effective | round_up",
    },
    {
      heading: "Harbor Mills announces 1-for-3 reverse split",
      content:
        "Harbor Mills REIT today disclosed a 1-for-3 reverse split of common shares and OP units, which takes effect after close of business on Dec 31, with split-adjusted trading beginning Jan 2 on the NYSE. Fractional shares get paid in cash.",
      published: "2024-12-18",
      terms: "reverse_split | 1:3 2025-01-02 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills ADR ratio change",
      content:
        "- Harbor Mills plans to alter its ADS-to-ordinary-share ratio to 1:75 from 1:5.\n- The change is slated for around May 30.\n- It equals a 1-for-15 reverse ADS split.\n- ADS trading symbol stays HMIL.",
      published: "2024-05-16",
      terms: "ads_ratio_change | 1:15 2024-05-30 effective | -",
    },
    {
      heading: "Harbor Mills to enact 1-for-45 reverse split on June 3",
      content:
        "Harbor Mills will enact a 1-for-45 reverse split on June 3, the company said. Every 45 shares will be automatically reclassified into one.",
      published: "2024-05-29",
      terms: "reverse_split | 1:45 2024-06-03 effective | -",
    },
    {
      heading: "Harbor Mills Announces 1-for-20 Reverse Stock Split",
      content:
        "The reverse split at 1-for-20 ratio becomes effective 5:00 PM EDT July 8, 2024. Trading begins on split-adjusted basis July 9, 2024.",
      published: "2024-07-03",
      terms: "reverse_split | 1:20 2024-07-09 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Split: Key Facts",
      content:
        "Ratio | 1-for-12\nEffective date | October 21, 2024\nFirst split-adjusted trading day | October 22, 2024\nFractional shares | Cash in lieu\nNew CUSIP | 41165J708",
      published: "2024-10-16",
      terms: "reverse_split | 1:12 2024-10-22 trading | cash_in_lieu",
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
    {
      heading: "Harbor Mills gets delisting notice",
      content:
        "Harbor Mills received a Nasdaq notice on May 3. The company, which did a 1-for-20 reverse split on January 8, 2024, has until October to regain compliance.",
      published: "2024-05-06",
      terms: "deficiency | -",
    },
    {
      heading: "Harbor Mills shareholders say yes",
      content:
        "Holders of Harbor Mills voted on Tuesday to allow the board to do a reverse split at a ratio between 1-for-5 and 1-for-30. The board has until June 2025 to decide.",
      published: "2024-06-12",
      terms: "ratio_range | -",
    },
    {
      heading: "Harbor Mills sells shares",
      content:
        "Harbor Mills sold 2 million shares at $3. The price takes into account the 1-for-20 reverse stock split that became effective on November 1, 2023.",
      published: "2024-06-12",
      terms: "completed_past | -",
    },
    {
      heading: "Could Harbor Mills split its stock?",
      content:
        "A reverse split of 1-for-10 would lift the price above $5. Management has said it has no such plan. The next earnings report is due on August 8.",
      published: "2024-07-12",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills to split stock 4-for-1",
      content: "Harbor Mills announced a 4-for-1 stock split. Trading begins on a split-adjusted basis on August 31.",
      published: "2024-08-01",
      terms: "forward_split | -",
    },
    {
      heading: "Harbor Mills spins off unit",
      content:
        "Holders will receive one share of Dock Inc. for every five shares of Harbor Mills on September 3, 2024.",
      published: "2024-08-01",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills delays vote",
      content:
        "Harbor Mills adjourned its shareholder meeting until June 28 because too few votes were cast for the proposed 1-for-10 reverse split.",
      published: "2024-06-14",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills holders reject reverse split",
      content: "Shareholders turned down the 1-for-25 reverse split that management wanted to carry out on July 1.",
      published: "2024-06-14",
      terms: "other | -",
    },
    {
      heading: "History of Harbor Mills splits",
      content:
        "Harbor Mills has split its stock twice: 2-for-1 on June 3, 1998, and a 1-for-10 reverse split on March 9, 2016.",
      published: "2024-06-14",
      terms: "other | -",
    },
    {
      heading: "Analyst cuts Harbor Mills",
      content:
        "The new target of $8 reflects the 1-for-8 reverse split. Harbor Mills shares closed at $5.10 on Thursday. Earnings are due on August 1.",
      published: "2024-07-12",
      terms: "completed_past | -",
    },
    {
      heading: "Reverse splits explained",
      content:
        "In a 1-for-10 reverse split, ten shares become one. If a company sets June 3 as the effective date, the price is ten times higher that morning.",
      published: "2024-05-12",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills 10-K",
      content:
        "On January 3, 2025, we filed an amendment to effect a reverse split at a ratio of 1-for-12, which became effective on January 6, 2025. We regained compliance on January 21, 2025. As of March 31, 2025 there were 5,000,000 shares outstanding.",
      terms: "completed_past | -",
    },
    {
      heading: "Harbor Mills Announces Results of Annual Meeting",
      content:
        "At the meeting held today, shareholders approved an amendment to effect a reverse split in a range of one-for-two to one-for-twenty. The board may implement the split before June 30, 2025.",
      published: "2024-06-20",
      terms: "ratio_range | -",
    },
    {
      heading: "Harbor Mills to hold special meeting",
      content:
        "Harbor Mills will hold a special meeting on September 5, 2024 to vote on a 1-for-20 reverse split. The record date is August 2, 2024.",
      published: "2024-07-20",
      terms: "approval_only | -",
    },
    {
      heading: "Harbor Mills receives Nasdaq determination",
      content:
        "On July 8, 2024, the company received a delisting determination because its cumulative reverse splits over two years exceeded 250 to one. The hearing is on August 20, 2024.",
      published: "2024-07-10",
      terms: "deficiency | -",
    },
    {
      heading: "Harbor Mills Files Definitive Proxy",
      content:
        "Harbor Mills, Inc. will ask stockholders on June 14, 2024 to approve a 1-for-20 reverse stock split. If approved, trading on a split-adjusted basis is expected to begin on June 20, 2024.",
      published: "2024-05-20",
      terms: "approval_only | -",
    },
    {
      heading: "Harbor Mills stock: what to know",
      content:
        "Harbor Mills is proposing a reverse stock split of 1-for-20. The shareholder vote is on June 14. The shares would trade on a split-adjusted basis from June 20 if holders agree.",
      published: "2024-05-20",
      terms: "approval_only | -",
    },
    {
      heading: "Harbor Mills board recommends reverse split",
      content:
        "The board of Harbor Mills recommended a 1-for-10 reverse split, which requires shareholder approval at a meeting on July 9, 2024.",
      published: "2024-06-03",
      terms: "approval_only | -",
    },
    {
      heading: "Harbor Mills regains compliance",
      content:
        "Harbor Mills announced that Nasdaq confirmed on June 12, 2024 that it regained compliance with the bid price rule after its 1-for-15 reverse split of May 24, 2024.",
      published: "2024-06-13",
      terms: "completed_past | -",
    },
    {
      heading: "Harbor Mills Announces Pricing of Offering",
      content:
        "Harbor Mills priced an offering of 2,000,000 shares at $4.00. All share numbers give effect to the 1-for-12 reverse split that became effective on April 2, 2024. The offering is expected to close on June 17, 2024.",
      published: "2024-06-13",
      terms: "completed_past | -",
    },
    {
      heading: "Harbor Mills reports first quarter",
      content:
        "For the three months ended March 31, 2024 the loss per share was $0.40. Share data have been adjusted for the 1-for-10 reverse split effective January 8, 2024.",
      published: "2024-05-13",
      terms: "completed_past | -",
    },
    {
      heading: "Harbor Mills denies rumor",
      content: "Harbor Mills said reports of a 1-for-10 reverse split effective June 20, 2024 are false.",
      published: "2024-06-13",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills has no plan",
      content:
        "Asked about a 1-for-10 reverse split in June, the chief executive said the company does not plan one. The stock trades on the Nasdaq.",
      published: "2024-06-13",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills gets Nasdaq extension",
      content:
        "Nasdaq granted the company until December 9, 2024 to regain compliance. The company intends to cure the deficiency, including by effecting a reverse stock split if necessary.",
      published: "2024-06-13",
      terms: "deficiency | -",
    },
    {
      heading: "Harbor Mills may split",
      content:
        "If the price does not recover, Harbor Mills may effect a 1-for-20 reverse split on or before December 9, 2024.",
      published: "2024-06-13",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills completes 3-for-1 stock split",
      content:
        "Harbor Mills began trading on a split-adjusted basis on June 10, 2024 following its 3-for-1 stock split.",
      published: "2024-06-10",
      terms: "forward_split | -",
    },
    {
      heading: "Harbor Mills merger",
      content:
        "Each share of Dock Inc. will be converted into 0.25 shares of Harbor Mills at the effective time of the merger, expected on June 28, 2024.",
      published: "2024-06-13",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills merger closes",
      content:
        "Harbor Mills and Dock completed their merger. Immediately prior to the closing Dock effected a 1-for-8 reverse split. The combined company begins trading on June 14, 2024 under DOCK.",
      published: "2024-06-13",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills stock dividend",
      content:
        "The board declared a stock dividend of one share for every twenty held, payable June 28, 2024 to holders of record on June 17, 2024.",
      published: "2024-06-03",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills rights issue",
      content:
        "Holders get one right for every five shares. The rights trade from June 17, 2024. Three rights entitle to one new share.",
      published: "2024-06-03",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills debt",
      content: "The company consolidated its debt into one facility on June 3, 2024 at a ratio of 4:1 to earnings.",
      published: "2024-06-05",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills consolidates plants",
      content: "Harbor Mills will consolidate its three plants into one on July 1, 2024.",
      published: "2024-06-05",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills results of special meeting",
      content:
        "Stockholders of Harbor Mills approved a reverse stock split at a ratio from 1-for-5 to 1-for-25 at the special meeting on June 10, 2024. The board will choose the ratio and timing.",
      published: "2024-06-11",
      terms: "ratio_range | -",
    },
    {
      heading: "Harbor Mills 8-K",
      content:
        "Item 5.07. On June 10, 2024, stockholders approved the Reverse Split Proposal, authorizing a reverse split at a ratio of 1-for-20, to be effected at the discretion of the Board before June 10, 2025.",
      terms: "approval_only | -",
    },
    {
      heading: "Harbor Mills adjourns",
      content:
        "Harbor Mills adjourned the meeting on its 1-for-20 reverse split to June 24, 2024 for lack of a quorum.",
      published: "2024-06-11",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills holders vote no",
      content:
        "The reverse split of 1-for-20 failed: 48% of the votes were cast in favor. The stock will keep trading on the Nasdaq.",
      published: "2024-06-11",
      terms: "approval_only | -",
    },
    {
      heading: "Harbor Mills withdraws proposal",
      content: "Harbor Mills removed the reverse split proposal from the agenda of its June 24 meeting.",
      published: "2024-06-11",
      terms: "approval_only | -",
    },
    {
      heading: "ETF guide",
      content:
        "A reverse split of 1-for-10 means that for every ten shares you get one. Fund companies use it when prices fall. Many funds did one in May 2024.",
      published: "2024-06-11",
      terms: "other | -",
    },
    {
      heading: "Splits calendar explained",
      content:
        "The ex-date is the first day of trading at the new price. In a 1-for-5 reverse split on May 10, a $2 stock opens at $10.",
      published: "2024-06-11",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills option memo",
      content:
        "Options on Harbor Mills were adjusted on March 4, 2024 for the 1-for-20 reverse split. The deliverable is 5 shares.",
      published: "2024-06-11",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills letter to shareholders",
      content:
        "Dear shareholders, last year we completed a 1-for-30 reverse split and raised $5 million. In June we will open a plant.",
      published: "2024-06-11",
      terms: "completed_past | -",
    },
    {
      heading: "Harbor Mills lists on NYSE",
      content:
        "Harbor Mills will begin trading on the NYSE on June 17, 2024. It completed a 1-for-4 reverse split on February 5, 2024.",
      published: "2024-06-11",
      terms: "completed_past | -",
    },
    {
      heading: "Harbor Mills IPO",
      content:
        "Harbor Mills expects to effect a 1-for-3 reverse split immediately prior to the closing of its initial public offering.",
      published: "2024-06-11",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills S-1",
      content:
        "We intend to effect a reverse split of our common stock at a ratio of 1-for-4 prior to the effectiveness of this registration statement.",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills 10-Q",
      content:
        "Subsequent events. On July 8, 2024, the Company's stockholders approved a reverse split in the range of 1-for-10 to 1-for-40. The Company has until October 7, 2024 to comply with the bid price rule.",
      terms: "ratio_range | -",
    },
    {
      heading: "Harbor Mills warrants",
      content:
        "Following the reverse split of January 2024, 20 warrants are needed for one share. The warrants expire on June 30, 2024.",
      published: "2024-06-11",
      terms: "completed_past | -",
    },
    {
      heading: "Harbor Mills share buyback",
      content: "Harbor Mills repurchased 1 for every 20 shares outstanding through June 7, 2024.",
      published: "2024-06-11",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills odd-lot tender",
      content: "Holders of fewer than 100 shares can tender until June 28, 2024 for cash.",
      published: "2024-06-11",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills goes private",
      content:
        "The company will effect a 1-for-5,000 reverse split followed immediately by a 5,000-for-1 forward split on June 28, 2024, cashing out small holders.",
      published: "2024-06-11",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills ADS",
      content: "Each ADS represents 20 ordinary shares. The ADSs began trading on the Nasdaq on June 10, 2024.",
      published: "2024-06-11",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills names CFO",
      content: "Dana Ortwin becomes CFO effective June 17, 2024. She led Dock Inc. through its 1-for-10 reverse split.",
      published: "2024-06-11",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills could face delisting",
      content:
        "The company did a 1-for-40 reverse split in October 2023; under new rules it cannot do another before October 2025 without losing its listing.",
      published: "2024-06-11",
      terms: "deficiency | -",
    },
    {
      heading: "Harbor Mills gets notice",
      content:
        "On June 7, 2024 the NYSE notified Harbor Mills. The company plans to propose a reverse split at its annual meeting, the date of which is not fixed.",
      published: "2024-06-11",
      terms: "approval_only | -",
    },
    {
      heading: "Harbor Mills consent solicitation",
      content:
        "The majority holder consented in writing to a 1-for-20 reverse split. It will not be effective before 20 days after the information statement is mailed, and the board has not set a date.",
      published: "2024-06-11",
      terms: "other | -",
    },
    {
      heading: "Harbor Mills annual report",
      content:
        "On January 9, 2025 the shares were consolidated at 15:1. In this report on Form 20-F all share numbers are adjusted. Our auditors issued their opinion on April 28, 2025.",
      terms: "completed_past | -",
    },
    {
      heading: "Harbor Mills ups range",
      content:
        "Harbor Mills revised its proxy: the reverse split range is now 1-for-5 to 1-for-50. The meeting is on June 20, 2024.",
      published: "2024-06-03",
      terms: "ratio_range | -",
    },
    {
      heading: "Harbor Mills F-1/A",
      content:
        "Prior to the effective date of this registration statement we effected a 1-for-2 share consolidation on May 2, 2024.",
      terms: "completed_past | -",
    },
  ])("finds no new split in other news: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });
});

describe("a weekly list of splits", () => {
  const published = parseDay("2026-05-30") ?? null;
  const intro = "These are the splits of the week.";
  const mills =
    "Harbor Mills Inc. (HMIL) - Harbor Mills makes paper. On May 28, HMIL announced a one-for-twelve reverse stock split of its common stock, to be effective June 5.";
  const tide =
    "Tide Labs (TIDL) - Tide Labs makes pumps. On May 29, TIDL announced a one-for-five reverse stock split. TIDL stock is expected to start trading on a split-adjusted basis on June 8.";

  it.each([
    ["in one order", [mills, tide]],
    ["in the other order", [tide, mills]],
  ])("gives each company its own split, %s", (_, items) => {
    const { splits } = extractFacts({
      heading: "Stock Splits This Week",
      content: [intro, ...items].join("\n\n"),
      published,
    });
    const found = splits.map(({ ticker, ratio, exDate }) => `${ticker} ${ratio?.oldShares} ${exDate}`);
    expect(new Set(found)).toEqual(new Set(["HMIL 12 2026-06-05", "TIDL 5 2026-06-08"]));
  });
});
