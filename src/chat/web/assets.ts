import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { matchesEtag, strongEtag } from "../../http/etag.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

interface Asset {
  readonly body: string;
  readonly type: string;
  readonly etag: string;
}

/** The page's own files, read once: what is not here cannot be asked for. */
export interface Assets {
  readonly page: Asset;
  /** The sign-in page, with `<!-- message -->` where a word to the reader goes. */
  readonly signIn: string;
  get(name: string): Asset | undefined;
}

export function readAssets(directory: URL): Assets {
  const folder = fileURLToPath(directory);
  const files = new Map<string, Asset>();
  for (const name of readdirSync(folder)) {
    const type = TYPES[extname(name)];
    if (type !== undefined) files.set(name, assetOf(readFileSync(join(folder, name), "utf8"), type));
  }
  const html = readFileSync(join(folder, "index.html"), "utf8");
  return {
    page: assetOf(html.replace("<!-- modules -->", preloads([...files.keys()])), "text/html; charset=utf-8"),
    signIn: readFileSync(join(folder, "sign-in.html"), "utf8"),
    get: (name) => files.get(name),
  };
}

/** The asset, or 304 where the asker has it. Browsers ask each time, so that an update shows at once. */
export function serveAsset(asset: Asset, ifNoneMatch: string | undefined): Response {
  const headers = { "content-type": asset.type, etag: asset.etag, "cache-control": "no-cache" };
  return matchesEtag(ifNoneMatch, [asset.etag])
    ? new Response(null, { status: 304, headers })
    : new Response(asset.body, { headers });
}

function assetOf(body: string, type: string): Asset {
  return { body, type, etag: strongEtag(body) };
}

/** All modules are asked for at once, not each when the one before it has named it. */
function preloads(names: readonly string[]): string {
  const modules = names.filter((name) => extname(name) === ".js");
  return modules.map((name) => `<link rel="modulepreload" href="/assets/${name}" />`).join("\n    ");
}
