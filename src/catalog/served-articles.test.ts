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
    const unread = wireRelease({ text: null, readVersion: null, tries: 5, problem: "403" });
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

describe("an SEC exhibit whose dateline names no wire", () => {
  const first =
    "Acme Robotics Inc. (Nasdaq: ACME), a maker of robots for small workshops, today announced a 1-for-20 reverse stock split of its common stock, which takes effect next week.";
  const text = `ACME ROBOTICS ANNOUNCES REVERSE STOCK SPLIT\n\nHARBOR CITY, Ore., March 2, 2026 – ${first}\n\nNo fractional shares will be issued.`;
  const filed = (parts: Parts = {}): Release => exhibit({ source: "sec", text, ...parts });
  const refused = (parts: Parts = {}): Release =>
    wireRelease({ text: null, readVersion: null, tries: 1, problem: "403", ...parts });

  it.each<[string, Parts, Parts]>([
    ["the same heading", {}, {}],
    ["the same heading in another notation", { heading: "Acme Robotics announces “reverse stock-split”" }, {}],
    ["the heading on the day before", { published: "2026-03-01" }, {}],
    ["the heading on the day after", { published: "2026-03-03" }, {}],
    ["the heading, and the name in its summary", { facts: { splits: [] }, teaser: "Acme Robotics Inc. said that" }, {}],
    ["the first sentences", { heading: "Reverse Split", teaser: `HARBOR CITY, Ore.--(BUSINESS WIRE)--${first}` }, {}],
    ["the start of the first sentences", { heading: "A Step", teaser: `$ACME #robots--${first.slice(0, 150)}` }, {}],
    [
      "a symbol only, and the heading",
      { facts: { splits: [] }, tickers: [mention("ACME")] },
      { facts: { tags: ["ACME"] } },
    ],
  ])("supplies the text of a refused page with %s", (_, wireParts, exhibitParts) => {
    const [release, document] = [refused(wireParts), filed(exhibitParts)];
    const completed = { ...release, text, facts: document.facts };
    expect(articlesOf([release, document])).toEqual([completed]);
    expect(articlesOf([document, release])).toEqual([completed]);
  });

  it.each<[string, Parts]>([
    [
      "another heading and other first sentences",
      { heading: "Acme Robotics Opens a Workshop", teaser: "Acme Robotics" },
    ],
    [
      "another heading, and a summary that ends before it names a split",
      { heading: "Acme Robotics Opens a Workshop", teaser: first.slice(0, 90) },
    ],
    ["another day", { published: "2026-03-05" }],
    [
      "another company",
      { heading: "Announces Reverse Stock Split", facts: { splits: [{ company: "Bolt Inc.", ticker: "BOLT" }] } },
    ],
    [
      "the heading of another company",
      { tickers: [mention("BOLT")], facts: { splits: [{ company: "Bolt Inc." }], tags: ["BOLT"] } },
    ],
    ["no issuer", { heading: "Reverse Stock Split Announced", facts: { splits: [] } }],
    ["a configured feed", { source: "issuers" }],
  ])("supplies no text to a release with %s", (_, parts) => {
    const release = refused(parts);
    const document = filed({
      tickers: [mention("NASDAQ: ACME")],
      ...(parts.heading?.startsWith("Ann") && { heading: parts.heading }),
    });
    expect(articlesOf([release, document])).toEqual(expect.arrayContaining([release, document]));
  });

  it("is omitted beside the wire's release whose page was read", () => {
    const read = wireRelease({ text });
    expect(articlesOf([filed(), read])).toEqual([read]);
  });

  it("supplies no text to a release whose text was deleted after its retention period", () => {
    const read = wireRelease({ text: null });
    expect(articlesOf([filed(), read])).toEqual([read]);
  });

  it("supplies its text rather than one that was deleted", () => {
    const earlier = filed({ url: EXHIBIT.replace("000123", "000100"), text: null });
    expect(articlesOf([earlier, refused(), filed()])).toMatchObject([{ url: WIRE_URL, text }]);
  });
});

