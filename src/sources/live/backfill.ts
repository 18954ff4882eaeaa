import { type CatalogEvent, type CatalogSplit, completeSplits } from "../../catalog/catalog-split.ts";
import type { Observation } from "../../catalog/observation.ts";
import { discoverySource, type Release } from "../../catalog/release.ts";
import { type RowKey, rowKey } from "../../domain/split/split.ts";
import { DAY_MS, type Instant } from "../../domain/time/day.ts";
import type { LiveRecords } from "./live-state.ts";

/** A release or notice is old if it was published at least this long before the first poll of its source. */
const MIN_AGE_MS = 2 * DAY_MS;

/**
 * Returns the rows of splits that are known only from old releases and notices; these rows trigger no alerts. Corrections are
 * never old, and neither are releases and notices that appear after the first fill of their source.
 */
export function backfilledRows(
  splits: readonly CatalogSplit[],
  { releases, observations, sourceReads }: LiveRecords,
): ReadonlySet<RowKey> {
  const publications = [...releases.all()].map(publicationOfRelease);
  publications.push(...[...observations.all()].map(publicationOfNotice));
  const byUrl = new Map<string, Publication[]>();
  for (const publication of publications)
    byUrl.set(publication.url, [...(byUrl.get(publication.url) ?? []), publication]);
  const isOldEvent = ({ url }: CatalogEvent): boolean =>
    byUrl.get(url)?.every((publication) => isOld(publication, sourceReads)) ?? false;
  const oldSplits = splits.filter(({ events }) => events.every(isOldEvent));
  return new Set(oldSplits.flatMap(completeSplits).map(rowKey));
}

/** Returns the addresses of old releases. */
export function backfilledReleases({
  releases,
  sourceReads,
}: Pick<LiveRecords, "releases" | "sourceReads">): ReadonlySet<string> {
  const old = [...releases.all()].map(publicationOfRelease).filter((publication) => isOld(publication, sourceReads));
  return new Set(old.map(({ url }) => url));
}

function isOld(
  { source, publishedAt, foundAt, isCorrected }: Publication,
  sourceReads: LiveRecords["sourceReads"],
): boolean {
  if (publishedAt === null || isCorrected) return false;
  const { firstReadAt = foundAt, filledAt = null } = sourceReads.get(source) ?? {};
  return publishedAt < firstReadAt - MIN_AGE_MS && (filledAt === null || foundAt <= filledAt);
}

/** A release or notice, with the times of its publication and discovery. */
interface Publication {
  readonly url: string;
  readonly source: string;
  readonly publishedAt: Instant | null;
  readonly foundAt: Instant;
  readonly isCorrected: boolean;
}

function publicationOfRelease(release: Release): Publication {
  const { url, publishedAt, foundAt, reads } = release;
  return { url, source: discoverySource(release), publishedAt, foundAt, isCorrected: reads > 1 };
}

/** A later revision of a notice is never old, because its publication time is the time of its observation. */
function publicationOfNotice({ url, source, publishedAt, observedAt }: Observation): Publication {
  return { url, source, publishedAt, foundAt: observedAt, isCorrected: false };
}
