import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import { addKey } from "../../src/data-service/server/api-keys.ts";
import { createDataService, type DataServiceOptions } from "../../src/data-service/server/data-service.ts";
import { createKeyring } from "../../src/data-service/server/keyring.ts";
import { type Catalog, createServedCatalog } from "../../src/data-service/server/served-catalog.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import { apiKeysIn } from "../../src/store/engines/sqlite/api-keys.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { anArticleRow, aSplitRow, startService, temporaryFolder } from "./service-under-test.ts";

interface Served {
  readonly port: number;
  readonly key: string;
  readonly dir: string;
}

const TEXT = "Orvane combines every twenty shares into one. ".repeat(40).trim();

/** Starts the service on a real port, mounted in a larger application as in the product. */
async function listen({
  isSample = () => false,
  limitPerMinute = 600,
  articleTexts = "full",
  botKey = null,
  clock = systemClock,
}: Partial<DataServiceOptions> & { readonly botKey?: string | null } = {}): Promise<Served> {
  const dir = await temporaryFolder();
  const key = await addKey(apiKeysIn(dir), "tester");
  const catalog = createServedCatalog({ clock, keepAfterExDate: 7 });
  const keys = createKeyring({ keys: await apiKeysIn(dir).follow({ clock, log: SILENT_LOG }), botKey });
  const articles = Array.from({ length: 30 }, (_, n) =>
    anArticleRow({ url: `https://wire.example/${n}`, content: TEXT }),
  );
  catalog.replace({ splits: [aSplitRow({ ex_date: "2999-01-04" })], articles });
  const app = new Hono().get("/", (c) => c.text("the page"));
  const parts = { catalog, isSample, keys, clock, log: SILENT_LOG, limitPerMinute, articleTexts };
  app.route("/", createDataService(parts));
  const port = await new Promise<number>((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, (address) => resolve(address.port));
    onTestFinished(() => new Promise<void>((done) => server.close(() => done())));
  });
  return { port, key, dir };
}

/** Sends one request verbatim, because a client would normalize the path. The service closes the connection afterwards. */
async function exchangeBytes(port: number, head: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.end(`${head}\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

function withoutDate(lines: string): string {
  return lines.replace(/^date: .*$/im, "");
}

it("answers HEAD with the headers of GET, including Content-Length, and without a body", async () => {
  const { port, key } = await listen();
  const [get, head] = await Promise.all(
    ["GET", "HEAD"].map((method) => exchangeBytes(port, `${method} /v1/articles?apiKey=${key} HTTP/1.1`)),
  );
  const [getHead = "", body = ""] = get?.split("\r\n\r\n") ?? [];
  expect(withoutDate(head ?? "")).toBe(withoutDate(`${getHead}\r\n\r\n`));
  expect(getHead.toLowerCase()).toContain(`content-length: ${Buffer.byteLength(body)}`);
  expect(JSON.parse(body)).toMatchObject({ total_results: 30 });
});

it.each([
  ["GET /v1/splits/%E0%A4%A", 400],
  ["GET /v1/splits/%zz", 400],
  ["GET /v1/nothing", 404],
  ["GET /v1/splits/", 404],
  ["GET /v1", 404],
  ["DELETE /v1/splits", 405],
  ["TRACE /v1/splits", 405],
  ["PROPFIND /v1/articles", 405],
  ["OPTIONS /v1/splits", 405],
])("answers %s with a problem, status %i", async (line, status) => {
  const { port, key } = await listen();
  const answer = await exchangeBytes(port, `${line}?apiKey=${key} HTTP/1.1`);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer.toLowerCase()).toContain("content-type: application/problem+json");
  expect(answer.toLowerCase()).toContain("x-content-type-options: nosniff");
});

it("ignores the body of a request with a wrong method", async () => {
  const { port, key } = await listen();
  const address = `http://127.0.0.1:${port}/v1/splits?apiKey=${key}`;
  expect((await fetch(address, { method: "POST", body: "x".repeat(1_000_000) })).status).toBe(405);
  expect((await fetch(address)).status).toBe(200);
});

it("answers an ordinary client with gzip, and with 304 if the ETag is current", async () => {
  const { port, key } = await listen();
  const address = `http://127.0.0.1:${port}/v1/articles?apiKey=${key}&size=40`;
  const first = await fetch(address);
  expect(first.headers.get("content-encoding")).toBe("gzip");
  expect(await first.json()).toMatchObject({ total_results: 30, page_size: 40 });
  const again = await fetch(address, { headers: { "If-None-Match": first.headers.get("etag") ?? "" } });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe("");
});

it("accepts a new key within a second while the service is running", async () => {
  const clock = new ManualClock();
  const { port, dir } = await listen({ clock });
  const key = await addKey(apiKeysIn(dir), "late");
  await clock.advance(1_000);
  expect((await fetch(`http://127.0.0.1:${port}/v1/splits?apiKey=${key}`)).status).toBe(200);
});

