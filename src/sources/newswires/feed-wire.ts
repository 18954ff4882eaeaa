import { createAccessListing, isAccessListing } from "./access-listing.ts";
import { newestFirst } from "./feed-entry.ts";
import { asWireError, type FeedItem, type Newswire, type WireError } from "./newswire.ts";
import { pageReader } from "./page-text.ts";
import { readFeed } from "./read-feed.ts";
import type { Web, WebRequest } from "./web.ts";

export interface FeedWireParts {
  readonly web: Web;
  readonly name: string;
  readonly everyMs: number;
  readonly feeds: readonly string[];
  readonly paceMs: number;
  readonly containers: readonly string[];
}

/** What one feed showed when it last answered with more than "unchanged". */
interface Shown {
  readonly validators: Readonly<Record<string, string>>;
  readonly items: readonly FeedItem[];
}

type Asking = Pick<WebRequest, "paceMs" | "signal">;

/** A wire that is read from feeds, and its releases from their pages. */
export function createFeedWire({ web, name, everyMs, feeds, paceMs, containers }: FeedWireParts): Newswire {
  const shownBy = new Map<string, Shown>();
  const listing = createAccessListing(web);
  const readPage = pageReader(containers);

  async function lookAt(feed: string, asking: Asking): Promise<readonly FeedItem[]> {
    if (isAccessListing(feed)) return listing.read(feed, asking);
    const before = shownBy.get(feed);
    const answer = await web.ask(feed, { what: "feed", headers: { ...before?.validators }, ...asking });
    // One that was not asked about anything has not changed from nothing: its empty body is no feed.
    if (answer.status === 304 && before) return before.items;
    const items = readFeed(answer);
    shownBy.set(feed, { validators: validatorsOf(answer.header), items });
    return items;
  }

  return {
    name,
    everyMs,
    look: async (signal) => {
      const shown: FeedItem[] = [];
      const failures: WireError[] = [];
      for (const feed of feeds) {
        try {
          shown.push(...(await lookAt(feed, { paceMs, signal })));
        } catch (error) {
          if (signal.aborted) throw error;
          failures.push(asWireError(error));
        }
      }
      return { shown: newestFirst(shown), failures };
    },
    read: async ({ url, heading }, signal) => readPage(await web.ask(url, { what: "page", paceMs, signal }), heading),
  };
}

function validatorsOf(header: (name: string) => string | null): Record<string, string> {
  const etag = header("etag");
  const modified = header("last-modified");
  return { ...(etag && { "if-none-match": etag }), ...(modified && { "if-modified-since": modified }) };
}
