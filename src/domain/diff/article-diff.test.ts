import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aKnownArticle, aRecord, day, exchange, someTerms, ticker } from "../../../test/support/builders.ts";
import { PolledSource } from "../../../test/support/polled-source.ts";
import type { Event } from "../alert/event.ts";
import type { KnownArticle } from "../article/article.ts";
import type { Split } from "../split/split.ts";
import { addDays, dayInZone } from "../time/day.ts";
import { MARKET_ZONE } from "../time/trading-day.ts";
import { type ArticleDiff, diffArticles } from "./article-diff.ts";
import { applyPatch } from "./snapshot.ts";

const OTHERS = ["AAAA", "BBBB", "CCCC"].map((symbol) =>
  aRecord({ ticker: symbol, company: `${symbol} Holdings`, exDate: "2026-05-12" }),
);
const CASH = { treatment: "cash_in_lieu", level: null, sentence: "Cash is paid." } as const;
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

/** Short form of the events about changed statements: `fraction: round_up → cash_in_lieu`. */
function changes({ events }: Pick<ArticleDiff, "events">): string[] {
  return changesIn(events);
}

function changesIn(events: readonly Event[]): string[] {
  return events.flatMap((event) => {
    if (event.kind !== "changed") return [];
    const { was, now } = event.stated ?? { was: null, now: null };
    const text = (one: typeof was): string =>
      [one?.fraction?.treatment, one?.fraction?.level, one?.newCusip?.value].filter(Boolean).join(" ");
    return [`${event.terms.join(",")}: ${text(was)} → ${text(now)}`];
  });
}

function kinds({ events }: ArticleDiff): string[] {
  return events.map(({ kind }) => kind);
}

