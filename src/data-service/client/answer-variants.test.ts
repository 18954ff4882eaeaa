import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anArticleRow, aSplitRow } from "../../../test/support/upstream.ts";
import { ratioCode } from "../../domain/split/ratio.ts";
import { excerpt } from "../../lib/external-text.ts";
import { readArticlePage, readSplitList } from "./records.ts";

/** The terms of the splits in an answer. */
async function termsIn(body: string) {
  const list = await readSplitList(Buffer.from(body), excerpt);
  if (!list.ok) throw new Error(list.problem);
  return list.value.records.map(({ ticker, exchange, ratio, exDate }) => ({
    ticker,
    exchange,
    ratio: ratio && ratioCode(ratio),
    exDate,
  }));
}

const TERMS = { ticker: "ACME", exchange: "NASDAQ", ratio: "1:20", exDate: "2026-03-10" };

function answerWith(parts: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ data: [aSplitRow(parts)] });
}

describe("a list of splits is read", () => {
  it.each<[string, string]>([
    ["as documented", answerWith({})],
    ["with a byte order mark", `\uFEFF${answerWith({})}`],
    ["with spaces between its parts", JSON.stringify({ data: [aSplitRow()] }, null, 2)],
    [
      "with further fields",
      JSON.stringify({ status: "ok", page: { size: 1 }, data: [aSplitRow({ id: 7, tags: [] })] }),
    ],
    ["with fields after the list", JSON.stringify({ data: [aSplitRow()], total: "1", next: null })],
    ["without the company and the announcement day", answerWith({ company: undefined, date_announced: undefined })],
    ["with optional fields that are null", answerWith({ company: null, date_announced: null })],
    ["with the ratio 1-20", answerWith({ ratio: "1-20" })],
    ["with the ratio 1 : 20", answerWith({ ratio: " 1 : 20 " })],
    ["with the ratio 1–20", answerWith({ ratio: "1 \u2013 20" })],
    ["with the ratio 1/20", answerWith({ ratio: "1/20" })],
    ["with the ratio 1-for-20", answerWith({ ratio: "1-for-20" })],
    ["with the ratio 1 FOR 20", answerWith({ ratio: "1 FOR 20" })],
    ["with the ratio 1.0:20.0", answerWith({ ratio: "1.0:20.0" })],
    ["with the exchange in lower case", answerWith({ exchange: " nasdaq " })],
    ["with the ticker in lower case", answerWith({ ticker: "acme" })],
    ["with a time after the day", answerWith({ ex_date: "2026-03-10T00:00:00.000Z" })],
  ])("%s", async (_, body) => {
    expect(await termsIn(body)).toEqual([TERMS]);
  });

  it("with thousands in a ratio", async () => {
    expect(await termsIn(answerWith({ ratio: "1-1,000" }))).toEqual([{ ...TERMS, ratio: "1:1000" }]);
  });

  it.each(["1-5-20", "1-20%", "20", "one to many"])("without the ratio that is written %s", async (ratio) => {
    expect(await termsIn(answerWith({ ratio }))).toEqual([{ ...TERMS, ratio: null }]);
  });

  it("with the same terms if incidental parts are removed, reordered or reformatted", async () => {
    const row = fc.record({
      order: fc.shuffledSubarray(["ticker", "exchange", "company", "ratio", "ex_date", "date_announced", "more"], {
        minLength: 7,
      }),
      ticker: fc.constantFrom("ACME", "acme", " ACME "),
      exchange: fc.constantFrom("NASDAQ", "Nasdaq", " nasdaq"),
      ratio: fc.constantFrom("1:20", "1-20", "1 : 20", "1\u201320", "1\uFF1A20", "1/20", "1-for-20", "1:20.0", "20:1"),
      ex_date: fc.constantFrom("2026-03-10", "2026-03-10T09:30:00-04:00", "2026-03-10 00:00:00"),
      company: fc.constantFrom("Acme Robotics Inc.", "", null, undefined),
      date_announced: fc.constantFrom("2026-03-02", "2026-03-02T12:00:00Z", "", null, undefined),
      more: fc.jsonValue({ maxDepth: 2 }),
    });
    const envelope = fc.record({
      before: fc.constantFrom({}, { status: "ok" }, { total_results: "1" }),
      after: fc.constantFrom({}, { page: { number: 0, size: "20" } }, { errors: [] }),
      indent: fc.constantFrom(0, 2, "\t"),
      start: fc.constantFrom("", "\uFEFF", "\n "),
    });
    await fc.assert(
      fc.asyncProperty(row, envelope, async ({ order, ...fields }, { before, after, indent, start }) => {
        const values: Readonly<Record<string, unknown>> = fields;
        const ordered = Object.fromEntries(order.map((name) => [name, values[name]]));
        const body = start + JSON.stringify({ ...before, data: [ordered], ...after }, null, indent);
        expect(await termsIn(body)).toEqual([TERMS]);
      }),
    );
  });
});

