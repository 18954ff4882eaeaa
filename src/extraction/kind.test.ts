import { describe, expect, it } from "vitest";
import { parseDay } from "../domain/time/day.ts";
import { extractFacts } from "./extract.ts";
import { isReinstatement } from "./withdrawal.ts";

function read(heading: string, text: string) {
  const content = `BOISE, May 4, 2026 -- Harbor Mills Inc. (NASDAQ: HMIL) makes paper. ${text}\n\nAbout Harbor Mills`;
  return extractFacts({ heading, content });
}

describe("findKind", () => {
  it.each([
    ["a heading with its ratio", "Harbor Mills to Effect 1-for-12 Reverse Stock Split", "It is a step to a new start."],
    [
      "a first trading day",
      "News of Harbor Mills",
      "After the one-for-twelve reverse split the shares will begin trading on a split-adjusted basis on June 5.",
    ],
    [
      "the noun at the end",
      "News of Harbor Mills",
      "Trading on a post-consolidation basis is expected to begin on June 5, when the share consolidation takes effect.",
    ],
    [
      "old shares first",
      "Harbor Mills Announces Share Consolidation",
      "It will consolidate all of its common shares on a ten-for-one basis on June 5.",
    ],
    [
      "trading on a consolidated basis, and no other word",
      "News of Harbor Mills",
      "Effective at the open on June 5, the shares will commence trading on a ten old for one new consolidated basis.",
    ],
    [
      "a ratio within the range that was approved",
      "News of Harbor Mills",
      "Harbor Mills announced a 1-for-12 reverse split, within the range of 1-for-2 to 1-for-60 that its stockholders approved.",
    ],
    [
      "an effective date that the board fixed",
      "News of Harbor Mills",
      "Its board has fixed June 5 as the effective date of the 1-for-12 consolidation.",
    ],
    [
      "articles that were filed today",
      "Harbor Mills Announces Voting Results",
      "The Company filed articles of amendment on May 4, 2026 to effect the consolidation of its common shares on the basis of seven old common shares to one new common share.",
    ],
    [
      "a certificate that was filed the day before",
      "Harbor Mills Reports Results of Its Meeting",
      "Harbor Mills filed a certificate of amendment on May 3, 2026 to effect a 1-for-12 reverse stock split.",
    ],
    ["an older term", "Harbor Mills Announces Rollback", "The rollback of 10 to 1 will be effective June 5."],
    [
      "a completion today",
      "Harbor Mills Completes Reverse Split",
      "Its 1-for-12 reverse stock split became effective today.",
    ],
    [
      "an approval that goes on to a date",
      "Harbor Mills Board Approves Reverse Split",
      "The Board approved a 1-for-12 reverse split. The shares are expected to begin trading on a split-adjusted basis on June 5.",
    ],
    [
      "a range that has become a ratio",
      "Harbor Mills Announces Reverse Stock Split",
      "Stockholders approved a range of 1-for-2 to 1-for-60. The Board fixed the ratio at 1-for-12. The reverse stock split will become effective on June 5.",
    ],
    [
      "a date moved forward",
      "Harbor Mills Moves Up Reverse Split",
      "The 1-for-12 reverse stock split is now expected to take effect on June 1.",
    ],
    [
      "funds",
      "Peak Funds Will Reverse Split Two ETFs",
      "Shares of both funds will be offered on a split-adjusted basis on June 8.",
    ],
    [
      "a ratio that the board has set",
      "Harbor Mills Sets Ratio",
      "The Board fixed a ratio of 1-for-12 for the reverse split that its stockholders approved in May.",
    ],
    [
      "shares that will be consolidated",
      "Harbor Mills Announces Effective Date",
      "Its common shares will be consolidated on a four (4) to one (1) basis.",
    ],
    [
      "a share combination",
      "Harbor Mills Announces Share Combination",
      "It will effect a share combination of one new share for every twelve existing ones.",
    ],
    [
      "a consolidation that names only its new shares",
      "News of Harbor Mills",
      "The shares will begin trading on a post-consolidation basis on June 5.",
    ],
    [
      "splits of funds",
      "Peak ETFs Announces Share Splits",
      "Peak announced reverse share splits of two funds. Both splits will be effective before the open on June 5.",
    ],
    [
      "misspelled",
      "Harbor Mills Announces Share Consolidaton",
      "The share consolidaton of ten to one will be effective June 5.",
    ],
    [
      "without spaces",
      "Harbor Mills Announces ShareConsolidation",
      "TheConsolidation willbe effective June 5 at 10:1.",
    ],
  ])("returns reverse_split for %s", (_, heading, text) => {
    expect(read(heading, text).kind).toBe("reverse_split");
  });

  it.each([
    [
      "approval_only",
      "Harbor Mills Stockholders Approve Reverse Split",
      "Stockholders approved a reverse stock split, which the Board may carry out.",
    ],
    [
      "approval_only",
      "Harbor Mills Announces Results of Special Meeting",
      "Shareholders voted for the proposal to effect a reverse stock split.",
    ],
    [
      "approval_only",
      "Harbor Mills Calls Special Meeting",
      "Holders will be asked to vote on a proposal for a reverse stock split.",
    ],
    [
      "ratio_range",
      "Harbor Mills Stockholders Approve Reverse Split",
      "Stockholders approved a reverse stock split in a range from 1-for-5 to 1-for-25.",
    ],
    [
      "ratio_range",
      "Harbor Mills Plans Share Consolidation",
      "It proposes to consolidate its shares on the basis of one new share for up to every ten old shares.",
    ],
    [
      "ratio_range",
      "Harbor Mills Reports Year-End Results",
      "Stockholders approved a reverse stock split at not less than 1-for-2 and not more than 1-for-20.",
    ],
    [
      "ratio_range",
      "Harbor Mills Holders Approve Consolidation",
      "Shareholders approved a share consolidation of every two (2) to fifty (50) ordinary shares into one.",
    ],
    [
      "ratio_range",
      "Harbor Mills Holders Approve Consolidation",
      "They approved a consolidation at a ratio of up to fifteen (15) old common shares for one (1) new one.",
    ],
    [
      "approval_only",
      "Harbor Mills Board Approves Reverse Split",
      "The Board approved a 1-for-12 reverse split, subject to approval by the stockholders on July 9.",
    ],
    [
      "ads_ratio_change",
      "Tide Announces Plan to Change ADS Ratio",
      "It plans to change the ratio of its American depositary shares to its ordinary shares on June 5.",
    ],
    ["ads_ratio_change", "Tide Announces ADS Ratio Change", "One ADS, now five shares, will be fifty."],
    [
      "ads_ratio_change",
      "Tide Changes ADSs",
      "Tide announced a change in the ratio of its American Depositary Shares, with the effect of a one-for-ten reverse ADS split.",
    ],
    [
      "forward_split",
      "Tide Announces ADS Ratio Change",
      "Tide announced a change of its ADS ratio from one ADS representing ten (10) shares to one ADS representing two (2) shares.",
    ],
    ["forward_split", "Harbor Mills Announces 3-for-1 Stock Split", "Holders will receive two more shares for each."],
    [
      "forward_split",
      "Harbor Mills Announces Forward Split",
      "The shares will begin trading on a split-adjusted basis on June 5.",
    ],
    ["forward_split", "News of Harbor Mills", "Harbor Mills will effect a subdivision of its shares on June 5."],
    ["forward_split", "Harbor Mills to Split Shares", "It is proposing to split its shares on a five-for-one basis."],
    ["forward_split", "News of Harbor Mills", "The 3-for-1 split is effective June 5."],
    [
      "completed_past",
      "Harbor Mills Reports Fourth Quarter",
      "(1) Adjusted retroactively for the 1-for-12 reverse stock split of January 5, 2026.",
    ],
    [
      "completed_past",
      "Harbor Mills Reports Third Quarter",
      "Per-share figures reflect the 1-for-12 reverse stock split of May 4, 2026.",
    ],
    [
      "completed_past",
      "Harbor Mills Wins Contract",
      "Since its recent reverse stock split the company has 4 million shares.",
    ],
    [
      "deficiency",
      "Harbor Mills Receives Nasdaq Delisting Determination",
      "The Company may effect a reverse stock split.",
    ],
    [
      "deficiency",
      "Harbor Mills Granted 180-Day Extension by Nasdaq",
      "It may cure the deficiency by a reverse split, if necessary.",
    ],
    [
      "deficiency",
      "Harbor Mills Granted Additional 180 Days by Nasdaq",
      "Nasdaq granted it, by a reverse split if need be.",
    ],
    [
      "deficiency",
      "Harbor Mills Announces Hearing Panel Decision",
      "The Nasdaq Hearings Panel granted its request, provided that it effects a reverse split by July 1.",
    ],
    [
      "deficiency",
      "Harbor Mills Provides Update",
      "On May 2 it received a written notice from NYSE American that it is not in compliance with a listing standard.",
    ],
    [
      "other",
      "Harbor Mills Regains Compliance with Nasdaq",
      "It received a letter that it has regained compliance with the minimum bid price rule.",
    ],
    [
      "other",
      "Harbor Mills Confirms No Reverse Split",
      "The company does not plan a reverse stock split and has no intention of any reverse split.",
    ],
    ["other", "Harbor Mills Denies Rumors of Reverse Split", "There are no plans to effect a reverse split."],
    ["other", "Harbor Mills Rules Out Reverse Split", "A reverse split is not on the table."],
    [
      "other",
      "Harbor Mills Signs Letter of Intent",
      "Before the reverse takeover closes it will consolidate its common shares on the basis of one for five, subject to shareholder approval.",
    ],
    [
      "other",
      "Consolidator Corp Reports Consolidated Results",
      "The consolidation of operations went well. Consolidated Statements of Income follow.",
    ],
    ["other", "Harbor Mills Opens Plant", "It opened in May."],
    [
      "ads_ratio_change",
      "Harbor Mills Announces ADR Ratio Change",
      "The number of the Company's ordinary shares represented by each American Depositary Share will be changed from 30 to 70. It had received a notification on the minimum bid price.",
    ],
    [
      "forward_split",
      "Harbor Mills Splits Its ADRs",
      "The ratio will change from one ADR per five shares to one ADR per two shares. Holders will receive 2.5 ADRs for every one ADR held.",
    ],
    [
      "completed_past",
      "Subsequent Event",
      "Shareholders approved a reverse stock split at a ratio of 1-for-12. On March 3, 2026, the shares began trading on a split adjusted basis.",
    ],
    [
      "completed_past",
      "Risk Factors",
      "Stockholders approved a reverse stock split at a ratio of 1-for-2 to 1-for-60. We filed an amendment to effect the reverse stock split, with an effective time of 4:01 p.m. on March 3, 2026.",
    ],
    [
      "approval_only",
      "Harbor Mills Announces Proposed Consolidation of Shares",
      "It announced a proposed consolidation of its shares at a ratio of one new share for twelve old shares.",
    ],
    [
      "approval_only",
      "Harbor Mills Announces Proposed Share Consolidation",
      "It announces conditional approval to consolidate its common shares on the basis of one share for every twelve shares. The share consolidation is subject to final approval from the exchange.",
    ],
    [
      "approval_only",
      "Report of Voting Results",
      "As a resolution that the issued shares in the capital of the Company be consolidated on the basis of one for twelve.",
    ],
    [
      "other",
      "Letter to Stockholders",
      "We are asking for your input on whether we should put a proposal for a reverse stock split in the proxy statement.",
    ],
    [
      "deficiency",
      "Harbor Mills Hears From Its Exchange",
      "The NYSE notified it that the average closing price of its shares was less than $1.00 over 30 trading days.",
    ],
    [
      "reverse_split",
      "Harbor Mills Announces Proposed Share Consolidation",
      "The share consolidation of 12 to 1 will become effective on June 5.",
    ],
    [
      "reverse_split",
      "Harbor Mills Goes Ahead",
      "The board has decided to implement a one-for-12 reverse stock split of its shares, effective 2 May.",
    ],
  ])("returns %s for: %s", (kind, heading, text) => {
    expect(read(heading, text).kind).toBe(kind);
  });

  it("quotes the sentence of every kind except other", () => {
    expect(read("Harbor Mills Stockholders Approve Reverse Split", "All is well.").evidence.kind).toBe(
      "Harbor Mills Stockholders Approve Reverse Split",
    );
    expect(read("Harbor Mills Opens Plant", "All is well.").evidence.kind).toBeUndefined();
  });
});

