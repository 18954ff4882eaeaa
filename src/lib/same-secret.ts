import { createHash, timingSafeEqual } from "node:crypto";

/** Compares in constant time; hashing makes both sides the same length. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
