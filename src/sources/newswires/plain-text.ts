import { compile, type DomNode, type FormatCallback, type HtmlToTextOptions } from "html-to-text";

/** Not part of any text. */
const LEFT_OUT = [
  "img",
  "script",
  "style",
  "noscript",
  "template",
  "nav",
  "aside",
  "form",
  "button",
  "select",
  "iframe",
  "object",
  "svg",
  "video",
  "audio",
  "footer",
  "head",
];
const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"];

/** A cell longer than this is a page's layout, not a table's content. */
const LONGEST_CELL = 400;
/** With the blanks that its HTML is set with. */
const LONGEST_RAW_CELL = 4_000;
const MOST_DEPTH = 200;
const MOST_CHILDREN = 20_000;

/** What a page may hold at most: nesting costs the square of its depth. A release's page has some thousand tags. */
const MOST_TAGS = 100_000;
const MOST_OPEN = 2_000;
const TAG = /<(\/?)([a-z][a-z0-9:-]{0,30})/gi;
const VOID: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);

const row: FormatCallback = (tr, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 });
  const cells = tr.children.filter(({ name }) => name === "td" || name === "th").map(cellText);
  const filled = cells.filter((cell) => cell !== "");
  if (filled.length > 1 && filled.every((cell) => cell.length <= LONGEST_CELL)) {
    builder.addInline(`| ${cells.join(" | ")} |`);
  } else walk(tr.children, builder);
  builder.closeBlock({ trailingLineBreaks: 1 });
};

/** Cut off where it goes on and on, which is past the longest cell. */
function cellText(cell: DomNode): string {
  let text = "";
  for (const node of nodesIn(cell)) {
    if (node.type === "text") text += node.data ?? "";
    else if (!INLINE.has(node.name ?? "")) text += " ";
    if (text.length > LONGEST_RAW_CELL) break;
  }
  return text.replace(/\s+/g, " ").trim();
}

function* nodesIn(top: DomNode): Generator<DomNode> {
  const left = [top];
  for (let node = left.pop(); node; node = left.pop()) {
    yield node;
    // A comment has no children, whatever its type says.
    if ("children" in node && !LEFT_OUT.includes(node.name ?? "")) left.push(...node.children.toReversed());
  }
}

const INLINE: ReadonlySet<string> = new Set("a b strong i em u span sup sub font small mark".split(" "));

const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  formatters: { row },
  limits: { ellipsis: "", maxDepth: MOST_DEPTH, maxChildNodes: MOST_CHILDREN },
  selectors: [
    { selector: "a", options: { ignoreHref: true } },
    { selector: "tr", format: "row" },
    { selector: "td", format: "block" },
    { selector: "th", format: "block" },
    { selector: "hr", format: "lineBreak" },
    { selector: "ul", options: { itemPrefix: "• " } },
    ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
    ...LEFT_OUT.map((selector) => ({ selector, format: "skip" })),
  ],
};

/** HTML → plain text: paragraphs apart by a blank line, a table's row as `| cell | cell |`, links by their words alone. */
export type ToText = (html: string) => string;

/** Reads what stands in the elements that `selector` names; nothing where there are none. */
export function textIn(selector: string): ToText {
  const convert = compile({
    ...OPTIONS,
    baseElements: { selectors: [selector], orderBy: "occurrence", returnDomByDefault: false },
  });
  return (html) => tidy(convert(html));
}

const convertAll = compile({ ...OPTIONS, baseElements: { selectors: [] } });

/** Reads a fragment as a whole: a heading, a teaser. One made to hold us up stays as it is. */
export function textOf(html: string): string {
  const isHtml = /<\/?[a-z!]|&[#a-z]/i.test(html) && !isOverNested(html);
  return tidy(isHtml ? convertAll(html) : html);
}

/** True for HTML that would take unduly long to read. */
export function isOverNested(html: string): boolean {
  const open = new Map<string, number>();
  let opened = 0;
  let tags = 0;
  for (const [, closing, name = ""] of html.matchAll(TAG)) {
    const tag = name.toLowerCase();
    const now = open.get(tag) ?? 0;
    if (closing === "/" && now > 0) {
      open.set(tag, now - 1);
      opened--;
    } else if (closing === "" && !VOID.has(tag)) {
      open.set(tag, now + 1);
      opened++;
    }
    if (++tags > MOST_TAGS || opened > MOST_OPEN) return true;
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
