import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aKnownArticle, aRecord, day, exchange, someTerms, ticker } from "../../../test/support/builders.ts";
import { PolledSource } from "../../../test/support/polled-source.ts";
import type { KnownArticle } from "../article/article.ts";
import type { Split } from "../split/split.ts";
import { addDays, dayInZone } from "../time/day.ts";
import { MARKET_ZONE } from "../time/trading-day.ts";
import { type ArticleDiff, diffArticles } from "./article-diff.ts";
import { applyPatch } from "./snapshot.ts";

const OTHERS = ["AAAA", "BBBB", "CCCC"].map((symbol) =>
  aRecord({ ticker: symbol, company: `${symbol} Holdings`, exDate: "2026-05-12" }),
);
const ROUND_UP = { treatment: "round_up", level: null, sentence: "Fractions are rounded up." } as const;

function release(number: number, parts: Partial<KnownArticle> = {}): KnownArticle {
  return aKnownArticle({ url: `https://wire.example/${number}`, ...parts });
}

/** A source with one split of ACME, ex date 2026-03-10, whose articles were read once. */
function following(parts: Parameters<typeof aRecord>[0] = {}): PolledSource {
  const source = PolledSource.settled([...OTHERS, aRecord(parts)]);
  source.readArticles([]);
  return source;
}

/** A source that announced ACME after its first list and articles. */
function announcedAcme(): PolledSource {
  const source = PolledSource.settled(OTHERS);
  source.readArticles([]);
  source.poll([...OTHERS, aRecord()]);
  return source;
}

function acme(source: PolledSource): Split | undefined {
  return source.splits.find(({ record }) => record.ticker === "ACME");
}

function kinds({ events }: ArticleDiff): string[] {
  return events.map(({ kind }) => kind);
}

