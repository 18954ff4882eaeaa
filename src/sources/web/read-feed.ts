import { createHash } from "node:crypto";
import { DetectError, MalformedError, ParseError, parseFeed } from "feedsmith";
import type { TickerMention } from "../../domain/article/article.ts";
import { parseExchange } from "../../domain/split/exchange.ts";
import { listingOf, parseTicker } from "../../domain/split/ticker.ts";
import { type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { hasMoreValues } from "../../lib/json.ts";
import { webAddress } from "../../lib/web-address.ts";
import { decodeText } from "./decode-text.ts";
import { unreadable } from "./fetch-error.ts";
import { isWebPage } from "./html-scan.ts";
import { htmlToText } from "./page-text.ts";
import { MAX_JSON_VALUES } from "./read-json.ts";
import type { WebAnswer } from "./web-answer.ts";

/** Item of a feed: one press release. */
export interface FeedItem {
  /** Absolute, without tracking parameters. */
  readonly url: string;
  readonly heading: string;
  /** Plain text; may be empty. */
  readonly teaser: string;
  /** Null if the feed gives no valid time. */
  readonly publishedAt: Instant | null;
  /** Tickers in the feed's own categories. */
  readonly tickers: readonly TickerMention[];
  /** Changes when the wire corrects the release. */
  readonly version: string;
}

const MAX_ENTRIES = 500;
const MAX_HEADING_LENGTH = 1_000;
const MAX_TEASER_LENGTH = 4_000;
const MAX_HTML_LENGTH = 50_000;
const MAX_URL_LENGTH = 2_000;

export interface Feed {
  /** Plain text; empty if the feed has no title. */
  readonly title: string;
  /** In the feed's order. */
  readonly items: readonly FeedItem[];
}

/** Reads an RSS, RDF, Atom or JSON feed. Throws a FetchError if the answer is not a feed. */
export function readFeed(answer: WebAnswer): Feed {
  const text = decodeText(answer.body, answer.header("content-type"));
  const problem = problemOf(text);
  if (problem !== null) throw unreadable(answer, problem);
  return parseFeedText(withoutDoctype(text), answer);
}

function parseFeedText(text: string, answer: WebAnswer): Feed {
  try {
    const { title, base, entries } = parseEntries(text);
    const feed = baseOf(base, answer.url);
    const items = entries.flatMap((entry) => feedItem(entry, baseOf(entry.base, feed)) ?? []);
    return { title: toOneLine(title, MAX_HEADING_LENGTH), items };
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    if (error instanceof ParseError && EMPTY_FEED.test(text)) return { title: titleOf(text), items: [] };
    throw unreadable(answer, reason);
  }
}

const JSON_START = /^\s*\{/;
/** Notices that wires send in place of a feed, with status 200. */
const NOTICE = /No data could be found|deactivated by the administrator|unavailable due to an error/i;
/** A feed is longer than a notice. */
const MAX_NOTICE_LENGTH = 3_000;
/** Entity declarations allow exponential expansion, and feeds don't need them. */
const ENTITIES = /<!ENTITY\s/i;
/** Root element of a feed. Distinguishes a valid feed without entries, which feedsmith rejects, from another document. */
const EMPTY_FEED = /<(?:\w{1,20}:)?(?:channel|feed)[\s>/]/i;
const DOCTYPE_START = /<!DOCTYPE/i;
/** Document type declaration, which may contain declarations in angle brackets. Matched at one position only. */
const DOCTYPE = /<!DOCTYPE[^<>[]*(?:\[[^\]]{0,2000}\][^<>[]*)?>/iy;
/**
 * CDATA sections, comments, and each `<` that no `>` follows before the next `<`. Only the last are replaced: feedsmith takes
 * quadratic time for them.
 */
const UNCLOSED_TAG = /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)|<(?![^<>]*>)/g;
/** Elements with a person's name. They aren't used, and feedsmith takes quadratic time for brackets in them. */
const IGNORED_ELEMENTS = /<(\/?)((?:[\w.-]{1,40}:)?(?:author|contributor|managingeditor|webmaster))(?=[\s>/])/gi;

function withoutDoctype(text: string): string {
  DOCTYPE.lastIndex = Math.max(0, text.search(DOCTYPE_START));
  const declaration = DOCTYPE.exec(text);
  if (declaration === null) return text;
  return text.slice(0, declaration.index) + text.slice(declaration.index + declaration[0].length);
}

function problemOf(text: string): string | null {
  if (text.trim() === "") return "got nothing, expected RSS, Atom or a JSON feed";
  const notice = text.length <= MAX_NOTICE_LENGTH ? NOTICE.exec(text)?.[0] : undefined;
  if (notice !== undefined) return `got the notice "${notice}", expected RSS, Atom or a JSON feed`;
  if (isWebPage(text)) return "got a web page, expected RSS, Atom or a JSON feed";
  if (JSON_START.test(text) && hasMoreValues(text, MAX_JSON_VALUES)) return "it has too many values";
  return ENTITIES.test(text) ? "it declares entities, which aren't supported" : null;
}

/** Returns the reason why the feed can't be parsed; undefined for an unrelated error. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof DetectError) return "expected RSS, Atom or a JSON feed";
  if (error instanceof ParseError) return "it has a feed's root element but none of its content";
  if (!(error instanceof MalformedError)) return undefined;
  const detail = error.cause instanceof Error ? error.cause.message : error.message;
  return `broken XML: ${detail.split("\n")[0]?.slice(0, 120)}`;
}

function parse(text: string) {
  const closed = text.replace(UNCLOSED_TAG, (match) => (match === "<" ? "&lt;" : match));
  return parseFeed(closed.replace(IGNORED_ELEMENTS, "<$1ignored-$2"), { maxItems: MAX_ENTRIES });
}

/** Entry of any feed format, with the values as written. */
interface FeedEntry {
  readonly link: string | undefined;
  /** Plain text or HTML. */
  readonly heading: string | undefined;
  /** Plain text or HTML. */
  readonly teaser: string | undefined;
  readonly publishedAt: Instant | null;
  /** Such as `Nasdaq:ACME`. */
  readonly tickers: readonly string[];
  /** `xml:base` */
  readonly base?: string | undefined;
}

interface ParsedFeed {
  readonly title: string | undefined;
  /** `xml:base` */
  readonly base?: string | undefined;
  readonly entries: readonly FeedEntry[];
}

function parseEntries(text: string): ParsedFeed {
  const parsed = parse(text);
  switch (parsed.format) {
    case "rss":
      return { title: parsed.feed.title, entries: (parsed.feed.items ?? []).map(rssEntry) };
    case "rdf":
      return { title: parsed.feed.title, entries: (parsed.feed.items ?? []).map(rdfEntry) };
    case "atom": {
      const { title, xml, entries = [] } = parsed.feed;
      return { title: title?.value, base: xml?.base, entries: entries.map(atomEntry) };
    }
    case "json":
      return { title: parsed.feed.title, entries: (parsed.feed.items ?? []).map(jsonEntry) };
  }
}

/** Title of a feed without entries, which feedsmith rejects. */
function titleOf(text: string): string {
  return toOneLine(/<title>(?:<!\[CDATA\[)?([^<\]]{0,1000})/i.exec(text)?.[1], MAX_HEADING_LENGTH);
}

/** Base URL for relative links. */
function baseOf(base: string | undefined, parent: URL): URL {
  if (base === undefined || base.length > MAX_URL_LENGTH || !URL.canParse(base, parent.href)) return parent;
  const url = new URL(base, parent);
  return url.protocol === "http:" || url.protocol === "https:" ? url : parent;
}

type Parsed = ReturnType<typeof parse>;
type EntryOf<Format extends Parsed["format"], Key extends string> = Extract<
  Parsed,
  { readonly format: Format }
>["feed"] extends { [K in Key]?: readonly (infer E)[] }
  ? E
  : never;

function rssEntry(item: EntryOf<"rss", "items">): FeedEntry {
  const stocks = item.categories?.filter(({ domain }) => STOCK_CATEGORY.test(domain ?? ""));
  return {
    link: item.link ?? permaLink(item.guid),
    heading: item.title,
    teaser: item.description ?? item.content?.encoded,
    publishedAt: parseFeedDate(item.pubDate ?? item.dc?.dates?.[0]),
    tickers: stocks?.map(({ name = "" }) => name) ?? [],
  };
}

/** GlobeNewswire's category for tickers; its other categories hold ISINs. */
const STOCK_CATEGORY = /\/rss\/stock\/?$/i;

/** Returns the guid if it is the release's URL; some wires use a number. */
function permaLink(guid: EntryOf<"rss", "items">["guid"]): string | undefined {
  const value = guid?.value ?? "";
  return /^\s*https?:\/\//i.test(value) && guid?.isPermaLink !== false ? value : undefined;
}

function rdfEntry(item: EntryOf<"rdf", "items">): FeedEntry {
  return {
    link: item.link ?? item.rdf?.about,
    heading: item.title,
    teaser: item.description,
    publishedAt: parseFeedDate(item.dc?.dates?.[0]),
    tickers: [],
  };
}

function atomEntry(entry: EntryOf<"atom", "entries">): FeedEntry {
  const links = entry.links ?? [];
  const link = links.find(({ rel = "alternate" }) => rel === "alternate") ?? links[0];
  return {
    link: link?.href,
    heading: entry.title?.value,
    teaser: entry.summary?.value ?? entry.content?.value,
    publishedAt: parseFeedDate(entry.published ?? entry.updated),
    tickers: [],
    base: entry.xml?.base,
  };
}

function jsonEntry(item: EntryOf<"json", "items">): FeedEntry {
  return {
    link: item.url ?? item.external_url,
    heading: item.title,
    teaser: item.summary ?? item.content_text ?? item.content_html,
    publishedAt: parseFeedDate(item.date_published),
    tickers: [],
  };
}

/** Converts an entry; null if it has no valid address or no heading. */
export function feedItem(entry: FeedEntry, feed: URL): FeedItem | null {
  const url = releaseUrl(entry.link ?? "", feed);
  const heading = toOneLine(entry.heading, MAX_HEADING_LENGTH);
  if (url === null || heading === "") return null;
  return {
    url,
    heading,
    teaser: toOneLine(entry.teaser, MAX_TEASER_LENGTH),
    publishedAt: entry.publishedAt,
    tickers: entry.tickers.flatMap((tag) => parseTag(tag) ?? []),
    version: versionOf(heading, entry.publishedAt),
  };
}

function toOneLine(html: string | undefined, maxLength: number): string {
  return htmlToText((html ?? "").slice(0, Math.min(MAX_HTML_LENGTH, 20 * maxLength)))
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, maxLength);
}

function parseTag(tag: string): TickerMention | undefined {
  const colon = tag.lastIndexOf(":");
  const ticker = parseTicker(tag.slice(colon + 1));
  return ticker && colon > 0 ? listingOf({ ticker, exchange: parseExchange(tag.slice(0, colon)) ?? null }) : undefined;
}

/** Hash of heading and time. Ignores the seconds, which some lists of a wire omit. */
function versionOf(heading: string, publishedAt: Instant | null): string {
  const minute = publishedAt === null ? null : publishedAt - (publishedAt % MINUTE_MS);
  return createHash("sha256").update(`${minute}\n${heading}`).digest("hex").slice(0, 16);
}

const TRACKING_PARAMETER = /^(?:utm_\w+|feedref|fbclid|gclid|mc_[ce]id|_hs(?:enc|mi)|tc|ncid)$/i;

/** Canonical address of a release, without tracking parameters; null if the link is not an HTTP address. */
function releaseUrl(link: string, feed: URL): string | null {
  const plain = link.trim().replaceAll("&amp;", "&");
  if (plain === "" || plain.length > MAX_URL_LENGTH || !URL.canParse(plain, feed.href)) return null;
  const url = new URL(plain, feed);
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  // Some https feeds still link to http.
  if (feed.protocol === "https:" && url.port === "") url.protocol = "https:";
  url.hash = "";
  url.username = "";
  url.password = "";
  const tracking = [...url.searchParams.keys()].filter((key) => TRACKING_PARAMETER.test(key));
  for (const name of tracking) url.searchParams.delete(name);
  return webAddress(url.href);
}

/** ISO 8601 date, such as `2026-03-02T08:30:00` or `2026-03-02`. */
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)?/;
const ISO_ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/i;
/** RFC 822 date, such as `Mon, 02 Mar 2026 13:30 GMT`. Feeds often have a wrong weekday or no seconds. */
const RFC_822_DATE =
  /^(?:[A-Za-z]{3,9},?\s+)?(\d{1,2}\s+[A-Za-z]{3,9}\s+\d{2,4}\s+\d{1,2}:\d{2}(?::\d{2})?)(?:\s+([A-Za-z]{1,5}|[+-]\d{2}:?\d{2}))?/;

/** Earlier dates are errors: no wire published on the web before 1990. */
const MIN_DATE = Date.UTC(1990, 0, 1);

/**
 * Parses a feed's date, as UTC if it names no zone. Null if it is missing or invalid. Feeds follow RFC 822 or ISO 8601, so a wrong
 * weekday, any zone and any offset are accepted; fields and cells are parsed by `notations.ts`, which requires a right weekday
 * and assumes New York time.
 */
function parseFeedDate(text: string | undefined): Instant | null {
  const written = text?.trim() ?? "";
  const instant = ISO_DATE.test(written) ? parseIsoDate(written) : parseRfc822Date(written);
  return instant >= MIN_DATE ? instant : null;
}

function parseIsoDate(written: string): number {
  const comparable = written.replace(" ", "T").replace(",", ".");
  return Date.parse(ISO_ZONE.test(comparable) || !comparable.includes("T") ? comparable : `${comparable}Z`);
}

function parseRfc822Date(written: string): number {
  const [, time = "", zone = "GMT"] = RFC_822_DATE.exec(written) ?? [];
  return Date.parse(`${time} ${zone.toUpperCase() === "UT" ? "GMT" : zone}`);
}
