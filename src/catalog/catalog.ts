import { daysBetween } from "../domain/time/day.ts";
import { applyNotice, createSplit } from "./apply-notice.ts";
import type { CatalogSplit } from "./catalog-split.ts";
import type { Release } from "./release.ts";
import { compareNotices, isSameListing, noticesOf, type SplitNotice } from "./split-notice.ts";

/** Period after the ex date in which a notice concerns the same split. A later one announces another split. */
const SAME_SPLIT_DAYS = 14;

/** Period in which a notice concerns a split that has no date. */
const UNDATED_SPLIT_DAYS = 180;

/** Builds the splits that the releases describe, each with its history. The order of the releases has no effect. */
export function buildCatalog(releases: Iterable<Release>): readonly CatalogSplit[] {
  const notices = [...releases].flatMap(noticesOf).toSorted(compareNotices);
  const splits: CatalogSplit[] = [];
  const indexesByKey = new Map<string, Set<number>>();
  for (const notice of notices) {
    const index = findSplitIndex(notice, splits, indexesByKey) ?? splits.length;
    const split = splits[index];
    const next = split === undefined ? createSplit(notice) : applyNotice(split, notice);
    if (next === null) continue;
    splits[index] = next;
    for (const key of keysOf(next)) indexesByKey.set(key, (indexesByKey.get(key) ?? new Set()).add(index));
  }
  return splits;
}

/** Finds the split that a notice concerns: the one with its ex date, else the latest. */
function findSplitIndex(
  notice: SplitNotice,
  splits: readonly CatalogSplit[],
  indexesByKey: ReadonlyMap<string, ReadonlySet<number>>,
): number | undefined {
  const indexes = new Set(keysOf(notice).flatMap((key) => [...(indexesByKey.get(key) ?? [])]));
  const candidates = [...indexes]
    .toSorted((a, b) => b - a)
    .flatMap((index) => {
      const split = splits[index];
      return split && concernsSplit(notice, split) ? [{ index, split }] : [];
    });
  return (candidates.find(({ split }) => sharesExDate(notice, split)) ?? candidates[0])?.index;
}

/** Keys by which notices and splits are matched: symbols and the company's name. */
function keysOf({ listings, companyKey }: Pick<SplitNotice, "listings" | "companyKey">): readonly string[] {
  const symbols = listings.map(({ ticker }) => `symbol ${ticker}`);
  return companyKey === "" ? symbols : [...symbols, `company ${companyKey}`];
}

/** Whether a notice concerns a split. All notices applied to the split must be older. */
function concernsSplit(notice: SplitNotice, split: CatalogSplit): boolean {
  return concernsSecurity(notice, split) && (sharesExDate(notice, split) || isWithinPeriod(notice, split));
}

/** Whether the notice states the current or an earlier ex date of the split. */
function sharesExDate({ exDate }: SplitNotice, split: CatalogSplit): boolean {
  return exDate !== null && (split.lastExDate === exDate || split.events.some(({ terms }) => terms.exDate === exDate));
}

function concernsSecurity({ listings, companyKey }: SplitNotice, split: CatalogSplit): boolean {
  if (listings.length > 0 && split.listings.length > 0)
    return listings.some((listing) => split.listings.some((other) => isSameListing(listing, other)));
  return companyKey !== "" && companyKey === split.companyKey;
}

function isWithinPeriod(notice: SplitNotice, { status, lastExDate, events }: CatalogSplit): boolean {
  const { kind, reinstates, exDate, issuedOn } = notice;
  // An announcement after a cancellation is a new plan, and an old date belongs to an old split.
  if (status === "cancelled" && kind === "announced" && !reinstates) return false;
  if (exDate !== null && daysBetween(exDate, issuedOn) > SAME_SPLIT_DAYS) return false;
  const since = lastExDate ?? events.at(-1)?.day ?? issuedOn;
  const isUndated = lastExDate === null || status === "postponed";
  return daysBetween(since, issuedOn) <= (isUndated ? UNDATED_SPLIT_DAYS : SAME_SPLIT_DAYS);
}
