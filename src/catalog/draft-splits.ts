import type { Day } from "../domain/time/day.ts";
import { compareText, groupBy } from "../lib/collections.ts";
import { type CatalogObservation, compareObservations, noticeKey } from "./catalog-observation.ts";
import { mainListings } from "./catalog-split.ts";
import { concernsSplit, sharesExDate } from "./concerns-split.ts";
import { MAX_LEGAL_DATE_GAP_DAYS, tradingDaysApart } from "./ex-dates.ts";
import type { SecurityOf } from "./securities.ts";
import { SplitDraft } from "./split-draft.ts";

/** Assigns observations to splits. Observations must be in the order of `compareObservations`. */
export function draftSplits(
  observations: readonly CatalogObservation[],
  securityOf: SecurityOf,
): readonly SplitDraft[] {
  const index = new DraftIndex(securityOf);
  for (const observation of observations) index.add(observation);
  return mergeDuplicates(index.drafts, securityOf);
}

class DraftIndex {
  readonly drafts: SplitDraft[] = [];
  readonly #positionsByKey = new Map<string, Set<number>>();
  readonly #positionByNotice = new Map<string, number>();
  readonly #securityOf: SecurityOf;

  constructor(securityOf: SecurityOf) {
    this.#securityOf = securityOf;
  }

  /** Adds an observation to the split that it concerns, otherwise to a new split. */
  add(observation: CatalogObservation): void {
    const existing = this.#findByNotice(observation) ?? this.#find(observation);
    if (existing === undefined && !SplitDraft.canStartWith(observation)) return;
    const position = existing ?? this.drafts.push(new SplitDraft()) - 1;
    this.drafts[position]?.apply(observation);
    if (observation.isOfficial) this.#positionByNotice.set(noticeKey(observation), position);
    for (const key of this.#indexKeys(observation)) this.#index(key, position);
  }

  /** Position of the split that earlier revisions of the notice concern. It can't be found by terms: a revision may change all. */
  #findByNotice(observation: CatalogObservation): number | undefined {
    return observation.isOfficial ? this.#positionByNotice.get(noticeKey(observation)) : undefined;
  }

  /** Position of the latest split that the observation concerns. A split with the stated ex date takes precedence. */
  #find(observation: CatalogObservation): number | undefined {
    let latest: number | undefined;
    let latestWithExDate: number | undefined;
    for (const position of this.#positionsOf(this.#searchKeys(observation))) {
      const split = this.drafts[position];
      if (split === undefined || !concernsSplit(observation, split, this.#securityOf)) continue;
      latest = Math.max(position, latest ?? 0);
      if (sharesExDate(observation, split)) latestWithExDate = Math.max(position, latestWithExDate ?? 0);
    }
    return latestWithExDate ?? latest;
  }

  #positionsOf(keys: readonly string[]): ReadonlySet<number> {
    const positions = new Set<number>();
    for (const key of keys) for (const position of this.#positionsByKey.get(key) ?? []) positions.add(position);
    return positions;
  }

  #index(key: string, position: number): void {
    const positions = this.#positionsByKey.get(key);
    if (positions) positions.add(position);
    else this.#positionsByKey.set(key, new Set([position]));
  }

  /** Keys under which the split of an observation is indexed. */
  #indexKeys(observation: CatalogObservation): readonly string[] {
    const { listings, companyKey } = observation;
    if (companyKey === "") return this.#symbolKeys(listings);
    return [
      ...this.#symbolKeys(listings),
      companyIndexKey(companyKey),
      ...(listings.length === 0 ? [unlistedIndexKey(companyKey)] : []),
    ];
  }

  /** Keys of the splits that an observation may concern. Company names are used only if the observation or split has no symbol. */
  #searchKeys({ listings, companyKey }: CatalogObservation): readonly string[] {
    if (companyKey === "") return this.#symbolKeys(listings);
    return listings.length === 0
      ? [companyIndexKey(companyKey)]
      : [...this.#symbolKeys(listings), unlistedIndexKey(companyKey)];
  }

  #symbolKeys(listings: CatalogObservation["listings"]): readonly string[] {
    return listings.flatMap((listing) => {
      const security = this.#securityOf(listing);
      return [`symbol ${listing.ticker}`, ...(security === null ? [] : [`security ${security}`])];
    });
  }
}

function companyIndexKey(key: string): string {
  return `company ${key}`;
}

/** Key of the company's splits that have an observation without a symbol. */
function unlistedIndexKey(key: string): string {
  return `unlisted ${key}`;
}

/**
 * Merges splits of one security whose final ex dates are equal or at most one trading day apart, as a legal date and the first
 * trading day are. Such duplicates occur if a revision moves one split to the date of another.
 */
function mergeDuplicates(drafts: readonly SplitDraft[], securityOf: SecurityOf): readonly SplitDraft[] {
  let current = drafts;
  for (;;) {
    const clusters = findDuplicates(current, securityOf);
    if (clusters.size === 0) return current;
    const distinctClusters = new Set(current.map((draft) => clusters.get(draft) ?? new Set([draft])));
    current = [...distinctClusters].map(mergeCluster);
  }
}

function mergeCluster(cluster: ReadonlySet<SplitDraft>): SplitDraft {
  const [first, ...duplicates] = cluster;
  if (first !== undefined && duplicates.length === 0) return first;
  return SplitDraft.from([...cluster].flatMap(({ observations }) => observations).toSorted(compareObservations));
}

type Clusters = ReadonlyMap<SplitDraft, ReadonlySet<SplitDraft>>;

/** Maps each split that has duplicates to the set of all its duplicates, itself included. */
function findDuplicates(drafts: readonly SplitDraft[], securityOf: SecurityOf): Clusters {
  const clusters = new Map<SplitDraft, ReadonlySet<SplitDraft>>();
  for (const group of datedBySecurity(drafts, securityOf)) {
    const sorted = group.toSorted((a, b) => compareText(a.exDate, b.exDate));
    for (const [index, { draft, exDate }] of sorted.entries()) {
      const next = sorted[index + 1];
      if (next === undefined || tradingDaysApart(exDate, next.exDate) > MAX_LEGAL_DATE_GAP_DAYS) continue;
      const cluster = new Set([...(clusters.get(draft) ?? [draft]), ...(clusters.get(next.draft) ?? [next.draft])]);
      for (const member of cluster) clusters.set(member, cluster);
    }
  }
  return clusters;
}

/** An announced split with its ex date. */
interface DatedDraft {
  readonly draft: SplitDraft;
  readonly exDate: Day;
}

function datedBySecurity(drafts: readonly SplitDraft[], securityOf: SecurityOf): Iterable<readonly DatedDraft[]> {
  const datedDrafts = drafts.flatMap((draft) => {
    const { status, exDate, listings } = draft.terms;
    if (status !== "announced" || exDate === null) return [];
    const securities = new Set(mainListings(listings).map(securityOf));
    return [...securities].map((security) => ({ draft, exDate, security }));
  });
  return groupBy(datedDrafts, ({ security }) => security).values();
}
