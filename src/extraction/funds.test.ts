import { describe, expect, it } from "vitest";
import { sentencesOf } from "../../test/support/sentences.ts";
import { growthFactor, HOSTILE_QUARTER } from "../../test/support/timing.ts";
import { ratioCode } from "../domain/split/ratio.ts";
import type { Day } from "../domain/time/day.ts";
import { extractFacts } from "./extract.ts";
import { findFundSplits, matchesSponsorRule, SPONSOR_RULES } from "./funds.ts";

function read(body: string, heading = "Ridge Funds Announces Reverse Splits of Its ETFs") {
  const funds = findFundSplits(sentencesOf({ heading, content: body }));
  return funds.map(({ ticker, ratio, newCusip }) => [ticker, ratio && ratioCode(ratio), newCusip].join(" ").trim());
}

const TWO_TABLES = [
  "After the close on June 5, 2026, each Fund will effect a reverse split as follows:",
  "Fund Name\tReverse Split Ratio\tApproximate decrease in shares",
  "Ridge Daily Copper Bear 2X Shares\t1 for 10\t90%",
  "Ridge Daily Junior Copper Bear 2X Shares\t1 for 20\t95%",
  "Ridge Daily Timber Bull 3X Shares\t1 for 10\t90%",
  "Please note the CUSIP changes, effective June 8, 2026:",
  "Fund Name\tTicker\tCurrent CUSIP\tNew CUSIP",
  "Ridge Daily Copper Bear 2X Shares\tRCOP\t11111G880\t11111A478",
  "Ridge Daily Junior Copper Bear 2X Shares\tRJCO\t11111G393\t11111A494",
  "Ridge Daily Timber Bull 3X Shares\tRTIM\t11111G666\t11111A486",
  "As a result, every ten or twenty shares, as applicable, will be exchanged for one share.",
].join("\n");

const THREE = ["RCOP 1:10 11111A478", "RJCO 1:20 11111A494", "RTIM 1:10 11111A486"];

describe("findFundSplits", () => {
  it.each([
    ["by tabs", TWO_TABLES],
    ["by blank lines", TWO_TABLES.replaceAll(/[\t\n]/g, "\n\n")],
    ["by single line breaks", TWO_TABLES.replaceAll("\t", "\n")],
    ["by pipes", TWO_TABLES.replaceAll("\t", " | ").replaceAll("\n", "\n| ")],
    ["by nothing but blanks", TWO_TABLES.replaceAll(/\s+/g, " ")],
    ["with U+2011 hyphens and other signs", TWO_TABLES.replaceAll(" for ", "‑for‑")],
    ["in colons", TWO_TABLES.replaceAll("1 for ", "1:")],
  ])("pairs tickers and ratios by fund name, with cells separated %s", (_, text) => {
    expect(read(text)).toEqual(THREE);
  });

  it("pairs rows in a different order", () => {
    const lines = TWO_TABLES.split("\n");
    const turned = [...lines.slice(0, 7), ...lines.slice(7, 10).toReversed(), ...lines.slice(10)].join("\n");
    expect(read(turned).toSorted()).toEqual(THREE);
  });

  it.each([
    ["tabs", "\t"],
    ["pipes", " | "],
    ["blank lines", "\n\n"],
    ["spaces", " "],
  ])("pairs ticker and ratio in one row, separated by %s", (_, by) => {
    const rows = [
      ["Ticker", "ProRidge ETF", "Split Ratio", "Old CUSIP", "New CUSIP"],
      ["RVOL", "ProRidge Ultra Volatility ETF", "1:5", "22222Y771", "22222Y755"],
      ["RSHQ", "ProRidge UltraPro Short Hundred", "1:10", "22222B887", "22222G721"],
    ];
    const text = `The following funds will reverse split:\n\n${rows.map((row) => row.join(by)).join("\n\n")}\n\nNo fees are due.`;
    expect(read(text)).toEqual(["RVOL 1:5 22222Y755", "RSHQ 1:10 22222G721"]);
  });

  it.each([
    "The Ridge Copper ETF (NYSE Arca: RCOP) will reverse split 1-for-8, and the Ridge Tin ETF (NYSE Arca: RTIN) 1-for-4.",
    "It announces a 1-for-8 reverse split of the Ridge Copper ETF (RCOP) and a 1-for-4 reverse split of the Ridge Tin ETF (RTIN).",
    "Two others split forward. The Ridge Copper ETF (RCOP) will be reverse split on a 1-for-8 basis, and the Ridge Tin ETF (RTIN) will be reverse split on a 1-for-4 basis.",
    "Reverse splits:\n\n• Ridge Copper ETF (Ticker: RCOP) – 1-for-8\n\n• Ridge Tin ETF (Ticker: RTIN) – one-for-four",
  ])("pairs ticker and ratio in a sentence or list: %s", (text) => {
    expect(read(text)).toEqual(["RCOP 1:8", "RTIN 1:4"]);
  });

  it("applies the only ratio to all funds", () => {
    const text =
      "It announces a 1-for-8 reverse split of the Ridge Copper ETF (RCOP), the Ridge Tin ETF (RTIN) and the Ridge Zinc ETF (RZIN).";
    expect(read(text)).toEqual(["RCOP 1:8", "RTIN 1:8", "RZIN 1:8"]);
    const apart =
      "Each Fund will effect a one-for-eight reverse split on June 5.\n\nFund Name\tTicker\n\nRidge Copper ETF\tRCOP\n\nRidge Tin ETF\tRTIN\n\nNo fees are due.";
    expect(read(apart)).toEqual(["RCOP 1:8", "RTIN 1:8"]);
  });

  it("selects the new CUSIP by its column heading", () => {
    const text =
      "The reverse splits:\n\nTicker\tFund Name\tRatio\tNew CUSIP\tOld CUSIP\n\nRCOP\tRidge Copper ETF\t1:8\t11111A478\t11111G880\n\nIt is all.";
    expect(read(text)).toEqual(["RCOP 1:8 11111A478"]);
  });
});

