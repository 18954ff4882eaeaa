import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { documentOf } from "../../../test/support/documents.ts";
import { faults } from "../../../test/support/http-faults.ts";
import { anObservation } from "../../../test/support/observations.ts";
import { type SourceServer, startSourceServer } from "../../../test/support/source-server.ts";
import { haltsFeed, type PublishedHalt } from "../../../test/support/trade-halts.ts";
import { MINUTE_MS } from "../../domain/time/day.ts";
import type { DocumentReading } from "../document-reading.ts";
import { readHaltsDocument } from "./read-document.ts";
import { createHaltsReader } from "./trade-halts.ts";

const opened: SourceServer[] = [];

afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

/** A server of the feed: current halts, and the halts of the day `haltdate`. */
async function start(
  current: readonly PublishedHalt[],
  {
    byDate = {},
    count = current.length,
  }: { byDate?: Readonly<Record<string, readonly PublishedHalt[]>>; count?: number } = {},
) {
  const server = await startSourceServer(
    ({ path }) => {
      const date = /^\/rss\.aspx\?feed=tradehalts(?:&haltdate=(\d{8}))?$/.exec(path);
      if (date === null) return { status: 404 };
      return date[1] === undefined ? haltsFeed(current, count) : haltsFeed(byDate[date[1]] ?? []);
    },
    { everyMs: 10 * MINUTE_MS },
  );
  opened.push(server);
  const reader = createHaltsReader(server.origin, server.tools);
  const read = () => reader.read(new AbortController().signal);
  return { server, reader, read };
}

function textOf(halts: readonly PublishedHalt[]): string {
  return String(haltsFeed(halts).body);
}

function termsOf({ statements = [] }: DocumentReading) {
  return statements.map(({ id, listings, exDate }) => ({ id, listings, exDate }));
}

