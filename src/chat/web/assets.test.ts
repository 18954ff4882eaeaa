import { describe, expect, it } from "vitest";
import { startWebPlatform } from "../../../test/support/web-platform-under-test.ts";

describe("the page", () => {
  it("has no external resources and no inline scripts or styles", async () => {
    const { request } = await startWebPlatform();
    const response = await request("/");
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const html = await response.text();
    expect(html).not.toMatch(/(?:src|href)="(?!\/assets\/|#)/);
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/);
  });

  it("is sent once with its files and revalidated afterwards", async () => {
    const { request } = await startWebPlatform();
    for (const path of ["/", "/assets/style.css", "/assets/favicon.svg"]) {
      const first = await request(path);
      const etag = first.headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[\w-]+"$/);
      const second = await request(path, { headers: { "if-none-match": `"other", W/${etag}` } });
      expect([second.status, await second.text()]).toEqual([304, ""]);
      expect((await request(path, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
    }
  });

  it("answers HEAD without a body", async () => {
    const { request } = await startWebPlatform();
    const response = await request("/", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });
});

describe("the page's files", () => {
  it.each([
    ["style.css", "text/css; charset=utf-8"],
    ["favicon.svg", "image/svg+xml"],
  ])("have the right content type: %s", async (name, type) => {
    const { request } = await startWebPlatform();
    expect((await request(`/assets/${name}`)).headers.get("content-type")).toBe(type);
  });

  it.each([
    "main.ts",
    "index.html",
    "nothing.js",
    "..%2fplatform.ts",
    "%2e%2e%2f%2e%2e%2fpackage.json",
    ".%2e%2fplatform.ts",
    "constructor",
    "__proto__",
    "sub/style.css",
  ])("exclude all other paths: /assets/%s is not found", async (name) => {
    const { request } = await startWebPlatform();
    expect((await request(`/assets/${name}`)).status).toBe(404);
  });
});
