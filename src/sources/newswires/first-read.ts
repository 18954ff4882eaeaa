import { type CatalogSplit, completeSplits } from "../../catalog/catalog-split.ts";
import type { Release } from "../../catalog/release.ts";
import { type RowKey, rowKey } from "../../domain/split/split.ts";
import { DAY_MS, type Instant } from "../../domain/time/day.ts";
import type { Shelf } from "./release-cache.ts";

/** What a wire shows when it is read for the first time is news no longer where it was published so long before. */
const NEWS_FOR_MS = 2 * DAY_MS;

/** So long after that it may show the rest of it: a feed that failed first, or a page further on. */
const FIRST_READ_WITHIN_MS = DAY_MS;

/**
 * The rows of splits of which only old news is known: every release on them had been out for days when its wire gave us its
 * first one. A wire that was away for a while has given one before, so what it shows then is news; and so is what is found
 * later, or stated by a correction, whatever date stands on it.
 */
export function oldNewsAmong(splits: readonly CatalogSplit[], shelf: Shelf): ReadonlySet<RowKey> {
  const since = firstFound(shelf.all());
  const isOld = (release: Release | undefined): boolean => {
    if (release === undefined || release.publishedAt === null || release.reads > 1) return false;
    const readSince = since.get(release.source) ?? 0;
    return release.publishedAt < readSince - NEWS_FOR_MS && release.foundAt <= readSince + FIRST_READ_WITHIN_MS;
  };
  const old = splits.filter(({ events }) => events.every(({ url }) => isOld(shelf.get(url))));
  return new Set(old.flatMap(completeSplits).map(rowKey));
}

/** When each wire gave us its first release. */
function firstFound(releases: Iterable<Release>): ReadonlyMap<string, Instant> {
  const first = new Map<string, Instant>();
  for (const { source, foundAt } of releases) first.set(source, Math.min(foundAt, first.get(source) ?? foundAt));
  return first;
}
