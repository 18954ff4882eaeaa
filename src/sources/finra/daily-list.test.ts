import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { type DailyListQuery, type DailyListRow, FakeDailyList } from "../../../test/support/daily-list.ts";
import { documentOf } from "../../../test/support/documents.ts";
import { faults } from "../../../test/support/http-faults.ts";
import { anObservation } from "../../../test/support/observations.ts";
import { type SourceServer, startSourceServer } from "../../../test/support/source-server.ts";
import { DAY_MS } from "../../domain/time/day.ts";
import type { DocumentReading } from "../document-reading.ts";
import { readStatements, type StatementPollResult } from "../official/follow-statements.ts";
import { describeProblem, initialStatus, nextStatus } from "../source-status.ts";
import { FetchError } from "../web/fetch-error.ts";
import { createDailyListReader } from "./daily-list.ts";
import { readDailyListDocument } from "./read-document.ts";

const opened: SourceServer[] = [];

afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

const ROW = {
  OTCDailyListID: 999_901,
  calendarDay: "2026-03-02",
  dailyListDatetime: "2026-03-02 14:11:20.0",
  oldSymbolCode: "BVLX",
  newSymbolCode: "BVLXD",
  oldSecurityDescription: "Brandvale Lithium Corp. Common Stock",
  newSecurityDescription: "Brandvale Lithium Corp. New Common Stock",
  reverseSplitRate: "1:100",
  exDate: "2026-03-03 00:00:00.0",
  commentText: null,
};

async function start(rows: readonly DailyListRow[]): Promise<SourceServer> {
  const list = new FakeDailyList(rows);
  const server = await startSourceServer((request) => list.answer(request));
  opened.push(server);
  return server;
}

async function read(...rows: readonly DailyListRow[]): Promise<StatementPollResult> {
  const { origin, tools } = await start(rows);
  return createDailyListReader(origin, tools).read(new AbortController().signal);
}

