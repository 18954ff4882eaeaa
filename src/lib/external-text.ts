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

/** Control characters, bidirectional control marks and unpaired surrogates. */
const UNSAFE = /[\p{Cc}\p{Surrogate}\p{Bidi_Control}]/gu;

const MAX_EXCERPT_LENGTH = 80;

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
  const line = oneLine(text, MAX_EXCERPT_LENGTH + 1);
  return line.length > MAX_EXCERPT_LENGTH ? `${oneLine(line, MAX_EXCERPT_LENGTH)}…` : line;
}
