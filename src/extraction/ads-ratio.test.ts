import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sentencesOf } from "../../test/support/sentences.ts";
import { growthFactor, HOSTILE_QUARTER } from "../../test/support/timing.ts";
import { ratioCode, ratioOfIntegers } from "../domain/split/ratio.ts";
import { ADS_EXCHANGE_RULES, findAdsRatio, UNDERLYING_RULES } from "./ads-ratio.ts";

function read(body: string, heading = "Tide Labs Announces ADS Ratio Change") {
  const content = `OSLO, May 4, 2026 -- Tide Labs Ltd. (NASDAQ: TIDE) makes sensors. ${body}`;
  const result = findAdsRatio(sentencesOf({ heading, content }));
  return { ...result, code: result.ratio && ratioCode(result.ratio), quote: result.sentence?.verbatim };
}

describe("findAdsRatio", () => {
  it.each([
    [
      "1:40",
      "It will change the ratio of its American depositary shares (“ADSs”) from one ADS representing 15,000 ordinary shares to one ADS representing 600,000 ordinary shares.",
    ],
    [
      "1:40",
      "The change from one (1) ADS representing fifteen thousand (15,000) shares to one (1) ADS representing six hundred thousand (600,000) shares has the same effect as a one-for-forty reverse ADS split.",
    ],
    [
      "1:5",
      "The ADS ratio will change from one (1) ADS to one (1) ordinary share to one (1) ADS to five (5) ordinary shares.",
    ],
    ["1:5", "The ADS to ordinary share ratio changes from 1:2 to 1:10."],
    ["1:5", "The ratio of Class A ordinary shares to ADSs will be changed from 2:1 to 10:1."],
    ["1:10", "The number of ordinary shares represented by each ADS will be increased from 3 to 30."],
    [
      "1:5",
      "The ADS ratio is changed from the current ratio of 1 ADS to 4 Class A ordinary shares to the new ratio of 1 ADS to 20 Class A ordinary shares.",
    ],
    [
      "2:39",
      "Thirteen (13) ADSs representing ten (10) ordinary shares will be changed to one (1) ADS representing fifteen (15) ordinary shares.",
    ],
    ["2:39", "It changes its ADS ratio from 13 ADSs = 10 shares to 1 ADS = 15 shares."],
    [
      "1:10",
      "The ratio will change from one ADS representing one-half of one ordinary share to one ADS representing five ordinary shares.",
    ],
    [
      "1:6",
      "Each ADS currently represents 5 ordinary shares. After the ratio change each ADS will represent 30 ordinary shares.",
    ],
    [
      "1:6",
      "From June 9 each ADS will represent 30 ordinary shares instead of the current 5 ordinary shares per ADS, a change of ratio.",
    ],
    ["1:6", "The change of the ADS ratio has the same effect as a one-for-six reverse ADS split."],
    ["1:6", "The change of the ADS ratio has the same effect as a 1:6 reverse ADS split."],
    ["1:6", "It will change its ADR ratio from 5 ordinary shares per ADR to 30 ordinary shares per ADR."],
    [
      "1:4",
      "The current ratio of one ADS representing two H shares will be adjusted to one ADS representing eight H shares.",
    ],
    ["1:10", "Holders are required to exchange every ten (10) existing ADSs then held for one (1) new ADS."],
    ["1:10", "Holders will receive one new ADS in exchange for every ten ADSs."],
    ["1:6", "The ratio changes from one ADR per five ordinary shares to one ADR per thirty ordinary shares."],
    [
      "1:10",
      "On May 1, it set the change of its ADS ratio from one ADS representing two ordinary shares to one ADS representing 20 ordinary shares, the same as a one-for-ten reverse ADS split.",
    ],
    [
      "3:7",
      "The number of its ordinary shares represented by each American Depositary Share will be changed from 30 to 70. Holders will receive 1 (one) new ADS for every 2.333333 old ADSs.",
    ],
  ])("returns %s for a change of the shares per depositary share: %s", (code, sentence) => {
    expect(read(sentence)).toMatchObject({ code, contradictory: false });
  });

  it.each([
    "It will change its ADS ratio from one ADS representing 10 ordinary shares to one ADS representing 2 ordinary shares.",
    "The ADS to ordinary share ratio changes from 1:10 to 1:2, the same as a five-for-one forward ADS split.",
    "Each ADS currently represents 30 ordinary shares. After the change each ADS will represent 5 ordinary shares.",
  ])("returns no ratio for an increase of depositary shares: %s", (sentence) => {
    expect(read(sentence)).toMatchObject({ code: null, contradictory: false });
  });

  it.each([
    "Each ADS represents 10 ordinary shares.",
    "It offers 5,000,000 ADSs for 30 days, each ADS representing 10 ordinary shares.",
    "It changed its auditor. Each ADS represents five ordinary shares, and revenue rose from 5 to 25 million.",
  ])("returns no ratio where the text only describes the security: %s", (sentence) => {
    expect(read(sentence, "Tide Labs Reports Results")).toMatchObject({ code: null, contradictory: false });
  });

  it("reports a contradiction between the share counts and the stated ratio", () => {
    const result = read(
      "The ADS ratio changes from 1:2 to 1:10. It has the same effect as a one-for-six reverse ADS split.",
    );
    expect(result).toMatchObject({ code: null, contradictory: true });
  });

  it("reports a contradiction where a decimal is not the rounded ratio", () => {
    const result = read(
      "The ADS ratio will be changed from 30 to 70 ordinary shares per ADS. Holders will receive one new ADS for every 2.35 old ADSs in this reverse split.",
    );
    expect(result).toMatchObject({ code: null, contradictory: true });
  });

  it("quotes the sentence that states the change", () => {
    const sentence = "The ADS ratio will change from 1 ADS to 2 shares to 1 ADS to 10 shares.";
    expect(read(`It is a change. ${sentence} It takes effect on June 9.`).quote).toBe(sentence);
  });

  it("finds any ratio in every template", () => {
    const amount = fc.integer({ min: 1, max: 20_000 });
    fc.assert(
      fc.property(amount, fc.integer({ min: 2, max: 90 }), (before, factor) => {
        const after = before * factor;
        const ratio = ratioOfIntegers(before, after);
        const text = `The ratio changes from one ADS representing ${before.toLocaleString("en-US")} ordinary shares to one ADS representing ${after.toLocaleString("en-US")} ordinary shares.`;
        expect(read(text).code).toBe(ratio && ratioCode(ratio));
      }),
    );
  });
});

