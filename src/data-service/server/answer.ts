import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);

/**
 * The answer to a GET of `value`: 304 when the caller has this content already, compressed when asked for. The entity
 * tag is strong, so each encoding has its own: hono's `compress` would leave only a weak one.
 */
export async function answerJson(request: Request, value: unknown): Promise<Response> {
  const plain = Buffer.from(JSON.stringify(value));
  const digest = createHash("sha256").update(plain).digest("base64url");
  const zipped = acceptsGzip(request.headers.get("Accept-Encoding") ?? "");
  const tags = { plain: `"${digest}"`, zipped: `"${digest}-gzip"` };
  const headers = {
    ETag: zipped ? tags.zipped : tags.plain,
    Vary: "Accept-Encoding",
    // The address holds a key, so no shared cache keeps the answer; the caller's own asks each time whether it still holds.
    "Cache-Control": "private, no-cache",
  };
  // Who has the content in the other encoding need not load it again.
  if (isKnown(request.headers.get("If-None-Match"), Object.values(tags))) {
    return new Response(null, { status: 304, headers });
  }
  const body = zipped ? await compress(plain) : plain;
  return new Response(body, {
    headers: {
      ...headers,
      "Content-Type": "application/json",
      "Content-Length": String(body.length),
      ...(zipped ? { "Content-Encoding": "gzip" } : {}),
    },
  });
}

/** The weak comparison of RFC 9110, 13.1.2: a `W/` in front of a tag does not matter. */
function isKnown(ifNoneMatch: string | null, tags: readonly string[]): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  const known = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return known.some((tag) => tags.includes(tag));
}

/** Whether `Accept-Encoding` allows gzip and does not prefer the plain form. */
function acceptsGzip(header: string): boolean {
  const weights = new Map(header.split(",").map(readWeight));
  const weight = weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0;
  return weight > 0 && weight >= (weights.get("identity") ?? 0);
}

/** `gzip;q=0.5` → `gzip`, 0.5 */
function readWeight(member: string): [coding: string, weight: number] {
  const [coding = "", ...parameters] = member.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return [coding, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}
