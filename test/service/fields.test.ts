import { describe, expect, it } from "vitest";
import { WIRES } from "../../src/domain/article/wire.ts";
import { anArticleRow, aSplitRow, startService } from "./service-under-test.ts";

const LONG_TEXT = `First line\r\nSecond line\n\n“Quoted” \u2011 ${"word ".repeat(20_000)}\u0000 💹`;

describe("a reverse split record", () => {
  it.each([
    ["ticker", "BRK.B"],
    ["exchange", "NYSEAMERICAN"],
    ["company", "Zürich “Ähm” & Söhne <AG>"],
    ["ratio", "10:77"],
    ["ex_date", "2026-03-31"],
    ["date_announced", "2026-02-27"],
    ["date_announced", null],
  ] as const)("has %s, as %j", async (field, value) => {
    const service = await startService({
      splits: [aSplitRow({ [field]: value, ticker: field === "ticker" ? value : "ACME" })],
    });
    for (const path of ["/v1/splits", `/v1/splits/${field === "ticker" ? value : "ACME"}`]) {
      expect((await service.ask(path)).json).toMatchObject({ data: [{ [field]: value }] });
    }
  });

  it("has these six fields and no other", async () => {
    const service = await startService({ splits: [aSplitRow()] });
    const { data } = (await service.ask("/v1/splits")).json as { data: object[] };
    expect(data.map(Object.keys)).toEqual([["ticker", "exchange", "company", "ratio", "ex_date", "date_announced"]]);
  });
});

describe("an article record", () => {
  it.each([
    ...WIRES.map((source) => ["source", source] as const),
    ["heading", "“Acme” announces"] as const,
    ["url", "https://wire.example/a?b=c&d=%C3%A9#f"] as const,
    ["content", LONG_TEXT] as const,
    ["date_published", "2024-02-29"] as const,
  ])("has %s, whole and unchanged (%#)", async (field, value) => {
    const service = await startService({ articles: [anArticleRow({ [field]: value })] });
    expect((await service.ask("/v1/articles")).json).toMatchObject({ articles: [{ [field]: value }] });
  });

  it("has these five fields and no other", async () => {
    const service = await startService({ articles: [anArticleRow()] });
    const { articles } = (await service.ask("/v1/articles")).json as { articles: object[] };
    expect(articles.map(Object.keys)).toEqual([["source", "heading", "url", "content", "date_published"]]);
  });
});

describe("the page information", () => {
  const articles = Array.from({ length: 41 }, (_, n) => anArticleRow({ url: `https://wire.example/${n}` }));

  it.each([
    ["total_results", "", 41],
    ["total_pages", "", 3],
    ["total_pages", "size=40", 2],
    ["total_pages", "size=1", 41],
    ["page_number", "", 0],
    ["page_number", "page=2", 2],
    ["page_size", "", 20],
    ["page_size", "size=40", 40],
  ])("has %s: with '%s' it is %i", async (field, query, value) => {
    const service = await startService({ articles });
    expect((await service.ask(`/v1/articles?${query}`)).json).toMatchObject({ [field]: value });
  });

  it("surrounds the articles without further fields", async () => {
    const answer = await (await startService({ articles })).ask("/v1/articles");
    const fields = ["articles", "total_results", "total_pages", "page_number", "page_size"];
    expect(Object.keys(answer.json as object)).toEqual(fields);
  });
});

describe("omitted parameters", () => {
  it("return the splits of all exchanges if exchange is omitted", async () => {
    const splits = ["CSE", "NYSE", "OTC"].map((exchange) => aSplitRow({ exchange, ticker: exchange }));
    expect((await (await startService({ splits })).ask("/v1/splits")).json).toEqual({ data: splits });
  });

  it("return all articles, the first 20 on page 0, if sources, from and to are omitted", async () => {
    const articles = Array.from({ length: 41 }, (_, n) =>
      anArticleRow({ url: `https://wire.example/${100 + n}`, source: WIRES[n % WIRES.length] ?? "newsfile" }),
    );
    const service = await startService({ articles });
    expect((await service.ask("/v1/articles")).json).toMatchObject({ articles: articles.slice(0, 20) });
    expect((await service.ask("/v1/articles?page=2")).json).toMatchObject({ articles: articles.slice(40) });
  });
});

it("returns exactly the rows of a ticker when it is looked up", async () => {
  const rows = [aSplitRow(), aSplitRow({ exchange: "TSX" })];
  const service = await startService({ splits: [...rows, aSplitRow({ ticker: "ACMEW" })] });
  expect((await service.ask("/v1/splits/ACME")).json).toEqual({ data: rows });
});

it("answers in JSON, encoded in UTF-8", async () => {
  const answer = await (await startService()).ask("/v1/splits");
  expect(answer.headers.get("Content-Type")).toBe("application/json");
  expect(answer.text).toBe('{"data":[]}');
});
