import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { ScriptedWire, splitPage } from "../../../test/newswires/scripted-wire.ts";
import { directReader } from "../../../test/support/direct-reader.ts";
import { type FollowedLiveSources, followSources } from "../../../test/support/follow-sources.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { type RecordedLog, recordedLog } from "../../../test/support/recorded-log.ts";
import { aRelease } from "../../../test/support/releases.ts";
import { MemoryReleases, MemorySourceReads, memorySourceRecords } from "../../../test/support/source-records.ts";
import type { ArticleRow, SplitRow } from "../../data-service/schema.ts";
import {
  type CatalogSource,
  createServedCatalog,
  type WritableCatalog,
} from "../../data-service/server/served-catalog.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/day.ts";
import { followWires } from "../newswires/follow-wires.ts";
import { SHARED_READERS } from "../reading/shared-readers.ts";
import type { OpenSource, SourceParts } from "../source-definition.ts";
import { FetchError } from "../web/fetch-error.ts";
import { createHostQueue } from "../web/host-queue.ts";
import type { FeedItem } from "../web/read-feed.ts";

const A = "https://wire.example/a";
const B = "https://wire.example/b";
const EXHIBIT = "https://www.sec.gov/Archives/edgar/data/9999901/000999999926000123/dlvx-ex991.htm";
const ROW = {
  ticker: "DLVX",
  exchange: "NASDAQ",
  company: "Delvex Therapeutics, Inc.",
  ratio: "1:20",
  ex_date: "2026-03-09",
  date_announced: "2026-03-02",
};

interface Harness {
  readonly wires: readonly ScriptedWire[];
  readonly releases: MemoryReleases;
  readonly sourceReads: MemorySourceReads;
  readonly clock: ManualClock;
  readonly log: RecordedLog;
  readonly opened: FollowedLiveSources;
  readonly catalog: WritableCatalog;
  readonly source: CatalogSource;
  splits(): readonly SplitRow[];
  articles(): readonly ArticleRow[];
}

const open: FollowedLiveSources[] = [];

afterEach(async () => {
  for (const wires of open.splice(0)) await wires.stop();
});

interface OpenedWires {
  readonly wires: readonly ScriptedWire[];
  readonly releases: MemoryReleases;
  readonly sourceReads: MemorySourceReads;
  readonly clock: ManualClock;
  readonly log: RecordedLog;
}

function openWires({ wires, ...parts }: OpenedWires): Promise<FollowedLiveSources> {
  return openSource((shared) => followWires({ ...shared, wires }), parts);
}

function openSource(
  openOne: (shared: SourceParts) => OpenSource,
  { releases, sourceReads, ...parts }: Omit<OpenedWires, "wires">,
): Promise<FollowedLiveSources> {
  return followSources([async (shared) => openOne(shared)], {
    ...parts,
    store: memorySourceRecords({ releases, sourceReads }),
    queue: createHostQueue(parts.clock),
    reader: directReader,
    version: "0.0.0",
    contact: null,
    keepTextsMs: 400 * DAY_MS,
  });
}

/** Follows the wires with the given stored releases and waits for the first polls and reads. */
async function follow(
  wires: readonly ScriptedWire[],
  {
    releases = new MemoryReleases(),
    sourceReads = new MemorySourceReads(),
    clock = new ManualClock("2026-03-02T14:00:00Z"),
  } = {},
): Promise<Harness> {
  const log = recordedLog();
  const opened = await openWires({ wires, releases, sourceReads, clock, log });
  open.push(opened);
  const catalog = createServedCatalog({ clock, keepAfterExDate: 7 });
  const source = opened.serve(catalog);
  await clock.advance(0);
  await clock.advance(0);
  return {
    wires,
    releases,
    sourceReads,
    clock,
    log,
    opened,
    catalog,
    source,
    splits: () => catalog.splits(),
    articles: () => catalog.articles(),
  };
}

/** Stops and follows the same wires again after a time, during which nothing runs. */
async function restartAfter({ wires, opened, releases, sourceReads, clock }: Harness, ms: number): Promise<Harness> {
  await opened.stop();
  return follow(wires, { releases, sourceReads, clock: new ManualClock(new Date(clock.now() + ms).toISOString()) });
}

function aWire(name?: string): ScriptedWire {
  return new ScriptedWire(name);
}

/** Time in which a change is published, however long its extraction takes. */
const PUBLISHED_WITHIN_MS = 1_000;

