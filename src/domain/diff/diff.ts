import { type Event, eventIds } from "../alert/event.ts";
import type { KnownArticle } from "../article/article.ts";
import { indexArticles } from "../article/evidence.ts";
import { pastPatch } from "../split/repeat-splits.ts";
import { latestRecord, rowKey, type Split, type SplitId, type SplitRecord } from "../split/split.ts";
import { addDays, DAY_MS, type Day, type Instant } from "../time/day.ts";
import { identify, isRenamed } from "./identify.ts";
import { suspicionOf } from "./shrink-guard.ts";
import {
  type DiffSettings,
  headerOf,
  headerPatch,
  type PolledList,
  type Snapshot,
  type SnapshotPatch,
} from "./snapshot.ts";
import {
  announce,
  followAbsent,
  followListed,
  followWithoutEvent,
  markListed,
  type StepContext,
} from "./split-step.ts";
import { applyWithdrawals } from "./withdrawal.ts";

/** How long a split that left the list is kept, so that its return triggers no alert. */
const CLOSED_RETENTION_MS = 90 * DAY_MS;

/**
 * During the settling polls after a first run, more new rows than this number, and than this share of the followed splits,
 * mean that the first list was incomplete.
 */
const MAX_NEW_WHILE_SETTLING = 2;
const MAX_GROWTH_WHILE_SETTLING = 0.1;

export type Diff =
  | { readonly outcome: "complete"; readonly patch: SnapshotPatch | null; readonly events: readonly Event[] }
  | {
      readonly outcome: "suspicious";
      readonly patch: SnapshotPatch;
      readonly events: readonly Event[];
      readonly reason: string;
    };

/** Compares a complete list with the snapshot. Pure: the same input gives the same patch and event ids. */
export function diffSplits(before: Snapshot, list: PolledList, settings: DiffSettings): Diff {
  if (before.source !== list.source || !before.splitsKnown) {
    return { outcome: "complete", ...firstRun(before, list, settings) };
  }
  const articles = indexArticles(before.articles.values());
  const { pairs, newRecords, absent } = identify([...before.splits.values()], list.records, list.today, {
    unreadableTickers: list.unreadableTickers,
    articles,
  });
  const unlisted = absent.filter((split) => !list.unreadableTickers.has(latestRecord(split).ticker));
  const changed = (splits: readonly Split[]): Split[] =>
    splits.filter((split) => split !== before.splits.get(split.id));
  // Many new symbols at once may be a mistake of the source, as many absent splits may be.
  const renamed = pairs.filter(isRenamed).map(({ split }) => split);
  const suspicion = suspicionOf(before, [...unlisted, ...renamed], list, settings.shrinkGuard);
  if (suspicion && suspicion.seen < settings.missingPolls) {
    // Absent splits of a suspicious list may still exist; listed ones certainly do.
    const stillListed = changed(pairs.map(({ split }) => markListed(split)));
    const patch = { ...headerPatch({ ...headerOf(before), suspicion }), splits: stillListed };
    return { outcome: "suspicious", reason: suspicion.reason, patch, events: [] };
  }

  const context: StepContext = { list, settings, articles, startedAt: before.startedAt, past: before.past };
  const rows = newRecords.map((record, index) => ({
    id: newSplitId(before, record, before.nextSplit + index),
    record,
  }));
  const candidates = newRecords.filter((record) => !list.backfilledRows.has(rowKey(record)));
  const announced = rowsToAnnounce(candidates, before, list.today);
  const steps = [
    ...pairs.map(({ split, record }) => followListed(split, record, context)),
    ...unlisted.map((split) => followAbsent(split, context)),
    ...rows.filter(({ record }) => announced.has(record)).map(({ id, record }) => announce(id, record, context)),
  ];
  const unannouncedRows = rows.filter(({ record }) => !announced.has(record));
  const unannounced = followWithoutEvents(unannouncedRows, [...before.articles.values()], list);
  const patch: SnapshotPatch = {
    ...headerPatch({
      ...headerOf(before),
      nextSplit: before.nextSplit + newRecords.length,
      settlingPolls: Math.max(0, before.settlingPolls - 1),
      suspicion: null,
    }),
    splits: [...changed(steps.map(({ split }) => split)), ...unannounced],
    removedSplits: unlisted.filter((split) => isExpired(split, list.at)).map(({ id }) => id),
    ...pastPatch([...steps.map(({ split }) => split), ...unannounced], before.past, list),
  };
  const events = steps.flatMap((step) => step.events);
  return { outcome: "complete", patch: changesNothing(patch, before) ? null : patch, events };
}

