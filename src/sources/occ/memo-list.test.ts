import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { faults } from "../../../test/support/http-faults.ts";
import { anObservation } from "../../../test/support/observations.ts";
import { FakeMemos, OCC_HEADINGS, type PublishedMemo } from "../../../test/support/occ-memos.ts";
import { type SourceServer, startSourceServer } from "../../../test/support/source-server.ts";
import { buildCatalog } from "../../catalog/catalog.ts";
import { HOUR_MS } from "../../domain/time/day.ts";
import { readStatements, type StatementPollResult, type StatementReader } from "../official/follow-statements.ts";
import { describeProblem, initialStatus, nextStatus } from "../source-status.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { occ } from "./index.ts";
import { createMemoReader } from "./memo-list.ts";

const opened: SourceServer[] = [];

afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

const { signal } = new AbortController();
const TITLE = "Quillmere Therapeutics, Inc. - Reverse Split Option Symbol: QLMR New Symbol: QLMR1";
const MEMO: PublishedMemo = { number: 59101, title: TITLE };

interface Site {
  readonly server: SourceServer;
  readonly reader: StatementReader;
  readonly memos: FakeMemos;
  readonly read: () => Promise<StatementPollResult>;
}

async function start(published: readonly PublishedMemo[] = [MEMO]): Promise<Site> {
  const memos = new FakeMemos();
  memos.memos = published;
  const server = await startSourceServer((request) => memos.answer(request));
  opened.push(server);
  const reader = createMemoReader(server.origin, { ...server.tools, everyMs: HOUR_MS });
  return { server, reader, memos, read: () => reader.read(signal) };
}

/** Statements of a list with these bytes in place of the answer. */
async function readBody(body: string): Promise<StatementPollResult> {
  const site = await start();
  site.server.break(faults.body(body, "text/csv"));
  return site.read();
}

const STATEMENT = {
  id: "59101",
  url: "https://infomemo.theocc.com/infomemos?number=59101",
  kind: "confirmed",
  listings: [{ ticker: "QLMR", exchange: null }],
  ratio: null,
  exDate: "2026-03-06",
} as const;

