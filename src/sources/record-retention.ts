import { noticeKey } from "../catalog/catalog-observation.ts";
import type { Observation } from "../catalog/observation.ts";
import type { Release } from "../catalog/release.ts";
import { DAY_MS, type Day, type Instant } from "../domain/time/day.ts";
import { groupBy } from "../lib/collections.ts";
import type { Statement } from "./official/statement.ts";
import type { SourceParts } from "./source-definition.ts";
import { concernsReverseSplit } from "./split-keywords.ts";

/** Retention of records about splits: users search them, and they distinguish an issuer's second split from its first. */
const SPLIT_RETENTION_MS = 731 * DAY_MS;
/** Retention of other releases: as long as a feed may show them, so that their pages are read only once. */
const OTHER_RELEASE_RETENTION_MS = 30 * DAY_MS;
/** Times more than this in the future are treated as errors. */
const MAX_AHEAD_MS = 731 * DAY_MS;

interface RetentionParts extends Pick<SourceParts, "releases" | "observations" | "clock" | "log"> {
  /** Time after which the text of a release is deleted; the facts stay. */
  readonly keepTextsMs: number;
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
  const expired = expiredObservations(observations.all(), now);
  await observations.removeWhere((observation) => expired.has(observation));
  const hasOldText = ({ foundAt, text }: Release): boolean => text !== null && now - foundAt > keepTextsMs;
  await releases.update(() => [...releases.all()].filter(hasOldText).map((release) => ({ ...release, text: null })));
}

/** Revisions of a notice expire together: the first shows the announcement date, the last is compared with new polls. */
function expiredObservations(observations: Iterable<Observation>, now: Instant): ReadonlySet<Observation> {
  const notices = [...groupBy([...observations], noticeKey).values()];
  return new Set(notices.filter((revisions) => isExpiredNotice(revisions, now)).flat());
}

function isExpiredNotice(revisions: readonly Observation[], now: Instant): boolean {
  const [first, ...later] = revisions.toSorted((a, b) => a.observedAt - b.observedAt);
  if (first === undefined) return false;
  const last = later.at(-1) ?? first;
  // A notice without a date is kept. If the source still lists a deleted notice, the next poll records it as a new one.
  const isDated = last.exDate !== null || first.publishedAt < first.observedAt;
  const times = revisions.flatMap(({ observedAt, exDate }) => [observedAt, ...timesOf(exDate)]);
  return isDated && now - Math.max(...times) > SPLIT_RETENTION_MS;
}

/** True if the statement is old enough to be purged. It must not be recorded: each purge would be followed by a new record. */
export function isExpiredStatement(
  { publishedAt, exDate }: Pick<Statement, "publishedAt" | "exDate">,
  now: Instant,
): boolean {
  const times = [...(publishedAt === null ? [] : [publishedAt]), ...timesOf(exDate)].filter(
    (time) => time - now < MAX_AHEAD_MS,
  );
  return times.length > 0 && now - Math.max(...times) > SPLIT_RETENTION_MS;
}

function timesOf(day: Day | null): readonly Instant[] {
  return day === null ? [] : [Date.parse(day)];
}

function isExpired(release: Release, now: Instant): boolean {
  const retentionMs = concernsReverseSplit(release) ? SPLIT_RETENTION_MS : OTHER_RELEASE_RETENTION_MS;
  return now - release.foundAt > retentionMs;
}
