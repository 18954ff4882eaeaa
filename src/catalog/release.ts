import type { TickerMention } from "../domain/article/article.ts";
import type { Day, Instant } from "../domain/time/day.ts";
import type { ArticleFacts } from "../extraction/extract.ts";

/** A press release that a wire has shown, as we keep it. */
export interface Release {
  /** Names it: a correction comes under the same address. */
  readonly url: string;
  /** One of the five wires, or the name of a feed of the operator's own. */
  readonly source: string;
  readonly heading: string;
  /** What the feed says of it; may be empty. */
  readonly teaser: string;
  /** Those that the feed itself gives. */
  readonly tickers: readonly TickerMention[];
  /** Null: the feed does not say. */
  readonly publishedAt: Instant | null;
  readonly published: Day;
  readonly foundAt: Instant;
  /** What the feed showed last: it changes with each correction. */
  readonly version: string;
  /** The version whose page `text` is; another one, or null, while the page is still to be read. */
  readonly readVersion: string | null;
  /** When the page was read last. */
  readonly readAt: Instant | null;
  /** How often it was read: a feed that changes its mind with every look must not have us read for ever. */
  readonly reads: number;
  /** The whole text of the page; null until it was read for the first time. */
  readonly text: string | null;
  /** What the text says, or the feed's own words while there is no text and none is expected soon. */
  readonly facts: ArticleFacts | null;
  /** Tries to read the present version that failed. */
  readonly tries: number;
  /** Why the last try failed; null when none did. */
  readonly problem: string | null;
  /** The page is not read before this. */
  readonly notBefore: Instant;
}

/** Its page is still to be read, for the first time or after a correction. */
export function isPending({ version, readVersion }: Release): boolean {
  return version !== readVersion;
}