/** The splits that become missing if the diff is committed. The poll looks each of them up before that. */
export function missingCandidates({ events }: Diff): readonly SplitRecord[] {
  return events.filter((event) => event.kind === "missing").map((event) => event.record);
}

function isExpired(split: Split, at: Instant): boolean {
  return split.status === "closed" && split.removedAt !== null && at - split.removedAt > CLOSED_RETENTION_MS;
}

function changesNothing(patch: SnapshotPatch, before: Snapshot): boolean {
  const { header, splits, removedSplits, past } = patch;
  return (
    splits.length + removedSplits.length === 0 &&
    past === undefined &&
    header.settlingPolls === before.settlingPolls &&
    before.suspicion === null
  );
}

/** Follows all splits of the first list of a source without announcing them. */
function firstRun(
  before: Snapshot,
  list: PolledList,
  settings: DiffSettings,
): { readonly patch: SnapshotPatch; readonly events: readonly Event[] } {
  const isSameSource = before.source === list.source;
  const header = {
    source: list.source,
    startedAt: isSameSource ? before.startedAt : list.at,
    nextSplit: before.nextSplit,
    splitsKnown: true,
    settlingPolls: settings.missingPolls,
    articlesThrough: isSameSource ? before.articlesThrough : null,
    suspicion: null,
    ...(before.stale ? { stale: before.stale } : {}),
  };
  const { newRecords } = identify([], list.records, list.today);
  const rows = newRecords.map((record, index) => ({
    id: newSplitId(header, record, header.nextSplit + index),
    record,
  }));
  const articles = isSameSource ? [...before.articles.values()] : [];
  const splits = followWithoutEvents(rows, articles, list);
  const digest: Event = {
    kind: "digest",
    id: eventIds.digest(header.startedAt),
    at: list.at,
    sample: list.sample,
    records: newRecords,
  };
  return {
    patch: {
      header: { ...header, nextSplit: header.nextSplit + newRecords.length },
      replaces: !isSameSource,
      splits,
      removedSplits: [],
      articles: [],
      removedArticles: [],
      ...pastPatch(splits, before.past, list),
    },
    events: settings.firstRun === "digest" && newRecords.length > 0 ? [digest] : [],
  };
}

/**
 * Returns the new rows to announce. Sudden growth soon after a first run means that the first list was incomplete; then only
 * rows that issuers announced today or yesterday are returned.
 */
function rowsToAnnounce(newRecords: readonly SplitRecord[], before: Snapshot, today: Day): ReadonlySet<SplitRecord> {
  const max = Math.max(MAX_NEW_WHILE_SETTLING, before.splits.size * MAX_GROWTH_WHILE_SETTLING);
  if (before.settlingPolls === 0 || newRecords.length <= max) return new Set(newRecords);
  const yesterday = addDays(today, -1);
  return new Set(newRecords.filter(({ dateAnnounced }) => dateAnnounced !== null && dateAnnounced >= yesterday));
}

/** A newly listed row with the id of its split. */
interface NewRow {
  readonly id: SplitId;
  readonly record: SplitRecord;
}

/** Follows rows without announcing them; earlier releases may have withdrawn some. */
function followWithoutEvents(
  rows: readonly NewRow[],
  articles: readonly KnownArticle[],
  list: PolledList,
): readonly Split[] {
  if (rows.length === 0) return [];
  const splits = rows.map(({ id, record }) => followWithoutEvent(id, record, list));
  return applyWithdrawals(articles, splits, { releases: indexArticles(articles), today: list.today });
}

/** Creates an id that is never reused, because a snapshot that replaces a lost one has another start time. */
function newSplitId(header: { readonly startedAt: Instant }, record: SplitRecord, count: number): SplitId {
  return `${record.ticker}-${header.startedAt.toString(36)}-${count.toString(36)}` as SplitId;
}
