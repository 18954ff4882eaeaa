import { isPending, type Release } from "../../catalog/release.ts";
import { WIRES } from "../../domain/article/article.ts";
import { DAY_MS, type Day, dayInZone, daysBetween, HOUR_MS, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { type ArticleFacts, extractFacts } from "../../extraction/extract.ts";
import { backoffMs } from "../../lib/backoff.ts";
import type { FeedItem, WireError } from "./newswire.ts";

/** So many failed tries, and what the feed says of a release is shown in the place of its text. */
const PATIENT_TRIES = 4;

/** After that nobody waits for the page any more. */
const TRIED_FOR_MS = 14 * DAY_MS;

const LONGEST_BACK_OFF_MS = 6 * HOUR_MS;
/** It is more often our own way there that is cut than the page's host that is gone. */
const LONGEST_UNREACHABLE_MS = 5 * MINUTE_MS;
const REFUSED_FOR_MS = 6 * HOUR_MS;

/** So many corrections are read at once; a feed that changes with every look has its page read once an hour. */
const PROMPT_READS = 4;
const LATER_READS_AFTER_MS = HOUR_MS;

/** A feed may err in its zone. What lies further ahead would be the newest for ever, and is no date. */
const MOST_AHEAD_MS = DAY_MS;

/** A release that a feed shows for the first time. */
export function foundRelease(item: FeedItem, source: string, at: Instant): Release {
  const { url, heading, teaser, tickers, version } = item;
  const publishedAt = item.publishedAt !== null && item.publishedAt - at <= MOST_AHEAD_MS ? item.publishedAt : null;
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

/** The same release at the same time under another query: some feeds mark their links anew with every look. */
export function isMarkedAnew(known: Release, item: FeedItem, source: string): boolean {
  if (item.publishedAt === null || known.version !== item.version || known.source !== source) return false;
  return withoutQuery(known.url) === withoutQuery(item.url);
}

function withoutQuery(url: string): string | undefined {
  return url.split("?")[0];
}

/** The release as it is after a feed has shown it again; null when nothing about it is new. */
export function seenAgain(known: Release, item: FeedItem, source: string): Release | null {
  // A feed of the operator's own may be the first to show a release of one of the five wires.
  const isWires = !isWire(known.source) && isWire(source);
  // After that its wire alone corrects it: two feeds that write its heading in two ways would have it read for ever.
  if (isWire(known.source) && !isWire(source)) return null;
  const corrected = item.version !== known.version;
  if (!isWires && !corrected) return null;
  const release = isWires ? { ...known, source } : known;
  if (!corrected) return release;
  const { heading, teaser, tickers, version } = item;
  const notBefore = known.reads < PROMPT_READS ? 0 : (known.readAt ?? 0) + LATER_READS_AFTER_MS;
  return { ...release, heading, teaser, tickers, version, tries: 0, problem: null, notBefore };
}

/** The release with its text, read in its version `version`. */
export function withText(known: Release, text: string, version: string, at: Instant): Release {
  const facts = factsOf({ ...known, text });
  return {
    ...known,
    published: publishedOn(known, facts),
    readVersion: version,
    readAt: at,
    reads: known.reads + 1,
    text,
    facts,
    tries: 0,
    problem: null,
  };
}

/** The release after a try to read its page that failed. */
export function failedToRead(known: Release, error: WireError, at: Instant): Release {
  const tries = known.tries + 1;
  const longestMs = error.failure === "unreachable" ? LONGEST_UNREACHABLE_MS : LONGEST_BACK_OFF_MS;
  const delayMs =
    error.failure === "refused" ? REFUSED_FOR_MS : backoffMs(tries, { firstMs: MINUTE_MS, maxMs: longestMs });
  const notBefore = at + Math.max(delayMs, error.retryAfterMs ?? 0);
  const failed = { ...known, tries, problem: error.message, notBefore };
  const isHopeless = error.failure === "refused" || tries >= PATIENT_TRIES;
  // What was read before a correction still is the most that is known.
  return isHopeless && known.facts === null ? { ...failed, facts: factsOf(known) } : failed;
}

/** The release with its facts read anew, by the rules as they are now, out of the words that they came from. */
export function factsAnew(release: Release): Release {
  return release.facts === null ? release : { ...release, facts: factsOf(release) };
}

/** What its text says; while there is none, what the feed says of it. */
function factsOf({ heading, teaser, text, published }: Release): ArticleFacts {
  return extractFacts({ heading, content: text ?? wholeSentences(teaser), published });
}

/** Whether its page is to be read at some time. */
export function isAwaited(release: Release, now: Instant): boolean {
  return isPending(release) && now - release.foundAt < TRIED_FOR_MS;
}

/** Without a last sentence that was cut off: half a range would pass for a ratio. */
function wholeSentences(teaser: string): string {
  const text = teaser.trimEnd();
  const isWhole = /[.!?]["”’)]?$/.test(text.slice(-2)) && !text.endsWith("...");
  if (isWhole) return text;
  const end = Math.max(...[". ", "! ", "? "].map((stop) => text.lastIndexOf(stop)));
  return text.slice(0, end + 1);
}

export function isWire(source: string): boolean {
  const wires: readonly string[] = WIRES;
  return wires.includes(source);
}

/** A feed without dates leaves it to the dateline, where that is about the day on which we found it. */
function publishedOn({ publishedAt, published }: Release, { announced }: ArticleFacts): Day {
  if (publishedAt !== null || announced === null || announced > published) return published;
  return daysBetween(announced, published) <= 7 ? announced : published;
}
