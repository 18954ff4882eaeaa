import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  ALICE,
  aKnownArticle,
  aRecord,
  aSplit,
  day,
  exchange,
  someTerms,
  ticker,
} from "../../test/support/builders.ts";
import { announcedEvent, type CommandBench, openCommandBench } from "../../test/support/command-bench.ts";
import { anObservation } from "../../test/support/observations.ts";
import { aRelease } from "../../test/support/releases.ts";
import { buildCatalog } from "../catalog/catalog.ts";
import type { EventId } from "../domain/alert/event.ts";
import type { Fraction, KnownArticle } from "../domain/article/article.ts";
import { wireName } from "../domain/article/wire.ts";
import type { SourceHealth } from "../messages/source-text.ts";
import type { LiveSourcesInfo } from "./context.ts";

let bench: CommandBench;
beforeEach(async () => {
  bench = await openCommandBench();
});
afterEach(() => bench.close());

async function titles(line: string): Promise<readonly string[]> {
  const { cards } = await bench.run(line);
  return cards.flatMap((card) => card.rows.map((row) => row.title.split(" ")[0] ?? ""));
}

const ROUNDED_UP: Fraction = { treatment: "round_up", level: null, sentence: "Fractions are rounded up." };

describe("list", () => {
  const SPLITS = [
    aSplit({ ticker: "LATER", exDate: "2026-04-01" }),
    aSplit({ ticker: "PAST", exDate: "2026-02-27" }),
    aSplit({ ticker: "NOW", exDate: "2026-03-02", exchange: "NYSEAMERICAN" }),
    aSplit({ ticker: "TMRW", exDate: "2026-03-03" }),
    aSplit({ ticker: "WEEK", exDate: "2026-03-08" }),
    aSplit({ ticker: "NEXT", exDate: "2026-03-09", exchange: "OTC" }),
    aSplit({ ticker: "GONE", exDate: "2026-03-20" }, { status: "missing" }),
    aSplit({ ticker: "DONE", exDate: "2026-02-20" }, { status: "closed" }),
  ];

  it.each([
    ["list", ["NOW", "TMRW", "WEEK", "NEXT", "LATER"]],
    ["list when:upcoming", ["NOW", "TMRW", "WEEK", "NEXT", "LATER"]],
    ["list all", ["PAST", "NOW", "TMRW", "WEEK", "NEXT", "LATER"]],
    ["list today", ["NOW"]],
    ["list tomorrow", ["TMRW"]],
    ["list week", ["NOW", "TMRW", "WEEK"]],
    ["list 2026-03-03", ["TMRW"]],
    ["list when:2026-03-03 nyse", []],
    ["list 2026-02-27", ["PAST"]],
    ["list yesterday", []],
    ["list Fri 27 Feb 2026", ["PAST"]],
    ["list Mar 3, 2026 nasdaq", ["TMRW"]],
    ["list 8 march", ["WEEK"]],
    ["list sunday", ["WEEK"]],
    ["list next week", ["NEXT"]],
    ["list --exchange OTC --when=week", []],
    ["list exchange:NYSE American", ["NOW"]],
    ["list otc, nyse american", ["NOW", "NEXT"]],
    ["list exchange:CBOE", []],
  ])("%s shows the matching splits by ex date", async (line, tickers) => {
    await bench.seed({ splits: SPLITS });
    expect(await titles(line)).toEqual(tickers);
  });

  it("states which days are those of next week", async () => {
    await bench.seed({ splits: SPLITS });
    expect(await bench.runAsText("list next week otc")).toMatch(
      /^1 reverse split on OTC with an ex date next week, Monday to Sunday/,
    );
  });

  it("shows the filter, each split's state and the splits that are no longer listed", async () => {
    await bench.seed({ splits: SPLITS });
    expect(await bench.runAsText("list exchange:NYSEAMERICAN")).toBe(
      [
        "1 reverse split on NYSE American with an ex date from today on",
        "- NOW 1-for-20 reverse split | Ex date Mon 2 Mar 2026 (today) · NYSE American · Acme Robotics Inc.",
      ].join("\n"),
    );
    expect(await bench.runAsText("list")).toContain("No longer listed, without a reason from the source: GONE.");
  });

  it.each(["cancelled", "postponed"] as const)("names the splits that a release has %s", async (kind) => {
    const withdrawn = aSplit({}, { status: "missing", removedAt: 0, withdrawal: { kind, exDate: day("2026-03-10") } });
    const gone = aSplit({ ticker: "GONE" }, { status: "missing", removedAt: 0 });
    await bench.seed({ splits: [withdrawn, gone], articles: [aKnownArticle({ kind })] });
    const [listed] = (await bench.run("list")).cards;
    expect(listed?.lines.slice(-2)).toEqual([
      `No longer listed, according to a release: ACME (${kind}).`,
      "No longer listed, without a reason from the source: GONE.",
    ]);
  });

  it("marks a split with inconsistent terms", async () => {
    await bench.seed({ splits: [aSplit({ ratio: "1:1" })] });
    expect(await bench.runAsText("list")).toContain('- [CHECK] ACME reverse split (ratio "1:1") |');
  });

  it("has page buttons with the complete command", async () => {
    const splits = Array.from({ length: 20 }, (_, index) => aSplit({ ticker: `T${index}`, exchange: "NYSE" }));
    await bench.seed({ splits });
    const middle = (await bench.run("list exchange:nyse when:all page:2")).cards[0];
    expect(middle?.rows).toHaveLength(8);
    expect(middle?.lines).toEqual(["Page 2 of 3"]);
    expect(middle?.buttons.map(({ label, command }) => `${label}: ${command}`)).toEqual([
      "Previous: list exchange:NYSE when:all page:1",
      "Next: list exchange:NYSE when:all page:3",
    ]);
    const last = (await bench.run(middle?.buttons[1]?.command ?? "")).cards[0];
    expect([last?.rows.length, last?.buttons.map(({ label }) => label)]).toEqual([4, ["Previous"]]);
  });

  it("shows the last page for a page number that is too high, with a note", async () => {
    await bench.seed({ splits: SPLITS });
    expect(await bench.runAsText("list page:9")).toContain("There's no page 9. This is the last page, 1 of 1.");
  });

  it("explains an empty result", async () => {
    await bench.seed({ splits: [aSplit({ exDate: "2026-02-27" })] });
    expect(await bench.runAsText("list")).toBe(
      "No reverse splits with an ex date from today on\n1 split is listed in total. See them all: /splits list when:all",
    );
    expect(await bench.runAsText("list all exchange:OTC")).toBe(
      "No reverse splits listed on OTC\n1 split is listed on other exchanges.",
    );
  });

  it("explains an empty list", async () => {
    await bench.seed({});
    expect(await bench.runAsText("list")).toContain("The source's list is empty.");
  });

  it("reports that no complete list has been read yet", async () => {
    expect(await bench.runAsText("list")).toContain("No list of splits has been read yet");
  });

  it("states why the latest list is suspicious", async () => {
    await bench.seed({ splits: SPLITS, header: { suspicion: { seen: 1, reason: "an empty list" } } });
    expect(await bench.runAsText("list")).toContain(
      "The source's latest list is suspicious and isn't used yet: it showed an empty list.",
    );
  });

  it("ignores the list of another source", async () => {
    await bench.seed({ splits: SPLITS, header: { source: "http://other.example" } });
    expect(await bench.runAsText("list")).toContain("No list of splits has been read yet");
  });

  it("accepts an exchange that only this source lists", async () => {
    await bench.seed({ splits: [aSplit({ exchange: "XETRA" })] });
    expect(await titles("list xetra")).toEqual(["ACME"]);
  });
});

