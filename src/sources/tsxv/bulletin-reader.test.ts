import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { faults } from "../../../test/support/http-faults.ts";
import { anObservation } from "../../../test/support/observations.ts";
import { type SourceServer, startSourceServer } from "../../../test/support/source-server.ts";
import { growthFactor } from "../../../test/support/timing.ts";
import {
  FakeVentureBulletins,
  VENTURE_SENTENCES,
  type VentureTerms,
  ventureBlock,
  ventureHtml,
  ventureList,
} from "../../../test/support/venture-bulletins.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time/day.ts";
import { readStatements, type StatementPollResult, type StatementReader } from "../official/follow-statements.ts";
import type { StatementReaderTools } from "../official/official-source.ts";
import { describeProblem, initialStatus, nextStatus } from "../source-status.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { createBulletinReader } from "./bulletin-reader.ts";
import { tsxv } from "./index.ts";

const opened: SourceServer[] = [];

afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

const { signal } = new AbortController();
const ID = "319314";
const ROW = "2/Mar/2026 HARROW LITHIUM CORP. Name Change and Consolidation";
const PAGE_PATH = `/TSXVenture/TSXVentureHttpController?GetPage=NoticesContents&PO_ID=77&NOTICE_ID=${ID}&CORRECTION_FLG=N`;
const LIST_PATH =
  "/TSXVenture/TSXVentureHttpController?BulletinsMode=on&GetPage=LatestCompanyDocuments&NewsReleases=off";

interface Site {
  readonly server: SourceServer;
  readonly reader: StatementReader;
  readonly venture: FakeVentureBulletins;
  readonly publish: (id: string, terms?: VentureTerms, row?: string) => void;
  readonly read: () => Promise<StatementPollResult>;
  /** Paths requested since the last call. */
  readonly requested: () => readonly string[];
}

async function start(overrides: Partial<StatementReaderTools> = {}): Promise<Site> {
  const venture = new FakeVentureBulletins();
  const server = await startSourceServer((request) => venture.answer(request));
  opened.push(server);
  const tools = { ...server.tools, everyMs: 30 * MINUTE_MS, ...overrides };
  const reader = createBulletinReader(server.origin, tools);
  let reported = 0;
  return {
    server,
    reader,
    venture,
    publish: (id, terms = {}, row = ROW) => venture.publish({ id, row, body: ventureHtml(ventureBlock(terms)) }),
    read: () => reader.read(signal),
    requested: () => {
      const paths = server.received.slice(reported).map(({ path }) => path);
      reported = server.received.length;
      return paths;
    },
  };
}

const STATEMENT = {
  id: ID,
  url: `https://infoventure.tsx.com/TSXVenture/TSXVentureHttpController?GetPage=NoticesContents&NOTICE_ID=${ID}`,
  kind: "announced",
  listings: [
    { ticker: "WMG", exchange: "TSXV" },
    { ticker: "HRWL", exchange: "TSXV" },
  ],
  company: "Harrow Lithium Corp.",
  ratio: { newShares: 1, oldShares: 10 },
  exDate: "2026-03-06",
  newCusip: "41550X104",
} as const;

