import { z } from "zod";
import { staleStateSchema } from "../alert/stale.ts";
import type { KnownArticle } from "../article/article.ts";
import { countSchema, type Infer } from "../schema-parts.ts";
import { applyPastPatch, type PastPatch, type PastSplit } from "../split/repeat-splits.ts";
import { canonicalSplit, type RowKey, type Split, type SplitId, type SplitRecord } from "../split/split.ts";
import { canonicalStatement, canonicalTicker, type Ticker } from "../split/ticker.ts";
import { type Day, daySchema, type Instant, instantSchema } from "../time/day.ts";

export interface DiffSettings {
  /** Consecutive complete polls without a split before it counts as missing. */
  readonly missingPolls: number;
  /** A list that loses more than this share of its splits in one poll is suspicious. */
  readonly shrinkGuard: number;
  readonly firstRun: "silent" | "digest";
}

/** A complete list of splits from one source. */
export interface PolledList {
  readonly source: string;
  readonly sample: boolean;
  readonly records: readonly SplitRecord[];
  /** Tickers of quarantined rows. Their splits stay as they are and don't count as missing. */
  readonly unreadableTickers: ReadonlySet<Ticker>;
  /** Rows of splits that were published long before the first poll of their source; they trigger no alerts. */
  readonly backfilledRows: ReadonlySet<RowKey>;
  readonly at: Instant;
  /** Current day in New York, because ex dates are days of the US market. */
  readonly today: Day;
}

export const snapshotHeaderSchema = z.object({
  /** Id of the source. The first complete poll of another source is a first run. */
  source: z.string(),
  /** Creation time. Part of every split id, so that ids of a lost or replaced snapshot are never reused. */
  startedAt: instantSchema,
  /** The number that the id of the next split contains. */
  nextSplit: countSchema,
  /** True once a complete list was read, so that later rows trigger alerts. */
  splitsKnown: z.boolean(),
  /** Number of remaining complete polls after a first run in which sudden growth means that the first list was incomplete. */
  settlingPolls: countSchema,
  /** The day through which articles were read; null before the first poll of articles. */
  articlesThrough: daySchema.nullable(),
  /** Set while a suspicious list awaits confirmation. `seen`: number of consecutive polls with a suspicious list. */
  suspicion: z.object({ seen: countSchema, reason: z.string() }).nullable(),
  /** Day through which reminders were sent, by time zone; absent if all destinations use one zone. */
  remindedThrough: z.record(z.string(), daySchema).exactOptional(),
  /** Preserved when the source changes, so that the recovery from an alerted outage triggers an alert. */
  stale: staleStateSchema.exactOptional(),
});

export type SnapshotHeader = Infer<typeof snapshotHeaderSchema>;

export type Suspicion = NonNullable<SnapshotHeader["suspicion"]>;

/** The last complete state of one source, and what splitwatch derived from it. */
export interface Snapshot extends SnapshotHeader {
  readonly splits: ReadonlyMap<SplitId, Split>;
  /** Splits of the last two years that took effect; preserved when the source changes. */
  readonly past: ReadonlyMap<SplitId, PastSplit>;
  /** By URL. */
  readonly articles: ReadonlyMap<string, KnownArticle>;
}

/** Change of a snapshot, committed together with the resulting events and deliveries. */
export interface SnapshotPatch {
  readonly header: SnapshotHeader;
  /** True if the patch is a new snapshot that replaces everything except the past splits. */
  readonly replaces: boolean;
  readonly splits: readonly Split[];
  readonly removedSplits: readonly SplitId[];
  readonly articles: readonly KnownArticle[];
  readonly removedArticles: readonly string[];
  readonly past?: PastPatch;
}

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

/** A stored row of a snapshot with its tickers in the canonical form, by kind. The same object if nothing differs. */
export const CANONICAL_ROWS = {
  split: canonicalSplit,
  past: (stored: PastSplit): PastSplit => {
    const ticker = canonicalTicker(stored.ticker);
    return ticker === stored.ticker ? stored : { ...stored, ticker };
  },
  article: (stored: KnownArticle): KnownArticle => {
    const isCanonical = [...stored.concerns, ...stored.terms].every((stated) => canonicalStatement(stated) === stated);
    return isCanonical
      ? stored
      : {
          ...stored,
          concerns: stored.concerns.map(canonicalStatement),
          terms: stored.terms.map(canonicalStatement),
        };
  },
} as const;

export function headerOf(snapshot: Snapshot): SnapshotHeader {
  const { splits: _, past: __, articles: ___, ...header } = snapshot;
  return header;
}

/** Applies a patch. Idempotent. Parts that it doesn't change are the same maps as before. */
export function applyPatch(before: Snapshot, patch: SnapshotPatch): Snapshot {
  const { splits, articles } = patch.replaces ? EMPTY_SNAPSHOT : before;
  return {
    ...patch.header,
    splits: changedRows(splits, patch.removedSplits, new Map(patch.splits.map((split) => [split.id, split]))),
    past: applyPastPatch(before.past, patch.past),
    articles: changedRows(articles, patch.removedArticles, new Map(patch.articles.map((one) => [one.url, one]))),
  };
}

/** Rows after a change; `put` counts if it has a removed key. */
function changedRows<K, V>(
  before: ReadonlyMap<K, V>,
  removed: readonly K[],
  put: ReadonlyMap<K, V>,
): ReadonlyMap<K, V> {
  if (removed.length + put.size === 0) return before;
  const after = new Map(before);
  for (const key of removed) after.delete(key);
  for (const [key, value] of put) after.set(key, value);
  return after;
}

/** Creates a patch that changes only the header. */
export function headerPatch(header: SnapshotHeader): SnapshotPatch {
  return { header, replaces: false, splits: [], removedSplits: [], articles: [], removedArticles: [] };
}
