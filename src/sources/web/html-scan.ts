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

/** A page has a few thousand tags. Converting nested tags takes quadratic time. */
const MAX_TAGS = 100_000;
const MAX_OPEN_TAGS = 2_000;

export interface Range {
  readonly start: number;
  readonly end: number;
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
}

/**
 * Returns the outermost elements that match each selector, without building a tree, in linear time; null if the document is nested
 * too deeply or has too many tags.
 */
export function findElements(html: string, selectors: readonly Selector[]): readonly (readonly Range[])[] | null {
  const scanner = new HtmlScanner(html, selectors);
  return scanner.scan() ? scanner.matches : null;
}

class HtmlScanner {
  readonly matches: Range[][];
  readonly #html: string;
  readonly #selectors: readonly Selector[];
  readonly #open: OpenElement[] = [];
  readonly #openByName = new Map<string, number>();
  /** For each selector, whether an element that it matches is open. */
  readonly #hasOpenMatch: boolean[];
  #tags = 0;

  constructor(html: string, selectors: readonly Selector[]) {
    this.#html = html;
    this.#selectors = selectors;
    this.matches = selectors.map(() => []);
    this.#hasOpenMatch = selectors.map(() => false);
  }

  scan(): boolean {
    const token = new RegExp(TOKEN);
    for (let match = token.exec(this.#html); match !== null; match = token.exec(this.#html)) {
      token.lastIndex = this.#read(match, token.lastIndex);
      if (++this.#tags > MAX_TAGS || this.#open.length > MAX_OPEN_TAGS) return false;
    }
    while (this.#open.length > 0) this.#end(this.#html.length);
    return true;
  }

  /** Reads a token and returns where to search for the next: after a comment or the text of a script, otherwise at `end`. */
  #read({ 0: text, 1: slash, 2: tagName = "", index }: RegExpExecArray, end: number): number {
    const name = tagName.toLowerCase();
    if (text === "<!--") return this.#positionAfter("-->", index);
    if (slash === "/") this.#close(name, index);
    else if (!VOID_ELEMENTS.has(name)) this.#begin(name, index, end);
    return slash === "" && RAW_TEXT_ELEMENTS.has(name) ? this.#endOfRawText(name, end) : end;
  }

  #begin(name: string, start: number, attributesAt: number): void {
    const matched = this.#selectors.flatMap((selector, index) =>
      this.#hasOpenMatch[index] === false && this.#isMatch(selector, name, attributesAt) ? [index] : [],
    );
    for (const index of matched) this.#hasOpenMatch[index] = true;
    this.#open.push({ name, start, matched });
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
  }

  /** Whether the innermost open element is a match. Only the range of a match includes the closing tag. */
  #endsMatch(): boolean {
    return (this.#open.at(-1)?.matched.length ?? 0) > 0;
  }

  #end(at: number): void {
    const element = this.#open.pop();
    if (element === undefined) return;
    this.#openByName.set(element.name, this.#openCount(element.name) - 1);
    for (const index of element.matched) {
      this.#hasOpenMatch[index] = false;
      this.matches[index]?.push({ start: element.start, end: at });
    }
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