describe("the daily list", () => {
  it("states a reverse split under the old symbol", async () => {
    expect((await read(ROW)).statements).toEqual([
      {
        id: "BVLX 2026-03-03",
        url: "https://otce.finra.org/otce/dailyList#999901",
        kind: "announced",
        listings: [{ ticker: "BVLX", exchange: "OTC" }],
        company: "Brandvale Lithium Corp.",
        ratio: { newShares: 1, oldShares: 100 },
        exDate: "2026-03-03",
        newCusip: null,
        evidence: {
          ratio: "reverseSplitRate: 1:100",
          exDate: "exDate: 2026-03-03 00:00:00.0",
          ticker: "oldSymbolCode: BVLX, newSymbolCode: BVLXD",
        },
        publishedAt: Date.parse("2026-03-02T19:11:20Z"),
      },
    ]);
  });

  it.each<[string, DailyListRow]>([
    [
      "the return from the symbol with the suffix D",
      { ...ROW, oldSymbolCode: "BVLXD", newSymbolCode: "BVLX", reverseSplitRate: null },
    ],
    ["a forward split", { ...ROW, reverseSplitRate: "", forwardSplitRate: "2:1" }],
    ["a row without a symbol", { ...ROW, oldSymbolCode: null, newSymbolCode: null }],
  ])("states nothing for %s", async (_, row) => {
    const { items, statements } = await read(row);
    expect({ items: items.length, statements }).toEqual({ items: 1, statements: [] });
  });

  it.each([["100:1"], ["1:1"], ["ten percent"], ["1:0"]])(
    "states no ratio for the rate %s",
    async (reverseSplitRate) => {
      expect((await read({ ...ROW, reverseSplitRate })).statements[0]?.ratio).toBeNull();
    },
  );

  it("states the newest row for a symbol and ex date", async () => {
    const corrected = { ...ROW, OTCDailyListID: 999_950, reverseSplitRate: "1:50" };
    expect((await read(corrected, ROW)).statements).toMatchObject([{ ratio: { newShares: 1, oldShares: 50 } }]);
    expect((await read(ROW, corrected)).statements).toMatchObject([{ ratio: { newShares: 1, oldShares: 50 } }]);
  });

  it("states a changed ex date of a known row as a revision, also after a later row for the first date", async () => {
    const laterRow = { ...ROW, OTCDailyListID: 999_950, dailyListDatetime: "2026-03-02 15:00:00.0" };
    const movedRow = { ...laterRow, exDate: "2026-06-10 00:00:00.0" };
    const { origin, tools } = await start([movedRow, ROW]);
    const known = [ROW.OTCDailyListID, laterRow.OTCDailyListID].map((row) =>
      anObservation({ source: "finra", id: "BVLX 2026-03-03", url: `https://otce.finra.org/otce/dailyList#${row}` }),
    );
    const reader = createDailyListReader(origin, { ...tools, recordedObservations: () => known });
    const { statements } = await reader.read(new AbortController().signal);
    expect(statements).toMatchObject([{ id: "BVLX 2026-03-03", exDate: "2026-06-10" }]);
  });

  it.each([
    "Reverse split cancelled by the issuer",
    "REVERSE SPLIT CANCELED",
    "The corporate action has been cancelled.",
    "Reverse split and CUSIP change cancelled",
    "Cancellation of the previously announced reverse stock split",
    "The issuer withdrew its reverse split.",
    "Reverse split 1:100, cancelled by the issuer",
    "Cancelled",
    "Old symbol BVLX remains; reverse split rescinded",
  ])("states a cancellation: %s", async (commentText) => {
    const cancelled = { ...ROW, OTCDailyListID: 999_950, commentText };
    expect((await read(cancelled, ROW)).statements).toMatchObject([{ kind: "cancelled" }]);
  });

  it.each([
    "old symbol deleted",
    "Old CUSIP cancelled",
    "Reverse split; old CUSIP cancelled",
    "Reverse split 1:100 old symbol deleted",
    "Old CUSIP cancelled due to reverse split",
    "Old shares cancelled by the issuer",
    "Upon the reverse split, fractional shares will be cancelled.",
    "The reverse split has not been cancelled",
  ])("announces a split despite the comment: %s", async (commentText) => {
    expect((await read({ ...ROW, commentText })).statements).toMatchObject([{ kind: "announced" }]);
  });

  it("states the valid rows of a list and reports an invalid row", async () => {
    const { items, statements, failures } = await read(ROW, { ...ROW, OTCDailyListID: 2, reverseSplitRate: 0.05 });
    expect({ items: items.length, statements: statements.length }).toEqual({ items: 2, statements: 1 });
    expect(failures[0]?.message).toContain(`1 of 2 rows have another shape (${ROW.oldSymbolCode})`);
  });

  it("reads a description of any length in linear time", async () => {
    const description = `Brandvale${" ".repeat(200_000)}Lithium Corp. Common Stock`;
    const { statements } = await read({ ...ROW, oldSecurityDescription: description });
    expect(statements[0]?.company).toBe("Brandvale");
  });

  it("reports a list without rows, because every week has rows", async () => {
    const server = await start([]);
    const now = server.tools.clock.now();
    const result = await readStatements(
      createDailyListReader(server.origin, server.tools),
      new AbortController().signal,
    );
    expect(describeProblem(nextStatus(initialStatus("finra", now), result, now), now)).toMatch(
      /^finra: nothing new \(.*otcDailyList: no rows since 2026-01-21\)/,
    );
  });

  it("is read page by page, and the last days are reread later", async () => {
    const rows = Array.from({ length: 1_200 }, (_, n) => ({ ...ROW, OTCDailyListID: n, oldSymbolCode: `A${n % 10}` }));
    const server = await start(rows.map((row) => ({ ...row, reverseSplitRate: null })));
    const reader = createDailyListReader(server.origin, server.tools);
    const { signal } = new AbortController();
    expect((await reader.read(signal)).items).toHaveLength(1_200);
    await reader.read(signal);
    const queries = server.received.map(({ body }) => JSON.parse(body) as DailyListQuery);
    expect(queries.map(({ offset }) => offset)).toEqual([0, 1_000, 0, 1_000]);
    expect(queries.map(({ dateRangeFilters }) => dateRangeFilters[0]?.startDate)).toEqual([
      "2026-01-21",
      "2026-01-21",
      "2026-02-23",
      "2026-02-23",
    ]);
  });

  it("is read from a week before the last success, but at most as far back as at startup", async () => {
    const server = await start([ROW, { ...ROW, OTCDailyListID: 2, calendarDay: "2026-06-18" }]);
    const { clock } = server.tools;
    const reader = createDailyListReader(server.origin, server.tools);
    const { signal } = new AbortController();
    const firstDay = async (): Promise<string | undefined> => {
      await reader.read(signal);
      return (JSON.parse(server.received.at(-1)?.body ?? "") as DailyListQuery).dateRangeFilters[0]?.startDate;
    };
    await firstDay();
    server.break(faults.status(403));
    clock.skip(9 * DAY_MS);
    await expect(reader.read(signal)).rejects.toMatchObject({ failure: "refused" });
    server.break(null);
    clock.skip(DAY_MS);
    expect(await firstDay()).toBe("2026-02-23");
    clock.skip(100 * DAY_MS);
    expect(await firstDay()).toBe("2026-05-11");
    // The system clock is set back.
    clock.jump(-100 * DAY_MS);
    expect(await firstDay()).toBe("2026-01-31");
  });

  it("reports a list with more than 10,000 rows", async () => {
    const rows = Array.from({ length: 10_001 }, (_, n) => ({ OTCDailyListID: n, calendarDay: "2026-03-02" }));
    const { origin, tools } = await start(rows);
    const result = createDailyListReader(origin, tools).read(new AbortController().signal);
    await expect(result).rejects.toMatchObject({ failure: "too-large" });
  });

  it.each<[string, unknown]>([
    ["negative", -1],
    ["fractional", 1.5],
    ["too long", "9".repeat(400_000)],
    ["a text", "1) [more](https://example.com"],
  ])("reports a row whose id is %s", async (_, OTCDailyListID) => {
    const { origin, tools } = await start([ROW, { ...ROW, OTCDailyListID }]);
    const { statements, failures } = await createDailyListReader(origin, tools).read(new AbortController().signal);
    expect(statements).toHaveLength(1);
    expect(failures.map(({ message }) => message)).toEqual([expect.stringContaining("1 of 2 rows have another shape")]);
  });

  it.each([
    ["an error object", faults.body('{"message":"limit is missing"}', "application/json"), "unreadable"],
    ["HTML", faults.html(), "unreadable"],
    ["403", faults.status(403), "refused"],
    ["429", faults.status(429), "rate-limited"],
    ["500", faults.status(500), "server-error"],
  ] as const)("reports %s", async (_, fault, failure) => {
    const server = await start([ROW]);
    server.break(fault);
    const result = createDailyListReader(server.origin, server.tools).read(new AbortController().signal);
    await expect(result).rejects.toMatchObject({ failure });
  });
});