// Loading the readers takes time that the manual clock doesn't count.
beforeAll(async () => {
  await SHARED_READERS.functions.readText();
});

async function poll({ clock }: Harness, times = 1): Promise<void> {
  for (let count = 0; count < times; count += 1) await clock.advance(MINUTE_MS);
  await clock.advance(PUBLISHED_WITHIN_MS);
}

describe("a release on a wire", () => {
  it("is saved before its page is requested, read once, and served", async () => {
    const wire = aWire();
    const harness = await follow([wire]);
    wire.publish({ url: A }, splitPage());
    await poll(harness, 3);

    expect(harness.releases.written.map(({ text }) => text === null)).toEqual([true, false]);
    expect(wire.requested).toEqual([A]);
    expect(harness.splits()).toEqual([ROW]);
    expect(harness.articles()).toEqual([
      {
        source: "globenewswire",
        heading: "Delvex Therapeutics Announces 1-for-20 Reverse Stock Split",
        url: A,
        content: splitPage(),
        date_published: "2026-03-02",
      },
    ]);
  });

  it("is neither read nor saved if no keyword suggests a split", async () => {
    const wire = aWire();
    wire.publish({ url: A, heading: "Delvex Announces Results of Annual Meeting" }, "All directors were elected.");
    wire.publish({ url: B, heading: "Delvex Opens a Plant" }, splitPage());
    const harness = await follow([wire]);
    await poll(harness, 3);
    expect([wire.requested, [...harness.releases.stored.keys()]]).toEqual([[A], [A]]);
  });

  it("is read from the time of its wire's last stored release, regardless of later releases of other sources", async () => {
    const releases = new MemoryReleases();
    const foundAt = Date.parse("2026-02-27T15:00:00Z");
    await releases.put([aRelease({ url: A, source: "prnewswire", foundAt, readAt: foundAt + HOUR_MS })]);
    await releases.put([aRelease({ url: B, source: "globenewswire", foundAt: foundAt + DAY_MS })]);
    await releases.put([aRelease({ url: EXHIBIT, source: "prnewswire", foundAt: foundAt + 2 * DAY_MS })]);
    const [wire, unread] = [aWire("prnewswire"), aWire("newsfile")];
    await follow([wire, unread], { releases });
    expect([wire.lastReadAt, unread.lastReadAt]).toEqual([[foundAt], [null]]);
  });

  it("is read once and not served if it is about something else", async () => {
    const wire = aWire();
    wire.publish({ url: A, heading: "Delvex Announces Results of Annual Meeting" }, "All directors were elected.");
    const harness = await follow([wire]);
    await poll(harness, 3);
    expect(wire.requested).toEqual([A]);
    expect([...harness.articles(), ...harness.splits()]).toEqual([]);
  });

  it("is read after a restart between finding it and reading its page", async () => {
    const wire = aWire();
    wire.publish({ url: A });
    const first = await follow([wire]);
    expect(first.releases.stored.get(A)?.text).toBeNull();
    await first.opened.stop();
    wire.items = [];
    wire.pages.set(A, splitPage());
    const second = await follow([wire], { releases: first.releases, sourceReads: first.sourceReads });
    expect(second.splits()).toEqual([ROW]);
  });

  it("is saved by a later poll if the store refused it", async () => {
    const wire = aWire();
    wire.publish({ url: A }, splitPage());
    const releases = new MemoryReleases();
    releases.isFull = true;
    const harness = await follow([wire], { releases });
    expect(harness.log.count("release not saved")).toBe(1);
    releases.isFull = false;
    await poll(harness);
    expect(harness.splits()).toEqual([ROW]);
  });

  it("is read again after a pause if the store refused its text", async () => {
    const wire = aWire();
    wire.publish({ url: A });
    const releases = new MemoryReleases();
    const harness = await follow([wire], { releases });
    await harness.opened.stop();
    wire.pages.set(A, splitPage());
    const read = wire.readPage;
    Object.assign(wire, {
      readPage: async (...parameters: Parameters<typeof read>) => {
        releases.isFull = wire.requested.length < 2;
        return read(...parameters);
      },
    });
    wire.requested.splice(0);
    const second = await follow([wire], { releases, sourceReads: harness.sourceReads });
    await second.clock.advance(10_000);
    expect(wire.requested).toHaveLength(1);
    await poll(second, 2);
    expect(second.splits()).toEqual([ROW]);
  });

  it("is dated by its dateline if the feed has no date", async () => {
    const wire = aWire();
    wire.publish({ url: A, publishedAt: null }, splitPage({ dateline: "February 27, 2026" }));
    expect((await follow([wire])).articles()[0]?.date_published).toBe("2026-02-27");
  });

  it("is dated by its feed if its text has no year", async () => {
    const wire = aWire();
    wire.publish({ url: A }, splitPage({ dateline: "March 2", exDate: "March 9" }));
    expect((await follow([wire])).splits()).toEqual([ROW]);
  });

  it("belongs to its wire, and to the articles, even if a configured feed shows it first", async () => {
    const configured = aWire("issuers");
    const wire = aWire();
    configured.publish({ url: A }, splitPage());
    const harness = await follow([configured, wire]);
    expect(harness.splits()).toEqual([ROW]);
    expect(harness.articles()).toEqual([]);
    wire.publish({ url: A });
    await poll(harness);
    expect(harness.articles().map(({ source }) => source)).toEqual(["globenewswire"]);
    expect([...configured.requested, ...wire.requested]).toEqual([A]);
  });
});

