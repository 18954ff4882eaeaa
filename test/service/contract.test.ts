import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readSplitRow } from "../../src/data-service/rows.ts";
import { addKey, revokeKey } from "../../src/data-service/server/api-keys.ts";
import { createServedCatalog } from "../../src/data-service/server/served-catalog.ts";
import { WIRES } from "../../src/domain/article/wire.ts";
import { KNOWN_EXCHANGES } from "../../src/domain/split/exchange.ts";
import { apiKeysIn } from "../../src/store/engines/sqlite/api-keys.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { anArticleRow, aSplitRow, startService, tickersIn, urlsIn } from "./service-under-test.ts";

const OPERATIONS = ["/v1/splits", "/v1/splits/ACME", "/v1/articles"];

function articles(count: number, parts: Parameters<typeof anArticleRow>[0] = {}) {
  return Array.from({ length: count }, (_, n) => anArticleRow({ ...parts, url: `https://wire.example/${n}` }));
}

describe("ratios", () => {
  it.each([
    ["1:20", "1:20"],
    ["20:1", "1:20"],
    ["1-for-7.7", "10:77"],
    ["2:40", "1:20"],
    ["1:2,400", "1:2400"],
  ])("normalizes %s to new:old in lowest integers, %s", async (given, answered) => {
    const read = readSplitRow(aSplitRow({ ratio: given }));
    const service = await startService({ splits: read.ok ? [read.row] : [] });
    expect((await service.ask("/v1/splits")).json).toEqual({ data: [aSplitRow({ ratio: answered })] });
  });
});

describe("exchanges", () => {
  it.each(KNOWN_EXCHANGES)("returns the known code %s unchanged", async (exchange) => {
    const service = await startService({ splits: [aSplitRow({ exchange })] });
    expect((await service.ask("/v1/splits")).json).toEqual({ data: [aSplitRow({ exchange })] });
  });

  it.each([
    ["NYSE American", "NYSEAMERICAN"],
    ["nyse arca", "NYSEARCA"],
    ["TSX Venture", "TSXV"],
    ["OTCQB", "OTC"],
    ["Nasdaq Capital Market", "NASDAQ"],
  ])("normalizes %s to %s", (given, code) => {
    expect(readSplitRow(aSplitRow({ exchange: given }))).toEqual({ ok: true, row: aSplitRow({ exchange: code }) });
  });
});

