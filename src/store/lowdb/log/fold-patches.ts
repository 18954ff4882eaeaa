import type { KnownArticle } from "../../../domain/article/article.ts";
import type { SnapshotPatch } from "../../../domain/diff/snapshot.ts";
import type { PastPatch } from "../../../domain/split/serial.ts";
import type { Split, SplitId } from "../../../domain/split/split.ts";

/** One patch that does what these do one after the other; applying each would copy the whole snapshot each time. */
export function foldPatches(patches: readonly SnapshotPatch[]): SnapshotPatch | null {
  const last = patches.at(-1);
  if (!last) return null;
  const from = Math.max(
    0,
    patches.findLastIndex((patch) => patch.replaces),
  );
  const splits = new Map<SplitId, Split>();
  const articles = new Map<string, KnownArticle>();
  const removedSplits = new Set<SplitId>();
  const removedArticles = new Set<string>();
  for (const patch of patches.slice(from)) {
    remove(patch.removedSplits, splits, removedSplits);
    remove(patch.removedArticles, articles, removedArticles);
    for (const split of patch.splits) splits.set(split.id, split);
    for (const article of patch.articles) articles.set(article.url, article);
  }
  return {
    header: last.header,
    replaces: patches.some((patch) => patch.replaces),
    splits: [...splits.values()],
    removedSplits: [...removedSplits],
    articles: [...articles.values()],
    removedArticles: [...removedArticles],
    ...foldPast(patches.flatMap(({ past }) => past ?? [])),
  };
}

/** What took effect outlives a snapshot that is replaced. */
function foldPast(patches: readonly PastPatch[]): { readonly past?: PastPatch } {
  const last = patches.at(-1);
  if (!last) return {};
  const joining = new Map(patches.flatMap((patch) => patch.joining).map((past) => [past.id, past]));
  return { past: { joining: [...joining.values()], from: last.from } };
}

function remove<K>(keys: readonly K[], kept: Map<K, unknown>, removed: Set<K>): void {
  for (const key of keys) {
    kept.delete(key);
    removed.add(key);
  }
}
