import type { Article, KnownArticle } from "../domain/article/article.ts";
import { diffArticles } from "../domain/diff/article-diff.ts";
import type { Snapshot } from "../domain/diff/snapshot.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { addDays, dayInZone, type Instant } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { articleVersion, readArticle } from "../extraction/read-article.ts";
import { groupBy } from "../lib/group-by.ts";
import type { Clock } from "../ports/clock.ts";
import type { SplitList } from "../ports/split-source.ts";
import { commitChanges } from "./commit.ts";
import { withDeadline } from "./deadline.ts";
import type { PollOutcome } from "./poll-outcome.ts";
import type { PollParts } from "./poll-parts.ts";

/** How far back the first run reads: the releases on splits that are still to come. */
const ARTICLE_BACKFILL_DAYS = 45;

/** Articles are dated by the day and may come late: this many days are read again each time. */
const ARTICLE_OVERLAP_DAYS = 3;

/** Reading many texts is done in slices, so that commands are answered in between. */
const ARTICLES_PER_SLICE = 20;

/** Reads the articles since the last ones, and makes news of them. `listOf` gives what is listed now. */
export async function pollArticles(parts: PollParts, listOf: () => Promise<SplitList>): Promise<PollOutcome> {
  const { source, store, clock, signal } = parts;
  const today = dayInZone(clock.now(), MARKET_ZONE);
  const earlier = await store.snapshot.read();
  const through = earlier.source === source.id ? earlier.articlesThrough : null;
  const from = through === null ? addDays(today, -ARTICLE_BACKFILL_DAYS) : addDays(through, -ARTICLE_OVERLAP_DAYS);
  const pages = await source.searchArticles(from, signal);
  const hasNew = pages.articles.some(({ url }) => through === null || !earlier.articles.has(url));
  // What is listed now, for releases that are new: they may be out before the next poll of splits has seen theirs.
  const listed = hasNew ? await recordsOf(listOf, clock) : [];
  return parts.exclusive(async () => {
    const before = await store.snapshot.read();
    const at = clock.now();
    const known = before.source === source.id ? before.articles : new Map<string, KnownArticle>();
    const unread = pages.articles.filter((article) => known.get(article.url)?.version !== articleVersion(article));
    const fresh = await readReleases(unread, listedByTicker(before, listed), at);
    const reading = { source: source.id, sample: source.sample, fresh, complete: pages.complete, listed, at, today };
    const diff = diffArticles(before, reading);
    const moved = diff.patch.header.articlesThrough !== before.articlesThrough || diff.patch.removedArticles.length > 0;
    await commitChanges(parts, { ...diff, patch: fresh.length > 0 || moved ? diff.patch : null });
    return {
      outcome: pages.complete ? "complete" : "incomplete",
      detail: `${pages.articles.length} articles since ${from}, ${fresh.length} new or corrected`,
      records: pages.articles.length,
      events: diff.events.length,
      quarantined: pages.quarantined.map(({ reason }) => reason),
    };
  });
}

async function readReleases(
  articles: readonly Article[],
  listed: ReadonlyMap<Ticker, readonly SplitRecord[]>,
  at: Instant,
): Promise<ReturnType<typeof readArticle>[]> {
  const read: ReturnType<typeof readArticle>[] = [];
  for (const [index, article] of articles.entries()) {
    if (index > 0 && index % ARTICLES_PER_SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
    read.push(readArticle(article, listed, at));
  }
  return read;
}

/** Whatever is wrong with the list, the poll of splits tells it. */
async function recordsOf(listOf: () => Promise<SplitList>, clock: Clock): Promise<readonly SplitRecord[]> {
  const list = await withDeadline(
    listOf().catch(() => null),
    clock,
  );
  return list?.records ?? [];
}

function listedByTicker(
  snapshot: Snapshot,
  shown: readonly SplitRecord[],
): ReadonlyMap<Ticker, readonly SplitRecord[]> {
  const known = [...snapshot.splits.values()].filter(({ status }) => status !== "closed").map(({ record }) => record);
  return groupBy([...known, ...shown], (record) => record.ticker);
}
