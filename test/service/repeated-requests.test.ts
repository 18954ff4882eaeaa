import { connect } from "node:net";
import { text } from "node:stream/consumers";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { addKey, revokeKey } from "../../src/data-service/server/api-keys.ts";
import { createDataService, type DataServiceOptions } from "../../src/data-service/server/data-service.ts";
import { createKeyring } from "../../src/data-service/server/keyring.ts";
import { createServedCatalog } from "../../src/data-service/server/served-catalog.ts";
import { type AnswerDirectly, listen } from "../../src/http/server.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import { apiKeysIn } from "../../src/store/engines/sqlite/api-keys.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { anArticleRow, aSplitRow, recordingLog, temporaryFolder } from "./service-under-test.ts";

const BOT_KEY = "the-bots-own-key";
const LONG_TEXT = "Orvane combines every twenty shares into one. ".repeat(40).trim();

/** One service behind two servers: one has direct answers, the other passes every request to hono. */
async function serveTwice(
  options: Partial<Pick<DataServiceOptions, "isSample" | "articleTexts" | "limitPerMinute">> = {},
) {
  const clock = new ManualClock();
  const dir = await temporaryFolder();
  const key = await addKey(apiKeysIn(dir), "tester");
  const catalog = createServedCatalog({ clock, keepAfterExDate: 7 });
  const articles = Array.from({ length: 30 }, (_, n) =>
    anArticleRow({ url: `https://wire.example/${n}`, content: LONG_TEXT }),
  );
  const content = { splits: [aSplitRow(), aSplitRow({ ticker: "OTHER", exchange: "NYSE" })], articles };
  catalog.replace(content);
  const { log, lines } = recordingLog();
  const keys = createKeyring({ keys: await apiKeysIn(dir).follow({ clock, log }), botKey: BOT_KEY });
  const parts = { catalog, isSample: () => false, keys, clock, log, limitPerMinute: 1_000_000, ...options };
  const app = createDataService(parts);
  let directAnswers = 0;
  const answerDirectly: AnswerDirectly = (incoming, outgoing) => {
    const isAnswered = app.answerDirectly(incoming, outgoing);
    directAnswers += isAnswered ? 1 : 0;
    return isAnswered;
  };
  const start = async (direct?: AnswerDirectly): Promise<number> => {
    const server = await listen({ app, answerDirectly: direct, host: "127.0.0.1", port: 0, log: SILENT_LOG });
    onTestFinished(() => server.close());
    return Number(new URL(server.address).port);
  };
  const [direct, plain] = [await start(answerDirectly), await start()];
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${direct}${path}${path.includes("?") ? "&" : "?"}apiKey=${key}`, { headers });
  return {
    clock,
    dir,
    key,
    catalog,
    content,
    lines,
    ports: { direct, plain },
    get,
    directAnswers: () => directAnswers,
  };
}

/** The bytes of an answer to a request that is sent verbatim, without the date. */
async function exchange(port: number, head: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`${head}\r\nConnection: close\r\n\r\n`);
  return (await text(socket.setEncoding("latin1"))).replace(/^date: .*$/im, "");
}

/** Waits for the whole answer and returns its status. */
async function statusOf(answer: Promise<Response>): Promise<number> {
  const { status, body } = await answer;
  await body?.cancel();
  return status;
}

const method = fc.constantFrom("GET", "GET", "GET", "HEAD", "POST", "OPTIONS");
const validTarget = fc.constantFrom(
  "/v1/splits?apiKey=KEY",
  "/v1/splits?exchange=nyse&apiKey=KEY",
  "/v1/articles?size=2&apiKey=KEY&page=1",
  "/v1/openapi.json",
);
const unusualTarget = fc.constantFrom(
  "/v1/splits?apiKey=KEY&exchange=nyse&",
  "/v1/splits?%61piKey=KEY",
  "/v1/splits?apiKey=KEY&apiKey=KEY",
  "/v1/splits?apiKey=KEY&%61piKey=KEY",
  "/v1/splits?apiKey=wrong",
  "/v1/splits?apiKey=",
  "/v1/splits",
  "/v1/splits?",
  "/v1/articles?size=2&page=1",
  "/v1/openapi.json?",
  "/v1/splits?apiKey=KEY#part",
  "/v1//splits?apiKey=KEY",
  "/v1/./splits?apiKey=KEY",
  "/v1/splits/acme?apiKey=KEY",
  "/v1/splits/%E0%A4%A?apiKey=KEY",
  "/v1/articles?apiKey=KEY&size=41",
  "/v1/openapi.json?apiKey=KEY",
  "/v1/nothing?apiKey=KEY",
  "http://127.0.0.1/v1/splits?apiKey=KEY",
);
const target = fc.oneof(validTarget, unusualTarget);
const header = fc.constantFrom(
  "Accept-Encoding: gzip",
  "Accept-Encoding: br, gzip;q=0.8",
  "Accept-Encoding: gzip;q=0",
  "Accept-Encoding: identity, gzip;q=0.5",
  'If-None-Match: "other"',
  "If-None-Match: *",
  'If-None-Match: "other", W/PLAIN',
  "If-None-Match: GZIP",
  "Content-Length: 0",
);
const host = fc.oneof(
  fc.constant("Host: 127.0.0.1:8080"),
  fc.constantFrom("Host: LocalHost", "Host: [::1]:8080", "Host: a b", "Host: x:99999"),
);

it("are answered with the same bytes directly as by hono", async () => {
  const { key, ports, get, directAnswers } = await serveTwice();
  const tagOf = async (encoding: string): Promise<string> =>
    (await get("/v1/splits", { "accept-encoding": encoding })).headers.get("etag") ?? "";
  const tags = { PLAIN: await tagOf("identity"), GZIP: await tagOf("gzip") };
  await fc.assert(
    fc.asyncProperty(method, target, host, fc.uniqueArray(header, { maxLength: 3 }), async (...parts) => {
      const [name, path, hostLine, headers] = parts;
      const head = [`${name} ${path} HTTP/1.1`, hostLine, ...headers]
        .join("\r\n")
        .replaceAll("KEY", key)
        .replace("PLAIN", tags.PLAIN)
        .replace("GZIP", tags.GZIP);
      const expected = await exchange(ports.plain, head);
      expect(await exchange(ports.direct, head)).toBe(expected);
    }),
    { numRuns: 40 },
  );
  expect(directAnswers()).toBeGreaterThan(0);
});

describe("a direct answer", () => {
  it("of the service's description needs no key", async () => {
    const { ports, directAnswers } = await serveTwice();
    const ask = (): Promise<Response> => fetch(`http://127.0.0.1:${ports.direct}/v1/openapi.json`);
    const [first, second] = [await (await ask()).text(), await (await ask()).text()];
    expect(second).toBe(first);
    expect(directAnswers()).toBe(1);
  });

  it("is not given without a key to a request that needs one", async () => {
    const { get, ports, directAnswers } = await serveTwice();
    await statusOf(get("/v1/splits"));
    for (const path of ["/v1/splits", "/v1/splits?"])
      expect(await statusOf(fetch(`http://127.0.0.1:${ports.direct}${path}`))).toBe(401);
    expect(directAnswers()).toBe(0);
  });

  it.each([
    ["identity", {}],
    ["gzip", {}],
    ["identity", { "if-none-match": "*" }],
    ["gzip", { "if-none-match": "*" }],
  ])("is given from the second request on: %s %j", async (encoding, condition) => {
    const { get, lines, directAnswers } = await serveTwice();
    const headers = { "accept-encoding": encoding, ...condition };
    const [first, second] = [await get("/v1/articles?size=3", headers), await get("/v1/articles?size=3", headers)];
    expect(directAnswers()).toBe(1);
    expect([second.status, await second.text()]).toEqual([first.status, await first.text()]);
    const logged = lines.filter(({ event }) => event === "request answered").map(({ fields }) => fields);
    expect(logged).toEqual([logged[1], logged[1]]);
  });

  it("is not given after the rows have changed", async () => {
    const { catalog, content, get } = await serveTwice();
    const before = await (await get("/v1/splits")).text();
    catalog.replace({ ...content, splits: [aSplitRow({ ratio: "1:25" })] });
    expect(await (await get("/v1/splits")).text()).toContain("1:25");
    catalog.replace(content);
    expect(await (await get("/v1/splits")).text()).toBe(before);
  });

  it("is not given after a split has left the list with the day", async () => {
    const { clock, catalog, get } = await serveTwice();
    catalog.replace({ splits: [aSplitRow({ ex_date: "2026-03-10" })], articles: [] });
    clock.setTo("2026-03-18T03:59:59Z"); // The 17th, 23:59:59 in New York.
    expect(await (await get("/v1/splits")).json()).toMatchObject({ data: [{ ticker: "ACME" }] });
    clock.setTo("2026-03-18T04:00:00Z");
    expect(await (await get("/v1/splits")).json()).toEqual({ data: [] });
  });

  it("is marked as sample data exactly while the data is sample data", async () => {
    let sample = true;
    const { get } = await serveTwice({ isSample: () => sample });
    const marks: (string | null)[] = [];
    for (const isSample of [true, true, false, false, true]) {
      sample = isSample;
      marks.push((await get("/v1/splits")).headers.get("x-splitwatch-data"));
    }
    expect(marks).toEqual(["sample", "sample", null, null, "sample"]);
  });

  it("is not given to a revoked key", async () => {
    const { clock, dir, get } = await serveTwice();
    expect([await statusOf(get("/v1/splits")), await statusOf(get("/v1/splits"))]).toEqual([200, 200]);
    await revokeKey(apiKeysIn(dir), "tester");
    await clock.advance(1_000);
    expect(await statusOf(get("/v1/splits"))).toBe(401);
  });

  it("counts toward the request limit, once", async () => {
    const { clock, get } = await serveTwice({ limitPerMinute: 4 });
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) statuses.push(await statusOf(get("/v1/splits")));
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    await clock.advance(60_000);
    expect(await statusOf(get("/v1/splits"))).toBe(200);
  });

  it("contains excerpts for other callers than the embedded bot, if texts are not served", async () => {
    const { key, ports } = await serveTwice({ articleTexts: "excerpt" });
    const lengthFor = async (apiKey: string): Promise<number> => {
      const answer = await fetch(`http://127.0.0.1:${ports.direct}/v1/articles?size=1&apiKey=${apiKey}`);
      const { articles } = (await answer.json()) as { articles: readonly { content: string }[] };
      return articles[0]?.content.length ?? 0;
    };
    const whole = LONG_TEXT.length;
    for (const expectedWhole of [false, true, false, true])
      expect((await lengthFor(expectedWhole ? BOT_KEY : key)) === whole).toBe(expectedWhole);
  });
});
