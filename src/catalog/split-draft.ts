import type { TickerMention } from "../domain/article/article.ts";
import { isSameRatio } from "../domain/split/ratio.ts";
import type { Day } from "../domain/time/day.ts";
import { type CatalogObservation, isSameSecurity } from "./catalog-observation.ts";
import type { CatalogEvent } from "./catalog-split.ts";
import { applyToIssuerView, type IssuerView, type SplitState } from "./issuer-view.ts";
import { OfficialView } from "./official-view.ts";
import { exDateNotice, hasSameListedTerms, type ListedTerms, listedTerms } from "./split-terms.ts";

/** A split under construction: the observations applied so far, and the resulting terms and events. */
export class SplitDraft implements SplitState {
  readonly observations: CatalogObservation[] = [];
  readonly events: CatalogEvent[] = [];
  /** All listings that were ever stated, including former ones. */
  readonly knownListings: TickerMention[] = [];
  readonly companyKeys = new Set<string>();
  readonly exDates = new Set<Day>();
  lastExDate: Day | null = null;
  rescheduledTo: Day | null = null;
  issuer: IssuerView | null = null;
  readonly official = new OfficialView();
  terms: ListedTerms = listedTerms(this);

  /** Whether an observation can be the first one of a split. A cancellation can't, nor an issuer's postponement without a date. */
  static canStartWith({ kind, exDate, isOfficial }: CatalogObservation): boolean {
    return kind === "announced" || (kind === "postponed" && (exDate !== null || isOfficial));
  }

  static from(observations: readonly CatalogObservation[]): SplitDraft {
    const draft = new SplitDraft();
    for (const observation of observations) draft.apply(observation);
    return draft;
  }

  get status(): ListedTerms["status"] {
    return this.terms.status;
  }

  get officialExDate(): Day | null {
    return exDateNotice(this.official)?.exDate ?? null;
  }

  /** Applies an observation. Must be called in the order of `compareObservations`. */
  apply(observation: CatalogObservation): void {
    const [terms, issuer] = [this.terms, this.issuer];
    if (observation.isOfficial) this.official.apply(observation);
    else this.issuer = applyToIssuerView(issuer, observation, this);
    this.terms = listedTerms(this);
    this.observations.push(observation);
    // Until there is an official notice, the issuer's view determines the events.
    const event =
      this.official.inForce.size === 0 ? newEvent(issuer, this.issuer) : this.#eventAfter(terms, observation);
    if (event) this.events.push(event);
    this.#record(observation);
  }

  /** Returns the event that an observation caused; null if it only repeats the terms. */
  #eventAfter(before: ListedTerms, observation: CatalogObservation): CatalogEvent | null {
    const { ratio, exDate, listings } = this.terms;
    if (this.events.length > 0 && hasSameListedTerms(before, this.terms)) return null;
    const { issuedOn: day, url, source } = observation;
    const terms = { ratio, exDate, exchange: listings[0]?.exchange ?? null };
    return { kind: this.#eventKind(before, observation), day, url, source, terms };
  }

  #eventKind(before: ListedTerms, observation: CatalogObservation): CatalogEvent["kind"] {
    const { ratio, exDate, status, listings } = this.terms;
    if (status !== "announced") return status;
    if (observation.kind === "postponed") return "postponed";
    const changesRatio = before.ratio !== null && !isSameRatio(before.ratio, ratio);
    const changesDate = this.lastExDate !== null && exDate !== null && exDate !== this.lastExDate;
    const changesExchange = before.listings.some(
      (listing) =>
        listing.exchange !== null &&
        listings.some((other) => isSameSecurity(listing, other) && listing.exchange !== other.exchange),
    );
    return changesRatio || changesDate || changesExchange ? "corrected" : "announced";
  }

  #record({ listings, companyKey, exDate, isOfficial }: CatalogObservation): void {
    for (const listing of listings) {
      if (!this.knownListings.some((known) => isSameListing(known, listing))) this.knownListings.push(listing);
    }
    this.companyKeys.add(isOfficial ? companyKey : (this.issuer?.companyKey ?? ""));
    for (const day of [this.terms.exDate, this.issuer?.exDate, isOfficial ? exDate : null])
      if (day) this.exDates.add(day);
    this.#recordMove(this.terms.exDate);
  }

  #recordMove(exDate: Day | null): void {
    if (exDate === null || exDate === this.lastExDate) return;
    if (this.lastExDate !== null) this.rescheduledTo = exDate;
    this.lastExDate = exDate;
  }
}

/** Returns the event that the latest observation added to the issuer's view; null if there is none. */
function newEvent(before: IssuerView | null, after: IssuerView | null): CatalogEvent | null {
  const [countBefore, events] = [before?.events.length ?? 0, after?.events ?? []];
  return events.length > countBefore ? (events.at(-1) ?? null) : null;
}

function isSameListing(a: TickerMention, b: TickerMention): boolean {
  return a.ticker === b.ticker && a.exchange === b.exchange;
}
