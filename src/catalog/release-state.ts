import type { TickerMention } from "../domain/article/article.ts";
import { isSameRatio } from "../domain/split/ratio.ts";
import type { Day } from "../domain/time/day.ts";
import { type CatalogObservation, isSameSecurity } from "./catalog-observation.ts";
import type { CatalogEvent, CatalogSplitStatus, ReleaseConflict, SplitTerms } from "./catalog-split.ts";

/** State of a split according to releases and filings: those of its issuer, or those of others. */
export interface ReleaseState extends SplitTerms {
  readonly companyKey: string;
  readonly newCusip: string | null;
  readonly events: readonly CatalogEvent[];
  readonly conflicts: readonly ReleaseConflict[];
  /** The first observation that stated the current value of each term. */
  readonly termObservations: Readonly<Partial<Record<ReleaseTerm, CatalogObservation>>>;
  /** The observation that stated each listing, by `listingKey`. */
  readonly listingObservations: ReadonlyMap<string, CatalogObservation>;
  /** Day of the last postponement or cancellation. */
  readonly withdrawnOn: Day | null;
  /**
   * Day on which the current ex date was first stated or reinstated. Null if a release without a dateline repeats an earlier
   * ex date: it may be a repost, so the day is unknown.
   */
  readonly exDateStatedOn: Day | null;
}

export type ReleaseTerm = "company" | "ratio" | "exDate" | "newCusip" | "announced";

/** State of a split according to all sources, before an observation is applied. */
export interface SplitState {
  readonly status: CatalogSplitStatus;
  readonly lastExDate: Day | null;
  /** All ex dates that were ever stated. */
  readonly exDates: ReadonlySet<Day>;
  /** The ex date that the exchange or regulator states. */
  readonly officialExDate: Day | null;
  /** New ex date of the last change; null if the ex date never changed. */
  readonly rescheduledTo: Day | null;
}

const EMPTY: ReleaseState = {
  listings: [],
  company: null,
  companyKey: "",
  ratio: null,
  exDate: null,
  lastExDate: null,
  newCusip: null,
  status: "announced",
  announced: null,
  events: [],
  conflicts: [],
  termObservations: {},
  listingObservations: new Map(),
  withdrawnOn: null,
  exDateStatedOn: null,
};

/** Applies an observation. Must be called in the order of `compareObservations`. */
export function applyToReleaseState(
  state: ReleaseState | null,
  observation: CatalogObservation,
  split: SplitState,
): ReleaseState {
  if (state === null) return withProvenance(EMPTY, createState(observation, split), observation, split);
  const applied = yieldsDate(observation, state) ? { ...observation, exDate: null, exDateBasis: null } : observation;
  return withProvenance(state, applyObservation(state, applied, split), applied, split);
}

/** Whether an announcement states only an effective date for a split whose first trading day is known. */
function yieldsDate({ kind, reinstates, exDateBasis }: CatalogObservation, state: ReleaseState): boolean {
  if (kind !== "announced" || reinstates || exDateBasis !== "effective" || state.exDate === null) return false;
  return !isFromEffectiveDate(state);
}

function isFromEffectiveDate({ termObservations }: ReleaseState): boolean {
  return termObservations.exDate?.exDateBasis === "effective";
}

function createState(observation: CatalogObservation, split: SplitState): ReleaseState {
  const { kind, listings, company, companyKey, ratio, exDate, newCusip, issuedOn } = observation;
  const announced = kind === "announced" ? issuedOn : null;
  const state = { ...EMPTY, listings, company, companyKey, ratio, lastExDate: exDate, newCusip, announced };
  if (kind === "cancelled") return withEvent({ ...state, status: "cancelled" }, kind, observation);
  if (kind === "postponed" && (exDate === null || isPostponedDate(exDate, split)))
    return withEvent({ ...state, status: "postponed" }, kind, observation);
  return withEvent({ ...state, exDate }, kind, observation);
}

function applyObservation(state: ReleaseState, observation: CatalogObservation, split: SplitState): ReleaseState {
  const detailed = withDetails(state, observation);
  switch (observation.kind) {
    case "announced":
      if (observation.reinstates && split.status !== "announced")
        return applyReinstatement(detailed, observation, split);
      return applyAnnouncement(withAnnouncementDay(detailed, observation.issuedOn), observation);
    case "postponed":
      return applyPostponement(detailed, observation, split);
    case "cancelled":
      if (state.status === "cancelled") return detailed;
      return withEvent({ ...detailed, status: "cancelled", exDate: null }, "cancelled", observation);
  }
}

