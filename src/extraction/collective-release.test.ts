import { describe, expect, it } from "vitest";
import {
  VENTURE_SENTENCES,
  type VentureTerms,
  ventureBlock,
  ventureHtml,
} from "../../test/support/venture-bulletins.ts";
import { ratioCode } from "../domain/split/ratio.ts";
import { extractFacts } from "./extract.ts";

const SEPARATOR = "________________________________________";
const HEADING = "TSX Venture Exchange Stock Maintenance Bulletins";
const [RATIO = "", EX_DATE = ""] = VENTURE_SENTENCES;

const POLICY = [
  "BULLETIN TYPE: Notice to Issuers",
  "BULLETIN DATE: March 2, 2026",
  "The policy on share consolidations of 10:1 is amended on March 5, 2026.",
];
const PLACEMENT: VentureTerms = {
  company: "TARNBECK RESOURCES INC.",
  symbol: "TBK",
  formerly: null,
  type: "Private Placement-Non-Brokered",
  sentences: [
    "The Exchange has accepted 5,000,000 post-consolidation shares at $0.10, one warrant for two shares, until March 9, 2026.",
  ],
  labels: [],
};
const RENAMED: VentureTerms = {
  company: "BRACKENRIG METALS CORP.",
  symbol: "BRM",
  formerly: '[formerly Ullock Gold Inc. ("ULG")]',
  type: "Name Change",
  sentences: [
    "The Company has changed its name. There is no consolidation of capital.",
    EX_DATE.replace("March 6", "March 6"),
  ],
};
const SECOND: VentureTerms = {
  company: "SALTBURN ENERGY LTD.",
  symbol: "SBE",
  formerly: null,
  type: "Consolidation",
  sentences: [
    RATIO.replace("a ten (10) old for one (1) new", "a 5 old for 1 new"),
    "Effective at the opening on Monday, March 9, 2026, the common shares of Saltburn Energy Ltd. will commence trading on TSX Venture Exchange on a consolidated basis.",
  ],
  labels: [],
};
const RESCINDED: VentureTerms = {
  company: "GRASMOOR LITHIUM CORP.",
  symbol: "GRSM",
  formerly: null,
  type: "Rescind Bulletin",
  sentences: ["Further to the bulletin dated February 27, 2026, the consolidation of the Company will not proceed."],
  labels: [],
};

function release(...blocks: readonly (VentureTerms | readonly string[])[]): string {
  const texts = blocks.map((block) => ("length" in block ? block : ventureBlock(block)).join("\n"));
  return `VANCOUVER, BC, March 2, 2026 /CNW/ -\n\nTSX VENTURE COMPANIES\n\n${texts.join(`\n${SEPARATOR}\n\n`)}`;
}

function splitsIn(content: string, heading = HEADING): readonly string[] {
  return extractFacts({ heading, content }).splits.map(
    ({ ticker, exchange, company, ratio, exDate }) =>
      `${exchange}:${ticker} ${company} ${ratio && ratioCode(ratio)} ${exDate}`,
  );
}

const FIRST_SPLIT = "TSXV:WMG Harrow Lithium Corp. 1:10 2026-03-06";
const SECOND_SPLIT = "TSXV:SBE Saltburn Energy Ltd. 1:5 2026-03-09";

describe("a collective release of the TSX Venture Exchange", () => {
  it("announces a split for each block with a consolidation, and none for the others", () => {
    const content = release(POLICY, PLACEMENT, {}, RENAMED, SECOND, RESCINDED);
    expect(splitsIn(content)).toEqual([FIRST_SPLIT, SECOND_SPLIT]);
    const facts = extractFacts({ heading: HEADING, content });
    expect(facts).toMatchObject({
      kind: "reverse_split",
      security: { ticker: null, exchange: null, company: null },
      fraction: null,
      announced: "2026-03-02",
    });
    expect(facts.mentions.map(({ ticker }) => ticker)).toEqual(["WMG", "HRWL", "SBE"]);
    expect(facts.splits[0]).toMatchObject({
      newCusip: "41550X104",
      evidence: { ratio: expect.stringContaining("ten (10) old"), announced: "BULLETIN DATE: March 2, 2026" },
    });
  });

  it.each([
    ["HTML", (content: string) => ventureHtml(content.split("\n"))],
    ["another heading", (content: string) => content],
    ["the words of one line", (content: string) => content.replaceAll("\n\n", "\n")],
    ["curly quotes", (content: string) => content.replace(/"([A-Z]+)"/g, "“$1”")],
    ["CRLF", (content: string) => content.replaceAll("\n", "\r\n")],
  ])("is read in the form of %s", (name, change) => {
    const heading = name === "another heading" ? "" : HEADING;
    expect(splitsIn(change(release(PLACEMENT, {}, SECOND)), heading)).toEqual([FIRST_SPLIT, SECOND_SPLIT]);
  });

  it("states the terms of its only split as those of the release", () => {
    const { security } = extractFacts({ heading: HEADING, content: release(PLACEMENT, SECOND) });
    expect(security).toEqual({ ticker: "SBE", exchange: "TSXV", company: "Saltburn Energy Ltd." });
  });

  it("may be a single bulletin, whose heading names the company", () => {
    const [heading = "", ...lines] = ventureBlock();
    expect(splitsIn(lines.join("\n"), heading)).toEqual([FIRST_SPLIT]);
  });

  it("withdraws a split if no block announces one", () => {
    const facts = extractFacts({ heading: HEADING, content: release(PLACEMENT, RESCINDED) });
    expect(facts).toMatchObject({ kind: "cancelled", splits: [{ ticker: "GRSM", exchange: "TSXV", exDate: null }] });
  });

  it("is about no split without a consolidation", () => {
    const facts = extractFacts({ heading: HEADING, content: release(POLICY, PLACEMENT, RENAMED) });
    expect(facts).toMatchObject({ kind: "other", splits: [], mentions: [] });
  });
});
