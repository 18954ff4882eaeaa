import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { day } from "../../../test/support/builders.ts";
import { bulletinPage, FakeBulletins } from "../../../test/support/bulletins.ts";
import { documentOf } from "../../../test/support/documents.ts";
import { faults } from "../../../test/support/http-faults.ts";
import { anObservation } from "../../../test/support/observations.ts";
import { type SourceServer, startSourceServer } from "../../../test/support/source-server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/day.ts";
import { readStatements, type StatementPollResult, type StatementReader } from "../official/follow-statements.ts";
import type { StatementReaderTools } from "../official/official-source.ts";
import { describeProblem, initialStatus, nextStatus } from "../source-status.ts";
import { readBulletinList } from "./bulletin-list.ts";
import { createBulletinReader } from "./bulletin-reader.ts";
import { readBulletinDocument } from "./read-document.ts";

const opened: SourceServer[] = [];

afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

const TITLE = "2026-9901 - Name Change and Consolidation - Brandvale Lithium Corp. (BVLX)";
const SLUG = "2026-9901-name-change-and-consolidation-brandvale-lithium-corp-bvlx";
const ENTRY = { title: TITLE, date: "2026-02-27", slug: SLUG, symbols: ["BVLX"] };
const NEWS = {
  title: "2026-9902 - New Listing - Harbor Mills Corp. (HMIL)",
  date: "2026-03-02",
  slug: "2026-9902",
  symbol: "HMIL",
};

const BODY = `<p>Brandvale Lithium Corp. has announced a consolidation of its issued and outstanding common shares on the
basis of one (1) post-consolidated common share for every ten (10) pre-consolidated common shares.</p>
<p>Please note that all open orders will be cancelled at the end of business on March 5, 2026. Dealers are reminded to
re-enter their orders taking into account the share consolidation.</p>
<p>Trading on a consolidated basis: March 6, 2026<br>Record Date: March 9, 2026<br>Trading Symbol: BVLX<br>
New CUSIP: 10523T 20 8<br>New ISIN: CA10523T2083<br>Old (Delisted) CUSIP/ISIN: 10523T109/CA10523T1093</p>`;

interface Site {
  readonly server: SourceServer;
  readonly reader: StatementReader;
  readonly cse: FakeBulletins;
  readonly read: () => Promise<StatementPollResult>;
  /** Paths requested since the last call. */
  readonly requested: () => readonly string[];
}

const { signal } = new AbortController();

async function start(
  entries: FakeBulletins["entries"] = [ENTRY, NEWS],
  body = BODY,
  toolOverrides: Partial<StatementReaderTools> = {},
): Promise<Site> {
  const cse = new FakeBulletins();
  cse.entries = entries;
  cse.pages.set(SLUG, bulletinPage(body, TITLE));
  const server = await startSourceServer((request) => cse.answer(request));
  opened.push(server);
  const origins = { url: server.origin, pageUrl: server.origin };
  const reader = createBulletinReader(origins, { ...server.tools, everyMs: HOUR_MS, ...toolOverrides });
  let reportedCount = 0;
  return {
    server,
    reader,
    cse,
    read: () => reader.read(signal),
    requested: () => {
      const paths = server.received.slice(reportedCount).map(({ path }) => path);
      reportedCount = server.received.length;
      return paths;
    },
  };
}

const LIST = "/api/bulletins?locale=en";
const PAGE = `/bulletin/${SLUG}/`;