describe("errors", () => {
  it.each(OPERATIONS)("answers 401 to a missing, empty or unknown key: %s", async (path) => {
    const service = await startService();
    for (const [query, code] of [
      ["", "key_missing"],
      ["?apiKey=", "key_missing"],
      ["?apiKey=nonsense", "key_unknown"],
      [`?apiKey=${service.key}x`, "key_unknown"],
      [`?apikey=${service.key}`, "key_missing"],
      ["?size=many&nonsense=1", "key_missing"],
    ]) {
      const answer = await service.askBare(path + query);
      expect(answer.status).toBe(401);
      expect(answer.json).toMatchObject({ title: "Unauthorized", status: 401, code, parameter: "apiKey" });
      expect(answer.headers.get("WWW-Authenticate")).toBe("ApiKey");
    }
  });

  it.each([
    ["", 0],
    [", also if the system clock is set back", -3_600_000],
  ])("answers 401 to a revoked key%s", async (_, jumpMs) => {
    const service = await startService();
    const key = await addKey(apiKeysIn(service.dir), "late");
    await service.clock.advance(1_000);
    expect((await service.askBare(`/v1/splits?apiKey=${key}`)).status).toBe(200);
    await revokeKey(apiKeysIn(service.dir), "late");
    service.clock.jump(jumpMs);
    await service.clock.advance(1_000);
    expect((await service.askBare(`/v1/splits?apiKey=${key}`)).status).toBe(401);
  });

  it.each(["/v1", "/v1/", "/v1/nothing", "/v1/splits/", "/v1/splits/ACME/more", "/v1/Splits", "/v1/articles/1"])(
    "answers 404 with and without a key: %s",
    async (path) => {
      const service = await startService();
      for (const answer of [await service.ask(path), await service.askBare(path)]) {
        expect(answer.status).toBe(404);
        expect(answer.json).toMatchObject({ title: "Not Found", status: 404, code: "not_found" });
      }
    },
  );

  it.each(
    [...OPERATIONS, "/v1/openapi.json"].flatMap((path) =>
      ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"].map((method) => [method, path] as const),
    ),
  )("answers 405 with Allow: %s %s", async (method, path) => {
    const answer = await (await startService()).ask(path, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("Allow")).toBe("GET, HEAD");
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
    expect(answer.json).toMatchObject({ title: "Method Not Allowed", status: 405, code: "method_not_allowed" });
  });

  it.each(OPERATIONS)("answers 503 with Retry-After until the catalog is filled: %s", async (path) => {
    const service = await startService(null);
    const early = await service.ask(path);
    expect(early.status).toBe(503);
    expect(Number(early.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(early.json).toMatchObject({ title: "Service Unavailable", status: 503, code: "not_ready" });
    service.catalog.replace({ splits: [], articles: [] });
    expect((await service.ask(path)).status).toBe(200);
  });

  it.each(OPERATIONS)("answers 500 without internal details if the catalog fails: %s", async (path) => {
    const catalog = {
      ...createServedCatalog({ clock: new ManualClock(), keepAfterExDate: 7 }),
      ready: true,
      splits: () => fail(),
      articles: () => fail(),
    };
    const service = await startService({}, { catalog });
    const answer = await service.ask(path);
    expect(answer.status).toBe(500);
    expect(answer.json).toMatchObject({ title: "Internal Server Error", status: 500, code: "internal" });
    expect(answer.text).not.toMatch(/secret|\/srv|Error:|\.ts/);
    expect(service.logged).toContainEqual(expect.objectContaining({ level: "error", event: "request failed" }));
    expect(JSON.stringify(service.logged)).not.toContain(service.key);
  });

  it("returns problems of RFC 9457 that caches must not store", async () => {
    const answer = await (await startService()).ask("/v1/splits?nonsense=1");
    expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.json).toMatchObject({
      type: "about:blank",
      title: "Bad Request",
      status: 400,
      code: "bad_parameter",
    });
  });
});

function fail(): never {
  throw new Error("the secret of /srv/catalog");
}

it("returns an empty list for a ticker without current splits", async () => {
  const service = await startService({ splits: [aSplitRow()] });
  for (const ticker of ["OTHER", "not%20a%20ticker", "%F0%9F%92%A9", "A".repeat(9_000), "..%2F..%2Fetc"]) {
    const answer = await service.ask(`/v1/splits/${ticker}`);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ data: [] });
  }
});

describe("case-insensitive matching", () => {
  it.each(["ACME", "acme", "AcMe", "%61cme"])("finds the ticker %s", async (ticker) => {
    const service = await startService({ splits: [aSplitRow(), aSplitRow({ ticker: "OTHER" })] });
    expect(tickersIn(await service.ask(`/v1/splits/${ticker}`))).toEqual(["ACME"]);
  });

  it.each(["NASDAQ", "nasdaq", "Nasdaq"])("finds the exchange %s", async (exchange) => {
    const service = await startService({ splits: [aSplitRow(), aSplitRow({ ticker: "OTHER", exchange: "NYSE" })] });
    expect(tickersIn(await service.ask(`/v1/splits?exchange=${exchange}`))).toEqual(["ACME"]);
  });

  it.each(["newsfile", "NEWSFILE", "NewsFile"])("finds the source %s", async (source) => {
    const service = await startService({
      articles: [anArticleRow({ source: "newsfile" }), anArticleRow({ url: "https://wire.example/2" })],
    });
    expect(urlsIn(await service.ask(`/v1/articles?sources=${source}`))).toEqual(["https://wire.example/acme-1"]);
  });
});

