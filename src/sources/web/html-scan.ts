/** Elements that the conversion to text skips. */
export const SKIPPED_ELEMENTS =
  "img script style noscript template nav aside form button select iframe object svg video audio footer head".split(
    " ",
  );

const WEB_PAGE = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)?(?:<!doctype\s+html|<html)/i;

/** Whether the text begins as an HTML document. */
export function isWebPage(text: string): boolean {
  return WEB_PAGE.test(text);
}

/**
 * Content of the first of the elements, such as `h1` or `h[1-6]`; undefined without one that ends within `maxLength` characters.
 * @param elements Regular expression of names.
 */
export function firstElement(html: string, elements: string, maxLength: number): string | undefined {
  const start = new RegExp(String.raw`<(?:${elements})\b[^>]{0,500}>`, "i").exec(html);
  if (start === null) return undefined;
  const content = html.slice(start.index + start[0].length).slice(0, maxLength);
  const end = content.search(new RegExp(String.raw`</(?:${elements})\b`, "i"));
  return end < 0 ? undefined : content.slice(0, end);
}

const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);
const RAW_TEXT_ELEMENTS: ReadonlySet<string> = new Set(["script", "style", "textarea"]);
/** Elements that can only be converted as a whole. */
const INDIVISIBLE_ELEMENTS: ReadonlySet<string> = new Set(["ul", "ol", "dl", "pre", "blockquote", ...SKIPPED_ELEMENTS]);
const BLOCK_ELEMENTS: ReadonlySet<string> = new Set("p div section article table h1 h2 h3 h4 h5 h6".split(" "));

/** A page has a few thousand tags. Converting nested tags takes quadratic time. */
const MAX_TAGS = 100_000;
const MAX_OPEN_TAGS = 2_000;
/** Target size of the parts, which are converted one by one. A part takes a few milliseconds. */
const PART = { chars: 64 * 1024, tags: 4_000 } as const;
/** Limit for a part that can't be divided, such as a list. */
const MAX_PART = { chars: 512 * 1024, tags: 30_000 } as const;

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Elements of an HTML document, found without building a tree. */
export interface HtmlScan {
  /** The outermost elements that match each selector. */
  readonly matches: readonly (readonly Range[])[];
  /** Positions after elements at which the document can be divided. */
  readonly cuts: readonly number[];
}

interface Selector {
  readonly tag: string | undefined;
  readonly attribute: string | undefined;
  readonly value: string;
}

