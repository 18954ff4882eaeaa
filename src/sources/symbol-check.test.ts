import { describe, expect, it } from "vitest";
import { exchange, ticker } from "../../test/support/builders.ts";
import { mention } from "../../test/support/releases.ts";
import { listingProblems } from "./symbol-check.ts";
import { createSymbolTable } from "./symbol-table.ts";

const directory = createSymbolTable();
directory.replace(new Map([[ticker("ACME"), { company: "Acme Robotics, Inc.", exchange: exchange("NASDAQ") }]]));

function problems(tag: string, company: string | null): readonly string[] {
  return listingProblems({ listings: [mention(tag)], company }, directory);
}

describe("a listing and the symbol directory", () => {
  it.each([
    ["NASDAQ: ACME", "Acme Robotics"],
    ["NASDAQ: ACME", null],
    ["NASDAQ: NONE", "None Such Corp."],
    ["TSX: ACME", "Another Company Ltd."],
  ])("agree on %s of %s", (tag, company) => {
    expect(problems(tag, company)).toEqual([]);
  });

  it.each([
    ["NYSE: ACME", "Acme Robotics", "Acme Robotics, NYSE"],
    ["NASDAQ: ACME", "Quillmere Therapeutics, Inc.", "Quillmere Therapeutics, Inc., Nasdaq"],
  ])("disagree on %s of %s, which is marked", (tag, company, stated) => {
    expect(problems(tag, company)).toEqual([
      `ACME: the symbol directory states Acme Robotics, Inc., Nasdaq; the sources state ${stated}, which is used`,
    ]);
  });
});
