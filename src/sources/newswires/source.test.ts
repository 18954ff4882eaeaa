import { afterEach, describe, expect, it } from "vitest";
import { MemoryReleases } from "../../../test/newswires/memory-releases.ts";
import { ScriptedWire, splitPage } from "../../../test/newswires/scripted-wire.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { type RecordedLog, recordedLog } from "../../../test/support/recorded-log.ts";
import { aRelease } from "../../../test/support/releases.ts";
import type { ArticleRow, SplitRow } from "../../data-service/schema.ts";
import { type CatalogSource, createCatalog, type WritableCatalog } from "../../data-service/server/catalog.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/day.ts";
import type { OpenSource } from "../source-definition.ts";
import { type FeedItem, WireError } from "./newswire.ts";
import { openSource } from "./source.ts";

const A = "https://wire.example/a";
const B = "https://wire.example/b";
const ROW = {
  ticker: "DLVX",
  exchange: "NASDAQ",
  company: "Delvex Therapeutics, Inc.",
  ratio: "1:20",
  ex_date: "2026-03-09",
  date_announced: "2026-03-02",
};

interface Bench {
  readonly wires: readonly ScriptedWire[];
  readonly releases: MemoryReleases;
  readonly clock: ManualClock;
  readonly log: RecordedLog;
  readonly opened: OpenSource;
  readonly catalog: WritableCatalog;
  readonly source: CatalogSource;
  splits(): readonly SplitRow[];
  articles(): readonly ArticleRow[];
}

const open: OpenSource[] = [];

afterEach(async () => {
  for (const wires of open.splice(0)) await wires.stop();
});

/** Follows the wires from the releases that are there, and lets the first looks and readings end. */
async function follow(
  wires: readonly ScriptedWire[],
  { releases = new MemoryReleases(), clock = new ManualClock("2026-03-02T14:00:00Z") } = {},
): Promise<Bench> {
  const log = recordedLog();
  const opened = await openSource({ wires, releases, clock, log });
  open.push(opened);
  const catalog = createCatalog({ clock, keepAfterExDate: 7 });
  const source = opened.serve(catalog);
  await clock.advance(0);
  await clock.advance(0);
  return {
    wires,
    releases,
    clock,
    log,
    opened,
    catalog,
    source,
    splits: () => catalog.splits(),
    articles: () => catalog.articles(),
  };
}

function aWire(name?: string): ScriptedWire {
  return new ScriptedWire(name);
}

async function looks({ clock }: Bench, times = 1): Promise<void> {
  for (let left = times; left > 0; left -= 1) await clock.advance(MINUTE_MS);
  await clock.advance(0);
}

