import { describe, expect, it } from "vitest";
import { startWebPlatform } from "../../../test/support/web-platform-under-test.ts";
import { isLoopbackHost } from "./guard.ts";

const PATHS = [
  "/",
  "/operator",
  "/operator/",
  "/assets/main.css",
  "/api/overview",
  "/api/messages",
  "/api/stream",
  "/api/nothing",
];

describe("a Host header", () => {
  it.each([
    "127.0.0.1",
    "127.0.0.1:8080",
    "127.1.2.3:1",
    "127.255.255.255",
    "localhost",
    "LocalHost:3000",
    "[::1]",
    "[::1]:8080",
  ])("with %s is a loopback name", (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  });

  it.each([
    "",
    "evil.example",
    "evil.example:8080",
    "localhost.evil.example",
    "evil.localhost.example",
    "127.0.0.1.evil.example",
    "127.0.0.256",
    "127.0.0",
    "128.0.0.1",
    "0.0.0.0",
    "10.0.0.1",
    "[::2]",
    "[::1].evil.example",
    "::1",
    "localhost:port",
    "localhost:8080:8080",
    "localhost@evil.example",
    "127.0.0.1\t",
  ])("with %j is not a loopback name", (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  });
});

describe("without ADMIN_TOKEN", () => {
  it.each(PATHS)("%s is rejected with the reason for a foreign Host", async (path) => {
    const { request } = await startWebPlatform();
    const response = await request(path, { headers: { host: "rebound.example:8080" } });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({
      code: "foreign-host",
      detail: expect.stringMatching(/rebound\.example:8080.*ADMIN_TOKEN/),
    });
  });

  it.each([
    ["forwarded", "for=203.0.113.7"],
    ["x-forwarded-for", "203.0.113.7"],
    ["x-forwarded-host", "splits.example"],
    ["x-real-ip", "203.0.113.7"],
    ["via", "1.1 proxy.example"],
  ])("a request with the proxy header %s is rejected, although its Host is a loopback name", async (name, value) => {
    const { request } = await startWebPlatform();
    for (const path of PATHS) {
      const response = await request(path, { headers: { host: "127.0.0.1:8080", [name]: value } });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: "forwarded", detail: expect.stringContaining(name) });
    }
    const guarded = await startWebPlatform({ adminToken: "the-token-of-this-test" });
    const headers = { [name]: value, authorization: "Bearer the-token-of-this-test" };
    expect((await guarded.request("/api/overview", { headers })).status).toBe(200);
  });

  it("rejects a command with a foreign Host before it runs", async () => {
    const lines: string[] = [];
    const { post } = await startWebPlatform({
      ask: async (line) => {
        lines.push(line);
        return { cards: [], shareable: false };
      },
    });
    const response = await post("/api/command", { name: "alice", line: "list" }, { host: "rebound.example" });
    expect(response.status).toBe(403);
    expect(lines).toEqual([]);
  });

  it("returns a short answer for a Host of any length", async () => {
    const { request } = await startWebPlatform();
    const response = await request("/", { headers: { host: "x".repeat(10_000) } });
    expect((await response.text()).length).toBeLessThan(1_000);
  });
});

describe("a state-changing request", () => {
  const command = { name: "alice", line: "list" };

  it.each([
    ["no Origin header, as from a script", {}],
    ["the page's own origin", { origin: "http://127.0.0.1:8080" }],
    ["Sec-Fetch-Site: same-origin", { "sec-fetch-site": "same-origin" }],
  ])("is accepted with %s", async (_, headers) => {
    const { post } = await startWebPlatform();
    expect((await post("/api/command", command, headers)).status).toBe(200);
  });

  it.each([
    ["another site", { origin: "https://evil.example" }],
    ["another port", { origin: "http://127.0.0.1:9090" }],
    ["another loopback name", { origin: "http://localhost:8080" }],
    ["an opaque origin", { origin: "null" }],
    ["Sec-Fetch-Site: cross-site", { "sec-fetch-site": "cross-site" }],
    ["Sec-Fetch-Site: same-site", { "sec-fetch-site": "same-site" }],
  ])("is rejected with %s", async (_, headers) => {
    const { post } = await startWebPlatform();
    for (const path of ["/api/command", "/api/complete", "/api/share"]) {
      const response = await post(path, command, headers);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: "foreign-origin" });
    }
  });

  it("is accepted from PUBLIC_URL's origin behind a proxy that sets its own Host", async () => {
    const { post } = await startWebPlatform({ publicUrl: "https://splits.example/" });
    expect((await post("/api/command", command, { origin: "https://splits.example" })).status).toBe(200);
    expect((await post("/api/command", command, { origin: "https://evil.example" })).status).toBe(403);
  });
});

describe("every response", () => {
  it.each([...PATHS, "/login"])("from %s has the security headers", async (path) => {
    const { request } = await startWebPlatform({ adminToken: "the-token-of-this-test" });
    const { headers } = await request(path);
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
  });

  it("from another part of the server is unchanged", async () => {
    const { platform } = await startWebPlatform({ adminToken: "the-token-of-this-test" });
    platform.app.get("/v1/splits", (c) => c.json({ data: [] }));
    const response = await platform.app.request("/v1/splits", { headers: { host: "anything.example" } });
    expect(response.status).toBe(200);
  });
});