describe("findKind, for a withdrawn split", () => {
  it.each([
    ["Harbor Mills Cancels Reverse Stock Split", "More news will follow."],
    ["Harbor Mills Announces Withdrawal of Share Consolidation", "More news will follow."],
    ["Update", "The Board has determined to cancel the previously announced 1-for-12 reverse stock split."],
    ["Update", "The Board has elected to abandon the proposed one-for-eight reverse stock split."],
    ["Update", "The 1-for-12 reverse stock split, announced on May 3, 2026, has been abandoned."],
    ["Update on Reverse Split", "The Board resolved not to implement the reverse stock split."],
    ["Harbor Mills Not to Proceed with Reverse Stock Split", "More news will follow."],
    ["Tide Cancels ADS Ratio Change", "More news will follow."],
    ["Update", "The Board decided not to effect the 1-for-12 reverse stock split that had been announced."],
    [
      "Update on Reverse Split",
      "It will not proceed with the reverse stock split previously scheduled for May 9, 2026.",
    ],
    [
      "Update on Reverse Split",
      "The reverse stock split that had been expected to take effect on May 9 will no longer take place.",
    ],
  ])("returns cancelled: %s: %s", (heading, text) => {
    expect(read(heading, text).kind).toBe("cancelled");
  });

  it.each([
    [
      "Harbor Mills Announces Postponement of Reverse Split",
      "It is now expected to begin trading on a split-adjusted basis on June 12.",
    ],
    ["Harbor Mills: Reverse Split Postponed to June 12", "More news will follow."],
    ["Update", "The consolidation of its common shares (the “Consolidation”), announced on May 3, has been deferred."],
    ["Harbor Mills Delays Share Consolidation", "A new date will be announced."],
    ["Harbor Mills Reschedules Reverse Stock Split", "It will take effect on June 12."],
    ["Update", "Tide is postponing the effective date for the planned change in its ADS ratio."],
    ["Update", "The effective date of its 1-for-12 reverse stock split has been postponed to June 12."],
    ["Update", "Its reverse split, which was to take effect on June 5, has been delayed until further notice."],
    ["Update", "Its one-for-twelve share consolidation is being postponed until July."],
    [
      "Tide Announces Extension of Plan to Implement ADS Ratio Change",
      "The change was to take place on June 30, 2026.",
    ],
    ["Update", "Tide announced an extension to its planned 1-for-12 reverse split, which was scheduled for June 5."],
  ])("returns postponed: %s: %s", (heading, text) => {
    expect(read(heading, text).kind).toBe("postponed");
  });

  it.each([
    [
      "a report of its cancellation is denied",
      "Harbor Mills Denies Cancellation of Reverse Split",
      "Harbor Mills, Inc. today denied reports that its 1-for-12 reverse stock split has been cancelled.",
    ],
    [
      "a report of its cancellation is false",
      "Harbor Mills Comments on Rumors",
      "Harbor Mills, Inc. said that reports that its 1-for-12 reverse stock split was cancelled are false.",
    ],
    [
      "the company has not cancelled it",
      "Harbor Mills Statement",
      "Harbor Mills, Inc. confirmed that it has not cancelled or postponed its 1-for-12 reverse stock split.",
    ],
    [
      "another event is postponed",
      "Harbor Mills Adjourns Meeting",
      "The special meeting to vote on the reverse stock split has been postponed to July 1.",
    ],
    [
      "it is only possible",
      "Harbor Mills Announces Reverse Split",
      "A 1-for-12 reverse stock split takes effect June 5. The Board may cancel or delay the reverse stock split.",
    ],
    [
      "it is a risk factor",
      "Harbor Mills Announces Reverse Split",
      "A 1-for-12 reverse stock split takes effect June 5. Risks include that the reverse stock split is delayed.",
    ],
    [
      "fractions are cancelled",
      "Harbor Mills Announces Reverse Split",
      "Fractional shares resulting from the 1-for-12 reverse stock split will be cancelled.",
    ],
    [
      "certificates are cancelled",
      "Harbor Mills Announces Reverse Split",
      "Certificates from before the 1-for-12 reverse stock split have been cancelled.",
    ],
    [
      "it is scheduled",
      "Harbor Mills Announces Reverse Split",
      "The 1-for-12 reverse stock split, announced earlier, will not take effect until June 5.",
    ],
    [
      "another split replaces it",
      "Harbor Mills Replaces Reverse Split",
      "It has cancelled its 1-for-10 reverse stock split. The 1-for-20 reverse stock split will become effective on June 5.",
    ],
    [
      "trading is suspended",
      "Harbor Mills Speaks",
      "Following the reverse stock split, trading in the shares has been suspended.",
    ],
    ["a dividend is suspended", "Harbor Mills Speaks", "Since the reverse split the dividend was suspended."],
    ["a proposal is withdrawn", "Harbor Mills Speaks", "It withdraws the reverse split proposal from the agenda."],
    ["it was never planned", "Harbor Mills Speaks", "It will not effect a reverse stock split."],
    [
      "an offering is cancelled",
      "Harbor Mills Cancels Offering",
      "It cancelled its offering after the reverse stock split.",
    ],
    [
      "it is below the lead",
      "Harbor Mills Opens Plant",
      `${"The plant is large. ".repeat(20)}In 2019 it cancelled its reverse stock split.`,
    ],
  ])("reports no withdrawal where %s", (_, heading, text) => {
    expect(["cancelled", "postponed"]).not.toContain(read(heading, text).kind);
  });
});

