import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { BoundedMap } from "../../lib/collections.ts";

const compress = promisify(gzip);

/** A value as JSON, in the encodings that the service offers. */
export interface JsonBody {
  readonly plain: Buffer;
  /** Strong entity tag of each encoding. */
  readonly etags: { readonly plain: string; readonly gzip: string };
  /** The compressed form, created by the first call. */
  gzip(): Promise<Buffer>;
}

export function createJsonBody(value: unknown): JsonBody {
  const plain = Buffer.from(JSON.stringify(value));
  const hash = createHash("sha256").update(plain).digest("base64url");
  let compressed: Promise<Buffer> | undefined;
  return {
    plain,
    etags: { plain: `"${hash}"`, gzip: `"${hash}-gzip"` },
    gzip: () => (compressed ??= compress(plain)),
  };
}

/** What a request accepts of a body: the encoding, and whether the caller's copy is current. */
export interface Negotiated {
  readonly isGzip: boolean;
  readonly isUnchanged: boolean;
}

/** The headers that `negotiate` reads. */
export type ConditionHeaders = Pick<IncomingHttpHeaders, "accept-encoding" | "if-none-match">;

/** Compares with the strong ETags of both encodings. Replaces hono's `compress`, which makes ETags weak. */
export function negotiate(headers: ConditionHeaders, { etags }: JsonBody): Negotiated {
  return {
    isGzip: acceptsGzip(headers["accept-encoding"] ?? ""),
    isUnchanged: matchesEtag(headers["if-none-match"], [etags.plain, etags.gzip]),
  };
}

/** Creates the JSON answer to a GET request: 304 if the caller's copy is current, compressed on request. */
export async function answerJson(body: JsonBody, { isGzip, isUnchanged }: Negotiated): Promise<Response> {
  const headers = {
    ETag: isGzip ? body.etags.gzip : body.etags.plain,
    Vary: "Accept-Encoding",
    // The address contains a key, so shared caches must not store the answer.
    "Cache-Control": "private, no-cache",
  };
  if (isUnchanged) return new Response(null, { status: 304, headers });
  const bytes = isGzip ? await body.gzip() : body.plain;
  return new Response(bytes as Buffer<ArrayBuffer>, {
    headers: {
      ...headers,
      "Content-Type": "application/json",
      "Content-Length": String(bytes.length),
      ...(isGzip && { "Content-Encoding": "gzip" }),
    },
  });
}

/** True if `If-None-Match` names one of the tags, by the weak comparison of RFC 9110, 13.1.2. */
function matchesEtag(ifNoneMatch: string | undefined, etags: readonly string[]): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  const tags = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return tags.some((tag) => etags.includes(tag));
}

/** Results of `prefersGzip` for recently received headers: clients send only a few different values. */
const gzipPreferences = new BoundedMap<string, boolean>(50);

function acceptsGzip(header: string): boolean {
  const known = gzipPreferences.get(header);
  if (known !== undefined) return known;
  const isPreferred = prefersGzip(header);
  gzipPreferences.set(header, isPreferred);
  return isPreferred;
}

/** True if `Accept-Encoding` allows gzip and doesn't prefer the uncompressed form. */
function prefersGzip(header: string): boolean {
  const weights = new Map(header.split(",").map(parseWeight));
  const weight = weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0;
  return weight > 0 && weight >= (weights.get("identity") ?? 0);
}

/** Parses `gzip;q=0.5` to `gzip` and 0.5. */
function parseWeight(member: string): [coding: string, weight: number] {
  const [coding = "", ...parameters] = member.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return [coding, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}