describe("articles", () => {
  it("of the first reading tell nothing, and are known from then on", () => {
    const source = PolledSource.settled([aRecord()]);
    const articles = [release(1), release(2, { kind: "cancelled" }), release(3, { published: day("2026-01-10") })];
    expect(source.readArticles(articles)).toMatchObject({ events: [], stated: [] });
    expect(source.readArticles(articles).events).toEqual([]);
    expect(source.snapshot.articles.size).toBe(3);
  });

  it("are told once each, oldest first, with the splits that they are about", () => {
    const source = following();
    const late = release(1, { published: day("2026-03-02") });
    const early = release(2, { published: day("2026-03-01"), concerns: [] });
    const { events } = source.readArticles([late, early, late]);
    expect(events).toMatchObject([
      { kind: "article", id: early.url, splits: [] },
      { kind: "article", id: late.url, splits: [{ record: { ticker: "ACME" } }] },
    ]);
    expect(source.readArticles([late, early]).events).toEqual([]);
  });

  it("on splits that the list shows by then are linked to them, also to those that are still to be announced", () => {
    const source = PolledSource.settled(OTHERS);
    source.readArticles([]);
    const listed = [...OTHERS, aRecord()];
    const { events } = source.readArticles([release(1)], { listed });
    expect(events).toMatchObject([{ kind: "article", splits: [{ record: { ticker: "ACME" } }] }]);
    source.poll(listed);
    const later = source.readArticles([release(2)], { listed: [...OTHERS, aRecord({ exDate: "2026-03-12" })] });
    expect(later.events).toMatchObject([{ splits: [{ splitId: acme(source)?.id, record: { exDate: "2026-03-10" } }] }]);
  });

  it("that the wire corrects are known as they are now, and told once", () => {
    const source = following();
    source.readArticles([release(1, { terms: [someTerms({ ratio: "1:30" })] })]);
    const corrected = release(1, { version: "2", terms: [someTerms({ ratio: "1:20" })], fraction: ROUND_UP });
    expect(source.readArticles([corrected])).toMatchObject({ events: [], patch: { articles: [corrected] } });
    expect([...source.snapshot.articles.values()]).toEqual([corrected]);
    expect(source.readArticles([corrected]).patch.articles).toEqual([]);
  });

  it("that state the treatment of fractions only once they are corrected are told to rules that wait for it", () => {
    const source = announcedAcme();
    source.readArticles([release(1)]);
    const { stated } = source.readArticles([release(1, { version: "2", fraction: ROUND_UP })]);
    expect(stated).toMatchObject([{ kind: "announced", fraction: { treatment: "round_up", url: release(1).url } }]);
  });

  it("that turn out to call a split off, or to tell of an approval, are told as that", () => {
    const source = following();
    source.readArticles([release(1), release(2, { kind: "other" }), release(3, { kind: "ratio_range" })]);
    const corrected = source.readArticles([
      release(1, { version: "2", kind: "cancelled" }),
      release(2, { version: "2", kind: "approval_only" }),
      release(3, { version: "2", kind: "approval_only" }),
    ]);
    expect(kinds(corrected)).toEqual(["cancelled", "early"]);
    expect(acme(source)?.withdrawal?.kind).toBe("cancelled");
  });

  it("are told all the same whatever their order and however often they come", () => {
    const articles = [
      release(1, { kind: "postponed", published: day("2026-03-01") }),
      release(2, { kind: "cancelled", fraction: ROUND_UP }),
      release(3),
      release(4, { concerns: [{ ticker: ticker("BBBB"), exchange: null }], kind: "postponed" }),
    ];
    const source = following();
    const reading = { ...source.reading([]), listed: [], complete: true };
    const expected = diffArticles(source.snapshot, { ...reading, fresh: articles });
    const disordered = fc.shuffledSubarray([...articles, ...articles], { minLength: 8 });
    fc.assert(
      fc.property(disordered, (fresh) => {
        expect(diffArticles(source.snapshot, { ...reading, fresh })).toEqual(expected);
      }),
    );
    expect(kinds(expected)).toEqual([
      "postponed",
      "cancelled",
      "postponed",
      "article",
      "article",
      "article",
      "article",
    ]);
  });

  it("that are older than the snapshot are known in silence", () => {
    const source = following();
    expect(source.readArticles([release(1, { published: day("2026-02-28") })]).events).toEqual([]);
    expect(source.readArticles([release(2, { published: day("2026-03-01") })]).events).toHaveLength(1);
    expect(source.snapshot.articles.size).toBe(2);
  });

  it("of the days without polls are told after them", () => {
    const source = following();
    source.wait(3 * 24 * 60);
    const articles = [2, 3, 4, 5].map((date) => release(date, { published: day(`2026-03-0${date}`) }));
    expect(source.readArticles(articles).events).toHaveLength(4);
  });

  it("are forgotten after 120 days, and not told again by a source that still shows them", () => {
    const source = following();
    source.readArticles([release(1)]);
    for (let days = 0; days < 260; days += 10) {
      source.wait(10 * 24 * 60);
      const unknown = [release(1)].filter(({ url }) => !source.snapshot.articles.has(url));
      expect(source.readArticles(unknown).events).toEqual([]);
    }
    expect(source.snapshot.articles.size).toBe(0);
  });

  it("never reach a split that left the list", () => {
    const source = following({ exDate: "2026-03-03" });
    source.setTo("2026-03-04T15:00:00Z");
    source.poll(OTHERS);
    expect(source.readArticles([release(1, { published: day("2026-03-04") })]).events).toMatchObject([{ splits: [] }]);
  });
});

describe("a release on what may become a split", () => {
  it.each(["approval_only", "ratio_range"] as const)("is told as early, and as an article: %s", (kind) => {
    const source = following();
    const early = release(1, { kind });
    const { events } = source.readArticles([early]);
    expect(events).toMatchObject([
      { kind: "early", id: `${early.url} early`, article: early, splits: [{ record: { ticker: "ACME" } }] },
      { kind: "article", id: early.url, article: early },
    ]);
    expect(source.readArticles([early]).events).toEqual([]);
  });

  it("is no news when it is older than the snapshot", () => {
    const old = release(1, { kind: "ratio_range", published: day("2026-02-20") });
    expect(following().readArticles([old]).events).toEqual([]);
  });
});

describe("a split that a known release announced", () => {
  it("is announced with a link to it, and with what it says otherwise", () => {
    const source = PolledSource.settled(OTHERS);
    source.readArticles([]);
    const terms = [someTerms({ ratio: "1:25", exDate: "2026-03-10" })];
    source.readArticles([release(1, { terms })]);
    expect(source.poll([...OTHERS, aRecord()])).toMatchObject([
      {
        kind: "announced",
        release: { url: "https://wire.example/1" },
        disagreements: [{ term: "ratio", stated: { newShares: 1, oldShares: 25 } }],
      },
    ]);
    const corrected = source.poll([...OTHERS, aRecord({ ratio: "1:25" })]);
    expect(corrected).toMatchObject([{ kind: "changed", disagreements: [] }]);
  });
});

