import { decodeText } from "./decode-text.ts";
import { WireError } from "./newswire.ts";
import { isOverNested, type ToText, textIn } from "./plain-text.ts";
import type { WebAnswer } from "./web.ts";

/** Takes the release out of its page. Throws a WireError where there is none to be found. */
export type PageReader = (page: WebAnswer, heading: string) => string;

/** Where a release may stand on a page of which we know nothing else. */
const ANYWHERE = ["article", "main", "body"].map(textIn);

/** Longer than the longest release, tables and all. */
const LONGEST_TEXT = 1_000_000;
/** A page's container that is shorter is filled in by a script later, or is another's. */
const SHORTEST_RELEASE = 80;
/** The release, its heading and what stands around it. */
const SHORTEST_PAGE = 300;
const TEXT_TYPES = /^\s*(?:text\/|application\/xhtml\+xml|$)/i;

/** @param containers Selectors of the element that holds the release, the surest first. */
export function pageReader(containers: readonly string[]): PageReader {
  const readers = containers.map(textIn);
  return (page, heading) => {
    const html = htmlOf(page);
    const text = firstText(readers, html, (found) => found.length >= SHORTEST_RELEASE);
    const found = text ?? firstText(ANYWHERE, html, (whole) => holdsRelease(whole, heading));
    if (found === undefined) throw unreadable(page, "no release was found on the page");
    return found.slice(0, LONGEST_TEXT);
  };
}

function htmlOf(page: WebAnswer): string {
  const type = page.header("content-type");
  if (!TEXT_TYPES.test(type ?? "")) throw unreadable(page, `got ${type?.slice(0, 60)}, expected text/html`);
  const html = decodeText(page.body, type);
  if (isOverNested(html)) throw unreadable(page, "the page is nested too deep, or has too many tags, to be read");
  return html;
}

function firstText(readers: readonly ToText[], html: string, fits: (text: string) => boolean): string | undefined {
  for (const read of readers) {
    const text = read(html);
    if (fits(text)) return text;
  }
  return undefined;
}

/** A page that says nothing of what the feed announced (a notice, a list of other news) is not taken for the release. */
function holdsRelease(text: string, heading: string): boolean {
  const words = wordsOf(heading);
  const onPage = new Set(wordsOf(text));
  const found = words.filter((word) => onPage.has(word));
  return text.length >= SHORTEST_PAGE && words.length > 0 && found.length >= words.length / 2;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\d]{4,40}/gu) ?? [];
}

function unreadable({ url }: WebAnswer, problem: string): WireError {
  return new WireError("unreadable", `${url.host}${url.pathname}: ${problem}`);
}
