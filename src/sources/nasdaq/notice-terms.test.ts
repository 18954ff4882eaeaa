import { describe, expect, it } from "vitest";
import type { Statement } from "../official/statement.ts";
import { noticeStatements } from "./notice-terms.ts";

const TITLE =
  "Information Regarding the Reverse Stock Split and CUSIP Number Change for Quillmere Therapeutics, Inc. (QLMR)";
const SOURCE = { id: "ECA2026-101", url: "https://exchange.example/ECA2026-101", publishedAt: null };
const RATIO =
  "Quillmere Therapeutics, Inc. (QLMR) will effect a one-for-forty (1-40) reverse split of its common stock.";
const DATE = "The reverse stock split will become effective on Tuesday, March 10, 2026.";

function statementsOf(body: string, title = TITLE): readonly Statement[] {
  return noticeStatements({ title, body }, SOURCE);
}

function onlyStatementOf(body: string, title?: string): Statement {
  const [statement, ...others] = statementsOf(body, title);
  if (statement === undefined || others.length > 0) throw new Error(`expected one statement, got ${others.length + 1}`);
  return statement;
}

describe("the ratio of a notice", () => {
  it.each([
    ["words and figures", "a one-for-forty (1-40) reverse split", [1, 40]],
    ["words alone", "a one-for-twenty-five reverse stock split", [1, 25]],
    ["figures alone", "a (1-25) reverse split", [1, 25]],
    ["a hundred", "a one-for-one hundred and fifty (1-150) reverse split", [1, 150]],
    ["a fraction", "a one-for-seven and one-half (1-7.5) reverse split", [2, 15]],
    ["more than one new share", "a two-for-seventeen (2-17) reverse split", [2, 17]],
    ["a consolidation", "a one-for-eight (1-8) share consolidation", [1, 8]],
  ])("is read from %s", (_, wording, [newShares, oldShares]) => {
    const sentence = `Quillmere will effect ${wording} of its ordinary shares.`;
    const { ratio, evidence } = onlyStatementOf(`${sentence} ${DATE}`);
    expect(ratio).toEqual({ newShares, oldShares });
    expect(evidence.ratio).toBe(sentence);
  });

  it.each([
    [
      "words and figures that differ",
      "Quillmere will effect a one-for-twenty-five (1-30) reverse split of its common stock.",
    ],
    [
      "two ratios",
      "Quillmere will effect a one-for-ten (1-10) reverse split and a one-for-twenty (1-20) reverse split.",
    ],
  ])("is null, with its evidence, for %s", (_, sentence) => {
    const { ratio, evidence } = onlyStatementOf(`${sentence} ${DATE}`);
    expect({ ratio, evidence: evidence.ratio }).toEqual({ ratio: null, evidence: sentence });
  });

  it.each([
    [
      "Quillmere plc will change the ratio of its American Depositary Shares from one (1) ADS representing ten (10) ordinary shares to one (1) ADS representing two hundred (200) ordinary shares. For ADS holders, the change will have the same effect as a one-for-twenty (1-20) reverse ADS split.",
    ],
    [
      "Quillmere plc will effect an ADS ratio change (from 1-10 to 1-200), which will result in a one-for-twenty (1-20) reverse split of its ADSs.",
    ],
  ])("is the ratio of the split for depositary shares: %s", (text) => {
    expect(
      onlyStatementOf(
        text,
        "Information Regarding the Reverse Stock Split, Ratio Change and CUSIP Number Change for Quillmere plc (QLMR)",
      ).ratio,
    ).toEqual({ newShares: 1, oldShares: 20 });
  });
});

describe("the ex date of a notice", () => {
  it.each([
    ["the effective date", DATE],
    [
      "the first trading on the adjusted basis",
      "The shares will begin trading on a split-adjusted basis on Tuesday, March 10, 2026.",
    ],
    ["a table", "| Marketplace Effective Date: | Tuesday, March 10, 2026 |"],
    ["a line", "Marketplace Effective Date: March 10, 2026"],
    [
      "the new date",
      "The reverse split, which was previously scheduled for Friday, March 6, 2026, will become effective on Tuesday, March 10, 2026.",
    ],
  ])("is %s", (_, text) => {
    expect(onlyStatementOf(`${RATIO}\n\n${text}`)).toMatchObject({ kind: "announced", exDate: "2026-03-10" });
  });

  it.each([
    ["a weekday of another day", "The reverse stock split will become effective on Monday, March 10, 2026."],
    ["a weekend", "The reverse stock split will become effective on March 14, 2026."],
    ["another date in the table", `${DATE}\n\nMarketplace Effective Date: March 11, 2026`],
  ])("is null, with its evidence, for %s", (_, text) => {
    const { exDate, kind, evidence } = onlyStatementOf(`${RATIO}\n\n${text}`);
    expect({ exDate, kind }).toEqual({ exDate: null, kind: "announced" });
    expect(text).toContain(evidence.exDate);
  });

  it("is not the date of another event", () => {
    const text =
      "The split was approved at a meeting held on Friday, February 13, 2026. The press release is dated February 20, 2026.";
    expect(onlyStatementOf(`${RATIO} ${text} ${DATE}`).exDate).toBe("2026-03-10");
  });
});

