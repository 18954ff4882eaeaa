import type { TickerMention } from "../domain/article/article.ts";
import { sameRatio } from "../domain/split/ratio.ts";
import type { Day } from "../domain/time/day.ts";
import type { CatalogEvent, CatalogSplit, Conflict } from "./catalog-split.ts";
import { type CatalogObservation, isSameListing } from "./release-observations.ts";

/** Creates a split from its first observation. Returns null for a withdrawal of a split that nobody announced. */
export function createSplit(observation: CatalogObservation): CatalogSplit | null {
  const { kind, listings, company, companyKey, ratio, exDate, issuedOn } = observation;
  if (kind === "cancelled" || (kind === "postponed" && exDate === null)) return null;
  const announced = kind === "announced" ? issuedOn : null;
  const terms = { listings, company, companyKey, ratio, exDate, lastExDate: exDate, announced };
  return withEvent({ ...terms, status: "announced", events: [], conflicts: [] }, kind, observation);
}

/** Applies an observation to a split. Observations must be applied in the order of `compareNotices`. */
export function applyObservation(split: CatalogSplit, observation: CatalogObservation): CatalogSplit {
  const named = withCompany(split, observation);
  switch (observation.kind) {
    case "announced":
      if (observation.reinstates && split.status !== "announced") return applyReinstatement(named, observation);
      return applyAnnouncement(withAnnouncementDay(named, observation.issuedOn), observation);
    case "postponed":
      return applyPostponement(named, observation);
    case "cancelled":
      if (split.status === "cancelled") return named;
      return withEvent({ ...named, status: "cancelled", exDate: null }, "cancelled", observation);
  }
}

function applyAnnouncement(split: CatalogSplit, observation: CatalogObservation): CatalogSplit {
  const next = withTerms(split, observation);
  if (hasSameTerms(split, next)) return split;
  if (isOutdated(split, observation)) return withConflict(split, "outdated", observation);
  if (split.status !== "announced" && observation.exDate === null) return split;
  const announced: CatalogSplit = { ...next, status: "announced" };
  if (!contradicts(observation, split)) return withEvent(announced, "announced", observation);
  const last = split.events.at(-1);
  const isConflict = last !== undefined && last.day === observation.issuedOn && last.source !== observation.source;
  const corrected = withEvent(announced, "corrected", observation);
  return isConflict ? withConflict(corrected, "same-day", observation, last.url) : corrected;
}

/** A reinstated split has the stated date, else its former one unless that has passed. */
function applyReinstatement(split: CatalogSplit, observation: CatalogObservation): CatalogSplit {
  const formerExDate = split.lastExDate !== null && split.lastExDate >= observation.issuedOn ? split.lastExDate : null;
  const exDate = observation.exDate ?? formerExDate;
  return withEvent({ ...withTerms(split, observation), status: "announced", exDate }, "announced", observation);
}

/** A postponed split has no date until one is stated. */
function applyPostponement(split: CatalogSplit, observation: CatalogObservation): CatalogSplit {
  const { exDate } = observation;
  const last = split.events.at(-1);
  if (split.status === "cancelled") return split;
  if (exDate !== null && exDate !== split.exDate) {
    if (isOutdated(split, observation)) return withConflict(split, "outdated", observation);
    return withEvent({ ...withTerms(split, observation), status: "announced" }, "postponed", observation);
  }
  // Another wire's release about the same postponement.
  if (last?.kind === "postponed" && (exDate === null || exDate === last.terms.exDate)) return split;
  return withEvent({ ...split, status: "postponed", exDate: null }, "postponed", observation);
}

function withTerms(split: CatalogSplit, { ratio, exDate, listings }: CatalogObservation): CatalogSplit {
  return {
    ...split,
    listings: withListings(split.listings, listings),
    ratio: ratio ?? split.ratio,
    exDate: exDate ?? split.exDate,
    lastExDate: exDate ?? split.lastExDate,
  };
}

/** Within one market the last stated exchange applies, because a listing may move. */
function withListings(known: readonly TickerMention[], stated: readonly TickerMention[]): readonly TickerMention[] {
  const updated = known.map((listing) => {
    const exchange = stated.find((other) => isSameListing(listing, other))?.exchange ?? listing.exchange;
    return { ticker: listing.ticker, exchange };
  });
  return [...updated, ...stated.filter((listing) => !known.some((other) => isSameListing(listing, other)))];
}

function withCompany(split: CatalogSplit, { company, companyKey }: CatalogObservation): CatalogSplit {
  return split.company === null && company !== null ? { ...split, company, companyKey } : split;
}

function withAnnouncementDay(split: CatalogSplit, day: Day): CatalogSplit {
  const isEarlier = split.announced === null || day < split.announced;
  return isEarlier ? { ...split, announced: day } : split;
}

function hasSameTerms(a: CatalogSplit, b: CatalogSplit): boolean {
  const hasSameListings =
    a.listings.length === b.listings.length &&
    a.listings.every(({ exchange }, index) => exchange === b.listings[index]?.exchange);
  return hasSameListings && a.exDate === b.exDate && sameRatio(a.ratio, b.ratio);
}

/** Whether an observation changes stated terms, as opposed to adding to them. */
function contradicts({ ratio, exDate, listings }: CatalogObservation, split: CatalogSplit): boolean {
  const changesRatio = ratio !== null && split.ratio !== null && !sameRatio(ratio, split.ratio);
  const changesDate = exDate !== null && split.lastExDate !== null && exDate !== split.lastExDate;
  return changesRatio || changesDate || listings.some((listing) => changesExchange(split.listings, listing));
}

function changesExchange(known: readonly TickerMention[], stated: TickerMention): boolean {
  return known.some(
    (other) =>
      other.exchange !== null &&
      stated.exchange !== null &&
      other.exchange !== stated.exchange &&
      isSameListing(other, stated),
  );
}

/**
 * Whether an observation repeats terms that were replaced or withdrawn. Only a release with a later dateline can restore them; any
 * other is an old release that a wire republished.
 */
function isOutdated(split: CatalogSplit, { ratio, exDate, hasDateline, issuedOn }: CatalogObservation): boolean {
  const last = split.events.at(-1);
  if (last === undefined || (hasDateline && issuedOn > last.day) || (ratio === null && exDate === null)) return false;
  const isWithdrawn = split.status !== "announced";
  return split.events.some(
    ({ terms }) =>
      (isWithdrawn || !(sameRatio(terms.ratio, split.ratio) && terms.exDate === split.exDate)) &&
      (ratio === null || sameRatio(ratio, terms.ratio)) &&
      (exDate === null || exDate === terms.exDate),
  );
}

function withEvent(
  split: CatalogSplit,
  kind: CatalogEvent["kind"],
  { issuedOn, url, source }: CatalogObservation,
): CatalogSplit {
  const { ratio, exDate, listings } = split;
  const terms = { ratio, exDate, exchange: listings[0]?.exchange ?? null };
  return { ...split, events: [...split.events, { kind, day: issuedOn, url, source, terms }] };
}

function withConflict(
  split: CatalogSplit,
  kind: Conflict["kind"],
  { issuedOn, url }: CatalogObservation,
  against = split.events.at(-1)?.url ?? url,
): CatalogSplit {
  return { ...split, conflicts: [...split.conflicts, { kind, day: issuedOn, url, against }] };
}
