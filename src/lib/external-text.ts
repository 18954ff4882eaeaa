/**
 * Removes control characters except tabs and line breaks, and marks of direction, which make `cod.exe` look like `exe.doc`. Replaces
 * lone surrogates.
 */
export function sanitizeText(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
    .replace(/(?![\n\t])\p{Cc}|[\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, "")
    .replace(/\p{Cs}/gu, "\uFFFD");
}

/** Cuts the text to at most `max` UTF-16 units, between characters. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, Math.max(0, max - 1)).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
