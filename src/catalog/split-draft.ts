import type { TickerMention } from "../domain/article/article.ts";
import { isSameCompany } from "../domain/article/company-name.ts";
import { isSameRatio } from "../domain/split/ratio.ts";
import type { Day } from "../domain/time/day.ts";
import { type CatalogObservation, isSameSecurity } from "./catalog-observation.ts";
import type { CatalogEvent } from "./catalog-split.ts";
import { OfficialState } from "./official-state.ts";
import { applyToReleaseState, type ReleaseState, type SplitState } from "./release-state.ts";
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
  /** State according to the issuer's own releases and filings. */
  issuer: ReleaseState | null = null;
  /** State according to the other releases: those of the first company that announces the split, completed by the others. */
  other: ReleaseState | null = null;
  /** The releases that are not the issuer's own. */
  readonly otherReleases: CatalogObservation[] = [];
  readonly official = new OfficialState();
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
    const { terms, issuer, other } = this;
    if (observation.isOfficial) this.official.apply(observation);
    else if (observation.isOwn) this.issuer = applyToReleaseState(issuer, observation, this);
    else this.#applyOther(observation);
    this.terms = listedTerms(this);
    this.observations.push(observation);
    // While only one state is known, it determines the events.
    const hasOneState = this.official.inForce.size === 0 && (this.issuer === null || this.other === null);
    const event = hasOneState
      ? newEvent(issuer ?? other, this.issuer ?? this.other)
      : this.#eventAfter(terms, observation);
    if (event) this.events.push(event);
    this.#record(observation);
  }

  /** The speaker of the first announcement may change and withdraw it. All other releases only add what it doesn't state. */
  #applyOther(release: CatalogObservation): void {
    const { other } = this;
    this.otherReleases.push(release);
    if (other === null) {
      if (SplitDraft.canStartWith(release)) this.other = applyToReleaseState(null, release, this);
    } else if (this.isByFirstSpeaker(release)) this.other = applyToReleaseState(other, release, this);
    else if (release.kind === "announced") this.other = applyToReleaseState(other, withoutStated(release, other), this);
  }

  /** Whether a release that is not the issuer's own is by the company whose announcement started the state of such releases. */
  isByFirstSpeaker({ subject }: CatalogObservation): boolean {
    const first = this.otherReleases.find((release) => SplitDraft.canStartWith(release))?.subject ?? null;
    return first !== null && subject !== null && isSameCompany(first, subject);
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

  #record({ listings, companyKey, exDate, isOfficial, isOwn }: CatalogObservation): void {
    for (const listing of listings) {
      if (!this.knownListings.some((known) => isSameListing(known, listing))) this.knownListings.push(listing);
    }
    const state = isOwn ? this.issuer : this.other;
    this.companyKeys.add(isOfficial ? companyKey : (state?.companyKey ?? ""));
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

/** Returns the event that the latest observation added to the issuer's state; null if there is none. */
function newEvent(before: ReleaseState | null, after: ReleaseState | null): CatalogEvent | null {
  const [countBefore, events] = [before?.events.length ?? 0, after?.events ?? []];
  return events.length > countBefore ? (events.at(-1) ?? null) : null;
}

/** A release without the terms that the state already has. */
function withoutStated(release: CatalogObservation, state: ReleaseState): CatalogObservation {
  const keepsDate = state.lastExDate === null && state.status === "announced";
  const isNew = (listing: TickerMention): boolean =>
    state.listings.length === 0 ||
    state.listings.some((known) => known.exchange === null && isSameSecurity(known, listing));
  return {
    ...release,
    reinstates: false,
    ratio: state.ratio === null ? release.ratio : null,
    exDate: keepsDate ? release.exDate : null,
    exDateBasis: keepsDate ? release.exDateBasis : null,
    newCusip: state.newCusip === null ? release.newCusip : null,
    listings: release.listings.filter(isNew),
  };
}

function isSameListing(a: TickerMention, b: TickerMention): boolean {
  return a.ticker === b.ticker && a.exchange === b.exchange;
}
