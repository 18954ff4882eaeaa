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
import { OfficialView } from "./official-view.ts";
import { ISSUER, OTHER, PRECEDENCE } from "./precedence.ts";
import { listingKey, type ReleaseView } from "./release-view.ts";

/** Current statements of the issuer, of other releases, and of the exchanges and regulators about one split. */
export interface Views {
  readonly issuer: ReleaseView | null;
  readonly other: ReleaseView | null;
  readonly official: OfficialView;
}

/** Returns the facts of all sources. The first fact of a term applies. */
export function termFacts(views: Views): TermFacts {
  return {
    listing: listingFacts(views),
    company: factsOf("company", views),
    ratio: factsOf("ratio", views),
    exDate: scheduleOf(views).exDateFacts,
    newCusip: factsOf("newCusip", views),
    announced: announcementFacts(views),
  };
}

/** The terms that determine whether and how a split is listed. */
export type ListedTerms = Pick<SplitTerms, "listings" | "ratio" | "exDate" | "status">;

export function listedTerms(views: Views): ListedTerms {
  const { status, exDateFacts } = scheduleOf(views);
  return {
    listings: distinctListings(listingFacts(views).map(({ value }) => value)),
    ratio: appliedValue(factsOf("ratio", views)),
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
export function hasAuthority({ issuer, official }: Views): boolean {
  return issuer !== null || official.inForce.size > 0;
}

const NO_NOTICES = new OfficialView();

interface Schedule {
  readonly status: CatalogSplitStatus;
  readonly exDateFacts: readonly CatalogFact<Day>[];
}

/** Returns the statement of an exchange or regulator that determines the ex date. */
export function exDateNotice({ inForce }: OfficialView): CatalogObservation | undefined {
  return PRECEDENCE.exDate
    .map((source) => inForce.get(source))
    .find((notice) => notice !== undefined && (notice.kind !== "announced" || notice.exDate !== null));
}

/** Returns the status and ex date that the exchange states, or those of the issuer if the issuer takes precedence. */
function scheduleOf(views: Views): Schedule {
  const { issuer, other, official } = views;
  const notice = exDateNotice(official);
  if (!hasAuthority(views) && other !== null) return { status: other.status, exDateFacts: viewFacts("exDate", other) };
  if (issuer !== null && (notice === undefined || issuerTakesPrecedence(issuer, notice)))
    return {
      status: issuer.status,
      exDateFacts: issuer.status === "announced" ? factsOf("exDate", { ...views, official: NO_NOTICES }) : [],
    };
  if (notice?.kind === "cancelled") return { status: "cancelled", exDateFacts: [] };
  if (notice?.kind === "postponed" && notice.exDate === null) return { status: "postponed", exDateFacts: [] };
  return { status: "announced", exDateFacts: factsOf("exDate", views) };
}

/**
 * Whether the issuer's statement replaces the exchange's notice. It does if the issuer withdrew or postponed the split on the
 * day of the notice or later. It also does if the notice withdraws the split and the issuer states an ex date afterwards.
 */
function issuerTakesPrecedence(
  { status, exDate, withdrawnOn, exDateStatedOn }: ReleaseView,
  notice: CatalogObservation,
): boolean {
  if (withdrawnOn !== null && withdrawnOn >= notice.issuedOn) return true;
  const isWithdrawn = notice.kind === "cancelled" || notice.exDate === null;
  const isStatedLater = exDate !== null && exDateStatedOn !== null && exDateStatedOn > notice.issuedOn;
  return isWithdrawn && status === "announced" && isStatedLater;
}

type StatedTerms = Pick<CatalogObservation, "company" | "ratio" | "exDate" | "newCusip">;

type StatedFacts<Term extends keyof StatedTerms> = readonly CatalogFact<NonNullable<StatedTerms[Term]>>[];

function factsOf<Term extends keyof StatedTerms>(term: Term, { issuer, other, official }: Views): StatedFacts<Term> {
  const facts = PRECEDENCE[term].flatMap((source) => {
    if (source === OTHER) return [];
    if (source === ISSUER) return issuer === null ? [] : viewFacts(term, issuer);
    const notice = official.inForce.get(source);
    if (notice === undefined || (term === "exDate" && notice.kind === "cancelled")) return [];
    return factFrom(notice, notice, term);
  });
  return facts.length > 0 || other === null ? facts : viewFacts(term, other);
}

function viewFacts<Term extends keyof StatedTerms>(term: Term, view: ReleaseView): StatedFacts<Term> {
  const observation = view.termObservations[term];
  return observation === undefined ? [] : factFrom(observation, view, term);
}

function factFrom<Term extends keyof StatedTerms>(
  observation: CatalogObservation,
  stated: StatedTerms,
  term: Term,
): StatedFacts<Term> {
  const value: StatedTerms[Term] = stated[term];
  return value === null ? [] : [toFact(observation, value, term)];
}

function listingFacts(views: Views): readonly CatalogFact<TickerMention>[] {
  const { issuer, other, official } = views;
  const others = other === null ? [] : viewListings(other);
  if (!hasAuthority(views)) return others;
  const facts = PRECEDENCE.listing.flatMap((source) => {
    if (source === OTHER) return [];
    if (source === ISSUER) return issuer === null ? [] : viewListings(issuer);
    const notice = official.inForce.get(source);
    return notice === undefined ? [] : notice.listings.map((listing) => toFact(notice, listing, "ticker"));
  });
  // Another release adds no symbol, only the exchange of one.
  const isWithoutExchange = ({ value }: CatalogFact<TickerMention>): boolean =>
    facts.some((fact) => fact.value.exchange === null && isSameSecurity(fact.value, value));
  return [...facts, ...others.filter(isWithoutExchange)];
}

function viewListings({ listings, listingObservations }: ReleaseView): readonly CatalogFact<TickerMention>[] {
  return listings.flatMap((listing) => {
    const observation = listingObservations.get(listingKey(listing));
    return observation === undefined ? [] : [toFact(observation, listing, "ticker")];
  });
}

/** Terms that neither an exchange nor the issuer states, with the release that states them. */
export function suppliedTerms(views: Views): readonly (readonly [ComparedTerm, CatalogObservation])[] {
  const { other } = views;
  if (other === null || !hasAuthority(views)) return [];
  return COMPARED_TERMS.flatMap((term) => {
    const [used] = term === "exDate" ? scheduleOf(views).exDateFacts : factsOf(term, views);
    const isSupplied = used !== undefined && factsOf(term, { ...views, other: null }).length === 0;
    const release = other.termObservations[term];
    return isSupplied && release !== undefined ? [[term, release] as const] : [];
  });
}

const COMPARED_TERMS: readonly ComparedTerm[] = ["ratio", "exDate", "newCusip"];

/** Announcement dates, earliest first. A notice of an exchange shows only that the split was announced by that day. */
function announcementFacts(views: Views): readonly CatalogFact<Day>[] {
  const { firstAnnouncement } = views.official;
  const view = hasAuthority(views) ? views.issuer : views.other;
  const observation = view?.termObservations.announced;
  const announcedOn = view?.announced;
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