it.each([
  ["BRK.B", "BRK.B"],
  ["BRK-B", "BRK-B"],
  ["BRK/B", "BRK%2FB"],
  ["BRK/B", "brk%2fb"],
])("finds the ticker %s at the path %s", async (ticker, written) => {
  const service = await startService({ splits: [aSplitRow({ ticker })] });
  expect(tickersIn(await service.ask(`/v1/splits/${written}`))).toEqual([ticker]);
});

it.each([
  ["HARL-A", "NYSE", ["HARL.A", "harl-a", "HARL%2FA", "HARL%20A", "$HARL.A", "NYSE:HARL.A"]],
  ["HARL.A", "NYSE", ["HARL-A", "HARL%2FA"]],
  ["MAPL", "TSXV", ["MAPL", "MAPL.V", "TSXV:MAPL", "tsx-v:mapl"]],
  ["LEAF.CN", "CSE", ["LEAF", "LEAF.CN", "CSE:LEAF"]],
  ["OAKR", "TSX", ["OAKR.TO", "TSX:OAKR", "TSE:OAKR"]],
])("finds %s on %s by any spelling of its symbol", async (ticker, exchange, spellings) => {
  const service = await startService({
    splits: [aSplitRow({ ticker, exchange }), aSplitRow({ ticker: "OAKR", exchange: "NYSE", ratio: "1:9" })],
  });
  for (const spelling of spellings) {
    const { data } = (await service.ask(`/v1/splits/${spelling}`)).json as { data: readonly unknown[] };
    expect([spelling, data]).toEqual([spelling, [expect.objectContaining({ ticker, exchange })]]);
  }
});

describe("order", () => {
  it("sorts splits by ex_date, then ticker, exchange and ratio", async () => {
    const expected = [
      aSplitRow({ ticker: "ZZZ", ex_date: "2026-03-09" }),
      aSplitRow({ ticker: "AAA" }),
      aSplitRow({ ticker: "AAB", exchange: "NASDAQ", ratio: "1:10" }),
      aSplitRow({ ticker: "AAB", exchange: "NASDAQ", ratio: "1:2" }),
      aSplitRow({ ticker: "AAB", exchange: "NYSE" }),
    ];
    const service = await startService({ splits: expected.toReversed() });
    expect((await service.ask("/v1/splits")).json).toEqual({ data: expected });
  });

  it("sorts articles by day, newest first, then by url", async () => {
    const expected = [
      anArticleRow({ url: "https://wire.example/z", date_published: "2026-03-03" }),
      anArticleRow({ url: "https://wire.example/a" }),
      anArticleRow({ url: "https://wire.example/b" }),
      anArticleRow({ url: "https://wire.example/0", date_published: "2026-03-01" }),
    ];
    const service = await startService({ articles: expected.toReversed() });
    expect((await service.ask("/v1/articles")).json).toMatchObject({ articles: expected });
  });
});

const INVALID_NUMBERS = [
  "x",
  "1e3",
  "%2B1",
  "-1",
  "01",
  "%205",
  "5%20",
  "1.0",
  "１",
  "0x10",
  "Infinity",
  "null",
  "1,0",
];

describe("size", () => {
  it.each(["41", "0", "100", "99999999999999999999", ...INVALID_NUMBERS])("rejects %s", async (size) => {
    const answer = await (await startService()).ask(`/v1/articles?size=${size}`);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ code: "bad_parameter", parameter: "size" });
    expect((answer.json as { detail: string }).detail).toContain("expected a whole number from 1 to 40");
  });

  it.each([1, 2, 20, 39, 40])("accepts %i and returns it as page_size", async (size) => {
    const service = await startService({ articles: articles(50) });
    const answer = await service.ask(`/v1/articles?size=${size}`);
    expect(answer.json).toMatchObject({ page_size: size, total_pages: Math.ceil(50 / size), total_results: 50 });
    expect(urlsIn(answer)).toHaveLength(size);
  });
});

