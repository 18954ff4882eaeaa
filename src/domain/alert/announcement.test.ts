import { describe, expect, it } from "vitest";
import { aKnownArticle, aRecord, someTerms, ticker } from "../../../test/support/builders.ts";
import type { KnownArticle } from "../article/article.ts";
import type { SplitId, SplitRecord } from "../split/split.ts";
import { completes, foldAnnouncements, otherHalves } from "./announcement.ts";
import { type Announced, type ArticleEvent, eventIds, NO_EVIDENCE } from "./event.ts";

const AT = Date.parse("2026-03-02T15:00:00Z");

function listing(record: SplitRecord = aRecord(), parts: Partial<Announced> = {}): Announced {
  const splitId = `${record.ticker}.1` as SplitId;
  const id = eventIds.revision(splitId, 1);
  const base = { kind: "announced", id, at: AT, sample: false, splitId, record } as const;
  return { ...base, ...NO_EVIDENCE, alreadyEffective: false, ...parts };
}

function release(parts: Partial<KnownArticle> = {}, splits: ArticleEvent["splits"] = []): ArticleEvent {
  const article = aKnownArticle({ subject: "Acme Robotics Inc.", ...parts });
  return { kind: "article", id: eventIds.article(article), at: AT, sample: false, article, splits };
}

const LISTING = listing();
const RELEASE = release();
const { url, source, heading, published, kind } = RELEASE.article;
const LINK = { url, source, heading, published, kind };
const FRACTION = { treatment: "round_up", level: null, sentence: "It is rounded up." } as const;

describe("the other half of an announcement", () => {
  it("of a listing is its release, and of a release the listings of its splits", () => {
    expect(otherHalves(LISTING)).toEqual([]);
    expect(otherHalves({ ...LISTING, release: LINK })).toEqual([RELEASE.id]);
    expect(otherHalves(RELEASE)).toEqual([]);
    const { splitId, record } = LISTING;
    expect(otherHalves(release({}, [{ splitId, record }, { record }]))).toEqual([LISTING.id]);
    expect(otherHalves({ ...LISTING, kind: "effective" })).toEqual([]);
  });

  it.each<[string, Partial<KnownArticle>, Partial<Announced>]>([
    ["another company", { subject: "Evil Research LLC" }, {}],
    ["another kind of release", { kind: "completed_past" }, {}],
    ["another ratio", { terms: [someTerms({ ratio: "1:25" })] }, {}],
    ["another ticker", { concerns: [] }, {}],
    ["a listing with another release", {}, { release: { ...LINK, url: "https://wire.example/acme-2" } }],
  ])("isn't a release about %s", (_case, article, parts) => {
    const [a, b] = [release(article), listing(aRecord(), parts)];
    expect([completes(a, [b]), completes(b, [a])]).toEqual([false, false]);
    expect(foldAnnouncements([{ event: a }, { event: b }])).toHaveLength(2);
  });

  it("completes a message once", () => {
    expect([completes(RELEASE, [LISTING]), completes(LISTING, [RELEASE])]).toEqual([true, true]);
    expect(completes(release({ url: "https://wire.example/acme-2" }), [LISTING, RELEASE])).toBe(false);
  });
});

describe("foldAnnouncements", () => {
  it.each([
    ["after", [LISTING, release({ fraction: FRACTION })]],
    ["before", [release({ fraction: FRACTION }), LISTING]],
  ])("makes one card of a listing and the release %s it", (_order, events) => {
    const other = { event: listing(aRecord({ ticker: "OTHR", company: "Other Inc." })) };
    const parts = events.map((event) => ({ event }));
    const [folded, ...more] = foldAnnouncements([...parts, other]);
    expect(folded?.event).toEqual({ ...LISTING, release: LINK, fraction: { ...FRACTION, url, source } });
    expect(folded?.parts.map(({ event }) => event.kind)).toEqual(["announced", "article"]);
    expect(more).toEqual([{ event: other.event, parts: [other] }]);
  });

  it("keeps the card of a release about several splits, which each of them links", () => {
    const names = ["ACME", "ACMB"];
    const terms = names.map((name) => someTerms({ ticker: ticker(name), ratio: "1:20" }));
    const concerns = terms.flatMap((one) => (one.ticker === null ? [] : [{ ticker: one.ticker, exchange: null }]));
    const several = release({ terms, concerns });
    const listings = names.map((name) => listing(aRecord({ ticker: name })));
    const folded = foldAnnouncements([several, ...listings].map((event) => ({ event })));
    expect(folded.map(({ event }) => event.kind)).toEqual(["article", "announced", "announced"]);
    expect(folded.map(({ event }) => ("release" in event ? event.release?.url : null))).toEqual([null, url, url]);
  });
});