describe("how far articles are read", () => {
  it("moves with a complete reading, and stays with an incomplete one", () => {
    const source = following();
    source.wait(2 * 24 * 60);
    source.readArticles([release(1)], { complete: false });
    expect(source.snapshot.articlesThrough).toBe("2026-03-02");
    source.readArticles([]);
    expect(source.snapshot.articlesThrough).toBe("2026-03-04");
  });

  it("starts with the first reading, complete or not", () => {
    const source = PolledSource.settled([aRecord()]);
    source.readArticles([release(1)], { complete: false });
    expect(source.snapshot.articlesThrough).toBe("2026-03-02");
  });
});

describe("articles of another source", () => {
  it("begin a new snapshot in silence", () => {
    const source = following();
    source.readArticles([release(1)]);
    const diff = source.readArticles([release(2, { kind: "cancelled" })], { source: "https://other.example" });
    expect(diff).toMatchObject({ events: [], stated: [], patch: { replaces: true } });
    expect([...source.snapshot.articles.keys()]).toEqual(["https://wire.example/2"]);
    expect(source.splits).toEqual([]);
    expect(source.snapshot.splitsKnown).toBe(false);
    expect(source.poll([...OTHERS, aRecord()], 5, { source: "https://other.example" })).toEqual([]);
  });
});

