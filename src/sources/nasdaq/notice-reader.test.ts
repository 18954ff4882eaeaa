import { afterEach, describe, expect, it } from "vitest";
import { faults } from "../../../test/support/http-faults.ts";
import { FakeNotices, SPLIT_TITLE, splitBody } from "../../../test/support/nasdaqtrader.ts";
import { type SourceAnswer, type SourceServer, startSourceServer } from "../../../test/support/source-server.ts";
import type { Observation } from "../../catalog/observation.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/day.ts";
import type { StatementPollResult, StatementReader } from "../official/follow-statements.ts";
import type { Statement } from "../official/statement.ts";
import { initialStatus, nextStatus } from "../source-status.ts";
import { createNoticesReader } from "./notice-reader.ts";

const opened: SourceServer[] = [];

afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

interface Harness {
  readonly fake: FakeNotices;
  readonly server: SourceServer;
  /** Pages that were requested since the last call. */
  readonly pages: () => readonly string[];
  readonly read: () => Promise<StatementPollResult>;
  /** Continues with a new reader and the statements so far as recorded observations. */
  readonly restart: () => void;
}

/** A reader whose statements are recorded, as a source records them. */
async function start(fake: FakeNotices): Promise<Harness> {
  const server = await startSourceServer((request) => fake.answer(request), { everyMs: 2 * MINUTE_MS });
  opened.push(server);
  const { clock } = server.tools;
  const recorded: Observation[] = [];
  const open = (): StatementReader =>
    createNoticesReader(server.origin, { ...server.tools, recordedObservations: () => recorded });
  let reader = open();
  let seen = 0;
  const requested = (): readonly string[] => {
    const paths = server.received.slice(seen).map(({ path }) => path);
    seen = server.received.length;
    return paths.flatMap((path) => /\?id=(ECA.*)/.exec(path)?.[1] ?? []);
  };
  return {
    fake,
    server,
    pages: requested,
    async read() {
      const result = await reader.read(new AbortController().signal);
      recorded.push(...result.statements.map((statement) => observationOf(statement, clock.now())));
      return result;
    },
    restart: () => {
      reader = open();
    },
  };
}

function observationOf({ publishedAt, ...statement }: Statement, now: number): Observation {
  return {
    ...statement,
    source: "nasdaq",
    issuedOn: "2026-03-02" as Observation["issuedOn"],
    publishedAt: publishedAt ?? now,
    observedAt: now,
  };
}

function aSplit(number = "2026-101", parts: Partial<FakeNotices["notices"][number]> = {}) {
  return { number, title: SPLIT_TITLE, body: splitBody(), ...parts };
}

async function withNotices(...notices: readonly FakeNotices["notices"][number][]): Promise<Harness> {
  const fake = new FakeNotices();
  for (const notice of notices) fake.publish(notice);
  return start(fake);
}

describe("the corporate action notices", () => {
  it("state a reverse split from its page, at the configured origin", async () => {
    const { server, read } = await withNotices(aSplit());
    expect(await read()).toMatchObject({
      failures: [],
      statements: [
        {
          id: "ECA2026-101",
          url: `${server.origin}/TraderNews.aspx?id=ECA2026-101`,
          kind: "announced",
          listings: [{ ticker: "QLMR", exchange: "NASDAQ" }],
          company: "Quillmere Therapeutics, Inc.",
          ratio: { newShares: 1, oldShares: 40 },
          exDate: "2026-03-10",
          newCusip: "74876A200",
          publishedAt: Date.parse("2026-02-27T21:05:00Z"),
          evidence: {
            ratio:
              "Quillmere Therapeutics, Inc. (QLMR) will effect a one-for-forty (1-40) reverse split of its common stock.",
            exDate: "The reverse stock split will become effective on Tuesday, March 10, 2026.",
          },
        },
      ],
    });
  });

  it("are read only if their title names a reverse split", async () => {
    const titles = [
      "Information Regarding the Stock Split for Tidewell Corp. (TDWL)",
      "Information Regarding the Name and Symbol Change of Tidewell Corp. (TDWL/W/U)",
      "Information Regarding the Business Combination of Tidewell Corp. (TDWL)",
      "Information Regarding the Spin-off of Tidewell Corp. (TDWL)",
      "Information Regarding the Share Consolidation for Tidewell Ltd (TDWL)",
      "(UPDATED 2/27/2026) Information Regarding the Spin-off and Reverse Split of Tidewell Corp. (TDWL, TDWLW)",
      "Information Regarding the ADS Ratio Change for Tidewell plc (TDWL)",
    ];
    const { read, pages } = await withNotices(...titles.map((title, n) => aSplit(`2026-20${n}`, { title })));
    expect((await read()).items).toHaveLength(titles.length);
    expect(pages()).toEqual(["ECA2026-206", "ECA2026-205", "ECA2026-204"]);
  });

  it("state nothing if the page is about something else", async () => {
    const { read } = await withNotices(
      aSplit("2026-101", { body: "<p>The name of Quillmere will change on Tuesday.</p>" }),
    );
    expect((await read()).statements).toEqual([]);
  });

  it("have the page's date if the feed states the time of a revision", async () => {
    const { read } = await withNotices(aSplit("2026-101", { pubDate: "Mon, 02 Mar 2026 13:00:00 GMT" }));
    expect((await read()).statements[0]?.publishedAt).toBe(Date.parse("2026-02-27T05:00:00Z"));
  });
});

