import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { FakeCorporateActions } from "../../../test/support/corporate-actions.ts";
import { documentOf } from "../../../test/support/documents.ts";
import { type Fault, faults } from "../../../test/support/http-faults.ts";
import { type SourceAnswer, type SourceServer, startSourceServer } from "../../../test/support/source-server.ts";
import { addDays, DAY_MS, dayInZone, HOUR_MS } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import type { DocumentReading } from "../document-reading.ts";
import type { StatementPollResult } from "../official/follow-statements.ts";
import { readStatements } from "../official/follow-statements.ts";
import { describeProblem, initialStatus, nextStatus } from "../source-status.ts";
import { FetchError } from "../web/fetch-error.ts";
import { createCorporateActionsReader } from "./corporate-actions.ts";
import { readCorporateActionsDocument } from "./read-document.ts";

const opened: SourceServer[] = [];

afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

const ROW = {
  action_date: "2026-03-10",
  action_status: "Effective before the Open",
  action_type: "Reverse Stock Split",
  issue_symbol: "HGFX",
  issuer_name: "HARROWGATE FOODS INC",
  updated_at: "2026-03-01T14:20:11-05:00",
  market_event: "00000000-0000-4000-8000-000000000001",
};
const SYMBOL_CHANGE = { ...ROW, action_type: "Change Symbol", market_event: "00000000-0000-4000-8000-00000000000f" };

type Row = Readonly<Record<string, unknown>>;

async function start(rows: readonly unknown[]): Promise<SourceServer> {
  const actions = new FakeCorporateActions(rows);
  const server = await startSourceServer((request) => actions.answer(request));
  opened.push(server);
  return server;
}

const { signal } = new AbortController();

async function read(...rows: readonly unknown[]): Promise<StatementPollResult> {
  const { origin, tools } = await start(rows);
  return createCorporateActionsReader(origin, tools).read(signal);
}

/** Starts a server whose second page fails with the fault. */
async function startWithFaultAfterFirstPage(fault: Fault): Promise<SourceServer> {
  const rows = Array.from({ length: 150 }, (_, n) => ({ ...ROW, market_event: `event-${n}` }));
  const server = await startSourceServer(({ path }): SourceAnswer => {
    server.break(fault);
    return { body: JSON.stringify({ next: path, results: rows.slice(0, 100) }) };
  });
  opened.push(server);
  return server;
}