describe("page", () => {
  it.each(["9007199254740992", ...INVALID_NUMBERS])("rejects %s", async (page) => {
    const answer = await (await startService()).ask(`/v1/articles?page=${page}`);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ code: "bad_parameter", parameter: "page" });
  });

  it.each([3, 1_000_000, Number.MAX_SAFE_INTEGER])(
    "returns an empty page with the correct totals for %i, beyond the last page",
    async (page) => {
      const service = await startService({ articles: articles(45) });
      expect((await service.ask(`/v1/articles?page=${page}`)).json).toEqual({
        articles: [],
        total_results: 45,
        total_pages: 3,
        page_number: page,
        page_size: 20,
      });
    },
  );

  it("states total_pages 0 and the requested page_size if there are no results", async () => {
    expect((await (await startService()).ask("/v1/articles?size=7")).json).toEqual({
      articles: [],
      total_results: 0,
      total_pages: 0,
      page_number: 0,
      page_size: 7,
    });
  });
});

describe("from and to", () => {
  const days = ["2026-03-01", "2026-03-02", "2026-03-03"];
  const stock = days.map((date_published) =>
    anArticleRow({ date_published, url: `https://wire.example/${date_published}` }),
  );

  it.each([
    ["from=2026-03-02", ["2026-03-03", "2026-03-02"]],
    ["to=2026-03-02", ["2026-03-02", "2026-03-01"]],
    ["from=2026-03-02&to=2026-03-02", ["2026-03-02"]],
    ["from=2026-03-04", []],
    ["to=0001-01-01", []],
  ])("are inclusive bounds: %s", async (query, found) => {
    const service = await startService({ articles: stock });
    const urls = found.map((day) => `https://wire.example/${day}`);
    expect(urlsIn(await service.ask(`/v1/articles?${query}`))).toEqual(urls);
  });

  it("are rejected if from is after to", async () => {
    const answer = await (await startService()).ask("/v1/articles?from=2026-03-03&to=2026-03-02");
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ parameter: "from", detail: expect.stringContaining("2026-03-02") });
  });

  it.each(
    ["from", "to"].flatMap((name) =>
      ["2026-02-30", "2026-13-01", "2025-02-29", "20260301", "2026-3-1", "yesterday", "2026-03-01T00:00Z"].map(
        (day) => [name, day] as const,
      ),
    ),
  )("are rejected if they are not days: %s=%s", async (name, day) => {
    const answer = await (await startService()).ask(`/v1/articles?${name}=${day}`);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ parameter: name, detail: expect.stringContaining("YYYY-MM-DD") });
  });
});

describe("sources", () => {
  it.each(["reuters", "newsfile,reuters", "news file"])(
    "rejects unknown sources and names the five valid ones: %s",
    async (sources) => {
      const answer = await (await startService()).ask(`/v1/articles?sources=${sources}`);
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({ code: "bad_parameter", parameter: "sources", allowed: WIRES });
    },
  );

  it("filters by each of the five, alone and in a list", async () => {
    const stock = WIRES.map((source) => anArticleRow({ source, url: `https://wire.example/${source}` }));
    const service = await startService({ articles: stock });
    for (const source of WIRES) {
      expect(urlsIn(await service.ask(`/v1/articles?sources=${source}`))).toEqual([`https://wire.example/${source}`]);
    }
    expect(urlsIn(await service.ask("/v1/articles?sources=newsfile,%20prnewswire%20,newsfile"))).toHaveLength(2);
  });
});

it.each(["XETRA", "NYSE American", "%00"])("returns an empty list for the unknown exchange %s", async (exchange) => {
  const service = await startService({ splits: [aSplitRow({ exchange: "NYSEAMERICAN" })] });
  const answer = await service.ask(`/v1/splits?exchange=${exchange}`);
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({ data: [] });
});

it("accepts blanks, duplicates and unknown exchanges in a list", async () => {
  const splits = ["NASDAQ", "NYSE", "OTC"].map((exchange) => aSplitRow({ exchange, ticker: exchange }));
  const service = await startService({ splits });
  expect(tickersIn(await service.ask("/v1/splits?exchange=nyse,%20OTC,OTC,XETRA"))).toEqual(["NYSE", "OTC"]);
});

