import { isWire } from "../../domain/article/wire.ts";
import { DAY_MS, dayInZone, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { validatorsOf } from "../../http/validators.ts";
import type { Clock, MonotonicTime } from "../../ports/clock.ts";
import { nextRetry, type Retry } from "../official/page-schedule.ts";
import { isNewsDay } from "../publishing-hours.ts";
import { FetchError, toFetchError, unreadable } from "../web/fetch-error.ts";
import { type Feed, type FeedItem, readFeed } from "../web/read-feed.ts";
import type { Web, WebAnswer, WebRequest } from "../web/web.ts";
import { createAccessNewsroom, isAccessNewsroom } from "./access-newsroom.ts";
import { releaseId } from "./release-id.ts";
import { readReleaseList, releaseListUrl } from "./release-list.ts";
import type { WireSettings } from "./settings.ts";

/** Rules for reading the feeds and pages of one wire. */
export interface WireRules {
  /** Minimum pause between two requests to the same host of the wire. */
  readonly paceMs: number;
  /** Minimum pause between two requests for pages; default: `paceMs`. */
  readonly pagePaceMs?: number;
  /** Selectors of the element that holds the release, the most specific first. */
  readonly containers: readonly string[];
  /** Whether the hosts sometimes redirect to the same address with a slash at the end, which does not exist. */
  readonly retriesSlashRedirect?: boolean;
  /** Whether a feed without a title is an error: the wire serves all news, untitled, for a section that it doesn't know. */
  readonly requiresTitle?: boolean;
  /** Whether the wire has a list of all releases. Releases that the feed no longer shows are read from it. */
  readonly hasReleaseList?: boolean;
  /** Host in the feed's links that refuses requests from servers; its pages are read from the feed's host instead. */
  readonly refusingHost?: string;
}

export interface FeedWireParts extends WireSettings, WireRules {
  readonly web: Web;
  readonly clock: Clock;
  readonly name: string;
}

/** A feed's last full answer, for conditional requests. */
interface CachedFeed {
  readonly validators: Readonly<Record<string, string>>;
  readonly items: readonly FeedItem[];
}

/** Result of reading a feed once. */
export interface FeedPart {
  readonly items: readonly FeedItem[];
  readonly failures: readonly FetchError[];
  /** Errors of earlier reads that have not been resolved by a later one. */
  readonly unresolved?: readonly FetchError[];
  /** Whether releases between two reads were missed and are not in `items`; true once per gap. */
  readonly hasGap: boolean;
}

const NOTHING_MISSED: FeedPart = { items: [], failures: [], hasGap: false };

/** A wire publishes about 1,000 releases a day. */
const MAX_LIST_PAGES = 10;
/** After this time, the list no longer shows the releases of the gap. */
const MAX_GAP_MS = DAY_MS;
const MAX_LIST_RETRY_MS = 15 * MINUTE_MS;

type WireFeedReader = (signal: AbortSignal, lastReadAt: Instant | null) => Promise<FeedPart>;

/** Creates a reader of one feed that detects and fills gaps between two reads. Failures are part of its result. */
export function createWireFeedReader(parts: FeedWireParts, feed: string): WireFeedReader {
  const { web } = parts;
  const newsroom = isAccessNewsroom(feed) ? createAccessNewsroom(web) : null;
  let cached: CachedFeed | null = null;
  /** Items of the previous answer, or of the last one before an open gap. If nothing was missed, the next answer repeats one. */
  let previous: readonly FeedItem[] = [];
  /** Retry state of a gap that is not filled yet because the list of all releases can't be read. */
  let openGap: Retry | null = null;

  async function readItems(signal: AbortSignal): Promise<readonly FeedItem[]> {
    const request = { ...feedRequest(parts), signal };
    if (newsroom !== null) return newsroom.read(feed, request);
    const answer = await web.request(feed, { kind: "feed", headers: { ...cached?.validators }, ...request });
    // readFeed rejects a 304 that answers an unconditional request: nothing is cached, and it has no body.
    if (answer.status === 304 && cached !== null) return cached.items;
    const { items } = checkFeed(await readFeed(answer), answer, parts);
    if (items.length > 0) cached = { validators: validatorsOf(answer), items };
    return items;
  }

  async function fillGap(isOverlapping: ItemTest, signal: AbortSignal): Promise<FeedPart> {
    // A gap at startup is uncertain and not reported: the earlier run may have read feeds after it last stored a release.
    if (parts.hasReleaseList !== true) return { ...NOTHING_MISSED, hasGap: previous.length > 0 };
    const before = openGap;
    if (before !== null && parts.clock.monotonic() < before.notBefore)
      return { ...NOTHING_MISSED, unresolved: [before.error] };
    const listed = await readList(parts, feed, isOverlapping, signal);
    openGap = gapAfter(before, listed.failures, parts.clock.monotonic());
    return { ...listed, hasGap: listed.hasGap && before === null };
  }

  async function readMissed(items: readonly FeedItem[], { signal, lastReadAt }: Poll): Promise<FeedPart> {
    const isOverlapping = overlapWith(previous, lastReadAt);
    if (!items.some(isOverlapping)) return fillGap(isOverlapping, signal);
    openGap = null;
    return NOTHING_MISSED;
  }

  return async (signal, lastReadAt) => {
    try {
      const items = await readItems(signal);
      if (items.length === 0) return NOTHING_MISSED;
      const missed = await readMissed(items, { signal, lastReadAt });
      if (openGap === null) previous = items;
      return { ...missed, items: [...items, ...missed.items] };
    } catch (error) {
      if (signal.aborted) throw error;
      return { items: [], failures: [toFetchError(error)], hasGap: false };
    }
  };
}

interface Poll {
  readonly signal: AbortSignal;
  readonly lastReadAt: Instant | null;
}

/** The gap that is still open after a request for the list; null if the list was read, or no longer shows the gap. */
function gapAfter(before: Retry | null, [error]: readonly FetchError[], now: MonotonicTime): Retry | null {
  if (error === undefined || now - (before?.since ?? now) >= MAX_GAP_MS) return null;
  return nextRetry(before, error, now, MAX_LIST_RETRY_MS);
}

/** Reads the list of all releases, newest first, until a page has a release that was read before. */
async function readList(
  parts: FeedWireParts,
  feed: string,
  isOverlapping: ItemTest,
  signal: AbortSignal,
): Promise<FeedPart> {
  const items: FeedItem[] = [];
  try {
    for (let page = 1; page <= MAX_LIST_PAGES; page += 1) {
      const request: WebRequest = { kind: "page", ...pageRequest(parts), signal };
      const listed = readReleaseList(await parts.web.request(releaseListUrl(feed, page), request), parts.clock.now());
      items.push(...listed);
      if (listed.some(isOverlapping)) return { items, failures: [], hasGap: false };
    }
    return { items, failures: [], hasGap: true };
  } catch (error) {
    if (signal.aborted) throw error;
    return { items, failures: [toFetchError(error)], hasGap: true };
  }
}

function feedRequest({ paceMs, retriesSlashRedirect = false }: WireRules): RequestRules {
  return { paceMs, retriesSlashRedirect };
}

export function pageRequest({ paceMs, pagePaceMs = paceMs, retriesSlashRedirect = false }: WireRules): RequestRules {
  return { paceMs: pagePaceMs, retriesSlashRedirect };
}

type RequestRules = Pick<WebRequest, "paceMs" | "retriesSlashRedirect">;

/** Returns the feed. Throws a FetchError if a required title is missing, or if a wire's feed is empty on a working day. */
function checkFeed(feed: Feed, answer: WebAnswer, { name, clock, requiresTitle = false }: FeedWireParts): Feed {
  if (requiresTitle && feed.title === "")
    throw unreadable(answer, "its channel has no title: the section is unknown, and the feed shows all news instead");
  if (feed.items.length === 0 && isWire(name) && isNewsDay(dayInZone(clock.now(), MARKET_ZONE)))
    throw new FetchError(
      "empty",
      `${answer.url.host}${answer.url.pathname}: the feed is empty, although it is a working day`,
    );
  return feed;
}

type ItemTest = (item: FeedItem) => boolean;

/** Returns a test whether an item was read before: it is in the previous answer, or dates from before the last read. */
function overlapWith(before: readonly FeedItem[], lastReadAt: Instant | null): ItemTest {
  if (before.length > 0) {
    const ids = new Set(before.map(({ url }) => releaseId(url)));
    return ({ url }) => ids.has(releaseId(url));
  }
  // Undated items count as read before; without an earlier run, all items do.
  return ({ publishedAt }) => lastReadAt === null || publishedAt === null || publishedAt <= lastReadAt;
}
