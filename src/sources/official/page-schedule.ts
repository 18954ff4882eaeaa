import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { backoffMs } from "../../lib/backoff.ts";
import { BoundedMap } from "../../lib/collections.ts";
import type { Clock } from "../../ports/clock.ts";
import { FetchError, isHostFailure, toFetchError } from "../web/fetch-error.ts";

/** Failed attempts in a row to read a page or a list. */
export interface Retry {
  readonly failures: number;
  /** Time of the first one. */
  readonly since: Instant;
  readonly error: FetchError;
  /** Earliest time of the next attempt. */
  readonly notBefore: Instant;
}

const FIRST_RETRY_MS = MINUTE_MS;
const MAX_HOST_RETRY_MS = HOUR_MS;
const MAX_PAGE_RETRY_MS = DAY_MS;

/**
 * State after a failed attempt: the pause doubles from a minute to an hour if the host fails, to a day if only the page does.
 * The host may have asked for a longer one.
 */
export function retryAfter(before: Retry | null, error: FetchError, now: Instant, maxMs = maxRetryMs(error)): Retry {
  const failures = (before?.failures ?? 0) + 1;
  const delayMs = Math.max(backoffMs(failures, { firstMs: FIRST_RETRY_MS, maxMs }), error.retryAfterMs ?? 0);
  return { failures, since: before?.since ?? now, error, notBefore: now + delayMs };
}

function maxRetryMs(error: FetchError): number {
  return isHostFailure(error) ? MAX_HOST_RETRY_MS : MAX_PAGE_RETRY_MS;
}

/** A page that a list names. */
export interface ScheduledPage {
  readonly id: string;
  /** Changes with its entry in the list; null: the list doesn't show changes. */
  readonly version: string | null;
}

/** What a page held when it was last read in this run. */
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
   * Of the pages that are to be read, those that are not in backoff, missing and unreadable ones last. A change of its
   * version ends a page's backoff. Failures of other pages are dropped.
   */
  due<Page extends ScheduledPage>(wanted: readonly Page[]): readonly Page[];
  /** Reads pages in the given order until one can't be read because of its host. Returns the errors. */
  read<Page extends ScheduledPage>(
    pages: readonly Page[],
    options: ReadOptions<Page, T>,
  ): Promise<readonly FetchError[]>;
  /** Errors of the pages that could not be read, those that are given up included. */
  unresolved(): readonly FetchError[];
}

interface ReadOptions<Page, T> {
  /** Rejects with a FetchError. */
  readonly request: (page: Page) => Promise<T>;
  readonly signal: AbortSignal;
}

const MAX_PAGES = 2_000;
/** A page that is missing or unreadable for this long is given up. */
const GIVEN_UP_AFTER_DAYS = 14;

export function createPageSchedule<T>(clock: Clock): PageSchedule<T> {
  const readPages = new BoundedMap<string, ReadPage<T>>(MAX_PAGES);
  const failedPages = new BoundedMap<string, FailedPage>(MAX_PAGES);

  function isWaiting({ id, version }: ScheduledPage): boolean {
    const failed = failedPages.get(id);
    return failed !== undefined && failed.version === version && clock.now() < failed.notBefore;
  }

  /** Whether its last attempt failed because of the page itself. */
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
    const known = failedPages.get(id);
    // An outage of the host doesn't count towards the days after which the page is given up.
    const isSame = known?.version === version && isHostFailure(known.error) === isHostFailure(error);
    const retry = retryAfter(isSame ? known : null, error, clock.now());
    const failed = clock.now() - retry.since < GIVEN_UP_AFTER_DAYS * DAY_MS ? retry : givenUp(retry);
    failedPages.set(id, { ...failed, version });
    return failed.error;
  }

  return {
    get: (id) => readPages.get(id) ?? null,
    isTried: (id) => readPages.has(id) || failedPages.has(id),
    due(wanted) {
      const ids = new Set(wanted.map(({ id }) => id));
      for (const id of failedPages.keys()) if (!ids.has(id)) failedPages.delete(id);
      const due = wanted.filter((page) => !isWaiting(page));
      return due.toSorted((a, b) => Number(isUnreadable(a)) - Number(isUnreadable(b)));
    },
    async read(pages, { request, signal }) {
      const failures: FetchError[] = [];
      for (const page of pages) {
        const failure = await request(page).then((value) => succeed(page, value), toFetchError);
        if (signal.aborted) break;
        if (failure !== null) failures.push(fail(page, failure));
        if (failure !== null && isHostFailure(failure)) break;
      }
      return failures;
    },
    unresolved: () => [...failedPages.values()].map(({ error }) => error),
  };
}

/** The host may recover at any time, so only failures of the page itself are final. */
function givenUp(retry: Retry): Retry {
  const { failure, message, cause } = retry.error;
  if (isHostFailure(retry.error)) return retry;
  const error = new FetchError(failure, `${message}; given up after ${GIVEN_UP_AFTER_DAYS} days`, { cause });
  return { ...retry, error, notBefore: Number.POSITIVE_INFINITY };
}
