import { describe, expect, it } from "vitest";
import { aKnownArticle, aRecord, day, exchange, someTerms, ticker } from "../../../test/support/builders.ts";
import type { KnownArticle } from "./article.ts";
import { announces, termsByTicker, termsOn, unlistedTerms } from "./evidence.ts";

const TODAY = day("2026-03-02");
const ON_TSX = [{ ticker: ticker("ACME"), exchange: exchange("TSX") }];

function unlisted(parts: Partial<KnownArticle>, listed = [] as ReturnType<typeof aRecord>[]): readonly string[] {
  return unlistedTerms(aKnownArticle(parts), listed, TODAY).map((terms) => terms.ticker);
}

describe("termsByTicker", () => {
  it("returns the first ticker if no terms are stated", () => {
    const [terms, ...others] = termsByTicker(aKnownArticle({ concerns: ON_TSX }));
    expect(terms).toEqual({ ...someTerms(), exchange: "TSX" });
    expect(others).toEqual([]);
  });

  it("returns nothing if no ticker is named", () => {
    expect(termsByTicker(aKnownArticle({ concerns: [] }))).toEqual([]);
    expect(termsByTicker(aKnownArticle({ concerns: [], terms: [someTerms({ ticker: null })] }))).toEqual([]);
  });

  it("assigns single terms without a ticker to the issuer", () => {
    const terms = [someTerms({ ticker: null, ratio: "1:25" })];
    expect(termsByTicker(aKnownArticle({ terms }))).toMatchObject([{ ticker: "ACME", exchange: "NASDAQ" }]);
  });

  it("skips several terms without a ticker", () => {
    const terms = [someTerms({ ticker: null }), someTerms({ ticker: ticker("BETA") })];
    expect(termsByTicker(aKnownArticle({ terms }))).toMatchObject([{ ticker: "BETA", exchange: null }]);
  });
});

describe("termsOn", () => {
  it.each([
    ["its ticker", { ticker: ticker("ACME") }, true],
    ["its ticker on another exchange of the country", { exchange: exchange("NYSE") }, true],
    ["its ticker on another market", { exchange: exchange("TSX") }, false],
    ["its company under another ticker", { ticker: ticker("ACMF"), company: "ACME ROBOTICS, INC." }, true],
    ["another company", { ticker: ticker("ACMF"), company: "Acme Bakeries Inc." }, false],
    ["another ticker, without a company", { ticker: ticker("ACMF") }, false],
  ])("finds terms by %s: %#", (_what, parts, found) => {
    const article = aKnownArticle({ terms: [someTerms(parts)] });
    expect(termsOn(article, aRecord()) !== undefined).toBe(found);
  });

  it("returns the terms of the split's own ticker", () => {
    const terms = [someTerms({ ticker: ticker("BETA"), ratio: "1:5" }), someTerms({ ratio: "1:25" })];
    expect(termsOn(aKnownArticle({ terms }), aRecord())?.ratio).toEqual({ newShares: 1, oldShares: 25 });
  });
});

describe("unlistedTerms", () => {
  it.each(["reverse_split", "ads_ratio_change", "postponed"] as const)("returns terms of %s releases", (kind) => {
    expect(announces({ kind })).toBe(true);
    expect(unlisted({ kind })).toEqual(["ACME"]);
    expect(unlisted({ kind }, [aRecord()])).toEqual([]);
  });

  it.each([
    "cancelled",
    "approval_only",
    "ratio_range",
    "forward_split",
    "completed_past",
    "deficiency",
    "other",
  ] as const)("are not there for %s", (kind) => {
    expect(announces({ kind })).toBe(false);
    expect(unlisted({ kind, terms: [someTerms({ exDate: "2026-03-10" })] })).toEqual([]);
  });

  it.each([
    ["2026-03-01", []],
    ["2026-03-02", ["ACME"]],
  ])("returns upcoming ex dates only: %s", (exDate, expected) => {
    expect(unlisted({ terms: [someTerms({ exDate })] })).toEqual(expected);
  });

  it.each([
    ["2025-12-01", []],
    ["2025-12-02", ["ACME"]],
  ])("keeps terms without an ex date for 90 days: %s", (published, expected) => {
    expect(unlisted({ published: day(published) })).toEqual(expected);
  });
});
