import { digestEventId, type Event } from "../alert/event.ts";
import type { KnownArticle } from "../article/article.ts";
import { indexArticles } from "../article/evidence.ts";
import { pastPatch } from "../split/serial.ts";
import type { Split, SplitId, SplitRecord } from "../split/split.ts";
import { addDays, type Day, type Instant } from "../time/day.ts";
import { identify } from "./identify.ts";
import type { DiffSettings, PolledList, Snapshot, SnapshotPatch } from "./snapshot.ts";
import { applyEarlierWithdrawals } from "./withdrawal.ts";

/** A split that upstream did not list before, with the id that it has from here on. */
interface Row {
  readonly id: SplitId;
  readonly record: SplitRecord;
}

interface FirstRun {
  readonly patch: SnapshotPatch;
  readonly events: readonly Event[];
}

/** Takes the list as it is: what was there before us is no news. */
export function firstRun(before: Snapshot, reading: PolledList, settings: DiffSettings): FirstRun {
  const sameSource = before.source === reading.source;
  const header = {
    source: reading.source,
    startedAt: sameSource ? before.startedAt : reading.at,
    nextSplit: before.nextSplit,
    splitsKnown: true,
    settlingPolls: settings.missingPolls,
    articlesThrough: sameSource ? before.articlesThrough : null,
    suspicion: null,
    ...(before.stale ? { stale: before.stale } : {}),
  };
  const { fresh } = identify([], reading.records, reading.today);
  const rows = fresh.map((record, index) => ({ id: newSplitId(header, record, header.nextSplit + index), record }));
  const articles = sameSource ? [...before.articles.values()] : [];
  const splits = followAllSilently(rows, articles, reading);
  const digest: Event = {
    kind: "digest",
    id: digestEventId(header.startedAt),
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
      ...pastPatch(splits, before.past, reading),
    },
    events: settings.firstRun === "digest" && fresh.length > 0 ? [digest] : [],
  };
}

/** More new splits at once than this, and than a share of those known, are rather the rest of a list that came in part. */
const MOST_NEW_WHILE_SETTLING = 2;
const MOST_GROWTH_WHILE_SETTLING = 0.1;

/**
 * The rows that are news. Soon after a first run, a sudden growth shows that its list was only a part or empty: then only
 * those that were announced just now are news.
 */
export function rowsToAnnounce(fresh: readonly SplitRecord[], before: Snapshot, today: Day): ReadonlySet<SplitRecord> {
  const most = Math.max(MOST_NEW_WHILE_SETTLING, before.splits.size * MOST_GROWTH_WHILE_SETTLING);
  if (before.settlingPolls === 0 || fresh.length <= most) return new Set(fresh);
  const yesterday = addDays(today, -1);
  return new Set(fresh.filter(({ dateAnnounced }) => dateAnnounced !== null && dateAnnounced >= yesterday));
}

/** Follows rows that are no news, as they stand: releases that came before them may have called some off. */
export function followAllSilently(
  rows: readonly Row[],
  articles: readonly KnownArticle[],
  reading: PolledList,
): readonly Split[] {
  if (rows.length === 0) return [];
  const splits = rows.map(({ id, record }) => followSilently(id, record, reading));
  return applyEarlierWithdrawals(articles, splits, { known: indexArticles(articles), today: reading.today });
}

/** Follows a split from here on, without a word. */
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

/** Unique for ever: a snapshot that was lost or replaced has another birth. */
export function newSplitId(header: { readonly startedAt: Instant }, record: SplitRecord, count: number): SplitId {
  return `${record.ticker}-${header.startedAt.toString(36)}-${count.toString(36)}` as SplitId;
}