describe("pages", () => {
  it("are read again daily, for the last time on the ex date or after it", async () => {
    const { server, read, pages } = await withNotices(aSplit());
    const { clock } = server.tools;
    await read();
    expect(pages()).toEqual(["ECA2026-101"]);
    clock.skip(DAY_MS - HOUR_MS);
    await read();
    expect(pages()).toEqual([]);
    clock.skip(HOUR_MS);
    await read();
    expect(pages()).toEqual(["ECA2026-101"]);
    clock.skip(9 * DAY_MS);
    await read();
    expect(pages()).toEqual(["ECA2026-101"]);
    clock.skip(DAY_MS);
    await read();
    expect(pages()).toEqual([]);
  });

  it.each([
    ["title", { title: `(UPDATED) ${SPLIT_TITLE}` }],
    ["time", { pubDate: "Mon, 02 Mar 2026 13:00:00 GMT" }],
    ["text", { description: "The ratio was changed." }],
  ])("are read again when the feed shows another %s", async (_, change) => {
    const { fake, read, pages } = await withNotices(aSplit());
    await read();
    fake.publish(aSplit("2026-101", { ...change, body: splitBody({ ratio: "one-for-thirty (1-30)" }) }));
    expect((await read()).statements.at(-1)).toMatchObject({ id: "ECA2026-101", ratio: { oldShares: 30 } });
    expect(pages()).toEqual(["ECA2026-101", "ECA2026-101"]);
    await read();
    expect(pages()).toEqual([]);
  });

  it("are read again immediately when a date that was to be announced is in the text of the feed", async () => {
    const undated = splitBody({ effective: "The effective date of the reverse split is to be announced." });
    const { fake, read } = await withNotices(
      aSplit("2026-101", { body: undated, description: "Date to be announced." }),
    );
    expect((await read()).statements.at(-1)).toMatchObject({ kind: "postponed", exDate: null });
    fake.publish(aSplit("2026-101", { description: "Effective on Tuesday, March 10, 2026." }));
    expect((await read()).statements.at(-1)).toMatchObject({ kind: "announced", exDate: "2026-03-10" });
  });

  it("are not read again after a restart unless they are due", async () => {
    const { server, read, pages, restart } = await withNotices(aSplit());
    await read();
    pages();
    restart();
    await read();
    expect(pages()).toEqual([]);
    server.tools.clock.skip(DAY_MS);
    restart();
    await read();
    expect(pages()).toEqual(["ECA2026-101"]);
  });

  it("take at most 20 seconds per poll, the newest first, and the next poll continues", async () => {
    const notices = Array.from({ length: 50 }, (_, n) => aSplit(`2026-${101 + n}`, { isOld: n < 45 }));
    const { read, pages, server } = await withNotices(...notices);
    const startedAt = server.tools.clock.monotonic();
    expect((await read()).untriedPages).toBe(25);
    expect(server.tools.clock.monotonic() - startedAt).toBeLessThanOrEqual(25_000);
    expect(pages()).toEqual(
      notices
        .slice(25)
        .map(({ number }) => `ECA${number}`)
        .toReversed(),
    );
    expect(server.tools.clock.slept.every((ms) => ms <= 800)).toBe(true);
    expect((await read()).untriedPages).toBe(0);
    expect(pages()).toHaveLength(25);
  });

  it.each([
    ["404", { status: 404 }, "gone"],
    ["403", { status: 403 }, "refused"],
    ["500", { status: 500 }, "server-error"],
    [
      "a challenge",
      { type: "text/html", body: "<html><body>Request unsuccessful. Incapsula incident ID: 7</body></html>" },
      "refused",
    ],
    ["another page", { type: "text/html", body: "<html><body><h1>Page Not Available</h1></body></html>" }, "refused"],
    [
      "an unrelated page",
      { type: "text/html", body: `<html><body>${"News of the day. ".repeat(40)}</body></html>` },
      "unreadable",
    ],
  ])("that fail with %s are read again with backoff, and reported until then", async (_, fault, failure) => {
    const { fake, server, read, pages } = await withNotices(aSplit());
    fake.broken.set("TraderNews", fault);
    const failedReading = await read();
    expect(failedReading.failures).toMatchObject([
      { failure, message: expect.stringMatching(/^notice ECA2026-101: /) },
    ]);
    expect(nextStatus(initialStatus("nasdaq", 0), failedReading, 1)).toMatchObject({
      condition: "ok",
      problem: failedReading.failures[0]?.message,
    });
    server.tools.clock.skip(10_000);
    const waiting = await read();
    expect(waiting).toMatchObject({ failures: [], unresolved: [{ failure }] });
    expect(nextStatus(initialStatus("nasdaq", 0), waiting, 1).problem).toMatch(/ECA2026-101/);
    fake.broken.clear();
    fake.publish(aSplit("2026-102", { title: "Information Regarding the Name Change of Tidewell (TDWL)" }));
    pages();
    server.tools.clock.skip(HOUR_MS);
    expect((await read()).statements).toHaveLength(1);
    expect(pages()).toEqual(["ECA2026-101"]);
  });
});

