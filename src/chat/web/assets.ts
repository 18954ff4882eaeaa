import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

interface Asset {
  readonly body: string;
  readonly type: string;
}

/** The page's files, read at startup; no other file can be requested. */
export interface Assets {
  readonly page: Asset;
  /** The sign-in page, with the placeholder `<!-- message -->`. */
  readonly signIn: string;
  get(name: string): Asset | undefined;
}

export function readAssets(directory: URL): Assets {
  const path = fileURLToPath(directory);
  const files = new Map<string, Asset>();
  for (const name of readdirSync(path)) {
    const type = TYPES[extname(name)];
    if (type !== undefined) files.set(name, { body: readFileSync(join(path, name), "utf8"), type });
  }
  return {
    page: { body: readFileSync(join(path, "index.html"), "utf8"), type: "text/html; charset=utf-8" },
    signIn: readFileSync(join(path, "sign-in.html"), "utf8"),
    get: (name) => files.get(name),
  };
}

/** Browsers revalidate each time, so that an update shows immediately. */
export function serveAsset({ body, type }: Asset): Response {
  return new Response(body, { headers: { "content-type": type, "cache-control": "no-cache" } });
}
