import { describe, expect, it } from "vitest";
import { extractFacts } from "./extract.ts";

const DATELINE = "BOISE, May 4, 2026 -- Harbor Mills Inc. (NASDAQ: HMIL)";

function read(heading: string, content: string) {
  const { kind, splits } = extractFacts({ heading, content });
  return { kind, dates: splits.map(({ exDate }) => exDate) };
}

const SILENT_HEADINGS = ["", "Exhibit 99.1", "News", "Press release", "EX-99.1"];

describe("a release whose heading says nothing", () => {
  it.each([
    [
      "a completion of a consolidation that was proposed",
      "2026-05-04",
      `${DATELINE} announces the completion of its previously proposed consolidation of its common shares on the basis of one new share for every ten old shares. The common shares begin trading on a consolidated basis at the opening of the market today.`,
    ],
    [
      "a completed plan with its effective date",
      "2026-05-04",
      `${DATELINE} is pleased to announce that it has completed the proposed consolidation of its issued and outstanding common shares on a 10:1 basis, effective May 4, 2026.`,
    ],
    [
      "a completed plan and the first trading day",
      "2026-05-05",
      `${DATELINE} has completed its previously proposed share consolidation of ten old shares for one new share. The shares will begin trading on a post-consolidation basis on May 5, 2026.`,
    ],
    [
      "a split in effect today that the directors had approved",
      "2026-05-04",
      `${DATELINE} announces that the consolidation of its common shares on a ten for one basis, approved by the directors on April 2, 2026, is effective today.`,
    ],
    [
      "a split that took effect on the day of the release",
      "2026-05-04",
      `${DATELINE} The 1-for-20 reverse stock split, which the board of directors had approved on April 2, 2026, became effective on May 4, 2026.`,
    ],
    [
      "a first trading day after a meeting that authorized the split",
      "2026-05-11",
      `${DATELINE} The common stock will begin trading on a split-adjusted basis on May 11, 2026, following the 1-for-20 reverse stock split that stockholders authorized at the special meeting held on April 2, 2026.`,
    ],
    [
      "a first trading day whose sentence names the meeting first",
      "2026-05-11",
      `${DATELINE} announced that the first trading day on a split-adjusted basis of the 1-for-20 reverse stock split, which its stockholders had authorized at their annual meeting of April 2, 2026, is May 11, 2026.`,
    ],
    [
      "news of others",
      "2026-05-11",
      "date 2026-05-04 Harbor Mills Inc. (NASDAQ: HMIL) shares fall on Monday after the company announced a 1-for-20 reverse stock split, effective May 11.",
    ],
  ])("is an announcement if its text states %s", (_, exDate, content) => {
    for (const heading of SILENT_HEADINGS)
      expect(read(heading, content)).toEqual({ kind: "reverse_split", dates: [exDate] });
  });

  it.each(["Reverse Stock Split", "NOTE 8. REVERSE STOCK SPLIT", "17. Share Consolidation", "(b) The Reverse Split"])(
    "is no announcement because it is titled: %s",
    (heading) => {
      const content = "The reverse stock split of 1-for-20 was approved by our stockholders.";
      expect(read(heading, content).kind).toBe("approval_only");
    },
  );
});

const UNDATED = { kind: "other", dates: [] };

