import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { waitUntil } from "../../test/support/wait-until.ts";
import type { LogFields } from "../ports/log.ts";
import { SILENT_LOG } from "../ports/log.ts";
import {
  type AnswerDirectly,
  connectableAddress,
  type FetchApp,
  type HttpServer,
  hostAndPort,
  ListenError,
  listen,
  type ServerLimits,
} from "./server.ts";

const LOOPBACK = "127.0.0.1";
const SHORT = { headersTimeoutMs: 100, requestTimeoutMs: 200 };
const open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

describe("listen", () => {
  it("returns the answer of the app at the stated address", async () => {
    const server = await serve({ fetch: (request) => new Response(`you asked for ${new URL(request.url).pathname}`) });
    expect(server.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const response = await fetch(`${server.address}/some/page`);
    expect(await response.text()).toBe("you asked for /some/page");
  });

  it("states a usable address for an IPv6 host", async () => {
    const server = await serve({ fetch: () => new Response("hello") }, { host: "::1" });
    expect(server.address).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect(await (await fetch(server.address)).text()).toBe("hello");
  });

  it("logs an error of the app and answers 500 without its message", async () => {
    const logged: [string, LogFields | undefined][] = [];
    const failure = new Error("the password is swordfish");
    const server = await listen({
      app: { fetch: () => Promise.reject(failure) },
      host: LOOPBACK,
      port: 0,
      log: { ...SILENT_LOG, error: (event, fields) => void logged.push([event, fields]) },
    });
    open.push(server);
    const response = await fetch(server.address);
    expect(response.status).toBe(500);
    expect(await response.text()).toBe("Internal error\n");
    expect(logged).toEqual([["request failed", { error: failure }]]);
  });

  it("answers 400 to a request with an invalid Host header", async () => {
    const server = await serve({ fetch: () => new Response("hello") });
    const answer = await ask(server, "GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).not.toContain("Error:");
  });

  it.each([
    ["http://evil.example/", LOOPBACK],
    ["http://evil.example:80/path", "127.0.0.1:80"],
    ["https://evil.example/", "localhost"],
    ["HTTP://evil.example/", LOOPBACK],
    ["http://127.0.0.1@evil.example/", LOOPBACK],
    ["http://127.0.0.1.evil.example/", LOOPBACK],
    ["http://127.0.0.1:8081/", "127.0.0.1:8080"],
    ["http:///path", LOOPBACK],
    ["http://[::1/", "[::1]"],
    ["http://127.0.0.1/", "evil.example"],
  ])("answers 400 to a request for %s with Host %s, without asking the app", async (target, host) => {
    const server = await serve({ fetch: () => new Response("hello") }, { answerDirectly: sayHello });
    const answer = await ask(server, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).not.toContain("hello");
  });

  it.each([
    ["http://127.0.0.1/path", LOOPBACK],
    ["http://127.0.0.1:80/path", LOOPBACK],
    ["http://LOCALHOST:8080/path", "localhost:8080"],
    ["/path?url=http://evil.example/", LOOPBACK],
  ])("answers a request for %s with Host %s", async (target, host) => {
    const server = await serve({ fetch: (request) => new Response(`at ${new URL(request.url).pathname}`) });
    const answer = await ask(server, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(answer).toContain("at /path");
  });

  it("names host, port and variable if the port is in use", async () => {
    const port = await occupyPort();
    const failure = serve({ fetch: () => new Response("hello") }, { port });
    await expect(failure).rejects.toThrow(ListenError);
    await expect(failure).rejects.toThrow(
      `PORT: 127.0.0.1:${port} is in use by another program; end it, or set PORT to a free port (0 picks any)`,
    );
  });

  it.each([
    ["203.0.113.7", /^HOST: 203\.0\.113\.7 is not an address of this machine/],
    ["no-such-host.invalid", /^HOST: the name no-such-host\.invalid does not resolve to an address/],
  ])("names the variable if the host is %s", async (host, message) => {
    await expect(serve({ fetch: () => new Response("hello") }, { host })).rejects.toThrow(message);
  });

  it("completes a request in progress before it closes, and accepts no new one", async () => {
    const asked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const server = await serve({
      async fetch() {
        asked.resolve();
        await release.promise;
        return new Response("at last");
      },
    });
    const answer = fetch(server.address).then((response) => response.text());
    await asked.promise;
    const closed = server.close();
    await expect(fetch(server.address)).rejects.toThrow("fetch failed");
    release.resolve();
    expect(await answer).toBe("at last");
    await closed;
  });

  it("aborts an endless answer three seconds after closing", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const endless = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("first words")) });
    const server = await serve({ fetch: () => new Response(endless) });
    const response = await fetch(server.address);
    const ended = vi.fn<() => void>();
    const body = response.text().finally(ended);
    const closed = server.close();
    vi.advanceTimersByTime(2_999);
    await expect(ask(server, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")).rejects.toThrow("ECONNREFUSED");
    expect(ended).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    await Promise.all([closed, expect(body).rejects.toThrow("terminated")]);
  });

  it("closes connections above the maximum number, and accepts new ones when others have ended", async () => {
    const server = await serve({ fetch: () => new Response("hello") }, { limits: { maxConnections: 1 } });
    const request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    const idle = connect(Number(new URL(server.address).port), LOOPBACK);
    await once(idle, "connect");
    await waitUntil("a further connection is closed", async () => (await askOrClosed(server, request)) === "closed");
    idle.destroy();
    await waitUntil("a new connection is accepted", async () => (await askOrClosed(server, request)) !== "closed");
    expect(await ask(server, request)).toContain("200 OK");
  });

  it("disconnects a client that does not complete its headers", async () => {
    const server = await serve({ fetch: () => new Response("hello") }, { limits: { headersTimeoutMs: 200 } });
    expect(await ask(server, "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("disconnects a client that does not complete its request", async () => {
    const server = await serve({ fetch: async (request) => new Response(await request.text()) }, { limits: SHORT });
    const answer = await ask(server, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nfirst words");
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe("host addresses", () => {
  it.each([
    ["127.0.0.1", "127.0.0.1:8080"],
    ["splits.example", "splits.example:8080"],
    ["::1", "[::1]:8080"],
    ["::", "[::]:8080"],
  ])("formats %s with a port as %s", (host, expected) => {
    expect(hostAndPort(host, 8080)).toBe(expected);
  });

  it.each([
    ["http://0.0.0.0:8080", "http://127.0.0.1:8080"],
    ["http://[::]:8080", "http://[::1]:8080"],
    ["http://10.0.0.0:8080", "http://10.0.0.0:8080"],
  ])("replaces wildcard addresses by loopback ones: %s becomes %s", (address, expected) => {
    expect(connectableAddress(address)).toBe(expected);
  });
});

interface ServeOptions {
  readonly host?: string;
  readonly port?: number;
  readonly answerDirectly?: AnswerDirectly;
  readonly limits?: Partial<ServerLimits>;
}

function sayHello(_: IncomingMessage, outgoing: ServerResponse): boolean {
  outgoing.end("hello");
  return true;
}

async function serve(app: FetchApp, options: ServeOptions = {}): Promise<HttpServer> {
  const server = await listen({ app, host: LOOPBACK, port: 0, log: SILENT_LOG, ...options });
  open.push(server);
  return server;
}

/** Sends the bytes and returns everything received until the server ends the connection. */
async function ask(server: HttpServer, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(server.address).port), LOOPBACK);
  socket.write(bytes);
  let answer = "";
  for await (const chunk of socket) answer += chunk;
  return answer;
}

/** As `ask`; `closed` if the connection is closed without an answer. */
async function askOrClosed(server: HttpServer, bytes: string): Promise<string> {
  return (await ask(server, bytes).catch(() => "")) || "closed";
}

async function occupyPort(): Promise<number> {
  const other: Server = createServer().listen(0, LOOPBACK);
  open.push(other);
  await once(other, "listening");
  return (other.address() as AddressInfo).port;
}
