import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sentencesOf } from "../../test/support/sentences.ts";
import { growthFactor, HOSTILE_QUARTER } from "../../test/support/timing.ts";
import { type Ratio, ratioCode, ratioOfIntegers } from "../domain/split/ratio.ts";
import { findRange, findRatio } from "./ratio.ts";
import { RATIO_RULES } from "./ratio-rules.ts";

function read(heading: string, body: string) {
  const content = `DOVER, May 4, 2026 -- Juniper Rail Inc. (NASDAQ: JNPR) lays track. ${body}`;
  const result = findRatio(sentencesOf({ heading, content }));
  return { ...result, code: result.ratio && ratioCode(result.ratio), quote: result.sentence?.verbatim };
}

const HEADING = "Juniper Rail Announces Reverse Stock Split";

describe("findRatio", () => {
  it.each([
    ["1:18", "It will effect a 1-for-18 reverse stock split of its common stock."],
    ["1:18", "The board fixed the ratio at 1 for 18."],
    ["1:1500", "It will effect a 1-for-1,500 reverse stock split."],
    ["1:18", "It will effect a 1‑for‑18 reverse split."],
    ["1:18", "It will effect a **1-for-18** reverse split."],
    ["1:18", "It will effect a 1- for -18 reverse split."],
    ["1:18", "It will effect a 1-f or-18 reverse split."],
    ["1:18", "The reverse spilt will be done on a one-for-eighteen basis."],
    ["1:24", "A one-for-twenty four (1-for-24) reverse split takes effect on June 1."],
    ["1:150", "It will carry out a one-for-one hundred fifty reverse stock split."],
    ["1:150", "It will carry out a one-for-one-hundred-and-fifty reverse stock split."],
    [
      "1:18",
      "Holders get one (1) share of common stock for every eighteen (18) shares of common stock in the reverse split.",
    ],
    [
      "1:18",
      "The reverse split gives one (1) share, par value $0.0001 per share, for every eighteen (18) shares held.",
    ],
    [
      "1:7",
      "The shares are consolidated on the basis of one (1) post-consolidation Share forevery seven (7) pre-consolidation Shares.",
    ],
    ["1:7", "The shares are consolidated at seven (7) shares to one (1) share of the same class."],
    ["1:40", "The company told of a rollback of 40 to 1."],
    ["1:6", "The consolidation is made on a six (6) to one (1) basis."],
    ["1:6", "The consolidation is made on a six-to-one basis."],
    ["1:30", "The ten holders approved a thirty-for-one share consolidation."],
    ["1:7", "The 7-for-1 Share Consolidation takes effect on June 9."],
    ["1:6", "The company will roll back its shares 6:1 on June 9."],
    ["2:3", "The shares are consolidated at a 1.5:1 ratio."],
    [
      "1:25",
      "The Consolidation: one post-Consolidation Common Share for every twenty-five pre-Consolidation Common Shares.",
    ],
    [
      "50:587",
      "The basis of the consolidation is 11.74 pre-consolidation common shares for each one (1) post-consolidation common share.",
    ],
    [
      "1:15",
      "Fifteen (15) existing common shares will be exchanged for one (1) new common share in the consolidation.",
    ],
    ["1:15", "The consolidation is on a basis of fifteen (15) old for one (1) new."],
    ["1:15", "The consolidation is on a basis of one new for fifteen old common shares."],
    ["10:77", "It will effect a 1-for-7.7 reverse stock split."],
    ["4:25", "It will effect a one-for-six and one-quarter (1-for-6.25) reverse stock split."],
    ["2:15", "One new share is issued for each seven and a half old shares under the consolidation."],
    ["1000:16667", "It will effect a 1-for-16.667 reverse stock split."],
    ["3:50", "One new share for sixteen and two-thirds old shares on the consolidation."],
    ["3:10", "It will effect a 3-for-10 reverse stock split."],
    [
      "1:20",
      "Every 20 shares of stock held at the close on June 3, 2026, will automatically be combined into one share.",
    ],
    ["1:20", "Each twenty (20) pre-split shares outstanding will automatically combine into one (1) new share."],
    ["1:20", "Each 20 issued and outstanding shares shall be reclassified as one share."],
    ["1:20", "Every twenty shares will be converted into and become one share of Class A common stock."],
    ["1:20", "The reverse split will combine and convert 20 current shares into one issued and outstanding share."],
    ["1:20", "For every twenty (20) shares held before the reverse split, holders will receive one (1) new share."],
    ["1:20", "For every 20 shares you hold you will own 1 consolidated share."],
    ["1:20", "The number of shares is reduced by a factor of 20 in the reverse split."],
    ["1:20", "Every twenty existing shares will become one consolidated share."],
    ["1:20", "Shareholders will receive one new share in exchange for each twenty old shares on the consolidation."],
    ["1:20", "One consolidated share will be issued per twenty existing shares."],
    ["1:20", "The one- for- twenty reverse split begins on June 1."],
    ["1:20", "Reverse split ratio: 1:20"],
    ["1:20", "It tells of a 1-20 reverse split."],
    ["1:20", "It tells of a 20/1 share consolidation."],
    ["1:20", "A 1 (one) for 20 (twenty) reverse split is set."],
    ["1:20", "It is a one-to-twenty reverse split."],
    ["1:20", "It is a 20-old-for-1-new consolidation."],
    ["1:20", "It is one (1) - for - twenty (20) reverse stock split."],
    [
      "1:20",
      "On the basis of every twenty (20) existing ordinary shares being consolidated into one (1) new ordinary share.",
    ],
    [
      "1:20",
      "The consolidation of twenty (20) pre-consolidation common shares for one (1) post-consolidation common share is done.",
    ],
    [
      "1:20",
      "Twenty (20) pre-consolidation shares of Juniper Rail Inc. for one (1) post-consolidation share is the basis.",
    ],
    [
      "1:20",
      "One share of common stock, $0.001 par value per share, will replace each lot: one share of common stock, par value $0.001, for each twenty shares, in the reverse split.",
    ],
    ["2:9", "The shares are consolidated at one share for every four and one-half (4.5) shares held."],
    ["1:20", "The stock, at $1.00 for 30 consecutive business days, needs a reverse split of 1-for-20."],
    ["1:20", "At the reverse split ratio of 1-for-20, call 1-800-555-0100 for 2 forms from 9 to 5."],
    [
      "1:20",
      "A corresponding cut of authorized shares from 300,000,000 to 15,000,000 goes with the 1-for-20 reverse split.",
    ],
    [
      "1:20",
      "Upon the Reverse Split, each 20 Class A and each 20 Class B shares outstanding will automatically be combined into one share.",
    ],
    ["1:20", "Reverse Split Ratio\n\n• 1 for 20 ratio"],
    ["1:20", "| Reverse split | 1-for-20 | June 9 |"],
    ["1:20", "In the reverse split each outstanding share will be converted into 0.05 of a share."],
    [
      "1:20",
      "In the reverse split each share of common stock will be converted into the right to receive .05 new shares.",
    ],
    ["1:20", "In the reverse split each issued share will become one-twentieth of a share."],
    ["1:20", "On June 9, 2026 the 1-for-20 reverse split converts each share outstanding into 0.05 shares."],
    ["1:20", "Effective June 9, one new share for every twenty old shares is issued in the consolidation."],
    ["1:20", "From June 9, 2026 it will execute a reverse split of 1-for-20 for one of its classes."],
    [
      "1:20",
      "The holders approved a reverse split of not less than one-for-five (1-for-5) and not more than one-for-fifty (1-for-50), and the board chose one-for-twenty (1-for-20).",
    ],
    [
      "1:20",
      "The holders approved a reverse split from one-for-five (1-for-5) to one-for-fifty (1-for-50); it will be 1-for-20.",
    ],
    ["1:25", "The reverse split will be at 1-for-25. We previously announced on May 2, 2026 a 1-for-20 ratio."],
  ])("returns %s for: %s", (code, sentence) => {
    expect(read(HEADING, sentence).code).toBe(code);
  });

  it("quotes the sentence verbatim, preferably from the body", () => {
    const sentence = "The Board chose “one‑for‑nine” for the   reverse split.";
    expect(read("Juniper Rail to Effect 1-for-9 Reverse Split", sentence).quote).toBe(sentence);
    expect(read("Juniper Rail to Effect 1-for-9 Reverse Split", "It takes effect soon.").code).toBe("1:9");
  });

  it("accepts either order of the numbers", () => {
    const result = read("Juniper Rail Completes 1:20 Reverse Split", "The 20:1 reverse split is effective today.");
    expect(result).toMatchObject({ code: "1:20", contradictory: false });
  });

  it("returns the final ratio beside a range", () => {
    const range = "Stockholders had approved a reverse split at a ratio within the range of 1-for-2 to 1-for-100.";
    expect(read(HEADING, `${range} The Board fixed the ratio at 1-for-18.`).code).toBe("1:18");
    expect(
      read(HEADING, "Within the range of 1-for-2 to 1-for-100 that holders approved, the Board chose 1-for-18.").code,
    ).toBe("1:18");
    expect(read(HEADING, "Holders approved up to 1-for-20 and the Board fixed the ratio at 1-for-10.").code).toBe(
      "1:10",
    );
    expect(
      read(HEADING, "Holders approved between 1-for-2 and 1-for-25, and the Board chose a 1-for-10 ratio.").code,
    ).toBe("1:10");
  });
});