describe("the trade halts", () => {
  it("confirm the split of the next trading day", async () => {
    const { server, read } = await start([{}]);
    expect(await read()).toMatchObject({ failures: [], items: [{}] });
    expect((await read()).statements).toEqual([
      {
        id: "QLMR 2026-03-09",
        url: `${server.origin}/rss.aspx?feed=tradehalts&haltdate=03092026#QLMR`,
        kind: "confirmed",
        listings: [{ ticker: "QLMR", exchange: "NASDAQ" }],
        company: null,
        ratio: null,
        exDate: "2026-03-10",
        newCusip: null,
        evidence: {
          exDate: "HaltDate: 03/09/2026, HaltTime: 19:50:00.000, ReasonCode: T1",
          ticker: "IssueSymbol: QLMR, Market: NASDAQ",
        },
        publishedAt: Date.parse("2026-03-09T23:50:00Z"),
      },
    ]);
  });

  it.each([
    ["over a weekend", "03/06/2026", "2026-03-09"],
    ["over a holiday", "04/02/2026", "2026-04-06"],
  ])("confirm the split %s", async (_, date, exDate) => {
    const { read } = await start([{ date, time: "19:50:00" }]);
    expect((await read()).statements).toMatchObject([{ exDate }]);
  });

  it.each<[string, PublishedHalt]>([
    ["another reason", { reason: "T12" }],
    ["another time", { time: "15:50:00" }],
    ["a warrant, by its name", { symbol: "TDWLW", name: "Tidewell Corp Wt" }],
    ["a date that can't be read", { date: "March 9" }],
    ["a symbol that can't be read", { symbol: "?" }],
  ])("state nothing with %s", async (_, halt) => {
    const { read } = await start([halt]);
    expect(await read()).toMatchObject({ items: [{}], statements: [] });
  });

  it.each<[string, PublishedHalt]>([
    ["once the resumption is posted", { reason: "T3", isResumed: true }],
    ["with the code T3 and no resumption", { reason: "T3" }],
    ["with a code in lower case and spaces", { reason: " t1 " }],
    ["with a time without seconds", { time: "19:50" }],
    ["with a time of twelve hours", { time: "7:50:00 PM" }],
    ["with an ISO date", { date: "2026-03-09" }],
    ["with a date without zeros", { date: "3/9/2026" }],
    ["without the names of security and market", { name: "", market: "" }],
    ["with fields in CDATA", { symbol: "<![CDATA[QLMR]]>" }],
  ])("confirm a split %s", async (_, halt) => {
    const { read } = await start([halt]);
    expect((await read()).statements).toMatchObject([
      { id: "QLMR 2026-03-09", kind: "confirmed", exDate: "2026-03-10" },
    ]);
  });

  it("confirm the same splits after the resumption as before", async () => {
    const halt = fc.record({
      symbol: fc.constantFrom("QLMR", "TDWL", "BRK.B"),
      date: fc.constantFrom("03/09/2026", "3/9/2026", "2026-03-09"),
      time: fc.constantFrom("19:50:00.000", "19:50:00", "19:50", "7:50 PM"),
      market: fc.constantFrom("NASDAQ", "NYSE", "AMEX"),
      isResumed: fc.boolean(),
    });
    const evening = fc.uniqueArray(halt, { selector: ({ symbol }) => symbol, minLength: 1 });
    fc.assert(
      fc.property(evening, (halts) => {
        const before = halts.map((one) => ({ ...one, isResumed: false, reason: "T1" }));
        const after = halts.map((one) => ({ ...one, date: "03/09/2026", time: "19:50:00", reason: "T3" }));
        expect(termsOf(readHaltsDocument(documentOf(textOf(after))))).toEqual(
          termsOf(readHaltsDocument(documentOf(textOf(before)))),
        );
        expect(termsOf(readHaltsDocument(documentOf(textOf(before))))).toHaveLength(halts.length);
      }),
      { seed: 25 },
    );
  });

  it.each(["T12", "D"])("take a confirmation back if its row changes to %s", async (reason) => {
    const { server, read } = await start([{ reason }]);
    expect((await read()).statements).toEqual([]);
    const recorded = anObservation({ source: "halts", id: "QLMR 2026-03-09", kind: "confirmed", exDate: "2026-03-10" });
    const reader = createHaltsReader(server.origin, { ...server.tools, recordedObservations: () => [recorded] });
    expect((await reader.read(new AbortController().signal)).statements).toMatchObject([
      { id: "QLMR 2026-03-09", kind: "confirmed", exDate: null, evidence: { exDate: expect.stringContaining(reason) } },
    ]);
  });

  it("are read as one document", () => {
    const { document, statements, entries } = readHaltsDocument(
      documentOf(textOf([{}, { reason: "T12", symbol: "TDWL" }])),
    );
    expect({ document, statements }).toMatchObject({ document: "feed", statements: [{ id: "QLMR 2026-03-09" }] });
    expect(entries).toMatchObject([
      { id: "QLMR 03/09/2026 19:50:00.000", publishedAt: Date.parse("2026-03-09T23:50:00Z"), isFollowed: true },
      { id: "TDWL 03/09/2026 19:50:00.000", isFollowed: false },
    ]);
    expect(() => readHaltsDocument(documentOf("<html><body>Sign in</body></html>"))).toThrow(/expected an RSS feed/);
    const otherFeed = "<rss><channel><item><title>ECA2026-901 - Information</title></item></channel></rss>";
    expect(() => readHaltsDocument(documentOf(otherFeed))).toThrow(/expected halts with IssueSymbol, HaltDate/);
    expect(readHaltsDocument(documentOf(textOf([{}]).replaceAll("ndaq:", "n1:")))).toMatchObject({
      statements: [{ id: "QLMR 2026-03-09" }],
    });
  });

  it("exclude a warrant by its symbol only if its share is halted", async () => {
    const { read } = await start([
      {},
      { symbol: "QLMRW", name: "Quillmere" },
      { symbol: "SNOW", name: "Snowhill Cm St" },
    ]);
    expect((await read()).statements.flatMap(({ listings }) => listings.map(({ ticker }) => ticker))).toEqual([
      "QLMR",
      "SNOW",
    ]);
  });

  it.each([
    ["NASDAQ", "NASDAQ"],
    ["NYSE", "NYSE"],
    ["AMEX", "NYSEAMERICAN"],
    ["NYSE Arca", "NYSEARCA"],
  ])("name the market %s", async (market, exchange) => {
    const { read } = await start([{ market }]);
    expect((await read()).statements[0]?.listings[0]?.exchange).toBe(exchange);
  });

  it("are read once for the last trading days", async () => {
    const { server, read } = await start([], { byDate: { "02272026": [{ date: "02/27/2026" }] } });
    expect((await read()).statements).toMatchObject([{ exDate: "2026-03-02" }]);
    expect((await read()).statements).toEqual([]);
    expect(server.received.map(({ path }) => path.slice("/rss.aspx?feed=tradehalts".length))).toEqual([
      "",
      "&haltdate=02272026",
      "&haltdate=02262026",
      "&haltdate=02252026",
      "",
    ]);
  });

  it("are read by date after an evening on which they could not be read", async () => {
    const { server, read } = await start([]);
    await read();
    const { clock } = server.tools;
    clock.skip(Date.parse("2026-03-03T00:30:00Z") - clock.now());
    server.break(faults.status(500));
    await expect(read()).rejects.toMatchObject({ failure: "server-error" });
    server.break(null);
    clock.skip(Date.parse("2026-03-03T14:00:00Z") - clock.now());
    await read();
    expect(server.received.at(-1)?.path).toBe("/rss.aspx?feed=tradehalts&haltdate=03022026");
  });

  it.each([
    ["HTML", faults.html(), "unreadable"],
    ["a challenge with 200", faults.body("<html><body>Incapsula incident ID: 7</body></html>", "text/html"), "refused"],
    ["another page", faults.body("<html><body><h1>Page Not Available</h1></body></html>", "text/html"), "refused"],
    ["403", faults.status(403), "refused"],
    ["429", faults.status(429), "rate-limited"],
    ["500", faults.status(500), "server-error"],
    ["nothing", faults.body(""), "unreadable"],
    ["half a feed", faults.brokenXml(), "unreadable"],
    ["an empty channel", faults.body('<rss version="2.0"><channel></channel></rss>'), "unreadable"],
  ] as const)("report %s", async (_, fault, failure) => {
    const { server, read } = await start([{}]);
    server.break(fault);
    await expect(read()).rejects.toMatchObject({ failure });
  });

  it("are reported as incomplete if the feed states another number of items", async () => {
    const { read } = await start([{}], { count: 2 });
    await expect(read()).rejects.toMatchObject({
      failure: "unreadable",
      message: expect.stringMatching(/incomplete: it states 2 items and has 1/),
    });
  });
});

it.each([
  ["at noon", "2026-03-02T17:00:00Z", 10],
  ["at 09:00", "2026-03-02T14:00:00Z", 5],
  ["at 19:45", "2026-03-03T00:45:00Z", 6],
  ["at 19:51", "2026-03-03T00:51:00Z", 5],
  ["at 20:01", "2026-03-03T01:01:00Z", 4],
  ["at 20:05", "2026-03-03T01:05:00Z", 10],
  ["on a Sunday", "2026-03-08T17:00:00Z", 60],
])("halts read %s in New York (%s) are read again after %i minutes", async (_, time, minutes) => {
  const { reader } = await start([]);
  expect(reader.intervalMs(Date.parse(time))).toBe(minutes * MINUTE_MS);
});
