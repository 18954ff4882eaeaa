import { describe, expect, it } from "vitest";
import { readTerms, type TermsCase } from "../../test/support/terms.ts";

describe("terms of filings", () => {
  it.each<TermsCase>([
    {
      heading: "Item 5.03 Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year",
      content:
        'On March 4, 2024, Harbor Mills, Inc. (the "Company") filed a Certificate of Amendment to its Amended and Restated Certificate of Incorporation with the Secretary of State of the State of Delaware to effect a 1-for-15 reverse stock split of its issued and outstanding common stock, par value $0.001 per share, effective as of 4:05 p.m., Eastern Time, on March 6, 2024. The Company\'s common stock began trading on The Nasdaq Capital Market on a split-adjusted basis on March 7, 2024 under the existing symbol "HMIL". No fractional shares were issued in connection with the reverse stock split. Stockholders who otherwise would have been entitled to a fractional share received a cash payment in lieu thereof.',
      terms: "reverse_split | 1:15 2024-03-07 trading | cash_in_lieu",
    },
    {
      heading: "Item 3.03 Material Modification to Rights of Security Holders.",
      content:
        'To the extent required by Item 3.03 of Form 8-K, the information contained in Item 5.03 of this Current Report is incorporated herein by reference.\nItem 5.03 Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year.\nAt the special meeting held on May 2, 2024, the stockholders of Harbor Mills, Inc. (the "Company") approved a proposal to amend the Company\'s certificate of incorporation to effect a reverse stock split at a ratio of not less than 1-for-10 and not more than 1-for-50, with the exact ratio to be set by the Board. On May 20, 2024, the Board set the ratio at 1-for-25. Pursuant to the Certificate of Amendment, at 12:01 a.m. Eastern Time on May 24, 2024 (the "Effective Time"), every 25 shares of common stock were automatically combined into one share. Any fraction was rounded up to the next whole share.',
      terms: "reverse_split | 1:25 2024-05-24 effective | round_up",
    },
    {
      heading: "Harbor Mills Inc. 8-K",
      content:
        "Item 8.01 Other Events.\nOn June 3, 2024, Harbor Mills, Inc. issued a press release announcing that its Board of Directors approved a 1-for-8 reverse split of its common stock. The reverse split will be effective for trading purposes upon the commencement of trading on June 7, 2024. A copy of the press release is attached as Exhibit 99.1.",
      terms: "reverse_split | 1:8 2024-06-07 trading | -",
    },
    {
      heading: "",
      content:
        'UNITED STATES SECURITIES AND EXCHANGE COMMISSION WASHINGTON, D.C. 20549 FORM 8-K CURRENT REPORT Date of Report (Date of earliest event reported): April 9, 2024\nHARBOR MILLS, INC.\nItem 5.03. Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year.\nOn April 9, 2024, Harbor Mills, Inc. amended its articles of incorporation to combine each twelve (12) outstanding shares of its common stock into one (1) share (the "Reverse Split"). The Reverse Split took effect at 5:00 p.m. Eastern time on April 9, 2024 and the common stock began trading on a post-split basis on the NYSE American on April 10, 2024.',
      terms: "reverse_split | 1:12 2024-04-10 trading | -",
    },
    {
      heading: "Articles of Amendment",
      content:
        "Item 5.03. As previously disclosed, the board of directors of Harbor Mills, Inc. approved a one-for-six reverse split of the common stock. The articles of amendment became effective on August 1, 2023 at 4:30 p.m. Each six shares of common stock outstanding immediately before that time were combined into one share. In lieu of fractional shares, holders will be paid in cash on the basis of the closing price on the NYSE on that date.",
      published: "2023-08-02",
      terms: "reverse_split | 1:6 2023-08-02 effective | cash_in_lieu",
    },
    {
      heading: "Form 6-K: Harbor Mills Ltd.",
      content:
        'Harbor Mills Ltd. (the "Company") hereby announces that the share consolidation of the Company\'s ordinary shares at a ratio of one (1) for sixteen (16), approved by its shareholders at the extraordinary general meeting on January 5, 2024, will become effective on January 22, 2024, and the Class A ordinary shares will begin trading on an adjusted basis when the market opens that day. All fractional entitlements resulting from the consolidation will be rounded up.',
      terms: "reverse_split | 1:16 2024-01-22 trading | round_up",
    },
    {
      heading: "Form 6-K",
      content:
        "The shareholders of the Company, at the annual general meeting held on 12 June 2024, resolved a reverse split of the shares by 1:100. The reverse split was registered on 20 June 2024. The last day of trading before the reverse split is 24 June 2024 and the first day of trading with a new ISIN is 25 June 2024.",
      terms: "reverse_split | 1:100 2024-06-25 trading | -",
    },
    {
      heading: "Amendment to certificate of incorporation",
      content:
        "On September 12, 2024, following approval by our stockholders at our annual meeting on August 30, 2024, our Board determined to effect the reverse stock split at a ratio of 1-for-35 and we filed the Charter Amendment, which provides that the reverse stock split becomes effective on September 16, 2024 at 12:01 a.m. (Eastern). We expect our common stock to open for trading on a reverse split-adjusted basis on that date.",
      terms: "reverse_split | 1:35 2024-09-16 trading | -",
    },
    {
      heading: "",
      content:
        "Item 3.03 Material Modification to Rights of Security Holders\nAs previously disclosed in the Current Report on Form 8-K filed on June 14, 2024, stockholders of Harbor Mills, Inc. approved a reverse stock split at a ratio between 1-for-5 and 1-for-25. On June 24, 2024, the Company filed a Certificate of Amendment to effect a 1-for-22 reverse stock split, which became effective at 12:01 a.m. on June 28, 2024. The common stock began trading on a split-adjusted basis when the market opened on June 28, 2024. The new CUSIP number is 41165J 302. Stockholders who would have been entitled to a fraction received one whole share.",
      terms: "reverse_split | 1:22 2024-06-28 trading | round_up",
    },
    {
      heading: "Other Events",
      content:
        "Item 8.01 On January 16, 2024, the Board of Directors of Harbor Mills Trust authorized a one-for-four reverse share split of the common shares. Subject to the filing of articles supplementary, the reverse share split is expected to take effect at the close of business on January 31, 2024 and shares are expected to begin trading on a split-adjusted basis on the NYSE at the opening of trading on February 1, 2024.",
      terms: "reverse_split | 1:4 2024-02-01 trading | -",
    },
    {
      heading: "Report of foreign private issuer",
      content:
        "REPORT OF FOREIGN PRIVATE ISSUER PURSUANT TO RULE 13a-16. Form 6-K for the month of September 2024. Harbor Mills Ltd. announces that it effected a reverse share split of its ordinary shares at the ratio of 1-for-90. The ordinary shares began trading on Nasdaq on an adjusted basis at the open of trading on September 18, 2024.",
      terms: "reverse_split | 1:90 2024-09-18 trading | -",
    },
    {
      heading: "Harbor Mills 8-K",
      content:
        "Item 5.03. Effective December 30, 2024, Harbor Mills, Inc. amended its certificate of incorporation to implement a one-for-fifty reverse stock split. Trading of the common stock on a split-adjusted basis began at the opening of the market on December 31, 2024. In lieu of fractional shares, the Company paid cash.",
      terms: "reverse_split | 1:50 2024-12-31 trading | cash_in_lieu",
    },
    {
      heading: "6-K Harbor Mills",
      content:
        "On 5 February 2025, Harbor Mills Ltd. implemented a share consolidation on a basis of 1 new share for every 24 shares. The Class A ordinary shares began trading on a post-consolidation basis on 6 February 2025.",
      terms: "reverse_split | 1:24 2025-02-06 trading | -",
    },
    {
      heading: "Harbor Mills Current Report",
      content:
        "Item 8.01. Harbor Mills, Inc. announced that the 1-for-9 reverse split which stockholders approved on May 1, 2024 will be effected on May 28, 2024 at 12:01 a.m. ET. The common stock is expected to trade on a split-adjusted basis commencing upon market open on that day. Fractional shares shall be settled in cash.",
      terms: "reverse_split | 1:9 2024-05-28 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills, Inc. Form 8-K",
      content:
        'Item 3.03. The information in Item 5.03 is incorporated by reference.\nItem 5.03. On March 27, 2025, Harbor Mills, Inc. (the "Company") filed a Certificate of Amendment with the Secretary of State of Delaware to effect a 1-for-11 reverse stock split (the "Reverse Split") as of 4:01 p.m. Eastern Time on March 28, 2025 (the "Effective Time"). As of the Effective Time, each 11 shares will be combined into one. The Reverse Split will not change the par value. The Company\'s common stock will begin trading on a Reverse Split-adjusted basis on Nasdaq on March 31, 2025. Each holder of a fraction will be entitled to receive, from the exchange agent, cash in an amount equal to the product of the closing price of the common stock on March 28, 2025 and the fraction.\nItem 9.01 Exhibits. 3.1 Certificate of Amendment, filed March 27, 2025.',
      terms: "reverse_split | 1:11 2025-03-31 trading | cash_in_lieu",
    },
    {
      heading: "Regulation FD Disclosure",
      content:
        "Item 7.01. On November 4, 2024, the Company announced a 1-for-60 reverse stock split, expected to be effective November 8, 2024. Item 8.01. The Board approved the ratio on October 31, 2024, pursuant to authority granted by stockholders on September 12, 2024, to effect a reverse stock split of between 1-for-10 and 1-for-100.",
      terms: "reverse_split | 1:60 2024-11-08 effective | -",
    },
    {
      heading: "Material event",
      content:
        "On 2 January 2025 Harbor Mills Ltd. filed amended articles by which, as of 10 January 2025, 15 Class A ordinary shares of US$0.001 each were consolidated into 1 Class A ordinary share of US$0.015 each. Form 6-K. The shares trade on a post-consolidation basis on Nasdaq since January 10, 2025.",
      terms: "reverse_split | 1:15 2025-01-10 trading | -",
    },
    {
      heading: "Unscheduled material events",
      content:
        "8-K filed on 05/28/2024. Item 5.03: Effective at 12:01 a.m. on May 28, 2024, the Company amended its Certificate of Incorporation to effect a 1-for-16 reverse split of its common stock. The stock trades on a split-adjusted basis as of the open of business on May 28, 2024.",
      terms: "reverse_split | 1:16 2024-05-28 trading | -",
    },
    {
      heading: "6-K",
      content:
        "Form 6-K. The Company today announces that its one-for-ninety share combination will become effective on March 20, 2025. Beginning with the opening of trading on that day, the ordinary shares will trade on a post-combination basis. Fractions will be rounded to the next higher whole share.",
      published: "2025-03-17",
      terms: "reverse_split | 1:90 2025-03-20 trading | round_up",
    },
  ])("gives the terms that an item of a current report states: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });

  it.each<TermsCase>([
    {
      heading: "Item 5.07 Submission of Matters to a Vote of Security Holders",
      content:
        "At the special meeting held on May 2, 2024, the stockholders of Harbor Mills, Inc. approved an amendment to effect a reverse stock split at a ratio of not less than 1-for-10 and not more than 1-for-50. Votes for: 10,223,112; against: 2,233,110; abstain 10,112.",
      terms: "ratio_range | -",
    },
    {
      heading: "Item 5.03 Amendments to Articles; Change in Fiscal Year",
      content:
        "On May 6, 2024 the board of Harbor Mills, Inc. changed the fiscal year end from June 30 to December 31. The company will file a transition report on Form 10-KT.",
      terms: "other | -",
    },
    {
      heading: "Note 1. Organization",
      content:
        "On April 10, 2024, the Company effected a 1-for-20 reverse stock split of its common stock. All share and per share amounts have been adjusted retroactively. The accompanying unaudited condensed consolidated financial statements for the three months ended June 30, 2024 have been prepared by management.",
      terms: "completed_past | -",
    },
    {
      heading: "Risk factors",
      content:
        "We effected a reverse stock split on May 6, 2023 at a ratio of 1-for-30 to maintain our listing. On July 2, 2024 we received a notice from Nasdaq that our bid price was below $1.00.",
      terms: "deficiency | -",
    },
    {
      heading: "Item 1.01 Entry into a Material Definitive Agreement",
      content:
        "On August 5, 2024, Harbor Mills entered into a purchase agreement. The purchase price per share gives effect to the 1-for-16 reverse stock split effected on March 4, 2024.",
      terms: "completed_past | -",
    },
    {
      heading: "PRELIMINARY PROXY STATEMENT",
      content:
        "NOTICE OF SPECIAL MEETING OF STOCKHOLDERS TO BE HELD ON JUNE 20, 2024. Proposal 1: to approve an amendment to effect a reverse stock split at a ratio of 1-for-10. If approved, the reverse split will become effective on or about July 1, 2024.",
      terms: "approval_only | -",
    },
  ])("finds no split in other items: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });
});
