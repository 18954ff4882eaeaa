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
  ])("finds no split in other items: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });
});