describe("a vote on a split that failed or was adjourned", () => {
  it.each([
    "announced that at its special meeting held on May 1, 2026 the proposal to effect a reverse stock split at a ratio of 1-for-10 to 1-for-40 did not receive the required vote and was not approved.",
    "The proposed reverse stock split was approved by a majority but fell short of the two-thirds majority needed.",
    "Stockholders voted down the reverse stock split proposal.",
    "The proposal to approve a reverse stock split did not pass.",
    "Shareholders did not approve the share consolidation at the meeting held on May 1, 2026.",
    "The resolution on the share consolidation was not carried.",
    "The reverse stock split proposal failed to obtain the required majority.",
    "The 1-for-20 reverse stock split got insufficient votes at the meeting.",
    "Holders rejected the proposed 1-for-20 reverse stock split.",
    "The resolution for the 1-for-20 share consolidation was defeated.",
    "Proposal 2: reverse stock split. Not adopted.",
    "Holders voted on a 1-for-20 reverse stock split. However, they did not approve the resolution.",
  ])("decides nothing: %s", (sentence) => {
    for (const heading of ["", "Harbor Mills Announces Voting Results", "Reverse Stock Split"])
      expect(read(heading, `${DATELINE} ${sentence}`)).toEqual(UNDATED);
  });

  it.each([
    ["", "The special meeting, called to vote on a 1-for-20 reverse stock split, was adjourned to May 26, 2026."],
    [
      "",
      "Lacking a quorum, the meeting at which holders were to vote on the reverse split was adjourned until May 26.",
    ],
    ["", "Up for a vote is a reverse stock split. The company decided to adjourn the meeting to May 26, 2026."],
    ["", "The special meeting was adjourned to June 4. Stockholders will be asked to approve a reverse split."],
    ["", "The special meeting on the reverse stock split has been postponed to June 4, 2026."],
    ["Harbor Mills Adjourns Special Meeting", "Holders are asked to approve a reverse stock split."],
    ["Harbor Mills to Adjourn Meeting on Reverse Stock Split", "It will reconvene on May 26, 2026."],
  ])("is still open after an adjournment: %s: %s", (heading, sentence) => {
    expect(read(heading, `${DATELINE} ${sentence}`)).toEqual(UNDATED);
  });

  it.each([
    ["approval_only", "Stockholders approved a reverse stock split. Proposal 3, on the equity plan, was not approved."],
    ["approval_only", "At the adjourned special meeting of May 1, 2026 stockholders approved a reverse stock split."],
    ["approval_only", "Stockholders approved a reverse stock split. If it is not approved by the exchange, it lapses."],
    ["approval_only", "Holders vote on a reverse stock split, and on a proposal to adjourn the meeting."],
    ["reverse_split", "The 1-for-20 reverse stock split takes effect on May 11. Holders did not receive fractions."],
  ])("isn't found in news of kind %s: %s", (kind, sentence) => {
    expect(read("News", `${DATELINE} announced: the reverse stock split will be effective. ${sentence}`).kind).toBe(
      kind === "approval_only" ? "reverse_split" : kind,
    );
    expect(read("News", `${DATELINE} ${sentence}`).kind).toBe(kind);
  });

  it("gives no terms to the announcement of another company beside it", () => {
    const content =
      "Orlock Motors (NASDAQ: ORLK) announced a one-for-20 reverse stock split. The shares are expected to trade on a split-adjusted basis on May 28, 2026. " +
      "Brandvale Tech proposed a one-for-10 reverse stock split. However, shareholders did not approve the proposed resolution at the general meeting on May 7, 2026.";
    const { splits, contradictions } = extractFacts({ heading: "Upcoming Stock Splits This Week", content });
    expect(splits).toMatchObject([{ ratio: { newShares: 1, oldShares: 20 }, exDate: "2026-05-28" }]);
    expect(contradictions).toEqual([]);
    const alone = content.slice(content.indexOf("Brandvale"));
    expect(read("Upcoming Stock Splits This Week", alone)).toEqual(UNDATED);
  });
});

