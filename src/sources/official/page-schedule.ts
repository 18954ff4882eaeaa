import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { backoffMs } from "../../lib/backoff.ts";
import { BoundedMap } from "../../lib/collections.ts";
import type { Clock, MonotonicTime } from "../../ports/clock.ts";
import type { DocumentCounts } from "../source-status.ts";
import { FetchError, isHostFailure, toFetchError } from "../web/fetch-error.ts";

/** State after consecutive failed attempts to read a page or a list. */
export interface Retry {
  readonly failures: number;
  /** Time of the first failure. */
  readonly since: MonotonicTime;
  readonly error: FetchError;
  /** Earliest time of the next attempt. */
  readonly notBefore: MonotonicTime;
}

const FIRST_RETRY_MS = MINUTE_MS;
const MAX_HOST_RETRY_MS = HOUR_MS;
const MAX_PAGE_RETRY_MS = DAY_MS;

/**
 * State after another failed attempt. The pause doubles from a minute up to `maxMs`; default: an hour for a failure of the
 * host, a day for a failure of the page. A longer `Retry-After` of the host takes precedence.
 */
export function nextRetry(
  previous: Retry | null,
  error: FetchError,
  now: MonotonicTime,
  maxMs = maxRetryMs(error),
): Retry {
  const failures = (previous?.failures ?? 0) + 1;
  const delayMs = Math.max(backoffMs(failures, { firstMs: FIRST_RETRY_MS, maxMs }), error.retryAfterMs ?? 0);
  return { failures, since: previous?.since ?? now, error, notBefore: now + delayMs };
}

function maxRetryMs(error: FetchError): number {
  return isHostFailure(error) ? MAX_HOST_RETRY_MS : MAX_PAGE_RETRY_MS;
}

/** A page that a list links to. */
export interface ScheduledPage {
  readonly id: string;
  /** Changes with the page's entry in the list; null: the list doesn't show changes. */
  readonly version: string | null;
}

/** Result of the last read of a page in this run. */
export interface ReadPage<T> {
  readonly version: string | null;
  readonly readAt: Instant;
  readonly value: T;
}

interface FailedPage extends Retry {
  readonly version: string | null;
}

/** Pages that are read one by one, and retried with backoff. */
export interface PageSchedule<T> {
  /** Null if the page was not read in this run. */
  get(id: string): ReadPage<T> | null;
  /** Whether an attempt was made in this run. */
  isTried(id: string): boolean;
  /**
   * Returns the pages that are not in backoff; missing and unreadable pages are last. A new version ends a page's backoff.
   * Also deletes the stored failures of pages that are not in `pages`.
   */
  due<Page extends ScheduledPage>(pages: readonly Page[]): readonly Page[];
  /** Reads pages in the given order, up to the first failure of the host or the time limit. */
  read<Page extends ScheduledPage>(pages: readonly Page[], options: ReadOptions<Page, T>): Promise<PageReads>;
  /** Errors of all unreadable pages, including pages that are no longer retried. */
  unresolved(): readonly FetchError[];
}

interface PageReads {
  readonly failures: readonly FetchError[];
  readonly documents: DocumentCounts;
}

interface ReadOptions<Page, T> {
  /** Rejects with a FetchError. */
  readonly request: (page: Page) => Promise<T>;
  readonly signal: AbortSignal;
  /** Time after which no further page is requested, in milliseconds. Default: unlimited. */
  readonly maxMs?: number;
}

const MAX_PAGES = 2_000;
/** A page that is missing or unreadable for this period is no longer retried. */
const MAX_RETRY_DAYS = 14;

export function createPageSchedule<T>(clock: Clock): PageSchedule<T> {
  const readPages = new BoundedMap<string, ReadPage<T>>(MAX_PAGES);
  const failedPages = new BoundedMap<string, FailedPage>(MAX_PAGES);

  function isInBackoff({ id, version }: ScheduledPage): boolean {
    const failed = failedPages.get(id);
    return failed !== undefined && failed.version === version && clock.monotonic() < failed.notBefore;
  }

  /** Whether the last attempt to read the page failed because of the page, not of its host. */
  function isUnreadable({ id }: ScheduledPage): boolean {
    const failed = failedPages.get(id);
    return failed !== undefined && !isHostFailure(failed.error);
  }

  function succeed({ id, version }: ScheduledPage, value: T): null {
    readPages.set(id, { version, readAt: clock.now(), value });
    failedPages.delete(id);
    return null;
  }

  function fail({ id, version }: ScheduledPage, error: FetchError): FetchError {
    const previous = failedPages.get(id);
    // An outage of the host doesn't count toward the retry period of the page.
    const continues = previous?.version === version && isHostFailure(previous.error) === isHostFailure(error);
    const retry = nextRetry(continues ? previous : null, error, clock.monotonic());
    const failed = clock.monotonic() - retry.since < MAX_RETRY_DAYS * DAY_MS ? retry : endRetries(retry);
    failedPages.set(id, { ...failed, version });
    return failed.error;
  }

  async function tryPage<Page extends ScheduledPage>(
    page: Page,
    { request, signal }: ReadOptions<Page, T>,
  ): Promise<Attempt> {
    const isRepeated = failedPages.get(page.id)?.version === page.version;
    const error = await request(page).then((value) => succeed(page, value), toFetchError);
    return { failure: error === null || signal.aborted ? error : fail(page, error), isRepeated };
  }

  return {
    get: (id) => readPages.get(id) ?? null,
    isTried: (id) => readPages.has(id) || failedPages.has(id),
    due(pages) {
      const ids = new Set(pages.map(({ id }) => id));
      for (const id of failedPages.keys()) if (!ids.has(id)) failedPages.delete(id);
      const due = pages.filter((page) => !isInBackoff(page));
      return due.toSorted((a, b) => Number(isUnreadable(a)) - Number(isUnreadable(b)));
    },
    async read(pages, options) {
      const { signal, maxMs = Number.POSITIVE_INFINITY } = options;
      const attempts: Attempt[] = [];
      const startedAt = clock.monotonic();
      const isOver = (): boolean => signal.aborted || clock.monotonic() - startedAt >= maxMs;
      for (const page of pages) {
        if (isOver()) break;
        const attempt = await tryPage(page, options);
        if (signal.aborted) break;
        attempts.push(attempt);
        if (attempt.failure !== null && isHostFailure(attempt.failure)) break;
      }
      return readsOf(attempts);
    },
    unresolved: () => [...failedPages.values()].map(({ error }) => error),
  };
}

/** An attempt to read a page. */
interface Attempt {
  /** Null if it succeeded. */
  readonly failure: FetchError | null;
  /** Whether the previous attempt failed too. */
  readonly isRepeated: boolean;
}

function readsOf(attempts: readonly Attempt[]): PageReads {
  const failures = attempts.flatMap(({ failure }) => failure ?? []);
  const repeated = attempts.filter(({ failure, isRepeated }) => failure !== null && isRepeated).length;
  return { failures, documents: { read: attempts.length - failures.length, unreadable: failures.length, repeated } };
}

/** Makes a failure of the page final. A failure of the host is never final, because the host may recover. */
function endRetries(retry: Retry): Retry {
  const { failure, message, cause } = retry.error;
  if (isHostFailure(retry.error)) return retry;
  const error = new FetchError(failure, `${message}; given up after ${MAX_RETRY_DAYS} days`, { cause });
  return { ...retry, error, notBefore: Number.POSITIVE_INFINITY };
}
