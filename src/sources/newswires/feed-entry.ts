import { createHash } from "node:crypto";
import type { TickerMention } from "../../domain/article/article.ts";
import { parseExchange } from "../../domain/split/exchange.ts";
import { parseTicker } from "../../domain/split/ticker.ts";
import type { Instant } from "../../domain/time/day.ts";
import type { FeedItem } from "./newswire.ts";
import { textOf } from "./plain-text.ts";
import { releaseUrl } from "./release-url.ts";

/** What every format says of a release, as written there. */
export interface FeedEntry {
  readonly link: string | undefined;
  /** Plain or HTML, as the teaser. */
  readonly heading: string | undefined;
  readonly teaser: string | undefined;
  readonly publishedAt: Instant | null;
  /** `Nasdaq:ACME` */
  readonly tickers: readonly string[];
}

const LONGEST_HEADING = 1_000;
const LONGEST_TEASER = 5_000;
const LONGEST_HTML = 50_000;

/** Null where there is no address or no heading to it. */
export function feedItem(entry: FeedEntry, feed: URL): FeedItem | null {
  const url = releaseUrl(entry.link ?? "", feed);
  const heading = oneLine(entry.heading, LONGEST_HEADING);
  if (url === null || heading === "") return null;
  return {
    url,
    heading,
    teaser: oneLine(entry.teaser, LONGEST_TEASER),
    publishedAt: entry.publishedAt,
    tickers: entry.tickers.flatMap((tag) => parseTag(tag) ?? []),
    version: versionOf(heading, entry.publishedAt),
  };
}

/** Newest first, each address once, in its newest version; those without a date last. */
export function newestFirst(items: readonly FeedItem[]): FeedItem[] {
  const sorted = items.toSorted((a, b) => (b.publishedAt ?? 0) - (a.publishedAt ?? 0));
  const byUrl = new Map<string, FeedItem>();
  for (const item of sorted) {
    if (!byUrl.has(item.url)) byUrl.set(item.url, item);
  }
  return [...byUrl.values()];
}

function oneLine(html: string | undefined, longest: number): string {
  return textOf((html ?? "").slice(0, LONGEST_HTML))
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, longest);
}

function parseTag(tag: string): TickerMention | undefined {
  const colon = tag.lastIndexOf(":");
  const ticker = parseTicker(tag.slice(colon + 1));
  return ticker && colon > 0 ? { ticker, exchange: parseExchange(tag.slice(0, colon)) ?? null } : undefined;
}

function versionOf(heading: string, publishedAt: Instant | null): string {
  return createHash("sha256").update(`${publishedAt}\n${heading}`).digest("hex").slice(0, 16);
}
