import { compile, type DomNode, type FormatCallback, type HtmlToTextOptions } from "html-to-text";
import { decodeText } from "./decode-text.ts";
import { unreadable } from "./fetch-error.ts";
import type { WebAnswer } from "./web.ts";

/** Extracts the release from its page. Throws a FetchError if there is none. */
export type PageReader = (page: WebAnswer, heading: string) => string;

/** Longer than any release with its tables. */
const MAX_TEXT_LENGTH = 1_000_000;
/** A shorter container is filled by a script later, or holds something else. */
const MIN_RELEASE_LENGTH = 80;
/** Minimum for a whole page: the release, its heading and the text around it. */
const MIN_PAGE_LENGTH = 300;
const TEXT_TYPES = /^\s*(?:text\/|application\/xhtml\+xml|$)/i;

export interface PageShape {
  /** Start tag of the element that follows the release within its container. */
  readonly end?: RegExp;
  /** Minimum length of a whole page, if no container is found. */
  readonly minPageLength?: number;
}

/** @param containers Selectors of the element that holds the release, the most specific first. */
export function pageReader(
  containers: readonly string[],
  { end, minPageLength = MIN_PAGE_LENGTH }: PageShape = {},
): PageReader {
  const converters = containers.map(converterFor);
  return (page, heading) => {
    const html = upTo(end, htmlOf(page));
    const text = firstText(converters, html, (found) => found.length >= MIN_RELEASE_LENGTH);
    const found =
      text ??
      firstText(FALLBACK_CONVERTERS, html, (whole) => whole.length >= minPageLength && holdsRelease(whole, heading));
    if (found === undefined) throw unreadable(page, "no release was found on the page");
    return found.slice(0, MAX_TEXT_LENGTH);
  };
}

/** Text of a whole HTML or text document. Throws a FetchError if it is another kind of file. */
export function documentText(document: WebAnswer): string {
  return htmlToText(htmlOf(document)).slice(0, MAX_TEXT_LENGTH);
}

function upTo(end: RegExp | undefined, html: string): string {
  const at = end === undefined ? -1 : html.search(end);
  return at < 0 ? html : html.slice(0, at);
}

function htmlOf(page: WebAnswer): string {
  const type = page.header("content-type");
  if (!TEXT_TYPES.test(type ?? "")) throw unreadable(page, `got ${type?.slice(0, 60)}, expected text/html`);
  const html = decodeText(page.body, type);
  if (isOverNested(html)) throw unreadable(page, "the page is nested too deeply or has too many tags");
  return html;
}

function firstText(
  converters: readonly Converter[],
  html: string,
  fits: (text: string) => boolean,
): string | undefined {
  for (const convert of converters) {
    const text = convert(html);
    if (fits(text)) return text;
  }
  return undefined;
}

/** Whether the page has at least half of the heading's words; otherwise it is a notice or a list of other news. */
function holdsRelease(text: string, heading: string): boolean {
  const words = wordsOf(heading);
  const onPage = new Set(wordsOf(text));
  const found = words.filter((word) => onPage.has(word));
  return words.length > 0 && found.length >= words.length / 2;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\d]{4,40}/gu) ?? [];
}

const SKIPPED_ELEMENTS =
  "img script style noscript template nav aside form button select iframe object svg video audio footer head".split(
    " ",
  );
const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"];
const INLINE: ReadonlySet<string> = new Set("a b strong i em u span sup sub font small mark".split(" "));

/** A longer cell belongs to a layout table. */
const MAX_CELL_LENGTH = 400;
/** Including the whitespace of its HTML. */
const MAX_RAW_CELL_LENGTH = 4_000;
const MAX_DEPTH = 200;
const MAX_CHILDREN = 20_000;

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
    if (node.type === "text") text += node.data ?? "";
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
  limits: { ellipsis: "", maxDepth: MAX_DEPTH, maxChildNodes: MAX_CHILDREN },
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
type Converter = (html: string) => string;

/** Converts the elements that match the selector; returns "" if there are none. */
function converterFor(selector: string): Converter {
  const convert = compile({
    ...OPTIONS,
    baseElements: { selectors: [selector], orderBy: "occurrence", returnDomByDefault: false },
  });
  return (html) => tidy(convert(html));
}

/** For a page without any of the known containers. */
const FALLBACK_CONVERTERS = ["article", "main", "body"].map(converterFor);

const convertFragment = compile({ ...OPTIONS, baseElements: { selectors: [] } });

/** Converts a whole fragment, such as a heading or a teaser. Excessively nested HTML is returned unchanged. */
export function htmlToText(html: string): string {
  const isHtml = /<\/?[a-z!]|&[#a-z]/i.test(html) && !isOverNested(html);
  return tidy(isHtml ? convertFragment(html) : html);
}

/** A release's page has some thousand tags. Converting nested tags takes quadratic time. */
const MAX_TAGS = 100_000;
const MAX_OPEN_TAGS = 2_000;
const TAG = /<(\/?)([a-z][a-z0-9:-]{0,30})/gi;
const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);

/** Whether the HTML would take too long to convert. */
function isOverNested(html: string): boolean {
  const openByName = new Map<string, number>();
  let open = 0;
  let tags = 0;
  for (const [, closing, name = ""] of html.matchAll(TAG)) {
    const tag = name.toLowerCase();
    const sameOpen = openByName.get(tag) ?? 0;
    if (closing === "/" && sameOpen > 0) {
      openByName.set(tag, sameOpen - 1);
      open--;
    } else if (closing === "" && !VOID_ELEMENTS.has(tag)) {
      openByName.set(tag, sameOpen + 1);
      open++;
    }
    if (++tags > MAX_TAGS || open > MAX_OPEN_TAGS) return true;
  }
  return false;
}

function tidy(text: string): string {
  const lines = text.replaceAll("\0", "").split("\n");
  return lines
    .map((line) => line.trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
