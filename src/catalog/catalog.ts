import { applyNotice, createSplit } from "./apply-notice.ts";
import type { CatalogSplit } from "./catalog-split.ts";
import type { Release } from "./release.ts";
import { concernsSplit, sharesExDate } from "./same-split.ts";
import { compareNotices, noticesOf, type SplitNotice } from "./split-notice.ts";

/**
 * The splits that releases speak of, each with its history. The same releases give the same splits, in whatever order they
 * are given.
 */
export function buildCatalog(releases: Iterable<Release>): readonly CatalogSplit[] {
  const statements = [...releases].flatMap(noticesOf).toSorted(compareNotices);
  const splits: CatalogSplit[] = [];
  const index = new Map<string, Set<number>>();
  for (const statement of statements) {
    const place = findSplit(statement, splits, index);
    const split = splits[place];
    const next = split === undefined ? createSplit(statement) : applyNotice(split, statement);
    if (next === null) continue;
    splits[place] = next;
    for (const key of keysOf(next)) index.set(key, (index.get(key) ?? new Set()).add(place));
  }
  return splits;
}

/** The place of the split that it is about: of several the one on its date, else the latest. The next free place where there is none. */
function findSplit(
  statement: SplitNotice,
  splits: readonly CatalogSplit[],
  index: ReadonlyMap<string, ReadonlySet<number>>,
): number {
  const near = new Set(keysOf(statement).flatMap((key) => [...(index.get(key) ?? [])]));
  const found = [...near]
    .toSorted((a, b) => b - a)
    .flatMap((place) => {
      const split = splits[place];
      return split && concernsSplit(statement, split) ? [{ place, split }] : [];
    });
  const best = found.find(({ split }) => sharesExDate(statement, split)) ?? found[0];
  return best?.place ?? splits.length;
}

/** What may lead to a split: its symbols, and its company's name. */
function keysOf({ listings, companyKey }: Pick<SplitNotice, "listings" | "companyKey">): readonly string[] {
  const symbols = listings.map(({ ticker }) => `symbol ${ticker}`);
  return companyKey === "" ? symbols : [...symbols, `company ${companyKey}`];
}