describe("a page that stays missing", () => {
  it("is retried with backoff up to a day, given up after 14 days, and reported until it is too old for the archive", async () => {
    const { fake, read, pages, server } = await withNotices(aSplit());
    fake.broken.set("TraderNews", { status: 404 });
    const { clock } = server.tools;
    const problemAfter = async (days: number): Promise<string | null> => {
      for (let hours = 0; hours < 24 * days; hours += 1) {
        clock.skip(HOUR_MS);
        await read();
      }
      return nextStatus(initialStatus("nasdaq", 0), await read(), 1).problem;
    };
    expect(await problemAfter(2)).toMatch(/^notice ECA2026-101: .* answered 404$/);
    pages();
    await problemAfter(10);
    expect(pages()).toHaveLength(10);
    expect(await problemAfter(4)).toMatch(/^notice ECA2026-101: .* answered 404; given up after 14 days$/);
    pages();
    expect(await problemAfter(20)).toMatch(/given up/);
    expect(pages()).toEqual([]);
    fake.publish(aSplit("2026-101", { isOld: true }));
    fake.publish(aSplit("2026-150", { title: "Information Regarding the Name Change of Tidewell (TDWL)" }));
    expect(await problemAfter(5)).toBeNull();
  });
});

describe("the archive", () => {
  it.each<[string, SourceAnswer | null]>([
    ["as JSON", null],
    ["as a page if the JSON is gone", { status: 404 }],
    ["as a page if the host answers the request for JSON with an error", { status: 500 }],
  ])("is read once, at startup, %s", async (_, fault) => {
    const { fake, read, pages, server } = await withNotices(aSplit("2026-90", { isOld: true }), aSplit("2026-101"));
    if (fault !== null) fake.broken.set("RPCHandler", fault);
    for (let result = 0; result < 3; result += 1) {
      await read();
      server.tools.clock.skip(2 * MINUTE_MS);
    }
    expect(pages()).toEqual(["ECA2026-101", "ECA2026-90"]);
    const archived = server.received.filter(({ path }) => /RPCHandler|archiveheadlines/.test(path));
    expect(archived).toHaveLength(fault === null ? 1 : 2);
  });

  it("is read for the last 40 days only", async () => {
    const { read, pages } = await withNotices(
      aSplit("2026-10", { isOld: true, date: "Monday, January 12, 2026" }),
      aSplit("2026-101"),
    );
    await read();
    expect(pages()).toEqual(["ECA2026-101"]);
  });

  it("fills a gap after all notices in the feed were replaced", async () => {
    const { fake, read, pages } = await withNotices(aSplit("2026-101"));
    await read();
    pages();
    fake.notices = [];
    for (const number of ["2026-101", "2026-102", "2026-103"]) fake.publish(aSplit(number, { isOld: true }));
    fake.publish(aSplit("2026-104"));
    expect(await read()).toMatchObject({ gaps: 1, failures: [] });
    expect(pages()).toEqual(["ECA2026-104", "ECA2026-103", "ECA2026-102"]);
    expect((await read()).gaps).toBe(0);
  });

  it("is tried again if it can't be read", async () => {
    const { fake, server, read } = await withNotices(aSplit("2026-90", { isOld: true }), aSplit("2026-101"));
    fake.broken.set("RPCHandler", { body: '{"error":"no"}' });
    fake.broken.set("archiveheadlines", { type: "text/html", body: "<html><body>Nothing here</body></html>" });
    expect((await read()).failures).toMatchObject([
      { failure: "unreadable", message: expect.stringMatching(/^archive: /) },
    ]);
    fake.broken.clear();
    server.tools.clock.skip(MINUTE_MS);
    expect((await read()).statements.map(({ id }) => id)).toContain("ECA2026-90");
  });
});

