import { describe, expect, it } from "vitest";
import { readTerms, type TermsCase } from "../../test/support/terms.ts";

describe("terms of one announcement in many wordings", () => {
  it.each<TermsCase>([
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. No fractional shares will be issued; instead, each holder will be issued one full share for any fraction.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | round_up",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. Fractional shares will be eliminated by rounding up.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | round_up",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. If a stockholder would end up with a fraction, that fraction becomes a full share.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | round_up",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. Any fraction will be rounded up to the next whole number at the beneficial holder level.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | round_up",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. Holders of fewer than twenty shares will be cashed out.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. The transfer agent will sell the aggregated fractions and pay out the proceeds to entitled holders.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. In lieu of fractions, stockholders get a check based on the closing price on May 9, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. Fractional interests will be paid in cash at fair market value as determined by the Board.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. The Company will purchase all fractional shares at the closing price.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. Fractions of less than one half will be dropped and fractions of one half or more will count as one share.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | round_nearest",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. All fractional shares will be rounded to the closest whole share.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | round_nearest",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. Fractions of a share shall be disregarded and no payment made for them.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | round_down",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. Fractional shares resulting from the split will be rounded down, and no cash will be paid.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | round_down",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. Each stockholder's fractional share will be settled in cash.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. Brokers will receive cash for fractional shares and credit it to their clients.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. Investors will not receive fractional shares but the cash equivalent.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. Stockholders of record who otherwise would be entitled to fractional shares because they hold a number of shares not evenly divisible by the ratio will be entitled, upon surrender of certificates, to a cash payment in lieu thereof.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. The Company will issue such additional fraction of a share as is necessary to increase a fractional share to a full share.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | round_up",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. Shareholders owning a fraction will be topped up to a whole share.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | round_up",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. Fractional shares: Rounded up (participant level)",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | round_up",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. To avoid fractional shares, numbers will be rounded up per DTC participant.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | round_up",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. No fractional shares will be issued and no cash will be paid; all fractions are rounded up.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | round_up",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. Cash will not be paid for fractional shares. They will instead be rounded up to the nearest whole share.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | round_up",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. Fractional share amounts will be monetized, with holders receiving a cash distribution.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. Any remaining fractions will be liquidated by the broker and the cash credited to the account.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. The exercise price of warrants will be rounded up to the nearest whole cent.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. The treatment of fractional shares will be announced later.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. No fractional shares will be issued.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        'Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. Stockholders may have to pay tax on cash received for fractional shares; see "Tax consequences".',
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. Where a holding is not exactly divisible by 20, the entitlement will be rounded up to the nearest share.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | round_up",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. Fractional shares will be bought by a third party and the money sent to shareholders.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-20 reverse stock split of its common stock. The common stock will begin trading on a split-adjusted basis on May 10, 2024. In the place of fractions, Harbor Mills will pay stockholders money equal to the value.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | cash_in_lieu",
    },
  ])("gives the treatment of fractions: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });

  it.each<TermsCase>([
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a reverse stock split in which every 20 shares will be exchanged for 1. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a one (1) for twenty (20) reverse split. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a 1 for 20 reverse split. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a 20:1 reverse split. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a reverse split of its stock, one-for-twenty. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a 20-to-1 reverse split. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a reverse split at an exchange ratio of 1-for-20. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a 1/20 reverse split. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a 1-to-20 reverse split. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a reverse split by which 20 old shares give 1 new share. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a reverse split with a ratio of one new share per twenty existing shares. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a 1-for-12.5 reverse split. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 2:25 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a two-for-twenty-five reverse split. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 2:25 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a 1-for-1,000 reverse split. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:1000 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a one-for-two hundred and fifty reverse split. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:250 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a 3-for-20 reverse split. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 3:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a twenty-for-one reverse split. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a reverse split at 1 : 20. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a 1‑for‑20 reverse split. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a reverse split (1-20). The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a reverse split of 20 into 1. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a reverse split, reducing every twenty shares to a single share. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a reverse split that merges 20 shares into 1. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a reverse split that will combine twenty shares into one. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a reverse split at a ratio of 20 pre-split shares to 1 post-split share. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a 1-per-20 reverse split. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a reverse split under which holders will receive 1 share for every 20 shares. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a reverse split in the proportion of 20 to 1. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a reverse split at the rate of one share for twenty. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a one for twenty (1:20) reverse share split. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a one-for-eleven reverse split. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:11 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a one for fifty-five reverse stock split. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:55 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a 1:7.5 reverse split. The common stock will begin trading on a split-adjusted basis on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 2:15 2024-05-10 trading | -",
    },
  ])("gives the ratio: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });

  it.each<TermsCase>([
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. Trading on a split-adjusted basis: Friday, May 10",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. It is effective Friday at the open.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The effective date is 10 May 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 effective | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. It takes effect at 9:30 a.m. on May 10.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 effective | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. Shares will be quoted post-split beginning May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The split becomes effective after the close on May 9, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 effective | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The split is to happen after the closing bell Thursday.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 effective | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. It will be effective on May 9, 2024 at 6:00 p.m.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 effective | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The first day of split-adjusted trading will be May 10.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The stock will start trading split-adjusted this Friday.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. It will be implemented before the opening bell on 10 May.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The split will be reflected in the trading price from May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. Split-adjusted shares will be listed on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The change goes live on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 effective | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The split is slated for May 10.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 effective | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The ex-date is May 10, 2024; the record date is May 9, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. Shares resume trading on an adjusted basis on 2024-05-10.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. Execution of the split is scheduled for 5/10/2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 effective | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The company expects to complete the split by May 31, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 - - | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The split is expected in the second quarter of 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 - - | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The split will be effective no earlier than May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 - - | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The split will take effect upon filing of the amendment.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 - - | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The date will be announced.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 - - | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The stock will trade on an adjusted basis at the open tomorrow.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-07 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. With effect from the opening of business on May 10, 2024, shares will be traded on the new basis.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The last day of trading on a pre-split basis will be May 9, 2024, and post-split trading starts the next day.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. It will be effective May 10, and the stock should open that day at a price twenty times higher.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The corporate action will occur on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 effective | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. On Friday, May 10, each 20 shares will turn into one.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 effective | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The split will hit on May 10.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 effective | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. Beginning Friday, May 10, the stock trades split-adjusted.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. Effective Time: May 10, 2024, 12:01 a.m. ET.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 effective | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. Nasdaq: split-adjusted trading as from May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The marketplace effective date is May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The stock will be adjusted for the split on May 10, 2024.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 effective | -",
    },
    {
      heading: "Harbor Mills Reverse Stock Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) announced a 1-for-20 reverse stock split. The split takes place on Thursday night, with shares trading at the new price on Friday.",
      published: "2024-05-06",
      terms: "reverse_split | 1:20 2024-05-10 trading | -",
    },
  ])("gives the ex date: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });
});

