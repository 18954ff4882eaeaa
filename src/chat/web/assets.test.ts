import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWebPlatform } from "../../../test/support/web-platform-under-test.ts";

describe("the page", () => {
  it("has no external resources and no inline scripts or styles", async () => {
    const { request } = await startWebPlatform();
    const response = await request("/");
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const html = await response.text();
    expect(html).not.toMatch(/(?:src|href)="(?!\/(?!\/)|#)/);
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

describe("the built page", () => {
  const folder = mkdtempSync(join(tmpdir(), "splitwatch-assets-"));
  const assetsDir = pathToFileURL(`${folder}/`);

  beforeAll(() => {
    const files = {
      "index.html":
        '<style>a > b {}</style><link href="/assets/icon.svg?v=abc"><script type="module" src="/assets/main-abcdefghijk_.js"></script>',
      "operator.html": "<style>c > d {}</style>",
      "sign-in.html": "",
      "main-abcdefghijk_.js": "plain",
      "main-abcdefghijk_.js.br": "as br",
      "main-abcdefghijk_.js.gz": "as gzip",
      "icon.svg": "<svg/>",
      "style.css": "only plain",
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ["gzip, deflate, br", "br", "as br"],
    ["gzip;q=1, br;q=0", "gzip", "as gzip"],
    ["deflate", null, "plain"],
    ["", null, "plain"],
  ])("is sent in the best form that the browser accepts: %j", async (accepted, encoding, body) => {
    const { request } = await startWebPlatform({ assetsDir });
    const response = await request("/assets/main-abcdefghijk_.js", { headers: { "accept-encoding": accepted } });
    expect(response.headers.get("content-encoding")).toBe(encoding);
    expect(response.headers.get("vary")).toBe("Accept-Encoding");
    expect(await response.text()).toBe(body);
  });

  it("is kept by browsers only under an address with its current version", async () => {
    const { request } = await startWebPlatform({ assetsDir });
    const cachingOf = async (path: string): Promise<string | null> =>
      (await request(path)).headers.get("cache-control");
    for (const path of ["/assets/main-abcdefghijk_.js", "/assets/icon.svg?v=abc"])
      expect(await cachingOf(path)).toBe("private, max-age=31536000, immutable");
    for (const path of [
      "/",
      "/assets/icon.svg",
      "/assets/icon.svg?v=old",
      "/assets/style.css",
      "/assets/style.css?v=abc",
    ])
      expect(await cachingOf(path)).toBe("no-cache");
  });

  it("allows its inline style by the hash, and no other", async () => {
    const { request } = await startWebPlatform({ assetsDir });
    const hashes = ["a > b {}", "c > d {}"].map((style) => createHash("sha256").update(style).digest("base64"));
    const policy = (await request("/")).headers.get("content-security-policy");
    expect(policy).toContain(`; style-src 'self' ${hashes.map((hash) => `'sha256-${hash}'`).join(" ")}; `);
  });

  it.each(["main-abcdefghijk_.js.br", "main-abcdefghijk_.js.gz"])(
    "is not sent in a form that was not asked for: /assets/%s",
    async (name) => {
      const { request } = await startWebPlatform({ assetsDir });
      expect((await request(`/assets/${name}`)).status).toBe(404);
    },
  );
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
