import type { Article } from "../domain/article/article.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import type { Day } from "../domain/time/day.ts";
import type { MonotonicTime } from "./clock.ts";

/** An invalid record with the reason. Its ticker, if readable, still counts as listed. */
export interface QuarantinedRecord {
  readonly ticker: Ticker | null;
  /** `ACME: ex_date: got "soon", expected a day as YYYY-MM-DD` */
  readonly reason: string;
}

export interface SplitList {
  readonly records: readonly SplitRecord[];
  readonly quarantined: readonly QuarantinedRecord[];
}

export interface ArticlePages {
  /** The articles on the pages that were read, which contain everything new. */
  readonly articles: readonly Article[];
  /** Addresses of all listed articles, including those on pages that were not read because nothing has changed. */
  readonly urls: ReadonlySet<string>;
  readonly quarantined: readonly QuarantinedRecord[];
  /** False if a limit was reached or the pages kept shifting: the articles are valid, but there may be more. */
  readonly complete: boolean;
  /** Error that names the exceeded limit and the received amount; absent if no limit was exceeded. */
  readonly excess?: SourceError;
  /** What a complete search found, for the next one. */
  readonly listed?: ListedRows;
}

/** Rows of a complete search, by which the next one recognizes that nothing or little has changed. */
export interface ListedRows {
  readonly from: Day;
  /** Addresses of the distinct rows in the order of the pages; a hash for a row without one. */
  readonly keys: readonly string[];
  /** True if the service states their number, so that its first page shows how many rows are new. */
  readonly isCounted: boolean;
  /** When all pages were last read. */
  readonly readAt: MonotonicTime;
}

export interface SearchOptions {
  /** The last pages of which all articles were saved; null if there are none. */
  readonly saved?: ArticlePages | null;
  /** Called with the articles of each page, while the others are still read. */
  readonly onPage?: (articles: readonly Article[]) => void;
}

export interface DayRange {
  readonly from: Day;
  readonly today: Day;
}

/** Articles of any day that appeared or were corrected, as far as the source knows; unchanged ones may be among them. */
export interface ChangedArticles {
  /** In the order of their changes, if the source states it. */
  readonly articles: readonly Article[];
  /** Addresses of all articles that the source lists on the days of `articles`. */
  readonly urls: ReadonlySet<string>;
  /** Addresses of articles that were old when their publisher was first read; they trigger no alerts. */
  readonly backfilled: ReadonlySet<string>;
  /** Called once the articles are saved. Until then, each call returns them again. */
  readonly saved: () => void;
}

/** A Reverse Stock Split Data Service. Every failure is a SourceError. */
export interface SplitSource {
  /** Identifies the source of a snapshot; doesn't contain the API key. */
  readonly id: string;
  /** True for sample data: its cards are marked and shown only on the web page. */
  readonly sample: boolean;
  /** Returns the complete list of splits. */
  listSplits(signal: AbortSignal): Promise<SplitList>;
  /**
   * Returns the records of one symbol, which is written as the list writes it; an empty list does not prove that the split was removed.
   */
  lookUp(symbol: string, signal: AbortSignal): Promise<SplitList>;
  /** Searches the articles published on `from` or later. */
  searchArticles(from: Day, signal: AbortSignal, options?: SearchOptions): Promise<ArticlePages>;
  /**
   * Returns articles of the days that changed since the last ones that were saved, or that may have. Absent if the source finds them only
   * by a search.
   */
  changedArticles?(range: DayRange, signal: AbortSignal): Promise<ChangedArticles>;
}

export type SourceFailure =
  | "unreachable" // no connection, or it was lost
  | "timeout"
  | "not-allowed" // 401 and 403: the key was rejected
  | "rate-limited"
  | "server-error" // 5xx
  | "not-ready" // 503 while the service loads its first data
  | "not-found" // 404
  | "bad-answer" // not JSON, wrong shape, truncated or too large
  | "aborted"; // stopped by this process

export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly failure: SourceFailure;
  /** Delay that the source requested; null if it requested none. */
  readonly retryAfterMs: number | null;

  /** `message` is shown to users and contains no key. */
  constructor(failure: SourceFailure, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.failure = failure;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
