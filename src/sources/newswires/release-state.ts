import { extractReleaseFacts } from "../../catalog/extract-release.ts";
import { isPending, type Release } from "../../catalog/release.ts";
import { isWire } from "../../domain/article/wire.ts";
import type { SymbolDirectory } from "../../domain/split/symbol-directory.ts";
import { DAY_MS, type Day, dayInZone, daysBetween, HOUR_MS, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import type { ArticleFacts } from "../../extraction/extract.ts";
import { backoffMs } from "../../lib/backoff.ts";
import type { FetchError } from "../web/fetch-error.ts";
import type { FeedItem } from "../web/read-feed.ts";
import { releaseNumber, withoutQuery } from "./release-id.ts";

/** Failed attempts to read a page before the feed's heading and teaser are used instead of its text. */
const MAX_TRIES_BEFORE_FALLBACK = 4;
/** A page is not tried any more this long after its release was found. */
const PAGE_EXPECTED_FOR_MS = 14 * DAY_MS;
const MAX_BACKOFF_MS = 6 * HOUR_MS;
/** Shorter, because an unreachable host is usually this machine's own connection. */
const MAX_UNREACHABLE_BACKOFF_MS = 5 * MINUTE_MS;
const REFUSAL_BACKOFF_MS = 6 * HOUR_MS;
/** First pause after a refusal for a limited time. */
const FIRST_REFUSAL_BACKOFF_MS = 15 * MINUTE_MS;
/** Corrections beyond this number are read once an hour: some feeds change with every request. */
const MAX_PROMPT_READS = 4;
const LATER_READ_INTERVAL_MS = HOUR_MS;
/** A feed may have a wrong zone. A time further ahead is ignored; otherwise the release would stay the newest one. */
const MAX_AHEAD_MS = DAY_MS;

/** A release that a feed shows for the first time. */
export function newRelease(item: FeedItem, source: string, at: Instant): Release {
  const { url, heading, teaser, tickers, version } = item;
  const publishedAt = item.publishedAt !== null && item.publishedAt - at <= MAX_AHEAD_MS ? item.publishedAt : null;
  return {
    url,
    source,
    heading,
    teaser,
    tickers,
    publishedAt,
    version,
    published: dayInZone(publishedAt ?? at, MARKET_ZONE),
    foundAt: at,
    readVersion: null,
    readAt: null,
    reads: 0,
    text: null,
    facts: null,
    tries: 0,
    problem: null,
    notBefore: at,
  };
}

/**
 * What identifies a release at any of its addresses. Some feeds change the query with every request, in others it identifies
 * the release, so that an address without its query counts only together with the version of a dated item. Null: nothing does.
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

/** All identities by which items may be the release. */
export function identitiesOf({ url, version }: Release): readonly string[] {
  const number = releaseNumber(url);
  return [versionIdentity(url, version), ...(number === null ? [] : [`number ${number}`])];
}

function versionIdentity(url: string, version: string): string {
  return `version ${version} ${withoutQuery(url)}`;
}

/** The release after a feed showed it again; null if nothing changed. */
export function updatedRelease(known: Release, item: FeedItem, source: string): Release | null {
  // A configured feed may show the release of one of the five wires first.
  const movesToWire = !isWire(known.source) && isWire(source);
  // Otherwise only its own source corrects it: two feeds with different headings would make it change forever.
  if (!movesToWire && known.source !== source) return null;
  const isCorrected = item.version !== known.version;
  if (!movesToWire && !isCorrected) return null;
  const release = movesToWire ? { ...known, source } : known;
  if (!isCorrected) return release;
  const { heading, teaser, tickers, version } = item;
  const notBefore = known.reads < MAX_PROMPT_READS ? 0 : (known.readAt ?? 0) + LATER_READ_INTERVAL_MS;
  return { ...release, heading, teaser, tickers, version, tries: 0, problem: null, notBefore };
}

/** The text of a release's page. */
interface ReadText {
  readonly text: string;
  readonly version: string;
  readonly at: Instant;
  readonly directory: SymbolDirectory;
}

/** The release with the text of the given version. */
export function withText(known: Release, { text, version, at, directory }: ReadText): Release {
  const facts = extractReleaseFacts({ ...known, text }, directory);
  return {
    ...known,
    published: publicationDay(known, facts),
    readVersion: version,
    readAt: at,
    reads: known.reads + 1,
    text,
    facts,
    tries: 0,
    problem: null,
  };
}

/** The feed's day. A feed without times is dated by the release's dateline, if that is at most a week earlier. */
function publicationDay({ publishedAt, published }: Release, { announced }: ArticleFacts): Day {
  if (publishedAt !== null || announced === null || announced > published) return published;
  return daysBetween(announced, published) <= 7 ? announced : published;
}

/** The release after a failed attempt to read its page. */
export function withFailedRead(
  known: Release,
  error: FetchError,
  { at, directory }: Omit<ReadText, "text" | "version">,
): Release {
  const tries = known.tries + 1;
  const notBefore = at + Math.max(retryDelayMs(error, tries), error.retryAfterMs ?? 0);
  const failed = { ...known, tries, problem: error.message, notBefore };
  const usesFallback = error.failure === "refused" || tries >= MAX_TRIES_BEFORE_FALLBACK;
  // Facts of an earlier version are better than those of the feed's item.
  return usesFallback && known.facts === null ? { ...failed, facts: extractReleaseFacts(known, directory) } : failed;
}

function retryDelayMs({ failure, retryAfterMs }: FetchError, tries: number): number {
  if (failure === "refused" && retryAfterMs === null) return REFUSAL_BACKOFF_MS;
  const firstMs = failure === "refused" ? FIRST_REFUSAL_BACKOFF_MS : MINUTE_MS;
  return backoffMs(tries, { firstMs, maxMs: failure === "unreachable" ? MAX_UNREACHABLE_BACKOFF_MS : MAX_BACKOFF_MS });
}

/** Whether its page is still going to be read. */
export function isPageExpected(release: Release, now: Instant): boolean {
  return isPending(release) && now - release.foundAt < PAGE_EXPECTED_FOR_MS;
}
