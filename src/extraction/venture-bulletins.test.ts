import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growthFactor } from "../../test/support/timing.ts";
import { VENTURE_SENTENCES, type VentureTerms, ventureBlock } from "../../test/support/venture-bulletins.ts";
import { ratioCode } from "../domain/split/ratio.ts";
import { readVentureBulletins } from "./venture-bulletins.ts";

const SEPARATOR = "________________________________________";

interface Read {
  readonly tickers: readonly string[];
  readonly company: string | null;
  readonly issuedOn: string | null;
  readonly kind: string | null;
  readonly ratio: string | null;
  readonly exDate: string | null;
  readonly newCusip: string | null;
}

function read(text: string): readonly Read[] {
  return readVentureBulletins(text).map(({ tickers, company, issuedOn, consolidation }) => ({
    tickers,
    company,
    issuedOn,
    kind: consolidation?.kind ?? null,
    ratio: consolidation?.ratio ? ratioCode(consolidation.ratio) : null,
    exDate: consolidation?.exDate ?? null,
    newCusip: consolidation?.newCusip ?? null,
  }));
}

function readBlock(terms: VentureTerms = {}): Read | undefined {
  return read(ventureBlock(terms).join("\n"))[0];
}

const EXPECTED: Read = {
  tickers: ["WMG", "HRWL"],
  company: "Harrow Lithium Corp.",
  issuedOn: "2026-03-02",
  kind: "announced",
  ratio: "1:10",
  exDate: "2026-03-06",
  newCusip: "41550X104",
};

const [RATIO = "", EX_DATE = ""] = VENTURE_SENTENCES;
const RATIO_WORDS = "a ten (10) old for one (1) new basis";