/** Records which observation changed which term, and when. */
function withProvenance(
  before: ReleaseState,
  after: ReleaseState,
  observation: CatalogObservation,
  split: SplitState,
): ReleaseState {
  const { issuedOn, hasDateline, reinstates } = observation;
  const event = after.events.length > before.events.length ? after.events.at(-1) : undefined;
  const isWithdrawal = event?.kind === "postponed" || event?.kind === "cancelled";
  const updatesExDate = after.exDate !== before.exDate || (reinstates && event !== undefined);
  const isRepetition = after.exDate !== null && split.exDates.has(after.exDate) && !hasDateline;
  const statedOn = isRepetition ? null : issuedOn;
  return {
    ...after,
    termObservations: termObservationsAfter(before, after, observation),
    listingObservations: listingObservationsAfter(before, after, observation),
    withdrawnOn: isWithdrawal ? issuedOn : before.withdrawnOn,
    exDateStatedOn: updatesExDate ? statedOn : before.exDateStatedOn,
  };
}

function termObservationsAfter(
  before: ReleaseState,
  after: ReleaseState,
  observation: CatalogObservation,
): ReleaseState["termObservations"] {
  const changed = {
    company: after.company !== before.company,
    ratio: !isSameRatio(after.ratio, before.ratio),
    exDate: after.exDate !== before.exDate || confirmsDate(observation, before),
    newCusip: after.newCusip !== before.newCusip,
    announced: after.announced !== before.announced,
  };
  const terms = (Object.keys(changed) as ReleaseTerm[]).filter((term) => changed[term]);
  return terms.length === 0
    ? before.termObservations
    : { ...before.termObservations, ...Object.fromEntries(terms.map((term) => [term, observation])) };
}

/** Whether an observation states as the first trading day what was derived from an effective date. */
function confirmsDate({ exDate, exDateBasis }: CatalogObservation, before: ReleaseState): boolean {
  return exDate !== null && exDate === before.exDate && exDateBasis === "trading" && isFromEffectiveDate(before);
}

function listingObservationsAfter(
  before: ReleaseState,
  after: ReleaseState,
  observation: CatalogObservation,
): ReleaseState["listingObservations"] {
  const added = after.listings.map(listingKey).filter((key) => !before.listingObservations.has(key));
  return added.length === 0
    ? before.listingObservations
    : new Map([...before.listingObservations, ...added.map((key) => [key, observation] as const)]);
}

export function listingKey({ ticker, exchange }: TickerMention): string {
  return `${exchange ?? ""}:${ticker}`;
}

function applyAnnouncement(state: ReleaseState, observation: CatalogObservation): ReleaseState {
  const next = withTerms(state, observation);
  if (hasSameTerms(state, next)) return state;
  if (isOutdated(state, observation)) return withConflict(state, "outdated", observation);
  if (state.status !== "announced" && observation.exDate === null) return state;
  const announced: ReleaseState = { ...next, status: "announced" };
  if (!changesTerms(observation, state)) return withEvent(announced, "announced", observation);
  const last = state.events.at(-1);
  const replacesEffectiveDate = observation.exDateBasis === "trading" && isFromEffectiveDate(state);
  const isOnSameDay = last !== undefined && last.day === observation.issuedOn && last.source !== observation.source;
  const isConflict = isOnSameDay && !(replacesEffectiveDate && !changesOtherTerms(observation, state));
  const corrected = withEvent(announced, "corrected", observation);
  return isConflict ? withConflict(corrected, "same-day", observation, last.url) : corrected;
}

/** A reinstated split has the stated ex date, otherwise its former ex date unless that has passed. */
function applyReinstatement(state: ReleaseState, observation: CatalogObservation, split: SplitState): ReleaseState {
  const { lastExDate } = split;
  const formerExDate = lastExDate !== null && lastExDate >= observation.issuedOn ? lastExDate : null;
  const exDate = observation.exDate ?? formerExDate;
  return withEvent({ ...withTerms(state, observation), status: "announced", exDate }, "announced", observation);
}

/** A postponed split has no ex date until a new one is stated. */
function applyPostponement(state: ReleaseState, observation: CatalogObservation, split: SplitState): ReleaseState {
  const { exDate } = observation;
  const last = state.events.at(-1);
  if (state.status === "cancelled") return state;
  if (exDate !== null && exDate !== state.exDate && !isPostponedDate(exDate, split)) {
    if (isOutdated(state, observation)) return withConflict(state, "outdated", observation);
    return withEvent({ ...withTerms(state, observation), status: "announced" }, "postponed", observation);
  }
  // The observation is another release about the same postponement.
  if (last?.kind === "postponed" && (exDate === null || exDate === last.terms.exDate)) return state;
  return withEvent({ ...state, status: "postponed", exDate: null }, "postponed", observation);
}

