import { compile, type DomNode, type FormatCallback, type HtmlToTextOptions } from "html-to-text";
import { decodeText } from "./decode-text.ts";
import { unreadable } from "./fetch-error.ts";
import { findElements, parseSelector, type Range, SKIPPED_ELEMENTS } from "./html-scan.ts";
import type { WebAnswer } from "./web-answer.ts";

/** Extracts the release from its page. Throws a FetchError if there is none. */
export type PageReader = (page: WebAnswer, heading: string) => string;

/** In characters; no release is longer, including its tables. */
const MAX_TEXT_LENGTH = 1_000_000;
/** In characters. A shorter container is filled by a script or contains something else. */
const MIN_RELEASE_LENGTH = 80;
/** Minimum for a whole page: the release, its heading and the text around it. */
const MIN_PAGE_LENGTH = 300;
/** Converting nested elements takes quadratic time. */
const TOO_COMPLEX = "the page is nested too deeply or has too many tags";
const TEXT_TYPES = /^\s*(?:text\/|application\/xhtml\+xml|$)/i;

export interface PageShape {
  /** Start tag of the element that follows the release within its container. */
  readonly end?: RegExp;
  /** Minimum length of a whole page, if no container is found. */
  readonly minPageLength?: number;
}

/** Containers for pages without a known container. */
const FALLBACK_CONTAINERS = ["article", "main", "body"];

/** @param containers Selectors of the element that contains the release, the most specific first. */
export function createPageReader(
  containers: readonly string[],
  { end, minPageLength = MIN_PAGE_LENGTH }: PageShape = {},
): PageReader {
  const selectors = [...containers, ...FALLBACK_CONTAINERS].map(parseSelector);
  return (page, heading) => {
    const html = truncateAt(end, htmlOf(page));
    const matches = findElements(html, selectors);
    if (matches === null) throw unreadable(page, TOO_COMPLEX);
    const isRelease = (text: string, isFallback: boolean): boolean =>
      isFallback ? text.length >= minPageLength && containsRelease(text, heading) : text.length >= MIN_RELEASE_LENGTH;
    for (const [index, ranges] of matches.entries()) {
      const text = textOf(html, ranges);
      if (isRelease(text, index >= containers.length)) return text;
    }
    throw unreadable(page, "no release was found on the page");
  };
}

/** Text of a whole HTML or text document. Throws a FetchError if it is another kind of file. */
export function documentText(document: WebAnswer): string {
  const html = htmlOf(document);
  if (findElements(html, []) === null) throw unreadable(document, TOO_COMPLEX);
  return textOf(html, [{ start: 0, end: html.length }]);
}

function truncateAt(end: RegExp | undefined, html: string): string {
  const endIndex = end === undefined ? -1 : html.search(end);
  return endIndex < 0 ? html : html.slice(0, endIndex);
}

function htmlOf(page: WebAnswer): string {
  const type = page.header("content-type");
  if (!TEXT_TYPES.test(type ?? "")) throw unreadable(page, `got ${type?.slice(0, 60)}, expected text/html`);
  return decodeText(page.body, type);
}

/** Text of ranges of a document, truncated. */
function textOf(html: string, ranges: readonly Range[]): string {
  const texts = ranges.map(({ start, end }) => convert(html.slice(start, end)));
  return texts
    .filter((text) => text !== "")
    .join("\n\n")
    .slice(0, MAX_TEXT_LENGTH);
}

/** In characters; the words of the heading are in the first paragraphs. */
const MAX_COMPARED_LENGTH = 100_000;

/** Whether the page has at least half of the heading's words; otherwise it is a notice or a list of other news. */
function containsRelease(text: string, heading: string): boolean {
  const words = wordsOf(heading);
  const pageWords = new Set(wordsOf(text.slice(0, MAX_COMPARED_LENGTH)));
  const matches = words.filter((word) => pageWords.has(word));
  return words.length > 0 && matches.length >= words.length / 2;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\d]{4,40}/gu) ?? [];
}

const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"];
const INLINE: ReadonlySet<string> = new Set("a b strong i em u span sup sub font small mark".split(" "));

/** In characters; a longer cell belongs to a layout table. */
const MAX_CELL_LENGTH = 400;
/** In characters, including the whitespace of the HTML. */
const MAX_RAW_CELL_LENGTH = 4_000;
const MAX_DEPTH = 200;

/** Writes a table row as `| cell | cell |`, and the row of a layout table as paragraphs. */
const formatRow: FormatCallback = (tr, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 });
  const cells = tr.children.filter(({ name }) => name === "td" || name === "th").map(cellText);
  const filled = cells.filter((cell) => cell !== "");
  if (filled.length > 1 && filled.every((cell) => cell.length <= MAX_CELL_LENGTH)) {
    builder.addInline(`| ${cells.join(" | ")} |`);
  } else walk(tr.children, builder);
  builder.closeBlock({ trailingLineBreaks: 1 });
};

/** Text of a cell, truncated beyond MAX_RAW_CELL_LENGTH. */
function cellText(cell: DomNode): string {
  let text = "";
  for (const node of nodesIn(cell)) {
    if (node.type === "text") text += (node.data ?? "").slice(0, MAX_RAW_CELL_LENGTH);
    else if (!INLINE.has(node.name ?? "")) text += " ";
    if (text.length > MAX_RAW_CELL_LENGTH) break;
  }
  return text.replace(/\s+/g, " ").trim();
}

function* nodesIn(top: DomNode): Generator<DomNode> {
  const stack = [top];
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node;
    // Comments have no children, contrary to their type.
    if ("children" in node && !SKIPPED_ELEMENTS.includes(node.name ?? "")) stack.push(...node.children.toReversed());
  }
}

const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  formatters: { row: formatRow },
  limits: { ellipsis: "", maxDepth: MAX_DEPTH },
  selectors: [
    { selector: "a", options: { ignoreHref: true } },
    { selector: "tr", format: "row" },
    { selector: "td", format: "block" },
    { selector: "th", format: "block" },
    { selector: "hr", format: "lineBreak" },
    { selector: "ul", options: { itemPrefix: "• " } },
    ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
    ...SKIPPED_ELEMENTS.map((selector) => ({ selector, format: "skip" })),
  ],
};

/** HTML → plain text: paragraphs separated by a blank line, a table row as `| cell | cell |`, links without their targets. */
const convertFragment = compile({ ...OPTIONS, baseElements: { selectors: [] } });

/** Converts a fragment, such as a heading or a teaser. Excessively nested HTML is returned unchanged. */
export function htmlToText(html: string): string {
  return findElements(html, []) === null ? tidy(html) : convert(html);
}

function convert(html: string): string {
  return tidy(/<\/?[a-z!]|&[#a-z]/i.test(html) ? convertFragment(html) : html);
}

function tidy(text: string): string {
  const lines = text.replaceAll("\0", "").split("\n");
  return lines
    .map((line) => line.trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
