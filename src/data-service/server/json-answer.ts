import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);

/**
 * Creates the JSON answer to a GET request: 304 if the caller's copy is current, compressed on request. Each encoding has a
 * strong ETag, and both are accepted as current; hono's `compress` makes the ETag weak.
 */
export async function answerJson(request: Request, value: unknown): Promise<Response> {
  const plain = Buffer.from(JSON.stringify(value));
  const etags = { plain: strongEtag(plain), gzip: strongEtag(plain, "-gzip") };
  const isGzip = acceptsGzip(request.headers.get("Accept-Encoding") ?? "");
  const headers = {
    ETag: isGzip ? etags.gzip : etags.plain,
    Vary: "Accept-Encoding",
    // The address contains a key, so shared caches must not store the answer.
    "Cache-Control": "private, no-cache",
  };
  if (matchesEtag(request.headers.get("If-None-Match"), Object.values(etags))) {
    return new Response(null, { status: 304, headers });
  }
  const body = isGzip ? await compress(plain) : plain;
  return new Response(body, {
    headers: {
      ...headers,
      "Content-Type": "application/json",
      "Content-Length": String(body.length),
      ...(isGzip && { "Content-Encoding": "gzip" }),
    },
  });
}

/** Strong entity tag of a body. `variant` distinguishes encodings of the same content. */
function strongEtag(body: string | Uint8Array, variant = ""): string {
  return `"${createHash("sha256").update(body).digest("base64url")}${variant}"`;
}

/** True if `If-None-Match` names one of the tags, by the weak comparison of RFC 9110, 13.1.2. */
function matchesEtag(ifNoneMatch: string | null, etags: readonly string[]): boolean {
  if (ifNoneMatch?.trim() === "*") return true;
  const tags = ifNoneMatch?.match(/"[^"]*"/g) ?? [];
  return tags.some((tag) => etags.includes(tag));
}

/** True if `Accept-Encoding` allows gzip and doesn't prefer the uncompressed form. */
function acceptsGzip(header: string): boolean {
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
