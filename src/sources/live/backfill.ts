import { type CatalogEvent, type CatalogSplit, completeSplits } from "../../catalog/catalog-split.ts";
import type { Observation } from "../../catalog/observation.ts";
import { discoverySource, type Release } from "../../catalog/release.ts";
import { type RowKey, rowKey } from "../../domain/split/split.ts";
import { DAY_MS, type Instant } from "../../domain/time/day.ts";
import type { LiveRecords } from "./live-state.ts";

/** What was published this long before the first reading of its source is old. */
const MIN_AGE_MS = 2 * DAY_MS;

/**
 * Rows of splits that are known only from old releases and notices, which cause no alert. Those that appear after the first
 * fill of their source, and corrections, are news regardless of their date.
 */
export function backfilledRows(
  splits: readonly CatalogSplit[],
  { releases, observations, sourceReads }: LiveRecords,
): ReadonlySet<RowKey> {
  const found = [...releases.all()].map(publicationOfRelease);
  found.push(...[...observations.all()].map(publicationOfNotice));
  const byUrl = new Map<string, Publication[]>();
  for (const one of found) byUrl.set(one.url, [...(byUrl.get(one.url) ?? []), one]);
  const isOld = ({ source, publishedAt, foundAt, isCorrected }: Publication): boolean => {
    if (publishedAt === null || isCorrected) return false;
    const { firstReadAt = foundAt, filledAt = null } = sourceReads.get(source) ?? {};
    return publishedAt < firstReadAt - MIN_AGE_MS && (filledAt === null || foundAt <= filledAt);
  };
  const isKnownOld = ({ url }: CatalogEvent): boolean => byUrl.get(url)?.every(isOld) ?? false;
  const old = splits.filter(({ events }) => events.every(isKnownOld));
  return new Set(old.flatMap(completeSplits).map(rowKey));
}

/** When a source published something, and when it was found there. */
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

/** A later revision of a notice is published when it is observed, so it is never old. */
function publicationOfNotice({ url, source, publishedAt, observedAt }: Observation): Publication {
  return { url, source, publishedAt, foundAt: observedAt, isCorrected: false };
}