describe("forward splits of funds", () => {
  it("are omitted by the heading of their table", () => {
    const text = [
      "Forward Splits",
      "RGLD\tRidge Gold Bull 2X Shares\t2:1\t33333A111\t33333A112",
      "They trade on June 8.",
      "Reverse Splits",
      "RCOP\tRidge Copper Bear 2X Shares\t1:4\t33333A221\t33333A222",
      "They trade on June 9.",
    ].join("\n\n");
    expect(read(text, "Ridge Announces Forward and Reverse Splits of ETFs")).toEqual(["RCOP 1:4 33333A222"]);
  });

  it("are omitted from a mixed table by the order of the numbers or the word beside them", () => {
    const text = [
      "The funds will execute forward and reverse splits as follows:",
      "RGLD\tRidge Gold Bull 2X Shares\t2 for 1",
      "RCOP\tRidge Copper Bear 2X Shares\t1 for 4",
      "RTIN\tRidge Tin Bear 2X Shares\t10:1 reverse",
      "RZIN\tRidge Zinc Bull 2X Shares\t3:1 forward",
      "They trade on June 9.",
    ].join("\n\n");
    expect(read(text, "Ridge Announces Splits of ETFs")).toEqual(["RCOP 1:4", "RTIN 1:10"]);
  });
});

describe("a fund without a name in its table", () => {
  const text =
    "It will split one of its ETFs in reverse.\n\nTicker | Ratio\n\nRCOP |\n\n1 for 25 |\n\nThey trade on June 9.";

  it("is found by the ticker in the heading", () => {
    expect(read(text, "Ridge Announces Reverse Split of RCOP")).toEqual(["RCOP 1:25"]);
    expect(read(text, "Ridge Announces Reverse Split")).toEqual([]);
  });
});

function readNamed(body: string, heading = "Ridge announces reverse share splits for three leveraged ETFs") {
  const funds = findFundSplits(sentencesOf({ heading, content: body }));
  return funds.map(({ ticker, name, ratio }) => [ticker, name, ratio && ratioCode(ratio)].join(" ").trim());
}

