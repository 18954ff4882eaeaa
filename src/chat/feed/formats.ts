import { escapeMarkup, xmlElement } from "../../lib/markup.ts";
import type { FeedEntry } from "./entry.ts";

/** A feed document. */
export interface FeedDocument {
  readonly title: string;
  /** Absolute address of the page. */
  readonly homeUrl: string;
  /** Absolute address of the document, which identifies the feed. */
  readonly url: string;
  /** Time at which the feed got its newest entry; of the start, without one. */
  readonly updated: Date;
  /** Newest first. */
  readonly entries: readonly FeedEntry[];
}

/** A format of feeds. */
export interface FeedFormat {
  /** Extension of the path: `/feeds/alerts.atom`. */
  readonly extension: string;
  readonly mediaType: string;
  readonly write: (document: FeedDocument) => string;
}

const ATOM = "http://www.w3.org/2005/Atom";
const DESCRIPTION = "Alerts for reverse stock splits, with the exact terms.";

export const FORMATS: readonly FeedFormat[] = [
  { extension: "atom", mediaType: "application/atom+xml", write: writeAtom },
  { extension: "rss", mediaType: "application/rss+xml", write: writeRss },
  { extension: "json", mediaType: "application/feed+json", write: writeJson },
];

/** Atom (RFC 4287). */
function writeAtom({ title, homeUrl, url, updated, entries }: FeedDocument): string {
  const written = entries.map((entry) =>
    xmlElement(
      "entry",
      {},
      xmlElement("id", {}, escapeMarkup(entry.id)),
      xmlElement("title", {}, escapeMarkup(entry.title)),
      xmlElement("updated", {}, entry.at.toISOString()),
      xmlElement("published", {}, entry.at.toISOString()),
      ...(entry.link === null ? [] : [xmlElement("link", { rel: "alternate", href: entry.link })]),
      ...entry.tags.map((term) => xmlElement("category", { term })),
      xmlElement("content", { type: "html" }, escapeMarkup(entry.html)),
    ),
  );
  return xmlDocument(
    "feed",
    { xmlns: ATOM, "xml:lang": "en" },
    xmlElement("id", {}, escapeMarkup(url)),
    xmlElement("title", {}, escapeMarkup(title)),
    xmlElement("subtitle", {}, DESCRIPTION),
    xmlElement("updated", {}, updated.toISOString()),
    xmlElement("author", {}, xmlElement("name", {}, "splitwatch")),
    xmlElement("link", { rel: "self", type: "application/atom+xml", href: url }),
    xmlElement("link", { rel: "alternate", type: "text/html", href: homeUrl }),
    ...written,
  );
}

/** RSS 2.0. */
function writeRss({ title, homeUrl, url, updated, entries }: FeedDocument): string {
  const items = entries.map((entry) =>
    xmlElement(
      "item",
      {},
      xmlElement("guid", { isPermaLink: "false" }, escapeMarkup(entry.id)),
      xmlElement("title", {}, escapeMarkup(entry.title)),
      xmlElement("pubDate", {}, entry.at.toUTCString()),
      ...(entry.link === null ? [] : [xmlElement("link", {}, escapeMarkup(entry.link))]),
      ...entry.tags.map((tag) => xmlElement("category", {}, escapeMarkup(tag))),
      xmlElement("description", {}, escapeMarkup(entry.html)),
    ),
  );
  const channel = xmlElement(
    "channel",
    {},
    xmlElement("title", {}, escapeMarkup(title)),
    xmlElement("link", {}, escapeMarkup(homeUrl)),
    xmlElement("description", {}, DESCRIPTION),
    xmlElement("language", {}, "en"),
    xmlElement("lastBuildDate", {}, updated.toUTCString()),
    xmlElement("atom:link", { rel: "self", type: "application/rss+xml", href: url }),
    ...items,
  );
  return xmlDocument("rss", { version: "2.0", "xmlns:atom": ATOM }, channel);
}

/** JSON Feed 1.1. The alert with all terms is the extension `_splitwatch`; alerts with another schema have none. */
function writeJson({ title, homeUrl, url, entries }: FeedDocument): string {
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title,
    home_page_url: homeUrl,
    feed_url: url,
    description: DESCRIPTION,
    language: "en",
    authors: [{ name: "splitwatch" }],
    items: entries.map((entry) => ({
      id: entry.id,
      ...(entry.link !== null && { external_url: entry.link }),
      title: entry.title,
      content_html: entry.html,
      date_published: entry.at.toISOString(),
      tags: entry.tags,
      ...(entry.payload !== null && { _splitwatch: entry.payload }),
    })),
  });
}

function xmlDocument(...root: Parameters<typeof xmlElement>): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n${xmlElement(...root)}\n`;
}