describe("a bulletin of the TSX Venture Exchange", () => {
  it("states ratio, first trading day, CUSIP, and the former symbol before the new one", () => {
    expect(readBlock()).toEqual(EXPECTED);
  });

  it.each<[string, (text: string) => string]>([
    ["spaces in the labels", (text) => text.replaceAll("BULLETIN TYPE:", "BULLETIN  TYPE :")],
    ["labels in lower case", (text) => text.replaceAll("BULLETIN", "Bulletin").replaceAll("TYPE", "type")],
    ["no date", (text) => text.replace(/BULLETIN DATE.*\n/, "")],
    ["no tier", (text) => text.replace(/TSX Venture Tier.*\n/, "NEX Company\n")],
    ["curly quotes", (text) => text.replace(/"([A-Z]+)"/g, "“$1”")],
    ["no quotes", (text) => text.replace(/"([A-Z]+)"/g, "$1")],
    ["a bracket before the former name", (text) => text.replace("[formerly", "[(Formerly")],
    ["no brackets around the former name", (text) => text.replace(/\[(formerly.*)\]/, "$1")],
    ["line breaks within sentences", (text) => text.replaceAll(" for one", "\nfor one").replaceAll(" 2026", "\n2026")],
    ["no blank lines", (text) => text.replace(/\n\n+/g, "\n")],
    ["non-breaking spaces", (text) => text.replaceAll(" ", "\u00a0")],
    ["CRLF", (text) => text.replaceAll("\n", "\r\n")],
    ["labels in a table", (text) => text.replace(/^(Trading Symbol|CUSIP Number): (.*)$/gm, "| $1: | $2 |")],
    ["no labels", (text) => `${text.slice(0, text.indexOf("Transfer Agent"))}New CUSIP: 41550X 10 4`],
    ["a warrant beside the share", (text) => text.replace('("HRWL")', '("HRWL") ("HRWL.WT")')],
    ["navigation above it", (text) => `Home\nSearch\nBulletin Contents\nBULLETIN V2026-0412\n\n${text}`],
    ["its number before the name", (text) => `BULLETIN V2026-0412 ${text}`],
    [
      "its number on one line with name and type",
      (text) => `BULLETIN V2026-0412 ${text.replace(/\n(?=\[|BULL)/g, " ")}`,
    ],
    ["a separator and its number above it", (text) => `${SEPARATOR}\nBULLETIN V2026-0412\n\n${text}`],
    ["a sentence without a weekday", (text) => text.replaceAll("Friday, ", "")],
  ])("keeps its terms with %s", (name, change) => {
    const issuedOn = name === "no date" ? null : EXPECTED.issuedOn;
    expect(read(change(ventureBlock().join("\n")))).toEqual([{ ...EXPECTED, issuedOn }]);
  });

  it.each([
    ["a (10) ten old for (1) one new basis", "1:10"],
    ["a 10 old for 1 new basis", "1:10"],
    ["a 10-old-for-1-new basis", "1:10"],
    ["a 2.5 old for 1 new basis", "2:5"],
    ["a two and one-half (2.5) old for one (1) new basis", "2:5"],
    ["a 1,000 old for 1 new basis", "1:1000"],
    ["the basis of one (1) new for every ten (10) old common shares", "1:10"],
    ["the basis of ten (10) pre-consolidation shares for one (1) post-consolidation share", "1:10"],
    ["a 10:1 basis", "1:10"],
    ["a ten (12) old for one (1) new basis", null],
    ["a basis to be determined", null],
  ])("is read with the ratio on %s", (words, ratio) => {
    expect(readBlock({ sentences: [RATIO.replace(RATIO_WORDS, words), EX_DATE] })).toEqual({ ...EXPECTED, ratio });
  });

  it.each([
    [
      "Effective at market open on Friday, March 6, 2026, the shares will commence trading on a consolidated basis.",
      "2026-03-06",
    ],
    ["The shares will begin trading on a consolidated basis at the opening Friday, March 6, 2026.", "2026-03-06"],
    ["Commence Date: At the opening, March 6, 2026, the common shares will commence trading.", "2026-03-06"],
    ["Effective at the opening on Thursday, March 6, 2026, the common shares will commence trading.", null],
    ["Effective at the opening on March 7, 2026, the common shares will commence trading.", null],
    ["The shares will be delisted at the close of business on March 5, 2026.", null],
    ["Further to the bulletin dated February 27, 2026, the shares will commence trading.", null],
  ])("states the first trading day: %s", (sentence, exDate) => {
    expect(readBlock({ sentences: [RATIO, sentence] })?.exDate).toBe(exDate);
  });

  it("names the days that contradict each other, and states none of them", () => {
    const other = "The common shares will commence trading on a consolidated basis on March 9, 2026.";
    const [bulletin] = readVentureBulletins(
      ventureBlock({ sentences: [RATIO, other, other.replace("9", "10")] }).join("\n"),
    );
    expect(bulletin?.consolidation).toMatchObject({ exDate: null, evidence: { exDate: other } });
  });

  it.each<[string, VentureTerms]>([
    [
      "a change of name without one",
      {
        type: "Name Change",
        sentences: ["The Company has changed its name. There is no consolidation of capital.", EX_DATE],
      },
    ],
    ["a denial in the type", { type: "Name Change, no consolidation", sentences: [EX_DATE] }],
    [
      "a forward split",
      {
        type: "Stock Split",
        sentences: ["The shares are subdivided on a one (1) old for three (3) new basis.", EX_DATE],
      },
    ],
    [
      "a private placement",
      {
        type: "Private Placement-Non-Brokered",
        sentences: ["The Exchange accepted 5,000,000 post-consolidation shares at $0.10."],
      },
    ],
    ["a halt", { type: "Halt", sentences: ["Trading is halted at the request of the Company."] }],
    [
      "an earlier consolidation",
      {
        type: "Resume Trading",
        sentences: ["The Company previously consolidated its capital on a ten old for one new basis.", EX_DATE],
      },
    ],
    [
      "a change of the name after a consolidation",
      {
        type: "Name Change",
        sentences: [
          "Further to the completion of the consolidation on January 9, 2026 on a ten (10) old for one (1) new basis, the Company has changed its name.",
          EX_DATE,
        ],
      },
    ],
  ])("is no consolidation: %s", (_, terms) => {
    expect(readBlock(terms)).toMatchObject({ tickers: ["WMG", "HRWL"], kind: null, ratio: null, exDate: null });
  });

  it.each<[string, VentureTerms, Partial<Read>]>([
    [
      "rescinds the bulletin",
      { sentences: ["The bulletin dated March 2, 2026 is rescinded."] },
      { kind: "cancelled", exDate: null },
    ],
    [
      "says that it will not proceed",
      { sentences: ["The consolidation of the Company will not proceed."] },
      { kind: "cancelled" },
    ],
    ["cancels it in its type", { type: "Consolidation - Cancelled", sentences: ["See above."] }, { kind: "cancelled" }],
    [
      "postpones it",
      { sentences: ["The consolidation has been postponed until further notice."] },
      { kind: "postponed", exDate: null },
    ],
    [
      "moves it",
      {
        sentences: ["The consolidation has been postponed.", EX_DATE.replaceAll("Friday, March 6", "Monday, March 9")],
      },
      { kind: "postponed", exDate: "2026-03-09" },
    ],
    [
      "cancels open orders",
      { sentences: [...VENTURE_SENTENCES, "Upon the consolidation, open orders will be cancelled."] },
      { kind: "announced" },
    ],
    [
      "replaces another bulletin",
      { sentences: ["The bulletin dated March 2, 2026 is rescinded and replaced.", ...VENTURE_SENTENCES] },
      { kind: "announced", ratio: "1:10" },
    ],
  ])("%s", (_, terms, expected) => {
    expect(readBlock(terms)).toMatchObject(expected);
  });

  it.each([
    ["separators", `\n${SEPARATOR}\n`],
    ["longer separators", `\n${SEPARATOR.repeat(3)}\n\n`],
    ["blank lines only", "\n\n"],
  ])("is read apart from the others of a release with %s", (_, separator) => {
    const blocks = [
      ventureBlock({
        company: "TARNBECK RESOURCES INC.",
        symbol: "TBK",
        formerly: null,
        type: "Halt",
        sentences: ["Trading is halted."],
        labels: [],
      }),
      ventureBlock(),
      ventureBlock({
        company: "SALTBURN ENERGY LTD.",
        symbol: "SBE",
        formerly: null,
        type: "Consolidation",
        labels: [],
        sentences: [
          RATIO.replace(RATIO_WORDS, "a 5 old for 1 new basis"),
          EX_DATE.replaceAll("Harrow Lithium Corp.", "Saltburn Energy Ltd.").replaceAll(
            "Friday, March 6",
            "Monday, March 9",
          ),
        ],
      }),
    ];
    const text = `TSX VENTURE COMPANIES\n\n${blocks.map((block) => block.join("\n")).join(separator)}`;
    expect(read(text)).toMatchObject([
      { tickers: ["TBK"], kind: null },
      EXPECTED,
      {
        tickers: ["SBE"],
        company: "Saltburn Energy Ltd.",
        kind: "announced",
        ratio: "1:5",
        exDate: "2026-03-09",
        newCusip: null,
      },
    ]);
  });

  it("is none in another text", () => {
    expect(read("Sign in to continue\nBulletin types and dates are explained below.")).toEqual([]);
  });

  it("keeps its terms when incidental parts are removed or reformatted", () => {
    const changes: readonly ((text: string) => string)[] = [
      (text) => text.replace(/\n\n/g, "\n"),
      (text) => text.replace(/\n/g, "\n\n"),
      (text) => text.replace(/BULLETIN TYPE: */i, "Bulletin Type:"),
      (text) => text.replace(/ {2,}/g, " "),
      (text) => text.replaceAll('"', "”"),
      (text) => text.replace(/TSX Venture Tier 2 Company\n/, ""),
      (text) => text.replace(/Transfer Agent.*\n/, ""),
      (text) => text.replaceAll("Friday, ", ""),
      (text) => text.replaceAll("\n", "\r\n"),
      (text) => `${SEPARATOR}\n${text}\n${SEPARATOR}`,
      (text) => text.replace("The Company is classified as a 'Mineral Exploration' company.", ""),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray([...changes]), (chosen) => {
        let text = ventureBlock().join("\n");
        for (const change of chosen) text = change(text);
        expect(read(text)).toEqual([EXPECTED]);
      }),
      { numRuns: 200 },
    );
  });

  it.each(['("', "BULLETIN TYPE: ", "consolidat", "bulletin ", "_", "formerly ", "(10) ten ", "| "])(
    "takes time linear in its length: repetitions of %j",
    async (piece) => {
      const readLong = (length: number): void => {
        read(`BULLETIN TYPE: Consolidation\n${piece.repeat(Math.ceil(length / piece.length))}`);
      };
      expect(await growthFactor(readLong, 20_000)).toBeLessThan(8);
    },
  );
});
