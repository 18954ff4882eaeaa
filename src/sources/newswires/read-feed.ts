import { DetectError, MalformedError, ParseError, parseFeed } from "feedsmith";
import { decodeText } from "./decode-text.ts";
import { parseFeedDate } from "./feed-date.ts";
import { type FeedEntry, feedItem } from "./feed-entry.ts";
import { type FeedItem, WireError } from "./newswire.ts";
import type { WebAnswer } from "./web.ts";

/** The releases of an RSS, RDF, Atom or JSON feed, as they stand in it. Throws a WireError where the answer is no feed. */
export function readFeed(answer: WebAnswer): FeedItem[] {
  const text = decodeText(answer.body, answer.header("content-type"));
  const problem = problemOf(text);
  if (problem !== null) throw unreadable(answer, problem);
  try {
    return entriesOf(text).flatMap((entry) => feedItem(entry, answer.url) ?? []);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    if (error instanceof ParseError && EMPTY_FEED.test(text)) return [];
    throw unreadable(answer, reason);
  }
}

const MOST_ENTRIES = 500;
const WEB_PAGE = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)?(?:<!doctype\s+html|<html)/i;
/** Entities can be made to unfold a thousandfold; no feed needs to declare any. */
const ENTITIES = /<!ENTITY\s/i;
/** A feed with nothing in it. */
const EMPTY_FEED = /<(?:\w{1,20}:)?(?:channel|feed)[\s>/]/i;
/** feedsmith takes time by the square of the brackets in a person's name, and we read no persons. */
const PERSONS = /<(\/?)((?:[\w.-]{1,40}:)?(?:author|contributor|managingeditor|webmaster))(?=[\s>/])/gi;

function problemOf(text: string): string | null {
  if (text.trim() === "") return "got nothing, expected RSS, Atom or a JSON feed";
  if (WEB_PAGE.test(text)) return "got a web page, expected RSS, Atom or a JSON feed";
  return ENTITIES.test(text) ? "it declares entities of its own, which are not read" : null;
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof DetectError) return "expected RSS, Atom or a JSON feed";
  if (error instanceof ParseError) return "it has the name of a feed and none of its parts";
  if (!(error instanceof MalformedError)) return undefined;
  const said = error.cause instanceof Error ? error.cause.message : error.message;
  return `broken XML: ${said.split("\n")[0]?.slice(0, 120)}`;
}

function parse(text: string) {
  return parseFeed(text.replace(PERSONS, "<$1unread-$2"), { maxItems: MOST_ENTRIES });
}

function entriesOf(text: string): FeedEntry[] {
  const parsed = parse(text);
  switch (parsed.format) {
    case "rss":
      return (parsed.feed.items ?? []).map(rssEntry);
    case "rdf":
      return (parsed.feed.items ?? []).map(rdfEntry);
    case "atom":
      return (parsed.feed.entries ?? []).map(atomEntry);
    case "json":
      return (parsed.feed.items ?? []).map(jsonEntry);
  }
}

type Parsed = ReturnType<typeof parse>;
type EntryOf<Format extends Parsed["format"], Key extends string> = Extract<
  Parsed,
  { readonly format: Format }
>["feed"] extends { [K in Key]?: readonly (infer E)[] }
  ? E
  : never;

function rssEntry(item: EntryOf<"rss", "items">): FeedEntry {
  const stocks = item.categories?.filter(({ domain }) => STOCK.test(domain ?? ""));
  return {
    link: item.link ?? permaLink(item.guid),
    heading: item.title,
    teaser: item.description ?? item.content?.encoded,
    publishedAt: parseFeedDate(item.pubDate ?? item.dc?.dates?.[0]),
    tickers: stocks?.map(({ name = "" }) => name) ?? [],
  };
}

/** GlobeNewswire's categories; others of it hold ISINs. */
const STOCK = /\/rss\/stock\/?$/i;

/** A guid may be the release's address, or its number. */
function permaLink(guid: EntryOf<"rss", "items">["guid"]): string | undefined {
  const value = guid?.value ?? "";
  return /^\s*https?:\/\//i.test(value) && guid?.isPermaLink !== false ? value : undefined;
}

function rdfEntry(item: EntryOf<"rdf", "items">): FeedEntry {
  const publishedAt = parseFeedDate(item.dc?.dates?.[0]);
  return {
    link: item.link ?? item.rdf?.about,
    heading: item.title,
    teaser: item.description,
    publishedAt,
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

function unreadable({ url }: WebAnswer, problem: string): WireError {
  return new WireError("unreadable", `${url.host}${url.pathname}: ${problem}`);
}
