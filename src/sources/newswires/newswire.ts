import type { TickerMention } from "../../domain/article/article.ts";
import type { Instant } from "../../domain/time/day.ts";

/** What a feed says of one release. */
export interface FeedItem {
  /** Absolute, and the same however the feed decorates it. */
  readonly url: string;
  readonly heading: string;
  /** Plain text; may be empty. */
  readonly teaser: string;
  /** Null: the feed does not say. */
  readonly publishedAt: Instant | null;
  /** Those that the feed itself gives. */
  readonly tickers: readonly TickerMention[];
  /** Changes when the wire corrects what it sent out under this address. */
  readonly version: string;
}

/** What one look at all feeds of a wire gave. */
export interface WireLook {
  /** What the feeds that could be read show now, newest first. One that is unchanged shows what it showed before. */
  readonly shown: readonly FeedItem[];
  /** One for each feed that could not be read. */
  readonly failures: readonly WireError[];
}

/** One wire, or a feed of the operator's own. */
export interface Newswire {
  /** One of the five wires, or the feed's name. */
  readonly name: string;
  /** How often it may be looked at. */
  readonly everyMs: number;
  /** Reads its feeds, one after the other. A feed that fails holds up no other: it is among the failures. */
  look(signal: AbortSignal): Promise<WireLook>;
  /** The text of one release, plain. Throws a WireError. */
  read(item: FeedItem, signal: AbortSignal): Promise<string>;
}

/**
 * `refused`: the wire does not want us there (401, 403, 451, a challenge), or its robots rules say so: no way round is tried.
 * `gone`: there is no such page. `unreadable`: an answer came that is no feed or holds no release.
 */
export type WireFailure =
  | "unreachable"
  | "timeout"
  | "refused"
  | "rate-limited"
  | "server-error"
  | "gone"
  | "unreadable"
  | "too-large";

export class WireError extends Error {
  override readonly name = "WireError";
  readonly failure: WireFailure;
  /** The wire's own word on when to come back. */
  readonly retryAfterMs: number | null;

  constructor(failure: WireFailure, message: string, options: { retryAfterMs?: number | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.failure = failure;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** What a reader stumbled over is no answer that can be read. */
export function asWireError(error: unknown): WireError {
  if (error instanceof WireError) return error;
  return new WireError("unreadable", error instanceof Error ? error.message : String(error), { cause: error });
}
