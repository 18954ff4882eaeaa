import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ALICE,
  aKnownArticle,
  aRecord,
  aRule,
  BOB,
  day,
  exchange,
  GENERAL,
  someTerms,
  ticker,
} from "../../../test/support/builders.ts";
import type { FractionEvidence, KnownArticle, TickerMention, Treatment } from "../article/article.ts";
import {
  DEFAULT_CHANNEL_EVENTS,
  DEFAULT_FILTER,
  type Rule,
  type RuleFilter,
  WATCHLIST_EVENTS,
} from "../settings/rule.ts";
import { changedTerms, type SplitId } from "../split/split.ts";
import type { Delivery } from "./delivery.ts";
import type { Destination, Person } from "./destination.ts";
import {
  type Announced,
  type ArticleEvent,
  type Changed,
  type EarlyEvent,
  type EventId,
  type EventKind,
  eventIds,
  type MatchableEvent,
  NO_EVIDENCE,
  type Withdrawn,
} from "./event.ts";
import { type CanReceive, explainMismatch, Matcher, tickersOf, type Watcher } from "./match.ts";

type RecordParts = Parameters<typeof aRecord>[0];

const SPLIT = "ACME-x-1" as SplitId;
const SLACK: Destination = { platform: "slack", kind: "channel", id: "C1" };

function splitBase(parts: RecordParts, treatment: Treatment | null) {
  const fraction: FractionEvidence | null =
    treatment === null ? null : { treatment, level: null, sentence: "So it is.", url: "u", source: "newsfile" };
  const id = "ACME-x-1.1" as EventId;
  return { id, at: 0, sample: false, splitId: SPLIT, record: aRecord(parts), ...NO_EVIDENCE, fraction };
}

function announced(parts: RecordParts = {}, treatment: Treatment | null = null): Announced {
  return { kind: "announced", ...splitBase(parts, treatment), alreadyEffective: false };
}

function changed(from: RecordParts, to: RecordParts): Changed {
  const was = aRecord(from);
  const base = splitBase(to, null);
  return { kind: "changed", ...base, was, terms: changedTerms(was, base.record), flapping: false };
}

function concerning(...names: readonly string[]): TickerMention[] {
  return names.map((name) => {
    const [symbol = "", listing] = name.split("@");
    return { ticker: ticker(symbol), exchange: listing === undefined ? null : exchange(listing) };
  });
}

/** The release as an early event. */
function early(release: ArticleEvent): EarlyEvent {
  return { ...release, kind: "early", id: eventIds.early(release.article) };
}

/** `linked`: the listed splits that the release concerns. */
function article(parts: Partial<KnownArticle> = {}, linked: readonly RecordParts[] = []): ArticleEvent {
  const known = aKnownArticle(parts);
  return {
    kind: "article",
    id: known.url as EventId,
    at: 0,
    sample: false,
    article: known,
    splits: linked.map((split, index) => ({ splitId: `S-${index}` as SplitId, record: aRecord(split) })),
  };
}

function cancelled(release: KnownArticle): Withdrawn {
  return { kind: "cancelled", ...splitBase({}, null), article: release, explainsMissing: false };
}

function filter(parts: Partial<RuleFilter>): RuleFilter {
  return { ...DEFAULT_FILTER, events: [...DEFAULT_CHANNEL_EVENTS, "article", "reminder"], ...parts };
}

const ACME = ticker("ACME");
const BETA = ticker("BETA");
const NASDAQ = exchange("NASDAQ");
const OTC = exchange("OTC");
const TSX = exchange("TSX");

function passes(parts: Partial<RuleFilter>, event: MatchableEvent): boolean {
  return explainMismatch(filter(parts), event) === null;
}