describe("query parameters", () => {
  it.each([
    ["/v1/splits?nonsense=1", "nonsense"],
    ["/v1/splits?Exchange=NYSE", "Exchange"],
    ["/v1/splits/ACME?exchange=NYSE", "exchange"],
    ["/v1/articles?exchange=NYSE", "exchange"],
    ["/v1/articles?pageSize=10", "pageSize"],
    ["/v1/articles?__proto__=1", "__proto__"],
    ["/v1/openapi.json?nonsense=1", "nonsense"],
  ])("rejects unknown parameters: %s", async (path, parameter) => {
    const answer = await (await startService()).ask(path);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ code: "bad_parameter", parameter });
  });

  it.each([
    ["/v1/splits?exchange=", "exchange"],
    ["/v1/splits?exchange", "exchange"],
    ["/v1/splits?exchange=,", "exchange"],
    ["/v1/splits?exchange=NYSE,,OTC", "exchange"],
    ["/v1/splits?exchange=%20", "exchange"],
    ["/v1/articles?sources=", "sources"],
    ["/v1/articles?sources=newsfile,", "sources"],
    ["/v1/articles?from=", "from"],
    ["/v1/articles?to=", "to"],
    ["/v1/articles?page=", "page"],
    ["/v1/articles?size=", "size"],
  ])("rejects empty parameters: %s", async (path, parameter) => {
    const answer = await (await startService()).ask(path);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ code: "bad_parameter", parameter });
  });

  it.each([
    ["/v1/splits?exchange=NYSE&exchange=NYSE", "exchange"],
    ["/v1/articles?sources=newsfile&sources=newsfile", "sources"],
    ["/v1/articles?from=2026-03-01&from=2026-03-01", "from"],
    ["/v1/articles?to=2026-03-01&to=2026-03-01", "to"],
    ["/v1/articles?page=1&page=2", "page"],
    ["/v1/articles?size=1&%73ize=1", "size"],
  ])("rejects repeated parameters: %s", async (path, parameter) => {
    const answer = await (await startService()).ask(path);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ code: "bad_parameter", parameter });
  });

  it("rejects a repeated key without quoting it", async () => {
    const service = await startService();
    const answer = await service.askBare(`/v1/splits?apiKey=${service.key}&apiKey=${service.key}`);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ parameter: "apiKey" });
    expect(answer.text).not.toContain(service.key);
  });

  it.each(["/v1/splits/%E0%A4%A", "/v1/splits/%", "/v1/splits?exchange=%E0%A4%A", "/v1/splits?exchange=%zz"])(
    "rejects text that cannot be decoded: %s",
    async (path) => {
      const answer = await (await startService({ splits: [aSplitRow()] })).ask(path);
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({ code: "bad_parameter" });
    },
  );

  it("shortens a long invalid value in the answer", async () => {
    const answer = await (await startService()).ask(`/v1/articles?size=${"9".repeat(20_000)}`);
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(400);
  });
});

it.each([...OPERATIONS, "/v1/openapi.json", "/v1/nothing", "/v1/articles?size=41"])(
  "answers HEAD %s with the status and headers of GET, without a body",
  async (path) => {
    const service = await startService({ splits: [aSplitRow()], articles: [anArticleRow()] });
    const [get, head] = [await service.ask(path), await service.ask(path, { method: "HEAD" })];
    expect(head.text).toBe("");
    expect(head.status).toBe(get.status);
    expect([...head.headers]).toEqual([...get.headers]);
  },
);