describe("a split that waits for the vote of the holders", () => {
  it.each([
    [
      "Harbor Mills to Consolidate Shares",
      "will consolidate its common shares on the basis of one new share for each ten old shares. The consolidation will be put to a vote at the annual meeting on June 25, 2026.",
    ],
    ["", "The 1-for-20 reverse stock split will become effective if stockholders approve it on June 25, 2026."],
    [
      "Harbor Mills Announces Share Consolidation",
      "announced a share consolidation at a ratio of 20 to 1. Shareholder approval will be sought at the meeting on June 25, 2026.",
    ],
    [
      "Harbor Mills plans 1-for-20 reverse stock split",
      "will ask its stockholders to approve a 1-for-20 reverse split.",
    ],
    [
      "",
      "It seeks stockholder approval for a 1-for-20 reverse stock split, which is to be effected no later than June 30.",
    ],
    [
      "Addendum to the Notice of General Meeting",
      "will undertake a consolidation of its share capital on a one for two basis ahead of the placement.",
    ],
    [
      "Harbor Mills Announces Reverse Split",
      "announced a 1-for-20 reverse split, effective May 11, 2026. The reverse split is subject to the approval of its stockholders.",
    ],
  ])("is no announcement: %s: %s", (heading, sentence) => {
    expect(read(heading, `${DATELINE} ${sentence}`)).toEqual({ kind: "approval_only", dates: [] });
  });

  it.each([
    "By law, the reverse split is made without obtaining the approval of the stockholders.",
    "Stockholders approved the reverse split on April 2, 2026, as the law requires the approval of its stockholders.",
    "Registered shareholders will be requested to send in the certificates of their shares before the share consolidation.",
    "The Company will ask its stockholders to elect directors.",
  ])("is announced although its text says: %s", (sentence) => {
    const news = "announced a 1-for-20 reverse stock split, effective on May 11, 2026.";
    expect(read("News", `${DATELINE} ${news} ${sentence}`)).toEqual({ kind: "reverse_split", dates: ["2026-05-11"] });
  });
});

describe("a denial", () => {
  it.each([
    ["Harbor Mills Comments on Rumors", "does not intend to effect a reverse stock split."],
    ["Harbor Mills Says It Won't Do a Reverse Split", "has no plan to conduct a 1-for-20 reverse stock split."],
    ["", "Reports that we will effect a 1-for-20 reverse stock split on May 11, 2026 are false."],
    ["", "denies reports that it will implement a 1-for-20 reverse stock split effective May 11, 2026."],
    ["", "Rumors of a 1-for-20 reverse split, effective May 11, 2026, have no basis."],
    ["", "There won't be a 1-for-20 reverse stock split on May 11, 2026."],
  ])("is nothing: %s: %s", (heading, sentence) => {
    expect(read(heading, `${DATELINE} ${sentence}`)).toEqual(UNDATED);
  });
});

describe("an annual report", () => {
  it.each([
    "On March 2, 2025, our stockholders approved a reverse stock split. On April 3, 2025, the Company effected a 1-for-20 reverse stock split of its common stock. All share amounts have been retroactively adjusted.",
    "On April 3, 2025, the reverse stock split became effective at a ratio of 1-for-20. The financial statements give retroactive effect to the split.",
    "On April 3, 2025, we filed a certificate of amendment to effect a 1-for-20 reverse stock split of our common stock, effective on April 4, 2025. Share data have been retroactively restated for all periods presented.",
    "The reverse stock split took effect on April 3, 2025 at a ratio of 1-for-20. Per share amounts reflect it and have been adjusted.",
  ])("retells the past: %s", (content) => {
    for (const heading of ["", "10-K", "Reverse Stock Split", "NOTE 9. Stockholders' Equity"])
      expect(read(heading, content)).toEqual({ kind: "completed_past", dates: [] });
  });
});

describe("a consolidation that is still to come", () => {
  it.each([
    "Following the share consolidation, which is expected to take place in June, the warrants will be adjusted.",
    "It is resolved, conditional on the listing, that each ten shares be consolidated into one after the share consolidation date.",
    "Due to the planned financing the Company will undertake a share consolidation.",
  ])("isn't past: %s", (sentence) => {
    expect(read("Harbor Mills Closes Financing", `${DATELINE} ${sentence}`).kind).not.toBe("completed_past");
  });
});

