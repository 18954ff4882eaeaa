import type { TickerMention } from "../domain/article/article.ts";
import { isSameRatio } from "../domain/split/ratio.ts";
import type { Day } from "../domain/time/day.ts";
import { compareText } from "../lib/collections.ts";
import { type CatalogObservation, isSameSecurity } from "./catalog-observation.ts";
import {
  type CatalogFact,
  type CatalogSplitStatus,
  type ComparedTerm,
  mainListings,
  type SplitTerms,
  type TermFacts,
} from "./catalog-split.ts";
import { OfficialState } from "./official-state.ts";
import { ISSUER, OTHER, PRECEDENCE } from "./precedence.ts";
import { listingKey, type ReleaseState } from "./release-state.ts";

/** Current statements of the issuer, of other releases, and of the exchanges and regulators about one split. */
export interface SplitStates {
  readonly issuer: ReleaseState | null;
  readonly other: ReleaseState | null;
  readonly official: OfficialState;
}

/** Returns the facts of all sources. The first fact of a term applies. */
export function termFacts(states: SplitStates): TermFacts {
  return {
    listing: listingFacts(states),
    company: factsOf("company", states),
    ratio: factsOf("ratio", states),
    exDate: scheduleOf(states).exDateFacts,
    newCusip: factsOf("newCusip", states),
    announced: announcementFacts(states),
  };
}

/** The terms that determine whether and how a split is listed. */
export type ListedTerms = Pick<SplitTerms, "listings" | "ratio" | "exDate" | "status">;

export function listedTerms(states: SplitStates): ListedTerms {
  const { status, exDateFacts } = scheduleOf(states);
  return {
    listings: distinctListings(listingFacts(states).map(({ value }) => value)),
    ratio: appliedValue(factsOf("ratio", states)),
    exDate: appliedValue(exDateFacts),
    status,
  };
}

/** Returns the value that applies; null if no source states one. */
export function appliedValue<T>(facts: readonly CatalogFact<T>[]): T | null {
  return facts[0]?.value ?? null;
}

/** Whether two states of a split are listed identically: same status, ratio, ex date and listing in each market. */
export function hasSameListedTerms(a: ListedTerms, b: ListedTerms): boolean {
  return (
    a.status === b.status && a.exDate === b.exDate && isSameRatio(a.ratio, b.ratio) && listingsKey(a) === listingsKey(b)
  );
}

function listingsKey({ listings }: ListedTerms): string {
  return mainListings(listings)
    .map(({ exchange, ticker }) => `${exchange}:${ticker}`)
    .join(" ");
}

/** Whether an exchange, a regulator or the issuer states the split. */
export function hasAuthority({ issuer, official }: SplitStates): boolean {
  return issuer !== null || official.inForce.size > 0;
}

const NO_NOTICES = new OfficialState();

interface Schedule {
  readonly status: CatalogSplitStatus;
  readonly exDateFacts: readonly CatalogFact<Day>[];
}

/** Returns the statement of an exchange or regulator that determines the ex date. */
export function exDateNotice({ inForce }: OfficialState): CatalogObservation | undefined {
  return PRECEDENCE.exDate
    .map((source) => inForce.get(source))
    .find((notice) => notice !== undefined && (notice.kind !== "announced" || notice.exDate !== null));
}

/** Returns the status and ex date that the exchange states, or those of the issuer if the issuer takes precedence. */
function scheduleOf(states: SplitStates): Schedule {
  const { issuer, other, official } = states;
  const notice = exDateNotice(official);
  if (!hasAuthority(states) && other !== null)
    return { status: other.status, exDateFacts: statedFacts("exDate", other) };
  if (issuer !== null && (notice === undefined || issuerTakesPrecedence(issuer, notice)))
    return {
      status: issuer.status,
      exDateFacts: issuer.status === "announced" ? factsOf("exDate", { ...states, official: NO_NOTICES }) : [],
    };
  if (notice?.kind === "cancelled") return { status: "cancelled", exDateFacts: [] };
  if (notice?.kind === "postponed" && notice.exDate === null) return { status: "postponed", exDateFacts: [] };
  return { status: "announced", exDateFacts: factsOf("exDate", states) };
}

/**
 * Whether the issuer's statement replaces the exchange's notice. It does if the issuer withdrew or postponed the split on the
 * day of the notice or later. It also does if the notice withdraws the split and the issuer states an ex date afterwards.
 */
function issuerTakesPrecedence(
  { status, exDate, withdrawnOn, exDateStatedOn }: ReleaseState,
  notice: CatalogObservation,
): boolean {
  if (withdrawnOn !== null && withdrawnOn >= notice.issuedOn) return true;
  const isWithdrawn = notice.kind === "cancelled" || notice.exDate === null;
  const isStatedLater = exDate !== null && exDateStatedOn !== null && exDateStatedOn > notice.issuedOn;
  return isWithdrawn && status === "announced" && isStatedLater;
}