describe("findRatio, for other ratios", () => {
  it.each([
    ["a range", "The ratio of the reverse split is within the range of 1-for-2 to 1-for-100."],
    ["two bounds", "The reverse split will be between 1-for-2 and 1-for-25."],
    ["two bounds in words", "The reverse split will be anywhere from one-for-five to one-for-fifty."],
    [
      "two bounds with a maximum",
      "A ratio of not less than 1-for-2 and not more than 1-for-4 was approved for the reverse split.",
    ],
    ["a maximum", "The consolidation may be made at up to one new share for every 75 old shares."],
    [
      "a maximum between the numbers",
      "One post-consolidation share for up to every 75 pre-consolidation shares will be issued.",
    ],
    [
      "a stated maximum between the numbers",
      "One post-consolidation share for a maximum of every ten pre-consolidation shares will be issued.",
    ],
    ["a maximum before the numbers", "The company plans up to a 10:1 rollback."],
    ["a list to choose from", "The board may pick a reverse split of 1-for-5, 1-for-10 or 1-for-20."],
    [
      "bounds in shares",
      "Between one (1) post-consolidation share for two (2) pre-consolidation shares and one (1) post-consolidation share for five (5) pre-consolidation shares.",
    ],
    [
      "bounds of the old side",
      "The consolidation has a ratio of between five (5) and twenty (20) old shares for one (1) new share.",
    ],
    [
      "bounds that are repeated in digits",
      "The reverse split has a ratio of not less than one-for-ten (1-for-10) and not more than one-for-twenty-five (1-for-25).",
    ],
    ["a year", "On June 9, 2026 it will execute a reverse split for one of its funds."],
    [
      "a year after a time",
      "The reverse split took effect at 5:00 p.m. on June 9, 2026 and converted the shares into one class.",
    ],
    [
      "the consideration of a merger",
      "In the merger each Larch share will be converted into 0.125 Juniper shares after the reverse split.",
    ],
    ["shares per depositary share", "The new ADS to ordinary share ratio of 1-for-600 follows the reverse split."],
    ["bounds that share a one", "The board may effect a reverse split of 1-for-5 to 50."],
    ["votes", "There were 3,000 for 20 against the reverse split."],
    ["counts of people", "Staff fell from 25 to 20 on the basis of the reverse split."],
    ["at least", "The reverse split must be at least 1-for-10."],
    [
      "a time of day",
      "The reverse split will be effective at 12:01 a.m. Eastern Time, after the market closes at 16:30 CET.",
    ],
    ["a forward split", "After the reverse split of 2020 it now plans a 5-for-1 forward split."],
    ["an unqualified split", "It announced a 4-for-1 stock split."],
    ["days", "Beginning May 1 for 20 business days the reverse split is shown by a D, every 10 days for 1 month."],
    ["a past split", "The Company effected a 1-for-30 reverse stock split on March 3, 2021."],
    [
      "a footnote",
      "All per share amounts have been retroactively adjusted to reflect the 1-for-30 reverse stock split.",
    ],
    ["a warrant", "After the reverse split every 40 warrants will be exercisable for one share."],
    ["a warrant's share", "After the reverse split each warrant buys 1/40th of one share."],
    ["a merger", "Holders will receive one Juniper share for every three Larch shares under the merger agreement."],
    ["an exchange ratio", "Following the vote the exchange ratio of 1-for-3 was fixed in the merger."],
    ["a dividend", "A stock dividend of one share for every ten shares held was declared."],
    ["rights", "The rights offering gives one new share for every ten rights held."],
    ["a depositary share", "Each reverse split leaves the ratio of one ADS to ten ordinary shares as it is."],
    ["the authorized shares", "A one-for-ten decrease in authorized shares was filed."],
    [
      "one of two funds",
      "As a result of the reverse split, every twenty, or ten shares will be exchanged for one share.",
    ],
    ["one of two, with commas", "In the reverse split every 20, or 10, shares of a fund become one."],
    ["an illustration", "For example, a hypothetical 1-for-10 reverse split would turn 100 shares into 10."],
    ["a denial", "It has no plans for a 1-for-10 reverse split."],
    ["words and digits that differ", "It will effect a one-for-forty (50) reverse split."],
    ["counts of shares", "The reverse split reduces the shares from 40,000,000 shares to 2,000,000 shares."],
    ["two funds in one sentence", "Every ten or twenty shares, as applicable, will be exchanged for one share."],
    ["French", "Le regroupement se fera à raison d'une action nouvelle pour 20 actions anciennes à 9 h 30."],
  ])("ignores %s", (_, sentence) => {
    expect(read(HEADING, sentence)).toMatchObject({ code: null, contradictory: false });
  });

  it.each([
    ["In 2021 the Company effected a 1-for-30 reverse stock split.", "a past split"],
    ["The previously announced 1-for-30 reverse split was revised.", "an earlier announcement"],
    ["The forward split of 5-for-1 made in 2019 is undone.", "a forward split"],
    ["Each ADS represents 10 ordinary shares, a ratio of 1:10.", "a depositary share"],
    ["Each warrant will buy 1/40th of a share, or one share for every 40 warrants.", "warrants"],
    ["Its loss of 3:1 was told at 10:30 a.m. ET.", "a clock"],
  ])("prefers the ratio of the split to another one: %s", (sentence) => {
    const result = read(HEADING, `It will effect a 1-for-18 reverse stock split on June 9. ${sentence}`);
    expect(result).toMatchObject({ code: "1:18", contradictory: false });
  });

  it("ignores a forward split that partly reverses the split", () => {
    const result = read(
      HEADING,
      "A 1-for-500 reverse stock split will be followed at once by a 100-for-1 forward stock split.",
    );
    expect(result.code).toBe("1:500");
  });
});

