import { describe, expect, it } from "vitest";
import { aKnownArticle, aRecord, day, exchange, someTerms, ticker } from "../../../test/support/builders.ts";
import type { KnownArticle } from "./article.ts";
import { articlesOn, evidenceOn, fractionOf, indexArticles } from "./evidence.ts";

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

  it("returns a release once that names the ticker twice", () => {
    const concerns = [
      { ticker: ticker("ACME"), exchange: exchange("NASDAQ") },
      { ticker: ticker("ACME"), exchange: exchange("TSX") },
    ];
    expect(on({ concerns })).toBe(1);
  });

  it("returns the newest first", () => {
    const articles = ["2026-03-01", "2026-03-05", "2026-03-03"].map((text, index) =>
      aKnownArticle({ url: `https://wire.example/${index}`, published: day(text) }),
    );
    const found = articlesOn(aRecord(), indexArticles(articles)).map(({ published }) => published);
    expect(found).toEqual(["2026-03-05", "2026-03-03", "2026-03-01"]);
  });
});

describe("fractionOf", () => {
  it("quotes the newest release that states a treatment", () => {
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

  it("is null if no release states a treatment", () => {
    expect(fractionOf(aRecord(), indexArticles([aKnownArticle()]))).toBeNull();
    expect(fractionOf(aRecord(), indexArticles([]))).toBeNull();
  });
});

function evidence(...articles: readonly KnownArticle[]): ReturnType<typeof evidenceOn> {
  return evidenceOn(aRecord(), indexArticles(articles));
}

function says(article: KnownArticle, parts: Parameters<typeof someTerms>[0]): KnownArticle {
  return { ...article, terms: [someTerms(parts)] };
}

describe("evidenceOn", () => {
  const first = aKnownArticle({ url: "https://wire.example/1", published: day("2026-03-01") });
  const second = aKnownArticle({ url: "https://wire.example/2", published: day("2026-03-02") });

  it("names the newest release that announces or moves the split", () => {
    expect(evidence(first, second, { ...second, url: "https://wire.example/3", kind: "other" }).release).toEqual({
      url: second.url,
      source: "globenewswire",
      heading: "Acme Robotics Announces Reverse Stock Split",
      published: "2026-03-02",
      kind: "reverse_split",
    });
    expect(evidence({ ...first, kind: "cancelled" }).release).toBeNull();
    expect(evidence().release).toBeNull();
  });

  const ONE_FOR_25 = { newShares: 1, oldShares: 25 };

  it.each<[string, readonly KnownArticle[], ReturnType<typeof evidence>["disagreements"]]>([
    ["no release", [], []],
    ["a release that states nothing", [first], []],
    ["one that agrees", [says(first, { ratio: "1:20", exDate: "2026-03-10" })], []],
    ["one with another ratio", [says(first, { ratio: "1:25" })], [{ term: "ratio", stated: ONE_FOR_25 }]],
    ["one with another day", [says(first, { exDate: "2026-03-11" })], [{ term: "exDate", stated: day("2026-03-11") }]],
    ["one that a newer one corrects", [says(first, { ratio: "1:25" }), says(second, { ratio: "1:20" })], []],
    [
      "one that a newer one does not speak of",
      [says(first, { ratio: "1:25" }), second],
      [{ term: "ratio", stated: ONE_FOR_25 }],
    ],
    [
      "two of one day, of which one agrees",
      [says({ ...first, published: second.published }, { ratio: "1:25" }), says(second, { ratio: "1:20" })],
      [],
    ],
    ["one on another ticker", [says(first, { ticker: ticker("BETA"), ratio: "1:25" })], []],
    ["one that only calls it off", [says({ ...first, kind: "cancelled" }, { ratio: "1:25" })], []],
  ])("lists the terms that differ from the list: %s", (_what, articles, expected) => {
    expect(evidence(...articles).disagreements).toEqual(expected);
  });

  it("lists the stated ratio if the listed ratio is unreadable", () => {
    const articles = indexArticles([says(first, { ratio: "1:25" })]);
    expect(evidenceOn(aRecord({ ratio: "n/a" }), articles).disagreements).toEqual([
      { term: "ratio", stated: ONE_FOR_25 },
    ]);
  });

  it("ignores the announcement of the next split", () => {
    const next = aKnownArticle({ published: day("2026-03-12"), terms: [someTerms({ exDate: "2026-04-20" })] });
    expect(evidence(next)).toEqual({ fraction: null, release: null, disagreements: [] });
    expect(evidence({ ...next, kind: "postponed" }).release).not.toBeNull();
    expect(evidence({ ...next, published: day("2026-03-10") }).release).not.toBeNull();
  });
});
