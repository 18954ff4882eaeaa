import { findingSource, isExhibit } from "../catalog/articles.ts";
import { isSameListing } from "../catalog/catalog-observation.ts";
import { type CatalogEvent, type CatalogSplit, completeSplits } from "../catalog/catalog-split.ts";
import type { Observation } from "../catalog/observation.ts";
import type { Release } from "../catalog/release.ts";
import type { ArticleRow, SplitRow } from "../data-service/schema.ts";
import type { Article } from "../domain/article/article.ts";
import { isWire } from "../domain/article/wire.ts";
import { ratioCode } from "../domain/split/ratio.ts";
import { type RowKey, rowKey, type SplitRecord } from "../domain/split/split.ts";
import { DAY_MS, type Instant } from "../domain/time/day.ts";
import type { SourceParts } from "./source-definition.ts";
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

/**
 * A filing's report of an approval or of a range of ratios, for the bot alone: `/v1/articles` serves the wires only. Null for
 * every other release.
 */
export function earlyReportOf(release: Release, labelOf: (source: string) => string): Article | null {
  const { source, heading, url, text, published, facts } = release;
  const isEarly = facts?.kind === "approval_only" || facts?.kind === "ratio_range";
  if (!isEarly || !text || isWire(source) || !isExhibit(release)) return null;
  return { source: labelOf(source), heading, url, content: text, published };
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

/** The split of a listed row, whose terms may have changed since; null if no source states it any more. */
export function splitOfRow(
  splits: readonly CatalogSplit[],
  { ticker, exchange, exDate }: Pick<SplitRecord, "ticker" | "exchange" | "exDate">,
): CatalogSplit | null {
  const ofTicker = splits.filter(({ listings }) =>
    listings.some((listing) => isSameListing(listing, { ticker, exchange })),
  );
  return (
    ofTicker.find((split) => split.exDate === exDate) ??
    ofTicker.find(({ observations }) => observations.some((observation) => observation.exDate === exDate)) ??
    null
  );
}

/** A release is old if it was published this long before its wire was first read. */
const MIN_AGE_MS = 2 * DAY_MS;
/** Duration of a wire's first read: some feeds fail at first, and some releases follow later. */
const FIRST_READ_MS = DAY_MS;

/**
 * Rows of splits that are known only from old releases and notices, which cause no alert. Those that appear after the first
 * read of their source, and corrections, are news regardless of their date.
 */
export function backfilledRows(
  splits: readonly CatalogSplit[],
  { releases, observations }: Pick<SourceParts, "releases" | "observations">,
): ReadonlySet<RowKey> {
  const found = [...releases.all()].map(foundRelease);
  found.push(...[...observations.all()].map(foundObservation));
  const firstReads = firstReadBySource(found);
  const byUrl = new Map<string, Found[]>();
  for (const one of found) byUrl.set(one.url, [...(byUrl.get(one.url) ?? []), one]);
  const isOld = ({ source, publishedAt, foundAt, isCorrected }: Found): boolean => {
    if (publishedAt === null || isCorrected) return false;
    const firstReadAt = firstReads.get(source) ?? 0;
    return publishedAt < firstReadAt - MIN_AGE_MS && foundAt <= firstReadAt + FIRST_READ_MS;
  };
  const isKnownOld = ({ url }: CatalogEvent): boolean => byUrl.get(url)?.every(isOld) ?? false;
  const old = splits.filter(({ events }) => events.every(isKnownOld));
  return new Set(old.flatMap(completeSplits).map(rowKey));
}

/** When a source published something, and when it was found there. */
interface Found {
  readonly url: string;
  readonly source: string;
  readonly publishedAt: Instant | null;
  readonly foundAt: Instant;
  readonly isCorrected: boolean;
}

function foundRelease(release: Release): Found {
  const { url, publishedAt, foundAt, reads } = release;
  return { url, source: findingSource(release), publishedAt, foundAt, isCorrected: reads > 1 };
}

/** A later revision of a notice is published when it is observed, so it is never old. */
function foundObservation({ url, source, publishedAt, observedAt }: Observation): Found {
  return { url, source, publishedAt, foundAt: observedAt, isCorrected: false };
}

/** When the first record of each source was found. */
function firstReadBySource(found: readonly Found[]): ReadonlyMap<string, Instant> {
  const first = new Map<string, Instant>();
  for (const { source, foundAt } of found) first.set(source, Math.min(foundAt, first.get(source) ?? foundAt));
  return first;
}