function termsOf({ statements = [] }: DocumentReading) {
  return statements.map(({ id, kind, listings, ratio, exDate }) => ({ id, kind, listings, ratio, exDate }));
}

function csvLine(values: readonly unknown[]): string {
  return values
    .map((value) => (typeof value === "string" ? `"${value.replaceAll('"', '""')}"` : JSON.stringify(value ?? "")))
    .join(",");
}

function csvOf(columns: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string {
  return [csvLine(columns), ...rows.map((row) => csvLine(columns.map((column) => row[column])))].join("\r\n");
}

describe("a row of the daily list", () => {
  const TERMS = [
    {
      id: "BVLX 2026-03-03",
      kind: "announced",
      listings: [{ ticker: "BVLX", exchange: "OTC" }],
      ratio: { newShares: 1, oldShares: 100 },
      exDate: "2026-03-03",
    },
  ];

  it.each([
    ["1:2.5", { newShares: 2, oldShares: 5 }],
    ["1.0:25.0", { newShares: 1, oldShares: 25 }],
    ["1:1,000", { newShares: 1, oldShares: 1000 }],
    ["1-25", { newShares: 1, oldShares: 25 }],
    ["1 : 20", { newShares: 1, oldShares: 20 }],
    ["1/20", { newShares: 1, oldShares: 20 }],
    ["1-for-20", { newShares: 1, oldShares: 20 }],
    ["one for ten", { newShares: 1, oldShares: 10 }],
  ])("states the ratio of the rate %s", async (reverseSplitRate, ratio) => {
    expect((await read({ ...ROW, reverseSplitRate })).statements).toMatchObject([{ ratio }]);
  });

  it("states the same terms if incidental fields are missing, added or reordered, in JSON and CSV", () => {
    const incidental = [
      "calendarDay",
      "dailyListDatetime",
      "oldSecurityDescription",
      "newSecurityDescription",
      "commentText",
    ];
    const rate = fc.constantFrom(
      "1:100",
      "1.0:100.0",
      "1-100",
      " 1 : 100 ",
      "1/100",
      "1-for-100",
      "one-for-one hundred",
    );
    const exDate = fc.constantFrom(
      "2026-03-03 00:00:00.0",
      "2026-03-03",
      "2026-03-03T00:00:00",
      "3/3/2026",
      "03/03/2026",
    );
    const changes = fc.record({
      rate,
      exDate,
      removed: fc.subarray(incidental),
      value: fc.constantFrom<unknown[]>(null, 7, {}, "text"),
      order: fc.shuffledSubarray(Object.keys(ROW), { minLength: Object.keys(ROW).length }),
      isCsv: fc.boolean(),
    });
    fc.assert(
      fc.property(changes, ({ rate: reverseSplitRate, exDate: day, removed, value, order, isCsv }) => {
        const row: Readonly<Record<string, unknown>> = { ...ROW, reverseSplitRate, exDate: day, paymentDate: value };
        const kept = [...order.filter((name) => !removed.includes(name)), "paymentDate"];
        const text = isCsv
          ? csvOf(kept, [row])
          : JSON.stringify([Object.fromEntries(kept.map((name) => [name, row[name]]))]);
        expect(termsOf(readDailyListDocument(documentOf(text)))).toEqual(TERMS);
      }),
      { seed: 25 },
    );
  });

  it.each([
    ["a sign-in page", "<html><body>Sign in</body></html>"],
    ["an object with a message", '{"message":"busy"}'],
    ["CSV of another list", "Symbol,Name\r\nBVLX,Brandvale"],
    ["an empty answer", ""],
  ])("is not read from %s", (_, text) => {
    expect(() => readDailyListDocument(documentOf(text))).toThrow(FetchError);
  });
});