describe("repeated polls", () => {
  const content = { splits: [aSplitRow()], articles: [anArticleRow()] };
  const gzip = { "Accept-Encoding": "gzip" };

  it.each([...OPERATIONS, "/v1/openapi.json"])(
    "%s have a strong ETag and answer 304 to a request that sends it",
    async (path) => {
      const service = await startService(content);
      const first = await service.ask(path);
      const tag = first.headers.get("ETag") ?? "";
      expect(tag).toMatch(/^"[\w-]+"$/);
      expect(first.headers.get("Cache-Control")).toBe("private, no-cache");
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, `"a,b" ,W/${tag},"c"`, "*"]) {
        const again = await service.ask(path, { headers: { "If-None-Match": known } });
        expect(again.status).toBe(304);
        expect(again.text).toBe("");
        for (const name of ["ETag", "Vary", "Cache-Control"]) {
          expect(again.headers.get(name)).toBe(first.headers.get(name));
        }
        expect(again.headers.has("Content-Length")).toBe(false);
      }
    },
  );

  it("answer 200 with another ETag after the content has changed", async () => {
    const service = await startService(content);
    const tag = (await service.ask("/v1/splits")).headers.get("ETag") ?? "";
    service.catalog.replace({ ...content, splits: [aSplitRow({ ratio: "1:25" })] });
    const again = await service.ask("/v1/splits", { headers: { "If-None-Match": tag } });
    expect(again.status).toBe(200);
    expect(again.headers.get("ETag")).not.toBe(tag);
  });

  it.each(['"other"', "nonsense", "W/nonsense, other"])("answer 200 to the ETags %s", async (known) => {
    const service = await startService(content);
    expect((await service.ask("/v1/splits", { headers: { "If-None-Match": known } })).status).toBe(200);
  });

  it("are compressed on request, with a separate strong ETag", async () => {
    const service = await startService(content);
    const plain = await service.ask("/v1/articles");
    const response = await service.fetch(
      new Request(`http://localhost/v1/articles?apiKey=${service.key}`, { headers: gzip }),
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get("Content-Encoding")).toBe("gzip");
    expect(response.headers.get("Content-Length")).toBe(String(bytes.length));
    expect(response.headers.get("Vary")).toBe("Accept-Encoding");
    expect(gunzipSync(bytes).toString()).toBe(plain.text);
    expect(response.headers.get("ETag")).toMatch(/^"[\w-]+"$/);
    expect(response.headers.get("ETag")).not.toBe(plain.headers.get("ETag"));
    const tag = response.headers.get("ETag") ?? "";
    expect((await service.ask("/v1/articles", { headers: { ...gzip, "If-None-Match": tag } })).status).toBe(304);
    expect((await service.ask("/v1/articles", { headers: { "If-None-Match": tag } })).status).toBe(304);
  });

  it.each([
    ["gzip", true],
    ["GZIP;q=0.5", true],
    ["br, gzip;q=0.8, *;q=0.1", true],
    ["*", true],
    ["br", false],
    ["gzip;q=0", false],
    ["*, gzip;q=0", false],
    ["identity, gzip;q=0.5", false],
    ["", false],
  ])("are compressed for Accept-Encoding `%s`: %s", async (accepted, compressed) => {
    const service = await startService(content);
    const answer = await service.ask("/v1/splits", { headers: { "Accept-Encoding": accepted } });
    expect(answer.headers.has("Content-Encoding")).toBe(compressed);
    expect(answer.headers.get("Vary")).toBe("Accept-Encoding");
  });
});

describe("the request limit", () => {
  it("answers 429 with Retry-After after 600 requests with one key within a minute", async () => {
    const service = await startService();
    const ask = () => service.fetch(new Request(`http://localhost/v1/splits?apiKey=${service.key}`));
    for (let n = 0; n < 600; n += 1) expect((await ask()).status).toBe(200);
    await service.clock.advance(20_000);
    const refused = await service.ask("/v1/splits");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("Retry-After")).toBe("40");
    expect(refused.json).toMatchObject({ title: "Too Many Requests", status: 429, code: "rate_limited" });
    await service.clock.advance(40_000);
    expect((await ask()).status).toBe(200);
  });

  it("answers 429 to the 61st request with unknown keys from one address, and 200 to a valid key", async () => {
    const service = await startService();
    const guess = (n: number) => service.askBare(`/v1/splits?apiKey=guess-${n}`);
    for (let n = 0; n < 60; n += 1) expect((await guess(n)).status).toBe(401);
    const refused = await guess(60);
    expect(refused.json).toMatchObject({ status: 429, code: "rate_limited" });
    expect(refused.headers.get("Retry-After")).toBe("60");
    expect((await service.ask("/v1/splits")).status).toBe(200);
    await service.clock.advance(60_000);
    expect((await guess(61)).status).toBe(401);
  });

  it("applies to each key separately, and not to the embedded bot", async () => {
    const service = await startService({}, { limitPerMinute: 2 });
    const other = await addKey(apiKeysIn(service.dir), "other");
    await service.clock.advance(1_000);
    for (const [key, statuses] of [
      [service.key, [200, 200, 429, 429]],
      [other, [200, 200, 429]],
      [service.botKey, [200, 200, 200, 200]],
    ] as const) {
      for (const status of statuses) expect((await service.askBare(`/v1/splits?apiKey=${key}`)).status).toBe(status);
    }
  });

  it("counts invalid requests, but not unknown keys", async () => {
    const service = await startService({}, { limitPerMinute: 1 });
    expect((await service.askBare("/v1/splits?apiKey=unknown")).status).toBe(401);
    expect((await service.ask("/v1/splits?nonsense=1")).status).toBe(400);
    expect((await service.ask("/v1/splits")).status).toBe(429);
  });
});

