/** Maximum length of a text from outside to which patterns are applied at once. */
export const MAX_PATTERN_LENGTH = 4_000;

const SEPARATOR = /[\s,]/;

/**
 * Cuts a text into pieces of at most 4,000 characters, after white space or a comma if possible, and never within a surrogate pair.
 * The joined pieces are the text.
 */
export function textPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

function endOfPiece(text: string, start: number): number {
  const max = start + MAX_PATTERN_LENGTH;
  if (max >= text.length) return text.length;
  for (let end = max; end > start; end -= 1) if (SEPARATOR.test(text.charAt(end - 1))) return end;
  return /[\uD800-\uDBFF]/.test(text.charAt(max - 1)) ? max - 1 : max;
}