describe("findKind, for a reinstated split", () => {
  it.each([
    "Harbor Mills withdraws the cancellation of its 1-for-12 reverse stock split.",
    "Harbor Mills rescinded its decision to cancel the reverse stock split.",
    "Harbor Mills reversed its earlier decision not to proceed with the reverse split.",
    "The previously announced cancellation of the reverse stock split was issued in error.",
    "The release of May 3 on the postponement of its share consolidation was issued by mistake.",
    "Harbor Mills has reinstated its previously cancelled 1-for-12 reverse stock split.",
    "The reverse stock split will proceed as originally announced.",
    "The share consolidation will still take effect as previously scheduled.",
  ])("returns reverse_split: %s", (sentence) => {
    const { kind, evidence } = read("News of Harbor Mills", sentence);
    expect(kind).toBe("reverse_split");
    expect(evidence.kind).toBe(sentence);
    expect(isReinstatement(sentence)).toBe(true);
  });

  it.each([
    "Harbor Mills has not withdrawn the cancellation of its reverse stock split.",
    "The board of Harbor Mills has no plans to reinstate the cancelled reverse stock split.",
    "Harbor Mills intends to ask its holders to reinstate its previously cancelled reverse stock split.",
    "Holders asked the board to withdraw the cancellation of the reverse stock split, and it refused.",
    "Harbor Mills denies that it has withdrawn the cancellation of the reverse stock split.",
    "It is unlikely that the reverse stock split will proceed as originally announced.",
    "Harbor Mills announced the cancellation of its reverse split, and the release that said otherwise was issued in error.",
    "Following the cancellation of the reverse stock split the release on its ratio was issued in error.",
  ])("ignores reinstatements that have not happened: %s", (sentence) => {
    expect(isReinstatement(sentence)).toBe(false);
  });

  it("prefers the reinstatement to a later mention of the withdrawal", () => {
    const text =
      "Harbor Mills withdraws the cancellation of its reverse split. On May 3 it announced that it had cancelled its reverse split.";
    expect(read("Harbor Mills: Correction", text).kind).toBe("reverse_split");
  });

  it.each([
    ["a cancellation", "cancelled", "Harbor Mills has cancelled its previously announced reverse stock split."],
    [
      "a split that will not proceed as announced",
      "cancelled",
      "Harbor Mills announced that its previously announced reverse split will not proceed as originally announced.",
    ],
    [
      "a postponement that keeps the other terms",
      "postponed",
      "Harbor Mills has postponed its reverse split. In all other terms the reverse split will proceed as originally announced.",
    ],
    [
      "another withdrawal",
      "cancelled",
      "Harbor Mills has withdrawn its reverse stock split after the termination of its merger agreement.",
    ],
    [
      "a possible reinstatement",
      "cancelled",
      "Harbor Mills has cancelled its reverse split. It may reinstate the reverse split at a later time.",
    ],
  ] as const)("is not found in %s", (_, kind, text) => {
    expect(read("News of Harbor Mills", text).kind).toBe(kind);
  });
});