describe("funds that are named without tickers", () => {
  const NAMES = [
    "Ridge Daily S&P Tin Bear 3X Shares",
    "Ridge Gold & Silver UltraShort ETF",
    "Ridge Zinc Index Bull 2X Fund",
  ];
  const [TIN, GOLD, ZINC] = NAMES as [string, string, string];
  const ALL = [`${TIN} 1:4`, `${GOLD} 1:5`, `${ZINC} 1:5`];

  it.each([
    [
      "after its ratio",
      `Ridge will execute a one-for-four reverse split of the ${TIN}. It will also execute a 1-for-5 reverse split of the ${GOLD} and ${ZINC}.`,
    ],
    [
      "before its ratio in brackets",
      `The reverse share splits apply to the ${TIN} (1 for 4), ${GOLD} (1 for 5), and ${ZINC} (1 for 5).`,
    ],
    [
      "before its ratio in words",
      `The ${TIN} will reverse split at one for four, while the ${GOLD} and the ${ZINC} will reverse split at one for five.`,
    ],
    [
      "in a list below its ratio",
      `The following ETF will reverse split shares 1-for-4:\n\n${TIN}\n\nThe following two ETFs will reverse split shares 1-for-5:\n\n${GOLD}\n\n${ZINC}`,
    ],
    [
      "in a list with bullets",
      `Reverse splits at 1:4:\n\n• ${TIN}\n\nReverse splits at 1:5:\n\n• ${GOLD}\n\n• ${ZINC}`,
    ],
    [
      "in a list of items with their ratios",
      `The funds and their ratios:\n\n${TIN} – 1-for-4\n\n${GOLD} – 1-for-5\n\n${ZINC} – 1-for-5`,
    ],
    ["in a table", `Fund Name\tReverse Split Ratio\n${TIN}\t1:4\n${GOLD}\t1:5\n${ZINC}\t1:5`],
    [
      "beside a forward split",
      `Ridge executes forward and reverse splits. It will execute a 1-for-4 reverse split of the ${TIN} and a 1-for-5 reverse split of the ${GOLD} and ${ZINC}. Ridge will also execute a 2-for-1 forward split of the Ridge Copper Bull 3X Shares.`,
    ],
  ])("have a split each: %s", (_, text) => {
    expect(readNamed(text)).toEqual(ALL);
  });

  it("are found by their tickers in the place of names", () => {
    const text =
      "Ridge announced that RCOP will reverse split 1-for-12 and RTIN will undergo a 1-for-5 reverse split. Both ETFs trade on Cboe.";
    expect(read(text, "Ridge announces reverse splits for RCOP and RTIN")).toEqual(["RCOP 1:12", "RTIN 1:5"]);
  });

  it("share the only ratio", () => {
    const text = `Ridge announced 1-for-4 reverse splits of the ${TIN} and the ${GOLD}. The Ridge Copper Bull ETF is its largest one.`;
    expect(readNamed(text)).toEqual([`${TIN} 1:4`, `${GOLD} 1:4`]);
  });

  it("are records of the release with its day and exchange", () => {
    const text = `NEW YORK, May 4, 2026 /PRNewswire/ -- Ridge will execute a one-for-four reverse split of the ${TIN} and a one-for-five reverse split of the ${GOLD}. Shares of the funds will begin trading on NYSE Arca on a split-adjusted basis on June 8, 2026.`;
    const { kind, splits } = extractFacts({
      heading: "Ridge announces forward and reverse splits of ETFs",
      content: text,
    });
    expect(kind).toBe("reverse_split");
    expect(splits.map((split) => [split.ticker, split.company, split.exchange, split.exDate])).toEqual([
      [null, TIN, "NYSEARCA", "2026-06-08"],
      [null, GOLD, "NYSEARCA", "2026-06-08"],
    ]);
  });

  it("don't replace the share classes of a company", () => {
    const text =
      "Acme Inc. (NASDAQ: ACME) will effect a 1-for-10 reverse split of its Class A Ordinary Shares and American Depositary Shares to fund its growth. Its ETF customers are informed.";
    expect(readNamed(text, "Acme Announces Reverse Split")).toEqual([]);
  });
});