function anItemThatThrows(): FeedItem {
  const item = { url: B, heading: "", teaser: "", publishedAt: null, tickers: [], version: "1" };
  return Object.defineProperty(item, "heading", {
    get: () => {
      throw new TypeError("no heading");
    },
  });
}

describe("a release in a hostile or faulty feed", () => {
  it("is a single release despite changing query parameters, and a new release seven months later", async () => {
    const wire = aWire();
    for (let query = 0; query < 5; query += 1) wire.publish({ url: `${A}?visit=${query}` }, splitPage());
    const harness = await follow([wire]);
    for (let query = 5; query < 10; query += 1) {
      wire.publish({ url: `${A}?visit=${query}` }, splitPage());
      await poll(harness);
    }
    wire.publish({ url: `${A}?visit=10`, publishedAt: Date.parse("2026-10-02T13:30:00Z"), version: "2" }, splitPage());
    await poll(harness);
    expect(wire.requested).toHaveLength(2);
    expect(harness.articles()).toHaveLength(2);
  });

  it("counts as two releases if its URLs differ and the feed has no times", async () => {
    const wire = aWire();
    for (const query of [1, 2]) wire.publish({ url: `${A}?id=${query}`, publishedAt: null }, splitPage());
    expect((await follow([wire])).articles()).toHaveLength(2);
  });

  it("is dated today if the feed dates it decades ahead", async () => {
    const wire = aWire();
    wire.publish({ url: A, publishedAt: Date.parse("2062-03-02T13:30:00Z") }, splitPage());
    expect((await follow([wire])).articles()[0]?.date_published).toBe("2026-03-02");
  });

  it("does not stop the others if it causes an unexpected error", async () => {
    const wire = aWire();
    wire.publish({ url: A }, splitPage());
    const harness = await follow([wire]);
    wire.items = [anItemThatThrows()];
    await poll(harness);
    expect(harness.log.count("source follow failed")).toBe(1);
    wire.items = [];
    wire.publish({ url: B, heading: "Kestor Corp. Announces Reverse Stock Split" }, splitPage());
    await poll(harness);
    expect(harness.articles()).toHaveLength(2);
  });
});

describe("a wire that shows over 500 new releases about splits in a day", () => {
  it("is reported; the other releases are saved on the next day, and corrections immediately", async () => {
    const [wire, other] = [aWire("prnewswire"), aWire("globenewswire")];
    wire.publish({ url: A }, splitPage());
    const harness = await follow([wire, other]);
    const missing = new FetchError("gone", "wire.example answered 404");
    for (let n = 1; n <= 600; n += 1) wire.publish({ url: `${A}-${n}`, publishedAt: harness.clock.now() }, missing);
    await poll(harness);
    expect([...harness.releases.stored.keys()]).toHaveLength(500);
    expect(harness.source.problems().join()).toContain("more than 500 new releases about splits in a day");

    wire.publish({ url: A, version: "2" }, splitPage({ ratio: "1-for-25" }));
    other.publish({ url: B }, splitPage());
    await poll(harness, 2);
    expect(harness.releases.stored.get(A)?.text).toContain("1-for-25");
    expect(harness.releases.stored.has(B)).toBe(true);

    await harness.clock.advance(DAY_MS);
    await poll(harness);
    expect([...harness.releases.stored.keys()]).toHaveLength(602);
    expect(harness.source.problems().join()).not.toContain("in a day");
  });
});

