import type { KnownArticle } from "../../../domain/article/article.ts";
import {
  CANONICAL_ROWS,
  EMPTY_SNAPSHOT,
  headerOf,
  type Snapshot,
  type SnapshotHeader,
  type SnapshotPatch,
} from "../../../domain/diff/snapshot.ts";
import type { PastPatch, PastSplit } from "../../../domain/split/repeat-splits.ts";
import type { Split, SplitId } from "../../../domain/split/split.ts";
import type { Operation } from "./transaction.ts";

/** Content of `snapshot.json`. */
export interface SnapshotFile {
  /** Number of the last transaction that changed it. */
  readonly transaction: number;
  readonly header: SnapshotHeader;
  readonly splits: readonly Split[];
  readonly past: readonly PastSplit[];
  readonly articles: readonly KnownArticle[];
}

export const EMPTY_SNAPSHOT_FILE: SnapshotFile = {
  transaction: 0,
  header: headerOf(EMPTY_SNAPSHOT),
  splits: [],
  past: [],
  articles: [],
};

const HEADER = "snapshot";
const SPLITS = "splits";
const PAST = "past-splits";
const ARTICLES = "articles";

/** Changes of rows that have the effect of the patch on a snapshot with these past splits. */
export function* operationsOf(patch: SnapshotPatch, past: Iterable<PastSplit>): Generator<Operation> {
  if (patch.replaces) yield* [["clear", SPLITS] as const, ["clear", ARTICLES] as const];
  for (const id of patch.removedSplits) yield ["remove", SPLITS, id];
  for (const url of patch.removedArticles) yield ["remove", ARTICLES, url];
  for (const split of patch.splits) yield ["put", SPLITS, split.id, split];
  for (const article of patch.articles) yield ["put", ARTICLES, article.url, article];
  if (patch.past) yield* pastOperations(patch.past, past);
  yield ["put", HEADER, HEADER, patch.header];
}

function* pastOperations({ joining, from }: PastPatch, past: Iterable<PastSplit>): Generator<Operation> {
  const joiningIds = new Set(joining.map(({ id }) => id));
  for (const { id, exDate } of past) if (exDate < from && !joiningIds.has(id)) yield ["remove", PAST, id];
  for (const split of joining) yield split.exDate < from ? ["remove", PAST, split.id] : ["put", PAST, split.id, split];
}

/** The snapshot, which is stored in `snapshot.json` instead of segments. */
export class SnapshotRows {
  #header = headerOf(EMPTY_SNAPSHOT);
  #splits = new Map<SplitId, Split>();
  #past = new Map<SplitId, PastSplit>();
  #articles = new Map<string, KnownArticle>();
  /** The rows as returned to callers, who keep them; null after a change. */
  #snapshot: Snapshot | null = null;
  #transaction = 0;
  /** Number of the last transaction in the loaded file. */
  #loaded = 0;

  /** Number of the last transaction that changed the snapshot. */
  get transaction(): number {
    return this.#transaction;
  }

  /** An immutable copy, the same until the next change. */
  get snapshot(): Snapshot {
    this.#snapshot ??= { ...this.#header, splits: this.#splits, past: this.#past, articles: this.#articles };
    return this.#snapshot;
  }

  get file(): SnapshotFile {
    return {
      transaction: this.#transaction,
      header: this.#header,
      splits: [...this.#splits.values()],
      past: [...this.#past.values()],
      articles: [...this.#articles.values()],
    };
  }

  load({ transaction, header, splits, past, articles }: SnapshotFile): void {
    this.#transaction = transaction;
    this.#loaded = transaction;
    this.#header = header;
    this.#splits = new Map(splits.map((split) => [split.id, CANONICAL_ROWS.split(split)]));
    this.#past = new Map(past.map((split) => [split.id, CANONICAL_ROWS.past(split)]));
    this.#articles = new Map(articles.map((article) => [article.url, CANONICAL_ROWS.article(article)]));
    this.#snapshot = null;
  }

  /** Applies an operation of transaction `n`, unless the loaded file includes it. Returns false if it is of another table. */
  apply(op: Operation, n: number): boolean {
    const [kind, name, key = "", value] = op;
    if (!TABLE_NAMES.has(name)) return false;
    if (n <= this.#loaded) return true;
    this.#transaction = n;
    this.#detach();
    if (name === HEADER) this.#header = value as SnapshotHeader;
    else change(this.#rowsOf(name), kind, key, kind === "put" ? canonicalRow(name, value) : value);
    return true;
  }

  /** Keeps the snapshot of earlier callers unchanged. */
  #detach(): void {
    if (this.#snapshot === null) return;
    this.#splits = new Map(this.#splits);
    this.#past = new Map(this.#past);
    this.#articles = new Map(this.#articles);
    this.#snapshot = null;
  }

  #rowsOf(name: string): Map<string, unknown> {
    if (name === SPLITS) return this.#splits;
    return name === PAST ? this.#past : this.#articles;
  }
}

const TABLE_NAMES: ReadonlySet<string> = new Set([HEADER, SPLITS, PAST, ARTICLES]);

function canonicalRow(name: string, value: unknown): unknown {
  if (name === SPLITS) return CANONICAL_ROWS.split(value as Split);
  return name === PAST ? CANONICAL_ROWS.past(value as PastSplit) : CANONICAL_ROWS.article(value as KnownArticle);
}

function change(rows: Map<string, unknown>, kind: Operation[0], key: string, value: unknown): void {
  if (kind === "put") rows.set(key, value);
  else if (kind === "remove") rows.delete(key);
  else rows.clear();
}