describe("the bulletins of the TSX Venture Exchange", () => {
  it("state a consolidation with ratio, first trading day, symbols and new CUSIP", async () => {
    const site = await start();
    site.publish(ID);
    const { statements, items, failures } = await site.read();
    expect({ items: items.length, failures }).toEqual({ items: 1, failures: [] });
    expect(statements).toEqual([
      {
        ...STATEMENT,
        evidence: {
          kind: "BULLETIN TYPE: Name Change and Consolidation",
          ticker: 'HARROW LITHIUM CORP. ("HRWL") [formerly Wenmoor Gold Inc. ("WMG")]',
          company: expect.stringContaining("HARROW LITHIUM CORP."),
          exchange: "TSX Venture Tier 2 Company",
          announced: "BULLETIN DATE: March 2, 2026",
          ratio: expect.stringContaining("a ten (10) old for one (1) new basis"),
          exDate: expect.stringContaining("Effective at the opening on Friday, March 6, 2026"),
          newCusip: "CUSIP Number: 41550X 10 4 (new)",
        },
        publishedAt: Date.parse("2026-03-03T04:59:00Z"),
      },
    ]);
    expect(site.requested()).toEqual([LIST_PATH, PAGE_PATH]);
  });

  it.each<[string, string]>([
    [
      "a relative link with entities",
      `<tr><td>${ROW}</td><td><a href="TSXVentureHttpController?GetPage=NoticesContents&amp;NOTICE_ID=${ID}">x</a></td></tr>`,
    ],
    [
      "an absolute link of another host",
      `<tr><td><a href="http://apps.tmx.com/TSXVenture/TSXVentureHttpController?GetPage=NoticesContents&NOTICE_ID=${ID}">${ROW}</a></td></tr>`,
    ],
    [
      "a link in a script",
      `<tr><td onclick="openWindow('TSXVentureHttpController?GetPage=NoticesContents&NOTICE_ID=${ID}')">${ROW}</td></tr>`,
    ],
    [
      "parameters in another order and case",
      `<TR><TD><A HREF='?NOTICE_ID=${ID}&getpage=NoticesContents&HC_FLAG1=checked'>${ROW}</A></TD></TR>`,
    ],
    ["no table", `<p>${ROW} <a href="?GetPage=NoticesContents&NOTICE_ID=${ID}">Bulletin</a></p>`],
    ["no text", `<tr><td><a href="?GetPage=NoticesContents&NOTICE_ID=${ID}"></a></td></tr>`],
    [
      "an abbreviated type",
      `<tr><td>HARROW LITHIUM NAME CHG/CONS <a href="?GetPage=NoticesContents&NOTICE_ID=${ID}">x</a></td></tr>`,
    ],
    [
      "several types",
      `<tr><td>Private Placement, Name Change and Consolidation <a href="?GetPage=NoticesContents&NOTICE_ID=${ID}">x</a></td></tr>`,
    ],
    [
      "a correction beside it",
      `<tr><td>${ROW} <a href="?GetPage=NoticesContents&NOTICE_ID=${ID}&CORRECTION_FLG=N">x</a> <a href="?GetPage=NoticesContents&NOTICE_ID=${ID}&CORRECTION_FLG=Y">corrected</a></td></tr>`,
    ],
  ])("are found in a list with %s", async (_, row) => {
    const site = await start();
    site.publish(ID);
    site.venture.rows = [row];
    expect((await site.read()).statements).toMatchObject([STATEMENT]);
  });

  it("keep their terms when incidental parts of page and list are removed or reformatted", async () => {
    const site = await start();
    const changes: readonly ((html: string) => string)[] = [
      (html) => html.replaceAll("<br>\n", "</p><p>"),
      (html) => html.replaceAll("<br>", "<BR />"),
      (html) => html.replaceAll("&quot;", "&#8220;"),
      (html) => html.replaceAll(/ {2,}/g, " "),
      (html) => html.replace("BULLETIN DATE:", "Bulletin Date :"),
      (html) => html.replace(/TSX Venture Tier 2 Company/, "<b>TSX Venture Tier 2 Company</b>"),
      (html) => html.replace("BULLETIN TYPE:", "<strong>BULLETIN TYPE:</strong>"),
      (html) => `________________<br>${html}<br>________________`,
      (html) => html.replaceAll("Friday, ", "Friday&nbsp;"),
      (html) => `<table><tr><td>${html}</td></tr></table>`,
    ];
    const rows = [ROW, "", "Consolidation", `${ROW} more`];
    const body = ventureHtml(ventureBlock());
    let number = 400_000;
    const property = fc.asyncProperty(
      fc.shuffledSubarray([...changes]),
      fc.constantFrom(...rows),
      async (chosen, row) => {
        number += 1;
        const id = String(number);
        site.venture.rows = [];
        let html = body;
        for (const change of chosen) html = change(html);
        site.venture.publish({ id, row, body: html });
        const { statements, failures } = await site.read();
        expect(failures).toEqual([]);
        expect(statements).toMatchObject([{ ...STATEMENT, id, url: expect.stringContaining(id) }]);
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });

  it.each([
    "2/Mar/2026 SALTBURN ENERGY LTD. Private Placement-Non-Brokered",
    "2/Mar/2026 SALTBURN ENERGY LTD. Halt",
    "2/Mar/2026 SALTBURN ENERGY LTD. Declaration of Dividend",
    "1/Jan/2026 SALTBURN ENERGY LTD. Consolidation",
  ])("are not read if the row is about something else or old: %s", async (row) => {
    const site = await start();
    site.publish(ID, {}, row);
    expect(await site.read()).toMatchObject({ statements: [], failures: [] });
    expect(site.requested()).toEqual([LIST_PATH]);
  });

  it("are read once if they are about something else, and daily until the ex date otherwise", async () => {
    const site = await start();
    site.publish(ID);
    const sentences = [
      "The Company has changed its name. There is no consolidation of capital.",
      VENTURE_SENTENCES[1] ?? "",
    ];
    site.publish("319315", { type: "Name Change", sentences }, "2/Mar/2026 HARROW LITHIUM CORP. Name Change");
    for (let days = 0; days < 8; days += 1) {
      expect((await site.read()).statements).toMatchObject([{ id: ID }]);
      site.server.tools.clock.skip(DAY_MS);
    }
    const paths = site.requested();
    // From March 2 to 6.
    expect(paths.filter((path) => path === PAGE_PATH)).toHaveLength(5);
    expect(paths.filter((path) => path.includes("319315"))).toHaveLength(1);
  });

  it("are read again when their row changes, and replace their statement", async () => {
    const site = await start();
    site.publish(ID);
    await site.read();
    const sentences = VENTURE_SENTENCES.map((sentence) => sentence.replace("Friday, March 6", "Monday, March 9"));
    site.publish(ID, { sentences }, `${ROW} (corrected)`);
    expect((await site.read()).statements).toMatchObject([{ id: ID, exDate: "2026-03-09" }]);
  });

  it("state each consolidation of a page with several companies", async () => {
    const site = await start();
    const other = ventureBlock({ company: "SALTBURN ENERGY LTD.", symbol: "SBE", formerly: null, labels: [] });
    const lines = [...ventureBlock(), "____________________", ...other];
    site.venture.publish({ id: ID, row: ROW, body: ventureHtml(lines) });
    expect((await site.read()).statements).toMatchObject([
      { ...STATEMENT, id: `${ID} WMG` },
      { id: `${ID} SBE`, listings: [{ ticker: "SBE", exchange: "TSXV" }], newCusip: null },
    ]);
  });

  const CORRECTION = { type: "Correction", date: "March 3, 2026", labels: [] } as const;
  const FURTHER = "Further to the TSX Venture Exchange bulletin dated March 2, 2026, ";

  it.each<[string, VentureTerms, object]>([
    [
      "corrects the ratio",
      { ...CORRECTION, sentences: [`${FURTHER}the Company has consolidated its capital on a 12 old for 1 new basis.`] },
      { kind: "announced", ratio: { newShares: 1, oldShares: 12 }, exDate: "2026-03-06", newCusip: "41550X104" },
    ],
    [
      "corrects the day",
      {
        ...CORRECTION,
        sentences: [
          `${FURTHER}the shares will commence trading on a consolidated basis at the opening on Monday, March 9, 2026.`,
        ],
      },
      { kind: "announced", ratio: { newShares: 1, oldShares: 10 }, exDate: "2026-03-09" },
    ],
    [
      "corrects the day to one that can't be read",
      {
        ...CORRECTION,
        sentences: [`${FURTHER}the shares will commence trading on a consolidated basis on Monday, March 10, 2026.`],
      },
      { kind: "announced", ratio: { newShares: 1, oldShares: 10 }, exDate: null },
    ],
    [
      "postpones the consolidation",
      {
        type: "Bulletin update",
        date: "March 3, 2026",
        labels: [],
        sentences: [`${FURTHER}the consolidation has been postponed.`],
      },
      { kind: "postponed", ratio: { newShares: 1, oldShares: 10 }, exDate: null },
    ],
    [
      "rescinds the bulletin without naming the consolidation",
      {
        type: "Rescind Bulletin",
        date: "March 3, 2026",
        labels: [],
        sentences: ["The bulletin dated March 2, 2026 is rescinded."],
      },
      { kind: "cancelled", ratio: { newShares: 1, oldShares: 10 }, exDate: null, newCusip: null },
    ],
  ])("are completed from the earlier bulletin by one that %s", async (_, terms, expected) => {
    for (const isRecorded of [true, false]) {
      const recorded = anObservation({
        source: "tsxv",
        id: ID,
        url: STATEMENT.url,
        listings: ["TSXV: WMG", "TSXV: HRWL"],
        ratio: "1:10",
        exDate: "2026-03-06",
        newCusip: STATEMENT.newCusip,
        publishedAt: Date.parse("2026-03-03T04:59:00Z"),
        evidence: {},
      });
      const site = await start(isRecorded ? { recordedObservations: () => [recorded] } : {});
      if (!isRecorded) site.publish(ID);
      site.publish(
        "319999",
        { symbol: "HRWL", formerly: null, ...terms },
        "3/Mar/2026 HARROW LITHIUM CORP. Correction",
      );
      const { statements, failures } = await site.read();
      expect(failures).toEqual([]);
      expect(statements.find(({ id }) => id === "319999")).toMatchObject({ listings: STATEMENT.listings, ...expected });
    }
  });

  it("ignore the rescission of a bulletin on something else", async () => {
    const site = await start();
    site.publish(ID);
    const sentences = ["The bulletin dated January 9, 2026 is rescinded."];
    site.publish("319999", { type: "Rescind Bulletin", formerly: null, labels: [], sentences }, "Rescind");
    expect((await site.read()).statements).toMatchObject([{ id: ID }]);
  });

  it.each<[string, string]>([
    ["an error page", "<h1>An error occurred</h1><p>Please try again later.</p>"],
    [
      "a sign-in page",
      "<form><label>User name</label><input name=user></form><p>Sign in to view bulletins and their types.</p>",
    ],
    [
      "a list",
      ventureList([`<tr><td>${ROW}</td><td><a href="?GetPage=NoticesContents&NOTICE_ID=1">x</a></td></tr>`])
        .body as string,
    ],
    [
      "a bulletin without a symbol",
      ventureHtml(ventureBlock({ formerly: null, labels: [] })).replace(/\(&quot;HRWL&quot;\)/, ""),
    ],
    ["an empty page", ""],
  ])("refuse %s in place of a bulletin, with its reason and without terms", async (_, body) => {
    const site = await start();
    site.venture.publish({ id: ID, row: ROW, body });
    const { statements, failures } = await site.read();
    expect(statements).toEqual([]);
    expect(failures).toMatchObject([{ failure: "unreadable", message: expect.stringMatching(/expected .*, got /) }]);
  });

  it("refuse the page of another company, and a redirect to another bulletin", async () => {
    const site = await start();
    site.publish(ID, {}, '2/Mar/2026 SALTBURN ENERGY LTD. ("SBE") Consolidation');
    expect((await site.read()).failures).toMatchObject([
      { message: expect.stringContaining(`expected bulletin ${ID} on SBE, got a bulletin on WMG, HRWL`) },
    ]);
    const other = await start();
    other.publish("5");
    other.publish(ID);
    const elsewhere = "/TSXVenture/TSXVentureHttpController?GetPage=NoticesContents&NOTICE_ID=5";
    other.server.break(faults.redirect(elsewhere), (path) => path === PAGE_PATH);
    const { statements, failures } = await other.read();
    expect(statements.map(({ id }) => id)).toEqual(["5"]);
    expect(failures).toMatchObject([{ message: expect.stringContaining(`expected bulletin ${ID}, got bulletin 5`) }]);
  });

  it.each([
    ["HTML", faults.html(), /unreadable answer .*expected the list of bulletins/],
    [
      "a sign-in page",
      faults.body("<form><input name=user></form>", "text/html"),
      /unreadable answer .*expected the list/,
    ],
    [
      "too many bulletins",
      faults.body(
        Array.from({ length: 5_001 }, (_, id) => `?GetPage=NoticesContents&NOTICE_ID=${id}`).join("\n"),
        "text/html",
      ),
      /the list has more than 5000 bulletins/,
    ],
    ["a challenge", faults.challenge(), /requests refused/],
    ["403", faults.status(403), /requests refused .*403/],
    ["429", faults.status(429), /requests refused .*429/],
    ["500", faults.status(500), /unreachable .*500/],
    ["more than 5 MB", faults.huge(), /unreadable answer/],
  ] as const)("report %s in place of the list", async (_, fault, line) => {
    const { server, reader } = await start();
    server.break(fault);
    const now = server.tools.clock.now();
    const status = nextStatus(initialStatus("tsxv", now), await readStatements(reader, signal), now);
    expect(describeProblem(status, now)).toMatch(line);
  });

  it("are read eight per poll, the oldest first, and the others a minute later", async () => {
    const site = await start();
    for (let n = 10; n < 20; n += 1) site.publish(`3193${n}`);
    expect((await site.read()).statements).toHaveLength(8);
    expect(site.requested()[1]).toContain("NOTICE_ID=319310");
    const trading = Date.parse("2026-03-02T15:00:00Z");
    expect(site.reader.intervalMs(trading)).toBe(MINUTE_MS);
    expect((await site.read()).statements).toHaveLength(10);
    expect(site.reader.intervalMs(trading)).toBe(30 * MINUTE_MS);
  });

  it("are probed with the list and the page of a bulletin", async () => {
    const site = await start();
    site.publish(ID);
    expect(await site.reader.probe?.(signal)).toMatchObject([
      { name: "list", result: { items: [{ id: ID }], failures: [] } },
      { name: `bulletin ${ID}`, result: { items: [{ id: ID }], failures: [] } },
    ]);
  });
});

function document(body: string, url: string): WebAnswer {
  return {
    status: 200,
    body: Buffer.from(body),
    url: new URL(url, "https://infoventure.tsx.com"),
    header: () => null,
    headers: () => [],
  };
}

function linkTo(id: string, text: string): string {
  return `<a href="?GetPage=NoticesContents&NOTICE_ID=${id}">${text}</a> `;
}

const now = Date.parse("2026-03-02T15:00:00Z");

/** Reads a list with so many links to one bulletin in one row. */
async function readLinks(links: number): Promise<void> {
  const list = `<table><tr>${`?GetPage=NoticesContents&NOTICE_ID=${ID} `.repeat(links)}</tr></table>`;
  expect(await tsxv.readDocument?.(document(list, LIST_PATH), { now })).toMatchObject({ entries: [{ id: ID }] });
}

describe("a captured document of the TSX Venture Exchange", () => {
  it("is read in linear time if it links one bulletin in one row a great many times", async () => {
    expect(await growthFactor(readLinks, 5_000)).toBeLessThan(8);
  });

  it("gives each link outside of a table its own text, also if a later one repeats the first", async () => {
    const list = linkTo("7", "Consolidation A") + linkTo("8", "Consolidation B") + linkTo("7", "PDF");
    expect(await tsxv.readDocument?.(document(list, LIST_PATH), { now })).toMatchObject({
      entries: [
        { id: "7", title: "Consolidation A" },
        { id: "8", title: expect.stringContaining("Consolidation B") },
      ],
    });
  });

  it("is read as the list or as a bulletin, by its address or its content", async () => {
    const page = ventureHtml(ventureBlock());
    const list = ventureList([
      `<tr><td>${ROW}</td><td><a href="?GetPage=NoticesContents&NOTICE_ID=${ID}">x</a></td></tr>`,
    ]).body as string;
    expect(await tsxv.readDocument?.(document(page, PAGE_PATH), { now })).toMatchObject({
      document: "bulletin",
      statements: [STATEMENT],
    });
    expect(await tsxv.readDocument?.(document(page, "/page.html"), { now })).toMatchObject({
      statements: [{ ratio: STATEMENT.ratio }],
    });
    for (const address of [LIST_PATH, "/list.html"])
      expect(await tsxv.readDocument?.(document(list, address), { now })).toMatchObject({
        document: "list of bulletins",
        entries: [{ id: ID, title: `${ROW} x`, isFollowed: true }],
      });
    for (const other of [
      "<h1>Error</h1>",
      "<h1>TSX Venture bulletins are temporarily unavailable</h1>",
      "<form>Sign in to view bulletins<input type=password></form>",
      page,
    ])
      await expect(tsxv.readDocument?.(document(other, LIST_PATH), { now })).rejects.toThrow(/expected the list/);
  });
});