describe("a reverse split that a forward split undoes immediately", () => {
  it.each([
    "announced a 1-for-5,000 reverse stock split followed immediately by a 5,000-for-1 forward stock split of its common stock, effective on May 11, 2026.",
    "will effect a 1-for-1,000 reverse stock split at 6:00 p.m. on May 11, 2026, and then a 1,000-for-1 forward stock split.",
    "The reverse stock split will be effective on May 11, 2026 at a ratio of 1-for-500. Afterwards, the company will effect a forward split of 500 shares for each one.",
    "announced a one-for-five hundred reverse stock split, effective May 11, 2026. A five hundred-for-one forward stock split takes effect one minute later.",
  ])("has no record: %s", (sentence) => {
    for (const heading of ["", "Harbor Mills Announces Reverse Stock Split", "Harbor Mills: Reverse/Forward Split"])
      expect(read(heading, `${DATELINE} ${sentence}`)).toEqual(UNDATED);
  });

  it("is not one of two funds, of which one has a forward split", () => {
    const sentence =
      "announced a 1-for-4 reverse split of one fund and a 4-for-1 forward split of another fund. Shares trade on a split-adjusted basis from May 11, 2026.";
    expect(read("Peak ETFs Announces Reverse Split", `${DATELINE} ${sentence}`).kind).not.toBe("other");
  });
});

describe("a text about forward splits", () => {
  it.each([
    [
      "Harbor Mills Announces Stock Split",
      "will effect a 4-for-1 stock split. Unlike a reverse stock split, it increases the number of shares. The common stock will begin trading on a split-adjusted basis on May 11, 2026.",
    ],
    [
      "Harbor Mills Announces Splits of ETFs",
      "announced forward splits of two funds at a ratio of 3-for-1. Shares will begin trading on a split-adjusted basis on May 11, 2026. Harbor Mills executed a reverse split of another fund last year.",
    ],
    [
      "",
      "announced a three-for-one forward stock split. The shares will begin trading on a split-adjusted basis on May 11, 2026. It had executed a 1-for-4 reverse stock split in 2019.",
    ],
    [
      "Harbor Mills declares stock split",
      "declared a 2-for-1 stock split. Trading on a split-adjusted basis begins on May 11, 2026. What is the difference between a stock split and a reverse stock split?",
    ],
  ])("is no reverse split with the forward date: %s: %s", (heading, sentence) => {
    expect(read(heading, `${DATELINE} ${sentence}`)).toEqual({ kind: "forward_split", dates: [] });
  });

  it("is a reverse split if the forward split is history", () => {
    const sentence =
      "will effect a 1-for-20 reverse stock split on May 11, 2026. Since its 3-for-1 forward split of 2019 it had 90 million shares.";
    expect(read("", `${DATELINE} ${sentence}`)).toEqual({ kind: "reverse_split", dates: ["2026-05-11"] });
  });
});

describe("a postponed split", () => {
  it.each([
    [null, "has postponed its reverse split, which was announced on April 20, 2026 to be effective on May 11, 2026."],
    [null, "announced the postponement of its 2-for-39 share consolidation effective May 11, 2026."],
    [null, "is delaying the 1-for-20 reverse split planned for May 11, 2026 so that holders have more time."],
    [
      null,
      "announced on April 20, 2026 that its 1-for-20 reverse split will become effective on May 11, 2026. It has decided to delay the reverse split until further notice.",
    ],
    ["2026-05-18", "has delayed its 1-for-20 reverse stock split. It will take effect on May 18, 2026."],
    ["2026-05-18", "has delayed its 1-for-20 reverse stock split from May 11 to May 18, 2026."],
  ])("has the new day or none: %s: %s", (exDate, sentence) => {
    for (const heading of ["Harbor Mills Delays Reverse Split", "Harbor Mills Postpones Reverse Split"])
      expect(read(heading, `${DATELINE} ${sentence}`)).toEqual({ kind: "postponed", dates: [exDate] });
  });
});

