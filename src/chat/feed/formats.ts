import { escapeHtml } from "../../lib/escape-html.ts";
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
    element(
      "entry",
      {},
      element("id", {}, text(entry.id)),
      element("title", {}, text(entry.title)),
      element("updated", {}, entry.at.toISOString()),
      element("published", {}, entry.at.toISOString()),
      ...(entry.link === null ? [] : [element("link", { rel: "alternate", href: entry.link })]),
      ...entry.tags.map((term) => element("category", { term })),
      element("content", { type: "html" }, text(entry.html)),
    ),
  );
  return xmlDocument(
    "feed",
    { xmlns: ATOM, "xml:lang": "en" },
    element("id", {}, text(url)),
    element("title", {}, text(title)),
    element("subtitle", {}, DESCRIPTION),
    element("updated", {}, updated.toISOString()),
    element("author", {}, element("name", {}, "splitwatch")),
    element("link", { rel: "self", type: "application/atom+xml", href: url }),
    element("link", { rel: "alternate", type: "text/html", href: homeUrl }),
    ...written,
  );
}

/** RSS 2.0. */
function writeRss({ title, homeUrl, url, updated, entries }: FeedDocument): string {
  const items = entries.map((entry) =>
    element(
      "item",
      {},
      element("guid", { isPermaLink: "false" }, text(entry.id)),
      element("title", {}, text(entry.title)),
      element("pubDate", {}, entry.at.toUTCString()),
      ...(entry.link === null ? [] : [element("link", {}, text(entry.link))]),
      ...entry.tags.map((tag) => element("category", {}, text(tag))),
      element("description", {}, text(entry.html)),
    ),
  );
  const channel = element(
    "channel",
    {},
    element("title", {}, text(title)),
    element("link", {}, text(homeUrl)),
    element("description", {}, DESCRIPTION),
    element("language", {}, "en"),
    element("lastBuildDate", {}, updated.toUTCString()),
    element("atom:link", { rel: "self", type: "application/rss+xml", href: url }),
    ...items,
  );
  return xmlDocument("rss", { version: "2.0", "xmlns:atom": ATOM }, channel);
}

/** JSON Feed 1.1. The alert with all terms is the extension `_splitwatch`. */
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
      _splitwatch: entry.alert,
    })),
  });
}

function xmlDocument(...root: Parameters<typeof element>): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n${element(...root)}\n`;
}

/** `content`: XML. */
function element(name: string, attributes: Readonly<Record<string, string>>, ...content: readonly string[]): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${text(value)}"`);
  return `<${name}${pairs.join("")}>${content.join("")}</${name}>`;
}

/** Text as XML. Alerts contain no control characters and lone surrogates; XML 1.0 forbids two more characters. */
function text(plain: string): string {
  return escapeHtml(plain).replace(/[\uFFFE\uFFFF]/g, "\uFFFD");
}
