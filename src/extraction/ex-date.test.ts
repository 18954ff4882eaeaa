import { assert, constantFrom, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { sentencesOf } from "../../test/support/sentences.ts";
import { growthFactor, HOSTILE_QUARTER } from "../../test/support/timing.ts";
import { parseExchange } from "../domain/split/exchange.ts";
import { addDays, type Day, parseDay, weekdayOf } from "../domain/time/day.ts";
import { tradingDayKind } from "../domain/time/trading-day.ts";
import { findDateline } from "./dateline.ts";
import { type ExDateResult, findExDate } from "./ex-date.ts";
import { withoutForwardPart } from "./forward-split.ts";

const DATELINE =
  "HARBOR CITY, Ore., April 20, 2026 (GLOBE NEWSWIRE) -- Harbor Mills, Inc. (Nasdaq: HRBM) announced today news. ";

function read(content: string, exchange = "NASDAQ", heading = ""): ExDateResult {
  const sentences = sentencesOf({ heading, content });
  const context = { dateline: findDateline(sentences).day, exchange: parseExchange(exchange) ?? null };
  return findExDate(sentences, context);
}

function exDateIn(body: string, exchange?: string): string {
  const { exDate, contradictory } = read(DATELINE + body, exchange);
  return exDate ?? (contradictory ? "contradicts" : "none");
}

describe("findExDate, by the start of trading", () => {
  it.each([
    "The common stock will begin trading on a split-adjusted basis when the market opens on May 4, 2026.",
    "Shares are expected to begin trading on a split-adjusted basis on Monday, May 4, 2026.",
    "It is anticipated that the ordinary shares will commence trading on a post-split basis at market open on 4 May 2026.",
    "Trading in the common shares on a post-consolidation basis will commence on or about May 4th, 2026.",
    "The Common Shares are expected to begin trading on the TSXV on a post-Consolidation basis effective at market open on Monday May 4, 2026.",
    "On May 4, 2026, the units will open for trading on a reverse split-adjusted basis.",
    "Commencing with the opening of trading on May 4, 2026, our stock trades on a post-reverse split basis.",
    "The stock will begin trading on May 4, 2026 on a split-adjusted basis under the same symbol.",
    "The shares will be quoted on a post-reverse-split basis at the open of business on May 4, 2026.",
    "The reverse split will be effective for trading purposes as of the commencement of trading on May 4, 2026.",
    "The split is expected to be effective in the marketplace at the open of business on May 4, 2026.",
    "The consolidated common shares are expected to commence trading at the opening of the market on May 4, 2026.",
    "Post-split shares are scheduled to start trading on May 4, 2026.",
    "The stock will start trading post-split at the opening bell on May 4, 2026.",
    "The shares will begin trading on the exchange under a new CUSIP number on May 4, 2026.",
    "Our stock is to trade at prices reflecting the reverse split when trading opens on May 4, 2026.",
    "The effect of the ADS ratio change on the ADS trading price on Nasdaq is expected to take place at the open of business on May 4, 2026.",
    "From the market open on May 4, 2026 the stock will trade on a 1-for-30 basis.",
    "The Funds will begin trading at their post-split prices on May 4, 2026.",
    "The shares will be offered on a split-adjusted basis at the market open on May 4, 2026.",
    "The shares will trade on a consolidated basis from May 4, 2026.",
    "Ex-date of the reverse split: May 4, 2026.",
    "The ex-split date is May 4, 2026.",
    "The shares will trade ex-consolidation from May 4, 2026.",
    "With adjusted trading commencing on the exchange from May 4, 2026, holders need take no action.",
    "The exchange will quote the stock on an adjusted basis starting May 4, 2026.",
    "The split-adjusted stock is expected to debut on the exchange on May 4, 2026.",
    "Dealings in the consolidated shares are expected to commence on May 4, 2026.",
    "Effective as of May 4, 2026, our shares trade post-split.",
    "Trading post-consolidation begins on May 4, 2026.",
    "The reverse split will become market effective on May 4, 2026.",
    "At the market open on May 4, 2026, the shares will trade under the same symbol with a new CUSIP number.",
    'From the open of business on May 4, 2026, the shares will be quoted under the symbol "HRBMD".',
    "The units will be listed on a post-Unit-Merger basis from May 4, 2026.",
    "The stock begins trading on the basis of the new share count on May 4, 2026.",
    "The ADSs will begin trading reflecting the new ADS ratio on May 4, 2026.",
    "The first trading day on a split-adjusted basis, which had been April 27, 2026, is now May 4, 2026.",
    "The stock will begin trading on a split adjusted basis on 05/04/2026.",
    "The shares willbegin trading onthe exchange on apost-Consolidation basis on or aboutMay4,2026.",
    "The shares isexpected to commence trading on a post-Consolidation basis on or about Ma y 4, 2026.",
    "The stock is expected to begin trading on a split\u2011adjusted basis on **May 4, 2026**.",
    "Common Stock Will Begin Trading on a Split-Adjusted Basis on May 4.",
    "The stock will begin trading on a split-adjusted basis on or around May 4, 2026, subject to final confirmation from FINRA.",
    "At the open on May 4, 2026 the stock will trade on a 30-to-1 basis.",
    "The stock is expected to begin trading on a share combination-adjusted basis on May 4, 2026.",
    "The reverse split will be reflected in trading upon the opening of the market on May 4, 2026.",
    "The share consolidation is expected to begin trading on the exchange on May 4, 2026.",
    "Harbor Mills announced that its stock would begin trading on a split-adjusted basis on May 4, 2026.",
    "The stock will begin trading on a split-adjusted basis on Monday, the 4th of May.",
  ])("finds the day in: %s", (body) => {
    expect(exDateIn(body)).toBe("2026-05-04");
  });
});

describe("findExDate, in other words", () => {
  it.each([
    "The reverse split goes live on Monday, May 4.",
    "The reverse split is slated for May 4.",
    "The reverse stock split will come on May 4th.",
    "The stock will open on Monday, May 4, adjusted for the split.",
    "The reverse split will cut the share count. The move, effective May 4, follows a vote.",
    "The exchange will begin trading the consolidated shares on May 4.",
    "The reverse split will be implemented by the depository on May 4, 2026.",
    "The reverse split will be executed after trading on Friday, May 1.",
    "The reverse split occurs after the close on Friday, May 1, 2026.",
    "The split happens after the bell on May 1.",
    "The market effective date is May 4, 2026.",
    "On May 4, every 20 shares will turn into one share.",
    "On May 4, 2026 at 12:01 a.m. ET every twenty shares of Harbor Mills will automatically become one.",
    "The reverse split will come into force on May 4, 2026.",
    "After stockholders voted April 2 for a reverse split, it said it would carry out the reverse split on May 4.",
    "ON MAY 4, 2026, THE REVERSE STOCK SPLIT TAKES EFFECT.",
    "When does the reverse stock split take effect? On May 4, 2026.",
    "Q: What is the effective date of the reverse split?\n\nA: May 4, 2026 at 12:01 a.m. Eastern Time.",
    "It announced a 1-for-20 reverse stock split. The effective date is 5/4/26.",
    "It will effect a 1-for-20 reverse stock split of all its issued and outstanding shares of common stock on May 4.",
    'On May 1, 2026 ("Effective Date") at 6:00 p.m. Eastern Time, a reverse stock split will occur.',
    "It said Friday after markets closed that on May 4, its shares will start trading on a split-adjusted basis.",
    "Old shares will be exchanged on May 1, with post-split shares first trading on May 4.",
    "The share consolidation, approved at the meeting of April 2, 2026, takes effect May 4.",
    "The first trading day on a split-adjusted basis, approved at the meeting of April 2, 2026, is May 4, 2026.",
  ])("finds the day in: %s", (body) => {
    expect(exDateIn(body)).toBe("2026-05-04");
  });

  it.each([
    "The reverse split will be discussed in the webcast of May 4, 2026.",
    "Results that reflect the reverse split will be published on May 4, 2026.",
    "The reverse split will reduce the number of shares. Warrants will expire on May 4, 2026.",
    "The reverse split will be effective a week from today.",
    "The reverse split is to lift the price so that the company will meet the rule by May 4, 2026.",
  ])("finds no day in: %s", (body) => {
    expect(exDateIn(body)).toBe("none");
  });
});

describe("findExDate, by the legal effective time", () => {
  it.each([
    "The reverse split takes effect at 5:00 p.m. Eastern Time on May 1, 2026, and trading on a split-adjusted basis starts at the open on May 4, 2026.",
    "The reverse split will become effective after market close on May 1, 2026. Shares will begin trading on a split-adjusted basis on May 4, 2026.",
    "The reverse split will be effective at 4:05 p.m. on Friday, May 1, 2026, and the stock will begin trading on a split-adjusted basis the following trading day.",
    "The reverse split will be effective at 11:59 p.m. ET on May 1, 2026. Its stock begins trading on a split-adjusted basis on the next trading day.",
    'The reverse split will be effective at 4:30 p.m. on May 1, 2026 (the "Effective Date"). The stock will begin trading on a split-adjusted basis on the first trading day following the Effective Date.',
    "The reverse split becomes effective on May 1, 2026. The stock will begin trading on a split-adjusted basis the following Monday.",
    "The reverse split takes effect on May 1, 2026 at 5:00 p.m. Beginning Monday, the stock will trade on a split-adjusted basis.",
    "The reverse split will be effective Monday, May 4, 2026. Beginning Monday, the stock will trade on a split-adjusted basis.",
    "The split takes effect on Friday, May 1, 2026, at 5:00 p.m.; the stock trades split-adjusted from the next morning of trading.",
    "The split is effective on April 30, 2026 at 5:00 p.m.; the stock trades split-adjusted on the following Monday, May 4, 2026.",
    "The split is effective on April 29, 2026 at 5:00 p.m.; it trades split-adjusted from the second following business day, May 4, 2026.",
    "The reverse split becomes effective on May 2, 2026; the stock is expected to begin trading on a split-adjusted basis at the market open on May 4, 2026.",
    "The stock will begin trading on a split-adjusted basis on the first trading day after May 1, 2026.",
    'The split is effective at 12:01 a.m. on May 4, 2026 (the "Effective Time"). The shares begin trading on a split-adjusted basis on the day of the split.',
    'The consolidation will be effective on May 4, 2026 (the "Effective Date"), and the shares will begin trading on a post-consolidation basis at the open on the Effective Date.',
    "The reverse split is effective on May 4, 2026. The stock will open that same day on a split-adjusted basis.",
    "The reverse split takes effect at 12:01 a.m. Eastern Time on May 4, 2026.",
    "On May 4, 2026, at 12:01 a.m. (EDT), the reverse stock split will take effect.",
    "The company announced that, effective before market open on Monday, May 4, 2026, it will complete a 1-for-30 reverse stock split.",
    "The share consolidation will take effect prior to the opening of trading on the exchange on May 4, 2026.",
    "The splits will be effective prior to market open on May 4, 2026.",
    "The reverse ADS split becomes effective on May 4, 2026, before the market opens.",
    "The reverse split will be effective after the close of trading on May 1, 2026.",
    "After the close of the markets on May 1, 2026, the Fund will affect a reverse split of its shares.",
    "The reverse split takes effect on May 1, 2026, after the closing bell.",
    "The share combination is expected to take effect at about 9:00 a.m. Eastern Time on May 4, 2026.",
    'The effective date will be May 4, 2026 (the "Effective Date"). The shares will begin trading on a post-split basis at the open on the Effective Date.',
    "After the close of the markets on May 1, 2026, the Fund will effect a reverse split of its shares.",
    "The reverse split takes effect on May 4, 2026. The shares will begin trading on a split-adjusted basis at the open.",
  ])("finds the day in: %s", (body) => {
    expect(exDateIn(body)).toBe("2026-05-04");
  });
});

describe("findExDate, among other dates", () => {
  it.each([
    "The reverse stock split will become effective at 12:01 a.m. Eastern Time on May 4, 2026 (the “Effective Time”), and the Company’s common stock will begin trading on a split-adjusted basis as of market open that same day.",
    "FINRA has confirmed that the 1-for-20 reverse split is effective at the market open on May 4, 2026.",
    "It has determined to accelerate the effective date of the reverse split from May 20, 2026 to May 4, 2026. Its common stock will begin trading on a split adjusted basis at the open of the market on May 4, 2026.",
    "The split is effective as of the close of business on May 1, 2026. Its stock will begin trading on a split-adjusted basis when the market opens on May 4, 2026.",
    "Split-adjusted trading begins May 4.",
    "When will the reverse split take effect?\n\nThe Reverse Split will take effect at market open on May 4, 2026.",
    "The reverse splits will be effective for shareholders of record after the close of the markets on May 1, 2026, payable after the close of the markets on May 1, 2026. Shares of the Funds will begin trading on a split-adjusted basis on May 4, 2026.",
    "The stock will cease to trade on a pre-split basis on May 1, 2026 and will begin trading on a split-adjusted basis on May 4, 2026.",
    "The last day of trading on a pre-consolidation basis is May 1, 2026; the first trading day on a post-consolidation basis will be May 4, 2026.",
    "The split will be effective as of May 4, 2026 and the stock will begin trading on a split-adjusted basis when Nasdaq opens for trading that day.",
    'Upon the reverse split becoming effective at 4:05 p.m. Eastern Time on May 1, 2026, every 20 shares will be combined into one. The Class A common stock is expected to begin trading on a post-reverse stock split basis on the Nasdaq Global Market under the existing symbol "HRBM" on May 4, 2026 under new CUSIP number.',
    "Following approval by stockholders on April 14, 2026 and the filing of its certificate of amendment on April 29, 2026, the stock will begin trading on a split-adjusted basis at the opening of trading on May 4, 2026.",
    "Holders of record as of the close of business on May 1, 2026 will receive one new share. Post-split shares will start trading when the market opens Monday, May 4, 2026.",
    "The Consolidation will take effect on Nasdaq at the opening of the market on May 4, 2026 (New York time) and on the ASX on May 5, 2026.",
    'We anticipate our common stock will be quoted on the OTCQB on a post-split basis beginning at the open of business on May 4, 2026, under the interim symbol HRBMD; the "D" will be removed on June 2, 2026.',
    "The reverse split has been rescheduled: the shares will now begin trading on a split-adjusted basis on May 4, 2026, not April 30, 2026 as previously announced.",
    "The Company now expects trading on a split-adjusted basis to begin on May 4, 2026. It had previously announced April 30, 2026 as the first day of split-adjusted trading.",
    "The reverse split is now expected to be effective before the open on May 4, 2026, a change from the April 30, 2026 date announced earlier.",
    "The reverse split is now expected to become effective on May 4, 2026. Previously, the Company planned for the reverse split to become effective on April 30, 2026, but has extended the date because Nasdaq will be closed on May 1, 2026.",
    "The reverse split is now expected to become effective on May 4, 2026. It was to become effective on Nasdaq on April 30, 2026.",
    "Originally, we had expected trading on Nasdaq on a split-adjusted basis to begin on April 30, 2026. It will begin on May 4, 2026 on a split-adjusted basis.",
    "The stock will begin trading on a split- adjusted basis on May 4, 2026.",
    "Les actions commenceront à se négocier sur une base consolidée le 4 mai 2026. The shares will begin trading on a consolidated basis on May 4, 2026.",
    "The ADSs will trade on Nasdaq on the basis of the new ratio from May 4, 2026.",
    "Today, the Company filed a certificate of change with the Nevada Secretary of State, under which the reverse split takes effect at 12:01 a.m. on May 4, 2026.",
    'On the Effective Date, the stock will begin trading on a split-adjusted basis. The reverse split will be effective on May 4, 2026 (the "Effective Date").',
    'The reverse split will be effective 4:01 p.m. on May 1, 2026 (the "Split Effective Time"), with trading to begin on a split-adjusted basis at the open of the first trading day after the Split Effective Time.',
  ])("finds the day in: %s", (body) => {
    expect(exDateIn(body)).toBe("2026-05-04");
  });

  it.each([
    "Effective Date: May 4, 2026",
    "The Board may effect the reverse split at any time before May 4, 2027.",
    "The Company will announce the date on which shares will begin trading on a post-consolidation basis in a later release.",
    "In order to regain compliance, the stock must close at $1.00 for ten days by May 4, 2026; the reverse split took effect on January 20, 2026, and trading on a split-adjusted basis began on January 21, 2026.",
    "The reverse split, originally set for April 30, 2026, is postponed. A new date will be announced.",
    "The reverse split set to take effect at the open on April 30, 2026 has been postponed.",
    "The reverse split that was scheduled for the market open on April 30, 2026 is cancelled.",
    "Trading in the shares on a consolidated basis is expected to begin two to three business days after the TSXV issues its bulletin.",
    "The Company intends to complete the share consolidation during the week of May 4, 2026, when its shares would trade on a consolidated basis.",
    "Pre-split trading ends on May 1, 2026.",
    "Trading on a split-adjusted basis, planned for May 4, 2026, is postponed.",
    "On a post-money basis the shares of the split company will be offered on May 4, 2026.",
    'The letter "D" will be appended to the symbol from May 4, 2026 through June 1, 2026, after the reverse split.',
    "On May 4, 2026 a new CUSIP was assigned to the shares of the reverse split.",
  ])("finds no day in: %s", (body) => {
    expect(exDateIn(body)).toBe("none");
  });
});

describe("findExDate, beside the price of a fraction", () => {
  it.each([
    "the closing trading price of the stock (as adjusted for the reverse split) on May 1, 2026",
    "the last reported sale price of the stock, on a split-adjusted basis, on May 1, 2026",
    "the average closing sales price, adjusted to give effect to the reverse split, for the five days ending on May 1, 2026",
  ])("ignores the day of %s", (price) => {
    const trading = "Trading on a split-adjusted basis begins May 4, 2026.";
    expect(exDateIn(`${trading} Fractions will be paid in cash at ${price}.`)).toBe("2026-05-04");
    expect(exDateIn(`Fractions of the reverse split will be paid in cash at ${price}.`)).toBe("none");
  });
});

describe("findExDate, for one of two exchanges", () => {
  it.each([
    "The shares begin trading on a split-adjusted basis on May 3, 2026 on the Tel Aviv Stock Exchange and on May 4, 2026 on the Nasdaq Capital Market.",
    "The shares begin trading on a split-adjusted basis on the ASX on May 5, 2026 and on Nasdaq on May 4, 2026.",
    "The shares begin trading on a split-adjusted basis on Nasdaq on May 4, 2026 and on the TSX on May 5, 2026.",
    "The shares begin trading on a split-adjusted basis on May 4, 2026 on Nasdaq and on May 5, 2026 on the TSX.",
  ])("selects the day of the exchange: %s", (body) => {
    expect(exDateIn(body, "NASDAQ")).toBe("2026-05-04");
  });
});

describe("findExDate, relative to the dateline", () => {
  it.each([
    ["The stock begins trading on a split-adjusted basis at the market open today.", "2026-04-20"],
    ["The reverse split takes effect at the market open tomorrow.", "2026-04-21"],
    ["The reverse split was made effective at 12:01 a.m. today.", "2026-04-20"],
    ["Our stock began trading on a split-adjusted basis on April 16, 2026.", "2026-04-16"],
    ["The stock will begin trading on a split-adjusted basis on Friday.", "2026-04-24"],
    ["The stock will begin trading on a split-adjusted basis on Apr. 30.", "2026-04-30"],
    ["The stock will begin trading on a split-adjusted basis on January 4.", "contradicts"],
    ["Our stock began trading on a split-adjusted basis on Friday.", "2026-04-17"],
    ["The stock will begin trading on a split-adjusted basis on Monday.", "none"],
  ])("resolves %s", (body, day) => {
    expect(exDateIn(body)).toBe(day);
  });

  it("finds no day without a dateline and a publication day", () => {
    expect(read("The stock will begin trading on a split-adjusted basis today.").exDate).toBeNull();
  });

  it.each([
    ["The stock begins trading on a split-adjusted basis when the market opens tomorrow.", "2026-04-21"],
    [
      "The split takes effect on Wednesday evening. The stock trades on a split-adjusted basis on Thursday.",
      "2026-04-23",
    ],
    ["The split is done, with the adjusted trading commencing from April 22, 2026.", "2026-04-22"],
    ["The stock begins trading on a split-adjusted basis on Monday.", null],
    [
      "The split took effect on April 17, 2026, at 5:01 p.m. The stock trades on a split-adjusted basis on Monday.",
      "2026-04-20",
    ],
  ])("counts from the publication day if there is no dateline: %s", (body, day) => {
    const sentences = sentencesOf({ content: `Harbor Mills announced a reverse split. ${body}` });
    const near = parseDay("2026-04-20") ?? null;
    const context = { dateline: null, published: near, exchange: null };
    expect(findExDate(sentences, context).exDate).toBe(day);
  });

  it("resolves the year of a date across New Year", () => {
    const text =
      "OSLO, Dec. 29, 2025 /PRNewswire/ -- The stock will begin trading on a split-adjusted basis on January 5.";
    expect(read(text).exDate).toBe("2026-01-05");
  });
});

describe("findExDate, for a day that was moved", () => {
  it.each([
    "The stock, originally scheduled to begin trading on a split-adjusted basis on April 30, 2026, will now begin trading on a split-adjusted basis on May 4, 2026.",
    "The first split-adjusted trading day has been moved from April 30, 2026 to May 4, 2026.",
    "The effective date of the reverse split was brought forward from May 20, 2026 to May 4, 2026.",
    "Shares will begin trading on a split-adjusted basis on May 4, 2026, instead of April 30, 2026.",
    "Shares will begin trading on a split-adjusted basis not on April 30, 2026, but on May 4, 2026.",
    "The reverse split, which had been expected to be effective at the open on April 30, 2026, has been postponed to May 4, 2026.",
    "The company had previously announced that trading on a split-adjusted basis would begin on April 30, 2026. Trading on a split-adjusted basis will now begin on May 4, 2026.",
    "The reverse split has been delayed until market open on May 4, 2026.",
    "Trading on a split-adjusted basis begins on May 4, 2026. The Company previously announced on April 2, 2026 a reverse split with trading on a split-adjusted basis on April 30, 2026.",
    "The previously announced reverse split will take effect before the market opens on May 4, 2026.",
    "Harbor Mills previously announced on April 2, 2026 that trading on a split-adjusted basis begins on May 4, 2026.",
  ])("returns the new day: %s", (body) => {
    expect(exDateIn(body)).toBe("2026-05-04");
  });

  it.each([
    "The reverse split, which was expected to begin trading on a split-adjusted basis on May 4, 2026, has been postponed until further notice.",
    "The stock will not begin trading on a split-adjusted basis on May 4, 2026, as planned.",
    "Its reverse split, previously scheduled to begin trading on a split-adjusted basis on May 4, 2026, has been delayed.",
  ])("returns no day until there is a new one: %s", (body) => {
    expect(exDateIn(body)).toBe("none");
  });
});

it("findExDate ignores the dateline, even where the sentence withdraws the only other day", () => {
  const news =
    "HARBOR CITY, Ore., April 20, 2026 (GLOBE NEWSWIRE) -- Harbor Mills, Inc. (Nasdaq: HRBM) announced that its reverse split, previously scheduled to begin trading on a split-adjusted basis on May 4, 2026, has been delayed.";
  expect(read(news).exDate).toBeNull();
});

describe("findExDate, without a first trading day", () => {
  it.each([
    "The reverse split was approved at the special meeting on May 4, 2026, and trading on a split-adjusted basis will begin in the coming days.",
    "The stock will begin trading on a split-adjusted basis as soon as the exchange resumes trading.",
    "The stock will begin trading on a split-adjusted basis no later than May 4, 2026.",
    "The reverse split is to be completed on or before May 4, 2026.",
    "Trading on a post-consolidation basis will begin following the meeting of shareholders to be held on May 4, 2026.",
    "The record date of the share consolidation is May 4, 2026, at the open.",
    "The company must regain compliance by May 4, 2026, and could begin trading on a split-adjusted basis on May 5, 2026.",
    "Its certificate of amendment on the reverse split was filed on May 4, 2026.",
    "The special meeting on the reverse split will open at 10:00 a.m. on May 4, 2026.",
    "In 2023, our stock began trading on a split-adjusted basis on May 4, 2023, after a reverse split.",
    "The new CUSIP is effective on May 4, 2026.",
    "Holders of warrants may exercise them until the open on May 4, 2026.",
    "Per share amounts are shown on a split-adjusted basis as of March 31, 2026.",
    "The stock would begin trading on a split-adjusted basis on May 4, 2026, if holders approve.",
    "The company said that the stock would begin trading on a split-adjusted basis on May 4, 2026, if holders approve.",
    "The company announced that the proposed reverse split would take effect at the open on May 4, 2026.",
    "The reverse splits follow. All forward splits will be effective before the open on May 4, 2026, when the funds begin trading at post-split prices.",
  ])("finds no day in: %s", (body) => {
    expect(exDateIn(body)).toBe("none");
  });
});

describe("findExDate, for impossible days", () => {
  it.each([
    ["the wrong weekday", "The stock will begin trading on a split-adjusted basis on Tuesday, May 4, 2026."],
    ["a Sunday", "The stock will begin trading on a split-adjusted basis on May 3, 2026."],
    ["a holiday", "The stock will begin trading on a split-adjusted basis on May 25, 2026."],
    [
      "two days",
      "Trading on a split-adjusted basis begins May 4, 2026. The stock will trade on a split-adjusted basis from May 5, 2026.",
    ],
    ["the previous year", "The stock will begin trading on a split-adjusted basis on May 5, 2025."],
    [
      "an effective time after the start of trading",
      "The stock will begin trading on a split-adjusted basis on May 4, 2026. The reverse split takes effect at 12:01 a.m. on May 5, 2026.",
    ],
  ])("reports a contradiction: %s", (_, body) => {
    expect(exDateIn(body)).toBe("contradicts");
  });

  it("accepts a US holiday on exchanges that are open", () => {
    expect(exDateIn("The shares will begin trading on a post-consolidation basis on May 25, 2026.", "TSXV")).toBe(
      "2026-05-25",
    );
  });
});

const MONTHS = "January February March April May June July August September October November December".split(" ");
const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** Notations of a day. */
const NOTATIONS: readonly ((day: Day) => string)[] = [
  (day) => `${monthOf(day)} ${dayOfMonth(day)}, ${day.slice(0, 4)}`,
  (day) => `${WEEKDAYS[weekdayOf(day)]}, ${monthOf(day)} ${dayOfMonth(day)}, ${day.slice(0, 4)}`,
  (day) => `${dayOfMonth(day)} ${monthOf(day)} ${day.slice(0, 4)}`,
  (day) => `${monthOf(day)}${dayOfMonth(day)},${day.slice(0, 4)}`,
  (day) => `${monthOf(day).slice(0, 3)}. ${day.slice(8)}, ${day.slice(0, 4)}`.replace("May.", "May"),
  (day) => `${monthOf(day)} ${dayOfMonth(day)}`,
  (day) => `${Number(day.slice(5, 7))}/${dayOfMonth(day)}/${day.slice(0, 4)}`,
  (day) => day,
];

/** Templates in which `day` is the first trading day, `eve` the trading day before it, and `old` an earlier plan. */
const TEMPLATES: readonly ((day: string, eve: string, old: string) => string)[] = [
  (day) => `The stock will begin trading on a split-adjusted basis when the market opens on ${day}.`,
  (day) => `Trading of the shares on a post-consolidation basis is expected to commence on or about ${day}.`,
  (day) => `Effective at the open on ${day}, the units will trade on a split-adjusted basis.`,
  (day) => `The reverse stock split takes effect at 12:01 a.m. Eastern Time on ${day}.`,
  (day) => `The reverse split will be effective for trading purposes as of the commencement of trading on ${day}.`,
  (day, eve) =>
    `The reverse split takes effect at 5:00 p.m. on ${eve}, and split-adjusted trading is expected to begin on ${day}.`,
  (_, eve) =>
    `The reverse split takes effect after the close of trading on ${eve}. Trading on a split-adjusted basis starts the next trading day.`,
  (day) =>
    `The split is effective on ${day} (the "Effective Date"). Post-split trading on a split-adjusted basis begins at the open on the Effective Date.`,
  (day, _, old) =>
    `Its stock, originally expected to begin trading on a split-adjusted basis on ${old}, will now begin trading on a split-adjusted basis on ${day}.`,
  (day, _, old) =>
    `Holders approved the split at a meeting held on ${old}. Split-adjusted trading will start on ${day}.`,
];

function monthOf(day: Day): string {
  return MONTHS[Number(day.slice(5, 7)) - 1] ?? "";
}

function dayOfMonth(day: Day): number {
  return Number(day.slice(8));
}

const NASDAQ = parseExchange("NASDAQ");

function isTradingDay(day: Day): boolean {
  return NASDAQ !== undefined && tradingDayKind(NASDAQ, day) !== "closed";
}

function previousTradingDay(day: Day): Day {
  const eve = addDays(day, -1);
  return isTradingDay(eve) ? eve : previousTradingDay(eve);
}

describe("findExDate, for any day", () => {
  const start = parseDay("2012-01-03");
  const tradingDays = integer({ min: 0, max: 8_000 })
    .map((days) => (start ? addDays(start, days) : undefined))
    .filter((day) => day !== undefined && isTradingDay(day));

  it("finds the day in every template and notation", () => {
    assert(
      property(
        tradingDays,
        integer({ min: 1, max: 30 }),
        constantFrom(...NOTATIONS),
        constantFrom(...TEMPLATES),
        (day, ahead, write, template) => {
          if (day === undefined) return;
          const eve = previousTradingDay(day);
          const dateline = NOTATIONS[0]?.(addDays(eve, -ahead)) ?? "";
          const text = `Ridge Town, ${dateline} /PRNewswire/ -- Quarry Lake Corp. ${template(write(day), write(eve), write(addDays(eve, -1)))}`;
          expect(read(text).exDate).toBe(day);
        },
      ),
      { numRuns: 600 },
    );
  });
});

describe("hostile text", () => {
  it.each([
    ["dates", "on May 4, 2026 "],
    ["trading wordings", "begin trading on a split-adjusted basis on May 4, 2026. "],
    ["moved days", "moved from from from to to "],
    ["openings", "open open open on "],
    ["months", "M a r c h "],
    ["digits", "1 2 3 4 5 6 7 8 9 0 "],
    ["brackets", '((("Effective Date" '],
    ["one long word", "split-adjusted"],
    ["superseded days", "originally scheduled to was expected to "],
    ["following days", "the following trading day following the "],
  ])("takes time linear in the number of %s", async (_, piece) => {
    const readPieces = (size: number): unknown => read(piece.repeat(Math.ceil(size / piece.length)));
    expect(await growthFactor(readPieces, HOSTILE_QUARTER)).toBeLessThan(8);
  });
});

function keptSentences(body: string, heading = "Ridge Funds Announces Share Splits"): readonly string[] {
  return withoutForwardPart(sentencesOf({ heading, content: body }))
    .filter(({ inHeading }) => !inHeading)
    .map(({ plain }) => plain);
}

describe("withoutForwardPart", () => {
  it("removes sentences about forward splits", () => {
    const reverse = "All reverse splits take effect before the open on June 9, 2026.";
    expect(keptSentences(`All forward splits take effect before the open on June 8, 2026. ${reverse}`)).toEqual([
      reverse,
    ]);
  });

  it("keeps a sentence about both kinds of split", () => {
    const both = "The forward and reverse splits take effect before the open on June 9, 2026.";
    expect(keptSentences(both)).toEqual([both]);
  });

  it("removes the section under a heading about forward splits", () => {
    const body =
      "Forward Splits\n\nThe funds will trade at post-split prices on June 8, 2026.\n\nReverse Splits\n\nThe funds will trade at post-split prices on June 9, 2026.";
    expect(keptSentences(body)).toEqual([
      "Reverse Splits",
      "The funds will trade at post-split prices on June 9, 2026.",
    ]);
  });

  it("keeps the text after a passing mention", () => {
    const next = "The funds will trade at post-split prices on June 9, 2026.";
    expect(keptSentences(`There are forward splits too. ${next}`)).toEqual([next]);
  });
});

describe("findExDate, without words for the adjusted basis", () => {
  it.each([
    "Following the consolidation, the common shares will commence trading on the exchange on May 4, 2026.",
    "The consolidation is effective May 4, 2026. The common shares will commence trading on May 4, 2026.",
    "The consolidation is effective May 1, 2026. The common shares will commence trading on May 4, 2026.",
    "Before the market opens on Monday, May 4, 2026, every twenty ordinary shares will become one ordinary share.",
    "It will execute a 1-for-50 reverse split on May 4, 2026, before the market opens.",
    "The reverse split was approved by shareholders and occurs before the market opens on May 4, 2026.",
  ])("finds the first trading day in: %s", (body) => {
    expect(exDateIn(body)).toBe("2026-05-04");
  });

  it.each([
    "The warrants will commence trading on May 4, 2026, after the reverse split.",
    "Following the merger and the reverse split, the combined company will commence trading on May 4, 2026.",
    "The common shares will commence trading on the exchange on May 4, 2026.",
  ])("finds none in: %s", (body) => {
    expect(exDateIn(body)).toBe("none");
  });
});

/** Texts that name days of approvals, meetings, records and filings, in February and March, and none of the split. */
const OTHER_DAYS: readonly string[] = [
  "The reverse split was approved by the holders on March 5, 2026 and by the directors on February 10, 2026.",
  "The holders approved the reverse split on March 5, 2026, and the directors on February 10, 2026.",
  "On March 5, 2026, the holders approved, and on February 10, 2026, the directors approved, the reverse split.",
  "On March 5, 2026, holders approved the reverse split, which the directors had adopted on February 10, 2026, to be effected by an amendment.",
  "The reverse split, approved by holders on March 5, 2026 and directors on February 10, 2026, will be effected by a certificate of amendment.",
  "By resolutions of the holders of March 5, 2026 and of the directors of February 10, 2026, the reverse split will take effect as set out below.",
  "The reverse split will be effected under the approvals of our stockholders, given March 5, 2026, and our board of directors, given February 10, 2026.",
  "Our stockholders (on March 5, 2026) and directors (on February 10, 2026) have approved the reverse split, which will become effective as follows.",
  "At a special meeting on March 5, 2026 the reverse split was approved; a certificate was filed on February 10, 2026 and the split will be effected.",
  "The record date for the vote on the reverse split was February 10, 2026, and the split will take effect after the vote of March 5, 2026.",
  "The board's vote was on February 10, 2026 and the stockholders' vote on March 5, 2026; the reverse split becomes effective upon filing.",
  "Stockholders approved the reverse split on March 5, 2026. Directors did so on February 10, 2026, and the split will be effected.",
];

const TRADING_ON_THE_DAY: readonly ((term: string) => string)[] = [
  (term) => `Adjusted trading of the common stock starts at the opening on the ${term}.`,
  (term) => `The common stock will begin trading on a split-adjusted basis at the opening on the ${term}.`,
  (term) => `Split-adjusted trading is expected to start when the market opens on the ${term}.`,
  (term) => `From the opening on the ${term.toLowerCase()}, the shares trade on a split-adjusted basis.`,
];

const DEFINITIONS: readonly ((term: string) => string)[] = [
  (term) => `The amendment says that "${term}" means March 30, 2026.`,
  (term) => `It takes effect on March 30, 2026 (the "${term}").`,
  (term) => `The effective date of the amendment (the "${term}") is March 30, 2026.`,
  (term) => `The ${term} will be Monday, March 30, 2026.`,
  (term) => `${term}: March 30, 2026.`,
];

function withBody(...body: readonly string[]): { readonly body: readonly string[]; readonly exDate: Day | null } {
  const content = `Harbor Mills, Inc. will carry out a reverse stock split. ${body.join(" ")}`;
  return { body, exDate: read(content).exDate };
}

describe("findExDate, in a text without a dateline that names the days of approvals", () => {
  const texts = OTHER_DAYS.flatMap((other) =>
    TRADING_ON_THE_DAY.flatMap((trading) => ["Effective Date", "Split Date"].map((term) => ({ other, trading, term }))),
  );
  it("returns no day if trading begins on a day that the text doesn't define", () => {
    for (const { other, trading, term } of texts)
      expect(withBody(other, trading(term))).toMatchObject({ exDate: null });
  });

  it("returns the day that the text defines, before or after the approvals", () => {
    for (const { other, trading, term } of texts) {
      for (const define of DEFINITIONS) {
        expect(withBody(define(term), other, trading(term))).toMatchObject({ exDate: "2026-03-30" });
        expect(withBody(other, define(term), trading(term))).toMatchObject({ exDate: "2026-03-30" });
        expect(withBody(other, trading(term), define(term))).toMatchObject({ exDate: "2026-03-30" });
      }
    }
  });

  it.each(OTHER_DAYS)("returns no day if the text names no other: %s", (other) => {
    expect(withBody(other).exDate).toBeNull();
    expect(exDateIn(other)).toBe("none");
  });
});

describe("findExDate, in a text that states only an effective date", () => {
  const ADS =
    "It will change the ratio of its American Depositary Shares from 4 ordinary shares to 40 ordinary shares per ADS. ";
  const SPLIT = "It will carry out a 1-for-20 reverse stock split of its common stock. ";

  it.each([
    [ADS, "The ADS ratio change is expected to be effective on May 4, 2026."],
    [ADS, "The change will become effective on or about May 4, 2026 (New York time)."],
    [ADS, "Effective May 4, 2026, each ADS will represent 40 ordinary shares."],
    [ADS, "From May 4, 2026, each ADS will represent 40 ordinary shares instead of four."],
    [ADS, "The effective date of the ratio change is currently expected to be on or about May 4, 2026."],
    [ADS, "With effect from May 4, 2026, the ratio of ADSs to ordinary shares will be 1 to 40."],
    [ADS, "The new ratio will be implemented on or about May 4, 2026."],
    [ADS, "Effective Date: May 4, 2026"],
    [SPLIT, "The reverse split will become effective on May 4, 2026."],
    [SPLIT, "The effective date of the reverse split is May 4, 2026."],
    [SPLIT, "On May 4, 2026, the Company will effect the reverse split."],
    [SPLIT, "The Company expects to implement the reverse split on or about May 4, 2026."],
    [SPLIT, "Effective as of May 4, 2026, every 20 shares of common stock will be combined into one share."],
    [SPLIT, "The reverse stock split is scheduled to take effect on Monday, May 4."],
    [SPLIT, "The reverse split becomes effective at 12:01 a.m. Eastern Time on May 4, 2026."],
    [SPLIT, "The reverse split becomes effective at 9:30 a.m. Eastern Time on May 4, 2026."],
    [SPLIT, "The reverse split is effective on Saturday, May 2, 2026."],
    [SPLIT, "The reverse split becomes effective at 12:01 a.m. on May 2, 2026."],
    [SPLIT, "The reverse split becomes effective on May 1, 2026 at 5:00 p.m. New York time."],
    [SPLIT, "The reverse split becomes effective at 10:30 a.m. Eastern Time on May 1, 2026."],
    [SPLIT, "The reverse split becomes effective at 9:00 a.m. Central Time on May 1, 2026."],
    [SPLIT, "The reverse split becomes effective at the close of business on May 1, 2026."],
    [SPLIT, "The reverse split takes effect after the close of trading on May 1, 2026."],
  ])("returns that day or the next trading day, marked: %s%s", (lead, body) => {
    expect(read(DATELINE + lead + body)).toMatchObject({ exDate: "2026-05-04", basis: "effective" });
  });

  it.each([
    "The reverse split becomes effective on May 1, 2026. Split-adjusted trading begins on May 4, 2026.",
    "Split-adjusted trading begins on May 4, 2026. The effective date of the reverse split is May 1, 2026.",
    "The reverse split takes effect on May 4, 2026, before the market opens.",
    "The reverse split is effective on May 4, 2026. The stock trades on a split-adjusted basis from that day.",
  ])("prefers a statement about trading, without the mark: %s", (body) => {
    expect(read(DATELINE + SPLIT + body)).toMatchObject({ exDate: "2026-05-04", basis: "trading" });
  });

  it.each([
    "On April 17, 2026, the Company filed a certificate of amendment to effect the reverse split.",
    "The Board approved the reverse split on April 13, 2026, and the Company will effect it when it is ready.",
    "The reverse split becomes effective when the certificate is filed. The annual meeting is on May 4, 2026.",
    "The annual meeting, which will vote on the reverse split to be effected later, is on May 4, 2026.",
    "The reverse split will be effective not later than May 4, 2026.",
    "The Company has until May 4, 2026 to effect the reverse split.",
    "Holders of record on May 4, 2026 will take part in the reverse split.",
    "The Company plans to effect the reverse split after the annual meeting on May 4, 2026.",
    "The new articles of association become effective on May 4, 2026.",
    "The registration statement was declared effective on April 13, 2026; the reverse split will follow.",
    "The split is effective on May 4, 2026 under Delaware law. Nasdaq will tell the market when trading on the new basis begins.",
  ])("returns no day of something else: %s", (body) => {
    expect(read(DATELINE + SPLIT + body).exDate).toBeNull();
  });
});

describe("findExDate, in a text with another name for the split", () => {
  it.each([
    ["", "The transaction"],
    ["", "The corporate action"],
    ["", "This action"],
    [' (the "Transaction")', "The Transaction"],
    [' (the "Split")', "The Split"],
    [' (the "Consolidation")', "The Consolidation"],
    [' (collectively, the "Corporate Actions")', "Each of the Corporate Actions"],
    [' (the "Share Adjustment")', "The Share Adjustment"],
  ])("finds the day of the split: 1-for-10 reverse split%s … %s", (definition, name) => {
    const lead = `Ridge Funds will carry out a 1-for-10 reverse share split of the Ridge Bear 2X ETF${definition}.`;
    for (const effect of [
      "will be effective before trading opens on May 4, 2026.",
      "takes effect prior to the market open on Monday, May 4, 2026.",
      "is expected to be effective at the opening of trading on the NYSE Arca on May 4, 2026.",
    ])
      expect(read(`${DATELINE}${lead} The fund tracks an index. ${name} ${effect}`)).toMatchObject({
        exDate: "2026-05-04",
        basis: "trading",
      });
  });

  it("ignores the day of another transaction", () => {
    const lead = "It will carry out a 1-for-10 reverse share split and a merger with Quarry Lake Corp.";
    expect(exDateIn(`${lead} The transaction will be effective before trading opens on May 4, 2026.`)).toBe("none");
  });
});