describe("explainMismatch", () => {
  it.each<[string, Partial<RuleFilter>, MatchableEvent]>([
    ["no filter", {}, announced()],
    ["its event", { events: ["announced"] }, announced()],
    ["its ticker", { tickers: [BETA, ACME] }, announced()],
    ["its exchange", { exchanges: [OTC, NASDAQ] }, announced()],
    ["another excluded ticker", { excludeTickers: [BETA] }, announced()],
    ["another excluded exchange", { excludeExchanges: [OTC] }, announced()],
    ["exactly its ratio", { minRatio: 20 }, announced()],
    ["a steeper ratio", { minRatio: 20 }, announced({ ratio: "1:21" })],
    ["a fractional ratio", { minRatio: 7.5 }, announced({ ratio: "10:77" })],
    ["its fraction treatment", { fractional: ["cash_in_lieu", "round_up"] }, announced({}, "round_up")],
    ["sources, for an event that is not a release", { sources: ["newsfile"] }, announced()],
    ["the new exchange", { exchanges: [OTC] }, changed({}, { exchange: "OTC" })],
    ["the previous exchange", { exchanges: [NASDAQ] }, changed({}, { exchange: "OTC" })],
    ["an excluded new exchange", { excludeExchanges: [OTC] }, changed({}, { exchange: "OTC" })],
    ["an excluded previous exchange", { excludeExchanges: [NASDAQ] }, changed({}, { exchange: "OTC" })],
    ["the previous ratio", { minRatio: 20 }, changed({ ratio: "1:20" }, { ratio: "1:5" })],
    ["the new ratio", { minRatio: 20 }, changed({ ratio: "1:5" }, { ratio: "1:20" })],
    ["an article from its wire", { sources: ["newsfile", "globenewswire"] }, article()],
    ["an article on one ticker of several", { tickers: [BETA] }, article({ concerns: concerning("ACME", "BETA") })],
    [
      "an article with one of two tickers excluded",
      { excludeTickers: [ACME] },
      article({ concerns: concerning("ACME", "BETA") }),
    ],
    [
      "an article by the exchange of its tag",
      { exchanges: [OTC] },
      article({ concerns: concerning("ACME@OTC") }, [{}]),
    ],
    [
      "an article without a tag, by the linked split's exchange",
      { exchanges: [NASDAQ] },
      article({ concerns: concerning("ACME") }, [{}]),
    ],
    [
      "an article with an unknown exchange, none excluded",
      { excludeExchanges: [OTC] },
      article({ concerns: concerning("ACME") }),
    ],
    ["an article by the linked split's ratio", { minRatio: 20 }, article({}, [{}])],
    [
      "an article by its stated fraction treatment",
      { fractional: ["round_up"] },
      article({ fraction: { treatment: "round_up", level: null, sentence: "So." } }),
    ],
    ["an article without tickers and no filter", {}, article({ concerns: [] })],
    [
      "an article without tickers and only exclusions",
      { excludeTickers: [ACME], excludeExchanges: [OTC] },
      article({ concerns: [] }),
    ],
    [
      "all filters together",
      {
        events: ["announced"],
        tickers: [ACME],
        exchanges: [NASDAQ],
        excludeTickers: [BETA],
        excludeExchanges: [OTC],
        minRatio: 10,
        fractional: ["round_up"],
      },
      announced({}, "round_up"),
    ],
  ])("is null with %s", (_, parts, event) => {
    expect(explainMismatch(filter(parts), event)).toBeNull();
  });

  it.each<[string, Partial<RuleFilter>, MatchableEvent]>([
    ["announced events aren't selected", { events: ["changed"] }, announced()],
    ["article events aren't selected", { events: DEFAULT_CHANNEL_EVENTS }, article()],
    ["ACME isn't selected", { tickers: [BETA] }, announced()],
    ["ACME is excluded", { tickers: [ACME], excludeTickers: [ACME] }, announced()],
    ["the exchange is NASDAQ, but the rule selects OTC, TSX", { exchanges: [OTC, TSX] }, announced()],
    ["NASDAQ is excluded", { excludeExchanges: [NASDAQ] }, announced()],
    ["OTC is excluded", { excludeExchanges: [NASDAQ, OTC] }, changed({}, { exchange: "OTC" })],
    ["the ratio is less steep than 1-for-20", { minRatio: 20 }, announced({ ratio: "1:19" })],
    ["the ratio is less steep than 1-for-20", { minRatio: 20 }, announced({ ratio: "10:199" })],
    ["the ratio is not known", { minRatio: 2 }, announced({ ratio: "1:1" })],
    ["the ratio is not known", { minRatio: 2 }, article()],
    ["the treatment of fractional shares is not stated", { fractional: ["round_up"] }, announced()],
    [
      "fractional shares: round_up, but the rule selects round_down, cash_in_lieu",
      { fractional: ["round_down", "cash_in_lieu"] },
      announced({}, "round_up"),
    ],
    ["the wire is globenewswire, but the rule selects newsfile", { sources: ["newsfile"] }, article()],
    ["the terms are unchanged", {}, changed({}, { company: "Acme Inc." })],
    ["the exchange is not stated", { exchanges: [NASDAQ] }, article({ concerns: concerning("ACME") })],
    [
      "the exchange is NASDAQ, but the rule selects OTC",
      { exchanges: [OTC] },
      article({ concerns: concerning("ACME") }, [{}]),
    ],
    [
      "the exchange is OTC, but the rule selects NASDAQ",
      { exchanges: [NASDAQ] },
      article({ concerns: concerning("ACME@OTC") }, [{}]),
    ],
    ["the release names no ticker", { tickers: [ACME] }, article({ concerns: [] })],
    ["the release names no ticker", { exchanges: [NASDAQ] }, article({ concerns: [] })],
    ["the release names no ticker", { minRatio: 2 }, article({ concerns: [] })],
    ["the release names no ticker", { fractional: ["round_up"] }, article({ concerns: [] })],
    ["ACME is excluded", { excludeTickers: [ACME, BETA] }, article({ concerns: concerning("ACME", "BETA") })],
  ])("returns the reason %j", (reason, parts, event) => {
    expect(explainMismatch(filter(parts), event)).toBe(reason);
  });

  it("requires one ticker of an article to pass all filters", () => {
    const both = article({ concerns: concerning("ACME@NASDAQ", "BETA@OTC") });
    expect(explainMismatch(filter({ tickers: [ACME], exchanges: [NASDAQ] }), both)).toBeNull();
    expect(explainMismatch(filter({ tickers: [ACME], exchanges: [OTC] }), both)).not.toBeNull();
  });

  it("never matches more events with an additional filter", () => {
    const someFilter = fc.record({
      tickers: fc.subarray([ACME, BETA]),
      exchanges: fc.subarray([NASDAQ, OTC]),
      excludeTickers: fc.subarray([ACME, BETA]),
      excludeExchanges: fc.subarray([NASDAQ, OTC]),
      events: fc.subarray<EventKind>(["announced", "changed", "article"]),
      fractional: fc.subarray<Treatment>(["round_up", "cash_in_lieu"]),
      minRatio: fc.constantFrom(null, 10, 20, 30),
    });
    const events = [
      announced({}, "round_up"),
      announced({ ticker: "BETA", exchange: "OTC", ratio: "1:10" }, "cash_in_lieu"),
      announced({ ratio: "1:1" }),
      changed({}, { ratio: "1:30" }),
    ];
    fc.assert(
      fc.property(someFilter, fc.constantFrom(...events), (parts, event) => {
        const single = Object.entries(parts).map(([name, value]) => passes({ [name]: value }, event));
        expect(passes(parts, event)).toBe(single.every(Boolean));
      }),
    );
  });
});

