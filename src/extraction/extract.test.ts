import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growthFactor, HOSTILE_QUARTER } from "../../test/support/timing.ts";
import { TREATMENTS, type Treatment } from "../domain/article/article.ts";
import { extractFacts } from "./extract.ts";

const COMPANIES = ["Harbor Mills, Inc.", "Quarry Lake Resources Ltd.", "Tide & Sons Corp.", "Sable Peak Holdings plc"];
const TAGS: readonly (readonly [string, string])[] = [
  ["NASDAQ", "NASDAQ"],
  ["Nasdaq Capital Market", "NASDAQ"],
  ["NYSE American", "NYSEAMERICAN"],
  ["NYSE", "NYSE"],
  ["OTCQB", "OTC"],
  ["TSX-V", "TSXV"],
  ["CSE", "CSE"],
];
const TAG_FORMS: readonly ((exchange: string, ticker: string) => string)[] = [
  (exchange, ticker) => `(${exchange}: ${ticker})`,
  (exchange, ticker) => `(${exchange}:${ticker})`,
  (exchange, ticker) => `(**${exchange}: ${ticker}**)`,
  (exchange, ticker) => `(“the Company”; ${exchange}: ${ticker})`,
  (exchange, ticker) => `(${exchange}:\n${ticker})`,
  (exchange, ticker) => `(${exchange}:\u00a0${ticker}, Frankfurt: 1AA)`,
];
const NEWS: readonly ((old: number) => string)[] = [
  (old) => `today announced a 1-for-${old} reverse stock split of its common stock.`,
  (old) => `announced that it will effect a reverse split at a ratio of one (1) share for every ${old} shares.`,
  (old) => `will consolidate its common shares on the basis of one new share for ${old} old shares.`,
  (old) => `announces that its ${old}:1 share consolidation will take effect on Monday.`,
];
const WORDINGS: Readonly<Record<Treatment, readonly string[]>> = {
  round_up: [
    "Any fractional share will be rounded up to the nearest whole share.",
    "Fractions shall be rounded to the next higher whole number of shares, and no cash will be paid.",
    "Any stockholder who would be left with a fractional share will receive one whole share in its place.",
  ],
  round_nearest: [
    "Fractional shares will be rounded to the nearest whole share.",
    "Fractions of one-half or more are rounded up, and fractions of less than one-half are rounded down.",
  ],
  round_down: [
    "Fractional shares will be rounded down to the nearest whole number.",
    "Any fraction will be cancelled without compensation.",
  ],
  cash_in_lieu: [
    "Stockholders will receive cash in lieu of fractional shares.",
    "Holders will be paid for fractional shares in cash, rounded up to the nearest cent.",
    "Fractional shares will be sold by the agent and the net proceeds distributed to the holders.",
  ],
};
const FILLERS = [
  "No fractional shares will be issued.",
  "The exercise price of all warrants will be adjusted.",
  "The reverse stock split affects all holders alike, except for the treatment of fractions.",
  "The new CUSIP number will be 41150T 207.",
  "Forward-looking statements may prove wrong.",
];

const releases = fc.record({
  company: fc.constantFrom(...COMPANIES),
  ticker: fc.stringMatching(/^[B-H][A-M]{2}X$/),
  tag: fc.constantFrom(...TAGS),
  tagForm: fc.constantFrom(...TAG_FORMS),
  old: fc.integer({ min: 2, max: 900 }),
  news: fc.constantFrom(...NEWS),
  treatment: fc.constantFrom(...TREATMENTS),
  wording: fc.nat(5),
  fillers: fc.shuffledSubarray(FILLERS),
  wordingIndex: fc.nat(5),
  separator: fc.constantFrom(" ", "\n\n", "\n", "  "),
});

describe("the evidence of the announcement date", () => {
  const news = "Harbor Mills, Inc. (NASDAQ: HMIL) will effect a 1-for-12 reverse stock split on May 11, 2026.";

  it.each([
    ["its dateline", "OSLO, May 4, 2026 /PRNewswire/ --", "2026-05-04", /^OSLO, May 4/],
    [
      "the stated first publication",
      "OSLO, May 6, 2026 /PRNewswire/ -- This is news.\n\nThis release was originally issued on May 4, 2026.",
      "2026-05-04",
      /^This release was originally issued on May 4, 2026\.$/,
    ],
  ])("is %s", (_, opening, day, sentence) => {
    const { announced, evidence } = extractFacts({ heading: "Harbor Mills", content: `${opening} ${news}` });
    expect([announced, evidence.announced]).toEqual([day, expect.stringMatching(sentence)]);
  });
});