describe("a change of the ADS ratio in a report", () => {
  it.each([
    "On December 10, 2022, we changed the ratio of our ADSs to ordinary shares from one ADS representing two ordinary shares to one ADS representing ten ordinary shares.",
    "Effective December 10, 2022, the Company changed its ADS ratio from 1:1 to 1:5. The change had the same effect as a one-for-five reverse ADS split.",
    "The ratio of ADSs to ordinary shares was changed from 1:1 to 1:5 with effect from December 10, 2022.",
  ])("is past: %s", (content) => {
    for (const heading of ["20-F", "Note 12. American Depositary Shares"])
      expect(read(heading, content)).toEqual({ kind: "completed_past", dates: [] });
  });

  it("is news if it took effect in the days before", () => {
    const content = `${DATELINE} changed its ADS ratio from 1:1 to 1:5, effective May 1, 2026.`;
    expect(read("", content)).toEqual({ kind: "ads_ratio_change", dates: ["2026-05-01"] });
  });
});

describe("a report of a vote that also states the day of the split", () => {
  it.each([
    "Shareholders approved the 1-for-20 reverse split by a wide margin. The reverse split goes into effect on May 11.",
    "Stockholders on Friday approved a 1-for-20 reverse stock split, which will happen on May 11.",
    "The reverse split, in which 20 shares become one, was approved last week and is to be carried out May 11.",
    "Holders voted for the reverse split. The company said that the 1-for-20 reverse split would take effect on May 11.",
    "Holders voted for the share consolidation. It plans to proceed with it at a ratio of 20-for-1, the share consolidation to be executed on May 11.",
    "When will the reverse stock split take effect? The reverse split will take effect on May 11, 2026. Did holders approve it? Yes, holders approved the 1-for-20 reverse split.",
  ])("announces the split: %s", (sentence) => {
    for (const heading of ["", "Harbor Mills Investors Back Reverse Split"])
      expect(read(heading, `${DATELINE} ${sentence}`)).toEqual({ kind: "reverse_split", dates: ["2026-05-11"] });
  });
});

describe("a text that mentions a split beside other news", () => {
  it.each([
    "We effected a 1-for-5 reverse stock split on December 10, 2022 and may need to effect another.",
    "Effective December 10, 2022, each five shares of common stock were combined into one share through a reverse stock split.",
    "On November 20, 2022, the board approved a 1-for-5 reverse split, effective December 10, 2022. All share data have been restated.",
    "We completed a 1-for-5 reverse stock split effective as of December 10, 2022 at 5:00 p.m.",
    "In a 1-for-5 reverse split, effective December 10, 2022, its shares were reduced to five million.",
    "The 1-for-5 reverse split took place on December 10, 2022. The 1-for-10 reverse split took place on March 3, 2020.",
    `${DATELINE} had revenue of $4 million. On April 20, 2026 it effected a 1-for-5 reverse stock split. The lease will expire on June 11, 2026.`,
    `${DATELINE} announced a private placement that will close on May 11, 2026. The price reflects the 1-for-5 reverse stock split.`,
    `${DATELINE} After our 1-for-5 reverse split in March we have come far. On May 11, 2026 we will report our results.`,
    `${DATELINE} will pay a dividend on May 11, 2026, adjusted for the 1-for-5 reverse split.`,
    `${DATELINE} warrants, as adjusted for the 1-for-5 reverse stock split, will begin trading on May 11, 2026.`,
    `${DATELINE} received a notice from Nasdaq. It may effect a 1-for-5 reverse split, which would be effective on September 1, 2026.`,
    `${DATELINE} may announce a 1-for-5 reverse split around May 11, 2026, analysts say.`,
    `${DATELINE} On April 28, 2026, it announced a 1-for-5 reverse stock split, and the stock fell. The deadline for plaintiffs is May 11, 2026.`,
  ])("gives no whole record: %s", (content) => {
    for (const heading of ["", "Harbor Mills", "Notes"]) {
      const { splits } = extractFacts({ heading, content });
      expect(splits.filter(({ ratio, exDate }) => ratio && exDate)).toEqual([]);
    }
  });
});