interface Audience {
  readonly rules: readonly Rule[];
  readonly watchers: readonly Watcher[];
  readonly canReceive: CanReceive;
}

function matchEvents(
  events: readonly MatchableEvent[],
  { rules, watchers, canReceive }: Audience,
): readonly Delivery[] {
  const matcher = new Matcher(events, canReceive);
  for (const one of rules) matcher.addRule(one);
  for (const watcher of watchers) matcher.addWatcher(watcher);
  return events.flatMap((event) => matcher.deliveriesOf(event));
}

function everyone(parts: Partial<Audience>): Audience {
  return { rules: [], watchers: [], canReceive: () => true, ...parts };
}

function rule(number: number, parts: Parameters<typeof aRule>[0] = {}): Rule {
  return { ...aRule(parts), number };
}

function watching(person: Person, ...symbols: readonly string[]): Audience["watchers"] {
  return symbols.map((symbol) => ({ person, ticker: ticker(symbol) }));
}

describe("matchEvents", () => {
  it("makes one delivery per event and destination, with every reason and mention once", () => {
    const event = announced();
    const deliveries = matchEvents(
      [event],
      everyone({
        rules: [
          rule(1, { mention: "@splits" }),
          rule(2, { mention: "@splits", tickers: [ACME] }),
          rule(3, { mention: "@desk" }),
          rule(4, { tickers: [BETA] }),
          rule(1, { destination: ALICE }),
        ],
        watchers: [...watching(ALICE, "ACME", "BETA"), ...watching(BOB, "BETA")],
      }),
    );
    expect(deliveries).toEqual([
      {
        id: "ACME-x-1.1>web:channel:general",
        eventId: "ACME-x-1.1",
        to: GENERAL,
        reasons: ["rule 1", "rule 2", "rule 3"],
        mentions: ["@splits", "@desk"],
      },
      {
        id: "ACME-x-1.1>web:person:alice",
        eventId: "ACME-x-1.1",
        to: ALICE,
        reasons: ["rule 1", "watchlist"],
        mentions: [],
      },
    ]);
  });

  it("makes one watchlist delivery per article, regardless of the number of watched tickers", () => {
    const event = article({ concerns: concerning("ACME@NASDAQ", "ACME@TSX", "BETA") });
    const deliveries = matchEvents([event], everyone({ watchers: watching(ALICE, "ACME", "BETA") }));
    expect(deliveries).toMatchObject([{ to: ALICE, reasons: ["watchlist"] }]);
  });

  it("sends watchlists events of any exchange, except history-only changes", () => {
    const events: MatchableEvent[] = [
      announced({ exchange: "OTC" }),
      changed({}, { ratio: "1:30" }),
      { kind: "missing", ...splitBase({}, null), pollsMissed: 3, flapping: false, withdrawnBy: null },
      { kind: "returned", ...splitBase({}, null), was: aRecord(), flapping: false },
      { kind: "effective", ...splitBase({}, null) },
      { kind: "reminder", ...splitBase({}, null), daysLeft: 1 },
      cancelled(aKnownArticle({ url: "https://wire.example/other" })),
      article(),
    ];
    const audience = everyone({ watchers: watching(ALICE, "ACME") });
    for (const event of events) expect(matchEvents([event], audience)).toHaveLength(1);
    expect(matchEvents([changed({}, { company: "Acme Inc." })], audience)).toEqual([]);
  });

  it("sends history-only changes to nobody, not even to rules for all events", () => {
    const audience = everyone({ rules: [rule(1)] });
    expect(matchEvents([changed({}, { company: "Acme Inc.", dateAnnounced: null })], audience)).toEqual([]);
  });

  it("sends each watchlist only its tickers", () => {
    const audience = everyone({ watchers: [...watching(ALICE, "BETA"), ...watching(BOB, "ACME")] });
    expect(matchEvents([announced()], audience).map(({ to }) => to)).toEqual([BOB]);
    expect(matchEvents([article({ concerns: [] })], audience)).toEqual([]);
  });

  it("sends events only to destinations that may receive them", () => {
    const event = { ...announced(), sample: true };
    const deliveries = matchEvents(
      [event],
      everyone({
        rules: [rule(1), rule(1, { destination: SLACK })],
        watchers: watching(ALICE, "ACME"),
        canReceive: (destination, { sample }) => !sample || destination.platform === "web",
      }),
    );
    expect(deliveries.map(({ to }) => to)).toEqual([GENERAL, ALICE]);
  });

  it("does not send the release to recipients of the withdrawal derived from it", () => {
    const release = aKnownArticle({ kind: "cancelled" });
    const other = aKnownArticle({ url: "https://wire.example/other" });
    const events = [cancelled(release), article(release), article(other)];
    const all: EventKind[] = ["announced", "cancelled", "article"];
    const deliveries = matchEvents(
      events,
      everyone({
        rules: [
          rule(1, { events: all }),
          rule(1, { destination: SLACK, events: ["article"] }),
          rule(1, { destination: BOB, events: ["cancelled"] }),
        ],
        watchers: watching(ALICE, "ACME"),
      }),
    );
    expect(deliveries.map(({ id }) => id).toSorted()).toEqual(
      [
        "ACME-x-1.1>web:channel:general",
        "ACME-x-1.1>web:person:alice",
        "ACME-x-1.1>web:person:bob",
        `${release.url}>slack:channel:C1`,
        `${other.url}>slack:channel:C1`,
        `${other.url}>web:channel:general`,
        `${other.url}>web:person:alice`,
      ].toSorted(),
    );
  });

  it("makes reproducible and unique ids", () => {
    const events = [announced(), article(), article({ url: "https://wire.example/2" })];
    const audience = everyone({
      rules: [rule(1, { events: ["announced", "article"] }), rule(2, { events: ["article"] })],
      watchers: watching(ALICE, "ACME"),
    });
    const ids = matchEvents(events, audience).map(({ id }) => id);
    expect(matchEvents(events, audience).map(({ id }) => id)).toEqual(ids);
    expect(new Set(ids).size).toBe(6);
  });
});