describe("articles", () => {
  it("of the first poll make no events, and are known afterwards", () => {
    const source = PolledSource.settled([aRecord()]);
    const articles = [release(1), release(2, { kind: "cancelled" }), release(3, { published: day("2026-01-10") })];
    expect(source.readArticles(articles)).toMatchObject({ events: [], treatmentAnnouncements: [] });
    expect(source.readArticles(articles).events).toEqual([]);
    expect(source.snapshot.articles.size).toBe(3);
  });

  it("make one event each, oldest first, with the splits that they concern", () => {
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

  it("are linked to listed splits, including those not announced yet", () => {
    const source = PolledSource.settled(OTHERS);
    source.readArticles([]);
    const listed = [...OTHERS, aRecord()];
    const { events } = source.readArticles([release(1)], { listed });
    expect(events).toMatchObject([{ kind: "article", splits: [{ record: { ticker: "ACME" } }] }]);
    source.poll(listed);
    const later = source.readArticles([release(2)], { listed: [...OTHERS, aRecord({ exDate: "2026-03-12" })] });
    expect(later.events).toMatchObject([{ splits: [{ splitId: acme(source)?.id, record: { exDate: "2026-03-10" } }] }]);
  });

  it("that are corrected are updated without another event", () => {
    const source = following();
    source.readArticles([release(1, { terms: [someTerms({ ratio: "1:30" })] })]);
    const corrected = release(1, { version: "2", terms: [someTerms({ ratio: "1:20" })], fraction: ROUND_UP });
    expect(source.readArticles([corrected])).toMatchObject({ events: [], patch: { articles: [corrected] } });
    expect([...source.snapshot.articles.values()]).toEqual([corrected]);
    expect(source.readArticles([corrected]).patch.articles).toEqual([]);
  });

  it("whose correction states a treatment of fractions are sent to rules that filter by it", () => {
    const source = announcedAcme();
    source.readArticles([release(1)]);
    const { treatmentAnnouncements: stated } = source.readArticles([release(1, { version: "2", fraction: ROUND_UP })]);
    expect(stated).toMatchObject([{ kind: "announced", fraction: { treatment: "round_up", url: release(1).url } }]);
  });

  it("whose correction makes them a withdrawal or an approval make that event", () => {
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

  it("make the same events regardless of their order and repetition", () => {
    const articles = [
      release(1, { kind: "postponed", published: day("2026-03-01") }),
      release(2, { kind: "cancelled", fraction: ROUND_UP }),
      release(3),
      release(4, { concerns: [{ ticker: ticker("BBBB"), exchange: null }], kind: "postponed" }),
    ];
    const source = following();
    const receivedUrls = new Set(articles.map(({ url }) => url));
    const reading = { ...source.listOf([]), receivedUrls, listed: [], complete: true };
    const expected = diffArticles(source.snapshot, { ...reading, newArticles: articles });
    const disordered = fc.shuffledSubarray([...articles, ...articles], { minLength: 8 });
    fc.assert(
      fc.property(disordered, (newArticles) => {
        expect(diffArticles(source.snapshot, { ...reading, newArticles })).toEqual(expected);
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

  it("older than the snapshot make no events", () => {
    const source = following();
    expect(source.readArticles([release(1, { published: day("2026-02-28") })]).events).toEqual([]);
    expect(source.readArticles([release(2, { published: day("2026-03-01") })]).events).toHaveLength(1);
    expect(source.snapshot.articles.size).toBe(2);
  });

  it("of days without polls make events afterwards", () => {
    const source = following();
    source.wait(3 * 24 * 60);
    const articles = [2, 3, 4, 5].map((date) => release(date, { published: day(`2026-03-0${date}`) }));
    expect(source.readArticles(articles).events).toHaveLength(4);
  });

  it("are purged after 120 days, and make no event if a source still shows them", () => {
    const source = following();
    source.readArticles([release(1)]);
    for (let days = 0; days < 260; days += 10) {
      source.wait(10 * 24 * 60);
      const unknown = [release(1)].filter(({ url }) => !source.snapshot.articles.has(url));
      expect(source.readArticles(unknown).events).toEqual([]);
    }
    expect(source.snapshot.articles.size).toBe(0);
  });

  it("are not linked to splits that left the list", () => {
    const source = following({ exDate: "2026-03-03" });
    source.setTo("2026-03-04T15:00:00Z");
    source.poll(OTHERS);
    expect(source.readArticles([release(1, { published: day("2026-03-04") })]).events).toMatchObject([{ splits: [] }]);
  });
});

describe("an article whose URL changes", () => {
  it("makes no event again, and replaces the known article", () => {
    const source = following();
    source.readArticles([release(1, { kind: "postponed" })]);
    const moved = release(2, { kind: "postponed" });
    const seenAt = source.snapshot.articles.get(release(1).url)?.seenAt;
    expect(source.readArticles([moved], { unlistedUrls: [release(1).url] }).events).toEqual([]);
    expect([...source.snapshot.articles.values()]).toEqual([{ ...moved, seenAt }]);
    expect(
      source.readArticles([release(3, { kind: "cancelled" })], { unlistedUrls: [moved.url] }).events,
    ).toMatchObject([{ kind: "cancelled" }]);
  });

  it.each([
    ["moved", [release(1).url], []],
    ["another article", [], [{ kind: "article", id: release(2).url }]],
  ])("is saved after an incomplete answer when a complete one shows that it is %s", (_, unlistedUrls, events) => {
    const source = following();
    source.readArticles([release(1)]);
    const incomplete = source.readArticles([release(2)], { complete: false, unlistedUrls: [release(1).url] });
    expect([incomplete.events, incomplete.patch.articles]).toEqual([[], []]);
    expect(source.readArticles([release(2)], { unlistedUrls }).events).toMatchObject(events);
  });

  it.each<[string, Partial<KnownArticle>]>([
    ["text", { version: "2" }],
    ["heading", { heading: "Another heading" }],
    ["wire", { source: "another" }],
    ["day", { published: day("2026-03-03") }],
  ])("is another article if its %s differs", (_, difference) => {
    const source = following();
    source.readArticles([release(1)]);
    const { events } = source.readArticles([release(2, difference)], { unlistedUrls: [release(1).url] });
    expect(events).toMatchObject([{ kind: "article", id: release(2).url }]);
  });

  it("is another article if the source lists both", () => {
    const source = following();
    source.readArticles([release(1)]);
    expect(source.readArticles([release(2)]).events).toMatchObject([{ kind: "article", id: release(2).url }]);
  });
});

describe("an early release", () => {
  it.each(["approval_only", "ratio_range"] as const)("makes an early and an article event: %s", (kind) => {
    const source = following();
    const early = release(1, { kind });
    const { events } = source.readArticles([early]);
    expect(events).toMatchObject([
      { kind: "early", id: `${early.url} early`, article: early, splits: [{ record: { ticker: "ACME" } }] },
      { kind: "article", id: early.url, article: early },
    ]);
    expect(source.readArticles([early]).events).toEqual([]);
  });

  it("makes no events if it is older than the snapshot", () => {
    const old = release(1, { kind: "ratio_range", published: day("2026-02-20") });
    expect(following().readArticles([old]).events).toEqual([]);
  });
});

describe("a split announced by a known release", () => {
  it("is announced with a link and the differing terms", () => {
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

describe("articlesThrough", () => {
  it("moves with a complete poll, and stays with an incomplete one", () => {
    const source = following();
    source.wait(2 * 24 * 60);
    source.readArticles([release(1)], { complete: false });
    expect(source.snapshot.articlesThrough).toBe("2026-03-02");
    source.readArticles([]);
    expect(source.snapshot.articlesThrough).toBe("2026-03-04");
  });

  it("is set by the first poll, complete or not", () => {
    const source = PolledSource.settled([aRecord()]);
    source.readArticles([release(1)], { complete: false });
    expect(source.snapshot.articlesThrough).toBe("2026-03-02");
  });
});

describe("articles of another source", () => {
  it("begin a new snapshot without events", () => {
    const source = following();
    source.readArticles([release(1)]);
    const diff = source.readArticles([release(2, { kind: "cancelled" })], { source: "https://other.example" });
    expect(diff).toMatchObject({ events: [], treatmentAnnouncements: [], patch: { replaces: true } });
    expect([...source.snapshot.articles.keys()]).toEqual(["https://wire.example/2"]);
    expect(source.splits).toEqual([]);
    expect(source.snapshot.splitsKnown).toBe(false);
    expect(source.poll([...OTHERS, aRecord()], 5, { source: "https://other.example" })).toEqual([]);
  });
});

describe("a release that withdraws a split", () => {
  it.each(["postponed", "cancelled"] as const)(
    "makes one %s event with the split for any number of releases",
    (kind) => {
      const source = following();
      const first = release(1, { kind });
      const { events } = source.readArticles([first, release(2, { kind })]);
      expect(events.filter((event) => event.kind === kind)).toMatchObject([
        { record: aRecord(), article: first, splitId: acme(source)?.id },
      ]);
      expect(kinds(source.readArticles([release(3, { kind })]))).toEqual(["article"]);
      expect(acme(source)).toMatchObject({ withdrawal: { kind, exDate: "2026-03-10" }, revision: 1 });
    },
  );

  it("makes another event when postponed becomes cancelled, in release order", () => {
    const source = following();
    source.setTo("2026-03-05T15:00:00Z");
    const off = release(1, { kind: "cancelled", published: day("2026-03-05") });
    const later = release(2, { kind: "postponed", published: day("2026-03-03") });
    expect(kinds(source.readArticles([off, later]))).toEqual(["postponed", "cancelled", "article", "article"]);
    expect(acme(source)).toMatchObject({ withdrawal: { kind: "cancelled" }, revision: 2 });
  });

  it("makes another event after the list gave the split new terms", () => {
    const source = following();
    source.readArticles([release(1, { kind: "postponed" })]);
    source.setTo("2026-03-04T15:00:00Z");
    source.poll([...OTHERS, aRecord({ exDate: "2026-03-20" })]);
    const again = release(2, { kind: "postponed", published: day("2026-03-06") });
    source.setTo("2026-03-06T15:00:00Z");
    expect(kinds(source.readArticles([again]))).toEqual(["postponed", "article"]);
    expect(acme(source)).toMatchObject({ withdrawal: { kind: "postponed", exDate: "2026-03-20" } });
  });

  it("has no ex date if the list moved the date before the release was read", () => {
    const source = following();
    source.poll([...OTHERS, aRecord({ exDate: "2026-03-20" })]);
    const diff = source.readArticles([release(1, { kind: "postponed" })]);
    expect(kinds(diff)).toEqual(["postponed", "article"]);
    expect(diff.events[0]).toMatchObject({ isRescheduled: true });
    expect(acme(source)).toMatchObject({ withdrawal: { kind: "postponed", exDate: null } });
  });

  it("keeps its ex date if it is a cancellation", () => {
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
  ])("makes only an article event for %s", (_, parts, at) => {
    const source = following();
    source.setTo(at);
    expect(kinds(source.readArticles([release(1, { kind: "cancelled", ...parts })]))).toEqual(["article"]);
    expect(acme(source)?.withdrawal).toBeNull();
  });

  it.each(["postponed", "cancelled"] as const)("explains a missing split: %s", (kind) => {
    const source = following();
    source.poll(OTHERS, 3);
    const id = acme(source)?.id;
    expect(source.readArticles([release(1, { kind })]).events).toMatchObject([
      { kind, splitId: id, explainsMissing: true },
      { kind: "article" },
    ]);
  });

  it.each(["postponed", "cancelled"] as const)("is named when the split goes missing afterwards: %s", (kind) => {
    const source = following();
    const sentence = `The split is ${kind}.`;
    const { events } = source.readArticles([release(1, { kind, kindSentence: sentence })]);
    expect(events[0]).toMatchObject({ explainsMissing: false });
    source.readArticles([release(2)]);
    expect(source.poll(OTHERS, 3)).toMatchObject([
      { kind: "missing", withdrawnBy: { url: "https://wire.example/1", kind, sentence } },
    ]);
  });

  it("makes its event right after the announcement if it was read before the split was listed", () => {
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
    [
      "was published before its announcement",
      { kind: "cancelled" },
      { dateAnnounced: "2026-03-03" },
      "2026-03-02T16:00:00Z",
    ],
    [
      "names the date that the list shows",
      { kind: "postponed", terms: [someTerms({ exDate: "2026-03-10" })] },
      {},
      "2026-03-02T16:00:00Z",
    ],
  ])("does not withdraw a newly listed split if it %s", (_, parts, record, at) => {
    const source = PolledSource.settled(OTHERS);
    source.readArticles([]);
    source.readArticles([release(1, { seenAt: source.at, ...parts })]);
    source.setTo(at);
    expect(source.poll([...OTHERS, aRecord(record)]).map(({ kind }) => kind)).toEqual(["announced"]);
    expect(acme(source)?.withdrawal).toBeNull();
  });

  it("explains nothing after the list moved the date", () => {
    const source = following();
    source.readArticles([release(1, { kind: "postponed" })]);
    source.setTo("2026-03-04T15:00:00Z");
    source.poll([...OTHERS, aRecord({ exDate: "2026-03-20" })]);
    expect(source.poll(OTHERS, 3)).toMatchObject([{ kind: "missing", withdrawnBy: null }]);
  });

  it.each([
    ["was removed before its old date", "2026-03-06T15:00:00Z"],
    ["was missing when its old date passed", "2026-03-12T15:00:00Z"],
  ])("that says postponed is followed by a change to the new date, even if the split %s", (_what, at) => {
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

  it("that cancels is followed by a new split after the old date has passed", () => {
    const source = following();
    source.readArticles([release(1, { kind: "cancelled" })]);
    source.poll(OTHERS, 3);
    source.setTo("2026-03-12T15:00:00Z");
    source.poll(OTHERS);
    expect(source.poll([...OTHERS, aRecord({ exDate: "2026-03-20" })])).toMatchObject([{ kind: "announced" }]);
  });

  it("includes the fraction treatment of any release", () => {
    const source = following();
    source.readArticles([release(1, { fraction: ROUND_UP })]);
    expect(source.readArticles([release(2, { kind: "postponed" })]).events[0]).toMatchObject({
      kind: "postponed",
      fraction: { treatment: "round_up", url: "https://wire.example/1" },
    });
  });

  it("makes an event for every split that it concerns", () => {
    const source = PolledSource.settled([...OTHERS, aRecord(), aRecord({ exDate: "2026-04-10" })]);
    source.readArticles([]);
    const both = kinds(source.readArticles([release(1, { kind: "cancelled" })]));
    expect(both).toEqual(["cancelled", "cancelled", "article"]);
  });
});

describe("a fraction treatment stated after the announcement", () => {
  it("is reported once", () => {
    const source = announcedAcme();
    expect(source.readArticles([release(1)]).treatmentAnnouncements).toEqual([]);
    const { treatmentAnnouncements: stated } = source.readArticles([release(2, { fraction: ROUND_UP })]);
    expect(stated).toMatchObject([
      { kind: "announced", id: `${acme(source)?.id}.stated-round_up`, fraction: ROUND_UP, alreadyEffective: false },
    ]);
    expect(source.readArticles([release(3, { fraction: ROUND_UP })]).treatmentAnnouncements).toEqual([]);
  });

  it("is a change, not another announcement, when a later release states another treatment", () => {
    const source = announcedAcme();
    source.readArticles([release(1, { fraction: ROUND_UP })]);
    source.setTo("2026-03-03T15:00:00Z");
    const later = source.readArticles([release(2, { fraction: CASH, published: day("2026-03-03") })]);
    expect(later.treatmentAnnouncements).toEqual([]);
    expect(changes(later)).toEqual(["fraction: round_up → cash_in_lieu"]);
  });

  it("is reported by the first poll of articles for a split announced before", () => {
    const source = PolledSource.settled(OTHERS);
    source.poll([...OTHERS, aRecord()]);
    expect(source.readArticles([release(1, { fraction: ROUND_UP })]).treatmentAnnouncements).toHaveLength(1);
  });

  it("is not reported for splits that were not announced, are missing, or took effect", () => {
    const stating = release(1, { fraction: ROUND_UP });
    expect(following().readArticles([stating]).treatmentAnnouncements).toEqual([]);

    const missing = announcedAcme();
    missing.poll(OTHERS, 3);
    expect(missing.readArticles([stating]).treatmentAnnouncements).toEqual([]);

    const over = announcedAcme();
    over.setTo("2026-03-11T15:00:00Z");
    expect(over.readArticles([stating]).treatmentAnnouncements).toEqual([]);
  });
});

/** The changes that releases of one day make, read one after the other. */
function changesMadeBy(...releases: readonly Partial<KnownArticle>[]): string[] {
  const source = announcedAcme();
  return releases.flatMap((parts, index) => {
    source.wait(90);
    return changes(source.readArticles([release(index, { version: String(index), seenAt: source.at, ...parts })]));
  });
}

describe("a release that states another term than before", () => {
  const [holder, participant] = [
    { ...ROUND_UP, level: "holder" },
    { ...ROUND_UP, level: "participant" },
  ] as const;

  it.each<[string, readonly Partial<KnownArticle>[], readonly string[]]>([
    ["another treatment", [{ fraction: ROUND_UP }, { fraction: CASH }], ["fraction: round_up → cash_in_lieu"]],
    [
      "another treatment in place",
      [{ fraction: ROUND_UP }, { url: "https://wire.example/0", fraction: CASH }],
      ["fraction: round_up → cash_in_lieu"],
    ],
    [
      "another treatment in place of one that is older than the snapshot",
      [
        { fraction: ROUND_UP, published: day("2026-02-20") },
        { url: "https://wire.example/0", fraction: CASH, published: day("2026-02-20") },
      ],
      ["fraction: round_up → cash_in_lieu"],
    ],
    [
      "another level",
      [{ fraction: holder }, { fraction: participant }],
      ["fraction: round_up holder → round_up participant"],
    ],
    [
      "another CUSIP",
      [{ terms: [someTerms({ newCusip: "00401C207" })] }, { terms: [someTerms({ newCusip: "00401C306" })] }],
      ["newCusip: 00401C207 → 00401C306"],
    ],
    [
      "another treatment and back",
      [{ fraction: ROUND_UP }, { fraction: CASH }, { fraction: ROUND_UP }],
      ["fraction: round_up → cash_in_lieu", "fraction: cash_in_lieu → round_up"],
    ],
    [
      "another level after a release without one",
      [{ fraction: holder }, { fraction: ROUND_UP }, { fraction: participant }],
      ["fraction: round_up holder → round_up participant"],
    ],
  ])("makes one event for %s", (_, releases, events) => {
    expect(changesMadeBy(...releases)).toEqual(events);
  });

  it.each<[string, readonly Partial<KnownArticle>[]]>([
    ["the first statement", [{}, { fraction: ROUND_UP }]],
    ["a repetition", [{ fraction: ROUND_UP }, { fraction: { ...ROUND_UP, sentence: "Fractions round up." } }]],
    ["a release that states nothing", [{ fraction: ROUND_UP }, { fraction: null }]],
    [
      "the same CUSIP in another sentence",
      [
        { terms: [{ ...someTerms({ newCusip: "00401C207" }), newCusipSentence: "New CUSIP: 00401C207." }] },
        { terms: [{ ...someTerms({ newCusip: "00401C207" }), newCusipSentence: "The CUSIP becomes 00401C207." }] },
      ],
    ],
    ["the level for the first time", [{ fraction: ROUND_UP }, { fraction: holder }]],
    ["no level any more", [{ fraction: holder }, { fraction: ROUND_UP }]],
    ["an older release", [{ fraction: ROUND_UP }, { fraction: CASH, published: day("2026-03-01") }]],
    ["another company's release", [{ fraction: ROUND_UP }, { fraction: CASH, subject: "Evil Research LLC" }]],
    [
      "a release that names another issuer first",
      [
        { fraction: ROUND_UP },
        {
          fraction: CASH,
          concerns: [
            { ticker: ticker("BBBB"), exchange: null },
            { ticker: ticker("ACME"), exchange: null },
          ],
        },
      ],
    ],
    ["a cancellation", [{ fraction: ROUND_UP }, { fraction: CASH, kind: "cancelled" }]],
    ["the completion of an earlier split", [{ fraction: ROUND_UP }, { fraction: CASH, kind: "completed_past" }]],
  ])("makes no event for %s", (_, releases) => {
    expect(changesMadeBy(...releases)).toEqual([]);
  });

  it("makes one event for another treatment after a correction that stated none", () => {
    const source = announcedAcme();
    source.readArticles([release(1, { fraction: ROUND_UP })]);
    expect(changes(source.readArticles([release(1, { version: "2", fraction: null })]))).toEqual([]);
    const corrected = source.readArticles([release(1, { version: "3", fraction: CASH })]);
    expect(changes(corrected)).toEqual(["fraction: round_up → cash_in_lieu"]);
    expect(corrected.treatmentAnnouncements).toEqual([]);
  });

  it("makes one event for another treatment under the company's new name", () => {
    const source = announcedAcme();
    source.readArticles([release(1, { fraction: ROUND_UP, subject: "Acme Robotics Inc." })]);
    source.poll([...OTHERS, aRecord({ company: "Nova Brands Inc." })]);
    const renamed = release(2, { fraction: CASH, subject: "Nova Brands Inc." });
    expect(changes(source.readArticles([renamed]))).toEqual(["fraction: round_up → cash_in_lieu"]);
  });

  it("makes no event if an earlier release of the same day is corrected in another respect", () => {
    const source = announcedAcme();
    source.readArticles([release(1, { fraction: ROUND_UP })]);
    source.wait(60);
    source.readArticles([release(2, { fraction: CASH, seenAt: source.at })]);
    source.wait(60);
    const again = source.readArticles([release(1, { version: "2", fraction: ROUND_UP, seenAt: source.at })]);
    expect(changes(again)).toEqual([]);
    expect(source.snapshot.articles.get(release(1).url)?.seenAt).toBe(release(1).seenAt);
  });

  it("makes an event after the ex date, also when the split has left the list", () => {
    const source = announcedAcme();
    source.readArticles([release(1, { fraction: ROUND_UP })]);
    source.setTo("2026-03-25T15:00:00Z");
    source.poll(OTHERS);
    const correction = { kind: "completed_past", published: day("2026-03-25"), fraction: CASH } as const;
    expect(changes(source.readArticles([release(2, correction)]))).toEqual(["fraction: round_up → cash_in_lieu"]);
    expect(source.poll(OTHERS, 3)).toEqual([]);
  });

  it("makes no event for the past split if it announces the next one", () => {
    const source = announcedAcme();
    source.readArticles([release(1, { fraction: ROUND_UP })]);
    source.setTo("2026-03-20T15:00:00Z");
    source.poll(OTHERS);
    for (const terms of [[], [someTerms({ ratio: "1:10" })], [someTerms({ ratio: "1:20", exDate: "2026-04-20" })]]) {
      const next = release(terms.length, {
        published: day("2026-03-20"),
        fraction: CASH,
        terms,
        version: JSON.stringify(terms),
      });
      expect(changes(source.readArticles([{ ...next, url: `${next.url}/${next.version}` }]))).toEqual([]);
    }
  });

  it("is alerted with the row that changed at the same time", () => {
    const source = announcedAcme();
    source.readArticles([release(1, { fraction: ROUND_UP })]);
    source.wait(90);
    expect(changes(source.readArticles([release(2, { fraction: CASH })], { beforeList: true }))).toEqual([]);
    expect(changesIn(source.poll([...OTHERS, aRecord({ ratio: "1:25" })], 3))).toEqual([
      "ratio,fraction: round_up → cash_in_lieu",
    ]);
  });

  it("is alerted by the next poll if the row didn't change after all", () => {
    const source = announcedAcme();
    source.readArticles([release(1, { fraction: ROUND_UP })]);
    source.readArticles([release(2, { fraction: CASH })], { beforeList: true });
    expect(changesIn(source.poll([...OTHERS, aRecord()], 3))).toEqual(["fraction: round_up → cash_in_lieu"]);
  });

  it("is held while it flaps, until it is stable for an hour", () => {
    const source = announcedAcme();
    const read = (fraction: KnownArticle["fraction"]): string[] =>
      changes(source.readArticles([release(1, { version: String(source.at), seenAt: source.at, fraction })]));
    read(ROUND_UP);
    const shown = [CASH, ROUND_UP, CASH, ROUND_UP, CASH, ROUND_UP].flatMap(read);
    expect(shown).toHaveLength(3);
    expect(changesIn(source.poll([...OTHERS, aRecord()], 20))).toEqual([]);
    expect(changesIn(source.poll([...OTHERS, aRecord()], 20))).toEqual(["fraction: cash_in_lieu → round_up"]);
  });
});

describe("a withdrawal older than the snapshot", () => {
  const off = release(1, { kind: "cancelled", published: day("2026-02-28") });

  it("makes no event, and no reminders are sent", () => {
    const source = PolledSource.settled([...OTHERS, aRecord()]);
    expect(source.readArticles([off])).toMatchObject({ events: [], treatmentAnnouncements: [] });
    expect(acme(source)).toMatchObject({ withdrawal: { kind: "cancelled", exDate: "2026-03-10" }, revision: 0 });
    source.setTo("2026-03-10T13:00:00Z");
    expect(source.remind()).toEqual([]);
  });

  it("applies if a later poll returns it", () => {
    const source = following();
    expect(source.readArticles([off]).events).toEqual([]);
    expect(acme(source)).toMatchObject({ withdrawal: { kind: "cancelled" }, revision: 0 });
  });

  it("applies if it is read before the first list", () => {
    const source = new PolledSource();
    source.readArticles([off]);
    expect(source.poll([...OTHERS, aRecord()])).toEqual([]);
    expect(acme(source)).toMatchObject({ withdrawal: { kind: "cancelled", exDate: "2026-03-10" }, revision: 0 });
  });

  it("applies to the rest of an incomplete first list", () => {
    const source = new PolledSource();
    source.poll([]);
    source.readArticles([off]);
    expect(source.poll([...OTHERS, aRecord()])).toEqual([]);
    expect(acme(source)).toMatchObject({ withdrawal: { kind: "cancelled" }, revision: 0 });
  });

  it("applies if it is the latest of several", () => {
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
    ["it names another company first", {}, [{ ...off, concerns: [{ ticker: ticker("ZZZZ"), exchange: null }] }]],
  ])("does not apply if %s", (_, parts, articles) => {
    const source = PolledSource.settled([...OTHERS, aRecord(parts)]);
    source.readArticles(articles);
    expect(acme(source)?.withdrawal).toBeNull();
    const reversed = new PolledSource();
    reversed.readArticles(articles);
    reversed.poll([...OTHERS, aRecord(parts)]);
    expect(acme(reversed)?.withdrawal).toBeNull();
  });

  it("does not apply to a split announced after it", () => {
    const source = PolledSource.settled(OTHERS);
    source.readArticles([off]);
    expect(source.poll([...OTHERS, aRecord()])).toMatchObject([{ kind: "announced" }]);
    expect(acme(source)?.withdrawal).toBeNull();
  });
});

describe("a reinstatement", () => {
  const off = release(1, { kind: "cancelled", published: day("2026-03-02") });
  const back = release(2, {
    published: day("2026-03-03"),
    kindSentence: "The reverse split will proceed as originally announced.",
  });

  it("restores the split without an event, in any order of reading", () => {
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
  ])("does not restore the split if it %s", (_, parts) => {
    const source = following();
    source.readArticles([off]);
    source.readArticles([{ ...back, ...parts }]);
    expect(acme(source)?.withdrawal).toMatchObject({ kind: "cancelled" });
  });

  it("applies to a first list, even on the same day", () => {
    const source = new PolledSource();
    source.readArticles([off, { ...back, published: off.published }]);
    source.poll([...OTHERS, aRecord()]);
    expect(acme(source)).toMatchObject({ withdrawal: null });
  });
});

describe("a withdrawal that names other companies", () => {
  it("applies to the company that it names first", () => {
    const source = following();
    const concerns = ["ACME", "AAAA"].map((name) => ({ ticker: ticker(name), exchange: null }));
    const { events } = source.readArticles([release(1, { kind: "cancelled", concerns })]);
    const cancelled = events.filter(({ kind }) => kind === "cancelled");
    expect(cancelled).toMatchObject([{ record: { ticker: "ACME" } }]);
  });
});

describe("a poll of articles", () => {
  it("gives the same ids twice, and its patch is idempotent", () => {
    const source = following();
    const newArticles = [release(1, { kind: "postponed" }), release(2, { fraction: ROUND_UP })];
    const receivedUrls = new Set(newArticles.map(({ url }) => url));
    const reading = { ...source.listOf([]), newArticles, receivedUrls, listed: [], complete: true };
    const diff = diffArticles(source.snapshot, reading);
    expect(diffArticles(source.snapshot, reading)).toEqual(diff);
    const once = applyPatch(source.snapshot, diff.patch);
    expect(applyPatch(once, diff.patch)).toEqual(once);
  });

  it("stores a backfilled article, which completes its split, without an event", () => {
    const source = following();
    const article = release(2, { fraction: ROUND_UP });
    const receivedUrls = new Set([article.url]);
    const reading = { ...source.listOf([]), newArticles: [article], receivedUrls, listed: [], complete: true };
    const diff = diffArticles(source.snapshot, { ...reading, backfilled: receivedUrls });
    expect([diff.events, diff.patch.articles]).toEqual([[], [article]]);
    expect(diffArticles(source.snapshot, reading).events).toHaveLength(1);
  });

  it("does not change other parts of the snapshot", () => {
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

describe("a withdrawal that isn't the issuer's own", () => {
  it.each([
    ["another company", "Zed Corp.", null],
    ["a research firm", "Evil Research LLC", null],
    ["a company with the same first word", "Acme Capital LLC", null],
    ["an unknown company", null, null],
    [
      "a company that names the issuer beside it",
      "Nova, Inc.",
      "Nova, Inc., formerly a supplier of Acme Robotics, said so.",
    ],
  ])("by %s neither withdraws the split nor makes an event of it", (_, subject, kindSentence) => {
    const source = following();
    for (const kind of ["cancelled", "postponed"] as const)
      expect(kinds(source.readArticles([release(1, { kind, subject, kindSentence, version: kind })]))).not.toContain(
        kind,
      );
    expect(acme(source)?.withdrawal).toBeNull();
  });

  it.each([
    ["its name", "ACME ROBOTICS, INC.", null],
    ["its short name", "Acme", null],
    ["its new name", "Nova, Inc.", "Nova, Inc. (formerly Acme Robotics, Inc.) has cancelled it."],
  ])("does not include the issuer's under %s", (_, subject, kindSentence) => {
    const source = following();
    const diff = source.readArticles([release(1, { kind: "cancelled", subject, kindSentence })]);
    expect(kinds(diff)).toContain("cancelled");
    expect(acme(source)).toMatchObject({ withdrawal: { kind: "cancelled" } });
  });

  it("does not include releases of earlier versions, which name no speaker", () => {
    const source = following();
    source.readArticles([release(1, { kind: "cancelled" })]);
    expect(acme(source)).toMatchObject({ withdrawal: { kind: "cancelled" } });
  });

  it("does not reinstate a split either", () => {
    const source = following();
    source.readArticles([release(1, { kind: "cancelled", subject: "Acme Robotics" })]);
    const reinstated = { kindSentence: "The reverse split will proceed as planned.", published: day("2026-03-03") };
    source.readArticles([release(2, { ...reinstated, subject: "Evil Research LLC" })]);
    expect(acme(source)).toMatchObject({ withdrawal: { kind: "cancelled" } });
    source.readArticles([release(3, { ...reinstated, subject: "Acme Robotics" })]);
    expect(acme(source)?.withdrawal).toBeNull();
  });
});
