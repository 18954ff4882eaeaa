import { createHash } from "node:crypto";

/** Strong entity tag of a body. `variant` distinguishes encodings of the same content. */
export function strongEtag(body: string | Uint8Array, variant = ""): string {
  return `"${createHash("sha256").update(body).digest("base64url")}${variant}"`;
}

/** True if `If-None-Match` names one of the tags, by the weak comparison of RFC 9110, 13.1.2. */
export function matchesEtag(ifNoneMatch: string | null | undefined, etags: readonly string[]): boolean {
  if (ifNoneMatch?.trim() === "*") return true;
  const known = ifNoneMatch?.match(/"[^"]*"/g) ?? [];
  return known.some((etag) => etags.includes(etag));
}
