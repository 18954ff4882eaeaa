import { WIRES, type Wire } from "../../domain/article/wire.ts";
import type { DocumentEntry, DocumentReading, ReadContext } from "../document-reading.ts";
import { readText } from "../reading/release-facts.ts";
import { mayConcernSplit } from "../split-keywords.ts";
import { decodeText } from "../web/decode-text.ts";
import { firstElement } from "../web/html-scan.ts";
import { htmlToText } from "../web/page-text.ts";
import { type FeedItem, readFeed } from "../web/read-feed.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { isAccessNewsroom } from "./access-newsroom.ts";
import { readNewsroomAnswer } from "./newsroom-answer.ts";
import { readPage } from "./read-page.ts";
import { readReleaseList } from "./read-release-list.ts";
import { newRelease, withText } from "./release-state.ts";
import { WIRE_RULES } from "./wires.ts";

const FEED = /<(?:rss|feed|rdf:RDF)[\s>]/i;
const MAX_START_LENGTH = 4_000;

/** Reads a captured feed, list or page of a wire. Throws a FetchError for another document. */
export function readWireDocument(document: WebAnswer, context: ReadContext): DocumentReading {
  const html = decodeText(document.body, document.header("content-type"));
  const isJson = /^[\s\uFEFF]{0,100}\{/.test(html);
  if (isAccessNewsroom(document.url.href) || (isJson && /"articles"\s{0,10}:/.test(html)))
    return { document: "feed", entries: entriesOf(readNewsroomAnswer(document)) };
  if (isJson || FEED.test(html.slice(0, MAX_START_LENGTH)))
    return { document: "feed", entries: entriesOf(readFeed(document).items) };
  if (isList(document.url, html))
    return { document: "list of releases", entries: entriesOf(readReleaseList(document, context.now)) };
  return { document: "release", releases: [readReleasePage(document, html, context)] };
}

function isList({ pathname }: URL, html: string): boolean {
  return /-list\/?$/.test(pathname) || /aria-label="News Release"/i.test(html);
}

function entriesOf(items: readonly FeedItem[]): readonly DocumentEntry[] {
  return items.map((item) => ({
    id: item.url,
    title: item.heading,
    publishedAt: item.publishedAt,
    isFollowed: mayConcernSplit(item),
  }));
}

const HOSTS: Readonly<Record<Wire, RegExp>> = {
  prnewswire: /(?:^|\.)prnewswire\./,
  businesswire: /(?:^|\.)businesswire\./,
  globenewswire: /(?:^|\.)globenewswire\./,
  accesswire: /(?:^|\.)(?:accesswire|accessnewswire|newswire)\./,
  newsfile: /(?:^|\.)newsfile(?:corp)?\./,
};

const MAX_HEADING_LENGTH = 3_000;

function readReleasePage(document: WebAnswer, html: string, { now }: ReadContext) {
  const wire = WIRES.find((name) => HOSTS[name].test(document.url.hostname));
  const containers = (wire === undefined ? WIRES : [wire]).flatMap((name) => WIRE_RULES[name].containers);
  const heading = firstElement(html, "h1", MAX_HEADING_LENGTH) ?? firstElement(html, "title", MAX_HEADING_LENGTH);
  const item: FeedItem = {
    url: document.url.href,
    heading: htmlToText(heading ?? "").replace(/\s+/g, " "),
    teaser: "",
    publishedAt: null,
    tickers: [],
    version: "",
  };
  const text = readPage(document, item.heading, containers);
  const release = newRelease(item, wire ?? document.url.hostname, now);
  const { url, heading: title, published } = release;
  const facts = readText({ url, heading: title, content: text }, published, null);
  return withText(release, { text, version: "", readAt: now, ...facts });
}