describe("a corrected release", () => {
  it("is read again and replaces the earlier text", async () => {
    const wire = aWire();
    wire.publish({ url: A }, splitPage());
    const harness = await follow([wire]);
    const corrected = { url: A, version: "2", heading: "Correction: Delvex Announces Reverse Stock Split" };
    wire.publish(corrected, splitPage({ ratio: "1-for-25", exDate: "March 10, 2026" }));
    await poll(harness);
    expect(harness.splits()).toEqual([{ ...ROW, ratio: "1:25", ex_date: "2026-03-10" }]);
    expect(harness.articles()).toHaveLength(1);
    expect(harness.articles()[0]?.content).toContain("1-for-25");
  });

  it("is read again if the correction is seen weeks after the release was found", async () => {
    const wire = aWire();
    wire.publish({ url: A }, splitPage());
    const harness = await follow([wire]);
    harness.clock.skip(20 * DAY_MS);
    wire.publish({ url: A, version: "2" }, splitPage({ ratio: "1-for-25" }));
    await poll(harness);
    expect(harness.articles()[0]?.content).toContain("1-for-25");
  });

  it("is not read again if a configured feed has a different heading", async () => {
    const [wire, configured] = [aWire(), aWire("issuers")];
    wire.publish({ url: A }, splitPage());
    const harness = await follow([wire, configured]);
    configured.publish({ url: A, version: "other", heading: "Issuers: Delvex Announces Reverse Stock Split" });
    await poll(harness, 3);
    expect([...wire.requested, ...configured.requested]).toEqual([A]);
    expect(harness.articles()[0]?.heading).toBe("Delvex Therapeutics Announces 1-for-20 Reverse Stock Split");
  });

  it("is not read again if another wire shows its address with a different heading", async () => {
    const [wire, other] = [aWire("prnewswire"), aWire("globenewswire")];
    wire.publish({ url: A }, splitPage());
    const harness = await follow([wire, other]);
    other.publish({ url: A, version: "other", heading: "Others: Delvex Cancels Reverse Stock Split" });
    await poll(harness, 3);
    expect([...wire.requested, ...other.requested]).toEqual([A]);
    expect(harness.articles()[0]?.heading).toBe("Delvex Therapeutics Announces 1-for-20 Reverse Stock Split");
  });

  it("keeps its earlier text while its page cannot be read", async () => {
    const wire = aWire();
    wire.publish({ url: A }, splitPage());
    const harness = await follow([wire]);
    wire.publish({ url: A, version: "2" }, new FetchError("refused", "wire.example: 403"));
    await poll(harness);
    expect(harness.splits()).toEqual([ROW]);
    expect(harness.source.problems()).toEqual([expect.stringContaining(A)]);
  });

  it("is read at most once an hour after some corrections if its feed changes with every poll", async () => {
    const wire = aWire();
    wire.publish({ url: A }, splitPage());
    const harness = await follow([wire]);
    for (let version = 2; version < 122; version += 1) {
      wire.publish({ url: A, version: String(version % 2) });
      await poll(harness);
    }
    expect(wire.requested.length).toBeLessThan(8);
  });
});