describe("extractFacts, for generated releases", () => {
  it("finds all facts, each with a sentence of the text", () => {
    fc.assert(
      fc.property(releases, (release) => {
        const { company, ticker, tag, tagForm, old, news, treatment, wording, fillers, wordingIndex, separator } =
          release;
        const wordings = WORDINGS[treatment];
        const sentence = wordings[wording % wordings.length] ?? "";
        const opening = `BOISE, June 3, 2026 -- ${company} ${tagForm(tag[0], ticker)} ${news(old)}`;
        const content = [opening, ...fillers.toSpliced(wordingIndex, 0, sentence)].join(separator);
        const facts = extractFacts({ heading: `${company} Announces News`, content });
        expect(facts).toMatchObject({
          kind: "reverse_split",
          contradictions: [],
          mentions: [{ ticker, exchange: tag[1] }],
        });
        expect(facts.fraction).toMatchObject({ treatment, sentence });
        for (const quote of Object.values(facts.evidence)) expect(content).toContain(quote);
      }),
      { numRuns: 300 },
    );
  });
});

const PIECES = `reverse stock split|fractional shares|(NASDAQ: |ACME)|rounded up|cash|“|”|**|\n\n|no|.|will be|cancelled
|to the nearest whole share|1-for-20|\u00a0|the Consolidation|$`.split("|");

describe("extractFacts, for any text", () => {
  it("returns without an error and quotes verbatim", () => {
    const words = fc.constantFrom(...PIECES);
    fc.assert(
      fc.property(fc.array(words, { maxLength: 60 }), fc.string(), (list, tail) => {
        const content = `${list.join(" ")}${tail}`;
        const facts = extractFacts({ heading: "", content });
        for (const quote of Object.values(facts.evidence)) expect(content).toContain(quote);
        expect(facts.fraction === null || content.includes(facts.fraction.sentence)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.each(["", " ", "\u0000", "\ud800", "((((", "**", "\n"])("accepts %j", (content) => {
    expect(extractFacts({ heading: content, content })).toEqual({
      kind: "other",
      subject: null,
      mentions: [],
      security: { ticker: null, exchange: null, company: null },
      fraction: null,
      announced: null,
      splits: [],
      contradictions: [],
      evidence: {},
    });
  });
});

describe("hostile text", () => {
  const NEWS_FIRST = "Acme announces a 1-for-2 reverse stock split. ";

  it.each([
    "(NASDAQ: ",
    "(NASDAQ: A, ",
    "fractional shares ",
    "fractional shares will be rounded up to the nearest ",
    "a",
    "1",
    "1,1",
    "1-for-",
    " ",
    "\n",
    "\n* ",
    "(",
    ")",
    ".",
    ".)",
    "“",
    "**",
    "&nbsp;",
    "|A",
    "A.A.",
    "Inc. ",
    "$AB ",
    'symbol "ABCD" and ',
    "consolidation of shares ",
    "reverse split has been ",
    "cancelled the the the the the the the the ",
    "announced 1-for-2 ",
    "up to every two ",
    "less than one-half ",
    "no cash ",
    "pay cash ",
    "rounded not up ",
    "ADS representing ",
    "Fraction. Instead holders. ",
    "filed an amendment to effect the reverse split ",
    "proposed consolidation of shares ",
    "intends to list its shares on Nasdaq ",
    "shares in the capital be ",
    "Exchange notified ",
    "forward splits\n\n",
    "effective 2 May ",
  ])("takes time linear in its length: repetitions of %j", async (piece) => {
    const read = (length: number): void => {
      const content = NEWS_FIRST + piece.repeat(Math.ceil(length / piece.length));
      extractFacts({ heading: "Acme Announces Reverse Stock Split", content });
    };
    expect(await growthFactor(read, HOSTILE_QUARTER)).toBeLessThan(8);
  });

  it("takes time linear in the digits of a sentence", async () => {
    readDigits(450);
    expect(await growthFactor(readDigits, 450)).toBeLessThan(8);
  });
});

/** Reads 50 sentences that end in a number. */
function readDigits(digits: number): void {
  const sentence = `Each ADS represents ten shares, a consolidation ratio set at ${"1".repeat(digits)}. `;
  extractFacts({ heading: "Acme Announces Reverse Stock Split", content: sentence.repeat(50) });
}