describe("keys", () => {
  it("appear in neither answers nor the log", async () => {
    const service = await startService({ splits: [aSplitRow()] });
    const paths = [...OPERATIONS, "/v1/nothing", "/v1/splits?nonsense=1", "/v1/articles?size=0", "/v1/openapi.json"];
    for (const path of paths) {
      for (const method of ["GET", "POST"]) {
        const answer = await service.ask(path, { method });
        expect(answer.text + JSON.stringify([...answer.headers])).not.toContain(service.key);
      }
    }
    expect(service.logged.length).toBeGreaterThan(0);
    expect(JSON.stringify(service.logged)).not.toContain(service.key);
  });

  it("do not reach a file if they belong to the embedded bot", async () => {
    const service = await startService();
    expect((await service.askBare(`/v1/splits?apiKey=${service.botKey}`)).status).toBe(200);
    for (const name of await readdir(service.dir)) {
      expect(await readFile(join(service.dir, name), "utf8")).not.toContain(service.botKey);
    }
  });
});

it("serves /v1/openapi.json without a key", async () => {
  const answer = await (await startService(null)).askBare("/v1/openapi.json");
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({ openapi: "3.1.0" });
});

it("lists a split until seven days after its ex date, in New York's time zone", async () => {
  const service = await startService({ splits: [aSplitRow({ ex_date: "2026-03-10" })] });
  service.clock.setTo("2026-03-18T03:59:59Z"); // The 17th, 23:59:59 in New York.
  expect(tickersIn(await service.ask("/v1/splits"))).toEqual(["ACME"]);
  expect(tickersIn(await service.ask("/v1/splits/ACME"))).toEqual(["ACME"]);
  service.clock.setTo("2026-03-18T04:00:00Z");
  expect(tickersIn(await service.ask("/v1/splits"))).toEqual([]);
  expect(tickersIn(await service.ask("/v1/splits/ACME"))).toEqual([]);
});

it("forbids sniffing, framing and referrers in every answer", async () => {
  const service = await startService();
  for (const path of ["/v1/splits", "/v1/nothing", "/v1/splits?nonsense=1"]) {
    const { headers } = await service.ask(path);
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Content-Security-Policy")).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
  }
});

it("logs the operation and status of each request, without the key", async () => {
  const service = await startService();
  for (const path of ["/v1/splits/ACME", "/v1/nothing", "/v1/articles?size=0"]) {
    await service.fetch(new Request(`http://localhost${path}${path.includes("?") ? "&" : "?"}apiKey=${service.key}`));
  }
  const answered = service.logged.filter(({ event }) => event === "request answered");
  expect(answered.map(({ fields }) => fields)).toMatchObject([
    { operation: "/v1/splits/:ticker", status: 200 },
    { operation: "none", status: 404 },
    { operation: "/v1/articles", status: 400 },
  ]);
  expect(JSON.stringify(service.logged)).not.toContain(service.key);
});
