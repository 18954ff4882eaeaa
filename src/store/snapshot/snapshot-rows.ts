import type { KnownArticle } from "../../domain/article/article.ts";
import { CANONICAL_ROWS, type Snapshot } from "../../domain/diff/snapshot.ts";
import type { PastSplit } from "../../domain/split/repeat-splits.ts";
import type { Split } from "../../domain/split/split.ts";

/** A row of the snapshot; null if it is removed. */
export type SnapshotRow =
  | { readonly kind: "split"; readonly key: string; readonly value: Split | null }
  | { readonly kind: "past"; readonly key: string; readonly value: PastSplit | null }
  | { readonly kind: "article"; readonly key: string; readonly value: KnownArticle | null };

export type RowKind = SnapshotRow["kind"];

interface RowValues {
  readonly split: Split;
  readonly past: PastSplit;
  readonly article: KnownArticle;
}

interface RowMaps {
  readonly split: Snapshot["splits"];
  readonly past: Snapshot["past"];
  readonly article: Snapshot["articles"];
}

function keyOf(row: Split | PastSplit | KnownArticle): string {
  return "url" in row ? row.url : row.id;
}

/** The rows by key, with their tickers in the canonical form. */
export function canonicalRows<K extends RowKind>(kind: K, rows: readonly RowValues[K][]): RowMaps[K] {
  const canonical = CANONICAL_ROWS[kind] as unknown as (row: RowValues[K]) => RowValues[K];
  return new Map(rows.map((row) => [keyOf(row), canonical(row)])) as unknown as RowMaps[K];
}

/** The rows after changes; the same map if there are none. */
export function changedRows<K extends RowKind>(
  kind: K,
  before: RowMaps[K],
  changes: readonly SnapshotRow[] | undefined,
): RowMaps[K] {
  if (changes === undefined) return before;
  const canonical = CANONICAL_ROWS[kind] as unknown as (row: unknown) => unknown;
  const after = new Map<string, unknown>(before);
  for (const { key, value } of changes)
    if (value === null) after.delete(key);
    else after.set(key, canonical(value));
  return after as unknown as RowMaps[K];
}
