import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { inspect } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import {
  createHttpClient,
  type HttpAnswer,
  type HttpClient,
  HttpError,
  type HttpLimits,
  type ResponseParts,
  redactUrl,
} from "./client.ts";

const SECRET = "very-secret-key";
const opened: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  return listen(server, () => server.closeAllConnections());
}

async function listen(
  server: Server | ReturnType<typeof createSocketServer>,
  closeConnections: () => void,
): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  opened.push(() => {
    const closed = new Promise((resolve) => server.close(resolve));
    closeConnections();
    return closed;
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function client(limits: Partial<HttpLimits> = {}): HttpClient {
  const http = createHttpClient("splitwatch-test", limits);
  opened.push(() => http.close());
  return http;
}

function get(http: HttpClient, address: string, signal = new AbortController().signal) {
  return http.request(new URL(`${address}?apiKey=${SECRET}`), { signal, redirect: "same-origin" });
}

/** Returns the HttpError that `answer` rejects with; fails if the error contains the key anywhere. */
async function failureOf(answer: Promise<unknown>): Promise<HttpError> {
  const error = await answer.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HttpError);
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(SECRET);
  return error as HttpError;
}

describe("a request", () => {
  it("returns status, headers and body for any status", async () => {
    const address = await serve((request, response) => {
      response.writeHead(404, { "X-Seen": request.headers["user-agent"] }).end("not here");
    });

    const answer = await get(client(), address);

    expect(answer.status).toBe(404);
    expect(answer.header("x-SEEN")).toBe("splitwatch-test");
    expect(answer.header("etag")).toBeNull();
    expect(answer.body.toString()).toBe("not here");
  });

  it.each([
    ["gzip", gzipSync("packed")],
    ["br", brotliCompressSync("packed")],
    ["gzip, br", brotliCompressSync(gzipSync("packed"))],
    ["identity", Buffer.from("packed")],
  ])("decompresses %s", async (coding, body) => {
    const address = await serve((_, response) => response.writeHead(200, { "content-encoding": coding }).end(body));

    expect((await get(client(), address)).body.toString()).toBe("packed");
  });

  it("returns the status without the body if asked to, however long or slow the body is", async () => {
    const address = await serve((request, response) => {
      response.writeHead(202);
      if (request.url?.startsWith("/endless")) for (let kb = 0; kb < 256; kb += 1) response.write("x".repeat(1_024));
      else response.write("x");
    });
    const http = client({ maxBodyBytes: 100, totalTimeoutMs: 60_000 });
    for (const path of ["/endless", "/stalled"]) {
      const answer = await http.request(new URL(path, address), { method: "POST", body: "{}", ignoresBody: true });
      expect([answer.status, answer.body.length]).toEqual([202, 0]);
    }
  });

  it("sends method, headers and body", async () => {
    const address = await serve((request, response) => {
      response.write(`${request.method} ${request.headers["content-type"]} `);
      request.pipe(response);
    });

    const answer = await client().request(new URL(address), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"a":1}',
    });

    expect(answer.body.toString()).toBe('POST application/json {"a":1}');
  });

  it("reuses a limited number of connections", async () => {
    const ports = new Set<number | undefined>();
    const address = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end("ok");
    });
    const http = client({ maxConnections: 2 });

    await Promise.all(Array.from({ length: 10 }, () => get(http, address)));
    for (let n = 0; n < 10; n++) await get(http, address);

    expect(ports.size).toBe(2);
  });
});

describe("a redirect", () => {
  it.each([[301], [302], [303], [307], [308]])("%i is followed within the origin", async (status) => {
    const address = await serve((request, response) => {
      if (request.url?.startsWith("/new")) response.end(`at ${request.url}`);
      else response.writeHead(status, { location: "/new" }).end();
    });

    expect((await get(client(), address)).body.toString()).toBe("at /new");
  });

  it("is returned, not followed, unless asked for", async () => {
    const address = await serve((_, response) => response.writeHead(302, { location: "/new" }).end());

    expect((await client().request(new URL(address))).status).toBe(302);
  });

  it("is not followed to another origin, because the address may contain a key", async () => {
    let visits = 0;
    const other = await serve((_, response) => {
      visits += 1;
      response.end("caught");
    });
    const address = await serve((request, response) =>
      response.writeHead(302, { location: other + String(request.url) }).end(),
    );

    const error = await failureOf(get(client(), address));

    expect(error).toMatchObject({ failure: "bad-answer", message: expect.stringContaining(`redirects to ${other};`) });
    expect(visits).toBe(0);
  });

  it.each([
    ["in a loop", "/", "it redirects more than 3 times"],
    ["to nowhere", "", "it redirects to an invalid address"],
    ["to an invalid address", "http://", "it redirects to an invalid address"],
  ])("%s is a bad answer", async (_, location, message) => {
    const address = await serve((_request, response) => response.writeHead(302, { location }).end());

    expect(await failureOf(get(client(), address))).toMatchObject({ failure: "bad-answer", message });
  });
});

