import type { Article } from "../domain/article/article.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import type { Day } from "../domain/time/day.ts";

/** A record that could not be used, and why. Its ticker still tells that the split is listed. */
export interface QuarantinedRecord {
  readonly ticker: Ticker | null;
  /** `data[4].ex_date: got "soon", expected a day as YYYY-MM-DD` */
  readonly reason: string;
}

export interface SplitList {
  readonly records: readonly SplitRecord[];
  readonly quarantined: readonly QuarantinedRecord[];
}

export interface ArticlePages {
  readonly articles: readonly Article[];
  readonly quarantined: readonly QuarantinedRecord[];
  /** False when the reading stopped at the limit of pages, or the pages kept shifting: what is here is good, more may be there. */
  readonly complete: boolean;
}

/** Where splits and articles come from: a Reverse Stock Split Data Service. Every failure is a SourceError. */
export interface SplitSource {
  /** Names the source without its key; a snapshot belongs to it. */
  readonly id: string;
  /** The data is invented: cards say so, and it stays on the web page. */
  readonly sample: boolean;
  /** The whole list, or a failure: never a part. */
  listSplits(signal: AbortSignal): Promise<SplitList>;
  /** What the service says of one ticker; an empty list is no proof that it has gone. */
  lookUp(ticker: Ticker, signal: AbortSignal): Promise<SplitList>;
  /** All articles published on `from` or later. */
  searchArticles(from: Day, signal: AbortSignal): Promise<ArticlePages>;
}

export type SourceFailure =
  | "unreachable" // no connection, or it broke
  | "timeout"
  | "not-allowed" // 401 and 403: the key
  | "rate-limited"
  | "server-error" // 5xx
  | "not-ready" // 503 of a service that is still filling
  | "not-found" // 404
  | "bad-answer" // not JSON, not the shape, cut short, too large
  | "aborted"; // we stopped it

export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly failure: SourceFailure;
  /** Not before this many milliseconds have passed, where the source said so. */
  readonly retryAfterMs: number | null;

  /** `message` is shown to people; it holds no key. */
  constructor(failure: SourceFailure, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.failure = failure;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
