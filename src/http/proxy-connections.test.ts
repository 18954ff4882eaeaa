import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { WebSocket as UndiciWebSocket } from "undici";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { startForwardProxy } from "../../test/support/forward-proxy.ts";
import { useProxies } from "../lib/proxies.ts";
import { createHttpClient } from "./client.ts";
import { createWebSocketAgent, proxyWebSockets } from "./proxy-connections.ts";

let port = 0;

/** A server with a certificate that nobody has signed, for requests and WebSockets. */
beforeEach(async () => {
  const [cert, key] = await Promise.all(
    ["localhost.crt", "localhost.key"].map((name) =>
      readFile(new URL(`../../test/fixtures/tls/${name}`, import.meta.url)),
    ),
  );
  const server = createServer({ cert, key }, (_, response) => response.end("answer"));
  new WebSocketServer({ server }).on("connection", (socket) => socket.send("hello"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  proxyWebSockets();
});

afterEach(() => {
  useProxies({});
  vi.unstubAllEnvs();
});

/** First message, or the error. The host name resolves only at the proxy. */
function helloOf(socket: WebSocket | UndiciWebSocket): Promise<string> {
  return new Promise((resolve) => {
    socket.addEventListener("message", ({ data }: { data: unknown }) => {
      resolve(String(data));
      socket.close();
    });
    socket.addEventListener("error", ({ error }: { error?: unknown }) => resolve(String(error)));
  });
}

const CLIENTS = {
  ws: () => new WebSocket(`wss://server.test:${port}/`, { handshakeTimeout: 30_000 }),
  undici: () => {
    const sockets: Socket[] = [];
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    const dispatcher = createWebSocketAgent((socket) => sockets.push(socket));
    return new UndiciWebSocket(`wss://server.test:${port}/`, { dispatcher });
  },
};

describe.each(Object.entries(CLIENTS))("a WebSocket of %s", (_, open) => {
  it("is opened through the proxy, encrypted to the server", async () => {
    const proxy = await startForwardProxy();
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    useProxies({ HTTPS_PROXY: proxy.address });
    expect(await helloOf(open())).toBe("hello");
    expect(proxy.asked).toEqual([`server.test:${port}`]);
  });

  it("isn't opened if the server's certificate isn't trusted", async () => {
    const proxy = await startForwardProxy();
    useProxies({ HTTPS_PROXY: proxy.address });
    expect(await helloOf(open())).not.toBe("hello");
    expect(proxy.asked).toEqual([`server.test:${port}`]);
  });
});

// undici reports no cause.
describe("the error of a WebSocket of ws", () => {
  it("states that the server's certificate isn't trusted", async () => {
    const proxy = await startForwardProxy();
    useProxies({ HTTPS_PROXY: proxy.address });
    expect(await helloOf(CLIENTS.ws())).toMatch(/self.signed certificate.*, through HTTPS_PROXY \(127\.0\.0\.1:\d+\)/);
  });

  it("names the variable without the password if the proxy refuses", async () => {
    const proxy = await startForwardProxy();
    useProxies({ HTTPS_PROXY: proxy.address.replace("proxy-password", "wrong-password") });
    const error = await helloOf(CLIENTS.ws());
    expect(error).toMatch(/the proxy answered 407, through HTTPS_PROXY \(127\.0\.0\.1:\d+\)/);
    expect(error).not.toContain("wrong-password");
  });
});

describe("an HTTP client", () => {
  it("sends requests through the proxy, encrypted to the server", async () => {
    const proxy = await startForwardProxy();
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    useProxies({ HTTPS_PROXY: proxy.address });
    const http = createHttpClient("test");
    onTestFinished(() => http.close());
    const { body } = await http.request(new URL(`https://server.test:${port}/`));
    expect([body.toString(), proxy.asked]).toEqual(["answer", [`server.test:${port}`]]);
  });

  it.each([
    ["http://127.0.0.1:1", /no connection \(ECONNREFUSED\), through HTTP_PROXY \(127\.0\.0\.1:1\)/],
    ["http://user:secret@127.0.0.1:1", /no connection \(ECONNREFUSED\), through HTTP_PROXY \(127\.0\.0\.1:1\)/],
  ])("names the variable of the proxy %s, at which nothing answers", async (address, message) => {
    useProxies({ HTTP_PROXY: address });
    const http = createHttpClient("test");
    onTestFinished(() => http.close());
    await expect(http.request(new URL("http://server.test/"))).rejects.toThrow(message);
  });

  it("that is direct uses no proxy", async () => {
    useProxies({ HTTPS_PROXY: "http://127.0.0.1:1" });
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const http = createHttpClient("test", {}, { isDirect: true });
    onTestFinished(() => http.close());
    expect((await http.request(new URL(`https://127.0.0.1:${port}/`))).body.toString()).toBe("answer");
  });
});
