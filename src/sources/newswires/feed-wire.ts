import { BoundedMap } from "../../lib/collections.ts";
import { pollIntervalMs } from "../publishing-hours.ts";
import type { FeedItem } from "../web/read-feed.ts";
import { createWireFeedReader, type FeedResult, type FeedWireParts, pageRequest } from "./feed-reader.ts";
import type { FeedPollResult, Newswire } from "./newswire.ts";
import { WIRE_READERS } from "./readers.ts";
import { releaseId } from "./release-id.ts";

/** Maximum number of ids that are kept to recognize items of earlier polls. All feeds of a wire have fewer items. */
const MAX_SEEN_ITEMS = 5_000;

/** A wire that is read from its feeds. */
export function createFeedWire(parts: FeedWireParts): Newswire {
  const { web, reader, name, everyMs, daytimeEveryMs, feeds, containers } = parts;
  const readers = feeds.map((feed) => createWireFeedReader(parts, feed));
  const seen = new BoundedMap<string, true>(MAX_SEEN_ITEMS);

  function pollResultOf(results: readonly FeedResult[]): FeedPollResult {
    const items = distinct(results.flatMap((result) => result.items));
    const newItems = items.filter(({ url }) => !seen.has(releaseId(url)));
    for (const { url } of items) seen.set(releaseId(url), true);
    return {
      items,
      failures: results.flatMap(({ failures }) => failures),
      unresolved: results.flatMap(({ unresolved = [] }) => unresolved),
      newItemCount: newItems.length,
      newestAt: items[0]?.publishedAt ?? null,
      gaps: results.filter(({ hasGap }) => hasGap).length,
      requests: web.requestCount,
      notes: results.flatMap(({ note }) => note ?? []),
    };
  }

  return {
    name,
    intervalMs: (now) => pollIntervalMs(now, { everyMs: Math.min(everyMs, daytimeEveryMs), quietMs: everyMs }),
    readFeeds: async (signal, lastReadAt = null) => {
      const results: FeedResult[] = [];
      for (const readFeed of readers) results.push(await readFeed(signal, lastReadAt));
      return pollResultOf(results);
    },
    async readPage({ url, heading }, signal) {
      const page = await web.request(pageUrl(url, parts), { kind: "page", ...pageRequest(parts), signal });
      return reader.read(WIRE_READERS, "readPage", page, heading, containers);
    },
  };
}

/** Sorts by time, newest first and undated items last, and keeps the newest version of each address. */
function newestVersions(items: readonly FeedItem[]): FeedItem[] {
  const sorted = items.toSorted((a, b) => (b.publishedAt ?? 0) - (a.publishedAt ?? 0));
  const byUrl = new Map<string, FeedItem>();
  for (const item of sorted) {
    if (!byUrl.has(item.url)) byUrl.set(item.url, item);
  }
  return [...byUrl.values()];
}

/** Removes repeated releases, because several feeds may list the same one. */
function distinct(items: readonly FeedItem[]): readonly FeedItem[] {
  const newestFirst = newestVersions(items);
  const byId = new Map(newestFirst.toReversed().map((item) => [releaseId(item.url), item]));
  return newestFirst.filter((item) => byId.get(releaseId(item.url)) === item);
}

/** Address of the release's page. If the page's host refuses requests, the host of the first feed is used. */
function pageUrl(url: string, { refusingHost, feeds }: FeedWireParts): string {
  const page = new URL(url);
  const [feed] = feeds;
  if (feed === undefined || page.host !== refusingHost) return url;
  return new URL(page.pathname + page.search, feed).href;
}