describe("a release that calls a split off", () => {
  it.each(["postponed", "cancelled"] as const)("is told as %s with the split, once however many say so", (kind) => {
    const source = following();
    const first = release(1, { kind });
    const { events } = source.readArticles([first, release(2, { kind })]);
    expect(events.filter((event) => event.kind === kind)).toMatchObject([
      { record: aRecord(), article: first, splitId: acme(source)?.id },
    ]);
    expect(kinds(source.readArticles([release(3, { kind })]))).toEqual(["article"]);
    expect(acme(source)).toMatchObject({ withdrawal: { kind, exDate: "2026-03-10" }, revision: 1 });
  });

  it("is told again when postponed becomes cancelled, in the order of the releases", () => {
    const source = following();
    source.setTo("2026-03-05T15:00:00Z");
    const off = release(1, { kind: "cancelled", published: day("2026-03-05") });
    const later = release(2, { kind: "postponed", published: day("2026-03-03") });
    expect(kinds(source.readArticles([off, later]))).toEqual(["postponed", "cancelled", "article", "article"]);
    expect(acme(source)).toMatchObject({ withdrawal: { kind: "cancelled" }, revision: 2 });
  });

  it("is told again after upstream gave the split new terms", () => {
    const source = following();
    source.readArticles([release(1, { kind: "postponed" })]);
    source.setTo("2026-03-04T15:00:00Z");
    source.poll([...OTHERS, aRecord({ exDate: "2026-03-20" })]);
    const again = release(2, { kind: "postponed", published: day("2026-03-06") });
    source.setTo("2026-03-06T15:00:00Z");
    expect(kinds(source.readArticles([again]))).toEqual(["postponed", "article"]);
    expect(acme(source)).toMatchObject({ withdrawal: { kind: "postponed", exDate: "2026-03-20" } });
  });

  it("holds for no ex date when upstream had moved the date before the release was read", () => {
    const source = following();
    source.poll([...OTHERS, aRecord({ exDate: "2026-03-20" })]);
    expect(kinds(source.readArticles([release(1, { kind: "postponed" })]))).toEqual(["postponed", "article"]);
    expect(acme(source)).toMatchObject({ withdrawal: { kind: "postponed", exDate: null } });
  });

  it("holds all the same where it says cancelled", () => {
    const source = following();
    source.poll([...OTHERS, aRecord({ exDate: "2026-03-20" })]);
    source.readArticles([release(1, { kind: "cancelled" })]);
    expect(acme(source)).toMatchObject({ withdrawal: { kind: "cancelled", exDate: "2026-03-20" } });
  });

  it.each<[string, Partial<KnownArticle>, string]>([
    ["another ticker", { concerns: [{ ticker: ticker("ZZZZ"), exchange: null }] }, "2026-03-02T16:00:00Z"],
    [
      "another market's ticker",
      { concerns: [{ ticker: ticker("ACME"), exchange: exchange("TSX") }] },
      "2026-03-02T16:00:00Z",
    ],
    ["a split that took effect", { published: day("2026-03-11") }, "2026-03-11T16:00:00Z"],
  ])("is no more than an article for %s", (_, parts, at) => {
    const source = following();
    source.setTo(at);
    expect(kinds(source.readArticles([release(1, { kind: "cancelled", ...parts })]))).toEqual(["article"]);
    expect(acme(source)?.withdrawal).toBeNull();
  });

  it.each(["postponed", "cancelled"] as const)("explains a split that went missing, and says so: %s", (kind) => {
    const source = following();
    source.poll(OTHERS, 3);
    const id = acme(source)?.id;
    expect(source.readArticles([release(1, { kind })]).events).toMatchObject([
      { kind, splitId: id, explainsMissing: true },
      { kind: "article" },
    ]);
  });

  it.each(["postponed", "cancelled"] as const)("is named when the split goes missing after it: %s", (kind) => {
    const source = following();
    expect(source.readArticles([release(1, { kind })]).events[0]).toMatchObject({ explainsMissing: false });
    source.readArticles([release(2)]);
    expect(source.poll(OTHERS, 3)).toMatchObject([
      { kind: "missing", withdrawnBy: { url: "https://wire.example/1", kind } },
    ]);
  });

  it("is told right after the announcement when it was read before the list showed the split", () => {
    const source = PolledSource.settled(OTHERS);
    source.readArticles([]);
    source.readArticles([release(1, { kind: "cancelled", seenAt: source.at })]);
    const events = source.poll([...OTHERS, aRecord()]);
    expect(events).toMatchObject([
      { kind: "announced", record: { ticker: "ACME" } },
      { kind: "cancelled", record: { ticker: "ACME" }, article: { url: release(1).url }, explainsMissing: false },
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(2);
    expect(acme(source)).toMatchObject({ revision: 2, withdrawal: { kind: "cancelled" } });
    expect(source.poll([...OTHERS, aRecord()])).toEqual([]);
  });

  it.each<[string, Partial<KnownArticle>, Parameters<typeof aRecord>[0], string]>([
    ["was read days before", { kind: "cancelled" }, {}, "2026-03-05T14:00:00Z"],
    ["came before its announcement", { kind: "cancelled" }, { dateAnnounced: "2026-03-03" }, "2026-03-02T16:00:00Z"],
    [
      "names the date that the list shows",
      { kind: "postponed", terms: [someTerms({ exDate: "2026-03-10" })] },
      {},
      "2026-03-02T16:00:00Z",
    ],
  ])("does not call off a split that is new to the list where it %s", (_, parts, record, at) => {
    const source = PolledSource.settled(OTHERS);
    source.readArticles([]);
    source.readArticles([release(1, { seenAt: source.at, ...parts })]);
    source.setTo(at);
    expect(source.poll([...OTHERS, aRecord(record)]).map(({ kind }) => kind)).toEqual(["announced"]);
    expect(acme(source)?.withdrawal).toBeNull();
  });

  it("explains nothing once the source has listed a new date", () => {
    const source = following();
    source.readArticles([release(1, { kind: "postponed" })]);
    source.setTo("2026-03-04T15:00:00Z");
    source.poll([...OTHERS, aRecord({ exDate: "2026-03-20" })]);
    expect(source.poll(OTHERS, 3)).toMatchObject([{ kind: "missing", withdrawnBy: null }]);
  });

  it.each([
    ["was gone before its old date", "2026-03-06T15:00:00Z"],
    ["was gone when its old date passed", "2026-03-12T15:00:00Z"],
  ])("as postponed is followed by the new date as a change, though the split %s", (_what, at) => {
    const source = following();
    source.readArticles([release(1, { kind: "postponed" })]);
    source.poll(OTHERS, 3);
    source.setTo(at);
    source.poll(OTHERS);
    expect(source.poll([...OTHERS, aRecord({ exDate: "2026-03-20" })])).toMatchObject([
      { kind: "changed", was: aRecord(), record: aRecord({ exDate: "2026-03-20" }), terms: ["exDate"] },
    ]);
    expect(acme(source)).toMatchObject({ status: "listed", withdrawal: null, removedAt: null });
  });

  it("as cancelled is followed by a new split once its old date has passed", () => {
    const source = following();
    source.readArticles([release(1, { kind: "cancelled" })]);
    source.poll(OTHERS, 3);
    source.setTo("2026-03-12T15:00:00Z");
    source.poll(OTHERS);
    expect(source.poll([...OTHERS, aRecord({ exDate: "2026-03-20" })])).toMatchObject([{ kind: "announced" }]);
  });

  it("says what is known of fractions, from whichever release", () => {
    const source = following();
    source.readArticles([release(1, { fraction: ROUND_UP })]);
    expect(source.readArticles([release(2, { kind: "postponed" })]).events[0]).toMatchObject({
      kind: "postponed",
      fraction: { treatment: "round_up", url: "https://wire.example/1" },
    });
  });

  it("names every split that it concerns", () => {
    const source = PolledSource.settled([...OTHERS, aRecord(), aRecord({ exDate: "2026-04-10" })]);
    source.readArticles([]);
    const both = kinds(source.readArticles([release(1, { kind: "cancelled" })]));
    expect(both).toEqual(["cancelled", "cancelled", "article"]);
  });
});

describe("a treatment of fractions that a release states after the announcement", () => {
  it("is given once", () => {
    const source = announcedAcme();
    expect(source.readArticles([release(1)]).stated).toEqual([]);
    const { stated } = source.readArticles([release(2, { fraction: ROUND_UP })]);
    expect(stated).toMatchObject([
      { kind: "announced", id: `${acme(source)?.id}.stated-round_up`, fraction: ROUND_UP, alreadyEffective: false },
    ]);
    expect(source.readArticles([release(3, { fraction: ROUND_UP })]).stated).toEqual([]);
  });

  it("is given again when a later release states another one", () => {
    const source = announcedAcme();
    source.readArticles([release(1, { fraction: ROUND_UP })]);
    const fraction = { ...ROUND_UP, treatment: "cash_in_lieu", sentence: "Cash is paid." } as const;
    source.setTo("2026-03-03T15:00:00Z");
    expect(source.readArticles([release(2, { fraction, published: day("2026-03-03") })]).stated).toMatchObject([
      { id: `${acme(source)?.id}.stated-cash_in_lieu`, fraction },
    ]);
  });

  it("is given by the first reading of articles too, for a split that was announced before it", () => {
    const source = PolledSource.settled(OTHERS);
    source.poll([...OTHERS, aRecord()]);
    expect(source.readArticles([release(1, { fraction: ROUND_UP })]).stated).toHaveLength(1);
  });

  it("is not given for a split that nobody was told of, that is missing, or that took effect", () => {
    const stating = release(1, { fraction: ROUND_UP });
    expect(following().readArticles([stating]).stated).toEqual([]);

    const missing = announcedAcme();
    missing.poll(OTHERS, 3);
    expect(missing.readArticles([stating]).stated).toEqual([]);

    const over = announcedAcme();
    over.setTo("2026-03-11T15:00:00Z");
    expect(over.readArticles([stating]).stated).toEqual([]);
  });
});

describe("a release from before our time that calls a split off", () => {
  const off = release(1, { kind: "cancelled", published: day("2026-02-28") });

  it("is no news, yet nobody is reminded of the split", () => {
    const source = PolledSource.settled([...OTHERS, aRecord()]);
    expect(source.readArticles([off])).toMatchObject({ events: [], stated: [] });
    expect(acme(source)).toMatchObject({ withdrawal: { kind: "cancelled", exDate: "2026-03-10" }, revision: 0 });
    source.setTo("2026-03-10T13:00:00Z");
    expect(source.remind()).toEqual([]);
  });

  it("counts when a later reading brings it too", () => {
    const source = following();
    expect(source.readArticles([off]).events).toEqual([]);
    expect(acme(source)).toMatchObject({ withdrawal: { kind: "cancelled" }, revision: 0 });
  });

  it("counts when it is read before the first list", () => {
    const source = new PolledSource();
    source.readArticles([off]);
    expect(source.poll([...OTHERS, aRecord()])).toEqual([]);
    expect(acme(source)).toMatchObject({ withdrawal: { kind: "cancelled", exDate: "2026-03-10" }, revision: 0 });
  });

  it("counts for the rest of a first list that came in part", () => {
    const source = new PolledSource();
    source.poll([]);
    source.readArticles([off]);
    expect(source.poll([...OTHERS, aRecord()])).toEqual([]);
    expect(acme(source)).toMatchObject({ withdrawal: { kind: "cancelled" }, revision: 0 });
  });

  it("is followed by the last word of several", () => {
    const source = PolledSource.settled([...OTHERS, aRecord()]);
    source.readArticles([off, release(2, { kind: "postponed", published: day("2026-02-20") })]);
    expect(acme(source)?.withdrawal).toMatchObject({ kind: "cancelled" });
  });

  it.each<[string, Parameters<typeof aRecord>[0], readonly KnownArticle[]]>([
    ["the source dates the announcement later", { dateAnnounced: "2026-03-01" }, [off]],
    [
      "a later release announces the split again",
      {},
      [off, release(2, { kind: "reverse_split", published: day("2026-03-01") })],
    ],
    ["it is about another company first", {}, [{ ...off, concerns: [{ ticker: ticker("ZZZZ"), exchange: null }] }]],
  ])("does not count where %s", (_, parts, articles) => {
    const source = PolledSource.settled([...OTHERS, aRecord(parts)]);
    source.readArticles(articles);
    expect(acme(source)?.withdrawal).toBeNull();
    const reversed = new PolledSource();
    reversed.readArticles(articles);
    reversed.poll([...OTHERS, aRecord(parts)]);
    expect(acme(reversed)?.withdrawal).toBeNull();
  });

  it("does not count for a split that is announced after it", () => {
    const source = PolledSource.settled(OTHERS);
    source.readArticles([off]);
    expect(source.poll([...OTHERS, aRecord()])).toMatchObject([{ kind: "announced" }]);
    expect(acme(source)?.withdrawal).toBeNull();
  });
});

describe("a release that takes the calling off back", () => {
  const off = release(1, { kind: "cancelled", published: day("2026-03-02") });
  const back = release(2, {
    published: day("2026-03-03"),
    kindSentence: "The reverse split will proceed as originally announced.",
  });

  it("has the split as it was before, told as a release, in whatever order they are read", () => {
    const source = following();
    source.readArticles([off]);
    expect(kinds(source.readArticles([back]))).toEqual(["article"]);
    expect(acme(source)).toMatchObject({ withdrawal: null, revision: 2 });
    const atOnce = following();
    atOnce.readArticles([back, off]);
    expect(acme(atOnce)?.withdrawal).toBeNull();
  });

  it.each<[string, Partial<KnownArticle>]>([
    ["only announces a split", { kindSentence: "Acme announces a reverse split." }],
    ["is older", { published: day("2026-03-01") }],
    ["is about another company", { concerns: [{ ticker: ticker("ZZZZ"), exchange: null }] }],
  ])("does not where it %s", (_, parts) => {
    const source = following();
    source.readArticles([off]);
    source.readArticles([{ ...back, ...parts }]);
    expect(acme(source)?.withdrawal).toMatchObject({ kind: "cancelled" });
  });

  it("counts for a first list as well, also on the same day", () => {
    const source = new PolledSource();
    source.readArticles([off, { ...back, published: off.published }]);
    source.poll([...OTHERS, aRecord()]);
    expect(acme(source)).toMatchObject({ withdrawal: null });
  });
});

describe("a release that calls a split off and names other companies", () => {
  it("speaks of the company that it names first", () => {
    const source = following();
    const concerns = ["ACME", "AAAA"].map((name) => ({ ticker: ticker(name), exchange: null }));
    const { events } = source.readArticles([release(1, { kind: "cancelled", concerns })]);
    const cancelled = events.filter(({ kind }) => kind === "cancelled");
    expect(cancelled).toMatchObject([{ record: { ticker: "ACME" } }]);
  });
});

describe("a reading of articles", () => {
  it("that is made twice on one snapshot gives the same ids, and its patch does nothing more the second time", () => {
    const source = following();
    const fresh = [release(1, { kind: "postponed" }), release(2, { fraction: ROUND_UP })];
    const reading = { ...source.reading([]), fresh, listed: [], complete: true };
    const diff = diffArticles(source.snapshot, reading);
    expect(diffArticles(source.snapshot, reading)).toEqual(diff);
    const once = applyPatch(source.snapshot, diff.patch);
    expect(applyPatch(once, diff.patch)).toEqual(once);
  });

  it("leaves the rest of the snapshot as it was", () => {
    const source = following();
    const before = source.snapshot;
    source.readArticles([release(1)]);
    expect(source.snapshot).toEqual({
      ...before,
      articles: new Map([["https://wire.example/1", release(1)]]),
      articlesThrough: addDays(dayInZone(source.at, MARKET_ZONE), 0),
    });
  });
});