describe("NYSE's corporate actions", () => {
  it("are read from the last poll on after an outage, including cancellations whose date has passed", async () => {
    const server = await start([ROW, { ...SYMBOL_CHANGE, action_date: "2026-04-10" }]);
    const reader = createCorporateActionsReader(server.origin, server.tools);
    await reader.read(signal);
    server.break(faults.status(503));
    server.tools.clock.skip(30 * DAY_MS);
    await expect(reader.read(signal)).rejects.toThrow("503");
    server.break(null);
    server.tools.clock.skip(HOUR_MS);
    await reader.read(signal);
    const windows = server.received.map(({ path }) => /gte=([\d-]+)/.exec(path)?.[1]);
    expect(new Set(windows).size).toBe(1);
    await reader.read(signal);
    expect(/gte=([\d-]+)/.exec(server.received.at(-1)?.path ?? "")?.[1]).not.toBe(windows[0]);
  });

  it("are read from the last poll of an earlier run on", async () => {
    const { origin, tools, received } = await start([ROW, SYMBOL_CHANGE]);
    const lastReadAt = tools.clock.now() - 20 * DAY_MS;
    await createCorporateActionsReader(origin, { ...tools, lastReadAt }).read(signal);
    expect(received[0]?.path).toContain(`gte=${addDays(dayInZone(lastReadAt, MARKET_ZONE), -7)}`);
  });

  it("state a reverse split without ratio and exchange", async () => {
    const { items, ...result } = await read(ROW, SYMBOL_CHANGE);
    expect({ items: items.length, ...result }).toEqual({
      items: 2,
      statements: [
        {
          id: "00000000-0000-4000-8000-000000000001",
          url: "https://www.nyse.com/corporate-actions#00000000-0000-4000-8000-000000000001",
          kind: "announced",
          listings: [{ ticker: "HGFX", exchange: null }],
          company: "HARROWGATE FOODS INC",
          ratio: null,
          exDate: "2026-03-10",
          newCusip: null,
          evidence: {
            kind: "action_type: Reverse Stock Split, action_status: Effective before the Open",
            exDate: "action_date: 2026-03-10",
            ticker: "issue_symbol: HGFX",
            company: "issuer_name: HARROWGATE FOODS INC",
          },
          publishedAt: Date.parse("2026-03-01T19:20:11Z"),
        },
      ],
      failures: [],
    });
  });

  it("are read from a week ago to sixty days ahead, page after page", async () => {
    const rows = Array.from({ length: 230 }, (_, n) => ({ ...ROW, market_event: `event-${n}` }));
    const server = await start(rows);
    const { statements } = await createCorporateActionsReader(server.origin, server.tools).read(signal);
    expect(statements).toHaveLength(230);
    expect(server.received.map(({ path }) => path.split("?")[1])).toEqual(
      [1, 2, 3].map((page) => `action_date__gte=2026-02-23&action_date__lte=2026-05-01&page=${page}&page_size=100`),
    );
  });

  it("pause between pages, below the limit of the host", async () => {
    const { origin, tools } = await start(
      Array.from({ length: 1_900 }, (_, n) => ({ ...SYMBOL_CHANGE, market_event: n })),
    );
    const before = tools.clock.now();
    await createCorporateActionsReader(origin, tools).read(signal);
    expect((tools.clock.now() - before) / 18).toBeGreaterThanOrEqual(6_000);
  });

  it.each<[string, Row]>([
    ["no date", { ...ROW, action_date: null }],
    ["an invalid date", { ...ROW, action_date: "TBD" }],
  ])("state no ex date for a row with %s", async (_, row) => {
    expect((await read(row)).statements).toMatchObject([{ exDate: null, listings: [{ ticker: "HGFX" }] }]);
  });

  it.each([
    ["BRK B", "BRK.B"],
    ["MOG.A", "MOG.A"],
    [" hgfx ", "HGFX"],
  ])("state the symbol %j as %s", async (symbol, expected) => {
    expect((await read({ ...ROW, issue_symbol: symbol })).statements).toMatchObject([
      { listings: [{ ticker: expected }] },
    ]);
  });

  it.each(["HGFX WS", "HGFX.WS.A", "HGFX PRA", "HGFX.U", "HGFX RT", "", null])(
    "state nothing for the symbol %j",
    async (symbol) => {
      expect((await read({ ...ROW, issue_symbol: symbol })).statements).toEqual([]);
    },
  );

  it.each([
    ["Cancelled", "cancelled"],
    ["Postponed", "postponed"],
    ["Effective before the Open", "announced"],
    [null, "announced"],
  ])("with the status %s state a split as %s", async (status, kind) => {
    expect((await read({ ...ROW, action_status: status })).statements).toMatchObject([{ kind }]);
  });

  it("state the latest version of an event that is on two pages", async () => {
    const moved = { ...ROW, action_date: "2026-03-17", updated_at: "2026-03-02T09:00:00-05:00" };
    expect((await read(moved, ROW)).statements).toMatchObject([{ exDate: "2026-03-17" }]);
    expect((await read(ROW, moved)).statements).toMatchObject([{ exDate: "2026-03-17" }]);
  });

  it("have a publication time in New York if the row's time has no zone", async () => {
    const { statements } = await read({ ...ROW, updated_at: "2026-03-01T14:20:11" });
    expect(statements[0]?.publishedAt).toBe(Date.parse("2026-03-01T19:20:11Z"));
  });

  it.each([undefined, "", "half a \ud800 character", "e".repeat(100_000)])(
    "report a row with the event %j and read the others",
    async (event) => {
      const { statements, failures } = await read({ ...ROW, market_event: event }, ROW);
      expect(statements).toHaveLength(1);
      expect(failures.map(({ message }) => message)).toEqual([
        expect.stringContaining(`1 of 2 rows have no market_event or action_type (${ROW.issue_symbol})`),
      ]);
    },
  );

  it.each([
    ["HTML", faults.html(), "unreadable", /unreadable answer/],
    ["an answer without rows", faults.body('{"count":0,"next":null,"results":[]}'), "unreadable", /the list is empty/],
    ["an error object", faults.body('{"detail":"no"}', "application/json"), "unreadable", /expected a JSON object/],
    ["a challenge", faults.challenge(), "refused", /requests refused .*a challenge page/],
    ["Cloudflare's 403", faults.status(403, { "cf-mitigated": "challenge" }), "refused", /requests refused .*403/],
    ["429", faults.status(429), "rate-limited", /requests refused .*429/],
    ["500", faults.status(500), "server-error", /unreachable .*500/],
  ] as const)("report %s", async (_, fault, failure, line) => {
    const server = await start([ROW]);
    server.break(fault);
    const now = server.tools.clock.now();
    const result = await readStatements(createCorporateActionsReader(server.origin, server.tools), signal);
    expect(result).toMatchObject({ items: [], statements: [], failures: [{ failure }] });
    expect(describeProblem(nextStatus(initialStatus("nyse", now), result, now), now)).toMatch(line);
  });

  it("include the rows of the first pages if a later page is refused", async () => {
    const { origin, tools } = await startWithFaultAfterFirstPage(faults.status(429));
    const { statements, failures } = await createCorporateActionsReader(origin, tools).read(signal);
    expect(statements).toHaveLength(100);
    expect(failures).toMatchObject([{ failure: "rate-limited" }]);
  });

  it("are refused if a page has ten times the rows that were requested", async () => {
    const results = Array.from({ length: 1_001 }, () => SYMBOL_CHANGE);
    const server = await startSourceServer(() => ({ body: JSON.stringify({ next: null, results }) }));
    opened.push(server);
    await expect(createCorporateActionsReader(server.origin, server.tools).read(signal)).rejects.toThrow(
      "got 1001 rows, expected at most 1000",
    );
  });

  it("are read up to page twenty", async () => {
    const server = await startSourceServer(({ path }) => ({
      body: JSON.stringify({ next: path, results: [SYMBOL_CHANGE] }),
    }));
    opened.push(server);
    const { failures } = await createCorporateActionsReader(server.origin, server.tools).read(signal);
    expect(server.received).toHaveLength(20);
    expect(failures).toMatchObject([{ failure: "too-large" }]);
  });

  it.each([
    ["2026-03-02T14:00:00Z", 1],
    ["2026-03-02T08:00:00Z", 4],
    ["2026-03-01T14:00:00Z", 4],
  ])("are polled at %s every %s hours", async (now, hours) => {
    const { origin, tools } = await start([]);
    const reader = createCorporateActionsReader(origin, { ...tools, everyMs: HOUR_MS });
    expect(reader.intervalMs(Date.parse(now))).toBe(hours * HOUR_MS);
  });
});