describe("a page of articles is read", () => {
  it("with the same articles if incidental parts are removed, reordered or reformatted", async () => {
    const row = fc.record({
      heading: fc.constantFrom("Acme Announces Reverse Stock Split", " Acme  Announces\nReverse Stock Split "),
      date_published: fc.constantFrom("2026-03-02", "2026-03-02T08:30:00-05:00"),
      source: fc.constantFrom("globenewswire", null, undefined),
      content: fc.constantFrom("Text.", "", null, undefined),
      more: fc.jsonValue({ maxDepth: 2 }),
    });
    const count = fc.constantFrom(1, "1", null, undefined, -1, "many");
    const counts = fc.record({ total_results: count, total_pages: count, page_number: count, page_size: count });
    await fc.assert(
      fc.asyncProperty(row, counts, fc.boolean(), async (parts, stated, areCountsFirst) => {
        const list = { articles: [anArticleRow({ url: "https://wire.example/1", ...parts })] };
        const answer = areCountsFirst ? { ...stated, ...list } : { ...list, ...stated };
        const page = await readArticlePage(Buffer.from(JSON.stringify(answer)), excerpt);
        expect(page).toMatchObject({
          value: {
            articles: [
              {
                url: "https://wire.example/1",
                heading: "Acme Announces Reverse Stock Split",
                published: "2026-03-02",
              },
            ],
            quarantined: [],
          },
        });
      }),
    );
  });
});

const WHOLE = JSON.stringify({ data: [aSplitRow(), aSplitRow({ ticker: "BETA" })] });

describe("an answer is refused", () => {
  it.each<[string, string, RegExp]>([
    ["that is a web page", "<!DOCTYPE html><html><title>Sign in</title></html>", /JSON|token/i],
    [
      "that is an error object",
      '{"error":{"code":401,"message":"unknown key"}}',
      /expected an object with a list "data"/,
    ],
    ["whose list is an object", '{"data":{"ticker":"ACME"}}', /expected an object with a list "data"/],
    ["whose list is deeper", `{"result":${WHOLE}}`, /expected an object with a list "data"/],
    ["that is a bare list", JSON.stringify([aSplitRow()]), /expected an object with a list "data"/],
    ["that lists articles", JSON.stringify({ articles: [anArticleRow()] }), /expected an object with a list "data"/],
    ["of which no row can be used", '{"data":[{"symbol":"ACME"},{"symbol":"BETA"}]}', /none of 2 rows can be used/],
    ["that is empty", "", /JSON/],
  ])("%s", async (_, body, message) => {
    await expect(termsIn(body)).rejects.toThrow(message);
  });

  it("wherever it is cut off", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: WHOLE.length - 1 }), async (length) => {
        await expect(termsIn(WHOLE.slice(0, length))).rejects.toThrow(/JSON/);
      }),
    );
  });
});
