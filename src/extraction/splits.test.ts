import { describe, expect, it } from "vitest";
import { day } from "../../test/support/builders.ts";
import { ratioCode } from "../domain/split/ratio.ts";
import { extractFacts } from "./extract.ts";

const HEADING = "Harbor Mills Announces Reverse Stock Split";

function read(content: string, heading = HEADING) {
  return extractFacts({ heading, content: `BOISE, May 4, 2026 -- ${content}` });
}

function shareIn(content: string): string {
  const { ticker, exchange } = read(content).security;
  return `${ticker}@${exchange}`;
}

describe("the share that a release is about", () => {
  it.each([
    ["named first", "Harbor Mills (NASDAQ: HMIL), a subsidiary of Tide Corp (NYSE: TDE), announced", "HMIL@NASDAQ"],
    ["not its warrants", "Harbor Mills (NASDAQ: HMILW; HMIL) announced", "HMIL@NASDAQ"],
    ["not its units", "Harbor Mills (NYSE: HMIL.U) (NYSE: HMIL) announced", "HMIL@NYSE"],
    ["not its preferred shares", "Harbor Mills (NYSE: HMIL-PA, HMIL) announced", "HMIL@NYSE"],
    ["not its interim symbol", "Harbor Mills (OTCQB: HMILD), later again (OTCQB: HMIL), announced", "HMIL@OTC"],
    ["the first of two listings", "Harbor Mills (CSE: HML) (OTCQB: HMLFF) announced", "HML@CSE"],
    ["a tag, not a mistyped symbol", "Harbor (NASDAQ: HMIL) trades under the symbol “HMLI”", "HMIL@NASDAQ"],
    ["without a tag", "Its stock trades on the Nasdaq Capital Market under the symbol “HMIL”", "HMIL@NASDAQ"],
    ["on the one exchange named", "Harbor Mills, $HMIL, is listed on the NYSE", "HMIL@NYSE"],
    ["on none of two", "Harbor Mills, $HMIL, moved from Nasdaq to the OTCQB", "HMIL@null"],
    ["on NYSE American, tagged as NYSE", "Harbor (NYSE: HMIL) trades on the NYSE American", "HMIL@NYSEAMERICAN"],
    [
      "on the NYSE itself",
      "Harbor (NYSE: HMIL), once on NYSE American, is on the New York Stock Exchange",
      "HMIL@NYSE",
    ],
    ["not on a planned exchange", "Harbor Mills, $HMIL, intends to list its shares on Nasdaq", "HMIL@null"],
    [
      "not on an exchange that it applied to",
      "$HMIL trades on the OTCQB. It has applied to uplist to the NYSE American",
      "HMIL@OTC",
    ],
    ["on the exchange that it keeps", "$HMIL plans to keep its listing on Nasdaq", "HMIL@NASDAQ"],
    ["without any symbol", "Harbor Mills will announce more", "null@null"],
  ])("is %s", (_, text, share) => {
    expect(shareIn(text)).toBe(share);
  });
});