const SELECTOR = /^([a-z][a-z0-9]*)?(?:#([\w-]+)|\.([\w-]+)|\[([\w-]+)="([^"]+)"\])?$/;

/** Parses `tag`, `#id`, `.class` or `[attribute="value"]`, the latter three also after a tag. */
export function parseSelector(text: string): Selector {
  const [match, tag, id, className, attribute, value] = SELECTOR.exec(text) ?? [];
  if (match === undefined || match === "")
    throw new Error(`${text} is not a supported selector: expected tag, #id, .class or [attribute="value"]`);
  if (id !== undefined) return { tag, attribute: "id", value: id };
  if (className !== undefined) return { tag, attribute: "class", value: className };
  return { tag, attribute, value: value ?? "" };
}

const TOKEN = /<!--|<(\/?)([a-z][a-z0-9:-]{0,30})/gi;
const MAX_TAG_LENGTH = 2_000;
const ATTRIBUTES = /^(?:[^"'>]|"[^"]*"|'[^']*')*/;

interface OpenElement {
  readonly name: string;
  readonly start: number;
  /** Indexes of the selectors of which this element is the outermost match. */
  readonly matched: readonly number[];
  /** Ancestor counts before the element was opened; restored when it ends. */
  readonly ancestors: AncestorCounts;
}

/**
 * Numbers of open elements that determine where a document can be divided. Within an element that matches a selector, only
 * the elements inside it count, because that element is converted alone.
 */
interface AncestorCounts {
  readonly tables: number;
  readonly indivisible: number;
}

const NO_ANCESTORS: AncestorCounts = { tables: 0, indivisible: 0 };

/** Scans a document in linear time; null if it is nested too deeply, or has too many tags or too large a part. */
export function scanHtml(html: string, selectors: readonly Selector[]): HtmlScan | null {
  const scanner = new HtmlScanner(html, selectors);
  return scanner.scan() ? scanner : null;
}

class HtmlScanner implements HtmlScan {
  readonly matches: Range[][];
  readonly cuts: number[] = [];
  readonly #html: string;
  readonly #selectors: readonly Selector[];
  readonly #open: OpenElement[] = [];
  readonly #openByName = new Map<string, number>();
  /** For each selector, whether an element that it matches is open. */
  readonly #hasOpenMatch: boolean[];
  #ancestors = NO_ANCESTORS;
  #tags = 0;
  #tagsAtCut = 0;
  #lastCut = 0;

  constructor(html: string, selectors: readonly Selector[]) {
    this.#html = html;
    this.#selectors = selectors;
    this.matches = selectors.map(() => []);
    this.#hasOpenMatch = selectors.map(() => false);
  }

  scan(): boolean {
    const token = new RegExp(TOKEN);
    for (let match = token.exec(this.#html); match !== null; match = token.exec(this.#html)) {
      // Checks the part before the tag, because a cut after the tag can't make that part smaller.
      if (this.#isPartTooLarge(match.index)) return false;
      token.lastIndex = this.#read(match, token.lastIndex);
      if (++this.#tags > MAX_TAGS || this.#open.length > MAX_OPEN_TAGS) return false;
    }
    while (this.#open.length > 0) this.#end(this.#html.length);
    return !this.#isPartTooLarge(this.#html.length);
  }

  /** Reads a token and returns where to search for the next: after a comment or the text of a script, otherwise at `end`. */
  #read({ 0: text, 1: slash, 2: tagName = "", index }: RegExpExecArray, end: number): number {
    const name = tagName.toLowerCase();
    if (text === "<!--") return this.#positionAfter("-->", index);
    if (slash === "/") this.#close(name, index);
    else if (!VOID_ELEMENTS.has(name)) this.#begin(name, index, end);
    return slash === "" && RAW_TEXT_ELEMENTS.has(name) ? this.#endOfRawText(name, end) : end;
  }

  #isPartTooLarge(at: number): boolean {
    return at - this.#lastCut > MAX_PART.chars || this.#tags - this.#tagsAtCut > MAX_PART.tags;
  }

  #begin(name: string, start: number, attributesAt: number): void {
    const matched = this.#selectors.flatMap((selector, index) =>
      this.#hasOpenMatch[index] === false && this.#isMatch(selector, name, attributesAt) ? [index] : [],
    );
    for (const index of matched) this.#hasOpenMatch[index] = true;
    this.#open.push({ name, start, matched, ancestors: this.#ancestors });
    const { tables, indivisible } = matched.length > 0 ? NO_ANCESTORS : this.#ancestors;
    this.#ancestors = {
      tables: tables + Number(name === "table"),
      indivisible: indivisible + Number(INDIVISIBLE_ELEMENTS.has(name)),
    };
    this.#openByName.set(name, this.#openCount(name) + 1);
  }

  #isMatch({ tag, attribute, value }: Selector, name: string, attributesAt: number): boolean {
    if (tag !== undefined && tag !== name) return false;
    if (attribute === undefined) return true;
    const tagText = this.#html.slice(attributesAt, attributesAt + MAX_TAG_LENGTH);
    if (!tagText.includes(value)) return false;
    const actual = attributeIn(ATTRIBUTES.exec(tagText)?.[0] ?? "", attribute);
    return attribute === "class" ? actual.split(/\s+/).includes(value) : actual === value;
  }

  /** Ends an element and the unclosed elements within it. Ignores a closing tag without an opening tag. */
  #close(name: string, at: number): void {
    if (this.#openCount(name) === 0) return;
    while (this.#open.at(-1)?.name !== name) this.#end(at);
    this.#end(this.#endsMatch() ? this.#positionAfter(">", at) : at);
    this.#cutAfter(name, at);
  }

  /** Whether the innermost open element is a match. Only the range of a match includes the closing tag. */
  #endsMatch(): boolean {
    return (this.#open.at(-1)?.matched.length ?? 0) > 0;
  }

  #end(at: number): void {
    const element = this.#open.pop();
    if (element === undefined) return;
    this.#ancestors = element.ancestors;
    this.#openByName.set(element.name, this.#openCount(element.name) - 1);
    for (const index of element.matched) {
      this.#hasOpenMatch[index] = false;
      this.matches[index]?.push({ start: element.start, end: at });
    }
  }

  #cutAfter(name: string, at: number): void {
    if (at - this.#lastCut < PART.chars && this.#tags - this.#tagsAtCut < PART.tags) return;
    const { tables, indivisible } = this.#ancestors;
    const isInTable = tables > 0;
    if (!(isInTable ? name === "tr" : BLOCK_ELEMENTS.has(name))) return;
    if (indivisible > 0) return;
    this.#lastCut = this.#positionAfter(">", at);
    this.#tagsAtCut = this.#tags;
    this.cuts.push(this.#lastCut);
  }

  #openCount(name: string): number {
    return this.#openByName.get(name) ?? 0;
  }

  #positionAfter(text: string, start: number): number {
    const index = this.#html.indexOf(text, start);
    return index < 0 ? this.#html.length : index + text.length;
  }

  #endOfRawText(name: string, start: number): number {
    const end = new RegExp(`</${name}`, "gi");
    end.lastIndex = start;
    return end.exec(this.#html)?.index ?? this.#html.length;
  }
}

/** Value of an attribute; empty if it is missing. */
function attributeIn(attributes: string, name: string): string {
  const match = new RegExp(String.raw`\s${name}\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`, "i").exec(attributes);
  const [, quoted, inApostrophes, bare] = match ?? [];
  return quoted ?? inApostrophes ?? bare ?? "";
}