describe("names of funds", () => {
  const LEVERAGED = "Ridge Copper -3X Inverse Leveraged ETNs due June 28, 2041";
  it.each([
    [
      "a factor with a sign",
      `| ${LEVERAGED} | RCOP | 1-for-20 | 11111A478 |`,
      "RCOP Ridge Copper -3X Inverse Leveraged ETNs 1:20",
    ],
    [
      "a factor with a multiplication sign",
      "| Ridge Copper -3× Inverse ETN | RCOP | 1-for-20 | 11111A478 |",
      "RCOP Ridge Copper -3× Inverse ETN 1:20",
    ],
    [
      "a short date before it",
      "Effective Nov. 18, the Ridge Copper ETF (RCOP) will be split on a 1-for-20 basis.",
      "RCOP Ridge Copper ETF 1:20",
    ],
    [
      "a date without its year before it",
      "On 18 November and December 2 the Ridge Copper ETF (RCOP) will reverse split 1-for-20.",
      "RCOP Ridge Copper ETF 1:20",
    ],
  ])("are read whole: %s", (_, text, fund) => {
    expect(readNamed(`The splits are listed below.\n\n${text}`)).toEqual([fund]);
  });

  it.each([
    "Ridge Group Announces Reverse Stock Split for Ridge Daily Target 2X Long Copper ETF (Ticker: RCOP)",
    "Ridge Group Announces a Reverse Share Split of Ridge Daily Target 2X Long Copper ETF",
    "Ridge Group, LLC: Unit Consolidation of the Ridge Daily Target 2X Long Copper ETF (RCOP)",
  ])("begin after the split in a heading: %s", (heading) => {
    const content =
      "BOISE, May 4, 2026 (GLOBE NEWSWIRE) -- Ridge Group today announced a reverse split for the Ridge Daily Target 2X Long Copper ETF (RCOP) at a ratio of 1-for-20. Shares of RCOP will begin trading on a split-adjusted basis on May 11, 2026.";
    const { splits } = extractFacts({ heading, content });
    expect(splits.map(({ ticker, company }) => [ticker, company])).toEqual([
      ["RCOP", "Ridge Daily Target 2X Long Copper ETF"],
    ]);
  });

  it.each(["--", "- ", "• ", "* ", "– "])("begin after the mark of a list: %s", (mark) => {
    const list = `${mark}Ridge Copper Bear 3x Shares (NYSEArca: RCOP)\n${mark}Ridge Timber Bear 3x Shares (NYSEArca: RTIM)`;
    expect(readNamed(`Ridge plans a 1-for-5 reverse split of two ETFs.\n\nThey are as follows:\n\n${list}`)).toEqual([
      "RCOP Ridge Copper Bear 3x Shares 1:5",
      "RTIM Ridge Timber Bear 3x Shares 1:5",
    ]);
  });

  it("replace the sponsor's in a release about one of them", () => {
    const content =
      "BOISE, May 4, 2026 (GLOBE NEWSWIRE) -- Ridge Fund Managers Inc. will consolidate the units of one fund.\n\nETF Name\n\nTicker\n\nConsolidation Ratio\n\nRidge Copper Bear ETF\n\nRCOP\n\n1:10\n\nIt trades on a post-consolidated basis on May 11, 2026.";
    const { splits } = extractFacts({ heading: "Ridge Fund Managers Announces ETF Consolidation", content });
    expect(splits.map(({ ticker, company }) => [ticker, company])).toEqual([["RCOP", "Ridge Copper Bear ETF"]]);
  });
});

describe("tickers of funds", () => {
  it.each([
    ["with that of the units in another currency", "RCOP / RCOP.U"],
    ["with that of the units in another currency, after a comma", "RCOP, RCOP.U"],
    ["alone", "RCOP"],
  ])("are read in a cell: %s", (_, cell) => {
    const text = `ETF Name\n\nTicker\n\nRatio\n\nRidge Copper Bear ETF\n\n${cell}\n\n1:10\n\nRidge Tin Bear ETF\n\nRTIN\n\n1:5`;
    expect(read(text)).toEqual(["RCOP 1:10", "RTIN 1:5"]);
  });

  it.each(["1:5", "1 : 5", "1-for-5", "1 for 5"])(
    "are read before a ratio at the end of a row without separators: %s",
    (ratio) => {
      const text = `The units are consolidated:\n\nETF Ticker Ratio\nRidge Copper Bear ETF RCOP ${ratio}\nRidge Tin Bear Fund RTIN 1:4\n\nNo fees are due.`;
      expect(read(text.replaceAll("\n", "\n\n"))).toEqual(["RCOP 1:5", "RTIN 1:4"]);
    },
  );

  it.each([
    "The splits will see RCOP, RTIN, and RZIN undergo a 1-for-10 split, while RLED will experience a more drastic 1-for-20 split.",
    "RCOP, RTIN and RZIN each undergo a 1-for-10 reverse split, and RLED will have a 1-for-20 reverse split.",
    "RCOP, RTIN & RZIN are scheduled to execute a 1-for-10 reverse split; RLED is to be split 1-for-20.",
  ])("share the ratio of their list: %s", (text) => {
    const names =
      "The funds are Ridge Copper ETF (RCOP), Ridge Tin ETF (RTIN), Ridge Zinc ETF (RZIN) and Ridge Lead ETF (RLED).";
    expect(read(`${names} ${text}`)).toEqual(["RCOP 1:10", "RTIN 1:10", "RZIN 1:10", "RLED 1:20"]);
  });
});

