import { describe, expect, it } from "vitest";
import { growthFactor } from "../../../test/support/timing.ts";
import { startWebPlatform, type WebPlatformUnderTest } from "../../../test/support/web-platform-under-test.ts";
import { StoreError } from "../../ports/store.ts";
import { bearerTokenIn } from "./access.ts";

const TOKEN = "the-token-of-this-test";

function signIn(under: WebPlatformUnderTest, token: string, headers: Record<string, string> = {}): Promise<Response> {
  return under.request("/login", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams({ token }).toString(),
  });
}

function rejectWrite(): Promise<never> {
  return Promise.reject(new StoreError("cannot write changes-000001.log: ENOSPC"));
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
  ])("%s %s requires the token", async (method, path) => {
    const { request } = await startWebPlatform({ adminToken: TOKEN });
    for (const authorization of [undefined, "Bearer wrong", `Basic ${TOKEN}`, "Bearer", `Bearer ${TOKEN}x`]) {
      const response = await request(path, { method, headers: authorization === undefined ? {} : { authorization } });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
      expect(await response.json()).toMatchObject({ status: 401, code: "not-signed-in" });
    }
  });

  it("accepts any Host header, because the token protects the page", async () => {
    const { request } = await startWebPlatform({ adminToken: TOKEN });
    const headers = { host: "splits.example", authorization: `Bearer ${TOKEN}` };
    expect((await request("/", { headers })).status).toBe(200);
    expect((await request("/api/overview", { headers })).status).toBe(200);
  });

  it("ignores a token in the URL", async () => {
    const { request } = await startWebPlatform({ adminToken: TOKEN });
    for (const query of [`token=${TOKEN}`, `access_token=${TOKEN}`, `ADMIN_TOKEN=${TOKEN}`]) {
      expect((await request(`/api/messages?${query}`)).status).toBe(401);
    }
  });

  it("serves only the sign-in form and its stylesheet", async () => {
    const { request } = await startWebPlatform({ adminToken: TOKEN });
    const page = await request("/");
    expect(page.status).toBe(401);
    expect(page.headers.get("cache-control")).toBe("no-store");
    const html = await page.text();
    expect(html).toContain('<form method="post" action="/login">');
    expect(html).toMatch(/<input [^>]*name="token"[^>]* autofocus/);
    expect(html).not.toContain("main.js");
    expect((await request("/assets/style.css")).status).toBe(200);
    expect((await request("/assets/favicon.svg")).status).toBe(200);
  });

  it.each([
    ["/operator", "/operator"],
    ["//evil.example", "/"],
    ["https://evil.example/operator", "/"],
  ])("leads a reload of the form for %s to %s", async (page, location) => {
    const { request } = await startWebPlatform({ adminToken: TOKEN });
    const response = await request(`/login?page=${encodeURIComponent(page)}`);
    expect([response.status, response.headers.get("location")]).toEqual([303, location]);
  });

  it("sets a cookie that grants access on sign-in, and clears it on sign-out", async () => {
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

    const signOut = await under.request("/logout", { method: "POST", headers: { cookie } });
    expect([signOut.status, cookieOf(signOut)]).toEqual([303, "splitwatch_session="]);
  });

  it("rejects the cookie of a session that has signed out, and keeps other sessions", async () => {
    const under = await startWebPlatform({ adminToken: TOKEN });
    const [cookie, other] = [cookieOf(await signIn(under, TOKEN)), cookieOf(await signIn(under, TOKEN))];
    await under.request("/logout", { method: "POST", headers: { cookie } });
    const statusWith = async (path: string, one: string): Promise<number> =>
      (await under.request(path, { headers: { cookie: one } })).status;
    for (const path of ["/", "/api/overview", "/api/stream"]) expect(await statusWith(path, cookie)).toBe(401);
    for (const path of ["/", "/api/overview"]) expect(await statusWith(path, other)).toBe(200);
    await under.request("/logout", { method: "POST", headers: { cookie: "splitwatch_session=x" } });
    expect(await statusWith("/", other)).toBe(200);
  });

  it("says that signing in or out is not possible while the store fails, and keeps the session", async () => {
    const under = await startWebPlatform({ adminToken: TOKEN });
    const cookie = cookieOf(await signIn(under, TOKEN));
    Object.assign(under.store.sessions, { start: rejectWrite, end: rejectWrite });
    const refused = await signIn(under, TOKEN);
    expect([refused.status, refused.headers.get("set-cookie")]).toEqual([503, null]);
    expect(await refused.text()).toContain("The store isn't available");
    const signOut = await under.request("/logout", { method: "POST", headers: { cookie } });
    expect([signOut.status, signOut.headers.get("set-cookie")]).toEqual([503, null]);
    expect(await signOut.json()).toMatchObject({ code: "store-failed" });
    expect((await under.request("/", { headers: { cookie } })).status).toBe(200);
  });

  it.each([
    ["PUBLIC_URL is https", { publicUrl: "https://splits.example" }, {}],
    ["a proxy received the request over https", {}, { "x-forwarded-proto": "https" }],
  ])("marks the cookie as Secure if %s", async (_, options, headers) => {
    const under = await startWebPlatform({ adminToken: TOKEN, ...options });
    const response = await signIn(under, TOKEN, headers);
    expect(response.headers.get("set-cookie")).toMatch(/; Secure/);
  });

  it("rejects a wrong token without a cookie and without repeating the token", async () => {
    const under = await startWebPlatform({ adminToken: TOKEN });
    const response = await signIn(under, "<b>wrong</b>");
    expect(response.status).toBe(401);
    expect(response.headers.get("set-cookie")).toBeNull();
    const html = await response.text();
    expect(html).toContain("Wrong token. Try again.");
    expect(html).not.toContain("wrong</b>");
  });

  it("answers repeated guesses with 429 and Retry-After, and still accepts the right token", async () => {
    const under = await startWebPlatform({ adminToken: TOKEN });
    const overview = (token: string): Promise<Response> =>
      under.request("/api/overview", { headers: { authorization: `Bearer ${token}` } });
    for (let guess = 0; guess < 20; guess += 1) expect((await signIn(under, `guess ${guess}`)).status).toBe(401);
    for (const response of [await signIn(under, "guess"), await overview("guess")])
      expect([response.status, response.headers.get("retry-after")]).toEqual([429, "60"]);
    expect((await overview(TOKEN)).status).toBe(200);
    expect((await signIn(under, TOKEN)).status).toBe(303);
    await under.clock.advance(60_000);
    expect((await signIn(under, "guess")).status).toBe(401);
  });

  it.each([
    ["multipart/form-data", "no boundary"],
    ["multipart/form-data; boundary=x", "--x\r\nbroken"],
    ["application/x-www-form-urlencoded", "%"],
    ["text/plain", "token=x"],
  ])("rejects a body of type %s without a token", async (type, body) => {
    const under = await startWebPlatform({ adminToken: TOKEN });
    const response = await under.request("/login", { method: "POST", headers: { "content-type": type }, body });
    expect(response.status).toBe(401);
  });

  it("rejects sign-in and sign-out requests from another site", async () => {
    const under = await startWebPlatform({ adminToken: TOKEN });
    const origin = "https://evil.example";
    expect((await signIn(under, TOKEN, { origin })).status).toBe(403);
    expect((await under.request("/logout", { method: "POST", headers: { origin } })).status).toBe(403);
  });

  it("rejects a form larger than 16 kB", async () => {
    const under = await startWebPlatform({ adminToken: TOKEN });
    expect((await signIn(under, "x".repeat(17_000))).status).toBe(413);
  });
});

describe("without ADMIN_TOKEN", () => {
  it("offers no sign-in", async () => {
    const under = await startWebPlatform();
    expect((await signIn(under, "x")).status).toBe(404);
    expect(await (await under.request("/api/overview")).json()).toMatchObject({ signedIn: false });
  });
});

describe("the Authorization header", () => {
  it.each([
    ["Bearer abc", "abc"],
    ["bearer   abc  ", "abc"],
    ["BEARER a b", "a b"],
    ["Bearer", undefined],
    ["Bearer   ", undefined],
    ["Bearerabc", undefined],
    ["Basic abc", undefined],
    ["", undefined],
  ])("of %j contains the token %j", (header, token) => {
    expect(bearerTokenIn(header)).toBe(token);
  });

  it.each([
    ["before a no-break space", "", "\u00a0"],
    ["between letters", "a", "b"],
  ])("is read in time linear in its blanks %s", async (_, before, after) => {
    const read = (blanks: number): void => {
      bearerTokenIn(`Bearer${before}${" ".repeat(blanks)}${after}`);
    };
    expect(await growthFactor(read, 100_000)).toBeLessThan(8);
  });
});