describe("a release that a wire shows", () => {
  it("is written down before its page is asked for, read once, and served", async () => {
    const wire = aWire();
    const bench = await follow([wire]);
    wire.show({ url: A }, splitPage());
    await looks(bench, 3);

    expect(bench.releases.written.map(({ text }) => text === null)).toEqual([true, false]);
    expect(wire.asked).toEqual([A]);
    expect(bench.splits()).toEqual([ROW]);
    expect(bench.articles()).toEqual([
      {
        source: "globenewswire",
        heading: "Delvex Therapeutics Announces 1-for-20 Reverse Stock Split",
        url: A,
        content: splitPage(),
        date_published: "2026-03-02",
      },
    ]);
  });

  it("is not asked for where nothing hints at a split, and not kept", async () => {
    const wire = aWire();
    wire.show({ url: A, heading: "Delvex Announces Results of Annual Meeting" }, "All directors were elected.");
    wire.show({ url: B, heading: "Delvex Opens a Plant" }, splitPage());
    const bench = await follow([wire]);
    await looks(bench, 3);
    expect({ asked: wire.asked, kept: [...bench.releases.kept.keys()] }).toEqual({ asked: [A], kept: [A] });
  });

  it("is kept whatever it says where nothing is kept of that wire, which shows since when it is read", async () => {
    const wire = aWire();
    wire.show({ url: B, heading: "Delvex Opens a Plant" }, "It has a roof.");
    wire.show({ url: A, heading: "Delvex Closes a Plant" }, "It had a roof.");
    const bench = await follow([wire]);
    await looks(bench, 3);
    expect(bench.releases.kept.size).toBe(1);
    expect([...bench.articles(), ...bench.splits()]).toEqual([]);
  });

  it("is asked for once where it turns out to be on something else, and not served", async () => {
    const wire = aWire();
    wire.show({ url: A, heading: "Delvex Announces Results of Annual Meeting" }, "All directors were elected.");
    const bench = await follow([wire]);
    await looks(bench, 3);
    expect(wire.asked).toEqual([A]);
    expect([...bench.articles(), ...bench.splits()]).toEqual([]);
  });

  it("is read after a restart when that came between its being found and its page", async () => {
    const wire = aWire();
    wire.show({ url: A });
    const first = await follow([wire]);
    expect(first.releases.kept.get(A)?.text).toBeNull();
    await first.opened.stop();
    wire.items = [];
    wire.pages.set(A, splitPage());
    const second = await follow([wire], { releases: first.releases });
    expect(second.splits()).toEqual([ROW]);
  });

  it("is written down later where the store could not, however often the feed has shown it", async () => {
    const wire = aWire();
    wire.show({ url: A }, splitPage());
    const releases = new MemoryReleases();
    releases.full = true;
    const bench = await follow([wire], { releases });
    expect(bench.log.count("release not saved")).toBe(1);
    releases.full = false;
    await looks(bench);
    expect(bench.splits()).toEqual([ROW]);
  });

  it("is read again when the store could not keep its text, without hammering the wire", async () => {
    const wire = aWire();
    wire.show({ url: A });
    const releases = new MemoryReleases();
    const bench = await follow([wire], { releases });
    await bench.opened.stop();
    wire.pages.set(A, splitPage());
    const read = wire.readPage;
    Object.assign(wire, {
      readPage: async (...asked: Parameters<typeof read>) => {
        releases.full = wire.asked.length < 2;
        return read(...asked);
      },
    });
    wire.asked.splice(0);
    const again = await follow([wire], { releases });
    await again.clock.advance(10_000);
    expect(wire.asked).toHaveLength(1);
    await looks(again, 2);
    expect(again.splits()).toEqual([ROW]);
  });

  it("takes the day of its dateline where the feed gives none", async () => {
    const wire = aWire();
    wire.show({ url: A, publishedAt: null }, splitPage({ dateline: "February 27, 2026" }));
    expect((await follow([wire])).articles()[0]?.date_published).toBe("2026-02-27");
  });

  it("is dated by its feed where its text leaves out the year", async () => {
    const wire = aWire();
    wire.show({ url: A }, splitPage({ dateline: "March 2", exDate: "March 9" }));
    expect((await follow([wire])).splits()).toEqual([ROW]);
  });

  it("is the wire's though a feed of the operator's own showed it first, and only then among the articles", async () => {
    const own = aWire("issuers");
    const wire = aWire();
    own.show({ url: A }, splitPage());
    const bench = await follow([own, wire]);
    expect(bench.splits()).toEqual([ROW]);
    expect(bench.articles()).toEqual([]);
    wire.show({ url: A });
    await looks(bench);
    expect(bench.articles().map(({ source }) => source)).toEqual(["globenewswire"]);
    expect([...own.asked, ...wire.asked]).toEqual([A]);
  });
});

function aMistake(): FeedItem {
  const item = { url: B, heading: "", teaser: "", publishedAt: null, tickers: [], version: "1" };
  return Object.defineProperty(item, "heading", {
    get: () => {
      throw new TypeError("no heading");
    },
  });
}

describe("a release that a hostile or careless feed shows", () => {
  it("is one, however its link is marked, and another one seven months later", async () => {
    const wire = aWire();
    for (let mark = 0; mark < 5; mark += 1) wire.show({ url: `${A}?visit=${mark}` }, splitPage());
    const bench = await follow([wire]);
    for (let mark = 5; mark < 10; mark += 1) {
      wire.show({ url: `${A}?visit=${mark}` }, splitPage());
      await looks(bench);
    }
    wire.show({ url: `${A}?visit=10`, publishedAt: Date.parse("2026-10-02T13:30:00Z"), version: "2" }, splitPage());
    await looks(bench);
    expect(wire.asked).toHaveLength(2);
    expect(bench.articles()).toHaveLength(2);
  });

  it("is two where the feed does not say when they were published", async () => {
    const wire = aWire();
    for (const mark of [1, 2]) wire.show({ url: `${A}?id=${mark}`, publishedAt: null }, splitPage());
    expect((await follow([wire])).articles()).toHaveLength(2);
  });

  it("is not the newest for ever where the feed dates it decades ahead", async () => {
    const wire = aWire();
    wire.show({ url: A, publishedAt: Date.parse("2062-03-02T13:30:00Z") }, splitPage());
    expect((await follow([wire])).articles()[0]?.date_published).toBe("2026-03-02");
  });

  it("does not end the others where a mistake of ours comes to light with it", async () => {
    const wire = aWire();
    wire.show({ url: A }, splitPage());
    const bench = await follow([wire]);
    wire.items = [aMistake()];
    await looks(bench);
    expect(bench.log.count("wire follow failed")).toBe(1);
    wire.items = [];
    wire.show({ url: B, heading: "Kestor Corp. Announces Reverse Stock Split" }, splitPage());
    await looks(bench);
    expect(bench.articles()).toHaveLength(2);
  });
});