describe("limits", () => {
  const big = Buffer.alloc(10_000, " ");

  it.each<[string, RequestListener]>([
    ["a large body", (_, response) => response.end(big)],
    ["a large body of unknown length", (_, response) => response.writeHead(200).write(big)],
    ["a small body that decompresses to a large one", (_, response) => compressed(response, gzipSync(big))],
    ["a body that is compressed twice", (_, response) => compressed(response, gzipSync(gzipSync(big)), "gzip, gzip")],
  ])("reject %s", async (_, listener) => {
    const address = await serve(listener);

    const limits = { maxBodyBytes: 5_000 };
    const error = await failureOf(get(client(limits), address));
    const perRequest = await failureOf(client().request(new URL(address), { limits }));

    expect(error).toMatchObject({ failure: "too-large", message: "the answer is larger than 5000 bytes" });
    expect(perRequest).toMatchObject({ failure: error.failure, message: error.message });
  });

  it.each<[string, RequestListener, Partial<HttpLimits>, string]>([
    ["the headers", () => undefined, { headersTimeoutMs: 100 }, "no answer in time"],
    ["the rest of a body", (_, response) => void response.write("half"), { bodyTimeoutMs: 100 }, "the answer stalled"],
    ["an endless body", (_, response) => drip(response), { totalTimeoutMs: 200 }, "no complete answer within 200 ms"],
  ])("stop waiting for %s", async (_, listener, limits, message) => {
    const address = await serve(listener);

    expect(await failureOf(get(client(limits), address))).toMatchObject({ failure: "timeout", message });
  });
});

function compressed(response: Parameters<RequestListener>[1], body: Buffer, coding = "gzip"): void {
  response.writeHead(200, { "content-encoding": coding }).end(body);
}

function drip(response: Parameters<RequestListener>[1]): void {
  const timer = setInterval(() => response.write("."), 20);
  response.once("close", () => clearInterval(timer));
}

describe("a failure", () => {
  it("is unreachable when nothing listens", async () => {
    const error = await failureOf(get(client(), "http://127.0.0.1:1"));

    expect(error).toMatchObject({
      failure: "unreachable",
      message: "no connection (ECONNREFUSED)",
      wasWritten: false,
    });
  });

  it.each<[string, RequestListener]>([
    ["before the answer", (request) => request.socket.resetAndDestroy()],
    [
      "inside the answer",
      (request, response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("half", () => request.socket.destroy());
      },
    ],
    [
      "inside an answer of unknown length",
      (request, response) => void response.write("half", () => request.socket.destroy()),
    ],
  ])("is unreachable when the connection is lost %s", async (_, listener) => {
    const address = await serve(listener);

    const error = await failureOf(get(client(), address));

    expect(error).toMatchObject({
      failure: "unreachable",
      message: expect.stringContaining("the connection was lost"),
      wasWritten: true,
    });
  });

  it("is a bad answer when the server does not speak HTTP", async () => {
    const server = createSocketServer((socket) => socket.resume().end("SSH-2.0-OpenSSH_9.6\r\n"));
    const address = await listen(server, () => undefined);

    const error = await failureOf(get(client(), address));

    expect(error).toMatchObject({ failure: "bad-answer", message: expect.stringContaining("the answer is not HTTP") });
  });

  it.each([
    ["zstd", Buffer.from("?"), 'got content-encoding "zstd", expected gzip or br'],
    ["gzip", Buffer.from("not packed at all"), "its gzip encoding is damaged or cut short"],
    ["gzip", gzipSync("packed").subarray(0, 15), "its gzip encoding is damaged or cut short"],
  ])("is a bad answer when %s cannot be decompressed", async (coding, body, message) => {
    const address = await serve((_, response) => compressed(response, body, coding));

    expect(await failureOf(get(client(), address))).toMatchObject({ failure: "bad-answer", message });
  });
});