describe("an early release", () => {
  const release = article({ kind: "ratio_range" });

  it("is sent only to rules that select early events", () => {
    const audience = everyone({
      rules: [rule(1, { events: ["early"] }), rule(1, { destination: SLACK })],
      watchers: watching(ALICE, "ACME"),
    });
    expect(matchEvents([early(release)], audience)).toMatchObject([{ to: GENERAL, reasons: ["rule 1"] }]);
    expect(matchEvents([early(release), release], audience)).toMatchObject([{ to: GENERAL }, { to: ALICE }]);
  });

  it("is sent once, as early, to rules that also select articles", () => {
    const audience = everyone({
      rules: [
        rule(1, { events: ["early"], destination: ALICE }),
        rule(2, { events: ["article"] }),
        rule(3, { events: ["early", "article"] }),
      ],
      watchers: watching(ALICE, "ACME"),
    });
    const deliveries = matchEvents([early(release), release], audience);
    expect(deliveries.map(({ eventId, to }) => `${eventId} to ${to.id}`)).toEqual([
      `${release.id} early to alice`,
      `${release.id} early to general`,
    ]);
  });

  it("respects the rule's sources", () => {
    expect(passes({ events: ["early"], sources: ["newsfile"] }, early(release))).toBe(false);
    expect(passes({ events: ["early"], sources: ["globenewswire"] }, early(release))).toBe(true);
  });
});