describe("findRatio, for a changed ratio", () => {
  it.each([
    "The previously announced 1-for-30 reverse split was revised to 1-for-25.",
    "The ratio of the reverse split has been changed from 1-for-30 to 1-for-25.",
    "The reverse split will now be 1-for-25 instead of 1-for-30.",
    "The Company's revised ratio for the reverse split is 1-for-25. It was originally to be a 1-for-30 reverse split.",
    "On May 1 it announced a 1-for-30 reverse stock split. The Board has amended the ratio of the reverse split to 1-for-25.",
    "The reverse split will be effected at 1-for-25 rather than the 1-for-30 announced earlier.",
    "The correct ratio is 1-for-25, not 1-for-30 as the reverse split was announced.",
  ])("returns the new one: %s", (sentence) => {
    expect(read("Juniper Rail Revises Reverse Split", sentence)).toMatchObject({ code: "1:25", contradictory: false });
  });

  it("returns the earlier one if the text states no other", () => {
    const sentence = "The previously announced 1-for-30 reverse stock split is effective today, May 4, 2026.";
    expect(read(HEADING, sentence).code).toBe("1:30");
  });

  it("reports a contradiction between two ratios", () => {
    const result = read("Juniper Rail to Effect 1-for-30 Reverse Split", "It will effect a 1-for-25 reverse split.");
    expect(result).toMatchObject({ code: null, contradictory: true, sentence: null });
  });
});

