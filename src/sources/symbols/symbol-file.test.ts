import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COMPANY_TICKERS, OTHER, TRADED } from "../../../test/support/symbol-directories.ts";
import { growthFactor } from "../../../test/support/timing.ts";
import { webAnswer } from "../../../test/support/web-answer.ts";
import { readCompanyTickers } from "./company-tickers.ts";
import { symbols } from "./index.ts";

const URL_OF_FILE = "https://directory.example/dynamic/SymDir/nasdaqtraded.txt";

/** Listings as `TICKER: company (exchange)`. */
async function read(body: string): Promise<readonly string[]> {
  const reading = await symbols.readDocument?.(webAnswer(body, URL_OF_FILE), { now: 0 });
  return (reading?.entries ?? []).map(({ id, title }) => `${id}: ${title}`).toSorted();
}

const LISTED = [
  "BRVL: Brandvale Lithium Corp. (NYSEAMERICAN)",
  "HRB.A: Harbor Mills Company (NYSE)",
  "QLMR: Quillmere Therapeutics, Inc. (NASDAQ)",
];

const END = "File Creation Time: 0302202608:01|||||||||||";
/** The file as rows of cells, without its last line. */
const CELLS = TRADED.split("\r\n")
  .slice(0, -2)
  .map((line) => line.split("|"));

const toFile = (rows: readonly (readonly string[])[], lineEnd = "\r\n", end = END): string =>
  [...rows.map((row) => row.join("|")), ...(end === "" ? [] : [end]), ""].join(lineEnd);

describe("a symbol directory", () => {
  it.each<[string, string]>([
    ["as the exchange writes it", TRADED],
    ["with line feeds", TRADED.replaceAll("\r\n", "\n")],
    ["with a byte order mark", `\uFEFF${TRADED}`],
    ["with column names in capitals", TRADED.replace(/^.*/, (header) => header.toUpperCase())],
    ["with spaces around the cells", TRADED.replaceAll("|", " | ")],
    ["with its columns reversed", toFile(CELLS.map((row) => row.toReversed()))],
    ["with an additional column", toFile(CELLS.map((row, n) => [n === 0 ? "Note" : "", ...row]))],
    [
      "without the column of test issues",
      toFile(CELLS.filter((row) => !row.includes("ZZTST")).map((row) => row.toSpliced(7, 1))),
    ],
    ["with another last line", toFile(CELLS, "\r\n", "file creation time 03/02/2026")],
    ["without its last line, but with a complete last row", toFile(CELLS, "\r\n", "")],
    ["with lower-case symbols", TRADED.replace("Y|QLMR|", "Y|qlmr|")],
  ])("is read %s", async (_, body) => {
    expect(await read(body)).toEqual(LISTED);
  });

  it("states Nasdaq if the file of Nasdaq's own listings has no exchange", async () => {
    const file =
      "Symbol|Security Name|Market Category|Test Issue\nQLMR|Quillmere Therapeutics, Inc. - Common Stock|S|N\nFile Creation Time: 1|||\n";
    expect(await read(file)).toEqual(["QLMR: Quillmere Therapeutics, Inc. (NASDAQ)"]);
  });

  it("states the same listings whatever its incidental parts are", async () => {
    const incidental = fc.record({
      order: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], { minLength: 12 }),
      removed: fc.subarray([
        "Nasdaq Traded",
        "Market Category",
        "ETF",
        "Round Lot Size",
        "CQS Symbol",
        "NASDAQ Symbol",
        "NextShares",
      ]),
      lineEnd: fc.constantFrom("\r\n", "\n"),
      end: fc.constantFrom(END, "File Creation Time", ""),
      space: fc.constantFrom("", " "),
    });
    await fc.assert(
      fc.asyncProperty(incidental, async ({ order, removed, lineEnd, end, space }) => {
        const [header = []] = CELLS;
        const kept = order.filter((column) => !removed.includes(header[column] ?? ""));
        const rows = CELLS.map((row) => kept.map((column) => space + row[column] + space));
        expect(await read(toFile(rows, lineEnd, end))).toEqual(LISTED);
      }),
    );
  });

  it.each<[string, string, string]>([
    ["an error page", "<html><h1>Not found</h1></html>", "got another file"],
    ["a form to sign in", "<html><form><input name=user></form></html>", "got another file"],
    ["nothing", "", "got another file"],
    ["another list", "Ticker|Name|Price\nQLMR|Quillmere|1\n", "got another file"],
    ["one without names", TRADED.replace("Security Name", "Comment"), "got another file"],
    ["one that ends within a row", TRADED.slice(0, TRADED.indexOf("Y|ZZTST") - 20), "the file is incomplete"],
    [
      "one without symbols",
      OTHER.split("\r\n")
        .filter((line) => !line.includes("|N|"))
        .join("\r\n"),
      "without symbols",
    ],
    ["JSON of another shape", '{"data":[1]}', "got JSON of another shape"],
  ])("is refused if it is %s", async (_, body, problem) => {
    await expect(read(body)).rejects.toThrow(problem);
  });
});

/** Reads a list with many symbols of one company. */
function readSymbols(count: number): void {
  const tickers = Array.from({ length: count }, (_, n) => `A${n.toString(36)}`);
  const rows = tickers.map((symbol) => [1, "Harbor Mills Co", symbol, "NYSE"]);
  const body = JSON.stringify({ fields: ["cik", "name", "ticker", "exchange"], data: rows });
  readCompanyTickers(webAnswer(body, "https://directory.example/company_tickers_exchange.json"));
}

describe("the SEC's list of companies", () => {
  const { fields, data } = JSON.parse(COMPANY_TICKERS) as { fields: string[]; data: unknown[][] };
  const COMPANIES = [
    "HRB.A: Harbor Mills Co",
    "HRB.B: Harbor Mills Co",
    "QLMR: QUILLMERE THERAPEUTICS, INC. (NASDAQ)",
    "TVCC: Tarn Valley Copper Corp. (OTC)",
    "UNLD: Unlisted Holdings Ltd",
  ];

  it.each<[string, object]>([
    ["as the SEC writes it", { fields, data }],
    ["with its columns reversed", { fields: fields.toReversed(), data: data.map((row) => row.toReversed()) }],
    ["with column names in capitals", { fields: fields.map((field) => field.toUpperCase()), data }],
    ["with an additional column", { fields: [...fields, "sic"], data: data.map((row) => [...row, "2834"]) }],
    ["with numbers as texts", { fields, data: data.map(([cik, ...row]) => [String(cik), ...row]) }],
    ["with an unknown part", { fields, data, updated: "2026-03-02" }],
  ])("is read %s", async (_, content) => {
    expect(await read(JSON.stringify(content))).toEqual(COMPANIES);
  });

  it("is read without the exchange, as a list of objects", async () => {
    const rows = data.map(([cik_str, title, symbol]) => ({ cik_str, ticker: symbol, title }));
    const names = COMPANIES.map((listing) => listing.replace(/ \(.*/, ""));
    expect(await read(JSON.stringify(Object.fromEntries(rows.entries())))).toEqual(names);
  });

  it("is read in linear time if a company has many symbols", async () => {
    expect(await growthFactor(readSymbols, 8_000)).toBeLessThan(8);
  });

  it("is refused if it has many more values than the list of all companies", () => {
    const body = `{"fields":[],"data":[${"{},".repeat(400_000)}{}]}`;
    expect(() => readCompanyTickers(webAnswer(body, "https://directory.example/a.json"))).toThrow(
      "expected JSON with fields and data",
    );
  });
});
