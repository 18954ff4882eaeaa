import { textPieces } from "./text-pieces.ts";

/**
 * Removes control characters except tabs and line breaks, and bidirectional control marks, which can disguise a text.
 * Replaces each line break with `\n` and each lone surrogate with U+FFFD.
 */
export function sanitizeText(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
    .replace(/(?![\n\t])\p{Cc}|\p{Bidi_Control}/gu, "")
    .replace(/\p{Cs}/gu, "\uFFFD");
}

/** Truncates the text to at most `max` UTF-16 units, without splitting a character. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, Math.max(0, max - 1)).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** Truncates the text so that `encode(text)` has at most `max` UTF-16 units. `encode` must not shorten a text. */
export function cutEncoded(text: string, max: number, encode: (text: string) => string): string {
  const whole = text.length <= max ? encode(text) : null;
  if (whole !== null && whole.length <= max) return whole;
  let [low, high] = [0, Math.min(text.length, max)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (encode(cutText(text, middle)).length <= max) low = middle;
    else high = middle - 1;
  }
  return encode(cutText(text, low));
}

/** Control characters, bidirectional control marks and unpaired surrogates. */
const UNSAFE = /[\p{Cc}\p{Surrogate}\p{Bidi_Control}]/gu;

/** With the "…" of a truncated text. */
const MAX_EXCERPT_LENGTH = 81;

/** Text as one line of at most `max` characters, without unsafe characters and repeated spaces. */
export function oneLine(text: string, max: number): string {
  // The first cut limits the work on a huge text; the second one may split a surrogate pair.
  const short = text
    .slice(0, max * 2)
    .replace(/\s+/g, " ")
    .replace(UNSAFE, "")
    .trim();
  return short
    .slice(0, max)
    .replace(/\p{Surrogate}$/u, "")
    .trimEnd();
}

/** Text of at most `max` characters without unsafe characters; line breaks and tabs remain. */
export function multiLine(text: string, max: number): string {
  const lines = text.slice(0, max).replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  return textPieces(lines)
    .map((piece) => piece.replace(UNSAFE, (character) => (isWhiteSpace(character) ? character : "")))
    .join("");
}

function isWhiteSpace(character: string): boolean {
  return character === "\n" || character === "\t";
}

/** Beginning of unexpected content, on one line, for an error message. */
export function excerpt(text: string): string {
  return cutText(oneLine(text, MAX_EXCERPT_LENGTH + 1), MAX_EXCERPT_LENGTH);
}
