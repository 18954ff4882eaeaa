import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startWebPlatform } from "../../../test/support/web-platform-under-test.ts";

const folder = mkdtempSync(join(tmpdir(), "splitwatch-links-"));
const assetsDir = pathToFileURL(`${folder}/`);
const PAGE = "<html><head><title>t</title></head><body></body></html>";
const LINKS = [{ type: "application/atom+xml", title: 'All "new" alerts', path: "/feeds/alerts.atom" }];
const LINKED = PAGE.replace(
  "</head>",
  '<link rel="alternate" type="application/atom+xml" title="All &quot;new&quot; alerts" href="/feeds/alerts.atom" /></head>',
);

beforeAll(() => {
  const files = { "index.html": PAGE, "index.html.br": brotliCompressSync(PAGE), "index.html.gz": gzipSync(PAGE) };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  for (const name of ["sign-in.html", "operator.html"]) writeFileSync(join(folder, name), "");
});

afterAll(() => rmSync(folder, { recursive: true }));

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body };

it.each(["br", "gzip", "identity"] as const)(
  "has the links of platforms in its head, encoded as %s",
  async (encoding) => {
    const { request } = await startWebPlatform({ assetsDir, pageLinks: LINKS });
    const response = await request("/", { headers: { "accept-encoding": encoding } });
    expect(response.headers.get("content-encoding") ?? "identity").toBe(encoding);
    const body = Buffer.from(await response.arrayBuffer());
    expect(DECODERS[encoding](body).toString()).toBe(LINKED);
  },
);

it("stays as it was built without links", async () => {
  const { request } = await startWebPlatform({ assetsDir });
  expect(await (await request("/")).text()).toBe(PAGE);
});
