import type { StaleState } from "../alert/stale.ts";
import type { KnownArticle } from "../article/article.ts";
import { type PastPatch, type PastSplit, withPast } from "../split/serial.ts";
import type { Split, SplitId } from "../split/split.ts";
import type { Day, Instant } from "../time/day.ts";

/** What one source showed at the last complete poll, and what we made of it. */
export interface Snapshot {
  /** Which source it belongs to; the first complete poll of another is a first run. */
  readonly source: string;
  /** When this snapshot began; part of every split id, so that ids of a lost or replaced snapshot never come again. */
  readonly startedAt: Instant;
  /** Counts the splits: the next id. */
  readonly nextSplit: number;
  /** True once a complete list was read: what comes after is news. */
  readonly splitsKnown: boolean;
  /** Complete polls left in which a sudden growth still belongs to the first run: its first answer was only a part. */
  readonly settlingPolls: number;
  /**
   * The day through which articles were read; null before the first time. It moves with complete readings, but the first
   * sets it either way: what that one lacks is older than the snapshot, and no news.
   */
  readonly articlesThrough: Day | null;
  /** Set while a list that shrank too much waits to repeat. */
  readonly suspicion: Suspicion | null;
  /** By time zone: through which day its places were reminded. Only where places keep more than one. */
  readonly remindedThrough?: Readonly<Record<string, Day>>;
  /** The last staleness that was told; absent where none was. It outlives the source: whoever heard of it hears of its end. */
  readonly stale?: StaleState;
  readonly splits: ReadonlyMap<SplitId, Split>;
  /** The splits of two years that took effect. They outlive the source that showed them: what came to pass stays so. */
  readonly past: ReadonlyMap<SplitId, PastSplit>;
  /** By URL. */
  readonly articles: ReadonlyMap<string, KnownArticle>;
}

export interface Suspicion {
  /** How often in a row the small list came. */
  readonly seen: number;
  readonly reason: string;
}

/** What differs from the last snapshot: it commits together with the events and deliveries that came of it. */
export interface SnapshotPatch {
  readonly header: SnapshotHeader;
  /** True: everything before but the past is dropped; the patch is the whole of a new snapshot. */
  readonly replaces: boolean;
  readonly splits: readonly Split[];
  readonly removedSplits: readonly SplitId[];
  readonly articles: readonly KnownArticle[];
  readonly removedArticles: readonly string[];
  /** Absent where nothing changes of it. */
  readonly past?: PastPatch;
}

export type SnapshotHeader = Omit<Snapshot, "splits" | "past" | "articles">;

export const EMPTY_SNAPSHOT: Snapshot = {
  source: "",
  startedAt: 0,
  nextSplit: 1,
  splitsKnown: false,
  settlingPolls: 0,
  articlesThrough: null,
  suspicion: null,
  splits: new Map(),
  past: new Map(),
  articles: new Map(),
};

export function headerOf(snapshot: Snapshot): SnapshotHeader {
  const { splits: _, past: __, articles: ___, ...header } = snapshot;
  return header;
}

/** The snapshot after the patch. Applying a patch twice changes nothing more. */
export function applyPatch(before: Snapshot, patch: SnapshotPatch): Snapshot {
  const splits = new Map(patch.replaces ? [] : before.splits);
  const articles = new Map(patch.replaces ? [] : before.articles);
  for (const id of patch.removedSplits) splits.delete(id);
  for (const url of patch.removedArticles) articles.delete(url);
  for (const split of patch.splits) splits.set(split.id, split);
  for (const article of patch.articles) articles.set(article.url, article);
  return { ...patch.header, splits, past: withPast(before.past, patch.past), articles };
}

/** A patch that moves the header alone. */
export function headerPatch(header: SnapshotHeader): SnapshotPatch {
  return { header, replaces: false, splits: [], removedSplits: [], articles: [], removedArticles: [] };
}