describe("terms beside other days and documents", () => {
  it.each<TermsCase>([
    {
      heading: "Harbor Mills forced to reverse split its stock",
      content:
        'Home > News\n\nJul 28, 2022\n\nHarbor Mills, Inc. (NYSE: HMIL) (the "Company") announces that starting today (July 28) its common shares are expected to begin trading after giving effect to the 1-for-10 reverse split previously announced on July 12th, 2022.',
      terms: "reverse_split | 1:10 2022-07-28 trading | -",
    },
    {
      heading: "Harbor Mills reverse split",
      content:
        "The shares of Harbor Mills, Inc. (NYSE: HMIL) begin trading on July 28, 2022 at a price that reflects the 1-for-10 reverse split disclosed on July 12, 2022.",
      published: "2022-07-27",
      terms: "reverse_split | 1:10 2022-07-28 trading | -",
    },
    {
      heading: "Harbor Mills plc: Results of meeting and share consolidation",
      content:
        "Harbor Mills plc announces that the resolutions seeking approval by its shareholders of a consolidation of its shares in the ratio of ten to one were duly passed. It is expected that the New Ordinary Shares will commence trading on the London Stock Exchange at 8:00 a.m. (UK time) on 24 February 2023.",
      published: "2023-02-16",
      terms: "reverse_split | 1:10 2023-02-24 trading | -",
    },
    {
      heading: "Harbor Mills plc: Notice of meeting",
      content:
        "Harbor Mills plc announces resolutions seeking approval by its shareholders of a consolidation of its shares in the ratio of ten to one. If they are duly passed, it is expected that the New Ordinary Shares will commence trading on 24 February 2023.",
      published: "2023-01-16",
      terms: "approval_only | -",
    },
    {
      heading: "Harbor Mills provides key information on its reverse split",
      content:
        "Key information of the reverse split of Harbor Mills ASA:\n\n- Reverse split ratio: 18 old shares grouped in 1 new share.\n\n- Last day including right: 4 July.\n\n- Ex-date: 7 July.\n\n- Record date: 8 July.\n\n- Date of approval: 19 June 2025.",
      published: "2025-06-20",
      terms: "reverse_split | 1:18 2025-07-07 trading | -",
    },
    {
      heading: "Nasdaq Helsinki Ltd: HARBOR MILLS OYJ: REDUCTION OF THE QUANTITY OF SHARES",
      content:
        "EXCHANGE NOTICE 4 JULY 2022\n\nReduction of the quantity of the company's shares, in such a way that each current 40 shares of the company shall correspond to 1 share of the company. Concurrently with the reverse share split, new shares are conveyed without compensation to the effect that the number of shares in each shareholder's account is made divisible by 40. The changes will be valid in the trading system of Nasdaq Helsinki as of 5 JULY 2022.",
      published: "2022-07-04",
      terms: "reverse_split | 1:40 2022-07-05 effective | round_up",
    },
  ])("are read: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });

  it("are read from the JSON string that a page shows in place of its text", () => {
    const content = String.raw`[{"content":"Toronto / March 18, 2024 / Harbor Mills Inc. (TSX.V: HMI);\n \n Harbor Mills Inc. (the\n“\n \n Company\n \n ”) announces\n \n a consolidation of its\noutstanding common shares on the basis of one (1)\npost-consolidation share for every five (5) pre-consolidation shares.\n \n The\nshares are expected to begin trading on a consolidated basis on the\nTSX Venture Exchange on March 20, 2024."}]`;
    expect(readTerms({ heading: "Harbor Mills", content })).toBe("reverse_split | 1:5 2024-03-20 trading | -");
  });
});
