import { escapeMarkup, xmlElement } from "../lib/markup.ts";

/** Markup of one line of text. It starts at `x` unless the attribute `text-anchor` is set. */
export function svgText(x: number, y: number, text: string, attributes: Parameters<typeof xmlElement>[1]): string {
  return xmlElement("text", { x, y, ...attributes }, svgLine(text));
}

/** Text as markup, on one line. */
export function svgLine(text: string): string {
  return escapeMarkup(sanitize(text));
}

/** Removes invisible characters and bidirectional controls. */
function sanitize(text: string): string {
  return text.replace(/[\s\u0085]+/g, " ").replace(/\p{Cc}|[\p{Bidi_Control}\u200B-\u200D\u2060-\u2069\uFEFF]/gu, "");
}

export type Weight = "normal" | "bold";

/** Truncates a text to an estimated width in pixels, and appends "…" if it was truncated. */
export function fitText(text: string, width: number, fontSize: number, weight: Weight = "normal"): string {
  const characters = Array.from(sanitize(text.slice(0, 500)).trim());
  const maxRelativeWidth = width / (fontSize * (weight === "bold" ? BOLD_FACTOR : 1));
  let [end, usedWidth, fittingCount] = [0, 0, 0];
  for (; end < characters.length; end += 1) {
    usedWidth += widthOf(characters[end] ?? "");
    if (usedWidth > maxRelativeWidth) break;
    if (usedWidth + ELLIPSIS_WIDTH <= maxRelativeWidth) fittingCount = end + 1;
  }
  return end === characters.length ? characters.join("") : `${characters.slice(0, fittingCount).join("").trimEnd()}…`;
}

/** First of the descending `sizes` at which the text fits `width`, or the last size if it never fits. */
export function fitFontSize(text: string, width: number, sizes: readonly number[], weight: Weight): number {
  const fullText = sanitize(text).trim();
  return sizes.find((size) => fitText(text, width, size, weight) === fullText) ?? sizes.at(-1) ?? 0;
}

const BOLD_FACTOR = 1.13;
const ELLIPSIS_WIDTH = 1;

const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/^[iljIJ'|]$/, 0.3],
  [/^[ .,:;!()/frt-]$/, 0.4],
  [/^[mwMW@%]$/, 1],
  [/^[a-z0-9]$/, 0.64],
  [/^[\u0020-\u024F]$/, 0.79],
  // Combining marks have no width.
  [/^\p{M}$/u, 0],
  [/^[\u0370-\u10FF]$/, 0.85],
];

/** Upper estimate of a character's width in DejaVu Sans, relative to the font size. */
function widthOf(character: string): number {
  return WIDTHS.find(([pattern]) => pattern.test(character))?.[1] ?? 1.1;
}