type StatedTerms = Pick<CatalogObservation, "company" | "ratio" | "exDate" | "newCusip">;

type StatedFacts<Term extends keyof StatedTerms> = readonly CatalogFact<NonNullable<StatedTerms[Term]>>[];

function factsOf<Term extends keyof StatedTerms>(
  term: Term,
  { issuer, other, official }: SplitStates,
): StatedFacts<Term> {
  const facts = PRECEDENCE[term].flatMap((source) => {
    if (source === OTHER) return [];
    if (source === ISSUER) return issuer === null ? [] : statedFacts(term, issuer);
    const notice = official.inForce.get(source);
    if (notice === undefined || (term === "exDate" && notice.kind === "cancelled")) return [];
    return factFrom(notice, notice, term);
  });
  return facts.length > 0 || other === null ? facts : statedFacts(term, other);
}

function statedFacts<Term extends keyof StatedTerms>(term: Term, state: ReleaseState): StatedFacts<Term> {
  const observation = state.termObservations[term];
  return observation === undefined ? [] : factFrom(observation, state, term);
}

function factFrom<Term extends keyof StatedTerms>(
  observation: CatalogObservation,
  stated: StatedTerms,
  term: Term,
): StatedFacts<Term> {
  const value: StatedTerms[Term] = stated[term];
  return value === null ? [] : [toFact(observation, value, term)];
}

function listingFacts(states: SplitStates): readonly CatalogFact<TickerMention>[] {
  const { issuer, other, official } = states;
  const others = other === null ? [] : statedListings(other);
  if (!hasAuthority(states)) return others;
  const facts = PRECEDENCE.listing.flatMap((source) => {
    if (source === OTHER) return [];
    if (source === ISSUER) return issuer === null ? [] : statedListings(issuer);
    const notice = official.inForce.get(source);
    return notice === undefined ? [] : notice.listings.map((listing) => toFact(notice, listing, "ticker"));
  });
  // Another release adds no symbol, only the exchange of one.
  const isWithoutExchange = ({ value }: CatalogFact<TickerMention>): boolean =>
    facts.some((fact) => fact.value.exchange === null && isSameSecurity(fact.value, value));
  return [...facts, ...others.filter(isWithoutExchange)];
}

function statedListings({ listings, listingObservations }: ReleaseState): readonly CatalogFact<TickerMention>[] {
  return listings.flatMap((listing) => {
    const observation = listingObservations.get(listingKey(listing));
    return observation === undefined ? [] : [toFact(observation, listing, "ticker")];
  });
}

/** Terms that neither an exchange nor the issuer states, with the release that states them. */
export function suppliedTerms(states: SplitStates): readonly (readonly [ComparedTerm, CatalogObservation])[] {
  const { other } = states;
  if (other === null || !hasAuthority(states)) return [];
  return COMPARED_TERMS.flatMap((term) => {
    const [used] = term === "exDate" ? scheduleOf(states).exDateFacts : factsOf(term, states);
    const isSupplied = used !== undefined && factsOf(term, { ...states, other: null }).length === 0;
    const release = other.termObservations[term];
    return isSupplied && release !== undefined ? [[term, release] as const] : [];
  });
}

const COMPARED_TERMS: readonly ComparedTerm[] = ["ratio", "exDate", "newCusip"];

/** Announcement dates, earliest first. A notice of an exchange shows only that the split was announced by that day. */
function announcementFacts(states: SplitStates): readonly CatalogFact<Day>[] {
  const { firstAnnouncement } = states.official;
  const state = hasAuthority(states) ? states.issuer : states.other;
  const observation = state?.termObservations.announced;
  const announcedOn = state?.announced;
  const facts = observation === undefined || !announcedOn ? [] : [toFact(observation, announcedOn, "announced")];
  if (firstAnnouncement === null) return facts;
  const { notice, publishedOn } = firstAnnouncement;
  return [...facts, toFact(notice, publishedOn, "announced")].toSorted((a, b) => compareText(a.value, b.value));
}

export function toFact<T>(observation: CatalogObservation, value: T, term: string): CatalogFact<T> {
  const { source, url, evidence, issuedOn, exDateBasis } = observation;
  const fact = { value, source, url, evidence: evidence[term] ?? null, day: issuedOn };
  return term === "exDate" && exDateBasis === "effective" ? { ...fact, basis: "effective" } : fact;
}

/**
 * Returns each listing once, as the source with the highest precedence states it. If that source names no exchange, as NYSE's
 * list may, the statement of the next source replaces it.
 */
function distinctListings(listings: readonly TickerMention[]): readonly TickerMention[] {
  const distinct: TickerMention[] = [];
  for (const listing of listings) {
    const index = distinct.findIndex((known) => isSameSecurity(known, listing));
    if (index < 0) distinct.push(listing);
    else if (distinct[index]?.exchange === null) distinct[index] = listing;
  }
  return distinct;
}