describe("a page that cannot be read", () => {
  it.each([
    ["server-error", "500"],
    ["timeout", "no response"],
    ["gone", "404"],
    ["too-large", "too many bytes"],
    ["unreadable", "no release in it"],
  ] as const)(
    "is retried with increasing delays, then replaced by the text of its feed: %s",
    async (failure, message) => {
      const wire = aWire();
      wire.publish(
        { url: A, teaser: "Delvex (Nasdaq: DLVX) will do a 1-for-20 reverse stock split." },
        new FetchError(failure, message),
      );
      const harness = await follow([wire]);
      expect(harness.articles()).toEqual([]);
      await poll(harness, 10);
      expect(wire.requested).toHaveLength(4);
      expect(harness.articles()[0]?.content).toMatch(/^Delvex Therapeutics Announces .*\n\nDelvex \(Nasdaq/);
      expect(harness.source.problems().join()).toContain(`${A} (${message})`);

      wire.pages.set(A, splitPage());
      await poll(harness, 10);
      expect(harness.splits()).toEqual([ROW]);
      expect(harness.articles()[0]?.content).toBe(splitPage());
      expect(harness.source.problems()).toEqual([]);
    },
  );

  it("is requested every five minutes while its host is unreachable", async () => {
    const wire = aWire();
    wire.publish({ url: A }, new FetchError("unreachable", "no connection"));
    const harness = await follow([wire]);
    await poll(harness, 12 * 60);
    wire.pages.set(A, splitPage());
    await poll(harness, 5);
    expect(harness.splits()).toEqual([ROW]);
  });

  it("is requested again in time if the system clock is set back while the failure is saved", async () => {
    const wire = aWire();
    wire.publish({ url: A }, new FetchError("unreachable", "no connection"));
    const harness = await follow([wire]);
    const gate = Promise.withResolvers<void>();
    harness.releases.blockedBy = gate.promise;
    await poll(harness, 5);
    harness.clock.jump(-2 * HOUR_MS);
    harness.releases.blockedBy = null;
    gate.resolve();
    wire.pages.set(A, splitPage());
    await poll(harness, 6);
    expect(harness.splits()).toEqual([ROW]);
  });

  it("is replaced by the text of its feed immediately if it is refused, and requested again after hours", async () => {
    const wire = aWire();
    wire.publish({ url: A }, new FetchError("refused", "403"));
    const harness = await follow([wire]);
    expect(harness.articles()[0]?.content).toBe("Delvex Therapeutics Announces 1-for-20 Reverse Stock Split");
    await poll(harness, 60);
    expect(wire.requested).toHaveLength(1);
    await harness.clock.advance(6 * HOUR_MS);
    expect(wire.requested).toHaveLength(2);
    await harness.clock.advance(30 * DAY_MS);
    expect(wire.requested.length).toBeLessThan(60);
  });

  it("is counted in the share of the wire's pages that can't be read, until a poll reads all pages again", async () => {
    const wire = aWire();
    for (const name of ["a", "b", "c"])
      wire.publish(
        { url: `https://wire.example/${name}` },
        name === "b" ? splitPage() : new FetchError("refused", "403"),
      );
    const harness = await follow([wire]);
    await poll(harness, 2);
    const statusOf = () => harness.opened.statuses()[0];
    expect(statusOf()).toMatchObject({
      verdict: "degraded",
      condition: "ok",
      unreadDocuments: "2 of 3 pages refused or unreadable (67%); the feed's summaries are used instead",
    });
    wire.publish({ url: "https://wire.example/d" }, splitPage());
    await poll(harness, 3);
    expect(statusOf()).toMatchObject({ verdict: "up", unreadDocuments: null });
  });

  it("is not requested before the Retry-After time", async () => {
    const wire = aWire();
    wire.publish({ url: A }, new FetchError("rate-limited", "429", { retryAfterMs: HOUR_MS }));
    const harness = await follow([wire]);
    await poll(harness, 59);
    expect(wire.requested).toHaveLength(1);
    await poll(harness, 2);
    expect(wire.requested).toHaveLength(2);
  });

  it("has the split of its feed's text without a truncated last sentence", async () => {
    const wire = aWire();
    const teaser = splitPage().replaceAll("\n", " ");
    wire.publish({ url: A, teaser }, new FetchError("refused", "403"));
    wire.publish(
      {
        url: B,
        teaser:
          "Kestor Corp. (NYSE: KSTR) will begin trading on a split-adjusted basis on March 9, 2026 at 1-for-5. It was in a range of 1-for-2 to 1-f...",
      },
      new FetchError("refused", "403"),
    );
    const harness = await follow([wire]);
    expect(harness.splits()).toContainEqual(ROW);
    expect(harness.releases.stored.get(B)?.facts?.splits.every(({ ratio }) => ratio?.oldShares !== 2)).toBe(true);
  });

  it("blocks no other page, neither of its wire nor of another", async () => {
    const [wire, other] = [aWire(), aWire("prnewswire")];
    wire.publish({ url: A }, new FetchError("server-error", "500"));
    wire.publish({ url: B }, splitPage());
    other.publish({ url: "https://other.example/hangs" });
    const harness = await follow([wire, other]);
    await harness.clock.advance(MINUTE_MS);
    expect(harness.articles().map(({ url }) => url)).toEqual([B]);
  });
});

describe("the first fill", () => {
  it("waits for the pages of all releases in the feeds", async () => {
    const wire = aWire();
    wire.publish({ url: A }, splitPage());
    wire.publish({ url: B, publishedAt: Date.parse("2026-03-02T12:00:00Z") });
    const harness = await follow([wire]);
    expect(harness.catalog.ready).toBe(false);
    await harness.clock.advance(59_000);
    expect(harness.catalog.ready).toBe(false);
    await harness.clock.advance(1_000);
    expect(harness.splits()).toEqual([ROW]);
  });

  it("waits until a wire can be read if there are no stored releases", async () => {
    const [wire, other] = [aWire(), aWire("prnewswire")];
    wire.failure = new FetchError("unreachable", "no connection");
    other.failure = new FetchError("refused", "403");
    const harness = await follow([wire, other]);
    expect(await harness.opened.reached).toBe(false);
    await harness.clock.advance(HOUR_MS);
    expect(harness.catalog.ready).toBe(false);
    expect(harness.source.readError()).toBe("0 of 2 split sources can be read; PR Newswire: 403; none was read yet");
    wire.failure = null;
    wire.publish({ url: A }, splitPage());
    await poll(harness);
    expect(harness.splits()).toEqual([ROW]);
    expect(harness.source.readError()).toBeNull();
  });

  it("consists of the stored releases if no wire can be read", async () => {
    const wire = aWire();
    wire.failure = new FetchError("unreachable", "no connection");
    const releases = new MemoryReleases();
    await releases.put([aRelease()]);
    const sourceReads = new MemorySourceReads();
    await sourceReads.put([{ source: wire.name, firstReadAt: 1, lastReadAt: 2, filledAt: 2 }]);
    const harness = await follow([wire], { releases, sourceReads });
    expect(await harness.opened.reached).toBe(true);
    expect(harness.splits().map(({ ticker }) => ticker)).toEqual(["ACME"]);
    expect(harness.source.readError()).toMatch(/^0 of 1 split source can be read; .*; last read at/);
  });

  it("is complete after a first run that ended early", async () => {
    const wire = aWire();
    wire.publish({ url: A }, splitPage());
    wire.publish({ url: B, publishedAt: Date.parse("2026-03-02T12:00:00Z") });
    const first = await follow([wire]);
    expect(first.releases.stored.get(A)?.facts).not.toBeNull();
    await first.opened.stop();
    const second = await follow([wire], { releases: first.releases, sourceReads: first.sourceReads });
    expect(second.catalog.ready).toBe(false);
    await second.clock.advance(MINUTE_MS);
    expect(second.splits()).toEqual([ROW]);
  });

  it("does not use the stored releases of a first run that ended before its pages were read", async () => {
    const wire = aWire();
    wire.publish({ url: A }, splitPage());
    wire.publish({ url: B, publishedAt: Date.parse("2026-03-02T12:00:00Z") });
    const first = await follow([wire]);
    await first.opened.stop();
    wire.failure = new FetchError("unreachable", "no connection");
    const second = await follow([wire], { releases: first.releases, sourceReads: first.sourceReads });
    expect(await second.opened.reached).toBe(false);
    await second.clock.advance(HOUR_MS);
    expect(second.catalog.ready).toBe(false);
    wire.failure = null;
    wire.pages.set(B, splitPage());
    await poll(second, 2);
    expect(second.splits()).toEqual([ROW]);
  });

  it("does not wait for pages if an earlier run completed it", async () => {
    const wire = aWire();
    wire.publish({ url: A }, splitPage());
    const first = await follow([wire]);
    await poll(first);
    wire.publish({ url: B, heading: "Kestor Corp. Announces Reverse Stock Split" }, splitPage());
    await poll(first);
    await first.opened.stop();
    wire.publish({ url: `${B}2` });
    const second = await follow([wire], {
      releases: first.releases,
      sourceReads: first.sourceReads,
      clock: first.clock,
    });
    expect(second.splits()).toEqual([ROW]);
  });

  it("does not wait for a wire that hangs", async () => {
    const [wire, hanging] = [aWire(), aWire("newsfile")];
    wire.publish({ url: A }, splitPage());
    Object.assign(hanging, { readFeeds: () => new Promise(() => undefined) });
    const harness = await follow([wire]);
    const both = await openWires({
      wires: [wire, hanging],
      releases: new MemoryReleases(),
      sourceReads: new MemorySourceReads(),
      clock: harness.clock,
      log: harness.log,
    });
    const catalog = createServedCatalog({ clock: harness.clock, keepAfterExDate: 7 });
    both.serve(catalog);
    expect(await both.reached).toBe(true);
    expect(catalog.ready).toBe(false);
    await harness.clock.advance(MINUTE_MS);
    expect(catalog.splits()).toEqual([ROW]);
  });

  it("can be served immediately to another catalog", async () => {
    const wire = aWire();
    wire.publish({ url: A }, splitPage());
    const { opened, clock } = await follow([wire]);
    await opened.filled;
    const other = createServedCatalog({ clock, keepAfterExDate: 7 });
    opened.serve(other);
    expect(other.splits()).toEqual([ROW]);
  });
});

describe("the source", () => {
  it("reports each unreadable wire, since when, and when it was last read", async () => {
    const [wire, other] = [aWire(), aWire("businesswire")];
    const harness = await follow([wire, other]);
    expect(harness.source.problems()).toEqual([]);
    other.failure = new FetchError("refused", "feed.example: 403 Forbidden");
    await poll(harness, 3);
    expect(harness.source.problems()).toEqual([
      "Business Wire: down, requests refused since 2026-03-02 14:01 UTC (feed.example: 403 Forbidden); last read at 2026-03-02 14:00 UTC",
    ]);
    expect(harness.source.readError()).toBeNull();
    expect(harness.log.count("source read failed")).toBe(1);
    other.failure = null;
    await poll(harness);
    expect(harness.source.problems()).toEqual([]);
  });

  it("reports conflicting releases", async () => {
    const [wire, other] = [aWire(), aWire("prnewswire")];
    const heading = "Delvex Announces Reverse Stock Split";
    wire.publish({ url: A, heading }, splitPage());
    other.publish(
      { url: B, heading, publishedAt: Date.parse("2026-03-02T15:00:00Z") },
      splitPage({ ratio: "1-for-25" }),
    );
    const harness = await follow([wire, other]);
    expect(harness.splits()).toEqual([{ ...ROW, ratio: "1:25" }]);
    expect(harness.source.problems()).toEqual([
      `DLVX: two releases of the same day state different terms; ${B} is used, ${A} is not`,
    ]);
  });

  it("publishes the first change immediately, and continuous changes once per second", async () => {
    const clock = new ManualClock();
    const shared: SourceParts[] = [];
    const wires = [aWire()];
    const live = await openSource(
      (parts) => {
        shared.push(parts);
        return followWires({ ...parts, wires });
      },
      { releases: new MemoryReleases(), sourceReads: new MemorySourceReads(), clock, log: recordedLog() },
    );
    open.push(live);
    const catalog = createServedCatalog({ clock, keepAfterExDate: 7 });
    live.serve(catalog);
    await clock.advance(10_000);
    const startedAt = clock.now();
    const publications: number[] = [];
    catalog.onChange(() => publications.push(clock.now() - startedAt));
    for (let n = 0; n < 30; n += 1) {
      await shared[0]?.releases.put([aRelease({ url: `https://wire.example/${n}` })]);
      await clock.advance(0);
      await clock.advance(100);
    }
    await clock.advance(1_000);
    expect(publications).toEqual([0, 1_000, 2_000, 3_000]);
    expect(catalog.articles()).toHaveLength(30);
  });

  it("does not replace the catalog if its rows are unchanged", async () => {
    const wire = aWire();
    wire.publish({ url: A }, splitPage());
    const harness = await follow([wire]);
    let changes = 0;
    harness.catalog.onChange(() => {
      changes += 1;
    });
    wire.publish({ url: B, heading: "Delvex Announces Annual Meeting" }, "All directors were elected.");
    await poll(harness, 5);
    expect(changes).toBe(0);
  });
});

describe("a release with the wire's number", () => {
  const ON_WWW = "https://www.globenewswire.com/news-release/2026/03/02/9999901/0/en/Delvex.html";
  const ON_RSS = ON_WWW.replace("www.", "rss.");

  it("is the same release on another host with another slug", async () => {
    const wire = aWire();
    wire.publish({ url: ON_WWW }, splitPage());
    const harness = await follow([wire]);
    wire.items = [];
    wire.publish({ url: ON_RSS.replace("Delvex", "Delvex-Therapeutics"), version: "1" }, splitPage());
    await poll(harness, 2);

    expect([...harness.releases.stored.keys()]).toEqual([ON_WWW]);
    expect(wire.requested).toEqual([ON_WWW]);
  });

  it("is corrected on another host", async () => {
    const wire = aWire();
    const heading = "Delvex Therapeutics Announces Reverse Stock Split";
    wire.publish({ url: ON_WWW, heading }, splitPage());
    const harness = await follow([wire]);
    wire.items = [];
    wire.pages.set(ON_WWW, splitPage({ ratio: "1-for-25" }));
    wire.publish({ url: ON_RSS, heading, version: "2" });
    await poll(harness, 2);

    expect(harness.splits().map(({ ratio }) => ratio)).toEqual(["1:25"]);
    expect(harness.articles().map(({ url }) => url)).toEqual([ON_WWW]);
  });

  it("with another number is a retransmission: one split, with the terms of the later release", async () => {
    const wire = new ScriptedWire("newsfile");
    const first = "https://www.newsfilecorp.com/release/999901/Delvex-Announces-Reverse-Stock-Split";
    const heading = "Delvex Therapeutics Announces Reverse Stock Split";
    wire.publish({ url: first, heading }, splitPage());
    const harness = await follow([wire]);
    const second = first.replace("999901", "999902");
    const publishedAt = Date.parse("2026-03-02T14:30:00Z");
    wire.publish({ url: second, heading: `RETRANSMISSION: ${heading}`, publishedAt }, splitPage({ ratio: "1-for-25" }));
    await poll(harness, 2);

    expect(harness.splits().map(({ ticker, ratio }) => [ticker, ratio])).toEqual([["DLVX", "1:25"]]);
    expect(
      harness
        .articles()
        .map(({ url }) => url)
        .toSorted(),
    ).toEqual([first, second]);
  });
});

describe("old releases", () => {
  it("lose their text after the configured time, and keep the extracted facts", async () => {
    const wire = aWire();
    wire.publish({ url: A, teaser: "Delvex announced a split." }, splitPage());
    const first = await follow([wire]);
    const { facts } = first.releases.stored.get(A) ?? {};
    const harness = await restartAfter(first, 398 * DAY_MS);
    await harness.clock.advance(DAY_MS);
    expect(harness.releases.stored.get(A)?.text).toContain("split-adjusted basis");
    await harness.clock.advance(2 * DAY_MS);
    expect(harness.releases.stored.get(A)).toMatchObject({ text: null, facts });
    expect(harness.articles()[0]?.content).toMatch(/\n\nDelvex announced a split\.$/);
    expect(wire.requested).toEqual([A]);
  });

  it("keep a correction that is found while their texts are being deleted", async () => {
    const wire = aWire();
    wire.publish({ url: A }, splitPage());
    wire.publish({ url: B, heading: "Kestor Corp. Announces Reverse Stock Split" }, splitPage({ ticker: "KSTR" }));
    const { releases, clock } = await restartAfter(await follow([wire]), 399 * DAY_MS);
    await clock.advance(DAY_MS);
    const gate = Promise.withResolvers<void>();
    releases.blockedBy = gate.promise;
    await clock.advance(DAY_MS - MINUTE_MS);
    for (const url of [A, B]) wire.publish({ url, version: "2" }, splitPage({ ratio: "1-for-25" }));
    await clock.advance(MINUTE_MS);
    releases.blockedBy = null;
    gate.resolve();
    await clock.advance(MINUTE_MS);
    const text = expect.stringContaining("1-for-25");
    for (const url of [A, B]) expect(releases.stored.get(url)).toMatchObject({ version: "2", readVersion: "2", text });
  });

  it("are purged after two years, and after a month if they are about something else", async () => {
    const wire = aWire();
    wire.publish({ url: A }, splitPage());
    wire.publish({ url: B, heading: "Delvex Announces Annual Meeting" }, "All directors were elected.");
    const harness = await follow([wire]);
    wire.items = [];
    expect(harness.releases.stored.size).toBe(2);
    await harness.clock.advance(32 * DAY_MS);
    expect([...harness.releases.stored.keys()]).toEqual([A]);
    await harness.opened.stop();
    const later = await follow([aWire()], {
      releases: harness.releases,
      sourceReads: harness.sourceReads,
      clock: new ManualClock("2028-03-01T14:00:00Z"),
    });
    expect(later.releases.stored.size).toBe(1);
    await later.clock.advance(4 * DAY_MS);
    expect(later.releases.stored.size).toBe(0);
  });
});
