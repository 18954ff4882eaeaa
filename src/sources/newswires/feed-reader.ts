import { isWire } from "../../domain/article/wire.ts";
import { DAY_MS, dayInZone, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { validatorsOf } from "../../http/validators.ts";
import type { Clock, MonotonicTime } from "../../ports/clock.ts";
import { nextRetry, type Retry } from "../official/page-schedule.ts";
import { isNewsDay } from "../publishing-hours.ts";
import type { DocumentReader } from "../reading/document-reader.ts";
import { FetchError, toFetchError, unreadable } from "../web/fetch-error.ts";
import type { Feed, FeedItem } from "../web/read-feed.ts";
import type { Web, WebRequest } from "../web/web.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import { createAccessNewsroom, isAccessNewsroom } from "./access-newsroom.ts";
import { WIRE_READERS } from "./readers.ts";
import { releaseId } from "./release-id.ts";
import { releaseListUrl } from "./release-list.ts";
import { createSectionList, mayBeUnknownSection } from "./section-list.ts";
import type { WireSettings } from "./settings.ts";

/** Rules for reading the feeds and pages of one wire. */
export interface WireRules {
  /** Minimum pause between two requests to the same host of the wire. */
  readonly paceMs: number;
  /** Minimum pause between two requests for pages; default: `paceMs`. */
  readonly pagePaceMs?: number;
  /** Selectors of the element that holds the release, the most specific first. */
  readonly containers: readonly string[];
  /** Whether to retry a request that is redirected to the same address with a slash at the end, where no page exists. */
  readonly retriesSlashRedirect?: boolean;
  /** Whether a feed without a title is an error: for an unknown section, the wire serves a feed of all news without a title. */
  readonly requiresTitle?: boolean;
  /** Whether the wire has a list of all releases. Releases that the feed no longer shows are read from it. */
  readonly hasReleaseList?: boolean;
  /** Host in the feed's links that refuses requests from servers; its pages are read from the feed's host instead. */
  readonly refusingHost?: string;
}

export interface FeedWireParts extends WireSettings, WireRules {
  readonly web: Web;
  readonly reader: DocumentReader;
  readonly clock: Clock;
  readonly name: string;
}

/** A feed's last full answer, for conditional requests. */
interface CachedFeed {
  readonly validators: Readonly<Record<string, string>>;
  readonly items: readonly FeedItem[];
}

/** Result of reading one feed once. */
export interface FeedResult {
  readonly items: readonly FeedItem[];
  readonly failures: readonly FetchError[];
  /** Errors of earlier reads that have not been resolved by a later one. */
  readonly unresolved?: readonly FetchError[];
  /** Whether releases between two reads were missed and are not in `items`; true once per gap. */
  readonly hasGap: boolean;
  /** Which of several addresses is read, for the status. */
  readonly note?: string;
}

const NOTHING_MISSED: FeedResult = { items: [], failures: [], hasGap: false };

/** A wire publishes about 1,000 releases a day. */
const MAX_LIST_PAGES = 10;
/** After this time, the list no longer shows the releases of the gap. */
const MAX_GAP_MS = DAY_MS;
const MAX_LIST_RETRY_MS = 15 * MINUTE_MS;

type WireFeedReader = (signal: AbortSignal, lastReadAt: Instant | null) => Promise<FeedResult>;

/** Creates a reader of one feed that detects and fills gaps between two reads. The reader returns failures in its result. */
export function createWireFeedReader(parts: FeedWireParts, feed: string): WireFeedReader {
  const { web, reader } = parts;
  const newsroom = isAccessNewsroom(feed) ? createAccessNewsroom(web, reader) : null;
  let cached: CachedFeed | null = null;
  /** Items of the previous answer; while a gap is open, of the last answer before the gap. Without a gap, answers overlap. */
  let previous: readonly FeedItem[] = [];
  /** Retry state of a gap that is not filled yet because the list of all releases can't be read. */
  let openGap: Retry | null = null;
  const { clock, hasReleaseList = false } = parts;
  const section = hasReleaseList
    ? createSectionList({ clock, readPage: (...page) => readListPage(parts, ...page) }, feed)
    : null;

  async function readItems(signal: AbortSignal): Promise<readonly FeedItem[]> {
    if (section?.isUsed() === true) return section.read(signal);
    try {
      return await readFeedItems(signal);
    } catch (error) {
      if (section === null || !mayBeUnknownSection(error)) throw error;
      return section.readInstead(error, signal);
    }
  }

  async function readFeedItems(signal: AbortSignal): Promise<readonly FeedItem[]> {
    const request = { ...feedRequest(parts), signal };
    if (newsroom !== null) return newsroom.read(feed, request);
    const answer = await web.request(feed, { kind: "feed", headers: { ...cached?.validators }, ...request });
    // `readFeed` rejects an unexpected 304 (to a request without validators), because such an answer has no body.
    if (answer.status === 304 && cached !== null) return cached.items;
    const { items } = checkFeed(await reader.read(WIRE_READERS, "readFeed", answer), answer, parts);
    if (items.length > 0) cached = { validators: validatorsOf(answer), items };
    return items;
  }

  async function fillGap(wasReadBefore: ItemTest, signal: AbortSignal): Promise<FeedResult> {
    // A gap at startup isn't reported, because the earlier run may have read the feed after it last stored its read time.
    if (parts.hasReleaseList !== true) return { ...NOTHING_MISSED, hasGap: previous.length > 0 };
    const previousGap = openGap;
    if (previousGap !== null && parts.clock.monotonic() < previousGap.notBefore)
      return { ...NOTHING_MISSED, unresolved: [previousGap.error] };
    const listed = await readList(parts, feed, wasReadBefore, signal);
    openGap = gapAfter(previousGap, listed.failures, parts.clock.monotonic());
    return { ...listed, hasGap: listed.hasGap && previousGap === null };
  }

  async function readMissed(items: readonly FeedItem[], { signal, lastReadAt }: Poll): Promise<FeedResult> {
    const wasReadBefore = createReadBeforeTest(previous, lastReadAt);
    if (!items.some(wasReadBefore)) return fillGap(wasReadBefore, signal);
    openGap = null;
    return NOTHING_MISSED;
  }

  return async (signal, lastReadAt) => {
    try {
      const items = await readItems(signal);
      if (items.length === 0) return NOTHING_MISSED;
      const missed = await readMissed(items, { signal, lastReadAt });
      if (openGap === null) previous = items;
      const result = { ...missed, items: [...items, ...missed.items] };
      return section?.isUsed() === true ? { ...result, note: section.note } : result;
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
function gapAfter(previousGap: Retry | null, [error]: readonly FetchError[], now: MonotonicTime): Retry | null {
  if (error === undefined || now - (previousGap?.since ?? now) >= MAX_GAP_MS) return null;
  return nextRetry(previousGap, error, now, MAX_LIST_RETRY_MS);
}

async function readListPage(parts: FeedWireParts, url: string, signal: AbortSignal): Promise<readonly FeedItem[]> {
  const { web, reader, clock } = parts;
  const answer = await web.request(url, { kind: "page", ...pageRequest(parts), signal });
  return reader.read(WIRE_READERS, "readReleaseList", answer, clock.now());
}

/** Reads the list of all releases, newest first, until a page has a release that was read before. */
async function readList(
  parts: FeedWireParts,
  feed: string,
  wasReadBefore: ItemTest,
  signal: AbortSignal,
): Promise<FeedResult> {
  const items: FeedItem[] = [];
  try {
    for (let page = 1; page <= MAX_LIST_PAGES; page += 1) {
      const listed = await readListPage(parts, releaseListUrl(feed, page), signal);
      items.push(...listed);
      if (listed.some(wasReadBefore)) return { items, failures: [], hasGap: false };
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

/** Returns a test that is true for items of `previous`; at startup, for items that were published before `lastReadAt`. */
function createReadBeforeTest(previous: readonly FeedItem[], lastReadAt: Instant | null): ItemTest {
  if (previous.length > 0) {
    const ids = new Set(previous.map(({ url }) => releaseId(url)));
    return ({ url }) => ids.has(releaseId(url));
  }
  // Undated items count as read before; without an earlier run, all items do.
  return ({ publishedAt }) => lastReadAt === null || publishedAt === null || publishedAt <= lastReadAt;
}