/** A publication of an issuer that may be on a wire, among the exhibits of a filing, or both. */
interface Publication {
  readonly issuer: number;
  readonly subject: number;
  readonly day: string;
  readonly isOnWire: boolean;
  readonly isFiled: boolean;
  readonly isRead: boolean;
  readonly hasSameHeading: boolean;
  readonly filedLate: boolean;
}

const ISSUERS = ["Harbor Mills", "Harbor Mills North", "Quillmere", "Brandvale Lithium"];
const SUBJECTS = ["Reverse Stock Split", "Changes to its Reverse Stock Split", "Vote on a Reverse Stock Split"];

describe("any publications", () => {
  const publication = fc.record<Publication>({
    issuer: fc.nat(ISSUERS.length - 1),
    subject: fc.nat(SUBJECTS.length - 1),
    day: fc.constantFrom("2026-03-02", "2026-03-09"),
    isOnWire: fc.boolean(),
    isFiled: fc.boolean(),
    isRead: fc.boolean(),
    hasSameHeading: fc.boolean(),
    filedLate: fc.boolean(),
  });
  const publications = fc.uniqueArray(publication, {
    selector: ({ issuer, subject, day }) => `${issuer} ${subject} ${day}`,
    maxLength: 8,
  });

  const textOf = ({ issuer, subject }: Publication): string =>
    `${ISSUERS[issuer]}, Inc., whose shares are listed on an exchange, today gave notice of ${SUBJECTS[subject]} of its common stock, number ${subject}.`;
  const partsOf = ({ issuer, day }: Publication): Parts => ({
    published: day,
    facts: { announced: day, splits: [{ company: `${ISSUERS[issuer]}, Inc.`, ticker: null, exchange: null }] },
  });
  const wireUrlOf = ({ issuer, subject, day }: Publication): string =>
    `https://wire.example/${day}/${issuer}/${subject}`;
  const wireReleaseOf = (published: Publication): Release =>
    aRelease({
      ...partsOf(published),
      url: wireUrlOf(published),
      source: "prnewswire",
      heading: `${ISSUERS[published.issuer]} Announces ${SUBJECTS[published.subject]}`,
      teaser: `HARBOR CITY, Ore., /PRNewswire/ -- ${textOf(published)}`,
      ...(published.isRead ? { text: textOf(published) } : { text: null, readVersion: null }),
    });
  const exhibitOf = (published: Publication): Release =>
    aRelease({
      ...partsOf(published),
      ...(published.filedLate && { published: "2026-03-11" }),
      url: `https://www.sec.gov/Archives/edgar/data/1/${published.day}/${published.issuer}/${published.subject}.htm`,
      source: "sec",
      heading: published.hasSameHeading
        ? `${ISSUERS[published.issuer]} announces ${SUBJECTS[published.subject]}`.toUpperCase()
        : "Form 8-K, items 8.01",
      text: `Exhibit\n\nHARBOR CITY – ${textOf(published)}`,
    });

  it("are one article each, with the exhibit's text if the page was not read, in any order", () => {
    const inAnyOrder = publications.chain((list) => {
      const releases = list.flatMap((one) => [
        ...(one.isOnWire ? [wireReleaseOf(one)] : []),
        ...(one.isFiled ? [exhibitOf(one)] : []),
      ]);
      return fc.tuple(fc.constant(list), fc.shuffledSubarray(releases, { minLength: releases.length }));
    });
    fc.assert(
      fc.property(inAnyOrder, ([list, releases]) => {
        const articles = articlesOf(releases);
        expect(articles).toHaveLength(list.filter(({ isOnWire, isFiled }) => isOnWire || isFiled).length);
        for (const published of list.filter(({ isOnWire }) => isOnWire)) {
          const { isRead, isFiled } = published;
          const filedText = isFiled ? exhibitOf(published).text : null;
          expect(articles.find(({ url }) => url === wireUrlOf(published))).toMatchObject({
            source: "prnewswire",
            text: isRead ? textOf(published) : filedText,
          });
        }
      }),
    );
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
