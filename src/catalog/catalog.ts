import { daysBetween } from "../domain/time/day.ts";
import type { CatalogSplit } from "./catalog-split.ts";
import { applyObservation, createSplit } from "./issuer-view.ts";
import type { Observation } from "./observation.ts";
import type { Release } from "./release.ts";
import {
  type CatalogObservation,
  compareObservations,
  isSameListing,
  observationsOf,
  officialObservation,
} from "./release-observations.ts";

/** Period after the ex date in which an observation concerns the same split. A later one announces another split. */
const SAME_SPLIT_DAYS = 14;

/** Period in which an observation concerns a split that has no date. */
const UNDATED_SPLIT_DAYS = 180;

/** What the sources published, in any order. */
export interface CatalogInput {
  readonly releases: Iterable<Release>;
  /** Notices of exchanges and regulators, with all their revisions. */
  readonly observations: Iterable<Observation>;
}

/** Builds the splits that releases and notices describe, each with its history. The order of the input has no effect. */
export function buildCatalog(input: CatalogInput): readonly CatalogSplit[] {
  const stated = [...input.releases].flatMap(observationsOf);
  const notices = [...input.observations].flatMap(officialObservation);
  const observations = [...stated, ...notices].toSorted(compareObservations);
  const splits: CatalogSplit[] = [];
  const indexesByKey = new Map<string, Set<number>>();
  for (const observation of observations) {
    const index = findSplitIndex(observation, splits, indexesByKey) ?? splits.length;
    const split = splits[index];
    const next = split === undefined ? createSplit(observation) : applyObservation(split, observation);
    if (next === null) continue;
    splits[index] = next;
    for (const key of keysOf(next)) indexesByKey.set(key, (indexesByKey.get(key) ?? new Set()).add(index));
  }
  return splits;
}

/** Finds the split that an observation concerns: the one with its ex date, else the latest. */
function findSplitIndex(
  observation: CatalogObservation,
  splits: readonly CatalogSplit[],
  indexesByKey: ReadonlyMap<string, ReadonlySet<number>>,
): number | undefined {
  const indexes = new Set(keysOf(observation).flatMap((key) => [...(indexesByKey.get(key) ?? [])]));
  const candidates = [...indexes]
    .toSorted((a, b) => b - a)
    .flatMap((index) => {
      const split = splits[index];
      return split && concernsSplit(observation, split) ? [{ index, split }] : [];
    });
  return (candidates.find(({ split }) => sharesExDate(observation, split)) ?? candidates[0])?.index;
}

/** Keys by which observations and splits are matched: symbols and the company's name. */
function keysOf({ listings, companyKey }: Pick<CatalogObservation, "listings" | "companyKey">): readonly string[] {
  const symbols = listings.map(({ ticker }) => `symbol ${ticker}`);
  return companyKey === "" ? symbols : [...symbols, `company ${companyKey}`];
}

/** Whether an observation concerns a split. All observations applied to the split must be older. */
function concernsSplit(observation: CatalogObservation, split: CatalogSplit): boolean {
  return (
    concernsSecurity(observation, split) && (sharesExDate(observation, split) || isWithinPeriod(observation, split))
  );
}

/** Whether the observation states the current or an earlier ex date of the split. */
function sharesExDate({ exDate }: CatalogObservation, split: CatalogSplit): boolean {
  return exDate !== null && (split.lastExDate === exDate || split.events.some(({ terms }) => terms.exDate === exDate));
}

function concernsSecurity({ listings, companyKey }: CatalogObservation, split: CatalogSplit): boolean {
  if (listings.length > 0 && split.listings.length > 0)
    return listings.some((listing) => split.listings.some((other) => isSameListing(listing, other)));
  return companyKey !== "" && companyKey === split.companyKey;
}

function isWithinPeriod(observation: CatalogObservation, { status, lastExDate, events }: CatalogSplit): boolean {
  const { kind, reinstates, exDate, issuedOn } = observation;
  // An announcement after a cancellation is a new plan, and an old date belongs to an old split.
  if (status === "cancelled" && kind === "announced" && !reinstates) return false;
  if (exDate !== null && daysBetween(exDate, issuedOn) > SAME_SPLIT_DAYS) return false;
  const since = lastExDate ?? events.at(-1)?.day ?? issuedOn;
  const isUndated = lastExDate === null || status === "postponed";
  return daysBetween(since, issuedOn) <= (isUndated ? UNDATED_SPLIT_DAYS : SAME_SPLIT_DAYS);
}