describe("findRatio, for a completed split", () => {
  it("returns the ratio of the news", () => {
    const sentence = "Effective May 4, 2026, the Company implemented a 1-for-375 reverse stock split.";
    expect(read(HEADING, sentence).code).toBe("1:375");
  });

  it("ignores a split of an earlier year", () => {
    const body = "The Company completed a 1-for-12 reverse split today. It completed a 1-for-30 reverse split in 2022.";
    expect(read(HEADING, body)).toMatchObject({ code: "1:12", contradictory: false });
  });
});

const WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const TENS = ["", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/** 21 to 999 in words, other numbers as digits. */
function inWords(count: number): string {
  if (count < 10) return WORDS[count] ?? "";
  const [hundreds, rest] = [Math.floor(count / 100), count % 100];
  if (count > 999 || (rest > 10 && rest < 20)) return String(count);
  const below =
    rest < 10 ? WORDS[rest] : [TENS[Math.floor(rest / 10)], WORDS[rest % 10]].join("-").replace("-zero", "");
  if (hundreds === 0) return below ?? "";
  return rest === 0 ? `${WORDS[hundreds]} hundred` : `${WORDS[hundreds]} hundred ${below}`;
}

const TEMPLATES: readonly ((old: number) => string)[] = [
  (old) => `It will effect a 1-for-${old} reverse stock split.`,
  (old) => `It will effect a one-for-${inWords(old)} reverse stock split.`,
  (old) => `It will effect a one-for-${inWords(old)} (1-for-${old}) reverse stock split.`,
  (old) => `The ${inWords(old)}-for-one share consolidation takes effect on June 9.`,
  (old) => `The shares are consolidated at ${old}:1.`,
  (old) => `The reverse split is a ${old} to 1 one.`,
  (old) => `The consolidation gives one (1) new share for every ${inWords(old)} (${old}) old shares.`,
  (old) => `Every ${inWords(old)} (${old}) shares held on June 3, 2026 will be combined into one (1) share.`,
  (old) => `Each ${old.toLocaleString("en-US")} pre-split shares will automatically convert into 1 post-split share.`,
  (old) => `The basis of the Consolidation is ${inWords(old)} (${old}) existing shares for one (1) new share.`,
];

describe("findRatio, for generated ratios", () => {
  it("finds integers in every template", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 5000 }), fc.constantFrom(...TEMPLATES), (old, template) => {
        expect(read(HEADING, template(old)).code).toBe(`1:${old}`);
      }),
      { numRuns: 600 },
    );
  });

  it("finds decimals in every template", () => {
    fc.assert(
      fc.property(fc.integer({ min: 101, max: 99_999 }), (hundredths) => {
        const ratio: Ratio | undefined = ratioOfIntegers(100, hundredths);
        const text = `It will effect a 1-for-${hundredths / 100} reverse stock split.`;
        expect(read(HEADING, text).code).toBe(ratio && ratioCode(ratio));
      }),
    );
  });
});