function announcing(parts: Parameters<typeof aKnownArticle>[0]): KnownArticle {
  return aKnownArticle({ url: "https://wire.example/first", published: day("2026-03-01"), ...parts });
}

describe("show", () => {
  it("shows terms, history, the release's sentence and the releases", async () => {
    const split = aSplit();
    const article = aKnownArticle({ fraction: ROUNDED_UP });
    await bench.seed({ splits: [split], articles: [article] });
    await bench.commit([
      announcedEvent(split, { record: aRecord({ exDate: "2026-03-05" }) }),
      {
        ...announcedEvent(split),
        kind: "changed",
        id: `${split.id}.2` as EventId,
        at: split.firstSeenAt + 60_000,
        was: aRecord({ exDate: "2026-03-05" }),
        terms: ["exDate"],
        flapping: false,
      },
    ]);
    expect(await bench.runAsText("show $acme")).toBe(
      [
        "ACME 1-for-20 reverse split, ex date Tue 10 Mar 2026 (in 6 trading days)",
        "Company: Acme Robotics Inc.",
        "Exchange: Nasdaq",
        "Ratio: 1-for-20 (1:20): 20 old shares become 1 new",
        "Ex date: Tue 10 Mar 2026, in 6 trading days",
        "Last trading day before: Mon 9 Mar 2026",
        "Announced: Fri 27 Feb 2026",
        "Fractional shares: rounded up to a whole share; the release doesn't say whether per holder or per broker",
        "Release: Acme Robotics Announces Reverse Stock Split (GlobeNewswire, Mon 2 Mar 2026) <https://wire.example/acme-1>",
        "First seen: Mon 2 Mar 2026, 09:00 EST",
        "- Mon 2 Mar 2026, 09:00 EST | announced: ACME 1-for-20 reverse split, ex date Thu 5 Mar 2026",
        "- Mon 2 Mar 2026, 09:01 EST | changed: ex date Thu 5 Mar 2026 → Tue 10 Mar 2026",
        '"Fractions are rounded up." GlobeNewswire <https://wire.example/acme-1>',
        "(Watch ACME: watch ACME)",
        "",
        "1 press release on ACME",
        "- Acme Robotics Announces Reverse Stock Split | GlobeNewswire · Mon 2 Mar 2026 · ACME · reverse split announcement · fractional shares rounded up to a whole share <https://wire.example/acme-1>",
      ].join("\n"),
    );
  });

  it("offers to unwatch a watched ticker", async () => {
    await bench.seed({ splits: [aSplit()] });
    await bench.run("watch ACME");
    expect(await bench.runAsText("show ACME")).toContain("(Unwatch ACME: unwatch ACME)");
  });

  it("notes that releases differ on fractional shares", async () => {
    const cash: Fraction = { treatment: "cash_in_lieu", level: "holder", sentence: "Cash is paid." };
    await bench.seed({
      splits: [aSplit()],
      articles: [
        aKnownArticle({ url: "https://wire.example/1", published: day("2026-02-27"), fraction: ROUNDED_UP }),
        aKnownArticle({ url: "https://wire.example/2", published: day("2026-03-02"), fraction: cash }),
        aKnownArticle({ url: "https://wire.example/3", published: day("2026-02-28"), fraction: cash }),
      ],
    });
    const text = await bench.runAsText("show ACME");
    expect(text).toContain("Fractional shares: paid out in cash (cash in lieu), per holder");
    expect(text).toContain(
      "! Releases differ on fractional shares: paid out in cash (cash in lieu) or rounded up to a whole share.",
    );
    expect(text.split("\n").filter((line) => line.startsWith('"'))).toEqual([
      '"Cash is paid." GlobeNewswire <https://wire.example/2>',
      '"Fractions are rounded up." GlobeNewswire <https://wire.example/1>',
    ]);
  });

  it.each([
    [
      "a missing split",
      { status: "missing", removedAt: Date.parse("2026-03-02T15:00:00Z") },
      "No longer listed since Mon 2 Mar 2026, 10:00 EST: cancelled, completed or corrected?",
    ],
    [
      "a split removed after its ex date",
      { status: "closed" },
      "It was removed from the list after its ex date, as expected.",
    ],
    [
      "a split withdrawn by a release",
      { withdrawal: { kind: "postponed", exDate: day("2026-03-10") } },
      "According to a release, it is postponed.",
    ],
    [
      "a split with flapping terms",
      { pendingRecord: aRecord({ ratio: "1:30" }) },
      "It currently says: 1-for-30, Tue 10 Mar 2026, Nasdaq.",
    ],
  ] as const)("shows the state of %s", async (_what, parts, words) => {
    await bench.seed({ splits: [aSplit({}, parts)] });
    expect(await bench.runAsText("show ACME")).toContain(words);
  });

  it("shows upcoming splits before past ones", async () => {
    await bench.seed({
      splits: [
        aSplit({ exDate: "2025-12-01" }, { id: "split-1" as never, status: "closed" }),
        aSplit({ exDate: "2026-05-01" }, { id: "split-2" as never }),
        aSplit({ exDate: "2026-03-10" }, { id: "split-3" as never }),
      ],
    });
    const { cards } = await bench.run("show ACME");
    expect(cards.map(({ title }) => title.split(", ").at(-1)?.slice(8, 23))).toEqual([
      "Tue 10 Mar 2026",
      "Fri 1 May 2026 ",
      "Mon 1 Dec 2025 ",
    ]);
  });

  it("reports that an unknown ticker has no split, and offers to watch it", async () => {
    await bench.seed({ splits: [aSplit()] });
    const text = await bench.runAsText("show ZZZZ");
    expect(text).toContain("No reverse split of ZZZZ is known");
    expect(text).toContain("(Watch ZZZZ: watch ZZZZ)");
  });

  it("suggests the current split of a similar ticker", async () => {
    await bench.seed({ splits: [aSplit(), aSplit({ ticker: "ACNE" }, { status: "closed" })] });
    const text = await bench.runAsText("show ACM");
    expect(text).toContain("No reverse split of ACM is known\nDid you mean ACME (Acme Robotics Inc.)?");
    expect(text).toContain("(Show ACME: show ACME)");
    expect(await bench.runAsText("show ACXX")).not.toContain("Did you mean");
  });

  it("shows the releases on a ticker without a split", async () => {
    await bench.seed({ articles: [aKnownArticle({ kind: "other" })] });
    const text = await bench.runAsText("show ACME");
    expect(text).toContain("No reverse split of ACME is known");
    expect(text).toContain("1 press release on ACME");
  });

  it("shows an unlisted split with the terms that its release states", async () => {
    const terms = [someTerms({ ratio: "1:25", exDate: "2026-03-16", newCusip: "00A123456" })];
    await bench.seed({ articles: [aKnownArticle({ terms, fraction: ROUNDED_UP })] });
    expect((await bench.runAsText("show ACME")).split("\n\n")[0]).toBe(
      [
        "ACME 1-for-25 reverse split: announced in a release, not listed yet <https://wire.example/acme-1>",
        "The source doesn't list it yet. These terms come from the release.",
        "Company: not stated",
        "Exchange: Nasdaq",
        "Ratio (release): 1-for-25: 25 old shares become 1 new",
        "Ex date (release): Mon 16 Mar 2026, in 10 trading days",
        "New CUSIP (release): 00A123456",
        "Fractional shares: rounded up to a whole share; the release doesn't say whether per holder or per broker",
        "Release: Acme Robotics Announces Reverse Stock Split (GlobeNewswire, Mon 2 Mar 2026) <https://wire.example/acme-1>",
        '"Fractions are rounded up." GlobeNewswire <https://wire.example/acme-1>',
        "(Watch ACME: watch ACME)",
      ].join("\n"),
    );
  });

  it("shows 'not stated' for missing terms, and a postponement that a release states", async () => {
    await bench.seed({ articles: [aKnownArticle({ kind: "postponed" })] });
    const text = await bench.runAsText("show ACME");
    expect(text).toContain("ACME reverse split: announced in a release, not listed yet");
    expect(text).toContain("According to the release, it is postponed.");
    expect(text).toContain("Ratio (release): not stated");
    expect(text).toContain("Ex date (release): not stated");
  });

  it.each([
    ["whose split is listed", [aSplit()], [announcing({})]],
    ["that a later release withdraws", [], [announcing({}), aKnownArticle({ kind: "cancelled" })]],
    ["whose ex date has passed", [], [announcing({ terms: [someTerms({ exDate: "2026-03-01" })] })]],
    ["from the previous year", [], [announcing({ published: day("2025-11-01") })]],
  ])("shows no unlisted split for a release %s", async (_what, splits, articles) => {
    await bench.seed({ splits, articles });
    expect(await bench.runAsText("show ACME")).not.toContain("not listed yet");
  });

  it("doesn't mention the list before the first one is read", async () => {
    await bench.seed({ articles: [aKnownArticle()], header: { splitsKnown: false } });
    expect(await bench.runAsText("show ACME")).not.toContain("not listed yet");
  });

  it("shows an unlisted upcoming split before the listed one", async () => {
    const next = aKnownArticle({ published: day("2026-03-02"), terms: [someTerms({ exDate: "2026-03-20" })] });
    await bench.seed({ splits: [aSplit({ exDate: "2026-02-27" })], articles: [next] });
    const { cards } = await bench.run("show ACME");
    expect(cards.map(({ title }) => title)).toEqual([
      "ACME reverse split: announced in a release, not listed yet",
      "ACME 1-for-20 reverse split, ex date Fri 27 Feb 2026 (3 days ago)",
      "1 press release on ACME",
    ]);
    expect(cards[1]?.warnings).toEqual(["The source listed it only after its ex date."]);
  });

  it("marks differences between the release and the list", async () => {
    const terms = [someTerms({ ratio: "1:25", exDate: "2026-03-11" })];
    await bench.seed({ splits: [aSplit()], articles: [aKnownArticle({ terms })] });
    const text = await bench.runAsText("show ACME");
    expect(text).toContain("! The release says 1-for-25; the list says 1-for-20.");
    expect(text).toContain("! The release says ex date Wed 11 Mar 2026; the list says Tue 10 Mar 2026.");
  });

  it("warns of a withdrawal that isn't the issuer's own, and shows the split as listed", async () => {
    const other = aKnownArticle({ kind: "cancelled", subject: "Evil Research LLC", published: day("2026-03-02") });
    await bench.seed({ splits: [aSplit()], articles: [other] });
    const text = await bench.runAsText("show ACME");
    expect(text).toContain(
      "! A release of Mon 2 Mar 2026 by Evil Research LLC says that the split is cancelled. It isn't known as the issuer's, so it isn't applied.",
    );
    expect(text).not.toContain("According to a release, it is cancelled.");
  });

  it("shows the issuer's terms, and warns of another company's", async () => {
    const own = aKnownArticle({ fraction: { treatment: "cash_in_lieu", level: null, sentence: "Holders get cash." } });
    const other = aKnownArticle({
      url: "https://wire.example/other",
      subject: "Evil Research LLC",
      published: day("2026-03-02"),
      heading: "Acme Splits 1-for-50",
      terms: [someTerms({ ratio: "1:50" })],
      fraction: { treatment: "round_up", level: null, sentence: "Fractions are rounded up." },
    });
    await bench.seed({ splits: [aSplit()], articles: [own, other] });
    const [split = ""] = (await bench.runAsText("show ACME")).split("2 press releases");
    expect(split).toContain("Fractional shares: paid out in cash");
    expect(split).toContain('"Holders get cash."');
    expect(split).not.toMatch(/Fractions are rounded up|Release: Acme Splits 1-for-50|The release says/);
    expect(split).toContain(
      "! A release of Mon 2 Mar 2026 by Evil Research LLC says 1-for-50. It isn't known as the issuer's, so it isn't applied.",
    );
  });

  it.each(["cancelled", "postponed"] as const)("states that a release explains a missing split: %s", async (kind) => {
    const split = aSplit({}, { status: "missing", removedAt: 0, withdrawal: { kind, exDate: day("2026-03-10") } });
    await bench.seed({ splits: [split], articles: [aKnownArticle({ kind, heading: "Acme Takes It Back" })] });
    const text = await bench.runAsText("show ACME");
    expect(text).toContain(`: ${kind}, according to a release. These are its last known terms.`);
    expect(text).not.toContain("cancelled, completed or corrected?");
    expect(text).toContain("Release: Acme Takes It Back");
  });
});