describe("a release that was corrected", () => {
  it("is read again, and what it says now takes the place of what it said", async () => {
    const wire = aWire();
    wire.show({ url: A }, splitPage());
    const bench = await follow([wire]);
    const corrected = { url: A, version: "2", heading: "Correction: Delvex Announces Reverse Stock Split" };
    wire.show(corrected, splitPage({ ratio: "1-for-25", exDate: "March 10, 2026" }));
    await looks(bench);
    expect(bench.splits()).toEqual([{ ...ROW, ratio: "1:25", ex_date: "2026-03-10" }]);
    expect(bench.articles()).toHaveLength(1);
    expect(bench.articles()[0]?.content).toContain("1-for-25");
  });

  it("is not read again for a feed of the operator's own that words its heading in another way", async () => {
    const [wire, own] = [aWire(), aWire("issuers")];
    wire.show({ url: A }, splitPage());
    const bench = await follow([wire, own]);
    own.show({ url: A, version: "other", heading: "Issuers: Delvex Announces Reverse Stock Split" });
    await looks(bench, 3);
    expect([...wire.asked, ...own.asked]).toEqual([A]);
    expect(bench.articles()[0]?.heading).toBe("Delvex Therapeutics Announces 1-for-20 Reverse Stock Split");
  });

  it("keeps what it said before while its page cannot be read", async () => {
    const wire = aWire();
    wire.show({ url: A }, splitPage());
    const bench = await follow([wire]);
    wire.show({ url: A, version: "2" }, new WireError("refused", "wire.example: 403"));
    await looks(bench);
    expect(bench.splits()).toEqual([ROW]);
    expect(bench.source.problems()).toEqual([expect.stringContaining(A)]);
  });

  it("is read no more than once an hour after some readings by a feed that changes its mind with every look", async () => {
    const wire = aWire();
    wire.show({ url: A }, splitPage());
    const bench = await follow([wire]);
    for (let version = 2; version < 122; version += 1) {
      wire.show({ url: A, version: String(version % 2) });
      await looks(bench);
    }
    expect(wire.asked.length).toBeLessThan(8);
  });
});

