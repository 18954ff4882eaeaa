import { describe, expect, it } from "vitest";
import { aKnownArticle, aRecord, day, exchange, ticker } from "../../test/support/builders.ts";
import type { KnownArticle } from "./article.ts";
import { articlesOn, fractionOf, indexArticles } from "./evidence.ts";

const ROUND_UP = { treatment: "round_up", level: "holder", sentence: "Fractions are rounded up." } as const;
const CASH = { treatment: "cash_in_lieu", level: null, sentence: "Holders get cash in lieu." } as const;

function on(article: Partial<KnownArticle>, record = aRecord()): number {
  return articlesOn(record, indexArticles([aKnownArticle(article)])).length;
}

describe("articlesOn", () => {
  it.each([
    ["ACME", "NASDAQ", 1],
    ["ACME", null, 1],
    ["ACME", "NYSE", 1],
    ["ACME", "OTC", 1],
    ["ACME", "TSX", 0],
    ["BETA", "NASDAQ", 0],
  ])("a release that names %s on %s is on ACME of NASDAQ: %i", (symbol, listing, found) => {
    const concerns = [{ ticker: ticker(symbol), exchange: listing === null ? null : exchange(listing) }];
    expect(on({ concerns })).toBe(found);
  });

  it.each([
    ["2025-12-09", 0],
    ["2025-12-10", 1],
    ["2026-03-10", 1],
    ["2026-03-24", 1],
    ["2026-03-25", 0],
  ])("one of %s is on a split with the ex date 2026-03-10: %i", (published, found) => {
    expect(on({ published: day(published) })).toBe(found);
  });

  it("gives a release that names the ticker twice once", () => {
    const concerns = [
      { ticker: ticker("ACME"), exchange: exchange("NASDAQ") },
      { ticker: ticker("ACME"), exchange: exchange("TSX") },
    ];
    expect(on({ concerns })).toBe(1);
  });

  it("gives the newest first, whatever the order", () => {
    const articles = ["2026-03-01", "2026-03-05", "2026-03-03"].map((text, index) =>
      aKnownArticle({ url: `https://wire.example/${index}`, published: day(text) }),
    );
    const found = articlesOn(aRecord(), indexArticles(articles)).map(({ published }) => published);
    expect(found).toEqual(["2026-03-05", "2026-03-03", "2026-03-01"]);
  });
});

describe("fractionOf", () => {
  it("quotes the newest release that speaks of fractions", () => {
    const articles = [
      aKnownArticle({ url: "https://wire.example/1", published: day("2026-03-01"), fraction: CASH }),
      aKnownArticle({ url: "https://wire.example/2", published: day("2026-03-02"), fraction: ROUND_UP }),
      aKnownArticle({ url: "https://wire.example/3", published: day("2026-03-03"), fraction: null }),
    ];
    expect(fractionOf(aRecord(), indexArticles(articles))).toEqual({
      ...ROUND_UP,
      url: "https://wire.example/2",
      source: "globenewswire",
    });
  });

  it("is null where no release speaks of them", () => {
    expect(fractionOf(aRecord(), indexArticles([aKnownArticle()]))).toBeNull();
    expect(fractionOf(aRecord(), indexArticles([]))).toBeNull();
  });
});
