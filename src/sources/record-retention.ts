import type { Release } from "../catalog/release.ts";
import { DAY_MS, type Instant } from "../domain/time/day.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { LiveRecords } from "./live-state.ts";
import { concernsReverseSplit } from "./served-rows.ts";

/** Retention of records about splits: users search them, and they distinguish an issuer's second split from its first. */
const SPLIT_RETENTION_MS = 731 * DAY_MS;
/** Retention of other releases: as long as a feed may show them, so that their pages are read only once. */
const OTHER_RELEASE_RETENTION_MS = 30 * DAY_MS;

interface RetentionParts extends LiveRecords {
  /** Time after which the text of a release is deleted; the facts stay. */
  readonly keepTextsMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Deletes old records and texts once a day until the signal aborts. */
export async function purgeDaily(parts: RetentionParts, signal: AbortSignal): Promise<void> {
  const { clock, log } = parts;
  while (!signal.aborted) {
    await purge(parts, clock.now()).catch((error: unknown) => log.error("source record purge failed", { error }));
    await clock.sleep(DAY_MS, signal);
  }
}

async function purge({ releases, observations, keepTextsMs }: RetentionParts, now: Instant): Promise<void> {
  await releases.removeWhere((release) => isExpired(release, now));
  await observations.removeWhere(({ observedAt }) => now - observedAt > SPLIT_RETENTION_MS);
  const hasOldText = ({ foundAt, text }: Release): boolean => text !== null && now - foundAt > keepTextsMs;
  await releases.update(() => [...releases.all()].filter(hasOldText).map((release) => ({ ...release, text: null })));
}

function isExpired(release: Release, now: Instant): boolean {
  const retentionMs = concernsReverseSplit(release) ? SPLIT_RETENTION_MS : OTHER_RELEASE_RETENTION_MS;
  return now - release.foundAt > retentionMs;
}