describe("articles and splits", () => {
  it("are linked in both directions: each release names its listed split", async () => {
    await bench.seed({ splits: [aSplit()], articles: [aKnownArticle()] });
    expect(await bench.runAsText("articles")).toContain(
      "reverse split announcement · listed: ACME 1-for-20 reverse split, ex date Tue 10 Mar 2026",
    );
    expect(await bench.runAsText("show ACME")).toContain("1 press release on ACME");
  });

  it("are shown separately if a release announces an unlisted split", async () => {
    await bench.seed({ articles: [aKnownArticle({ terms: [someTerms({ ratio: "1:25" })] })] });
    const words = "announced in a release, not listed yet; the release says: ratio 1-for-25, ex date not stated";
    expect(await bench.runAsText("articles")).toContain(words);
    expect(await bench.runAsText("watch ACME")).toContain(words.slice(1));
    expect(await bench.runAsText("why ACME")).toContain(words.slice(1));
  });
});

describe("articles", () => {
  const ARTICLES = [
    aKnownArticle({ url: "https://wire.example/a", heading: "A", published: day("2026-02-01") }),
    aKnownArticle({ url: "https://wire.example/b", heading: "B", published: day("2026-03-01"), source: "newsfile" }),
    aKnownArticle({
      url: "https://wire.example/c",
      heading: "C",
      published: day("2026-03-02"),
      concerns: [{ ticker: ticker("GLOBX"), exchange: exchange("NYSE") }],
    }),
  ];

  it.each([
    ["articles", ["C", "B", "A"]],
    ["articles acme", ["B", "A"]],
    ["articles source:newsfile", ["B"]],
    ["articles sources:newsfile,globenewswire from:2026-03-01", ["C", "B"]],
    ["articles from:2026-02-01 to:2026-03-01", ["B", "A"]],
    ["articles from:today", ["C"]],
    ["articles to:yesterday", ["B", "A"]],
    ["articles ticker:ZZZZ", []],
  ])("%s shows the matching releases, the newest first", async (line, headings) => {
    await bench.seed({ articles: ARTICLES });
    expect(await titles(line)).toEqual(headings);
  });

  it("keeps all options on page buttons", async () => {
    const many = Array.from({ length: 9 }, (_, index) => aKnownArticle({ url: `https://wire.example/${index}` }));
    await bench.seed({ articles: many });
    expect(await bench.runAsText("articles acme from:2026-01-01")).toContain(
      "(Next: articles ticker:ACME from:2026-01-01 page:2)",
    );
    expect(await titles("articles ticker:ACME from:2026-01-01 page:2")).toHaveLength(1);
  });

  it("explains an empty result", async () => {
    expect(await bench.runAsText("articles")).toContain("No press releases have been read yet.");
    await bench.seed({ articles: ARTICLES });
    expect(await bench.runAsText("articles zzzz from:2026-03-01")).toBe(
      "No press releases on ZZZZ since Sun 1 Mar 2026\n3 press releases are stored, the oldest from Sun 1 Feb 2026. See them all: /splits articles",
    );
  });

  it("rejects a from that is later than to", async () => {
    const text = await bench.runAsText("articles from:2026-03-02 to:2026-03-01");
    expect(text).toContain('from: got "2026-03-02", expected a day on or before "to" (2026-03-01).');
    expect(bench.ran).toEqual(["articles usage"]);
  });
});