describe("a page that cannot be read", () => {
  it.each([
    ["server-error", "500"],
    ["timeout", "no answer in time"],
    ["gone", "404"],
    ["too-large", "more than it may"],
    ["unreadable", "no release in it"],
  ] as const)(
    "is tried again with longer and longer pauses, then shown by its feed's words: %s",
    async (failure, message) => {
      const wire = aWire();
      wire.show(
        { url: A, teaser: "Delvex (Nasdaq: DLVX) will do a 1-for-20 reverse stock split." },
        new WireError(failure, message),
      );
      const bench = await follow([wire]);
      expect(bench.articles()).toEqual([]);
      await looks(bench, 10);
      expect(wire.asked).toHaveLength(4);
      expect(bench.articles()[0]?.content).toMatch(/^Delvex Therapeutics Announces .*\n\nDelvex \(Nasdaq/);
      expect(bench.source.problems().join()).toContain(`${A} (${message})`);

      wire.pages.set(A, splitPage());
      await looks(bench, 10);
      expect(bench.splits()).toEqual([ROW]);
      expect(bench.articles()[0]?.content).toBe(splitPage());
      expect(bench.source.problems()).toEqual([]);
    },
  );

  it("is asked for every five minutes while there is no way there, for that is mostly ours", async () => {
    const wire = aWire();
    wire.show({ url: A }, new WireError("unreachable", "no connection"));
    const bench = await follow([wire]);
    await looks(bench, 12 * 60);
    wire.pages.set(A, splitPage());
    await looks(bench, 5);
    expect(bench.splits()).toEqual([ROW]);
  });

  it("is shown by its feed's words at once when it is refused, and asked for again after hours", async () => {
    const wire = aWire();
    wire.show({ url: A }, new WireError("refused", "403"));
    const bench = await follow([wire]);
    expect(bench.articles()[0]?.content).toBe("Delvex Therapeutics Announces 1-for-20 Reverse Stock Split");
    await looks(bench, 60);
    expect(wire.asked).toHaveLength(1);
    await bench.clock.advance(6 * HOUR_MS);
    expect(wire.asked).toHaveLength(2);
    await bench.clock.advance(30 * DAY_MS);
    expect(wire.asked.length).toBeLessThan(60);
  });

  it("is not asked for before the time that the wire has asked for", async () => {
    const wire = aWire();
    wire.show({ url: A }, new WireError("rate-limited", "429", { retryAfterMs: HOUR_MS }));
    const bench = await follow([wire]);
    await looks(bench, 59);
    expect(wire.asked).toHaveLength(1);
    await looks(bench, 2);
    expect(wire.asked).toHaveLength(2);
  });

  it("tells the split by the feed's words, but for a last sentence that was cut off", async () => {
    const wire = aWire();
    const teaser = splitPage().replaceAll("\n", " ");
    wire.show({ url: A, teaser }, new WireError("refused", "403"));
    wire.show(
      {
        url: B,
        teaser:
          "Kestor Corp. (NYSE: KSTR) will begin trading on a split-adjusted basis on March 9, 2026 at 1-for-5. It was in a range of 1-for-2 to 1-f...",
      },
      new WireError("refused", "403"),
    );
    const bench = await follow([wire]);
    expect(bench.splits()).toContainEqual(ROW);
    expect(bench.releases.kept.get(B)?.facts?.splits.every(({ ratio }) => ratio?.oldShares !== 2)).toBe(true);
  });

  it("holds up no other: not of its wire, and not of another", async () => {
    const [wire, other] = [aWire(), aWire("prnewswire")];
    wire.show({ url: A }, new WireError("server-error", "500"));
    wire.show({ url: B }, splitPage());
    other.show({ url: "https://other.example/hangs" });
    const bench = await follow([wire, other]);
    await bench.clock.advance(MINUTE_MS);
    expect(bench.articles().map(({ url }) => url)).toEqual([B]);
  });
});

describe("the first fill", () => {
  it("waits for the pages of what the feeds show, and is then one list", async () => {
    const wire = aWire();
    wire.show({ url: A }, splitPage());
    wire.show({ url: B, publishedAt: Date.parse("2026-03-02T12:00:00Z") });
    const bench = await follow([wire]);
    expect(bench.catalog.ready).toBe(false);
    await bench.clock.advance(59_000);
    expect(bench.catalog.ready).toBe(false);
    await bench.clock.advance(1_000);
    expect(bench.splits()).toEqual([ROW]);
  });

  it("never comes while no wire could be read and nothing is kept, but as soon as one can", async () => {
    const [wire, other] = [aWire(), aWire("prnewswire")];
    wire.failure = new WireError("unreachable", "no connection");
    other.failure = new WireError("refused", "403");
    const bench = await follow([wire, other]);
    expect(await bench.opened.reached).toBe(false);
    await bench.clock.advance(HOUR_MS);
    expect(bench.catalog.ready).toBe(false);
    expect(bench.source.readError()).toBe("None of the news wires can be read. globenewswire: no connection");
    wire.failure = null;
    wire.show({ url: A }, splitPage());
    await looks(bench);
    expect(bench.splits()).toEqual([ROW]);
    expect(bench.source.readError()).toBeNull();
  });

  it("is what was kept, though no wire can be read", async () => {
    const wire = aWire();
    wire.failure = new WireError("unreachable", "no connection");
    const releases = new MemoryReleases();
    await releases.put(aRelease());
    const bench = await follow([wire], { releases });
    expect(await bench.opened.reached).toBe(true);
    expect(bench.splits().map(({ ticker }) => ticker)).toEqual(["ACME"]);
    expect(bench.source.readError()).toContain("the last known data is served");
  });

  it("is as whole after a first run that ended before its own", async () => {
    const wire = aWire();
    wire.show({ url: A }, splitPage());
    wire.show({ url: B, publishedAt: Date.parse("2026-03-02T12:00:00Z") });
    const first = await follow([wire]);
    expect(first.releases.kept.get(A)?.facts).not.toBeNull();
    await first.opened.stop();
    const again = await follow([wire], { releases: first.releases });
    expect(again.catalog.ready).toBe(false);
    await again.clock.advance(MINUTE_MS);
    expect(again.splits()).toEqual([ROW]);
  });

  it("does not begin with what a first run left that ended before it had read its pages, while no wire can be read", async () => {
    const wire = aWire();
    wire.show({ url: A }, splitPage());
    wire.show({ url: B, publishedAt: Date.parse("2026-03-02T12:00:00Z") });
    const first = await follow([wire]);
    await first.opened.stop();
    wire.failure = new WireError("unreachable", "no connection");
    const again = await follow([wire], { releases: first.releases });
    expect(await again.opened.reached).toBe(false);
    await again.clock.advance(HOUR_MS);
    expect(again.catalog.ready).toBe(false);
    wire.failure = null;
    wire.pages.set(B, splitPage());
    await looks(again, 2);
    expect(again.splits()).toEqual([ROW]);
  });

  it("does not wait for pages where an earlier run has had it", async () => {
    const wire = aWire();
    wire.show({ url: A }, splitPage());
    const first = await follow([wire]);
    await looks(first);
    wire.show({ url: B, heading: "Kestor Corp. Announces Reverse Stock Split" }, splitPage());
    await looks(first);
    await first.opened.stop();
    wire.show({ url: `${B}2` });
    const again = await follow([wire], { releases: first.releases, clock: first.clock });
    expect(again.splits()).toEqual([ROW]);
  });

  it("does not wait for ever for a wire that hangs", async () => {
    const [wire, hanging] = [aWire(), aWire("newsfile")];
    wire.show({ url: A }, splitPage());
    Object.assign(hanging, { readFeeds: () => new Promise(() => undefined) });
    const bench = await follow([wire]);
    const both = await openSource({
      wires: [wire, hanging],
      releases: new MemoryReleases(),
      clock: bench.clock,
      log: bench.log,
    });
    const catalog = createCatalog({ clock: bench.clock, keepAfterExDate: 7 });
    both.serve(catalog);
    expect(await both.reached).toBe(true);
    expect(catalog.ready).toBe(false);
    await bench.clock.advance(MINUTE_MS);
    expect(catalog.splits()).toEqual([ROW]);
  });

  it("can be taken over by another reader at once when it has come", async () => {
    const wire = aWire();
    wire.show({ url: A }, splitPage());
    const { opened, clock } = await follow([wire]);
    await opened.filled;
    const other = createCatalog({ clock, keepAfterExDate: 7 });
    opened.serve(other);
    expect(other.splits()).toEqual([ROW]);
  });
});

describe("what the source tells of itself", () => {
  it("names each wire that cannot be read, since when, and that it was before", async () => {
    const [wire, other] = [aWire(), aWire("businesswire")];
    const bench = await follow([wire, other]);
    expect(bench.source.problems()).toEqual([]);
    other.failure = new WireError("refused", "feed.example: 403 Forbidden");
    await looks(bench, 3);
    expect(bench.source.problems()).toEqual([
      "businesswire refuses to be read since 2026-03-02 14:01 UTC (feed.example: 403 Forbidden); last read at 2026-03-02 14:00 UTC",
    ]);
    expect(bench.source.readError()).toBeNull();
    expect(bench.log.count("wire read failed")).toBe(1);
    other.failure = null;
    await looks(bench);
    expect(bench.source.problems()).toEqual([]);
  });

  it("names releases that disagree", async () => {
    const [wire, other] = [aWire(), aWire("prnewswire")];
    const heading = "Delvex Announces Reverse Stock Split";
    wire.show({ url: A, heading }, splitPage());
    other.show({ url: B, heading, publishedAt: Date.parse("2026-03-02T15:00:00Z") }, splitPage({ ratio: "1-for-25" }));
    const bench = await follow([wire, other]);
    expect(bench.splits()).toEqual([{ ...ROW, ratio: "1:25" }]);
    expect(bench.source.problems()).toEqual([
      `DLVX: two releases of the same day state different terms; ${B} is used, ${A} is not`,
    ]);
  });

  it("is nothing to readers when nothing they see has changed", async () => {
    const wire = aWire();
    wire.show({ url: A }, splitPage());
    const bench = await follow([wire]);
    let changes = 0;
    bench.catalog.onChange(() => {
      changes += 1;
    });
    wire.show({ url: B, heading: "Delvex Announces Annual Meeting" }, "All directors were elected.");
    await looks(bench, 5);
    expect(changes).toBe(0);
  });
});

describe("releases that are old", () => {
  it("are forgotten after two years, and after a month where they are on something else", async () => {
    const wire = aWire();
    wire.show({ url: A }, splitPage());
    wire.show({ url: B, heading: "Delvex Announces Annual Meeting" }, "All directors were elected.");
    const bench = await follow([wire]);
    wire.items = [];
    expect(bench.releases.kept.size).toBe(2);
    await bench.clock.advance(32 * DAY_MS);
    expect([...bench.releases.kept.keys()]).toEqual([A]);
    await bench.opened.stop();
    const later = await follow([aWire()], { releases: bench.releases, clock: new ManualClock("2028-03-01T14:00:00Z") });
    expect(later.releases.kept.size).toBe(1);
    await later.clock.advance(4 * DAY_MS);
    expect(later.releases.kept.size).toBe(0);
  });
});