describe("a second table of the same funds", () => {
  const ratios = "Ridge Copper Bear 2X Shares\n|\n1 for 10\n|\nRidge Tin Bear 2X Shares\n|\n1 for 5\n|";
  const cusips =
    "Fund Name\n|\nCurrent CUSIP\n|\nNew CUSIP\n|\nRidge Copper Bear 2X Shares\n|\n11111G880\n|\n11111A478\n|\nRidge Tin Bear 2X Shares\n|\n11111G393\n|\n11111A494\n|";

  it.each([
    ["below", `Fund Name\n|\nReverse Split Ratio\n|\n${ratios}\n${cusips}`],
    ["above", `${cusips}\nFund Name\n|\nReverse Split Ratio\n|\n${ratios}`],
  ])("gives their new CUSIPs: %s", (_, text) => {
    const funds = findFundSplits(sentencesOf({ heading: "Ridge ETF Trust Announces Reverse Splits", content: text }));
    expect(funds.map(({ name, ratio, newCusip }) => [name, ratio && ratioCode(ratio), newCusip])).toEqual([
      ["Ridge Copper Bear 2X Shares", "1:10", "11111A478"],
      ["Ridge Tin Bear 2X Shares", "1:5", "11111A494"],
    ]);
  });
});

describe("a release whose first table is about forward splits", () => {
  it("announces the reverse splits of its second table", () => {
    const content =
      "Ridge announced today forward and reverse share splits on four of its ETFs.\n\nForward Splits\n\nTicker\n\nRidge ETF\n\nSplit Ratio\n\nRGLD\n\nRidge Ultra Gold ETF\n\n2:1\n\nThe forward splits will be effective on June 4, 2026.\n\nReverse Splits - Phase 1\n\nTwo ETFs will reverse split shares at the following split ratios:\n\nTicker\n\nRidge ETF\n\nSplit Ratio\n\nRCOP\n\nRidge Short Copper ETF\n\n1:2\n\nRTIN\n\nRidge Short Tin ETF\n\n1:5";
    const { kind, splits } = extractFacts({
      heading: "Ridge Announces ETF Share Splits",
      content,
      published: "2026-05-22" as Day,
    });
    expect(kind).toBe("reverse_split");
    expect(splits.map(({ ticker, ratio }) => [ticker, ratio && ratioCode(ratio)])).toEqual([
      ["RCOP", "1:2"],
      ["RTIN", "1:5"],
    ]);
  });
});

describe("the code of a stock in the quotes above a release", () => {
  it.each(["WKN: 722713", "ISIN: US5949724083", "SEDOL: 2297907"])("is not a ticker: %s", (code) => {
    const content = `${code} | Ticker-Symbol: HMIL\nExchange\n25.11.25 | 16:35\n148,35 Euro\n\nBOISE, November 25, 2025 -- Ridge Funds today announced a reverse share split.\n\nFund Name\n\nTicker\n\nSplit Ratio\n\nRidge 2X Long Copper ETF\n\nRCOP\n\n1-for-10`;
    const { splits } = extractFacts({ heading: "Ridge Funds Announces a Reverse Split of Its Copper ETF", content });
    expect(splits.map(({ ticker, ratio }) => [ticker, ratio?.oldShares])).toEqual([["RCOP", 10]]);
  });
});

