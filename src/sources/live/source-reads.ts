import { discoverySource } from "../../catalog/release.ts";
import { DAY_MS, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import { subscribeAll } from "../../lib/listeners.ts";
import type { Log } from "../../ports/log.ts";
import type { SourceStatus } from "../../ports/source-status.ts";
import type { SourceReads } from "../../ports/state-records.ts";
import type { OpenSource } from "../source-definition.ts";
import type { FirstFill } from "./first-fill.ts";
import type { LiveRecords, LiveState } from "./live-state.ts";

/** Minimum time between two writes of the time of the last poll. */
const MIN_WRITE_INTERVAL_MS = 5 * MINUTE_MS;
/** The first fill of a source ends after this time even if a part of it still fails. */
const MAX_FIRST_FILL_MS = 7 * DAY_MS;

/** Duration of a source's first fill in earlier versions. */
const EARLIER_FIRST_FILL_MS = DAY_MS;

/** Log event. Read times that could not be saved are saved after a later poll. */
const NOT_SAVED = "source reads not saved";

/**
 * Adds the missing read times of sources that already have records: earlier versions did not store read times, and a killed run
 * may have stored its first record without them.
 */
export async function addMissingReads({ releases, observations, sourceReads }: LiveRecords, log: Log): Promise<void> {
  const readsBySource = new Map<string, SourceReads>();
  const addReadTime = (source: string, at: Instant): void => {
    const { firstReadAt = at, lastReadAt = at } = readsBySource.get(source) ?? {};
    readsBySource.set(source, {
      source,
      firstReadAt: Math.min(firstReadAt, at),
      lastReadAt: Math.max(lastReadAt, at),
      filledAt: null,
    });
  };
  for (const release of releases.all()) addReadTime(discoverySource(release), release.foundAt);
  for (const { source, observedAt } of observations.all()) addReadTime(source, observedAt);
  const missing = [...readsBySource.values()]
    .filter(({ source }) => sourceReads.get(source) === undefined)
    .map((reads) => ({ ...reads, filledAt: earlierFillEnd(reads) }));
  await sourceReads.put(missing).catch((error: unknown) => log.error(NOT_SAVED, { error }));
}

/** End of a source's first fill by an earlier version; null if the records don't show that the fill ended. */
function earlierFillEnd({ firstReadAt, lastReadAt }: SourceReads): Instant | null {
  const endedAt = firstReadAt + EARLIER_FIRST_FILL_MS;
  return lastReadAt > endedAt ? endedAt : null;
}

/** Records when the open sources are read. Returns a function that stops recording and resolves when all reads are written. */
export function recordReads(
  opened: readonly OpenSource[],
  { sourceReads, clock, log }: Pick<LiveState, "sourceReads" | "clock"> & { readonly log: Log },
  fill: FirstFill,
): () => Promise<void> {
  let lastWrite: Promise<unknown> = Promise.resolve();
  const changedReads = (): readonly SourceReads[] =>
    opened.flatMap((source) => readsToWrite(source, { sourceReads, now: clock.now(), isFilled: fill.isDone }));
  const record = (): void => {
    if (changedReads().length === 0) return;
    lastWrite = sourceReads.update(changedReads).catch((error: unknown) => log.error(NOT_SAVED, { error }));
  };
  const unsubscribe = subscribeAll(opened, record);
  void fill.filled.then(record);
  record();
  return async () => {
    unsubscribe();
    await lastWrite;
  };
}

interface ReadsContext extends Pick<LiveState, "sourceReads"> {
  readonly now: Instant;
  /** True after the first fill of all sources together has ended. */
  readonly isFilled: boolean;
}

/** Returns the read times that have to be written, one for each part of the source, such as a wire. */
function readsToWrite(source: OpenSource, { sourceReads, now, isFilled }: ReadsContext): readonly SourceReads[] {
  return source
    .statuses()
    .filter(showsItems)
    .flatMap((status) => {
      const stored = sourceReads.get(status.name);
      const readAt = status.lastOkAt;
      const { firstReadAt = readAt, lastReadAt = readAt, filledAt = null } = stored ?? {};
      const isComplete = (): boolean => status.problem === null && !source.hasUntriedPages();
      const endsFill = filledAt === null && isFilled && (isComplete() || now - firstReadAt >= MAX_FIRST_FILL_MS);
      const isOutdated = Math.abs(readAt - lastReadAt) >= MIN_WRITE_INTERVAL_MS;
      if (stored !== undefined && !endsFill && !isOutdated) return [];
      return { source: status.name, firstReadAt, lastReadAt: readAt, filledAt: endsFill ? now : filledAt };
    });
}

/** True if the last poll returned an item: a source that is still empty doesn't count as read. */
function showsItems(status: SourceStatus): status is SourceStatus & { readonly lastOkAt: Instant } {
  return status.lastOkAt !== null && status.lastOkAt === status.lastReadAt && status.itemCount > 0;
}
