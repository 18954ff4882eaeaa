import { createHash } from "node:crypto";
import { extname } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Context } from "hono";
import { parseAccept } from "hono/utils/accept";
import { escapeMarkup } from "../../lib/markup.ts";
import type { PageLink } from "../platform-definition.ts";
import type { PageFiles } from "./page-files.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Name of a built script, which contains the version of its content. */
const VERSIONED_NAME = /-[\w-]{12}\.js$/;

/** Encodings of the compressed copies that the build writes beside a file, with their extensions. The preferred one is first. */
const ENCODINGS = { br: ".br", gzip: ".gz" } as const;

type Encoding = keyof typeof ENCODINGS | "identity";

interface Asset {
  readonly type: string;
  /** Value of `?v=` in the page's link to the file; null: part of the file's name. Undefined if there is none. */
  readonly version: string | null | undefined;
  readonly bodies: ReadonlyMap<Encoding, Uint8Array<ArrayBuffer>>;
}

/** The page's files, loaded at startup; no other file can be requested. */
export interface Assets {
  readonly page: Asset;
  readonly operatorPage: Asset;
  /** The sign-in page, with the placeholder `<!-- message -->`. */
  readonly signIn: string;
  /** Sources of the page's inline style in a content security policy. */
  readonly styleSources: readonly string[];
  get(name: string): Asset | undefined;
}

export function readAssets(page: PageFiles): Assets {
  const html = ["index.html", "operator.html"].map((name) => textOf(page, name)).join("\n");
  const versions = new Map(
    [...html.matchAll(/\/assets\/([\w.-]+)\?v=([\w-]+)/g)].map(([, name, version]) => [name, version]),
  );
  const files = new Map<string, Asset>();
  for (const name of page.keys()) {
    const type = TYPES[extname(name)];
    const version = VERSIONED_NAME.test(name) ? null : versions.get(name);
    if (type !== undefined) files.set(name, { type, version, bodies: bodiesOf(page, name) });
  }
  return {
    page: pageAsset(page, "index.html"),
    operatorPage: pageAsset(page, "operator.html"),
    signIn: textOf(page, "sign-in.html"),
    styleSources: [...html.matchAll(/<style>([^<]*)<\/style>/g)].map(([, style = ""]) => hashSource(style)),
    get: (name) => files.get(name),
  };
}

function fileOf(page: PageFiles, name: string): Uint8Array<ArrayBuffer> {
  const file = page.get(name);
  if (file === undefined) throw new Error(`The page has no file ${name}; build it again with \`npm run build\``);
  return file;
}

function textOf(page: PageFiles, name: string): string {
  return Buffer.from(fileOf(page, name)).toString("utf8");
}

function pageAsset(page: PageFiles, name: string): Asset {
  return { type: "text/html; charset=utf-8", version: undefined, bodies: bodiesOf(page, name) };
}

function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function bodiesOf(page: PageFiles, name: string): Asset["bodies"] {
  const bodies = new Map<Encoding, Uint8Array<ArrayBuffer>>([["identity", fileOf(page, name)]]);
  for (const [encoding, extension] of Object.entries(ENCODINGS) as [Encoding, string][]) {
    const compressed = page.get(name + extension);
    if (compressed !== undefined) bodies.set(encoding, compressed);
  }
  return bodies;
}

/** Browsers keep a file requested with its version. They revalidate other files, so that an update shows immediately. */
export function serveAsset({ type, version, bodies }: Asset, c: Context): Response {
  const encoding = encodingFor(c, bodies);
  const isPermanent =
    version !== undefined && (version === null || new URL(c.req.url).searchParams.get("v") === version);
  const headers = {
    "content-type": type,
    "cache-control": isPermanent ? "private, max-age=31536000, immutable" : "no-cache",
    vary: "Accept-Encoding",
    ...(encoding !== "identity" && { "content-encoding": encoding }),
  };
  return new Response(bodies.get(encoding), { headers });
}

function encodingFor(c: Context, bodies: Asset["bodies"]): Encoding {
  const accepted = parseAccept(c.req.header("accept-encoding") ?? "").filter(({ q }) => q > 0);
  const encodings = Object.keys(ENCODINGS) as (keyof typeof ENCODINGS)[];
  return (
    encodings.find((encoding) => bodies.has(encoding) && accepted.some(({ type }) => type === encoding)) ?? "identity"
  );
}

const COMPRESSION = { br: brotliCompressSync, gzip: gzipSync, identity: (html: Buffer) => html } as const;

/** Adds links to the page's head, in each of its encodings. */
export function withLinks(page: Asset, links: readonly PageLink[]): Asset {
  if (links.length === 0) return page;
  const tags = links.map(
    ({ type, title, path }) =>
      `<link rel="alternate" type="${escapeMarkup(type)}" title="${escapeMarkup(title)}" href="${escapeMarkup(path)}" />`,
  );
  const html = Buffer.from(page.bodies.get("identity") ?? []).toString("utf8");
  const linked = Buffer.from(html.replace("</head>", `${tags.join("")}</head>`));
  const bodies = [...page.bodies.keys()].map(
    (encoding) => [encoding, new Uint8Array(COMPRESSION[encoding](linked))] as const,
  );
  return { ...page, bodies: new Map(bodies) };
}
