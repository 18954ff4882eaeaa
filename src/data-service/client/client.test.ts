import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aRecord, day } from "../../../test/support/builders.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { anArticleRow, aSplitRow, lies, startUpstream, type Upstream } from "../../../test/support/upstream.ts";
import type { Fault } from "../../../test/support/upstream-faults.ts";
import type { Quirks } from "../../../test/support/upstream-pages.ts";
import { MINUTE_MS } from "../../domain/time/day.ts";
import type { Log } from "../../ports/log.ts";
import { type ArticlePages, SourceError, type SourceFailure } from "../../ports/split-source.ts";
import { createSplitsClient, type SplitsClient, type SplitsClientOptions } from "./client.ts";

const KEY = "very/secret key+1";
const FROM = day("2026-03-01");

/** Clock on which every sleep ends immediately and is recorded. */
class SkippingClock extends ManualClock {
  readonly waits: number[] = [];

  override async sleep(ms: number): Promise<void> {
    this.waits.push(ms);
    await this.advance(ms);
  }
}

const write = (event: string, fields?: unknown): void => void logged.push([event, fields]);
const log: Log = { debug: write, info: write, warn: write, error: write };

let upstream: Upstream;
let clock: SkippingClock;
let logged: unknown[];
const clients: SplitsClient[] = [];

beforeEach(async () => {
  upstream = await startUpstream({ key: KEY });
  clock = new SkippingClock();
  logged = [];
});

afterEach(async () => {
  for (const made of clients.splice(0)) await made.close();
  await upstream.stop();
});

function client(options: Partial<SplitsClientOptions> = {}): SplitsClient {
  const made = createSplitsClient({
    baseUrl: upstream.url,
    apiKey: KEY,
    id: "test",
    sample: false,
    clock,
    log,
    random: () => 0,
    ...options,
  });
  clients.push(made);
  return made;
}

function list(source: SplitsClient, signal = new AbortController().signal) {
  return source.listSplits(signal);
}

function lookUp(source: SplitsClient, name: string) {
  return source.lookUp(name, new AbortController().signal);
}

function search(source: SplitsClient, saved: ArticlePages | null = null) {
  return source.searchArticles(FROM, new AbortController().signal, { saved });
}

/** Returns the thrown error, after checking that neither it nor the log contains the key. */
async function failureOf(answer: Promise<unknown>): Promise<SourceError> {
  const error = await answer.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SourceError);
  const text = inspect([error, logged], { depth: 20, showHidden: true });
  for (const form of [KEY, encodeURIComponent(KEY), "very%2Fsecret+key%2B1"]) expect(text).not.toContain(form);
  return error as SourceError;
}

function requestedPaths(): string[] {
  return upstream.requests.map(({ path }) => path);
}

describe("the list of splits", () => {
  it("is requested with the key and returned as records", async () => {
    upstream.splits = [aSplitRow(), aSplitRow({ ticker: "BETA", ratio: "1-for-5" })];

    expect(await list(client())).toEqual({
      records: [aRecord(), aRecord({ ticker: "BETA", ratio: "1-for-5" })],
      quarantined: [],
    });
    expect(upstream.requests[0]?.query.get("apiKey")).toBe(KEY);
    expect(upstream.requests[0]?.headers).toMatchObject({ accept: "application/json", "user-agent": "splitwatch" });
  });

  it.each([
    ["", ""],
    ["/", ""],
    ["/proxy", "/proxy"],
    ["/proxy/", "/proxy"],
    ["/a/b//", "/a/b"],
  ])("is requested below a base address that ends with %j", async (end, prefix) => {
    await upstream.stop();
    upstream = await startUpstream({ key: KEY, prefix, splits: [aSplitRow()] });

    const read = await list(client({ baseUrl: upstream.url.slice(0, upstream.url.length - prefix.length) + end }));

    expect(read.records).toHaveLength(1);
    expect(requestedPaths()).toEqual([`${prefix}/v1/splits`]);
  });

  it("is requested without a key if none is configured", async () => {
    await failureOf(list(client({ apiKey: null })));

    expect(upstream.requests[0]?.query.has("apiKey")).toBe(false);
  });

  it.each([["not an address"], ["ftp://splits.example"]])("cannot be requested from %j", (baseUrl) => {
    expect(() => client({ baseUrl })).toThrow(
      `data service: got the base address "${baseUrl}", expected one such as https://splits.example`,
    );
  });
});

