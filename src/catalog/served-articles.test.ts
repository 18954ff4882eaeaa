import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ticker } from "../../test/support/builders.ts";
import { aRelease, mention } from "../../test/support/releases.ts";
import type { Release } from "./release.ts";
import { articlesOf } from "./served-articles.ts";

type Parts = Parameters<typeof aRelease>[0] & {};

const EXHIBIT = "https://www.sec.gov/Archives/edgar/data/9999901/000999999926000123/ex99-1.htm";
const WIRE_URL = "https://businesswire.example/20260302999901/en";

const wireRelease = (parts: Parts = {}): Release => aRelease({ source: "businesswire", url: WIRE_URL, ...parts });

function exhibit(parts: Parts = {}): Release {
  const heading = "ACME ROBOTICS ANNOUNCES REVERSE STOCK SPLIT";
  return aRelease({ source: "businesswire", url: EXHIBIT, heading, text: "The text of the exhibit.", ...parts });
}

function addresses(...releases: readonly Release[]): readonly string[] {
  return articlesOf(releases).map(({ url }) => url);
}

describe("an SEC exhibit", () => {
  it("is an article itself if the wire's release is unknown", () => {
    expect(articlesOf([exhibit()])).toEqual([exhibit()]);
  });

  it("is replaced by the wire's release", () => {
    expect(articlesOf([exhibit(), wireRelease()])).toEqual([wireRelease()]);
  });

  it("supplies the text of a page that could not be read, under the wire's address and heading", () => {
    const filed = exhibit({ facts: { announced: "2026-03-02" } });
    const unread = wireRelease({ text: null, tries: 5, problem: "403" });
    expect(articlesOf([unread, filed])).toEqual([{ ...unread, text: "The text of the exhibit.", facts: filed.facts }]);
    expect(articlesOf([unread, filed])[0]).toBe(articlesOf([filed, unread])[0]);
  });

  it("is matched by its dateline if it was filed days later", () => {
    const filed = exhibit({ published: "2026-03-05", facts: { announced: "2026-03-02" } });
    expect(addresses(filed, wireRelease())).toEqual([WIRE_URL]);
  });

  it.each<[string, Parts]>([
    ["another wire", { source: "prnewswire" }],
    ["another day", { published: "2026-03-05" }],
    ["another heading", { heading: "Acme Robotics Postpones Reverse Stock Split" }],
    ["another symbol", { facts: { tags: ["NYSE: OTHR"], splits: [{ ticker: null, company: null }] } }],
    [
      "another issuer",
      { tickers: [mention("NYSE: OTHR")], facts: { tags: ["NYSE: OTHR"], splits: [{ company: "Other Corp." }] } },
    ],
  ])("is served beside a release of %s", (_, parts) => {
    expect(addresses(exhibit({ tickers: [mention("NASDAQ: ACME")] }), wireRelease(parts))).toHaveLength(2);
  });

  it("is matched across midnight", () => {
    expect(addresses(exhibit({ published: "2026-03-03" }), wireRelease())).toEqual([WIRE_URL]);
    expect(addresses(exhibit({ published: "2026-03-01" }), wireRelease())).toEqual([WIRE_URL]);
  });

  it("is served once if both a filing and its amendment include it", () => {
    const amended = EXHIBIT.replace("000123", "000124");
    expect(addresses(exhibit({ url: amended }), exhibit())).toEqual([EXHIBIT]);
  });
});

describe("articles", () => {
  it("are independent of the order of arrival and unique per address", () => {
    const anyRelease = fc
      .record({
        isExhibit: fc.boolean(),
        id: fc.integer({ min: 1, max: 6 }),
        published: fc.constantFrom("2026-03-02", "2026-03-03", "2026-03-05"),
        heading: fc.constantFrom("Acme Announces a Split", "ACME ANNOUNCES A SPLIT", "Bolt Announces a Split"),
        text: fc.constantFrom("The text.", null),
        symbol: fc.constantFrom("ACME", "BOLT", null),
      })
      .map(({ isExhibit, id, symbol, ...parts }) => {
        const tickers = symbol === null ? [] : [{ ticker: ticker(symbol), exchange: null }];
        const url = isExhibit ? `https://www.sec.gov/Archives/edgar/data/${id}/a.htm` : `https://wire.example/${id}`;
        return aRelease({ ...parts, url, tickers, source: "businesswire", facts: { splits: [] } });
      });
    const orders = fc
      .uniqueArray(anyRelease, { selector: ({ url }) => url, maxLength: 10 })
      .chain((releases) =>
        fc.tuple(fc.constant(releases), fc.shuffledSubarray(releases, { minLength: releases.length })),
      );
    fc.assert(
      fc.property(orders, ([releases, shuffled]) => {
        const articles = articlesOf(releases);
        expect(articlesOf(shuffled)).toEqual(articles);
        const wireUrls = releases.map(({ url }) => url).filter((url) => url.startsWith("https://wire"));
        expect(articles.map(({ url }) => url)).toEqual(expect.arrayContaining(wireUrls));
      }),
    );
  });
});
