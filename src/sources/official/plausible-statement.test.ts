import { expect, it } from "vitest";
import { day } from "../../../test/support/builders.ts";
import { aStatement } from "../../../test/support/observations.ts";
import { mention } from "../../../test/support/releases.ts";
import { plausibleStatement } from "./plausible-statement.ts";
import type { Statement } from "./statement.ts";

const NOW = Date.parse("2026-03-02T14:00:00Z");

const STATEMENT = aStatement({ publishedAt: NOW });

it("doesn't change a plausible statement", () => {
  expect(plausibleStatement(STATEMENT, NOW)).toEqual(STATEMENT);
});

it.each<[string, Partial<Statement>, Partial<Statement>]>([
  ["an ex date in the year 9999", { exDate: day("9999-12-31") }, { exDate: null }],
  ["an ex date years ago", { exDate: day("2021-03-10") }, { exDate: null }],
  ["a ratio of one to a billion", { ratio: { newShares: 1, oldShares: 999_999_999 } }, { ratio: null }],
  ["a publication in the year 1", { publishedAt: Date.parse("0001-01-01T10:10:00Z") }, { publishedAt: null }],
  ["a company of invisible characters", { company: "\u200B\u200D" }, { company: null }],
  ["a company with control characters", { company: "Acme\u202E .cnI\n stobor" }, { company: "Acme .cnI stobor" }],
  ["a company of a book's length", { company: "A".repeat(200_000) }, { company: "A".repeat(300) }],
  [
    "an address of a book's length",
    { url: `https://bulletin.example/#${"9".repeat(400_000)}` },
    { url: `https://bulletin.example/#${"9".repeat(974)}` },
  ],
  [
    "a notice that names all symbols",
    { listings: Array.from({ length: 8_000 }, () => mention("CSE: ACME")) },
    { listings: Array.from({ length: 20 }, () => mention("CSE: ACME")) },
  ],
  [
    "evidence of a book's length",
    { evidence: { ratio: "1".repeat(1_000_000) } },
    { evidence: { ratio: "1".repeat(2_000) } },
  ],
])("limits or drops %s", (_, changes, expected) => {
  expect(plausibleStatement({ ...STATEMENT, ...changes }, NOW)).toEqual({ ...STATEMENT, ...expected });
});