describe("a split that holders approved", () => {
  it.each([
    "It announced that the 1-for-20 reverse stock split approved by its shareholders on April 2, 2026 will take effect on May 11, 2026.",
    "As approved by shareholders at the special meeting, its 1-for-20 reverse stock split is effective today.",
    "Its shareholders approved, and its board will implement, a 1-for-20 reverse stock split on May 11, 2026.",
    "Having obtained shareholder approval, it will consolidate its shares 20-for-1 on May 11, 2026.",
    "Further to approval by shareholders, it has consolidated its shares 20:1. The consolidated shares will commence trading on May 11, 2026.",
  ])("is announced by the sentence that reports the act: %s", (text) => {
    expect(read("News of Harbor Mills", text).kind).toBe("reverse_split");
  });

  it.each([
    "Shareholders approved a reverse stock split at a ratio that the board may set.",
    "Shares will begin trading on a consolidated basis on a date to be announced if holders approve the share consolidation.",
  ])("is not announced without an act: %s", (text) => {
    expect(read("News of Harbor Mills", text).kind).not.toBe("reverse_split");
  });
});

describe("a text of a law firm that looks for clients", () => {
  const first =
    "after its shares fell on September 29, 2026, the first day of trading after a 1-for-30 reverse stock split.";

  it.each([
    `NEW YORK, Oct. 1, 2026 (GLOBE NEWSWIRE) -- A law firm is investigating Rydal Motors Inc. (NASDAQ: RYDL) ${first}`,
    `NEW YORK, Oct. 1, 2026 (GLOBE NEWSWIRE) -- The Law Offices of Ann Reed announce an investigation on behalf of Rydal Motors Inc. (NASDAQ: RYDL) investors ${first}`,
    `NEW YORK, Oct. 1, 2026 (GLOBE NEWSWIRE) -- A securities class action was filed against Rydal Motors Inc. (NASDAQ: RYDL) ${first} Investors who purchased shares may ask to be lead plaintiff.`,
  ])("announces no split: %s", (content) => {
    const { kind, splits, announced } = extractFacts({ heading: "Alert for holders of Rydal Motors", content });
    expect([kind, splits, announced]).toEqual(["other", [], "2026-10-01"]);
  });

  it("isn't one by an issuer that names its counsel", () => {
    const content =
      "Rydal Motors Inc. (NASDAQ: RYDL) today announced a 1-for-30 reverse stock split. Its shares begin trading on a split-adjusted basis on September 29, 2026. The law firm Reed LLP is its counsel.";
    expect(extractFacts({ heading: "Rydal Motors announces reverse split", content }).kind).toBe("reverse_split");
  });
});

