import { describe, expect, it } from "vitest";
import { startWebPlatform, type WebPlatformUnderTest } from "../../../test/support/web-platform-under-test.ts";

const TOKEN = "the-token-of-this-test";

function signIn(under: WebPlatformUnderTest, token: string, headers: Record<string, string> = {}): Promise<Response> {
  return under.request("/login", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams({ token }).toString(),
  });
}

function cookieOf(response: Response): string {
  return (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

describe("with ADMIN_TOKEN", () => {
  it.each([
    ["GET", "/api/overview"],
    ["GET", "/api/messages"],
    ["GET", "/api/stream"],
    ["POST", "/api/command"],
    ["POST", "/api/complete"],
    ["POST", "/api/share"],
    ["GET", "/assets/chat.css"],
  ])("%s %s asks for it", async (method, path) => {
    const { request } = await startWebPlatform({ adminToken: TOKEN });
    for (const authorization of [undefined, "Bearer wrong", `Basic ${TOKEN}`, "Bearer", `Bearer ${TOKEN}x`]) {
      const response = await request(path, { method, headers: authorization === undefined ? {} : { authorization } });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
      expect(await response.json()).toMatchObject({ status: 401, code: "not-signed-in" });
    }
  });

  it("every Host is answered, because the token guards it", async () => {
    const { request } = await startWebPlatform({ adminToken: TOKEN });
    const headers = { host: "splits.example", authorization: `Bearer ${TOKEN}` };
    expect((await request("/", { headers })).status).toBe(200);
    expect((await request("/api/overview", { headers })).status).toBe(200);
  });

  it("a token in the address is no key", async () => {
    const { request } = await startWebPlatform({ adminToken: TOKEN });
    for (const query of [`token=${TOKEN}`, `access_token=${TOKEN}`, `ADMIN_TOKEN=${TOKEN}`]) {
      expect((await request(`/api/messages?${query}`)).status).toBe(401);
    }
  });

  it("the page is a form that asks for it, with its style and nothing else", async () => {
    const { request } = await startWebPlatform({ adminToken: TOKEN });
    const page = await request("/");
    expect(page.status).toBe(401);
    expect(page.headers.get("cache-control")).toBe("no-store");
    const html = await page.text();
    expect(html).toContain('<form method="post" action="/login">');
    expect(html).not.toContain("main.js");
    expect((await request("/assets/style.css")).status).toBe(200);
    expect((await request("/assets/favicon.svg")).status).toBe(200);
  });

  it("signing in gives a cookie that opens the page, and signing out takes it back", async () => {
    const under = await startWebPlatform({ adminToken: TOKEN });
    const response = await signIn(under, TOKEN);
    expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
    const attributes = response.headers.get("set-cookie") ?? "";
    expect(attributes).toMatch(/; HttpOnly/);
    expect(attributes).toMatch(/; SameSite=Strict/);
    expect(attributes).toMatch(/; Path=\//);
    expect(attributes).not.toMatch(/Secure/);
    expect(attributes).not.toContain(TOKEN);

    const cookie = cookieOf(response);
    expect((await under.request("/", { headers: { cookie } })).status).toBe(200);
    const overview = await under.request("/api/overview", { headers: { cookie } });
    expect(await overview.json()).toMatchObject({ signedIn: true });

    const out = await under.request("/logout", { method: "POST", headers: { cookie } });
    expect([out.status, cookieOf(out)]).toEqual([303, "splitwatch_session="]);
  });

  it.each([
    ["PUBLIC_URL is https", { publicUrl: "https://splits.example" }, {}],
    ["the request came to a proxy over https", {}, { "x-forwarded-proto": "https" }],
  ])("the cookie travels over https alone where %s", async (_, options, headers) => {
    const under = await startWebPlatform({ adminToken: TOKEN, ...options });
    const response = await signIn(under, TOKEN, headers);
    expect(response.headers.get("set-cookie")).toMatch(/; Secure/);
  });

  it("a wrong token is told so, gets no cookie, and is never repeated to the sender", async () => {
    const under = await startWebPlatform({ adminToken: TOKEN });
    const response = await signIn(under, "<b>wrong</b>");
    expect(response.status).toBe(401);
    expect(response.headers.get("set-cookie")).toBeNull();
    const html = await response.text();
    expect(html).toContain("Wrong token. Try again.");
    expect(html).not.toContain("wrong</b>");
  });

  it("guessing is answered with 429 and Retry-After", async () => {
    const under = await startWebPlatform({ adminToken: TOKEN });
    for (let guess = 0; guess < 20; guess += 1) await signIn(under, `guess ${guess}`);
    for (const response of [
      await signIn(under, TOKEN),
      await under.request("/api/overview", { headers: { authorization: `Bearer ${TOKEN}` } }),
    ]) {
      expect([response.status, response.headers.get("retry-after")]).toEqual([429, "1"]);
    }
    await under.clock.advance(2_000);
    expect((await signIn(under, TOKEN)).status).toBe(303);
  });

  it("another site can sign nobody in or out", async () => {
    const under = await startWebPlatform({ adminToken: TOKEN });
    const origin = "https://evil.example";
    expect((await signIn(under, TOKEN, { origin })).status).toBe(403);
    expect((await under.request("/logout", { method: "POST", headers: { origin } })).status).toBe(403);
  });

  it("a form of more than 16 kB is refused", async () => {
    const under = await startWebPlatform({ adminToken: TOKEN });
    expect((await signIn(under, "x".repeat(17_000))).status).toBe(413);
  });
});

describe("without ADMIN_TOKEN", () => {
  it("there is nothing to sign in to", async () => {
    const under = await startWebPlatform();
    expect((await signIn(under, "x")).status).toBe(404);
    expect(await (await under.request("/api/overview")).json()).toMatchObject({ signedIn: false });
  });
});
