import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ratioCode } from "../../src/domain/split/ratio.ts";
import { type ArticleFacts, extractFacts } from "../../src/extraction/extract.ts";
import { repetitions } from "../support/soak.ts";
import { growthFactor, HOSTILE_QUARTER } from "../support/timing.ts";
import { releaseFacts, releaseStyles, writeRelease } from "../support/written-release.ts";

describe("extraction from generated releases", () => {
  it("finds all facts in every style, each with a sentence of the text", () => {
    fc.assert(
      fc.property(releaseFacts, releaseStyles, (facts, style) => {
        const release = writeRelease(facts, style);
        const read = extractFacts(release);
        const [split] = read.splits;
        expect({
          kind: read.kind,
          contradictions: read.contradictions,
          splits: read.splits.length,
          announced: read.announced,
          treatment: read.fraction?.treatment,
          company: split?.company,
          ticker: split?.ticker,
          exchange: split?.exchange,
          ratio: split?.ratio && ratioCode(split.ratio),
          exDate: split?.exDate,
          newCusip: split?.newCusip,
        }).toEqual({
          kind: "reverse_split",
          contradictions: [],
          splits: 1,
          announced: facts.announced,
          treatment: facts.treatment,
          company: facts.company,
          ticker: facts.ticker,
          exchange: facts.exchange[1],
          ratio: `1:${facts.old}`,
          exDate: facts.exDate,
          newCusip: facts.newCusip,
        });
        const whole = `${release.heading}\n${release.content}`;
        for (const sentence of Object.values({ ...read.evidence, ...split?.evidence }))
          expect(whole).toContain(sentence);
      }),
      { numRuns: repetitions({ short: 200, full: 2_000 }) },
    );
  });
});

const FOREIGN_NAMES = ["Tidewater Optics", "Corran Freight", "Lumen Orchard Foods", "Pellam Energy"];

/** A paragraph about another company: its tag if any, its news, and optionally a past split of its own. */
const otherCompany = fc
  .record({
    name: fc.constantFrom(...FOREIGN_NAMES),
    legalForm: fc.constantFrom(" Inc.", " Corp.", ", Inc.", " Ltd."),
    tag: fc.constantFrom("", "(NYSE: ZQX)", "(NASDAQ: ZQXW)", "(TSXV: ZQX)", "(OTCQB: ZQXF)", "(Nasdaq: ZQX, ZQXW)"),
    news: fc.constantFrom(
      "today reported record revenue for its third quarter.",
      "makes valves.",
      "said that its new plant will open in May.",
      "has appointed a chief financial officer.",
    ),
    pastSplit: fc.constantFrom(
      "",
      " It completed a 1-for-70 reverse stock split on March 3, 2021.",
      " In June 2021 it consolidated its shares on a 70-for-1 basis.",
    ),
    hasHeading: fc.boolean(),
  })
  .map(({ name, legalForm, tag, news, pastSplit, hasHeading }) =>
    [
      ...(hasHeading ? [`About ${name}`] : []),
      `${name}${legalForm}${tag === "" ? "" : ` ${tag}`} ${news}${pastSplit}`,
    ].join("\n\n"),
  );

describe("extraction from generated releases beside another company", () => {
  it("finds the same facts with a paragraph about the other company before, after or in the release", () => {
    fc.assert(
      fc.property(releaseFacts, releaseStyles, otherCompany, fc.nat(), (facts, style, paragraph, position) => {
        const { heading, content } = writeRelease(facts, style);
        const paragraphs = content.split("\n\n");
        const at = position % (paragraphs.length + 1);
        const extended = [...paragraphs.slice(0, at), paragraph, ...paragraphs.slice(at)].join("\n\n");
        const { splits, kind, fraction, announced, contradictions } = extractFacts({ heading, content: extended });
        expect({ splits, kind, fraction, announced, contradictions }).toEqual(
          factsWithoutMentions(extractFacts({ heading, content })),
        );
      }),
      { numRuns: repetitions({ short: 60, full: 2_000 }) },
    );
  });
});

function factsWithoutMentions({ splits, kind, fraction, announced, contradictions }: ArticleFacts) {
  return { splits, kind, fraction, announced, contradictions };
}

const OPENING =
  "RENO, Nev., March 3, 2026 (GLOBE NEWSWIRE) -- Acme, Inc. (Nasdaq: ACME) announced a 1-for-20 reverse split. ";

/** Pieces whose repetitions cause superlinear time in patterns that backtrack. */
const HOSTILE = [
  "(NASDAQ: ",
  "(NASDAQ: ACME ",
  "((((",
  ")](",
  "“(the “",
  "1-for-",
  "one-for-one-for-",
  "one-for-one hundred ",
  "one (1) share for every ",
  "one hundred and ",
  "1234567890",
  "1,234,",
  "1.5:",
  "1:20 to ",
  "between 1-for-2 and ",
  "not less than one ",
  "up to ",
  "   ",
  "\n",
  "\u00a0\n",
  "**",
  "-\u2011",
  "| 1 for 10 |\n",
  "Ticker\n\nCUSIP\n\n",
  "NYSE American ",
  "Nasdaq Capital Market ",
  "March 3, 2026 ",
  "March 3, ",
  "Monday, ",
  "on March on ",
  "12:01 a.m. on ",
  "begin trading on a split-adjusted basis ",
  "effective after the close of trading on ",
  "from March 3, 2026 to March 4, 2026, ",
  "postponed from March 3, 2026 ",
  "CUSIP number ",
  "CUSIP 41150T 20",
  "one ADS representing ten ordinary shares to ",
  "pre-consolidation ",
  "post-consolidation share for each ",
  "fractional share will be ",
  "Inc. ",
  "e.g. U.S. ",
  "The Company, Inc., ",
  "under the symbol “A",
  "reverse stock split, reverse stock split and ",
  "1-for-2 1-for-3 1-for-4 ",
];

describe("a long hostile text", () => {
  it.each(HOSTILE)("takes linear time: repetitions of %j", async (piece) => {
    expect(await growthFactor(readPieces(piece), HOSTILE_QUARTER)).toBeLessThan(8);
  });
});

function readPieces(piece: string): (length: number) => void {
  return (length) => {
    const content = OPENING + piece.repeat(Math.ceil(length / piece.length));
    extractFacts({ heading: "Acme Announces Reverse Stock Split", content });
  };
}
