/** SVG by hand: everything that is drawn goes through here, so that text from outside is text and nothing else. */

type Attributes = Readonly<Record<string, string | number>>;

/** An element; what stands in `children` is markup already. */
export function svgElement(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`);
  return `<${name}${written.join("")}>${children.join("")}</${name}>`;
}

/** A line of text, its left end at `x`, or its end or middle with `text-anchor`. */
export function svgText(x: number, y: number, text: string, attributes: Attributes): string {
  return svgElement("text", { x, y, ...attributes }, escapeXml(text));
}

/** As text in markup, or within the quotation marks of an attribute. */
export function escapeXml(text: string): string {
  return sanitize(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Without what XML does not allow, what nobody sees, and the marks that turn the direction of writing round. */
function sanitize(text: string): string {
  return text
    .replace(/[\p{Cs}\uFFFE\uFFFF]/gu, "\uFFFD")
    .replace(/[\s\u0085]+/g, " ")
    .replace(/\p{Cc}|[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu, "");
}

/** Bold letters are wider. */
export type Weight = "normal" | "bold";

/** The longest beginning that is surely not wider than `width`, with "…" where something is left out. */
export function fitText(text: string, width: number, fontSize: number, weight: Weight = "normal"): string {
  const characters = Array.from(sanitize(text.slice(0, 500)).trim());
  const room = width / (fontSize * (weight === "bold" ? BOLD_FACTOR : 1));
  let [end, used, withDots] = [0, 0, 0];
  for (; end < characters.length; end += 1) {
    used += widthOf(characters[end] ?? "");
    if (used > room) break;
    if (used + ELLIPSIS_WIDTH <= room) withDots = end + 1;
  }
  return end === characters.length ? characters.join("") : `${characters.slice(0, withDots).join("").trimEnd()}…`;
}

/** The first of the sizes, the largest before the others, in which the whole text is not wider than `width`; else the last. */
export function fitFontSize(text: string, width: number, sizes: readonly number[], weight: Weight): number {
  const whole = sanitize(text).trim();
  return sizes.find((size) => fitText(text, width, size, weight) === whole) ?? sizes.at(-1) ?? 0;
}

const BOLD_FACTOR = 1.13;
const ELLIPSIS_WIDTH = 1;

const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/^[iljIJ'|]$/, 0.3],
  [/^[ .,:;!()/frt-]$/, 0.4],
  [/^[mwMW@%]$/, 1],
  [/^[a-z0-9]$/, 0.64],
  [/^[\u0020-\u024F]$/, 0.79],
  // Marks that stand on the character before them.
  [/^\p{M}$/u, 0],
  [/^[\u0370-\u10FF]$/, 0.85],
];

/** Of a character in DejaVu Sans, of the font's size: rather too much than too little. */
function widthOf(character: string): number {
  return WIDTHS.find(([form]) => form.test(character))?.[1] ?? 1.1;
}