it("rejects an overlong URL and answers the next request", async () => {
  const { port, key } = await listen();
  const status = await new Promise((resolve, reject) => {
    request({ port, path: `/v1/splits?apiKey=${key}&exchange=${"A".repeat(100_000)}` }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on("error", reject)
      .end();
  });
  expect(status).toBe(431);
  await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/v1/splits?apiKey=${key}`)).status).toBe(200);
});

it("leaves other paths to the rest of the application", async () => {
  const { port } = await listen();
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("the page");
  const other = await fetch(`http://127.0.0.1:${port}/v2/splits`);
  expect([other.status, other.headers.get("content-type")]).toEqual([404, "text/plain; charset=UTF-8"]);
});

describe("the header X-Splitwatch-Data", () => {
  const REQUESTS: readonly (readonly [number, string, RequestInit?])[] = [
    [200, "/v1/splits?apiKey=KEY"],
    [200, "/v1/articles?apiKey=KEY", { method: "HEAD" }],
    [200, "/v1/openapi.json"],
    [304, "/v1/splits?apiKey=KEY", { headers: { "If-None-Match": "*" } }],
    [400, "/v1/articles?apiKey=KEY&size=41"],
    [401, "/v1/splits"],
    [404, "/v1/nothing"],
    [405, "/v1/splits?apiKey=KEY", { method: "POST" }],
    [429, "/v1/splits/ACME?apiKey=KEY"],
  ];

  /** Status and header of the answer to each request; the last one exceeds the limit of the key. */
  async function answersOf(served: Served): Promise<readonly (readonly [number, string | null])[]> {
    const answers: (readonly [number, string | null])[] = [];
    for (const [, path, init] of REQUESTS) {
      const answer = await fetch(`http://127.0.0.1:${served.port}${path.replace("KEY", served.key)}`, init);
      await answer.text();
      answers.push([answer.status, answer.headers.get("X-Splitwatch-Data")]);
    }
    return answers;
  }

  it("is `sample` on every answer while the data is sample data", async () => {
    const served = await listen({ isSample: () => true, limitPerMinute: 4 });
    expect(await answersOf(served)).toEqual(REQUESTS.map(([status]) => [status, "sample"]));
  });

  it("is absent from every answer while the data is not sample data", async () => {
    const served = await listen({ limitPerMinute: 4 });
    expect(await answersOf(served)).toEqual(REQUESTS.map(([status]) => [status, null]));
  });

  it("is `sample` on an answer without data, and on one to a service that fails", async () => {
    const { key, fetch: ask } = await startService(null, { isSample: () => true });
    const unfilled = await ask(new Request(`http://localhost/v1/splits?apiKey=${key}`));
    expect([unfilled.status, unfilled.headers.get("X-Splitwatch-Data")]).toEqual([503, "sample"]);

    const catalog: Catalog = {
      ready: true,
      splits: () => {
        throw new Error("broken");
      },
      articles: () => [],
      earlyReports: () => [],
      changesSince: () => ({ articles: [], earlyReports: [], revision: 0 }),
      onChange: () => () => undefined,
    };
    const failing = await startService({}, { isSample: () => true, catalog });
    const failed = await failing.fetch(new Request(`http://localhost/v1/splits?apiKey=${failing.key}`));
    expect([failed.status, failed.headers.get("X-Splitwatch-Data")]).toEqual([500, "sample"]);
  });

  it("and the note in the OpenAPI document follow a switch between sample and live data", async () => {
    let sample = true;
    const { port } = await listen({ isSample: () => sample });
    const ask = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/openapi.json`);
      const { info } = (await answer.json()) as { info: { description: string } };
      return { header: answer.headers.get("X-Splitwatch-Data"), etag: answer.headers.get("ETag"), info };
    };
    const before = await ask();
    sample = false;
    const after = await ask();

    expect(before).toMatchObject({
      header: "sample",
      info: { description: expect.stringMatching(/^The service currently serves sample data: companies, tickers/) },
    });
    expect(after).toMatchObject({ header: null, info: { description: expect.not.stringContaining("sample") } });
    expect(after.etag).not.toBe(before.etag);
  });
});

it("serves excerpts of articles if it is configured to, and whole texts to the embedded bot", async () => {
  const { port, key } = await listen({ articleTexts: "excerpt", botKey: "the-bots-own-key" });
  const contentFor = async (apiKey: string): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/articles?apiKey=${apiKey}&size=1`);
    const { articles } = (await answer.json()) as { articles: readonly { content: string }[] };
    return articles[0]?.content ?? "";
  };

  const excerpt = await contentFor(key);
  expect(excerpt).toMatch(/^Orvane combines every twenty shares into one\. .*[a-z.]…$/);
  expect(excerpt.length).toBeLessThanOrEqual(401);
  expect(TEXT.startsWith(excerpt.slice(0, -1))).toBe(true);
  expect(await contentFor("the-bots-own-key")).toBe(TEXT);
});
