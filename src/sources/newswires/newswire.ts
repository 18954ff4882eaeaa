import type { FetchError } from "../web/fetch-error.ts";
import type { FeedItem } from "../web/read-feed.ts";

/** Result of reading all feeds of a wire once. */
export interface FeedsReading {
  /** Items of the readable feeds, newest first. An unchanged feed contributes its previous items. */
  readonly items: readonly FeedItem[];
  /** One error for each unreadable feed. */
  readonly failures: readonly FetchError[];
}

/** One of the five wires, or a configured feed. */
export interface Newswire {
  /** Name of the wire or of the configured feed. */
  readonly name: string;
  /** Poll interval. */
  readonly everyMs: number;
  /** Reads the feeds one after another. A feed that fails is reported in `failures`; the others are still read. */
  readFeeds(signal: AbortSignal): Promise<FeedsReading>;
  /** Plain text of a release. Throws a FetchError. */
  readPage(item: FeedItem, signal: AbortSignal): Promise<string>;
}
