/** Control characters, direction overrides (they can make a text read as another) and halves of character pairs. */
const UNSAFE = /[\p{Cc}\p{Surrogate}\u202A-\u202E\u2066-\u2069]/gu;

/** One line: unsafe characters gone, runs of blanks made one, cut to `max` characters. */
export function oneLine(text: string, max: number): string {
  // The first cut spares the work on a huge text; the last one may split a pair, so what is unsafe goes after each.
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

/** A text of many lines: line breaks and tabs stay. */
export function manyLines(text: string, max: number): string {
  return text
    .slice(0, max)
    .replace(/\r\n?/g, "\n")
    .replace(UNSAFE, (character) => (character === "\n" || character === "\t" ? character : ""));
}

const EXCERPT = 80;

/** The beginning of something unexpected, fit for an error message. */
export function excerpt(text: string): string {
  const line = oneLine(text, EXCERPT + 1);
  return line.length > EXCERPT ? `${oneLine(line, EXCERPT)}…` : line;
}
