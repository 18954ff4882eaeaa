import { type Event, eventIds } from "../alert/event.ts";
import type { KnownArticle } from "../article/article.ts";
import { indexArticles } from "../article/evidence.ts";
import { pastPatch } from "../split/serial.ts";
import type { Split, SplitId, SplitRecord } from "../split/split.ts";
import { addDays, type Day, type Instant } from "../time/day.ts";
import { identify } from "./identify.ts";
import type { DiffSettings, PolledList, Snapshot, SnapshotPatch } from "./snapshot.ts";
import { applyEarlierWithdrawals } from "./withdrawal.ts";

/** A newly listed row with the id of its split. */
interface NewRow {
  readonly id: SplitId;
  readonly record: SplitRecord;
}

/** While the first list settles, more new rows than both of these mean that the first list was incomplete. */
const MAX_NEW_WHILE_SETTLING = 2;
const MAX_GROWTH_WHILE_SETTLING = 0.1;

/** Follows all splits of the first list of a source without announcing them. */
export function firstRun(
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
  const { fresh } = identify([], list.records, list.today);
  const rows = fresh.map((record, index) => ({ id: newSplitId(header, record, header.nextSplit + index), record }));
  const articles = isSameSource ? [...before.articles.values()] : [];
  const splits = followAllSilently(rows, articles, list);
  const digest: Event = {
    kind: "digest",
    id: eventIds.digest(header.startedAt),
    at: list.at,
    sample: list.sample,
    records: fresh,
  };
  return {
    patch: {
      header: { ...header, nextSplit: header.nextSplit + fresh.length },
      replaces: !isSameSource,
      splits,
      removedSplits: [],
      articles: [],
      removedArticles: [],
      ...pastPatch(splits, before.past, list),
    },
    events: settings.firstRun === "digest" && fresh.length > 0 ? [digest] : [],
  };
}

/**
 * The new rows to announce. Sudden growth soon after a first run means that its list was incomplete: then only rows that
 * were announced today or yesterday.
 */
export function rowsToAnnounce(fresh: readonly SplitRecord[], before: Snapshot, today: Day): ReadonlySet<SplitRecord> {
  const max = Math.max(MAX_NEW_WHILE_SETTLING, before.splits.size * MAX_GROWTH_WHILE_SETTLING);
  if (before.settlingPolls === 0 || fresh.length <= max) return new Set(fresh);
  const yesterday = addDays(today, -1);
  return new Set(fresh.filter(({ dateAnnounced }) => dateAnnounced !== null && dateAnnounced >= yesterday));
}

/** Follows rows without announcing them; earlier releases may have withdrawn some. */
export function followAllSilently(
  rows: readonly NewRow[],
  articles: readonly KnownArticle[],
  list: PolledList,
): readonly Split[] {
  if (rows.length === 0) return [];
  const splits = rows.map(({ id, record }) => followSilently(id, record, list));
  return applyEarlierWithdrawals(articles, splits, { known: indexArticles(articles), today: list.today });
}

export function followSilently(id: SplitId, record: SplitRecord, { at, today }: PolledList): Split {
  return {
    id,
    status: "listed",
    record,
    revision: 0,
    firstSeenAt: at,
    removedAt: null,
    pollsMissed: 0,
    transitionTimes: [],
    pendingRecord: null,
    withdrawal: null,
    reminded: record.exDate < today ? { 0: record.exDate } : {},
  };
}

/** Never reused: a lost or replaced snapshot has another start time. */
export function newSplitId(header: { readonly startedAt: Instant }, record: SplitRecord, count: number): SplitId {
  return `${record.ticker}-${header.startedAt.toString(36)}-${count.toString(36)}` as SplitId;
}
