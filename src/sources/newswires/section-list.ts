import { DAY_MS, MINUTE_MS } from "../../domain/time/day.ts";
import type { Clock, MonotonicTime } from "../../ports/clock.ts";
import { FetchError, type FetchFailure } from "../web/fetch-error.ts";
import type { FeedItem } from "../web/read-feed.ts";
import { sectionListUrl } from "./release-list.ts";

/** Minimum time between two requests for the list of a section. */
const LIST_INTERVAL_MS = 5 * MINUTE_MS;
/** Time after which the section's feed is tried again. */
const FEED_RETRY_MS = DAY_MS;

/** HTML list of a section of PR Newswire, which is read while the section has no feed. */
export interface SectionList {
  /** Whether the list is read in place of the feed at this time. */
  isUsed(): boolean;
  /** Returns the releases on the list, which is requested at most every five minutes. Rejects with a FetchError. */
  read(signal: AbortSignal): Promise<readonly FeedItem[]>;
  /** Reads the list after the feed failed, and uses it if it can be read; rejects with the error of the feed otherwise. */
  readInstead(problem: unknown, signal: AbortSignal): Promise<readonly FeedItem[]>;
  readonly note: string;
}

interface SectionListParts {
  readonly clock: Clock;
  /** Reads a page with a list of releases. Rejects with a FetchError. */
  readonly readPage: (url: string, signal: AbortSignal) => Promise<readonly FeedItem[]>;
}

/** Null for a feed that has no list of its section. */
export function createSectionList({ clock, readPage }: SectionListParts, feed: string): SectionList | null {
  const url = sectionListUrl(feed);
  return url === null ? null : sectionListAt(url, feed, { clock, readPage });
}

function sectionListAt(url: string, feed: string, { clock, readPage }: SectionListParts): SectionList {
  let usedUntil: MonotonicTime = Number.NEGATIVE_INFINITY;
  let nextReadAt: MonotonicTime = Number.NEGATIVE_INFINITY;
  let items: readonly FeedItem[] = [];

  async function read(signal: AbortSignal): Promise<readonly FeedItem[]> {
    if (clock.monotonic() < nextReadAt) return items;
    nextReadAt = clock.monotonic() + LIST_INTERVAL_MS;
    items = await readPage(url, signal);
    return items;
  }

  async function readIfPossible(signal: AbortSignal): Promise<readonly FeedItem[]> {
    try {
      return await read(signal);
    } catch {
      return [];
    }
  }

  return {
    isUsed: () => clock.monotonic() < usedUntil,
    read,
    async readInstead(problem, signal) {
      const listed = await readIfPossible(signal);
      if (listed.length === 0) throw problem;
      usedUntil = clock.monotonic() + FEED_RETRY_MS;
      return listed;
    },
    note: `${new URL(url).pathname} is read instead of ${new URL(feed).pathname}`,
  };
}

const UNKNOWN: ReadonlySet<FetchFailure> = new Set(["gone", "unreadable", "empty"]);

/** Whether the answer may be that of an unknown section: the host serves its feed of all news without a title, or 404. */
export function mayBeUnknownSection(error: unknown): boolean {
  return error instanceof FetchError && UNKNOWN.has(error.failure);
}
