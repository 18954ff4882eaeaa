import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { captureScoring, scoreFolder } from "../support/captured-documents.ts";

const corpus = process.env.SPLITWATCH_CORPUS ?? "";
const folder = process.env.SPLITWATCH_CAPTURES || (corpus === "" ? "" : join(corpus, "captures"));
const isMissing = folder === "" || !existsSync(join(folder, "expected.jsonl"));
const skipped = isMissing ? "skipped: SPLITWATCH_CAPTURES names no folder with expected.jsonl: " : "";

describe.skipIf(isMissing)("captured documents", () => {
  it(`${skipped}state exactly the splits that a person reads in them`, async () => {
    const score = await scoreFolder(folder);
    const { scoreLines } = await captureScoring();
    process.stdout.write(`\n${scoreLines(score).join("\n")}\n`);
    expect(score.sources.length).toBeGreaterThan(0);
    expect(score.problems).toEqual([]);
  });
});

describe("the comparison of captured documents", () => {
  const TERMS = { ticker: "QLMR", ratio: "1:40", ex_date: "2026-03-10", new_cusip: "74876A200" };
  const EXPECTED = { file: "a", source: "nasdaq", url: "https://exchange.example/7", ...TERMS };
  const STATED = { record: "statement", file: "a", source: "nasdaq", kind: "announced", ...TERMS };

  it.each([
    ["a split with all terms", [STATED], [EXPECTED], { right: 1 }, []],
    ["the release of a split", [{ ...STATED, record: "release", kind: "reverse_split" }], [EXPECTED], { right: 1 }, []],
    [
      "one of several tickers",
      [{ ...STATED, ticker: "QLMRD", tickers: [{ ticker: "QLMRD" }, { ticker: "QLMR" }] }],
      [EXPECTED],
      { right: 1 },
      [],
    ],
    ["a term that is not expected", [STATED], [{ ...EXPECTED, new_cusip: undefined }], { right: 1 }, []],
    [
      "a term that the document doesn't state",
      [STATED],
      [{ ...EXPECTED, new_cusip: null }],
      { wrong: 1 },
      [
        "a: wrong: expected ticker QLMR, ratio 1:40, ex_date 2026-03-10, new_cusip not stated, got ticker QLMR, ratio 1:40, ex_date 2026-03-10, new_cusip 74876A200",
      ],
    ],
    [
      "another ratio",
      [{ ...STATED, ratio: "1:180" }],
      [EXPECTED],
      { wrong: 1 },
      [expect.stringMatching(/^a: wrong: expected .* 1:40, .* got .* 1:180/)],
    ],
    [
      "a second split",
      [STATED, { ...STATED, ticker: "BVLX" }],
      [EXPECTED],
      { right: 1, wrong: 1 },
      [expect.stringMatching(/^a: wrong: expected no split, got ticker BVLX/)],
    ],
    [
      "a refusal",
      [{ record: "refused", file: "a", reason: "no notice" }],
      [EXPECTED],
      { refused: 1 },
      [expect.stringMatching(/^a: refused: expected ticker QLMR.*: no notice$/)],
    ],
    [
      "nothing",
      [{ ...STATED, record: "release", kind: "other" }],
      [EXPECTED],
      { wrong: 1 },
      [expect.stringMatching(/^a: wrong: .* got no split$/)],
    ],
    ["no split in a document without one", [], [{ file: "a", source: "nasdaq", ticker: null }], { right: 1 }, []],
    [
      "a split in a document without one",
      [STATED],
      [{ file: "a", source: "nasdaq" }],
      { wrong: 1 },
      [expect.stringMatching(/^a: wrong: expected no split, got ticker QLMR/)],
    ],
  ])("counts %s", async (...[, records, expected, counts, problems]) => {
    const { scoreCaptures } = await captureScoring();
    expect(scoreCaptures(records, expected)).toEqual({
      sources: [{ source: "nasdaq", documents: 1, right: 0, wrong: 0, refused: 0, ...counts }],
      problems,
    });
  });

  it("prints a row per source, their sum, and the problems", async () => {
    const { scoreLines } = await captureScoring();
    const counts = { documents: 2, right: 1, wrong: 1, refused: 0 };
    const sources = [
      { source: "nasdaq", ...counts },
      { source: "sec", ...counts },
    ];
    expect(scoreLines({ sources, problems: ["a: wrong: b"] })).toEqual([
      "source  documents      right      wrong    refused",
      "nasdaq          2          1          1          0",
      "sec             2          1          1          0",
      "all             4          2          2          0",
      "a: wrong: b",
    ]);
  });
});
