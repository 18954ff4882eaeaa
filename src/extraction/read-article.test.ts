import { describe, expect, it } from "vitest";
import { aRecord, day, ticker } from "../../test/support/builders.ts";
import { growthFactor } from "../../test/support/timing.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { extractFacts } from "./extract.ts";
import { findConcernedTickers, readArticle } from "./read-article.ts";

const HARBOR = aRecord({ ticker: "HMIL", exchange: "NASDAQ", company: "Harbor Mills, Inc." });

function concerned(content: string, ...records: readonly SplitRecord[]): string {
  const listed = new Map<Ticker, SplitRecord[]>();
  for (const record of records) listed.set(record.ticker, [...(listed.get(record.ticker) ?? []), record]);
  const article = { heading: "News of the day", content };
  const tickers = findConcernedTickers(article, extractFacts(article), listed);
  return tickers.map(({ ticker: symbol, exchange }) => `${symbol}@${exchange ?? "?"}`).join(" ");
}

describe("findConcernedTickers", () => {
  it("returns tags and cashtags, listed or not", () => {
    expect(concerned("Acme (NYSE: ACME) and $OTHR")).toBe("ACME@NYSE OTHR@?");
  });

  it("keeps the exchange of a tag", () => {
    expect(concerned("Harbor Mills (NYSE: HMIL)", HARBOR)).toBe("HMIL@NYSE");
  });

  it("adds the exchange of the listed split", () => {
    expect(concerned("$HMIL falls", HARBOR)).toBe("HMIL@NASDAQ");
  });

  it("adds no exchange to a ticker that is listed on two", () => {
    expect(concerned("$HMIL falls", HARBOR, aRecord({ ticker: "HMIL", exchange: "TSX", company: "Hamil Ltd" }))).toBe(
      "HMIL@?",
    );
  });

  it("returns each ticker once", () => {
    expect(concerned("Harbor Mills (NASDAQ: HMIL), HMIL and $HMIL", HARBOR)).toBe("HMIL@NASDAQ");
  });
});

describe("a bare word in capitals", () => {
  it.each([
    ["as listed", "HMIL of Harbor Mills, Inc. falls"],
    ["without its legal form", "HMIL of Harbor Mills falls"],
    ["with another legal form", "HMIL of Harbor Mills Corporation falls"],
    ["in capitals", "HARBOR MILLS INC. (HMIL) falls"],
    ["across a line break", "Harbor\nMills (HMIL) falls"],
    ["in the possessive", "Harbor Mills’ HMIL falls"],
    ["in the possessive with an s", "Harbor Mills's HMIL falls"],
    ["joined to another word", "Harbor Mills: HMIL-linked notes fall"],
  ])("counts if it is listed and the text names the company: %s", (_, content) => {
    expect(concerned(content, HARBOR)).toBe("HMIL@NASDAQ");
  });

  it.each([
    ["the company is not named", "HMIL falls"],
    ["the text contains only a part of the name", "HMIL: the harbor and its mills"],
    ["the name is the beginning of a longer word", "HMIL and Harbor Millstone"],
    ["it is not in capitals", "hmil of Harbor Mills falls"],
    ["it is a part of a longer word", "XHMIL, HMILX and HMIL9 of Harbor Mills fall"],
  ])("does not count when %s", (_, content) => {
    expect(concerned(content, HARBOR)).toBe("");
  });

  it("does not count when it is not listed", () => {
    expect(concerned("OTHR of Harbor Mills falls", HARBOR)).toBe("");
  });

  it.each([
    ["ON", "On Line Systems Inc.", "ON Monday, the CEO of ACME spoke ON the target", ""],
    ["TGT", "Target Corporation", "The TGT target is a target", ""],
    ["TGT", "Target Corporation", "Target Corp. says TGT rises", "TGT@NASDAQ"],
    ["IT", "The It Company", "IT is a company, it is said", ""],
    ["AI", "C3.ai, Inc.", "AI is a trend", ""],
  ])("that is also an English word requires the full company name: %s, %s", (symbol, company, content, expected) => {
    expect(concerned(content, aRecord({ ticker: symbol, company }))).toBe(expected);
  });

  it.each(["BRN.B", "BRN-B", "BRN/B"])("may have a share class in any spelling: %s", (symbol) => {
    const record = aRecord({ ticker: "BRN.B", exchange: "NYSE", company: "Big Barn Co." });
    expect(concerned(`Big Barn rises: ${symbol}`, record)).toBe("BRN.B@NYSE");
  });

  it("isn't the symbol of another share class, and may have the suffix of its market", () => {
    const record = aRecord({ ticker: "BRN", exchange: "TSX", company: "Big Barn Co." });
    expect(concerned("Big Barn rises: BRN.B", record)).toBe("");
    expect(concerned("Big Barn rises: BRN.TO", record)).toBe("BRN@TSX");
  });

  it("matches listed names with accents, symbols and a share class", () => {
    const record = aRecord({ ticker: "SOLE", company: "Société Léman & Fils S.A. - Class A Ordinary Shares" });
    expect(concerned("SOLE: Societe Leman and Fils SA falls", record)).toBe("SOLE@NASDAQ");
  });

  it("belongs to the named company if two have the ticker", () => {
    const other = aRecord({ ticker: "HMIL", exchange: "TSX", company: "Hamil Gold Ltd." });
    expect(concerned("HMIL of Hamil Gold", HARBOR, other)).toBe("HMIL@TSX");
  });
});