/** Statements of a change from `before` to `after` shares per depositary share. */
const CHANGES: readonly ((before: string, after: string) => string)[] = [
  (before, after) => `instead of ${before} ordinary shares, each ADS will represent ${after}`,
  (before, after) => `instead of ${before}, each American Depositary Share will represent ${after} ordinary shares`,
  (before, after) => `instead of representing ${before} ordinary shares, each ADS will represent ${after} of them`,
  (before, after) => `each ADS will represent ${after} ordinary shares rather than ${before}`,
  (before, after) => `one ADR will represent ${after} ordinary shares (previously ${before} ordinary shares)`,
  (before, after) => `one ADS will be ${after} ordinary shares and no longer ${before}`,
  (before, after) =>
    `each ADS, which now represents ${before} ordinary shares, will represent ${after} ordinary shares`,
  (before, after) => `the number of ordinary shares that one ADS represents rises to ${after}, up from ${before}`,
  (before, after) =>
    `the new ratio is one ADS to ${after} ordinary shares instead of one ADS to ${before} ordinary shares`,
  (before, after) =>
    `the ratio moves from each ADS representing ${before} shares to each ADS representing ${after} shares`,
  (before, after) =>
    `the ratio changes from one ADS to ${before} (1-4) ordinary shares to one ADS to ${after} (1-180) ordinary shares`,
  (before, after) =>
    `the ratio changes to one American Depositary Share to ${after} (1:180) ordinary shares from one American Depositary Share to ${before} (1:4) ordinary shares`,
  (before, after) =>
    `the ratio changes from ${before} ordinary shares to one ADS to ${after} ordinary shares to one ADS`,
  (before, after) => `the ADS ratio is changed from one-to-${before} (1-4) to one-to-${after} (1-180)`,
];

const COUNTS: readonly (readonly [string, string])[] = [
  ["4", "180"],
  ["four", "one hundred eighty"],
  ["four (4)", "one hundred eighty (180)"],
];

const EFFECTS: readonly ((split: string) => string)[] = [
  (split) => `works like a ${split} reverse split of the ADSs`,
  (split) => `will have the effect of a ${split} reverse split of its American Depositary Shares`,
  (split) => `is equivalent to a ${split} reverse ADS split`,
];

const JOINED: readonly ((change: string, effect: string) => string)[] = [
  (change, effect) => `From June 9, ${change}. For a holder, the change ${effect}.`,
  (change, effect) => `From June 9, ${change}, which ${effect}.`,
  (change, effect) => `The change ${effect}: ${change}.`,
];

describe("findAdsRatio, with the shares per depositary share and the equivalent split", () => {
  const texts = CHANGES.flatMap((change) =>
    COUNTS.flatMap(([before, after]) => JOINED.map((join) => (effect: string) => join(change(before, after), effect))),
  );

  it("returns the split that both state, in every wording and notation", () => {
    for (const text of texts) {
      for (const effect of EFFECTS) {
        for (const split of ["one-for-forty-five", "one-for-forty-five (1-45)", "1-for-45", "1:45"]) {
          const sentences = text(effect(split));
          expect({ sentences, ...read(sentences) }).toMatchObject({ sentences, code: "1:45", contradictory: false });
        }
      }
    }
  });

  it("reports a contradiction if the quotient is another one than the split", () => {
    for (const text of texts) {
      for (const effect of EFFECTS) {
        const sentences = text(effect("one-for-forty"));
        expect({ sentences, ...read(sentences) }).toMatchObject({ sentences, code: null, contradictory: true });
      }
    }
  });

  it.each(CHANGES.map((change) => change("four", "one hundred eighty")))("reads the counts alone: %s", (change) => {
    expect(read(`From June 9, ${change}.`)).toMatchObject({ code: "1:45", contradictory: false });
  });
});

describe("rules on shares per depositary share", () => {
  it.each([...UNDERLYING_RULES, ...ADS_EXCHANGE_RULES])("match their own example: $name", ({ pattern, example }) => {
    expect(example.match(pattern)).not.toBeNull();
  });
});

describe("hostile text", () => {
  it.each([
    ["names", "ADS change 1 "],
    ["counts", "change: 1 ADS representing 5 shares from "],
    ["from clauses", "change of ADS ratio from 1:2 from a ratio of "],
    ["adjectives", "ordinary ", "ADS ratio change 5 "],
    ["brackets", "ADS (", "ADS ratio change "],
  ])("takes linear time: %s", async (_, piece, before = "") => {
    const readPieces = (size: number): unknown => read(`${before}${piece.repeat(Math.ceil(size / piece.length))}`);
    expect(await growthFactor(readPieces, HOSTILE_QUARTER)).toBeLessThan(8);
  });
});