describe("a request with a check before it is written", () => {
  it.each([
    ["on a new connection", 0],
    ["on a kept connection", 1],
  ])("is not written %s if the check fails", async (_, requestsBefore) => {
    let received = 0;
    const address = await serve((_request, response) => response.end(`${++received}`));
    const http = client();
    for (let sent = 0; sent < requestsBefore; sent++) await post(http, address);

    expect(await failureOf(post(http, address, () => false))).toMatchObject({ failure: "aborted", wasWritten: false });
    await post(http, address, () => true);
    expect(received).toBe(requestsBefore + 1);
  });

  it("is checked after it has waited for a connection", async () => {
    let [received, mayWrite] = [0, true];
    const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const address = await serve((_, response) => {
      received += 1;
      arrived.resolve();
      void released.promise.then(() => response.end());
    });
    const http = client({ maxConnections: 1 });
    const first = post(http, address);
    const failure = failureOf(post(http, address, () => mayWrite));
    await arrived.promise;
    mayWrite = false;
    released.resolve();

    expect((await first).status).toBe(200);
    expect(await failure).toMatchObject({ wasWritten: false });
    expect(received).toBe(1);
  });
});

function post(http: HttpClient, address: string, mayWrite?: () => boolean): Promise<HttpAnswer> {
  return http.request(new URL(address), { method: "POST", body: "x", ...(mayWrite && { mayWrite }) });
}

describe.each(["fetch", "fetchParts"] as const)("%s", (method) => {
  it("returns a standard response with every header, decompressed", async () => {
    const address = await serve((request, response) => {
      response.setHeader("set-cookie", ["a=1", "b=2"]).setHeader("x-seen", `${request.method}`);
      compressed(response, gzipSync("text"));
    });

    const response = await client()[method](new URL(address), { method: "PATCH" });

    expect(response).toMatchObject({ status: 200, statusText: "OK", ok: true, bodyUsed: false });
    expect(response.headers.get("x-seen")).toBe("PATCH");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await response.text()).toBe("text");
  });

  it("returns a response without a body", async () => {
    const address = await serve((_, response) => void response.writeHead(204).end());

    expect(await client()[method](new URL(address))).toMatchObject({ status: 204, body: null });
  });

  it("returns the body of a failure as JSON or bytes", async () => {
    const address = await serve((_, response) => void response.writeHead(404).end('{"message":"“x”"}'));
    const fetched = (): Promise<ResponseParts | Response> => client()[method](new URL(address));

    expect(await fetched()).toMatchObject({ status: 404, statusText: "Not Found", ok: false });
    expect(await (await fetched()).json()).toEqual({ message: "“x”" });
    expect(Buffer.from(await (await fetched()).arrayBuffer()).toString()).toBe('{"message":"“x”"}');
  });
});

describe("aborting", () => {
  it("ends a request in progress", async () => {
    const stop = new AbortController();
    const address = await serve(() => stop.abort());

    expect(await failureOf(get(client(), address, stop.signal))).toMatchObject({ failure: "aborted" });
  });

  it("sends nothing when the signal is already aborted", async () => {
    let visits = 0;
    const address = await serve((_, response) => {
      visits += 1;
      response.end();
    });

    expect(await failureOf(get(client(), address, AbortSignal.abort()))).toMatchObject({ failure: "aborted" });
    expect(visits).toBe(0);
  });

  it("happens to all requests when the client is closed", async () => {
    const http = client();
    const address = await serve(() => void http.close());

    expect(await failureOf(get(http, address))).toMatchObject({ failure: "aborted" });
    expect(await failureOf(get(http, address))).toMatchObject({ failure: "aborted" });
  });
});

describe("redactUrl", () => {
  it.each([
    ["https://a.example/v1/splits?apiKey=abc&page=2", "https://a.example/v1/splits?apiKey=***&page=2"],
    ["https://a.example/v1/splits?page=2&APIKEY=abc#top", "https://a.example/v1/splits?page=2&APIKEY=***#top"],
    ["https://a.example/?token=abc", "https://a.example/?token=***"],
    ["https://user:pass@a.example/x", "https://***@a.example/x"],
    ["see https://a.example/?api_key=abc or ask", "see https://a.example/?api_key=*** or ask"],
    ["https://a.example/v1/articles?from=2026-03-01", "https://a.example/v1/articles?from=2026-03-01"],
  ])("turns %s into %s", (address, shown) => {
    expect(redactUrl(address)).toBe(shown);
  });

  it("accepts a URL", () => {
    expect(redactUrl(new URL("https://a.example/?apiKey=a%20b"))).toBe("https://a.example/?apiKey=***");
  });
});
