import type { Article, KnownArticle } from "../domain/article/article.ts";
import { diffArticles } from "../domain/diff/article-diff.ts";
import type { Snapshot } from "../domain/diff/snapshot.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { addDays, dayInZone, type Instant } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { articleVersion, readArticle } from "../extraction/read-article.ts";
import { settleWithin } from "../lib/clock.ts";
import { groupBy } from "../lib/collections.ts";
import type { Clock } from "../ports/clock.ts";
import type { SplitList } from "../ports/split-source.ts";
import { commitChanges } from "./commit.ts";
import { MAX_WAIT_MS, type PollOutcome, type PollParts } from "./poll-parts.ts";

/** How far back the first run reads: releases about splits whose ex date is still ahead. */
const BACKFILL_DAYS = 45;

/** Articles are dated by day and can appear late, so each poll reads this many days again. */
const OVERLAP_DAYS = 3;

/** Articles are extracted in slices of this size, so that commands are answered in between. */
const ARTICLES_PER_SLICE = 20;

/** Reads the articles since the last complete poll and commits what they change. `readList` returns the current list of splits. */
export async function pollArticles(parts: PollParts, readList: () => Promise<SplitList>): Promise<PollOutcome> {
  const { source, store, clock, signal } = parts;
  const today = dayInZone(clock.now(), MARKET_ZONE);
  const earlier = await store.snapshot.read();
  const through = earlier.source === source.id ? earlier.articlesThrough : null;
  const from = through === null ? addDays(today, -BACKFILL_DAYS) : addDays(through, -OVERLAP_DAYS);
  const pages = await source.searchArticles(from, signal);
  const hasNew = pages.articles.some(({ url }) => through === null || !earlier.articles.has(url));
  // A release can be out before the next poll of splits sees its split, so new ones are linked with the current list.
  const listed = hasNew ? await listedRecords(readList, clock) : [];
  return parts.exclusive(async () => {
    const before = await store.snapshot.read();
    const at = clock.now();
    const known = before.source === source.id ? before.articles : new Map<string, KnownArticle>();
    const unread = pages.articles.filter((article) => known.get(article.url)?.version !== articleVersion(article));
    const fresh = await readArticles(unread, recordsByTicker(before, listed), at);
    const polled = { source: source.id, sample: source.sample, fresh, complete: pages.complete, listed, at, today };
    const { patch, events, stated } = diffArticles(before, polled);
    const isMoved = patch.header.articlesThrough !== before.articlesThrough || patch.removedArticles.length > 0;
    await commitChanges(parts, { patch: fresh.length > 0 || isMoved ? patch : null, events, stated });
    return {
      outcome: pages.complete ? "complete" : "incomplete",
      detail: `${pages.articles.length} articles since ${from}, ${fresh.length} new or corrected`,
      records: pages.articles.length,
      events: events.length,
      quarantined: pages.quarantined.map(({ reason }) => reason),
    };
  });
}

async function readArticles(
  articles: readonly Article[],
  listed: ReadonlyMap<Ticker, readonly SplitRecord[]>,
  at: Instant,
): Promise<KnownArticle[]> {
  const read: KnownArticle[] = [];
  for (const [index, article] of articles.entries()) {
    if (index > 0 && index % ARTICLES_PER_SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
    read.push(readArticle(article, listed, at));
  }
  return read;
}

/** The records of the current list; empty if it fails or is slow, which the poll of splits reports. */
async function listedRecords(readList: () => Promise<SplitList>, clock: Clock): Promise<readonly SplitRecord[]> {
  const list = await settleWithin(
    readList().catch(() => null),
    MAX_WAIT_MS,
    clock,
  );
  return list?.records ?? [];
}

function recordsByTicker(
  snapshot: Snapshot,
  listed: readonly SplitRecord[],
): ReadonlyMap<Ticker, readonly SplitRecord[]> {
  const known = [...snapshot.splits.values()].filter(({ status }) => status !== "closed").map(({ record }) => record);
  return groupBy([...known, ...listed], (record) => record.ticker);
}
