import type { WebAnswer } from "../sources/web/web.ts";

/** Headers of a conditional request for an address that was answered before; none if the answer has no validators. */
export function validatorsOf({ header }: WebAnswer): Readonly<Record<string, string>> {
  const etag = header("etag");
  const modified = header("last-modified");
  return { ...(etag && { "if-none-match": etag }), ...(modified && { "if-modified-since": modified }) };
}
