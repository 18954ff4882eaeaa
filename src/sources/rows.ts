import { type CatalogSplit, completeSplits } from "../catalog/catalog-split.ts";
import type { Release } from "../catalog/release.ts";
import type { ArticleRow, SplitRow } from "../data-service/schema.ts";
import { isWire } from "../domain/article/wire.ts";
import { ratioCode } from "../domain/split/ratio.ts";
import { type RowKey, rowKey } from "../domain/split/split.ts";
import { DAY_MS, type Instant } from "../domain/time/day.ts";
import type { ReleaseCache } from "./newswires/release-state.ts";
import { namesSplit } from "./split-keywords.ts";

/** Whether the release is about a reverse split, by its facts, its text or its feed item. */
export function concernsReverseSplit({ facts, heading, teaser, text }: Release): boolean {
  if (facts === null) return namesSplit(`${heading}\n${teaser}`);
  if (facts.kind !== "other" && facts.kind !== "forward_split") return true;
  return namesSplit(`${heading}\n${text ?? teaser}`);
}

/** Row of `/v1/articles`; null for configured feeds, other topics, and releases whose text is still expected. */
export function articleRowOf(release: Release): ArticleRow | null {
  const { source, heading, url, text, teaser, published, facts } = release;
  if (facts === null || !isWire(source) || !concernsReverseSplit(release)) return null;
  return {
    source,
    heading,
    url,
    content: text ?? `${heading}\n\n${teaser}`.trim(),
    date_published: published,
  };
}

/** Rows of `/v1/splits`, one for each listing whose terms are complete. */
export function splitRowsOf(split: CatalogSplit): readonly SplitRow[] {
  return completeSplits(split).map(({ ticker, exchange, company, ratio, exDate, announced }) => ({
    ticker,
    exchange,
    company,
    ratio: ratioCode(ratio),
    ex_date: exDate,
    date_announced: announced,
  }));
}

/** A release is old if it was published this long before its wire was first read. */
const MIN_AGE_MS = 2 * DAY_MS;
/** Duration of a wire's first read: some feeds fail at first, and some releases follow later. */
const FIRST_READ_MS = DAY_MS;

/**
 * Rows of splits that are known only from old releases, which cause no alert. Releases that appear after the first read of
 * their wire, and corrections, are news regardless of their date.
 */
export function backfilledRows(splits: readonly CatalogSplit[], cache: ReleaseCache): ReadonlySet<RowKey> {
  const firstReads = firstReadBySource(cache.all());
  const isOld = (release: Release | undefined): boolean => {
    if (release === undefined || release.publishedAt === null || release.reads > 1) return false;
    const firstReadAt = firstReads.get(release.source) ?? 0;
    return release.publishedAt < firstReadAt - MIN_AGE_MS && release.foundAt <= firstReadAt + FIRST_READ_MS;
  };
  const old = splits.filter(({ events }) => events.every(({ url }) => isOld(cache.get(url))));
  return new Set(old.flatMap(completeSplits).map(rowKey));
}

/** When the first release of each wire was found. */
function firstReadBySource(releases: Iterable<Release>): ReadonlyMap<string, Instant> {
  const first = new Map<string, Instant>();
  for (const { source, foundAt } of releases) first.set(source, Math.min(foundAt, first.get(source) ?? foundAt));
  return first;
}
