import { isPending, type Release } from "../../catalog/release.ts";
import { isWire } from "../../domain/article/wire.ts";
import { DAY_MS, type Day, dayInZone, daysBetween, HOUR_MS, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { backoffMs } from "../../lib/backoff.ts";
import type { ReleaseFacts } from "../reading/release-facts.ts";
import type { FetchError } from "../web/fetch-error.ts";
import type { FeedItem } from "../web/read-feed.ts";
import { releaseNumber, withoutQuery } from "./release-id.ts";

/** After this many failed reads of a page, the facts are extracted from the heading and teaser of the feed item. */
const MAX_TRIES_BEFORE_FALLBACK = 4;
/** Period after the discovery or the last correction of a release during which reads of its page are retried. */
const PAGE_RETRY_PERIOD_MS = 14 * DAY_MS;
const MAX_BACKOFF_MS = 6 * HOUR_MS;
/** Longest pause if the host is unreachable. It is short, because the usual cause is this machine's connection. */
const MAX_UNREACHABLE_BACKOFF_MS = 5 * MINUTE_MS;
/** Pause after a refusal without a Retry-After header. */
const REFUSAL_BACKOFF_MS = 6 * HOUR_MS;
/** First pause after a refusal with a Retry-After header. */
const FIRST_REFUSAL_BACKOFF_MS = 15 * MINUTE_MS;
/** The first reads of a release aren't delayed. Later corrections are read once an hour: some feeds change at every request. */
const MAX_IMMEDIATE_READS = 4;
const LATER_READ_INTERVAL_MS = HOUR_MS;
/**
 * Publication times further in the future are ignored, because such a release would stay the newest one. The limit tolerates
 * a time with a wrong time zone.
 */
const MAX_AHEAD_MS = DAY_MS;

/** Creates a release from its first feed item. */
export function newRelease(item: FeedItem, source: string, foundAt: Instant): Release {
  const { url, heading, teaser, tickers, version } = item;
  const publishedAt = item.publishedAt !== null && item.publishedAt - foundAt <= MAX_AHEAD_MS ? item.publishedAt : null;
  return {
    url,
    source,
    heading,
    teaser,
    tickers,
    publishedAt,
    version,
    published: dayInZone(publishedAt ?? foundAt, MARKET_ZONE),
    foundAt,
    readVersion: null,
    readAt: null,
    reads: 0,
    text: null,
    facts: null,
    tries: 0,
    problem: null,
    notBefore: foundAt,
  };
}

/**
 * Identity of a release: the release number, which is in all its addresses; if there is none, the version and the address
 * without its query, which some feeds change with every request. Null for an undated item without a number.
 */
export function identityOf({
  url,
  version,
  publishedAt,
}: Pick<FeedItem, "url" | "version" | "publishedAt">): string | null {
  const number = releaseNumber(url);
  if (number !== null) return `number ${number}`;
  return publishedAt === null ? null : versionIdentity(url, version);
}

/** Returns every identity that a feed item of the release can have. */
export function identitiesOf({ url, version }: Release): readonly string[] {
  const number = releaseNumber(url);
  return [versionIdentity(url, version), ...(number === null ? [] : [`number ${number}`])];
}

function versionIdentity(url: string, version: string): string {
  return `version ${version} ${withoutQuery(url)}`;
}

/** Returns the release with the changes of a later feed item; null if nothing changed. */
export function updatedRelease(previous: Release, item: FeedItem, source: string, now: Instant): Release | null {
  // A configured feed may list a release before its wire does.
  const movesToWire = !isWire(previous.source) && isWire(source);
  // Two feeds with different headings would otherwise alternately correct the release at every poll.
  if (!movesToWire && previous.source !== source) return null;
  const isCorrected = item.version !== previous.version;
  if (!movesToWire && !isCorrected) return null;
  const release = movesToWire ? { ...previous, source } : previous;
  if (!isCorrected) return release;
  const { heading, teaser, tickers, version } = item;
  const notBefore = previous.reads < MAX_IMMEDIATE_READS ? 0 : (previous.readAt ?? 0) + LATER_READ_INTERVAL_MS;
  return { ...release, heading, teaser, tickers, version, correctedAt: now, tries: 0, problem: null, notBefore };
}

/** Text of a release's page, read for the given version of the release, with the facts extracted from it. */
interface ReadText extends ReleaseFacts {
  readonly text: string;
  readonly version: string;
  readonly readAt: Instant;
}

/** Returns the release with the text of the given version. */
export function withText(release: Release, { text, version, readAt, ...facts }: ReadText): Release {
  return {
    ...release,
    ...facts,
    published: publicationDay(release, facts),
    readVersion: version,
    readAt,
    reads: release.reads + 1,
    text,
    tries: 0,
    problem: null,
  };
}

/**
 * Day of the feed item's publication time. Without a time, the day in the dateline if it is at most a week before the
 * discovery, else the day of the discovery.
 */
function publicationDay({ publishedAt, published }: Release, { facts }: ReleaseFacts): Day {
  const announced = facts?.announced ?? null;
  if (publishedAt !== null || announced === null || announced > published) return published;
  return daysBetween(announced, published) <= 7 ? announced : published;
}

/** Returns the release after a failed attempt to read its page. */
export function withFailedRead(release: Release, error: FetchError, readAt: Instant): Release {
  const tries = release.tries + 1;
  const notBefore = readAt + Math.max(retryDelayMs(error, tries), error.retryAfterMs ?? 0);
  return { ...release, tries, problem: error.message, notBefore };
}

/** Whether the facts of a release whose page can't be read are those of its feed item. Facts of an earlier version are more complete. */
export function usesFeedItem({ facts, tries }: Release, { failure }: FetchError): boolean {
  return facts === null && (failure === "refused" || tries >= MAX_TRIES_BEFORE_FALLBACK);
}

function retryDelayMs({ failure, retryAfterMs }: FetchError, tries: number): number {
  if (failure === "refused" && retryAfterMs === null) return REFUSAL_BACKOFF_MS;
  const firstMs = failure === "refused" ? FIRST_REFUSAL_BACKOFF_MS : MINUTE_MS;
  return backoffMs(tries, { firstMs, maxMs: failure === "unreachable" ? MAX_UNREACHABLE_BACKOFF_MS : MAX_BACKOFF_MS });
}

/** Whether the page of the release will still be read. */
export function isPageExpected(release: Release, now: Instant): boolean {
  return isPending(release) && now - (release.correctedAt ?? release.foundAt) < PAGE_RETRY_PERIOD_MS;
}