describe("an untagged ticker in words or in a table", () => {
  it.each([
    ["in quotes", 'Harbor Mills trades under the symbol "HMIL".'],
    ["plain", "Harbor Mills has the trading symbol HMIL."],
    ["as a new one", 'Harbor Mills will trade on the Nasdaq under the new symbol "HMIL".'],
    ["beside a CUSIP", "Harbor Mills\n\n| HMIL | 25460G807 |"],
  ])("counts only if it is listed and the text names the company: %s", (_, content) => {
    expect(concerned(content, HARBOR)).toBe("HMIL@NASDAQ");
    expect(concerned(content)).toBe("");
    expect(concerned(content.replace("Harbor Mills", "The company"), HARBOR)).toBe("");
  });

  it("has the exchange of the listed split", () => {
    expect(concerned('Harbor Mills trades on the OTCQB under the symbol "HMIL".', HARBOR)).toBe("HMIL@NASDAQ");
  });

  it("may contain a digit", () => {
    const fund = aRecord({ ticker: "BTC3", exchange: "NYSEARCA", company: "Triple Bit Fund" });
    expect(concerned('The Triple Bit Fund trades under the symbol "BTC3".', fund)).toBe("BTC3@NYSEARCA");
  });

  it("adds nothing to its own tag, and nothing to another tag", () => {
    expect(concerned('Harbor Mills (NASDAQ: HMIL) trades under the symbol "HMIL".')).toBe("HMIL@NASDAQ");
    expect(concerned('Harbor Mills (NASDAQ: HMIL) trades on the OTCQB under the symbol "HMILF".')).toBe("HMIL@NASDAQ");
  });
});

describe("an interim over-the-counter symbol", () => {
  const acme = aRecord({ ticker: "ACME", exchange: "OTC", company: "Acme Rockets Inc." });

  it("concerns the split that is listed without the D", () => {
    expect(concerned("Acme Rockets (OTC: ACMED)", acme)).toBe("ACMED@OTC ACME@OTC");
  });

  it("is matched by the symbol without the D", () => {
    const listedAsD = aRecord({ ticker: "ACMED", exchange: "OTC", company: "Acme Rockets Inc." });
    expect(concerned("Acme Rockets (OTC: ACME)", listedAsD)).toBe("ACME@OTC ACMED@OTC");
  });

  it.each([
    ["another company has it", "Acne Medical (OTC: ACMED)"],
    ["the exchange is another", "Acme Rockets (NASDAQ: ACMED)"],
    ["the letter is another", "Acme Rockets (OTC: ACMEF)"],
  ])("matches no split when %s", (_, content) => {
    expect(concerned(content, acme)).not.toContain("ACME@OTC");
  });
});

describe("a long article and a long list", () => {
  it("take time linear in their sum", async () => {
    expect(await growthFactor(readAgainstList, 2_500)).toBeLessThan(8);
  });
});

/** Reads an article of `size` sentences against as many listed tickers, none of which it names. */
function readAgainstList(size: number): void {
  const listed = new Map<Ticker, readonly SplitRecord[]>();
  for (let index = 0; index < size; index += 1) {
    const symbol = ticker(
      `Q${index
        .toString(26)
        .toUpperCase()
        .replaceAll(/\d/g, (digit) => "QRSTUVWXYZ"[Number(digit)] ?? "")}`,
    );
    listed.set(symbol, [aRecord({ ticker: symbol, company: `Company ${index} Inc.` })]);
  }
  const article = { heading: "", content: "The CEO of QQQ said that ALL is well. ".repeat(size) };
  expect(findConcernedTickers(article, { mentions: [] }, listed)).toEqual([]);
}

const readContent = (content: string) =>
  readArticle(
    {
      source: "businesswire",
      url: "https://wire.example/1",
      heading: "Acme Holders Vote",
      content,
      published: day("2026-03-02"),
    },
    new Map(),
    0,
  );

describe("readArticle", () => {
  it("keeps the range of a release before a split, from the sentence that states it", () => {
    const sentence = "The board may effect the reverse stock split at a ratio between 1-for-5 and 1-for-30.";
    const { kind, range } = readContent(`Acme (NYSE: ACME) stockholders approved the reverse stock split. ${sentence}`);
    expect({ kind, range }).toEqual({
      kind: "ratio_range",
      range: {
        bounds: [
          { newShares: 1, oldShares: 5 },
          { newShares: 1, oldShares: 30 },
        ],
        sentence,
      },
    });
  });

  it("keeps no range of an announced split", () => {
    const content =
      "Acme (NYSE: ACME) announced a 1-for-20 reverse stock split, effective March 12, 2026. Stockholders had approved a ratio between 1-for-5 and 1-for-30.";
    expect(readContent(content)).not.toHaveProperty("range");
  });
});