describe("the kind of a notice", () => {
  it.each([
    "The effective date of the reverse split is to be announced.",
    "The reverse split has been postponed. The new effective date is to be determined.",
    "| Marketplace Effective Date: | TBA |",
  ])("is a postponement without a date: %s", (text) => {
    const { kind, exDate, evidence } = onlyStatementOf(`${RATIO}\n\n${text}`, `(UPDATED) ${TITLE}`);
    expect({ kind, exDate }).toEqual({ kind: "postponed", exDate: null });
    expect(evidence.kind).toBeDefined();
  });

  it("is a postponement to a date", () => {
    const text = "The reverse split has been postponed from Tuesday, March 10, 2026 to Thursday, March 19, 2026.";
    expect(onlyStatementOf(`${RATIO} ${text}`)).toMatchObject({
      kind: "postponed",
      exDate: "2026-03-19",
      evidence: { kind: text },
    });
  });

  it.each([
    "The reverse split has been cancelled.",
    "Quillmere will not effect the reverse stock split.",
    "The previously announced reverse split has been withdrawn.",
  ])("is a cancellation: %s", (text) => {
    expect(onlyStatementOf(`${RATIO} ${DATE} ${text}`)).toMatchObject({
      kind: "cancelled",
      exDate: null,
      evidence: { kind: text },
    });
  });

  it.each([
    [`(CANCELLED) ${TITLE}`, "The corporate action previously announced for March 10, 2026 has been cancelled."],
    [`(UPDATED) ${TITLE}`, "The corporate action previously announced for March 10, 2026 has been cancelled."],
    [`(CANCELLED) ${TITLE}`, "The notice of February 27, 2026 no longer applies."],
  ])("is a cancellation if onlyStatementOf the title names the split: %s, %s", (title, text) => {
    expect(onlyStatementOf(text, title)).toMatchObject({
      kind: "cancelled",
      exDate: null,
      listings: [{ ticker: "QLMR" }],
    });
  });

  it("is a postponement if onlyStatementOf the title names the split", () => {
    const text = "The corporate action previously announced for March 10, 2026 has been postponed to March 19, 2026.";
    expect(onlyStatementOf(text, `(UPDATED) ${TITLE}`)).toMatchObject({ kind: "postponed", exDate: "2026-03-19" });
  });

  it("is an announcement although old shares are cancelled", () => {
    expect(onlyStatementOf(`${RATIO} ${DATE} Upon the reverse split, all old shares will be cancelled.`).kind).toBe(
      "announced",
    );
  });
});

describe("the security of a notice", () => {
  it.each([
    ["several symbols", "for Quillmere Therapeutics, Inc. (QLMR, QLMRW)"],
    ["suffixes", "for Quillmere Therapeutics, Inc. (QLMR/W/U)"],
    ["another preposition", "of Quillmere Therapeutics, Inc. (QLMR)"],
  ])("is the first of %s", (_, ending) => {
    const title = `(UPDATED 2/27/2026) Information Regarding the Reverse Stock Split ${ending}`;
    expect(onlyStatementOf(`${RATIO} ${DATE}`, title)).toMatchObject({
      company: "Quillmere Therapeutics, Inc.",
      listings: [{ ticker: "QLMR", exchange: "NASDAQ" }],
    });
  });

  it.each([
    ["a table", "| Current Symbol: | QLMR | New Symbol: | QLMX |"],
    ["a sentence", "The trading symbol will change from QLMR to QLMX."],
  ])("has its new symbol, from %s, as the second listing", (_, text) => {
    const { listings } = onlyStatementOf(`${RATIO} ${DATE}\n\n${text}`);
    expect(listings.map(({ ticker }) => ticker)).toEqual(["QLMR", "QLMX"]);
  });

  it("is read from the table if the title has no symbol", () => {
    const table = "| Company Name/Issue: | Quillmere Therapeutics, Inc. |\n| Symbol: | QLMR |";
    expect(onlyStatementOf(`${RATIO} ${DATE}\n\n${table}`, "Information Regarding a Reverse Split")).toMatchObject({
      company: "Quillmere Therapeutics, Inc.",
      listings: [{ ticker: "QLMR" }],
    });
  });

  it.each([
    ["a sentence", "In conjunction with the reverse split, the CUSIP number will change to 74876A200.", "74876A200"],
    ["a table", "| CUSIP#: | 74876A 20 0 |", "74876A200"],
    ["a number that reverts", "The effective date is to be announced. The CUSIP will revert to 74876A101.", null],
    ["two numbers", "| New CUSIP#: | 74876A200 |\n\nThe CUSIP number will change to 74876A309.", null],
  ])("has the CUSIP of %s", (_, text, cusip) => {
    expect(onlyStatementOf(`${RATIO} ${DATE}\n\n${text}`).newCusip).toBe(cusip);
  });
});

it("states each fund of a notice about several funds", () => {
  const body = `Tidewell Trust will effect reverse splits of the following ETFs. The reverse splits will become effective on Tuesday, March 10, 2026.

| Fund Name | Symbol | Reverse Split Ratio |
| Tidewell 2X Bull ETF | TDWB | 1-for-10 |
| Tidewell 2X Bear ETF | TDWS | 1-for-25 |`;
  const title = "Information Regarding the Reverse Splits of Tidewell ETFs (TDWB, TDWS)";
  expect(statementsOf(body, title)).toMatchObject([
    { id: "ECA2026-101 TDWB", url: `${SOURCE.url}#TDWB`, ratio: { oldShares: 10 }, exDate: "2026-03-10" },
    { id: "ECA2026-101 TDWS", url: `${SOURCE.url}#TDWS`, ratio: { oldShares: 25 }, exDate: "2026-03-10" },
  ]);
});

it.each([
  ["a forward split", "Quillmere will effect a two-for-one (2-1) stock split on Tuesday, March 10, 2026."],
  ["a change of name", "Quillmere will change its name on Tuesday, March 10, 2026."],
])("states nothing about %s", (_, body) => {
  expect(statementsOf(body)).toEqual([]);
});
