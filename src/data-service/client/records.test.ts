import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { aRecord } from "../../../test/support/builders.ts";
import { anArticleRow, aSplitRow } from "../../../test/support/upstream.ts";
import type { SplitRecord } from "../../domain/split/split.ts";
import { excerpt } from "../../lib/external-text.ts";
import { readArticlePage, readSplitList } from "./records.ts";

/** A body as received: undefined fields are absent. */
function asReceived(body: unknown): Buffer {
  return Buffer.from(JSON.stringify(body));
}

/** The list that is read from these rows. */
async function listOf(...rows: unknown[]) {
  const parsed = await readSplitList(asReceived({ data: rows }), excerpt);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

/** The record that is read from a modified row, and the quarantined records. */
async function read(parts: Readonly<Record<string, unknown>>) {
  const { records, quarantined } = await listOf(aSplitRow(parts));
  return { record: records[0], quarantined };
}

async function pageOf(...rows: unknown[]) {
  const parsed = await readArticlePage(asReceived({ articles: rows, total_results: rows.length }), excerpt);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

describe("a split row", () => {
  it("is read as a record", async () => {
    expect(await listOf(aSplitRow())).toEqual({ records: [aRecord()], quarantined: [] });
  });

  it("may have unknown fields", async () => {
    expect((await read({ fractional: "round_up" })).record).toEqual(aRecord());
  });

  it.each<[string, Record<string, unknown>, Partial<Record<keyof SplitRecord, unknown>>]>([
    ["a ticker in lower case", { ticker: " acme " }, { ticker: "ACME" }],
    ["a ticker with a class", { ticker: "brk.b" }, { ticker: "BRK.B" }],
    ["an exchange in words", { exchange: "NYSE American" }, { exchange: "NYSEAMERICAN" }],
    ["an exchange in lower case", { exchange: "nasdaq" }, { exchange: "NASDAQ" }],
    ["an unknown exchange", { exchange: "XETRA" }, { exchange: "XETRA" }],
    ["a company with control characters", { company: " Acme\u0000 \n\u202EInc.\ud800 " }, { company: "Acme Inc." }],
    ["a company that is too long", { company: "A".repeat(5_000) }, { company: "A".repeat(300) }],
    ["a company whose limit splits a character", { company: `${"A".repeat(299)}😀` }, { company: "A".repeat(299) }],
    ["no company", { company: undefined }, { company: "" }],
    ["a company that is null", { company: null }, { company: "" }],
    ["the old shares first", { ratio: "20:1" }, { ratioText: "20:1", ratio: { newShares: 1, oldShares: 20 } }],
    ["a ratio in words", { ratio: "1-for-20" }, { ratioText: "1-for-20", ratio: { newShares: 1, oldShares: 20 } }],
    ["a ratio with decimals", { ratio: "1:7.7" }, { ratioText: "1:7.7", ratio: { newShares: 10, oldShares: 77 } }],
    ["a ratio with a separator", { ratio: "1:2,400" }, { ratio: { newShares: 1, oldShares: 2400 } }],
    [
      "a ratio that cannot be parsed",
      { ratio: "between 1:5 and 1:9" },
      { ratioText: "between 1:5 and 1:9", ratio: null },
    ],
    ["equal numbers", { ratio: "1:1" }, { ratioText: "1:1", ratio: null }],
    ["a day with a time", { ex_date: "2026-03-10T00:00:00Z" }, { exDate: "2026-03-10" }],
    ["a day with a time after a blank", { ex_date: "2026-03-10 00:00:00" }, { exDate: "2026-03-10" }],
    ["no announcement day", { date_announced: undefined }, { dateAnnounced: null }],
    ["an announcement day that is null", { date_announced: null }, { dateAnnounced: null }],
    ["an announcement day that is empty", { date_announced: " " }, { dateAnnounced: null }],
    [
      "an announcement day with a time",
      { date_announced: "2026-02-27T09:30:00-05:00" },
      { dateAnnounced: "2026-02-27" },
    ],
  ])("is read with %s", async (_, parts, expected) => {
    const { record, quarantined } = await read(parts);

    expect(record).toMatchObject(expected);
    expect(quarantined).toEqual([]);
  });

  it.each([
    [
      "no ticker",
      { ticker: undefined },
      null,
      '"Acme Robotics Inc.": ticker: got nothing, expected a ticker such as ACME',
    ],
    [
      "a ticker in words",
      { ticker: "A B" },
      null,
      '"Acme Robotics Inc.": ticker: got "A B", expected a ticker such as ACME',
    ],
    [
      "a ticker that is a number",
      { ticker: 7 },
      null,
      '"Acme Robotics Inc.": ticker: got 7, expected a ticker such as ACME',
    ],
    ["no exchange", { exchange: null }, "ACME", "ACME: exchange: got null, expected an exchange such as NASDAQ"],
    ["a ratio that is a number", { ratio: 0.05 }, "ACME", "ACME: ratio: got 0.05, expected a ratio such as 1:20"],
    ["an empty ratio", { ratio: "" }, "ACME", 'ACME: ratio: got "", expected a ratio such as 1:20'],
    ["a day in words", { ex_date: "soon" }, "ACME", 'ACME: ex_date: got "soon", expected a day as YYYY-MM-DD'],
    [
      "a day that does not exist",
      { ex_date: "2026-02-30" },
      "ACME",
      'ACME: ex_date: got "2026-02-30", expected a day as YYYY-MM-DD',
    ],
    [
      "a day in another format",
      { ex_date: "03/10/2026" },
      "ACME",
      'ACME: ex_date: got "03/10/2026", expected a day as YYYY-MM-DD',
    ],
    [
      "a day that is an object",
      { ex_date: { d: 1 } },
      "ACME",
      'ACME: ex_date: got {"d":1}, expected a day as YYYY-MM-DD',
    ],
  ])("is quarantined with %s", async (_, parts, ticker, reason) => {
    expect(await listOf(aSplitRow(parts))).toEqual({ records: [], quarantined: [{ ticker, reason }] });
  });

  it("is quarantined with all invalid fields, each shortened", async () => {
    const { quarantined } = await listOf(aSplitRow({ ticker: "acme", ratio: [], ex_date: "x".repeat(500) }));

    expect(quarantined).toEqual([
      {
        ticker: "ACME",
        reason: `ACME: ratio: got [], expected a ratio such as 1:20; ex_date: got "${"x".repeat(79)}…, expected a day as YYYY-MM-DD`,
      },
    ]);
  });

  it.each([
    ["its company", { company: 'Acme\n\u202E"Robotics"' }, String.raw`"Acme\n\"Robotics\""`],
    ["at most 80 characters of its company", { company: "x".repeat(500) }, `"${"x".repeat(79)}…`],
    ["its position if nothing else identifies it", { company: " " }, "row 2"],
  ])("without a valid ticker is named by %s", async (_, parts, name) => {
    const { quarantined } = await listOf(aSplitRow(), aSplitRow({ ticker: "A B", ...parts }));

    expect(quarantined).toEqual([
      { ticker: null, reason: `${name}: ticker: got "A B", expected a ticker such as ACME` },
    ]);
  });

  it("has a reason of at most 500 characters", async () => {
    const long = "y".repeat(500);
    const row = { ticker: long, exchange: [long], company: long, ratio: [long], ex_date: long, date_announced: long };
    const { quarantined } = await listOf(row, { ...row, ticker: "ACME" }, aSplitRow());

    expect(quarantined.map(({ reason }) => reason.length <= 500)).toEqual([true, true]);
  });

  it.each([[null], ["ACME"], [7], [["ACME"]]])("is quarantined if it is %j, not an object", async (row) => {
    const { quarantined } = await listOf(aSplitRow(), row);

    expect(quarantined).toEqual([{ ticker: null, reason: `row 2: got ${JSON.stringify(row)}, expected an object` }]);
  });

  it("is used without an invalid optional field, which is reported", async () => {
    const { record, quarantined } = await read({ date_announced: "yesterday", company: 5 });

    expect(record).toEqual(aRecord({ dateAnnounced: null, company: "" }));
    expect(quarantined.map(({ reason }) => reason)).toEqual([
      "ACME: company: got 5, expected a name; the row is used without it",
      'ACME: date_announced: got "yesterday", expected a day as YYYY-MM-DD or null; the row is used without it',
    ]);
  });
});

describe("a list of splits", () => {
  it("contains identical rows once, and all rows that differ", async () => {
    const { records } = await listOf(aSplitRow(), aSplitRow({ ticker: "acme" }), aSplitRow({ ex_date: "2026-06-10" }));

    expect(records).toEqual([aRecord(), aRecord({ exDate: "2026-06-10" })]);
  });

  it("is read despite an invalid row", async () => {
    const { records, quarantined } = await listOf(aSplitRow({ ex_date: null }), aSplitRow({ ticker: "BETA" }));

    expect(records).toEqual([aRecord({ ticker: "BETA" })]);
    expect(quarantined).toHaveLength(1);
  });

  it("may be empty", async () => {
    expect(await listOf()).toEqual({ records: [], quarantined: [] });
  });

  it("is rejected if none of several rows can be used", async () => {
    expect(await readSplitList(asReceived({ data: [{ symbol: "ACME" }, { symbol: "BETA" }] }), excerpt)).toMatchObject({
      ok: false,
      problem: expect.stringContaining("none of 2 rows can be used: row 1: ticker: got nothing"),
    });
  });

  it.each([[null], [[]], ["data"], [{}], [{ data: null }], [{ data: {} }], [{ error: "Invalid API key" }]])(
    "is rejected if the body is %j",
    async (body) => {
      expect(await readSplitList(asReceived(body), excerpt)).toEqual({
        ok: false,
        problem: 'expected an object with a list "data"',
      });
    },
  );
});

describe("an article row", () => {
  it("is read as an article", async () => {
    expect(await pageOf(anArticleRow({ content: "One.\r\nTwo.\u0000\tThree." }))).toEqual({
      articles: [
        {
          source: "globenewswire",
          heading: "Acme Robotics Announces Reverse Stock Split",
          url: "https://wire.example/acme-1",
          content: "One.\nTwo.\tThree.",
          published: "2026-03-02",
        },
      ],
      quarantined: [],
      keys: ["https://wire.example/acme-1"],
      total: 1,
    });
  });

  it.each([
    ["an unknown source", { source: "EQS-News " }, { source: "eqs-news" }],
    ["no source", { source: null }, { source: "unknown" }],
    ["no content", { content: undefined }, { content: "" }],
    ["a heading of two lines", { heading: " Acme\nannounces " }, { heading: "Acme announces" }],
    ["a day with a time", { date_published: "2026-03-02T23:59:00Z" }, { published: "2026-03-02" }],
    ["an address with blanks around it", { url: " http://wire.example/1 " }, { url: "http://wire.example/1" }],
  ])("is read with %s", async (_, parts, expected) => {
    expect((await pageOf(anArticleRow(parts))).articles[0]).toMatchObject(expected);
  });

  it("is read with its content shortened to the maximum length", async () => {
    expect((await pageOf(anArticleRow({ content: "x".repeat(300_000) }))).articles[0]?.content).toHaveLength(200_000);
  });

  it.each([
    ["no heading", { heading: "" }, '"https://wire.example/acme-1": heading: got "", expected a heading'],
    [
      "no address",
      { url: null },
      '"Acme Robotics Announces Reverse Stock Split": url: got null, expected an http or https address of at most 2000 characters',
    ],
    [
      "no day",
      { date_published: undefined },
      '"https://wire.example/acme-1": date_published: got nothing, expected a day as YYYY-MM-DD',
    ],
  ])("is quarantined with %s", async (_, parts, reason) => {
    expect(await pageOf(anArticleRow(parts))).toMatchObject({ articles: [], quarantined: [{ ticker: null, reason }] });
  });

  it.each([
    ["javascript:alert(1)"],
    ["/release/1"],
    ["https://"],
    ["https://a b/c"],
    [`https://wire.example/${"x".repeat(2_000)}`],
  ])("is quarantined with the address %s", async (url) => {
    expect((await pageOf(anArticleRow({ url }))).articles).toEqual([]);
  });
});

describe("a page of articles", () => {
  it.each([
    [7, 7],
    ["7", 7],
    ["many", null],
    [-1, null],
    [1.5, null],
    [null, null],
    [undefined, null],
  ])("with the total %j has the total %j", async (total_results, total) => {
    expect(await readArticlePage(asReceived({ articles: [], total_results }), excerpt)).toMatchObject({
      value: { total },
    });
  });

  it("identifies a row without an address by its whole content", async () => {
    expect((await pageOf({ heading: "Acme" }, 7)).keys).toEqual([hashOf('{"heading":"Acme"}'), hashOf("7")]);
  });

  it("is rejected without a list of articles", async () => {
    expect(await readArticlePage(asReceived({ data: [] }), excerpt)).toEqual({
      ok: false,
      problem: 'expected an object with a list "articles"',
    });
  });
});

/** Number of turns of the event loop until the work has ended. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work.finally(() => {
    isDone = true;
  });
  return turns;
}

describe("a large answer lets other work run while it is read", () => {
  it("after every 250 of its rows", async () => {
    const rows = Array.from({ length: 10_000 }, (_, n) => aSplitRow({ company: `Company ${n}` }));
    expect(await turnsDuring(listOf(...rows))).toBeGreaterThanOrEqual(10_000 / 250);
  });

  it("after every half megabyte", async () => {
    const text = "x".repeat(1024 * 1024);
    const rows = Array.from({ length: 8 }, (_, n) => anArticleRow({ url: `https://wire.example/${n}`, content: text }));
    expect(await turnsDuring(pageOf(...rows))).toBeGreaterThanOrEqual(2 * rows.length);
  });
});