describe("the feed", () => {
  it.each([
    ["HTML", faults.html(), "unreadable", "unreadable"],
    ["403", faults.status(403), "refused", "refusing"],
    [
      "a challenge with 200",
      faults.body("<html><body>Incapsula incident ID: 7</body></html>", "text/html"),
      "refused",
      "refusing",
    ],
    [
      "a script challenge with 200",
      faults.body('<html><head><script src="/_Incapsula_Resource?S=1"></script></head></html>', "text/html"),
      "refused",
      "refusing",
    ],
    ["broken XML", faults.brokenXml(), "unreadable", "unreadable"],
    ["429", faults.status(429), "rate-limited", "refusing"],
    ["500", faults.status(500), "server-error", "unreachable"],
  ] as const)("reports %s", async (_, fault, failure, condition) => {
    const { server, read } = await withNotices(aSplit());
    server.break(fault);
    const result = await read();
    expect(result.failures[0]).toMatchObject({ failure });
    expect(nextStatus(initialStatus("nasdaq", 0), result, 1).condition).toBe(condition);
  });

  it("is unreadable if it is empty on a working day", async () => {
    const { read } = await withNotices();
    expect((await read()).failures).toMatchObject([{ failure: "unreadable", message: expect.stringMatching(/empty/) }]);
  });

  it("is used although it is incomplete, and reports that", async () => {
    const { fake, read } = await withNotices(aSplit());
    fake.statedItems = 3;
    const result = await read();
    expect(result.statements).toHaveLength(1);
    expect(result.failures).toMatchObject([{ message: expect.stringMatching(/states 3 items and has 1/) }]);
  });

  it("is requested conditionally", async () => {
    const fake = new FakeNotices();
    fake.publish(aSplit());
    const server = await startSourceServer((request) => {
      if (request.headers["if-none-match"] === '"7"') return { status: 304 };
      return { ...fake.answer(request), headers: { etag: '"7"' } };
    });
    opened.push(server);
    const reader = createNoticesReader(server.origin, server.tools);
    const { signal } = new AbortController();
    await reader.read(signal);
    expect(await reader.read(signal)).toMatchObject({ items: [{ id: "ECA2026-101" }], failures: [] });
  });
});

it.each([
  ["Monday 10:00", "2026-03-02T15:00:00Z", 2],
  ["Monday 08:00", "2026-03-02T13:00:00Z", 1],
  ["Monday 22:00", "2026-03-03T03:00:00Z", 15],
  ["Saturday 12:00", "2026-03-07T17:00:00Z", 15],
])("on %s in New York (%s): the feed is polled every %i minutes", async (_, time, minutes) => {
  const { server } = await withNotices();
  const reader = createNoticesReader(server.origin, server.tools);
  expect(reader.intervalMs(Date.parse(time))).toBe(minutes * MINUTE_MS);
});

describe("splitwatch doctor", () => {
  it("reads the feed and one notice about a reverse split", async () => {
    const { fake, server } = await withNotices(
      aSplit(),
      aSplit("2026-102", { title: "Information Regarding the Name Change of Tidewell (TDWL)" }),
    );
    const reader = createNoticesReader(server.origin, server.tools);
    const { signal } = new AbortController();
    expect(await reader.probe?.(signal)).toMatchObject([
      { name: "feed", result: { items: [{}, {}], failures: [] } },
      { name: "notice ECA2026-101", result: { items: [{}], failures: [] } },
    ]);
    fake.broken.set("TraderNews", { status: 403 });
    expect(await reader.probe?.(signal)).toMatchObject([
      { name: "feed" },
      { name: "notice ECA2026-101", result: { failures: [{ failure: "refused" }] } },
    ]);
  });
});
