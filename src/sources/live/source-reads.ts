import { discoverySource } from "../../catalog/release.ts";
import { DAY_MS, type Instant, MINUTE_MS } from "../../domain/time/day.ts";
import type { Log } from "../../ports/log.ts";
import type { SourceReads } from "../../ports/state-records.ts";
import type { OpenSource } from "../source-definition.ts";
import type { SourceStatus } from "../source-status.ts";
import type { FirstFill } from "./first-fill.ts";
import { type LiveRecords, type LiveState, subscribeAll } from "./live-state.ts";

/** The time of the last reading is written at most this often. */
const MIN_WRITE_INTERVAL_MS = 5 * MINUTE_MS;
/** The first fill of a source ends after this time even if a part of it still fails. */
const MAX_FIRST_FILL_MS = 7 * DAY_MS;

/** Earlier versions regarded what they found on the first day of a source as its first fill. */
const EARLIER_FIRST_FILL_MS = DAY_MS;

/** Event in the log. What could not be saved is saved after a later reading. */
const NOT_SAVED = "source reads not saved";

/**
 * Adds what is missing for sources that already have records: earlier versions did not store it, and a run may be killed between
 * its first record and this one.
 */
export async function addMissingReads({ releases, observations, sourceReads }: LiveRecords, log: Log): Promise<void> {
  const known = new Map<string, SourceReads>();
  const found = (source: string, at: Instant): void => {
    const { firstReadAt = at, lastReadAt = at } = known.get(source) ?? {};
    known.set(source, {
      source,
      firstReadAt: Math.min(firstReadAt, at),
      lastReadAt: Math.max(lastReadAt, at),
      filledAt: null,
    });
  };
  for (const release of releases.all()) found(discoverySource(release), release.foundAt);
  for (const { source, observedAt } of observations.all()) found(source, observedAt);
  const missing = [...known.values()]
    .filter(({ source }) => sourceReads.get(source) === undefined)
    .map((reads) => ({ ...reads, filledAt: earlierFillEnd(reads) }));
  await sourceReads.put(missing).catch((error: unknown) => log.error(NOT_SAVED, { error }));
}

/** When the first fill by an earlier version ended; null if its records don't show that it did. */
function earlierFillEnd({ firstReadAt, lastReadAt }: SourceReads): Instant | null {
  const endedAt = firstReadAt + EARLIER_FIRST_FILL_MS;
  return lastReadAt > endedAt ? endedAt : null;
}

/** Records when the sources are read, until the signal aborts. Returns a function that resolves when all is written. */
export function recordReads(state: LiveState, fill: FirstFill, log: Log): () => Promise<void> {
  const { opened, sourceReads, clock } = state;
  let written: Promise<unknown> = Promise.resolve();
  const changes = (): readonly SourceReads[] =>
    opened.flatMap((source) => readsAfter(source, { sourceReads, now: clock.now(), isFilled: fill.isDone }));
  const record = (): void => {
    if (changes().length === 0) return;
    written = sourceReads.update(changes).catch((error: unknown) => log.error(NOT_SAVED, { error }));
  };
  const unsubscribe = subscribeAll(opened, record);
  void fill.filled.then(record);
  record();
  return async () => {
    unsubscribe();
    await written;
  };
}

interface ReadingContext extends Pick<LiveState, "sourceReads"> {
  readonly now: Instant;
  /** Whether the first fill of all sources together has ended. */
  readonly isFilled: boolean;
}

/** The changed records of the parts of a source. */
function readsAfter(source: OpenSource, { sourceReads, now, isFilled }: ReadingContext): readonly SourceReads[] {
  return source
    .statuses()
    .filter(showsItems)
    .flatMap((status) => {
      const known = sourceReads.get(status.name);
      const readAt = status.lastOkAt;
      const { firstReadAt = readAt, lastReadAt = readAt, filledAt = null } = known ?? {};
      const isComplete = (): boolean => status.problem === null && !source.hasUntriedPages();
      const endsFill = filledAt === null && isFilled && (isComplete() || now - firstReadAt >= MAX_FIRST_FILL_MS);
      const isOutdated = Math.abs(readAt - lastReadAt) >= MIN_WRITE_INTERVAL_MS;
      if (known !== undefined && !endsFill && !isOutdated) return [];
      return { source: status.name, firstReadAt, lastReadAt: readAt, filledAt: endsFill ? now : filledAt };
    });
}

/** Whether its last reading showed an item: a source that is empty at first has not been read yet. */
function showsItems(status: SourceStatus): status is SourceStatus & { readonly lastOkAt: Instant } {
  return status.lastOkAt !== null && status.lastOkAt === status.lastReadAt && status.itemCount > 0;
}