/** Whether the ex date in a postponement is the old one, which the exchange still lists, rather than a new one. */
function isPostponedDate(exDate: Day, { officialExDate, rescheduledTo }: SplitState): boolean {
  return exDate === officialExDate && exDate !== rescheduledTo;
}

function withTerms(state: ReleaseState, { ratio, exDate, listings, newCusip }: CatalogObservation): ReleaseState {
  return {
    ...state,
    listings: withListings(state.listings, listings),
    ratio: ratio ?? state.ratio,
    exDate: exDate ?? state.exDate,
    lastExDate: exDate ?? state.lastExDate,
    newCusip: newCusip ?? state.newCusip,
  };
}

/** Adds the stated listings. Within one market, the last stated exchange applies, because a listing may move. */
function withListings(listings: readonly TickerMention[], stated: readonly TickerMention[]): readonly TickerMention[] {
  const updated = listings.map((listing) => {
    const exchange = stated.find((other) => isSameSecurity(listing, other))?.exchange ?? listing.exchange;
    return { ticker: listing.ticker, exchange };
  });
  return [...updated, ...stated.filter((listing) => !listings.some((other) => isSameSecurity(listing, other)))];
}

/** Adds details that were not stated before. They cause no event. */
function withDetails(state: ReleaseState, { company, companyKey, newCusip }: CatalogObservation): ReleaseState {
  const detailed = { ...state, newCusip: state.newCusip ?? newCusip };
  return state.company === null && company !== null ? { ...detailed, company, companyKey } : detailed;
}

function withAnnouncementDay(state: ReleaseState, day: Day): ReleaseState {
  const isEarlier = state.announced === null || day < state.announced;
  return isEarlier ? { ...state, announced: day } : state;
}

function hasSameTerms(a: ReleaseState, b: ReleaseState): boolean {
  const hasSameListings =
    a.listings.length === b.listings.length &&
    a.listings.every(({ exchange }, index) => exchange === b.listings[index]?.exchange);
  return hasSameListings && a.exDate === b.exDate && isSameRatio(a.ratio, b.ratio);
}

/** Whether an observation changes stated terms, rather than only adding terms. */
function changesTerms(observation: CatalogObservation, state: ReleaseState): boolean {
  const { exDate } = observation;
  const changesDate = exDate !== null && state.lastExDate !== null && exDate !== state.lastExDate;
  return changesDate || changesOtherTerms(observation, state);
}

/** Whether an observation changes the ratio or the exchange. */
function changesOtherTerms({ ratio, listings }: CatalogObservation, state: ReleaseState): boolean {
  const changesRatio = ratio !== null && state.ratio !== null && !isSameRatio(ratio, state.ratio);
  return changesRatio || listings.some((listing) => changesExchange(state.listings, listing));
}

function changesExchange(listings: readonly TickerMention[], stated: TickerMention): boolean {
  return listings.some(
    (other) =>
      other.exchange !== null &&
      stated.exchange !== null &&
      other.exchange !== stated.exchange &&
      isSameSecurity(other, stated),
  );
}

/**
 * Whether an observation repeats terms that were replaced or withdrawn. Only a release with a later dateline can restore them;
 * any other release is a repost.
 */
function isOutdated(state: ReleaseState, { ratio, exDate, hasDateline, issuedOn }: CatalogObservation): boolean {
  const last = state.events.at(-1);
  if (last === undefined || (hasDateline && issuedOn > last.day) || (ratio === null && exDate === null)) return false;
  const isWithdrawn = state.status !== "announced";
  return state.events.some(
    ({ terms }) =>
      (isWithdrawn || !(isSameRatio(terms.ratio, state.ratio) && terms.exDate === state.exDate)) &&
      (ratio === null || isSameRatio(ratio, terms.ratio)) &&
      (exDate === null || exDate === terms.exDate),
  );
}

function withEvent(
  state: ReleaseState,
  kind: CatalogEvent["kind"],
  { issuedOn, url, source }: CatalogObservation,
): ReleaseState {
  const { ratio, exDate, listings } = state;
  const terms = { ratio, exDate, exchange: listings[0]?.exchange ?? null };
  return { ...state, events: [...state.events, { kind, day: issuedOn, url, source, terms }] };
}

function withConflict(
  state: ReleaseState,
  kind: ReleaseConflict["kind"],
  { issuedOn, url }: CatalogObservation,
  earlierUrl = state.events.at(-1)?.url ?? url,
): ReleaseState {
  return { ...state, conflicts: [...state.conflicts, { kind, day: issuedOn, url, earlierUrl }] };
}
