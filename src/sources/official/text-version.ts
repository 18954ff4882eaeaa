import { createHash } from "node:crypto";

/** Short hash of a text, as the version of an entry of a list. */
export function textVersion(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
