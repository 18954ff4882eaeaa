import { describe, expect, it } from "vitest";
import { anArticleRow, aSplitRow } from "../../test/service/service-under-test.ts";
import { readArticleRow, readSplitRow } from "./rows.ts";

describe("readSplitRow", () => {
  it("normalizes ticker, exchange and ratio", () => {
    const read = readSplitRow(aSplitRow({ ticker: " acme", exchange: "nyse american", ratio: "40:2" }));
    expect(read).toEqual({ ok: true, row: aSplitRow({ exchange: "NYSEAMERICAN", ratio: "1:20" }) });
  });

  it("drops unknown fields, and reads a missing announcement day as unknown", () => {
    const { date_announced: _, ...row } = aSplitRow();
    expect(readSplitRow({ ...row, cusip: "1" })).toEqual({ ok: true, row: { ...row, date_announced: null } });
  });

  it.each([
    [{ ticker: "NOT A TICKER" }, 'ticker: got "NOT A TICKER", expected a ticker such as ACME'],
    [{ ticker: undefined }, "ticker: got nothing, expected a ticker such as ACME"],
    [{ exchange: "?" }, 'exchange: got "?", expected an exchange such as NASDAQ'],
    [{ company: 7 }, "company: got 7, expected the company's name"],
    [{ ratio: "1:1" }, 'ratio: got "1:1", expected the ratio of a reverse split such as 1:20'],
    [{ ratio: "1:0" }, 'ratio: got "1:0", expected the ratio of a reverse split such as 1:20'],
    [{ ex_date: "2026-02-30" }, 'ex_date: got "2026-02-30", expected a day as YYYY-MM-DD'],
    [{ ex_date: null }, "ex_date: got null, expected a day as YYYY-MM-DD"],
    [{ date_announced: "soon" }, 'date_announced: got "soon", expected a day as YYYY-MM-DD, or null'],
  ])("rejects %j, naming the field, the value and what is expected", (parts, reason) => {
    expect(readSplitRow({ ...aSplitRow(), ...parts })).toEqual({ ok: false, reason });
  });

  it("names every invalid field", () => {
    const read = readSplitRow({ ...aSplitRow(), ex_date: "soon", company: null });
    expect(read).toMatchObject({ reason: expect.stringMatching(/^company: .*; ex_date: /) });
  });

  it.each([[null], [[]], ["text"], [7]])("rejects %j, which is not an object", (value) => {
    expect(readSplitRow(value)).toMatchObject({ ok: false, reason: expect.stringContaining("expected an object") });
  });
});

describe("readArticleRow", () => {
  it("keeps the text unchanged", () => {
    const row = anArticleRow({ content: " a\n\tb " });
    expect(readArticleRow(row)).toEqual({ ok: true, row });
  });

  it.each([
    [{ source: "reuters" }, /^source: got "reuters", expected one of prnewswire, /],
    [{ url: "javascript:alert(1)" }, /^url: got "javascript:alert\(1\)", expected an address that begins with http/],
    [{ url: "acme" }, /^url: /],
    [{ date_published: "2026-3-2" }, /^date_published: /],
    [{ content: undefined }, /^content: got nothing/],
    [{ heading: "x".repeat(9_000), source: "y".repeat(9_000) }, /^source: got "y{80}…"/],
  ])("rejects an invalid field (%#)", (parts, reason) => {
    expect(readArticleRow({ ...anArticleRow(), ...parts })).toEqual({
      ok: false,
      reason: expect.stringMatching(reason),
    });
  });
});