describe("sample data", () => {
  it.each([
    "list",
    "show ACME",
    "show ZZZZ",
    "articles",
    "calc ACME 9",
    "calc ZZZZ 9",
    "watch ACME",
    "watchlist",
    "why ACME",
    "status",
  ])("is labeled on every card of %s", async (line) => {
    await using sampled = await openSampleBench();
    const { cards } = await sampled.bench.run(line);
    expect(cards.map(({ badges }) => badges)).toEqual(cards.map(() => ["SAMPLE"]));
  });
});

it.each([
  ["of another start of the sample", "sample:2026-03-02T14:00:00.000Z", true],
  ["of another source", "wires", false],
])("shows or hides the splits %s until the sample is polled", async (_, source, isShown) => {
  await using sampled = await openSampleBench();
  await sampled.bench.seed({ header: { source } });
  expect((await sampled.bench.runAsText("list")).includes("ACME")).toBe(isShown);
});

async function openSampleBench(): Promise<{ bench: CommandBench } & AsyncDisposable> {
  const sampled = await openCommandBench({
    source: {
      id: "http://splits.example",
      name: "the sample",
      sample: true,
      notes: () => [],
      problem: () => null,
      releaseText: () => null,
      live: null,
    },
  });
  const split = aSplit();
  await sampled.seed({ splits: [split], articles: [aKnownArticle()] });
  await sampled.commit([announcedEvent(split, { sample: true })]);
  await sampled.run("watch GLOBX");
  return { bench: sampled, [Symbol.asyncDispose]: () => sampled.close() };
}