describe("findSplits", () => {
  const TERMS = "will effect a 1-for-12 reverse stock split. Trading on a split-adjusted basis begins on May 11, 2026.";

  it("returns one split with its terms", () => {
    expect(termsOf(`Harbor Mills (NASDAQ: HMIL) ${TERMS}`)).toEqual(["HMIL 1:12 2026-05-11"]);
  });

  it("returns one split per fund, with the ratio and CUSIP of its row", () => {
    const table = [
      "Peak Funds will execute reverse splits of two funds.",
      "| Fund | Ticker | Reverse Split Ratio | New CUSIP |",
      "| Peak Daily Bear 2X Shares | PKBR | 1 for 10 | 25460G807 |",
      "| Peak Daily Bull 3X Shares | PKBL | 1 for 20 | 35460G804 |",
      "Shares of the funds will begin trading on the NYSE Arca on a split-adjusted basis on May 11, 2026.",
    ];
    const { splits } = read(table.join("\n"), "Peak Funds Announces Reverse Splits of Two ETFs");
    expect(splits).toMatchObject([
      { ticker: "PKBR", exchange: "NYSEARCA", ratio: { oldShares: 10 }, exDate: "2026-05-11", newCusip: "25460G807" },
      { ticker: "PKBL", exchange: "NYSEARCA", ratio: { oldShares: 20 }, exDate: "2026-05-11", newCusip: "35460G804" },
    ]);
    expect(splits.map(({ company }) => company)).toEqual(["Peak Daily Bear 2X Shares", "Peak Daily Bull 3X Shares"]);
  });

  it("returns the fund, not its sponsor", () => {
    const sentence =
      "Harbor Bank (NYSE: HBK), the parent company of ETN sponsor Ridge, announced that the Ridge Copper Futures ETN (NYSE: RCOP) will undergo a 1-for-9 reverse split.";
    const { splits, evidence } = read(
      `${sentence} It will begin trading at its split-adjusted price on May 8, 2026.`,
      "Copper ETN Will Reverse Split",
    );
    expect(splits).toMatchObject([
      {
        ticker: "RCOP",
        exchange: "NYSE",
        exDate: "2026-05-08",
      },
    ]);
    expect(evidence.ticker).toBe(`BOISE, May 4, 2026 -- ${sentence}`);
  });

  it("returns no ratio where the table that assigns the ratios is missing", () => {
    const text =
      "Peak will split the Bear 2X and the Bull 3X Shares (the “Funds”) as follows: Every twenty or ten shares become one. 1-for-20 Reverse Split. Shares of the Funds will begin trading on a split-adjusted basis on May 11, 2026.";
    expect(read(text, "Peak Announces Reverse Splits of ETFs").splits.map(({ ratio }) => ratio)).toEqual([null]);
  });

  it("returns the new day of a postponed split", () => {
    const text =
      "Harbor Mills (NASDAQ: HMIL) postpones its 1-for-12 reverse stock split. Trading on a split-adjusted basis is now expected to begin on May 18, 2026 instead of May 11, 2026.";
    expect(read(text).kind).toBe("postponed");
    expect(termsOf(text)).toEqual(["HMIL 1:12 2026-05-18"]);
  });

  it("returns no day for a cancelled split", () => {
    const text = `Harbor Mills (NASDAQ: HMIL) has cancelled its 1-for-12 reverse stock split, which was to begin trading on a split-adjusted basis on May 11, 2026.`;
    expect(read(text)).toMatchObject({
      kind: "cancelled",
      splits: [{ ticker: "HMIL", ratio: { oldShares: 12 }, exDate: null }],
    });
  });

  it.each([
    ["an approval", "Stockholders approved a 1-for-12 reverse split, to be effected if the Board decides so."],
    ["a past split", "Results reflect the 1-for-12 reverse stock split of May 4, 2025."],
    ["a forward split", "Harbor Mills will effect a 12-for-1 forward stock split on May 11, 2026."],
    ["other news", "Harbor Mills opened a plant."],
  ])("returns none for %s", (_, text) => {
    expect(read(text, "News of Harbor Mills").splits).toEqual([]);
  });

  it("reports contradictions", () => {
    const facts = read(`Harbor Mills (NASDAQ: HMIL) ${TERMS} The reverse stock split will be at a ratio of 1-for-15.`);
    expect(facts.splits.map(({ ratio }) => ratio)).toEqual([null]);
    expect(facts.contradictions).toEqual(["ratio"]);
    expect(facts.evidence.ratio).toBeUndefined();
  });

  it("resolves a date without a year by the publication day", () => {
    const content =
      "Harbor Mills (NASDAQ: HMIL) will effect a 1-for-12 reverse stock split. Trading on a split-adjusted basis begins on January 5.";
    const exDates = (published: "2025-12-30" | "2026-12-30") =>
      extractFacts({ heading: HEADING, content, published: day(published) }).splits.map(({ exDate }) => exDate);
    expect(exDates("2025-12-30")).toEqual(["2026-01-05"]);
    expect(exDates("2026-12-30")).toEqual(["2027-01-05"]);
  });
});

function termsOf(content: string, heading?: string): readonly string[] {
  return read(content, heading).splits.map(
    ({ ticker, ratio, exDate }) => `${ticker} ${ratio && ratioCode(ratio)} ${exDate}`,
  );
}

it("quotes each fund's own bullet as evidence of its exchange", () => {
  const copper = "• Ridgeway Copper ETF (NYSE Arca: RCPE) – 1-for-10";
  const tin = "• Ridgeway Tin ETF (Nasdaq: RTNE) – 1-for-4";
  const { splits } = read(
    `Ridgeway Funds announced reverse splits of two ETFs:\n\n${copper}\n\n${tin}\n\nNo fees are due.`,
  );
  expect(splits.map(({ exchange, evidence }) => [exchange, evidence.exchange])).toEqual([
    ["NYSEARCA", copper],
    ["NASDAQ", tin],
  ]);
});
