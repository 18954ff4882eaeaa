import { describe, expect, it } from "vitest";
import { day, exchange, ticker } from "../../test/support/builders.ts";
import { mention } from "../../test/support/releases.ts";
import type { CatalogSplit } from "../catalog/catalog-split.ts";
import type { ListedSymbols } from "../domain/split/symbol-directory.ts";
import { listingProblems } from "./symbol-check.ts";
import { createSymbolTable } from "./symbol-table.ts";

function listed(symbol: string, company: string, market: string | null): ListedSymbols {
  return new Map([[ticker(symbol), { company, exchange: market === null ? null : exchange(market) }]]);
}

async function problems(
  tag: string,
  company: string | null,
  parts: Partial<Pick<CatalogSplit, "status" | "exDate">> = {},
): Promise<readonly string[]> {
  const directory = createSymbolTable();
  const list = { url: "https://directory.example", readAt: 0, validators: {} };
  await directory.replace("nasdaqtraded", { ...list, listed: listed("ACME", "Acme Robotics, Inc.", "NASDAQ") });
  const ofSec = new Map([
    ...listed("ACME", "ACME ROBOTICS INC", "OTC"),
    ...listed("TVCC", "Tarn Valley Copper Corp.", "OTC"),
    ...listed("HRB", "Harbor Mills Co", null),
  ]);
  await directory.replace("company-tickers", { ...list, listed: ofSec });
  const split = {
    listings: [mention(tag)],
    company,
    status: "announced",
    exDate: day("2026-03-10"),
    ...parts,
  } as const;
  return listingProblems(split, directory, day("2026-03-10"));
}

describe("a listing and the symbol directories", () => {
  it.each([
    ["NASDAQ: ACME", "Acme Robotics"],
    ["NASDAQ: ACME", null],
    ["NASDAQ: NONE", "None Such Corp."],
    ["TSX: ACME", "Another Company Ltd."],
    ["OTC: TVCC", "Tarn Valley Copper"],
    // One of the two directories agrees.
    ["OTC: ACME", "Acme Robotics"],
    // The SEC's NYSE may be NYSE American.
    ["NYSEAMERICAN: HRB", "Harbor Mills Company"],
  ])("agree on %s of %s", async (tag, company) => {
    expect(await problems(tag, company)).toEqual([]);
  });

  it.each([
    [
      "NYSE: ACME",
      "Acme Robotics",
      "Nasdaq's symbol directory states Acme Robotics, Inc., Nasdaq",
      "Acme Robotics, NYSE",
    ],
    [
      "NASDAQ: ACME",
      "Quillmere, Inc.",
      "Nasdaq's symbol directory states Acme Robotics, Inc., Nasdaq",
      "Quillmere, Inc., Nasdaq",
    ],
    [
      "OTC: TVCC",
      "Brandvale Corp.",
      "the SEC's list of companies states Tarn Valley Copper Corp., OTC",
      "Brandvale Corp., OTC",
    ],
    ["NYSE: HRB", "Quillmere, Inc.", "the SEC's list of companies states Harbor Mills Co", "Quillmere, Inc., NYSE"],
  ])("disagree on %s of %s, which is reported as a problem", async (tag, company, directory, stated) => {
    const symbol = tag.split(" ")[1];
    expect(await problems(tag, company)).toEqual([
      `${symbol}: ${directory}, but the split's sources state ${stated}; the sources are used`,
    ]);
  });

  it.each([[{ exDate: day("2026-03-09") }], [{ exDate: null }], [{ status: "cancelled" as const }]])(
    "are not compared if the split isn't pending (%j)",
    async (parts) => {
      expect(await problems("NYSE: ACME", "Acme Robotics", parts)).toEqual([]);
    },
  );
});