describe("the bulletins of the CSE", () => {
  it("state a consolidation with ratio, first trading day and new CUSIP", async () => {
    const { server, read } = await start();
    const { statements, items, failures } = await read();
    expect({ items: items.length, failures }).toEqual({ items: 2, failures: [] });
    expect(statements).toEqual([
      {
        id: SLUG,
        url: `https://thecse.com/bulletin/${SLUG}/`,
        kind: "announced",
        listings: [{ ticker: "BVLX", exchange: "CSE" }],
        company: "Brandvale Lithium Corp.",
        ratio: { newShares: 1, oldShares: 10 },
        exDate: "2026-03-06",
        newCusip: "10523T208",
        evidence: {
          kind: expect.stringContaining("consolidation"),
          ticker: TITLE,
          exchange: TITLE,
          company: TITLE,
          ratio: expect.stringContaining("one (1) post-consolidated common share for every ten (10)"),
          exDate: "Trading on a consolidated basis: March 6, 2026",
          newCusip: "New CUSIP: 10523T 20 8",
        },
        publishedAt: Date.parse("2026-02-28T04:59:00Z"),
      },
    ]);
    const list = server.received.find(({ path }) => path === LIST);
    expect(list?.headers).toMatchObject({ origin: server.origin, referer: `${server.origin}/` });
  });

  it("state the terms of a sentence, and no CUSIP if there is none", async () => {
    const sentence = `<p>Effective at the opening, Friday, March 6, 2026, the common shares of Brandvale Lithium Corp. will
commence trading on a consolidated basis of 1 new share for every 20 old shares. Trading will resume under the symbol
BVLX, and all open orders must be entered again by dealers. Disclosure documents are on the issuer's page, which holds
its filings.</p>`;
    const { read } = await start([ENTRY], sentence);
    expect((await read()).statements).toMatchObject([
      { ratio: { newShares: 1, oldShares: 20 }, exDate: "2026-03-06", newCusip: null },
    ]);
  });

  it.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ["symbols", { symbols: ["BVLX", "BVMT"] }, ["BVLX", "BVMT"]],
    ["symbol", { symbols: undefined, symbol: "BVLX" }, ["BVLX"]],
    ["no symbol", { symbols: null }, ["BVLX"]],
    ["warrants", { symbols: ["BVLX", "BVLX.WT"] }, ["BVLX"]],
  ])("state the shares of an entry with %s", async (_, parts, tickers) => {
    const { read } = await start([{ ...ENTRY, ...parts }]);
    const [statement] = (await read()).statements;
    expect(statement?.listings).toEqual(tickers.map((ticker) => ({ ticker, exchange: "CSE" })));
  });

  it.each([
    ["a title", TITLE.replace("Name Change and", "Cancellation of"), BODY, "cancelled"],
    ["a title", TITLE.replace("Name Change and", "Postponed"), BODY, "postponed"],
    [
      "a sentence",
      TITLE,
      `<p>The consolidation of Brandvale Lithium Corp. scheduled for March 6, 2026 has been cancelled.</p>`,
      "cancelled",
    ],
    ["a sentence about open orders", TITLE, BODY, "announced"],
  ])("are classified by %s: %s", async (_, title, body, kind) => {
    const site = await start([{ ...ENTRY, title }], body);
    site.cse.pages.set(SLUG, bulletinPage(body, title));
    expect((await site.read()).statements).toMatchObject([{ kind }]);
  });

  it("are read once while nothing changes; the list is requested conditionally", async () => {
    const { read, requested } = await start();
    await read();
    expect(requested()).toEqual([LIST, PAGE]);
    expect((await read()).statements).toHaveLength(1);
    expect(requested()).toEqual([LIST]);
  });

  it("are read again when their entry changes", async () => {
    const site = await start();
    await site.read();
    site.requested();
    site.cse.entries = [{ ...ENTRY, title: TITLE.replace("Name Change and ", "UPDATED ") }, NEWS];
    site.cse.pages.set(SLUG, bulletinPage(BODY.replaceAll("March 6", "March 10"), TITLE));
    expect((await site.read()).statements).toMatchObject([{ id: SLUG, exDate: "2026-03-10" }]);
    expect(site.requested()).toEqual([LIST, PAGE]);
  });

  it("are read again daily until the ex date, because they are corrected in place", async () => {
    const { server, read, requested } = await start();
    for (let days = 0; days < 8; days += 1) {
      await read();
      server.tools.clock.skip(DAY_MS);
    }
    // From March 2 to 6.
    expect(requested().filter((path) => path === PAGE)).toHaveLength(5);
  });

  it("are read once more after the ex date if they could not be read on it", async () => {
    const { server, cse, read, requested } = await start();
    await read();
    cse.pages.set(SLUG, bulletinPage(BODY.replaceAll("March 6", "March 12"), TITLE));
    server.tools.clock.skip(8 * DAY_MS);
    expect((await read()).statements).toMatchObject([{ exDate: "2026-03-12" }]);
    server.tools.clock.skip(10 * DAY_MS);
    await read();
    server.tools.clock.skip(DAY_MS);
    await read();
    expect(requested().filter((path) => path === PAGE)).toHaveLength(3);
  });

  it("are not read if they are older than forty days or about other topics", async () => {
    const { read, requested } = await start([NEWS, { ...ENTRY, date: "2026-01-20" }]);
    expect(await read()).toMatchObject({ items: [{ title: NEWS.title }], statements: [], failures: [] });
    expect(requested()).toEqual([LIST]);
  });

  it("are read eight per poll, the newest first", async () => {
    const entries = Array.from({ length: 10 }, (_, n) => ({
      ...ENTRY,
      slug: `b-${n}`,
      date: `2026-02-${n + 10}`,
    }));
    const { cse, read, reader, requested } = await start(entries);
    for (const { slug } of entries) cse.pages.set(slug, bulletinPage(BODY, TITLE));
    const trading = Date.parse("2026-03-02T14:00:00Z");
    expect((await read()).statements).toHaveLength(8);
    expect(requested().slice(1, 3)).toEqual(["/bulletin/b-9/", "/bulletin/b-8/"]);
    expect(reader.intervalMs(trading)).toBe(MINUTE_MS);
    expect((await read()).statements).toHaveLength(10);
    expect(reader.intervalMs(trading)).toBe(HOUR_MS);
  });

  it("are probed with the list and the page of a consolidation", async () => {
    const site = await start([NEWS, ENTRY]);
    const read = [
      { name: "list", result: { items: [{ id: NEWS.slug }, { id: SLUG }], failures: [] } },
      { name: "bulletin 2026-9901", result: { items: [{ id: SLUG }], failures: [] } },
    ];
    expect(await site.reader.probe?.(signal)).toMatchObject(read);
    expect(site.requested()).toEqual([LIST, PAGE]);
    site.cse.pages.delete(SLUG);
    const failed = [read[0], { result: { items: [], failures: [{ failure: "gone" }] } }];
    expect(await site.reader.probe?.(signal)).toMatchObject(failed);
    site.server.break(faults.status(403));
    const refused = [{ name: "list", result: { items: [], failures: [{ failure: "refused" }] } }];
    expect(await site.reader.probe?.(signal)).toMatchObject(refused);
  });

  it("report a page that is missing or empty, and read it again at the next poll", async () => {
    const site = await start([ENTRY, { ...ENTRY, slug: "gone" }]);
    site.cse.pages.set(SLUG, { type: "text/html", body: "<html><body><div id=root></div></body></html>" });
    expect((await site.read()).failures.map(({ failure }) => failure)).toEqual(["unreadable", "gone"]);
    site.server.tools.clock.skip(site.reader.intervalMs(site.server.tools.clock.now()));
    site.cse.pages.set(SLUG, bulletinPage(BODY, TITLE));
    expect((await site.read()).statements).toHaveLength(1);
  });

  it("are read although eight newer pages are unreadable, which are retried with increasing delays", async () => {
    const bad = Array.from({ length: 8 }, (_, n) => ({ ...ENTRY, slug: `bad-${n}`, date: "2026-03-02" }));
    const { read, reader, requested, server } = await start([...bad, ENTRY]);
    expect((await read()).failures).toHaveLength(8);
    const { clock } = server.tools;
    expect(reader.intervalMs(clock.now())).toBe(MINUTE_MS);
    clock.skip(MINUTE_MS);
    expect((await read()).statements).toMatchObject([{ id: SLUG }]);
    requested();
    for (let polls = 0; polls < 6 * 60; polls += 1) {
      clock.skip(MINUTE_MS);
      expect((await read()).unresolved).toHaveLength(8);
    }
    const retries = requested().filter((path) => path === "/bulletin/bad-0/").length;
    expect(retries).toBeGreaterThanOrEqual(5);
    expect(retries).toBeLessThanOrEqual(12);
  });

  it("stop reporting a page that can't be reread two weeks after its ex date", async () => {
    const { server, cse, read } = await start();
    await read();
    cse.pages.delete(SLUG);
    server.tools.clock.skip(DAY_MS);
    expect((await read()).unresolved).toMatchObject([{ failure: "gone" }]);
    server.tools.clock.skip(18 * DAY_MS);
    expect(await read()).toMatchObject({ failures: [], unresolved: [], statements: [{ id: SLUG }] });
  });

  describe("after a restart", () => {
    const recorded = anObservation({ source: "cse", id: SLUG, exDate: "2026-03-06" });

    it("are not read again if an earlier run read them until their ex date", async () => {
      const lastReadAt = Date.parse("2026-03-07T14:00:00Z");
      const site = await start([ENTRY, NEWS], BODY, { recordedObservations: () => [recorded], lastReadAt });
      expect(await site.read()).toMatchObject({ statements: [], untriedPages: 0 });
      expect(site.requested()).toEqual([LIST]);
      site.cse.entries = [{ ...ENTRY, symbols: ["BVLX", "BVLY"] }, NEWS];
      expect((await site.read()).statements).toHaveLength(1);
      expect(site.requested()).toEqual([LIST, PAGE]);
    });

    it.each<[string, Partial<StatementReaderTools>]>([
      ["their split was pending", { lastReadAt: Date.parse("2026-03-06T14:00:00Z") }],
      ["their ex date is unknown", { recordedObservations: () => [{ ...recorded, exDate: null }] }],
      ["they were not recorded", { recordedObservations: () => [] }],
    ])("are read again if %s at the last poll", async (_, toolOverrides) => {
      const lastReadAt = Date.parse("2026-03-07T14:00:00Z");
      const site = await start([ENTRY, NEWS], BODY, {
        recordedObservations: () => [recorded],
        lastReadAt,
        ...toolOverrides,
      });
      await site.read();
      expect(site.requested()).toEqual([LIST, PAGE]);
    });
  });

  it("are not requested after the first refusal of a page", async () => {
    const site = await start([ENTRY, { ...ENTRY, slug: "b-2" }, { ...ENTRY, slug: "b-3" }]);
    for (const slug of [SLUG, "b-2", "b-3"]) site.cse.pages.set(slug, { status: 429 });
    expect((await site.read()).failures).toMatchObject([{ failure: "rate-limited" }]);
    expect(site.requested()).toHaveLength(2);
  });

  it.each([
    ["HTML", faults.html(), /unreadable answer .*in `list`/],
    ["a truncated list", faults.body(`{"list":[${JSON.stringify(ENTRY)},{"title":"x`), /the list is truncated/],
    ["an empty list", faults.body('{"list":[]}'), /expected a list of bulletins, got an empty list/],
    ["entries of another shape", faults.body('{"list":[{"name":"x"},{"name":"y"}]}'), /0 of 2 entries/],
    ["a challenge", faults.challenge(), /requests refused/],
    ["403", faults.status(403), /requests refused .*403/],
    ["429", faults.status(429), /requests refused .*429/],
    ["500", faults.status(500), /unreachable .*500/],
    [
      "too many recent entries",
      faults.body(JSON.stringify({ list: Array.from({ length: 5_001 }, () => ENTRY) })),
      /more than 5000 bulletins since/,
    ],
    ["more than 32 MB", faults.huge(40 * 1024 * 1024), /unreadable answer/],
  ] as const)("report %s", async (_, fault, line) => {
    const { server, reader } = await start();
    server.break(fault);
    const now = server.tools.clock.now();
    const status = nextStatus(initialStatus("cse", now), await readStatements(reader, signal), now);
    expect(describeProblem(status, now)).toMatch(line);
  });

  it("are found at the end of a list of 30,000 old entries", () => {
    const old = { ...NEWS, title: `${NEWS.title} "} ] \\" {`, date: "2012-05-04" };
    const list = JSON.stringify({ list: [...Array.from({ length: 30_000 }, () => old), ENTRY] });
    expect(readBulletinList(documentOf(list), day("2026-01-01"))).toMatchObject([{ id: SLUG }]);
  });

  it.each([
    ["2026-03-02T14:00:00Z", 1],
    ["2026-03-02T08:00:00Z", 4],
    ["2026-03-01T14:00:00Z", 4],
  ])("are polled at %s every %s hours", async (now, hours) => {
    expect((await start()).reader.intervalMs(Date.parse(now))).toBe(hours * HOUR_MS);
  });
});