describe("a release on an unlisted split", () => {
  const terms = [someTerms({ ratio: "1:25", exchange: OTC })];
  const untagged = [{ ticker: ACME, exchange: null }];

  it.each([
    ["its stated ratio", { minRatio: 25 }, { terms }, true],
    ["a steeper ratio than the stated ratio", { minRatio: 26 }, { terms }, false],
    ["a ratio if it states none", { minRatio: 2 }, {}, false],
    ["its stated exchange", { exchanges: [OTC] }, { terms, concerns: untagged }, true],
    ["a different exchange than the stated exchange", { exchanges: [NASDAQ] }, { terms, concerns: untagged }, false],
    ["all exchanges except the stated exchange", { excludeExchanges: [OTC] }, { terms, concerns: untagged }, false],
    ["the exchange of its tag", { exchanges: [NASDAQ] }, { terms }, true],
  ] as const)("is matched by its own terms with a rule for %s", (_what, filters, parts, expected) => {
    expect(passes(filters, article(parts))).toBe(expected);
    expect(passes({ ...filters, events: ["early"] }, early(article(parts)))).toBe(expected);
  });

  it("is matched by the listed terms if a split is listed", () => {
    expect(passes({ minRatio: 25 }, article({ terms }, [{ ratio: "1:20" }]))).toBe(false);
  });

  it("is matched by the terms of each fund", () => {
    const funds = [someTerms({ ratio: "1:5" }), someTerms({ ticker: BETA, ratio: "1:50" })];
    const both = article({ terms: funds, concerns: concerning("ACME", "BETA") });
    expect(passes({ minRatio: 20, tickers: [ACME] }, both)).toBe(false);
    expect(passes({ minRatio: 20, tickers: [BETA] }, both)).toBe(true);
  });
});

describe("tickersOf", () => {
  it("returns the tickers of an event", () => {
    expect(tickersOf(announced())).toEqual(["ACME"]);
    expect(tickersOf(article({ concerns: concerning("BETA", "ACME") }))).toEqual(["BETA", "ACME"]);
    const base = { id: "x" as EventId, at: 0, sample: false };
    expect(tickersOf({ ...base, kind: "test", askedBy: "alice" })).toEqual([]);
    expect(tickersOf({ ...base, kind: "digest", records: [aRecord()] })).toEqual([]);
  });
});

describe("the default events", () => {
  it("of a channel are all but reminder, article, early and stale", () => {
    expect(DEFAULT_CHANNEL_EVENTS).toEqual([
      "announced",
      "changed",
      "postponed",
      "cancelled",
      "missing",
      "returned",
      "effective",
    ]);
  });

  it("of a watchlist are all but early and stale", () => {
    expect(WATCHLIST_EVENTS).toEqual([...DEFAULT_CHANNEL_EVENTS, "reminder", "article"]);
  });

  it("are those of a rule without filters", () => {
    expect(explainMismatch(DEFAULT_FILTER, announced({ exDate: day("2026-03-04"), ratio: "1:1" }))).toBeNull();
  });
});