describe("a short name in quotes", () => {
  it("is not a ticker", () => {
    const advice =
      'Ridge Clearing Corporation ("RCC") has been advised that ProRidge UltraShort Timber (RTMB) has announced a 1-for-5 reverse split.';
    expect(read(advice, "Split of an ETF")).toEqual(["RTMB 1:5"]);
  });
});

describe("a release that is not about funds", () => {
  it.each([
    "Acme Inc. (NASDAQ: ACME) (OTC: ACMEW) will effect a 1-for-10 reverse stock split to fund its growth.",
    "FORT WAYNE, May 4 - Acme Inc. (CSE: ACME) announces a 1-for-10 reverse split. It will use the funds well.",
  ])("has no fund splits: %s", (text) => {
    expect(read(text, "Acme Announces Reverse Split")).toEqual([]);
  });
});

describe("hostile text", () => {
  it.each([
    ["tickers", ["Ridge Copper ETF (RCOP) "]],
    ["ratios", ["Ridge Copper ETF 1:10 "]],
    ["rows", ["Ridge Copper ETF\t1:10\tRCOP\t11111A478\n\n"]],
    ["two tables", ["Ridge Copper ETF\t1:10\n\n", "Ridge Copper ETF\tRCOP\n\n"]],
    ["capitals", ["ABCDE\t"]],
    ["cells", ["a\t"]],
  ])("takes linear time: %s", async (_, pieces) => {
    const readPieces = (size: number): void => {
      const parts = pieces.map((piece) => piece.repeat(Math.ceil(size / pieces.length / piece.length)));
      read(`ETF reverse split\n\n${parts.join("")}`);
    };
    expect(await growthFactor(readPieces, HOSTILE_QUARTER)).toBeLessThan(8);
  });
});

function around(example: string): { readonly before: string; readonly after: string } {
  const [before = "", after = ""] = example.split(/\([^)]*\)/);
  return { before, after };
}

function isSponsor(example: string): boolean {
  return SPONSOR_RULES.some((rule) => matchesSponsorRule(rule, around(example)));
}

describe("sponsor rules", () => {
  it.each(SPONSOR_RULES)("match their own example: $name", (rule) => {
    expect(matchesSponsorRule(rule, around(rule.example))).toBe(true);
  });

  it.each([
    "Ridge Daily Copper Bear 2X ETF (NYSE: RCOP) will be split",
    "Ridge Daily Copper Bear 2X ETF (NYSE: RCOP) announced",
    "Ridge Copper Notes (NYSE: RCOP) and their issuer, Harbor Bank,",
    "Ridge Copper Notes (NYSE: RCOP), a product of the sponsor",
  ])("do not match a fund: %s", (text) => {
    expect(isSponsor(text)).toBe(false);
  });
});

describe("extractFacts, of a table of effective dates", () => {
  const table =
    "| Ticker | ETF Name | Effective Date | Reverse Split Ratio |\n\n| PKBR | Peak Bear ETF | June 9, 2026 | 1:10 |\n\n| PKBL | Peak Bull ETF | June 13, 2026 | 1:20 |";

  function exDatesOf(text: string): readonly unknown[] {
    const content = `BOISE, June 1, 2026 (GLOBE NEWSWIRE) -- Peak Funds announced reverse splits of two ETFs. ${text}\n\n${table}`;
    const { splits } = extractFacts({ heading: "Peak Funds Announces Reverse Splits of ETFs", content });
    return splits.map(({ exDate, exDateBasis }) => [exDate, exDateBasis]);
  }

  it.each([
    ["The splits take effect on the dates below.", "2026-06-09", "2026-06-15"],
    ["The splits take effect after the close of the markets on the dates below.", "2026-06-10", "2026-06-15"],
  ])("marks the day, or the next trading day: %s", (text, first, second) => {
    expect(exDatesOf(text)).toEqual([
      [first, "effective"],
      [second, "effective"],
    ]);
  });

  it("yields to the first trading day of all funds", () => {
    expect(exDatesOf("All funds begin trading on a split-adjusted basis on June 10, 2026.")).toEqual([
      ["2026-06-10", "trading"],
      ["2026-06-10", "trading"],
    ]);
  });
});
