import { addDays, type Day, type Instant } from "./day.ts";
import type { Event, EventId } from "./event.ts";
import { identify } from "./identify.ts";
import type { DiffSettings, Reading } from "./reading.ts";
import type { Snapshot, SnapshotPatch } from "./snapshot.ts";
import type { Split, SplitId, SplitRecord } from "./split.ts";

interface FirstRun {
  readonly patch: SnapshotPatch;
  readonly events: readonly Event[];
}

/** Takes the list as it is: what was there before us is no news. */
export function firstRun(before: Snapshot, reading: Reading, settings: DiffSettings): FirstRun {
  const sameSource = before.source === reading.source;
  const header = {
    source: reading.source,
    bornAt: sameSource ? before.bornAt : reading.at,
    nextSplit: before.nextSplit,
    splitsKnown: true,
    settlingPolls: settings.missingPolls,
    articlesThrough: sameSource ? before.articlesThrough : null,
    doubt: null,
  };
  const { fresh } = identify([], reading.records, reading.today);
  const splits = fresh.map((record, index) =>
    adopt(splitIdOf(header, record, header.nextSplit + index), record, reading),
  );
  const digest: Event = {
    kind: "digest",
    id: `${header.bornAt.toString(36)}.digest` as EventId,
    at: reading.at,
    sample: reading.sample,
    records: fresh,
  };
  return {
    patch: {
      header: { ...header, nextSplit: header.nextSplit + fresh.length },
      replaces: !sameSource,
      splits,
      removedSplits: [],
      articles: [],
      removedArticles: [],
    },
    events: settings.firstRun === "digest" && fresh.length > 0 ? [digest] : [],
  };
}

/** So many new splits at once, right after a first run, are rather the rest of a list that came in part. */
const MOST_NEW_WHILE_SETTLING = 2;

/**
 * The rows that are news. Soon after a first run, many new ones at once show that its list was only a part or empty:
 * then only those that were announced just now are news.
 */
export function newsAmong(fresh: readonly SplitRecord[], before: Snapshot, today: Day): ReadonlySet<SplitRecord> {
  if (before.settlingPolls === 0 || fresh.length <= MOST_NEW_WHILE_SETTLING) return new Set(fresh);
  const yesterday = addDays(today, -1);
  return new Set(fresh.filter(({ dateAnnounced }) => dateAnnounced !== null && dateAnnounced >= yesterday));
}

/** Follows a split from here on, without a word. */
export function adopt(id: SplitId, record: SplitRecord, { at, today }: Reading): Split {
  return {
    id,
    status: "listed",
    record,
    revision: 0,
    firstSeenAt: at,
    goneAt: null,
    pollsMissed: 0,
    flips: [],
    unsettled: null,
    calledOff: null,
    calledOffFor: null,
    reminded: record.exDate < today ? { 0: record.exDate } : {},
  };
}

/** Unique for ever: a snapshot that was lost or replaced has another birth. */
export function splitIdOf(header: { readonly bornAt: Instant }, record: SplitRecord, count: number): SplitId {
  return `${record.ticker}-${header.bornAt.toString(36)}-${count.toString(36)}` as SplitId;
}