describe("valid lists with unexpected content", () => {
  it.each<[string, Fault, string[]]>([
    ["empty", lies.empty, []],
    ["halved", lies.halved, ["AAA", "BBB"]],
    ["in another order", lies.reversed, ["DDD", "CCC", "BBB", "AAA"]],
    ["doubled", lies.doubled, ["AAA", "BBB", "CCC", "DDD"]],
    ["compressed", lies.gzip, ["AAA", "BBB", "CCC", "DDD"]],
  ])("are returned as received: %s", async (_, lie, tickers) => {
    upstream.splits = ["AAA", "BBB", "CCC", "DDD"].map((name) => aSplitRow({ ticker: name }));
    upstream.injectFault(lie);

    const read = await list(client());

    expect(read.records.map((record) => record.ticker)).toEqual(tickers);
  });

  it("are read one by one if they alternate", async () => {
    upstream.splits = [aSplitRow()];
    upstream.injectFault(lies.flapping());
    const source = client();

    const counts = [await list(source), await list(source), await list(source)].map(({ records }) => records.length);

    expect(counts).toEqual([0, 1, 0]);
  });

  it("are returned without their invalid rows, which are quarantined", async () => {
    upstream.splits = [aSplitRow({ ex_date: "soon" }), aSplitRow({ ticker: "BETA" })];

    expect(await list(client())).toEqual({
      records: [aRecord({ ticker: "BETA" })],
      quarantined: [{ ticker: "ACME", reason: 'ACME: ex_date: got "soon", expected a day as YYYY-MM-DD' }],
    });
  });

  it.each<[string, string, string]>([
    [
      "deep",
      `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
      "DEEP: got a row that is nested 100001 deep, expected at most 16",
    ],
    ["wide", `[${"0,".repeat(2_000)}0]`, "DEEP: got a row that is 2002 values, expected at most 1000"],
    ["large", `"${"x".repeat(1_600_000)}"`, "DEEP: got a row that is 1600027 bytes, expected at most 1500000"],
  ])("are returned without a row that is too %s, whose ticker still counts as listed", async (_, value, reason) => {
    const [good, fine] = ["GOOD", "FINE"].map((name) => JSON.stringify(aSplitRow({ ticker: name })));
    upstream.injectFault(lies.body(`{"data":[${good},{"ticker":"DEEP","more":${value}},${fine}]}`));

    const read = await list(client());

    expect(read.records.map((record) => record.ticker)).toEqual(["GOOD", "FINE"]);
    expect(read.quarantined).toEqual([{ ticker: "DEEP", reason }]);
  });

  it("are returned regardless of the content of texts and the formatting of the list", async () => {
    const company = 'A "B" [C] {D}, \\ \\" E';
    const row = JSON.stringify(aSplitRow({ company }), null, 2);
    const body = `\uFEFF \n{"data": "x", "a]": [[1], {"data": [2]}], "d\\u0061ta" : [ \n ${row} , ${row.replace("ACME", "BETA")}\n] , "n": 1}\n`;
    upstream.injectFault(lies.body(body));

    const { records } = await list(client());

    expect(records).toEqual([aRecord({ company }), aRecord({ company, ticker: "BETA" })]);
  });

  it("are returned if they have as many rows as the limit allows", async () => {
    upstream.splits = Array.from({ length: 20_000 }, (_, n) => aSplitRow({ company: `Acme ${n}` }));

    expect((await list(client())).records).toHaveLength(20_000);
  });

  it("are decoded with the character set that the service declares", async () => {
    const body = Buffer.from(JSON.stringify({ data: [aSplitRow({ company: "Soci\u00e9t\u00e9" })] }), "latin1");
    upstream.injectFault(lies.body(body, { "content-type": "application/json; charset=iso-8859-1" }));

    expect((await list(client())).records[0]?.company).toBe("Soci\u00e9t\u00e9");
  });
});

describe("failures", () => {
  it.each<[string, Fault, SourceFailure, string]>([
    ["a web page", lies.html, "bad-answer", "got text/html, <!doctype html><html><head>"],
    ["truncated JSON", lies.cutJson, "bad-answer", "expected complete JSON (5 bytes received)"],
    ["truncated gzip", lies.cutGzip, "bad-answer", "its gzip encoding is damaged or cut short"],
    ["an endless body", lies.endless, "bad-answer", "the answer is larger than 1000000 bytes"],
    ["a decompression bomb", lies.gzipBomb(3_000_000), "bad-answer", "the answer is larger than 1000000 bytes"],
    [
      "an empty body",
      lies.body(""),
      "bad-answer",
      "got application/json, nothing; expected complete JSON (0 bytes received)",
    ],
    [
      "an error with status 200",
      lies.body('{"error":"no"}'),
      "bad-answer",
      'got application/json, {"error":"no"}; expected an object with a list "data"',
    ],
    [
      "rows of another shape",
      lies.rows(() => [{ symbol: "A" }, {}]),
      "bad-answer",
      "none of 2 rows can be used: row 1: ticker: got nothing",
    ],
    [
      "JSON that is nested deeply beside the list",
      lies.body(`{"data":[],"page":${"[".repeat(20_000)}${"]".repeat(20_000)}}`),
      "bad-answer",
      "got JSON nested 20001 deep, expected at most 16",
    ],
    [
      "JSON with a large part beside the list",
      lies.body(`{"data":[],"note":"${"x".repeat(70_000)}"}`),
      "bad-answer",
      'characters outside the list "data", expected at most 65536',
    ],
    [
      "more rows than the limit",
      lies.body(`{"data":[${"{},".repeat(300_000)}{}]}`),
      "bad-answer",
      "got more than 20000 rows, expected at most 20000",
    ],
    [
      "the list again and again",
      lies.body(`{${'"data":[],'.repeat(50_000)}"data":[]}`),
      "bad-answer",
      'characters outside the list "data", expected at most 65536',
    ],
    ["rows without a comma between them", lies.body('{"data":[{} {}]}'), "bad-answer", "expected complete JSON"],
    ["a comma after the last row", lies.body('{"data":[{},]}'), "bad-answer", "expected complete JSON"],
    ["a row that is not closed", lies.body('{"data":[{"ticker":"A]}'), "bad-answer", "expected complete JSON"],
    ["two values", lies.body('{"data":[]}{"data":[]}'), "bad-answer", "expected complete JSON"],
    ["no content", lies.status(204), "bad-answer", "got 204 No Content; expected 200 with JSON"],
    ["an unrequested 304", lies.status(304), "bad-answer", "got 304 Not Modified; expected 200 with JSON"],
    [
      "a wrong key",
      lies.status(401, {}, '{"error":"Unknown key"}'),
      "not-allowed",
      'got 401 Unauthorized: {"error":"Unknown key"}; expected the key to be accepted: check SPLITS_API_KEY',
    ],
    ["a forbidden key", lies.status(403), "not-allowed", "got 403 Forbidden; expected the key to be accepted"],
    ["an unknown path", lies.status(404), "not-found", "got 404 Not Found; expected 200 with JSON"],
    ["a bad request", lies.status(400), "bad-answer", "got 400 Bad Request; expected 200 with JSON"],
    ["a teapot", lies.status(418), "bad-answer", "got 418 I'm a Teapot; expected 200 with JSON"],
  ])("are not retried: %s", async (_, lie, failure, text) => {
    upstream.injectFault(lie);

    const error = await failureOf(list(client({ limits: { maxBodyBytes: 1_000_000 } })));

    expect(error.failure).toBe(failure);
    expect(error.message).toContain(`GET ${upstream.url}/v1/splits?apiKey=***: `);
    expect(error.message).toContain(text);
    expect(upstream.requests).toHaveLength(1);
  });

  it.each<[string, Fault, SourceFailure, string]>([
    [
      "500",
      lies.status(500, {}, "<html>oops</html>"),
      "server-error",
      "got 500 Internal Server Error: <html>oops</html>",
    ],
    ["502", lies.status(502), "server-error", "got 502 Bad Gateway"],
    ["503", lies.status(503), "server-error", "got 503 Service Unavailable"],
    ["503 with Retry-After", lies.status(503, { "retry-after": "2" }), "not-ready", "got 503 Service Unavailable"],
    [
      "a problem document",
      lies.status(
        503,
        { "retry-after": "2", "content-type": "application/problem+json" },
        '{"type":"about:blank","status":503,"detail":"Try again in a moment."}',
      ),
      "not-ready",
      "got 503 Service Unavailable: Try again in a moment.",
    ],
    ["429", lies.status(429), "rate-limited", "got 429 Too Many Requests"],
    ["a reset connection", lies.reset, "unreachable", "the connection was lost"],
    ["a cut connection", lies.cutConnection, "unreachable", "the connection was lost"],
    ["silence", lies.hang, "timeout", "no complete answer within 1000 ms"],
    ["a trickle", lies.trickle, "timeout", "no complete answer within 1000 ms"],
  ])("are thrown after two retries: %s", async (_, lie, failure, text) => {
    upstream.splits = [aSplitRow()];
    upstream.injectFault(lie);

    const limits = failure === "timeout" ? { totalTimeoutMs: 1_000 } : {};
    const error = await failureOf(list(client({ limits })));

    expect(error.failure).toBe(failure);
    expect(error.message).toContain(text);
    expect(upstream.requests).toHaveLength(3);
    expect(logged).toHaveLength(2);
  });

  it.each<[string, Fault]>([
    ["500", lies.status(500)],
    ["429", lies.status(429, { "retry-after": "1" })],
    ["a reset", lies.reset],
    ["a cut connection", lies.cutConnection],
  ])("are ignored if a retry succeeds: %s", async (_, lie) => {
    upstream.splits = [aSplitRow()];
    upstream.injectFault(lie, { times: 2 });

    expect((await list(client())).records).toHaveLength(1);
    expect(upstream.requests).toHaveLength(3);
  });

  it("name a service that cannot be reached", async () => {
    const error = await failureOf(list(client({ baseUrl: "http://127.0.0.1:1" })));

    expect(error).toMatchObject({
      failure: "unreachable",
      message: "GET http://127.0.0.1:1/v1/splits?apiKey=***: no connection (ECONNREFUSED)",
    });
  });

  it("include redirects to another host, which must not receive the key", async () => {
    const other = await startUpstream({ key: KEY, splits: [aSplitRow()] });
    upstream.injectFault(lies.redirect(`${other.url}/v1/splits`));

    const error = await failureOf(list(client()));
    await other.stop();

    expect(error).toMatchObject({
      failure: "bad-answer",
      message: expect.stringContaining(`redirects to ${other.url};`),
    });
    expect(other.requests).toEqual([]);
  });

  it("do not include redirects within the service, which are followed", async () => {
    upstream.splits = [aSplitRow()];
    upstream.injectFault(lies.redirect("/v1/splits"), { times: 1 });

    expect((await list(client())).records).toHaveLength(1);
  });
});

describe("the key", () => {
  const echo = `the apiKey ${KEY} (${encodeURIComponent(KEY)}) is unknown`;

  it.each<[string, Fault]>([
    ["an error", lies.status(401, {}, echo)],
    ["a page", lies.body(echo, { "content-type": "text/html" })],
    ["a page that is truncated within the key", lies.body(`${"x".repeat(70)}${KEY}`)],
    ["rows", lies.rows(() => [echo, echo])],
    ["a failure that is retried", lies.status(500, {}, echo)],
    ["a redirect", lies.redirect("http://127.0.0.1:1/v1/splits")],
  ])("is redacted if the service repeats it in %s", async (_, lie) => {
    upstream.injectFault(lie);

    const error = await failureOf(list(client()));

    // Not even a part of the key.
    expect(error.message).not.toContain("very");
  });

  it("is redacted if the service repeats it in a row", async () => {
    upstream.splits = [aSplitRow(), { error: echo }, aSplitRow({ ticker: KEY })];

    const { quarantined } = await list(client());

    expect(quarantined).toHaveLength(2);
    expect(JSON.stringify(quarantined)).not.toContain("secret");
  });
});

describe("the wait before a retry", () => {
  it("is a random fraction of a time that doubles", async () => {
    upstream.injectFault(lies.status(500));

    await failureOf(list(client({ random: () => 0.5 })));

    expect(clock.waits).toEqual([500, 1_000]);
  });

  it("lasts as many seconds as the service requests", async () => {
    upstream.injectFault(lies.status(429, { "retry-after": "7" }));

    const error = await failureOf(list(client()));

    expect(clock.waits).toEqual([7_000, 7_000]);
    expect(error.retryAfterMs).toBe(7_000);
  });

  it("lasts until the date that the service requests, by the service's clock", async () => {
    const date = "Mon, 02 Mar 2026 20:00:00 GMT";
    upstream.injectFault(lies.status(503, { date, "retry-after": "Mon, 02 Mar 2026 20:00:09 GMT" }), { times: 1 });

    await list(client());

    expect(clock.waits).toEqual([9_000]);
  });

  it.each([
    ["120", 120_000],
    ["999999999", 3_600_000],
  ])("is left to the caller if the service requests %s seconds", async (seconds, retryAfterMs) => {
    upstream.injectFault(lies.status(429, { "retry-after": seconds }));

    const error = await failureOf(list(client()));

    expect(error).toMatchObject({ failure: "rate-limited", retryAfterMs });
    expect(upstream.requests).toHaveLength(1);
  });

  it.each([["soon"], [""]])("has its default length if the service requests %j", async (text) => {
    upstream.injectFault(lies.status(429, { "retry-after": text }));

    const error = await failureOf(list(client()));

    expect(error.retryAfterMs).toBeNull();
    expect(upstream.requests).toHaveLength(3);
  });

  it("ends when the request is aborted", async () => {
    upstream.injectFault(lies.status(500));
    const stop = new AbortController();
    const waiting = new ManualClock();
    const answer = failureOf(list(client({ clock: waiting, random: () => 0.5 }), stop.signal));
    await expect.poll(() => waiting.sleepers).toBe(1);

    stop.abort();

    expect(await answer).toMatchObject({ failure: "aborted" });
    expect(upstream.requests).toHaveLength(1);
  });
});

describe("aborting", () => {
  it("ends a request in progress", async () => {
    upstream.injectFault(lies.hang);
    const stop = new AbortController();
    upstream.beforeAnswer = () => stop.abort();

    expect(await failureOf(list(client(), stop.signal))).toMatchObject({ failure: "aborted" });
  });

  it("ends the requests in progress when the client is closed", async () => {
    upstream.injectFault(lies.hang);
    const source = client();
    upstream.beforeAnswer = () => void source.close();

    expect(await failureOf(list(source))).toMatchObject({ failure: "aborted" });
  });
});

describe("the cache", () => {
  it("sends the ETag and returns the cached records after a 304", async () => {
    upstream.splits = [aSplitRow()];
    const source = client();

    const first = await list(source);
    const second = await list(source);

    expect(second).toBe(first);
    expect(upstream.requests.map(({ headers }) => headers["if-none-match"] !== undefined)).toEqual([false, true]);
  });

  it("sends the modification date if there is no ETag", async () => {
    const modified = "Mon, 02 Mar 2026 10:00:00 GMT";
    upstream.injectFault(lies.body('{"data":[]}', { "last-modified": modified }));
    const source = client();
    const first = await list(source);
    upstream.injectFault(lies.status(304));

    expect(await list(source)).toBe(first);
    expect(upstream.requests[1]?.headers["if-modified-since"]).toBe(modified);
  });

  it("returns the cached records if the same bytes are received without validators", async () => {
    upstream.splits = [aSplitRow()];
    upstream.quirks = { etag: false };
    const source = client();

    expect(await list(source)).toBe(await list(source));
  });

  it("is not used for more than an hour, even if the service answers 304 for changed data", async () => {
    upstream.splits = [aSplitRow()];
    const time = new ManualClock();
    const source = client({ clock: time });
    const first = await list(source);
    upstream.injectFault((truth, { headers }) =>
      headers["if-none-match"] === undefined ? truth : { status: 304, headers: {}, body: "" },
    );
    upstream.splits = [aSplitRow(), aSplitRow({ ticker: "BETA" })];
    time.skip(59 * MINUTE_MS);
    expect(await list(source)).toBe(first);

    time.skip(MINUTE_MS);

    expect((await list(source)).records).toHaveLength(2);
  });

  it("is replaced if the answer has changed", async () => {
    upstream.splits = [aSplitRow()];
    const source = client();
    await list(source);
    upstream.splits = [];

    expect((await list(source)).records).toEqual([]);
  });

  it("keeps the last valid answer after an invalid one", async () => {
    upstream.splits = [aSplitRow()];
    const source = client();
    const first = await list(source);
    upstream.injectFault(lies.body("nonsense", { etag: '"bad"' }), { times: 1 });
    await failureOf(list(source));

    expect(await list(source)).toBe(first);
  });

  it("does not use an ETag that is invalid in a request", async () => {
    upstream.injectFault(lies.body('{"data":[]}', { etag: `"${"x".repeat(500)}\u00e9"` }));
    const source = client();
    await list(source);

    await list(source);

    expect(upstream.requests[1]?.headers["if-none-match"]).toBeUndefined();
  });

  it("does not store an answer that exceeds its size", async () => {
    upstream.splits = [aSplitRow()];
    const source = client({ limits: { cacheBytes: 10 } });

    const first = await list(source);
    const second = await list(source);

    expect(second).toEqual(first);
    expect(upstream.requests[1]?.headers["if-none-match"]).toBeUndefined();
  });
});

describe("looking up one ticker", () => {
  it("returns its splits", async () => {
    upstream.splits = [aSplitRow(), aSplitRow({ ticker: "BETA" })];

    expect((await lookUp(client(), "BETA")).records).toEqual([aRecord({ ticker: "BETA" })]);
    expect(requestedPaths()).toEqual(["/v1/splits/BETA"]);
  });

  it("encodes the symbol as one path segment, as the list writes it", async () => {
    upstream.splits = [aSplitRow({ ticker: "BRK/B" })];

    expect((await lookUp(client(), "BRK/B")).records).toHaveLength(1);
    expect(requestedPaths()).toEqual(["/v1/splits/BRK%2FB"]);
  });

  it.each<[string, Partial<Quirks>]>([
    ["an empty list", {}],
    ["404", { unknownTicker: 404 }],
  ])("returns an empty list for %s", async (_, quirks) => {
    upstream.quirks = quirks;

    expect(await lookUp(client(), "GONE")).toEqual({ records: [], quarantined: [] });
  });

  it("drops the rows of other tickers, including quarantined ones", async () => {
    upstream.injectFault(
      lies.rows(() => [
        aSplitRow(),
        aSplitRow({ ticker: "BETA" }),
        aSplitRow({ ratio: 1 }),
        aSplitRow({ ticker: "BETA", ratio: 1 }),
      ]),
    );

    const read = await lookUp(client(), "BETA");

    expect(read.records).toEqual([aRecord({ ticker: "BETA" })]);
    expect(read.quarantined.map((row) => row.ticker)).toEqual(["BETA"]);
  });

  it.each<[number, SourceFailure]>([
    [400, "bad-answer"],
    [401, "not-allowed"],
    [500, "server-error"],
  ])("fails with status %i", async (status, failure) => {
    upstream.injectFault(lies.status(status));

    expect(await failureOf(lookUp(client(), "ACME"))).toMatchObject({ failure });
  });
});

/** `count` articles, three per day from `firstDay`. */
function manyArticles(count: number, firstDay = "2026-03-01", kind = "new"): Record<string, unknown>[] {
  const start = Date.parse(firstDay);
  return Array.from({ length: count }, (_, n) => {
    const published = new Date(start + Math.floor(n / 3) * 86_400_000).toISOString().slice(0, 10);
    return anArticleRow({ url: `https://wire.example/${kind}-${n}`, date_published: published });
  });
}

function urlsOf(rows: readonly Record<string, unknown>[]): Set<unknown> {
  return new Set(rows.map(({ url }) => url));
}

describe("searching articles", () => {
  it("requests pages of the maximum size from one day earlier, and drops the articles of that day", async () => {
    upstream.articles = [
      anArticleRow({ url: "https://wire.example/old", date_published: "2026-02-28" }),
      anArticleRow({ url: "https://wire.example/new", date_published: "2026-03-01" }),
    ];

    const read = await search(client());

    expect(read).toMatchObject({ complete: true, quarantined: [] });
    expect(read.articles.map(({ url }) => url)).toEqual(["https://wire.example/new"]);
    expect(upstream.requests.map(({ query }) => [query.get("from"), query.get("page"), query.get("size")])).toEqual([
      ["2026-02-28", "0", "40"],
      ["2026-02-28", "1", "40"],
    ]);
  });

  it.each<[string, Partial<Quirks>]>([
    ["as documented", {}],
    ["without ETags", { etag: false }],
    ["with pages of 20", { clamp: 20 }],
    ["with pages of 10, stating their size", { clamp: 10, pageSize: "clamped" }],
    ["with pages of 7, without stating their size", { clamp: 7, pageSize: "absent", totals: "absent" }],
    ["without totals", { totals: "absent" }],
    ["with totals as text", { totals: "text" }],
    ["with totals of zero", { totals: "zero" }],
    ["with totals that are too large", { totals: "too-many" }],
    ["with the totals of each page", { totals: "of-this-page", clamp: 10 }],
    ["with 404 past the end", { noSuchPage: 404 }],
    ["with 400 past the end", { noSuchPage: 400 }],
    ["with the last page for every number past the end", { noSuchPage: "nearest" }],
    ["with pages from 1 and 400 for 0", { firstPage: 1, noSuchPage: 400, clamp: 20 }],
    ["with pages from 1 and 404 for 0", { firstPage: 1, noSuchPage: 404, clamp: 20, totals: "absent" }],
    ["with pages from 1 and an empty page for 0", { firstPage: 1, noSuchPage: "empty", clamp: 20, totals: "absent" }],
    ["with pages from 1 and the first page for 0", { firstPage: 1, noSuchPage: "nearest", clamp: 20 }],
    ["with the oldest first", { order: "oldest-first", clamp: 10 }],
    ["without an order", { order: "as-listed", clamp: 10 }],
    ["with `from` as exclusive", { from: "exclusive", clamp: 10 }],
    ["without regard to `from`", { from: "ignored", clamp: 10 }],
    ["without regard to `from`, the oldest first", { from: "ignored", order: "oldest-first", clamp: 10 }],
  ])("reads every article of a service that answers %s", async (_, quirks) => {
    const wanted = manyArticles(95);
    const older = manyArticles(60, "2026-01-01", "old");
    upstream.articles = older.flatMap((row, n) => [row, ...wanted.slice(n * 2, n * 2 + 2)]).toReversed();
    upstream.quirks = quirks;
    const source = client();

    const read = await search(source);

    expect(new Set(read.articles.map(({ url }) => url))).toEqual(urlsOf(wanted));
    expect(read.complete).toBe(true);

    const added = manyArticles(3, "2026-03-10", "added");
    upstream.articles = [...upstream.articles, ...added];
    const next = await search(source, read);
    expect(next.complete).toBe(true);
    expect(next.urls).toEqual(urlsOf([...wanted, ...added]));
    expect([...urlsOf(added)].filter((url) => !next.articles.some((article) => article.url === url))).toEqual([]);
  });

  it.each<[string, Partial<Quirks>]>([
    ["has no articles", {}],
    ["has none and refuses pages past the end", { noSuchPage: 404 }],
    ["has none and states no totals", { totals: "absent" }],
  ])("is complete if the service %s", async (_, quirks) => {
    upstream.quirks = quirks;

    expect(await search(client())).toMatchObject({ articles: [], quarantined: [], complete: true });
  });

  it("requests one page, which is unchanged, if the saved articles are still the same", async () => {
    upstream.articles = manyArticles(95);
    const source = client();
    const saved = await search(source);
    upstream.requests.length = 0;

    const read = await search(source, saved);

    expect(read).toMatchObject({ complete: true, quarantined: [] });
    expect(read.urls).toEqual(urlsOf(upstream.articles as Record<string, unknown>[]));
    expect(upstream.requests.map(({ query, headers }) => [query.get("page"), "if-none-match" in headers])).toEqual([
      ["0", true],
    ]);
  });

  it("still names a quarantined article on a page that was not read", async () => {
    upstream.articles = [
      ...manyArticles(90),
      anArticleRow({ url: "https://wire.example/x", heading: null, date_published: "2026-03-01" }),
    ];
    const source = client();
    const saved = await search(source);
    upstream.requests.length = 0;

    expect((await search(source, saved)).quarantined).toEqual(saved.quarantined);
    expect(upstream.requests).toHaveLength(1);
    expect(saved.quarantined).toHaveLength(1);
  });

  it("finds the articles behind a page that was empty in the first pass", async () => {
    upstream.articles = manyArticles(90);
    upstream.beforeAnswer = () => {
      if (upstream.requests.length === 2) upstream.injectFault(lies.empty, { times: 1 });
    };

    const read = await search(client());

    expect(read.complete).toBe(true);
    expect(read.articles).toHaveLength(90);
  });

  it("finds all articles although others are added and removed between the pages", async () => {
    upstream.articles = manyArticles(100);
    upstream.quirks = { clamp: 10 };
    upstream.beforeAnswer = () => {
      const seen = upstream.requests.length;
      if (seen > 12) return;
      const url = `https://wire.example/late-${seen}`;
      upstream.articles = [...upstream.articles.slice(0, -1), anArticleRow({ url, date_published: "2026-03-01" })];
    };

    const read = await search(client());

    const urls = new Set(read.articles.map(({ url }) => url));
    expect([...urlsOf(manyArticles(88))].filter((url) => !urls.has(String(url)))).toEqual([]);
    expect(read.complete).toBe(true);
  });

  it("is incomplete if a service with more articles returns its first page for every number", async () => {
    upstream.articles = manyArticles(90);
    upstream.quirks = { ignoresPage: true };

    const read = await search(client());

    expect(read.complete).toBe(false);
    expect(read.articles).toHaveLength(40);
  });

  it("is incomplete if there are more pages than the limit", async () => {
    upstream.articles = manyArticles(90);
    upstream.quirks = { clamp: 10 };

    const read = await search(client({ limits: { maxPages: 4 } }));

    expect(read.complete).toBe(false);
    expect(read.articles).toHaveLength(40);
  });

  it("ends at the limit for the size of all pages, and reports the received size", async () => {
    upstream.articles = manyArticles(90).map((row) => ({ ...row, content: "x".repeat(1_000) }));
    upstream.quirks = { clamp: 10, etag: false };

    const read = await search(client({ limits: { maxBytes: 30_000 } }));

    expect(read).toMatchObject({ complete: false, excess: { failure: "bad-answer" } });
    expect(read.excess?.message).toMatch(/^GET \/v1\/articles: got 3\d{4} bytes, expected at most 30000$/);
    expect(read.articles).toHaveLength(30);
    expect(upstream.requests).toHaveLength(3);
  });

  it("ends at the page limit if pages never end and never repeat", async () => {
    upstream.beforeAnswer = ({ query }) => {
      const count = upstream.requests.length;
      const rows = [anArticleRow({ url: `https://wire.example/${count}` })];
      upstream.injectFault(lies.body(JSON.stringify({ articles: rows, total_results: 1_000 + count })));
      expect(query.get("size")).toBe("40");
    };

    const read = await search(client({ limits: { maxPages: 20 } }));

    expect(read.complete).toBe(false);
    expect(read.excess?.message).toBe("GET /v1/articles: got 20 pages without an end, expected fewer");
    expect(upstream.requests).toHaveLength(20);
  });

  it("reads 8,000 articles without reaching a limit", async () => {
    upstream.articles = Array.from({ length: 8_000 }, (_, n) => anArticleRow({ url: `https://wire.example/${n}` }));

    const read = await search(client());

    expect(read).toMatchObject({ complete: true });
    expect(read.articles).toHaveLength(8_000);
  });

  it("names a quarantined article by its address", async () => {
    upstream.articles = [
      ...manyArticles(41),
      anArticleRow({ url: "https://wire.example/x", heading: null, date_published: "2026-03-01" }),
    ];

    const read = await search(client());

    expect(read.articles).toHaveLength(41);
    expect(read.quarantined).toEqual([
      { ticker: null, reason: '"https://wire.example/x": heading: got null, expected a heading' },
    ]);
  });

  it("fails if none of several rows can be used", async () => {
    upstream.injectFault(lies.rows(() => [{ title: "A" }, { title: "B" }]));

    const error = await failureOf(search(client()));

    expect(error).toMatchObject({
      failure: "bad-answer",
      message: expect.stringContaining("row 1 of its page: heading: got nothing"),
    });
  });

  it.each<[string, Fault, SourceFailure]>([
    ["a web page", lies.html, "bad-answer"],
    ["401", lies.status(401), "not-allowed"],
    ["404 for every page", lies.status(404), "not-found"],
    ["400 for every page", lies.status(400), "bad-answer"],
    ["429", lies.status(429, { "retry-after": "90" }), "rate-limited"],
    ["500", lies.status(500), "server-error"],
    ["truncated JSON", lies.cutJson, "bad-answer"],
  ])("fails entirely for %s", async (_, lie, failure) => {
    upstream.injectFault(lie);

    expect(await failureOf(search(client()))).toMatchObject({ failure });
  });

  it("fails entirely if a later page fails", async () => {
    upstream.articles = manyArticles(90);
    upstream.beforeAnswer = () => {
      if (upstream.requests.length === 2) upstream.injectFault(lies.status(500));
    };

    expect(await failureOf(search(client()))).toMatchObject({ failure: "server-error" });
  });
});
