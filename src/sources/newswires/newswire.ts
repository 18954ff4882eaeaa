import type { TickerMention } from "../../domain/article/article.ts";
import type { Instant } from "../../domain/time/day.ts";
import { errorMessage } from "../../lib/error-text.ts";

/** Identifies the source: the value of `service.source` that selects it, and the id of its snapshots. */
export const SOURCE_ID = "wires";

/** A feed's item: one press release. */
export interface FeedItem {
  /** Absolute, without tracking parameters. */
  readonly url: string;
  readonly heading: string;
  /** Plain text; may be empty. */
  readonly teaser: string;
  /** Null: the feed gives no time. */
  readonly publishedAt: Instant | null;
  /** Tickers in the feed's own categories. */
  readonly tickers: readonly TickerMention[];
  /** Changes when the wire corrects the release. */
  readonly version: string;
}

/** Result of reading all feeds of a wire once. */
export interface FeedsReading {
  /** Items of the readable feeds, newest first. An unchanged feed contributes its previous items. */
  readonly items: readonly FeedItem[];
  /** One error for each unreadable feed. */
  readonly failures: readonly WireError[];
}

/** One of the five wires, or a configured feed. */
export interface Newswire {
  /** Name of the wire or of the configured feed. */
  readonly name: string;
  /** Poll interval. */
  readonly everyMs: number;
  /** Reads the feeds one after another. A feed that fails is reported in `failures`; the others are still read. */
  readFeeds(signal: AbortSignal): Promise<FeedsReading>;
  /** Plain text of a release. Throws a WireError. */
  readPage(item: FeedItem, signal: AbortSignal): Promise<string>;
}

export type WireFailure =
  | "unreachable"
  | "timeout"
  | "refused" // 401, 403, 451, a bot challenge, or forbidden by the robots rules; no workaround is tried
  | "rate-limited"
  | "server-error"
  | "gone" // 404 and 410
  | "unreadable" // not a feed, or a page without a release
  | "too-large";

export class WireError extends Error {
  override readonly name = "WireError";
  readonly failure: WireFailure;
  /** Milliseconds that the host asked to wait; null if it did not. */
  readonly retryAfterMs: number | null;

  constructor(failure: WireFailure, message: string, options: { retryAfterMs?: number | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.failure = failure;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** Returns the error as a WireError; an unexpected one counts as an unreadable answer. */
export function toWireError(error: unknown): WireError {
  if (error instanceof WireError) return error;
  return new WireError("unreadable", errorMessage(error), { cause: error });
}

export function unreadable({ url }: { readonly url: URL }, problem: string): WireError {
  return new WireError("unreadable", `${url.host}${url.pathname}: ${problem}`);
}