describe("the sources of live data", () => {
  const notice = anObservation({ id: "ECA2026-901", url: "https://exchange.example/alert?id=ECA2026-901" });
  const [split = null] = buildCatalog({ releases: [], observations: [notice] });
  const REFUSING: SourceHealth = {
    label: "Business Wire",
    verdict: "down",
    condition: "refusing",
    since: Date.parse("2026-03-02T13:00:00Z"),
    problem: "feed.example: 403",
    unreadDocuments: null,
    lastOkAt: null,
    lastNewAt: null,
    lastGapAt: null,
    gaps: 0,
  };
  const live: LiveSourcesInfo = {
    statuses: () => [REFUSING],
    splitOf: (record) => (record.ticker === "ACME" ? split : null),
    directories: () => [],
    listingProblems: () => ["ACME: Nasdaq's symbol directory states Acme Boats, Inc., NYSE"],
    labelOf: (source) => source.toUpperCase(),
  };

  it.each(["show ACME", "why ACME"])("are named term by term in the answer to %s", async (line) => {
    await using opened = await openLiveBench(live);
    const text = await opened.bench.runAsText(line);
    expect(text).toContain("Sources of the terms of ACME");
    expect(text).toContain("Listing differs: ACME: Nasdaq's symbol directory states Acme Boats, Inc., NYSE.");
    expect(text).toContain('- Ratio 1-for-20: NASDAQ ECA2026-901 | "1-for-20" · Mon 2 Mar 2026 <https://exchange.');
    expect(await opened.bench.runAsText(line.replace("ACME", "GLOBX"))).not.toContain("Sources of the terms");
  });

  it.each([
    ["effective", true],
    ["trading", false],
  ] as const)("mark an ex date with the basis %s in show and in the page's view: %s", async (exDateBasis, isMarked) => {
    const released = aRelease({ facts: { splits: [{ exDateBasis }] } });
    const [stated = null] = buildCatalog({ releases: [released], observations: [] });
    await using opened = await openLiveBench({ ...live, splitOf: () => stated });
    const mark = isMarked ? ", from the effective date" : "";
    const shown = await opened.bench.runAsText("show ACME");
    expect(shown).toMatch(new RegExp(`Ex date: Tue 10 Mar 2026, [^,\\n]+${mark}\\n`));
    expect(shown).toContain(`- Ex date Tue 10 Mar 2026${mark}: GLOBENEWSWIRE`);
    const { sections } = await opened.bench.screens.splitView(ticker("ACME"), ALICE);
    expect(sections[0]?.steps.at(-1)?.detail?.includes("from the effective date")).toBe(isMarked);
  });

  it("quote the sentence on fractional shares in the answer to why", async () => {
    await using opened = await openLiveBench(live);
    const { cards } = await opened.bench.run("why ACME");
    const { source, url } = aKnownArticle();
    expect(cards[1]?.quotes).toEqual([{ text: "Fractions are rounded up.", source: wireName(source), link: url }]);
  });

  it("are shown with their state in the answer to status", async () => {
    await using opened = await openLiveBench(live);
    expect(await opened.bench.runAsText("status")).toContain(
      "0 of 1 source can be read\n- [DOWN] Business Wire | Requests refused since Mon 2 Mar 2026, 08:00 EST: feed.example: 403; not read since startup",
    );
  });
});

async function openLiveBench(live: LiveSourcesInfo): Promise<{ bench: CommandBench } & AsyncDisposable> {
  const base = { id: "live", name: "live sources", sample: false, notes: () => [], problem: () => null };
  const source = { ...base, releaseText: () => null, live };
  const opened = await openCommandBench({ source });
  await opened.seed({
    splits: [aSplit(), aSplit({ ticker: "GLOBX" })],
    articles: [
      aKnownArticle({ fraction: { treatment: "round_up", level: null, sentence: "Fractions are rounded up." } }),
    ],
    header: { source: "live" },
  });
  return { bench: opened, [Symbol.asyncDispose]: () => opened.close() };
}

describe("articles", () => {
  it("sorts the releases once per snapshot", async () => {
    await bench.seed({ articles: [aKnownArticle()] });
    await bench.run("articles");
    const listed = vi.spyOn((await bench.store.snapshot.read()).articles, "values");
    await bench.run("articles");
    expect(listed).not.toHaveBeenCalled();
  });
});