describe("the memos of the Options Clearing Corporation", () => {
  it("confirm the symbol and day of a reverse split, with a link to the memo", async () => {
    const { statements, items, failures } = await (await start()).read();
    expect({ items: items.length, failures }).toEqual({ items: 1, failures: [] });
    expect(statements).toEqual([
      {
        ...STATEMENT,
        company: null,
        newCusip: null,
        evidence: { kind: TITLE, exDate: "Effective Date: 03/06/2026" },
        publishedAt: Date.parse("2026-03-03T04:59:00Z"),
      },
    ]);
  });

  it("neither create nor change a split", async () => {
    const [statement] = (await (await start()).read()).statements;
    const memo = anObservation({
      ...statement,
      source: "occ",
      listings: ["QLMR"],
      ratio: null,
      exDate: "2026-03-06",
      publishedAt: statement?.publishedAt ?? 0,
    });
    expect(buildCatalog({ releases: [], observations: [memo] })).toEqual([]);
    const notice = anObservation({ listings: ["NASDAQ: QLMR"], exDate: "2026-03-06" });
    const [alone] = buildCatalog({ releases: [], observations: [notice] });
    const [confirmed] = buildCatalog({ releases: [], observations: [notice, memo] });
    expect(confirmed).toEqual({ ...alone, confirmations: [memo] });
  });

  it.each([
    ["QLMR", TITLE],
    ["QLMR", "QUILLMERE THERAPEUTICS, INC. – REVERSE SPLIT OPTION SYMBOL: QLMR NEW SYMBOL: QLMR1 DATE: 3/6/26"],
    ["QLMR", "Quillmere Therapeutics - 1 for 20 Reverse Stock Split/CUSIP Change; Option Symbols: QLMR/QLMR1"],
    ["QLMR", "Quillmere - Reverse Split Option Symbol: 03/06/2026 - QLMR becomes QLMR1"],
    ["BRK.B", "Brackenrig Inc. - Reverse Split Option Symbol: BRK.B New Symbol: BRKB1"],
    [null, "Quillmere - Reverse Split Option Symbol: QLMR1 New Symbol: QLMR2"],
    [null, "Quillmere and Tarnbeck - Reverse Split Option Symbols: QLMR, TBK"],
    [null, "Quillmere Therapeutics, Inc. - Reverse Split"],
    [null, "Quillmere Therapeutics, Inc. - Anticipated Reverse Split Option Symbol: QLMR"],
    [null, "Quillmere - Reverse Split Cash Settlement Option Symbol: QLMR1"],
    [null, "Quillmere - Reverse Split - Cash-In-Lieu of Fractional Shares Option Symbol: QLMR"],
    [null, "Quillmere - Reverse Split Cancelled Option Symbol: QLMR"],
    [null, "Quillmere - Forward Split Option Symbol: QLMR"],
    [null, "Quillmere - Special Cash Dividend Option Symbol: QLMR"],
  ])("state %s for the title %j", async (ticker, title) => {
    const { statements } = await (await start([{ number: 59101, title }])).read();
    expect(statements.map(({ listings: [listing] }) => listing?.ticker)).toEqual(ticker === null ? [] : [ticker]);
  });

  const ROW = `59101,03/02/2026,03/06/2026,"${TITLE}",Adjustments`;

  it.each<[string, string]>([
    ["another name of the last column", `Number,Post Date,Effective Date,Title,Categories\n${ROW}`],
    ["headings in lower case and quotes", `"number"," post date ","effective date","title","x"\n${ROW}`],
    ["another order", `Title,Number,Effective Date\n"${TITLE}",59101,3/6/2026`],
    ["additional columns", `Id,Number,Post Date,Effective Date,Status,Title\n1,${ROW.replace(',"', ',new,"')}`],
    ["a byte order mark and CRLF", `\uFEFF${OCC_HEADINGS}\r\n${ROW}\r\n`],
    ["a line above the headings", `Information memos\n${OCC_HEADINGS}\n${ROW}`],
    ["a line break in a title", `${OCC_HEADINGS}\n${ROW.replace(" - Reverse", "\n- Reverse")}`],
    [
      "other notations of days",
      `${OCC_HEADINGS}\n${ROW.replace("03/02/2026", "2026-03-02").replace("03/06/2026", "Mar 6 2026")}`,
    ],
    ["a number sign", `${OCC_HEADINGS}\n#${ROW}`],
  ])("are read from a list with %s", async (_, body) => {
    expect((await readBody(body)).statements).toMatchObject([STATEMENT]);
  });

  it.each([
    ["no day", "", null],
    ["a Saturday", "03/07/2026", null],
    ["words", "To be determined", null],
  ])("state no ex date for an effective date with %s", async (_, effective, exDate) => {
    const { statements } = await (await start([{ ...MEMO, effective }])).read();
    const evidence = effective === "" ? { kind: TITLE } : { kind: TITLE, exDate: `Effective Date: ${effective}` };
    expect(statements).toMatchObject([{ exDate, evidence }]);
  });

  it("keep their terms in any order of columns", async () => {
    const columns = {
      Number: "59101",
      "Post Date": "03/02/2026",
      "Effective Date": "03/06/2026",
      Title: TITLE,
      Category: "x",
    };
    const property = fc.asyncProperty(
      fc.shuffledSubarray(Object.entries(columns), { minLength: 5 }),
      fc.constantFrom("\n", "\r\n"),
      async (shuffled, lineEnd) => {
        const body = [shuffled.map(([name]) => name), shuffled.map(([, value]) => `"${value}"`)].join(lineEnd);
        expect((await readBody(body)).statements).toMatchObject([STATEMENT]);
      },
    );
    await fc.assert(property, { numRuns: 20 });
  });

  it("are read from the last forty days only", async () => {
    const old = { number: 58000, posted: "01/02/2026", effective: "01/05/2026", title: TITLE };
    const ahead = { ...old, number: 58001, effective: "03/06/2026" };
    const { items, statements } = await (await start([MEMO, ahead, old])).read();
    expect({ items: items.length, ids: statements.map(({ id }) => id) }).toEqual({ items: 2, ids: ["59101", "58001"] });
  });

  it("are requested conditionally", async () => {
    const site = await start();
    await site.read();
    expect((await site.read()).statements).toMatchObject([STATEMENT]);
    expect(site.server.received[1]?.headers["if-none-match"]).toBeDefined();
  });

  it("names the rows that can't be read", async () => {
    const { statements, failures } = await readBody(`${OCC_HEADINGS}\n${ROW}\n,,,x,\n${ROW.replace("59101", "59102")}`);
    expect(statements).toHaveLength(2);
    expect(failures).toMatchObject([
      { message: expect.stringContaining("1 of 3 rows have no number or title, the first in line 3") },
    ]);
  });

  it.each([
    ["a web page", faults.html(), /unreadable answer .*expected a CSV list of memos, got a web page/],
    [
      "other columns",
      faults.body("Symbol,Name\nQLMR,Quillmere", "text/csv"),
      /unreadable answer .*Number, Effective Date and Title/,
    ],
    ["rows of another shape", faults.body(`${OCC_HEADINGS}\na,b,c\nd,e,f`, "text/csv"), /only 0 of 2 rows/],
    ["no memos", faults.body(OCC_HEADINGS, "text/csv"), /nothing new .*the list has no memos/],
    [
      "too many memos",
      faults.body(`${OCC_HEADINGS}${"\n1,,,x,".repeat(300_001)}`, "text/csv"),
      /at most 300000 rows .*, got more/,
    ],
    [
      "too many recent memos",
      faults.body(`${OCC_HEADINGS}${`\n${ROW}`.repeat(10_001)}`, "text/csv"),
      /at most .* 10000 recent memos, got more/,
    ],
    ["a challenge", faults.challenge(), /requests refused/],
    ["403", faults.status(403), /requests refused .*403/],
    ["500", faults.status(500), /unreachable .*500/],
    ["more than 32 MB", faults.huge(40 * 1024 * 1024), /unreadable answer/],
  ] as const)("report %s", async (_, fault, line) => {
    const { server, reader } = await start();
    server.break(fault);
    const now = server.tools.clock.now();
    const result = await readStatements(reader, signal);
    expect(result.statements).toEqual([]);
    expect(describeProblem(nextStatus(initialStatus("occ", now), result, now), now)).toMatch(line);
  });

  it("are read as a captured document", async () => {
    const body = Buffer.from(`${OCC_HEADINGS}\n${ROW}\n59102,03/02/2026,03/03/2026,Special Dividend,x`);
    const url = new URL("https://infomemo.theocc.com/infomemo/exportmemo");
    const document: WebAnswer = { status: 200, body, url, header: () => null, headers: () => [] };
    expect(await occ.readDocument?.(document, { now: Date.parse("2026-03-02T15:00:00Z") })).toMatchObject({
      document: "list of memos",
      statements: [STATEMENT],
      entries: [
        { id: "59101", isFollowed: true },
        { id: "59102", isFollowed: false },
      ],
      refusals: [],
    });
  });

  it("are off by default, and no source of splits", () => {
    expect(occ.confirmsOnly).toBe(true);
    const settings = occ.section.parse({ every: "off", url: "https://infomemo.theocc.com" });
    expect(occ.offReason(settings, null)).toBe("sources.occ.every is off");
  });
});