const PAGE_URL = `https://thecse.com/bulletin/${SLUG}/`;

function pageOf(body = BODY, title = TITLE): string {
  return String(bulletinPage(body, title).body);
}

function termsIn(page: string, url = PAGE_URL) {
  const { statements = [] } = readBulletinDocument(documentOf(page, { url, type: "text/html" }), { now: NOW });
  return statements.map(({ kind, listings, ratio, exDate, newCusip }) => ({ kind, listings, ratio, exDate, newCusip }));
}

const NOW = Date.parse("2026-03-02T17:00:00Z");

describe("a document of the CSE", () => {
  const TERMS = {
    kind: "announced",
    listings: [{ ticker: "BVLX", exchange: "CSE" }],
    ratio: { newShares: 1, oldShares: 10 },
    exDate: "2026-03-06",
    newCusip: "10523T208",
  };

  it.each([
    ["at its address", pageOf(), PAGE_URL],
    ["at an unknown address", pageOf(), undefined],
    ["without the element around it", pageOf().replaceAll(/<\/?main>/g, ""), PAGE_URL],
    [
      "with its title as page title only",
      pageOf(BODY)
        .replace(/<h1>.*<\/h1>/, "")
        .replace("<title>Bulletin", `<title>${TITLE}`),
      PAGE_URL,
    ],
    ["with a dash in its number", pageOf(BODY, TITLE.replace("2026-", "2026 \u2013 ")), PAGE_URL],
    ["without a number", pageOf(BODY, TITLE.replace("2026-9901 - ", "")), PAGE_URL],
    ["with divisions for paragraphs", pageOf(BODY.replaceAll("<p>", "<div>").replaceAll("</p>", "</div>")), PAGE_URL],
    ["in capitals", pageOf(BODY, TITLE.toUpperCase()), PAGE_URL],
  ])("is the page of a bulletin %s", async (_, page, url) => {
    expect(termsIn(page, url)).toEqual([TERMS]);
  });

  it("states the same terms if incidental parts are reformatted", async () => {
    const changes = fc.record({
      space: fc.constantFrom(" ", "\n", "&nbsp;"),
      element: fc.constantFrom("main", "article", "section"),
      isLabelBold: fc.boolean(),
      heading: fc.constantFrom("h1", "h2"),
    });
    await fc.assert(
      fc.asyncProperty(changes, async ({ space, element, isLabelBold, heading }) => {
        const body = BODY.replaceAll(/(?<=[a-z]) (?=[a-z])/g, space);
        const labeled = isLabelBold ? body.replaceAll(/(?<=>\n?)([A-Z][^<>:]{3,40}:)/g, "<strong>$1</strong>") : body;
        const page = `<html><head><title>${TITLE}</title></head><body><${element}><${heading}>${TITLE}</${heading}>${labeled}</${element}></body></html>`;
        expect(termsIn(page)).toEqual([TERMS]);
      }),
      { seed: 25, numRuns: 50 },
    );
  });

  it("is the list of bulletins, in an object or alone, with additional and missing fields", async () => {
    const rows = [
      { more: 1, date: "Feb 27, 2026", slug: SLUG, title: TITLE },
      { ...NEWS, symbol: 7, symbols: [null] },
    ];
    for (const text of [JSON.stringify({ total: 2, list: rows }), `\uFEFF${JSON.stringify(rows)}`]) {
      const { document, entries } = readBulletinDocument(documentOf(text), { now: NOW });
      expect({ document, entries }).toMatchObject({
        document: "list of bulletins",
        entries: [
          { title: NEWS.title, isFollowed: false },
          { id: PAGE_URL, isFollowed: true },
        ],
      });
    }
  });

  it.each([
    ["another bulletin", pageOf(BODY, TITLE.replace("9901", "9902")), /expected bulletin 2026-9901, got 2026-9902/],
    ["a page without a title", "<html><body><p>Sign in</p></body></html>", /got a page without one/],
    ["an empty page", "<html><head><title>Consolidation</title></head><body></body></html>", /no release was found/],
    ["JSON of another shape", '{"error":"busy"}', /in `list`/],
  ])("is refused as %s", async (_, text, message) => {
    expect(() => termsIn(text)).toThrow(message);
  });

  it("states nothing if it is about something else", async () => {
    const page = documentOf(pageOf(BODY, NEWS.title), { url: "https://thecse.com/bulletin/2026-9902/" });
    expect(readBulletinDocument(page, { now: NOW })).toEqual({
      document: "bulletin",
      noSplitReason: `the bulletin is not about a consolidation: ${NEWS.title}`,
    });
  });
});