describe("findRange", () => {
  it.each([
    ["1:5 1:30", "Holders approved a reverse stock split at a ratio between 1-for-5 and 1-for-30."],
    ["1:5 1:30", "A reverse split in the range of one-for-five (1:5) to one-for-thirty (1:30) was approved."],
    ["1:2 1:50", "The reverse split ratio is not less than 1-for-2 and not more than 1-for-50."],
    ["1:10 1:20", "The reverse split is at up to 1-for-30. It is at a ratio of 1-for-10 to 1-for-20."],
    ["quoted", "Holders approved a reverse stock split at a ratio of up to 1-for-30."],
    ["quoted", "The reverse stock split combines every four to forty common shares into one."],
    ["none", "Holders approved the reverse stock split. It has 4 to 40 shareholders."],
    ["none", "Holders approved a 1-for-20 reverse stock split."],
  ])("reads %s: %s", (expected, body) => {
    const range = findRange(sentencesOf({ heading: HEADING, content: body }));
    const stated = range?.bounds?.map(ratioCode).join(" ") ?? "quoted";
    expect(range === null ? "none" : stated).toBe(expected);
  });
});

describe("ratio rules", () => {
  it.each(RATIO_RULES)("match their own example: $name", ({ pattern, example }) => {
    expect(example.match(pattern)).not.toBeNull();
  });
});

describe("hostile text", () => {
  it.each([
    ["numbers", "one hundred and "],
    ["pairs", "1-for-20 reverse split to "],
    ["open pairs", "reverse split: every 1 share for every "],
    ["digits", "1"],
    ["commas", "1,111"],
    ["hyphens", "-", "1"],
    ["connectors", "1-for-2 pre--post--old--"],
    ["bounds", "between a ratio of "],
    ["spaces", " ", "1", "for 20"],
    ["par values", "par value of $0 per "],
    ["brackets", "1 (1) "],
  ])("takes linear time: %s", async (_, piece, before = "", after = "") => {
    const readPieces = (size: number): unknown =>
      read(HEADING, `reverse split ${before}${piece.repeat(Math.ceil(size / piece.length))}${after}`);
    expect(await growthFactor(readPieces, HOSTILE_QUARTER)).toBeLessThan(8);
  });
});

describe("findRatio, beside Chinese, Japanese and Korean text", () => {
  it.each([
    "The consolidation call is at 20:30北京时间.",
    "The reverse split call is at 香港時間 9:30.",
    "Reverse split call 오전 10:00",
  ])("does not parse the time as a ratio: %s", (body) => {
    expect(read(HEADING, body).code).toBeNull();
  });
});
