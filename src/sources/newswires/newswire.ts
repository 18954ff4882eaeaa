import type { Instant } from "../../domain/time/day.ts";
import type { SourcePollResult } from "../source-status.ts";
import type { FeedItem } from "../web/read-feed.ts";

/** Result of reading all feeds of a wire once. */
export interface FeedPollResult extends SourcePollResult {
  /** Items of the readable feeds, newest first. An unchanged feed contributes its previous items. */
  readonly items: readonly FeedItem[];
}

/** One of the five wires, or a configured feed. */
export interface Newswire {
  /** Name of the wire or of the configured feed. */
  readonly name: string;
  /** Time from the start of a poll to the next one, in milliseconds. */
  readonly intervalMs: (now: Instant) => number;
  /**
   * Reads the feeds one after another; the error of a feed is reported in `failures`.
   * @param lastReadAt Time of the last read in an earlier run; null: none.
   *   Items that were published after it but are no longer in the feed are read from the wire's list of releases, if any.
   */
  readFeeds(signal: AbortSignal, lastReadAt?: Instant | null): Promise<FeedPollResult>;
  /** Plain text of a release. Throws a FetchError. */
  readPage(item: FeedItem, signal: AbortSignal): Promise<string>;
}