function termsOf({ statements = [] }: DocumentReading) {
  return statements.map(({ id, kind, listings, exDate }) => ({ id, kind, listings, exDate }));
}

function reading(...results: readonly unknown[]): DocumentReading {
  return readCorporateActionsDocument(documentOf(JSON.stringify({ count: 1, next: null, previous: null, results })));
}

describe("a page of NYSE's corporate actions", () => {
  const TERMS = termsOf(reading(ROW));

  it.each([
    "Reverse Split",
    "REVERSE STOCK SPLIT",
    "Reverse-Stock-Split",
    "Reverse Share Split",
    "REVERSE_STOCK_SPLIT",
  ])("states a split with the type %s", (action_type) => {
    expect(termsOf(reading({ ...ROW, action_type }))).toEqual(TERMS);
  });

  it.each(["Stock Split", "Forward Split", "Change Symbol", "Merger"])(
    "states nothing with the type %s",
    (action_type) => {
      expect(reading({ ...ROW, action_type })).toEqual({ document: "corporate actions", statements: [], refusals: [] });
    },
  );

  it("states the same terms if incidental fields are missing, reformatted, added or reordered", () => {
    const row: Readonly<Record<string, unknown>> = ROW;
    const [year, month, day] = ROW.action_date.split("-");
    const changes = fc.record({
      removed: fc.subarray(["issuer_name", "updated_at", "action_status"]),
      date: fc.constantFrom(
        ROW.action_date,
        `${ROW.action_date}T00:00:00`,
        `${month}/${day}/${year}`,
        `${year}${month}${day}`,
      ),
      updatedAt: fc.constantFrom<unknown[]>(null, 7, "2026-03-01 14:20:11", "3/1/2026 2:20 PM", {}),
      order: fc.shuffledSubarray(Object.keys(ROW), { minLength: Object.keys(ROW).length }),
    });
    fc.assert(
      fc.property(changes, ({ removed, date, updatedAt, order }) => {
        const kept = order.filter((name) => !removed.includes(name)).map((name) => [name, row[name]]);
        const changed = { other: 1, ...Object.fromEntries(kept), action_date: date };
        expect(
          termsOf(reading(removed.includes("updated_at") ? changed : { ...changed, updated_at: updatedAt })),
        ).toEqual(TERMS);
      }),
      { seed: 25 },
    );
  });

  it.each([
    ["a sign-in page", "<html><body>Sign in</body></html>"],
    ["an object with a message", '{"message":"busy"}'],
    ["an empty list", '{"count":0,"results":[]}'],
    ["an empty answer", ""],
  ])("is not read from %s", (_, text) => {
    expect(() => readCorporateActionsDocument(documentOf(text))).toThrow(FetchError);
  });
});