it.each([
  "Is the Harbor Mills Reverse Split Good or Bad? What Investors Say",
  "Should Investors Like the Harbor Mills Reverse Split?",
  "Why Harbor Mills Wants a Reverse Split",
])("a question announces no proposed split: %s", (heading) => {
  const content =
    "Harbor Mills (NYSE: HMIL) fell after announcing plans for a reverse stock split. It is recommending that holders of its stock approve a proposed 1-for-8 reverse stock split.";
  expect(extractFacts({ heading, content })).toMatchObject({ kind: "approval_only", splits: [] });
});

describe("an article about splits in general", () => {
  it.each([
    [
      "What is a 20/1 reverse stock split?",
      "In a 1:4 reverse split, a company gives one new share for four old ones. If you owned 100 shares and the company announced a 1:4 reverse split, you would own 25 shares.",
    ],
    ["Is a Reverse Stock Split Good or Bad?", "A reverse stock split is generally considered a sign of weakness."],
    ["Reverse Stock Splits Explained", "Reverse stock splits are used by companies with a low price."],
    [
      "Understanding Price Drops and Reverse Splits",
      "When a company's stock falls below $1, it must act. A 1-for-5 reverse split would reduce the number of shares from 75 to 15.",
    ],
    [
      "Examples of Companies With Reverse Stock Splits",
      "A reverse split, also known as a share consolidation, reduces the number of shares. In 2019 Harbor Mills (HMIL) underwent a 1-for-15 reverse stock split.",
    ],
    ["Stock split and reverse split", "A split in which the number of shares falls is called a reverse split (RS)."],
    ["Round-Up Strategy", "It is simple. Example: A company announces a 1-for-20 reverse split. You own one share."],
    ["Reverse Split Dates", "AAAA 1 for 15\nHow do you calculate a reverse stock split? Divide your shares."],
    ["Guide to Forward and Reverse Splits", "A stock split is an action in which a company divides its shares."],
    ["Nasdaq Adopts Reverse Split Rules", "Companies often use a reverse stock split to meet the price rule."],
    [
      "did harbor mills reverse split? The split of 2021 explained",
      "The answer is yes: Harbor Mills (HMIL) effected a 1-for-8 reverse stock split that was filed on July 30, 2021. The board adopted a 1-for-8 reverse stock split.",
    ],
    ["Splits", "If company XYZ announces a 1-for-10 reverse split, a holder of ten XYZ shares has one."],
    ["", "Say a company announces a 1-for-10 reverse split. An investor who owns ten shares has one."],
    [
      "Treatment of Reverse Stock Splits",
      "All positions will be closed at the rate of the evening. If a client has 200 contracts open and the share has a 10:1 reverse stock split, 20 contracts are opened at ten times the rate.",
    ],
    [
      "Corporate actions on CFDs",
      "Traders with open positions on the ex-date take part in a split or reverse split. HMIL.US declares a split of 1 share to 4 shares with ex-date 31.08.2026 (Monday). A reverse split of 8 shares to 1 share has the opposite effect.",
    ],
    [
      "How We Handle Reverse Splits",
      "Existing positions are automatically adjusted. A customer who holds a short position of 80 units has 10 after a reverse split of 1 for 8.",
    ],
    [
      "did harbor mills reverse split? The split of 2021 explained",
      "Did harbor mills reverse split is a frequent question. Harbor Mills (HMIL) effected a 1-for-8 reverse stock split on July 30, 2021. The company proposed the reverse split to its holders and received approval at the annual meeting on May 4, 2021.",
    ],
    [
      "Corporate Actions FAQ",
      "Reverse split: the number of your shares is reduced. Example: HMIL announces a 1-for-10 reverse split with an ex-date of November 3, 2026. Your 100 CFDs become 10 CFDs.",
    ],
    [
      "Handling of reverse splits for options",
      "After a 1-for-10 reverse split, the deliverable is 10 shares. For example, HMIL effects a 1-for-10 reverse split on November 3, 2026.",
    ],
    [
      "Table of Reverse Share Splits",
      "The table shows the reverse share splits that were executed by the funds in the fiscal year 2025. Ridge Bull 2X Shares ETF | RBUL | 1-for-5 | January 12, 2025",
    ],
    [
      "Schedule of Share Splits and Reverse Share Splits",
      "The table below includes share splits and reverse share splits of the funds during the year ended December 31, 2025. Ridge UltraShort Banks ETF | June 4, 2025 | 1-for-4 reverse share split",
    ],
    [
      "Note 11 - Sale of Treasury Shares, and Reverse Stock Split",
      "9 Months Ended Sep. 30, 2025. The Board of Directors previously approved a reverse stock split, pursuant to which every 125 shares of common stock were reverse split, reconstituted, and converted into one share.",
    ],
  ])("announces none: %s", (heading, content) => {
    const facts = extractFacts({ heading, content });
    expect(["other", "completed_past", "forward_split"]).toContain(facts.kind);
    expect(facts.splits).toEqual([]);
  });

  it.each([
    [
      "Harbor Mills Plunges After Reverse Split",
      "Harbor Mills (NASDAQ: HMIL) announced a 1-for-12 reverse stock split, effective June 4. A reverse stock split usually raises the price of a share.",
    ],
    [
      "Harbor Mills Announces Reverse Split",
      "What is a reverse split? A reverse stock split is an exchange of several shares for one. Harbor Mills (NASDAQ: HMIL) will effect a 1-for-12 reverse stock split on June 4.",
    ],
    [
      "Harbor Mills to Effect Reverse Split",
      "The 1-for-12 reverse stock split is expected to take effect on June 4. If you own 24 shares of Harbor Mills (NASDAQ: HMIL), you will own two.",
    ],
  ])("hides no announcement: %s", (heading, content) => {
    const [split] = extractFacts({ heading, content, published: parseDay("2026-05-30") ?? null }).splits;
    expect(split).toMatchObject({ ticker: "HMIL", ratio: { newShares: 1, oldShares: 12 }, exDate: "2026-06-04" });
  });
});
