import type { TickerMention } from "../domain/article/article.ts";
import { type Ratio, sameRatio } from "../domain/split/ratio.ts";
import type { Day } from "../domain/time/day.ts";
import type { CatalogEvent, CatalogSplit, Conflict } from "./catalog-split.ts";
import { isSameListing } from "./listing.ts";
import type { SplitNotice } from "./split-notice.ts";

/** The split that a release speaks of first; null where it only calls off one that nobody announced. */
export function createSplit(statement: SplitNotice): CatalogSplit | null {
  const { kind, listings, company, companyKey, ratio, exDate, issuedOn: day } = statement;
  if (kind === "cancelled" || (kind === "postponed" && exDate === null)) return null;
  const announced = kind === "announced" ? day : null;
  const terms = { listings, company, companyKey, ratio, exDate, lastExDate: exDate, announced };
  return withEvent({ ...terms, status: "announced", events: [], conflicts: [] }, kind, statement);
}

/** The split after what the statement says of it, which is no older than all that was said of it before. */
export function applyNotice(split: CatalogSplit, statement: SplitNotice): CatalogSplit {
  const named = withNames(split, statement);
  switch (statement.kind) {
    case "announced":
      if (statement.reinstates && split.status !== "announced") return applyReinstatement(named, statement);
      return applyAnnouncement(withAnnounced(named, statement.issuedOn), statement);
    case "postponed":
      return applyPostponement(named, statement);
    case "cancelled":
      if (split.status === "cancelled") return named;
      return withEvent({ ...named, status: "cancelled", exDate: null }, "cancelled", statement);
  }
}

function applyAnnouncement(split: CatalogSplit, statement: SplitNotice): CatalogSplit {
  const next = withTerms(split, statement);
  if (isSameTerms(split, next)) return split;
  if (isOutdated(split, statement)) return withConflict(split, "outdated", statement);
  if (split.status !== "announced" && statement.exDate === null) return split;
  const standing: CatalogSplit = { ...next, status: "announced" };
  if (!contradicts(split, statement)) return withEvent(standing, "announced", statement);
  const last = split.events.at(-1);
  const clash = last !== undefined && last.day === statement.issuedOn && last.source !== statement.source;
  const corrected = withEvent(standing, "corrected", statement);
  return clash ? withConflict(corrected, "same-day", statement, last.url) : corrected;
}

/** It is on again, on the date that stood before it was called off or on another one; a date that has passed stands no more. */
function applyReinstatement(split: CatalogSplit, statement: SplitNotice): CatalogSplit {
  const on = withTerms(split, statement);
  const stood = split.lastExDate !== null && split.lastExDate >= statement.issuedOn ? split.lastExDate : null;
  return withEvent({ ...on, status: "announced", exDate: statement.exDate ?? stood }, "announced", statement);
}

/** Without a new date it has none until one is given. */
function applyPostponement(split: CatalogSplit, statement: SplitNotice): CatalogSplit {
  const { exDate } = statement;
  const last = split.events.at(-1);
  if (split.status === "cancelled") return split;
  if (exDate !== null && exDate !== split.exDate) {
    if (isOutdated(split, statement)) return withConflict(split, "outdated", statement);
    return withEvent({ ...withTerms(split, statement), status: "announced" }, "postponed", statement);
  }
  // Another wire's word on what is known already.
  if (last?.kind === "postponed" && (exDate === null || exDate === last.terms.exDate)) return split;
  return withEvent({ ...split, status: "postponed", exDate: null }, "postponed", statement);
}

function withTerms(split: CatalogSplit, { ratio, exDate, listings }: SplitNotice): CatalogSplit {
  return {
    ...split,
    listings: withListings(split.listings, listings),
    ratio: ratio ?? split.ratio,
    exDate: exDate ?? split.exDate,
    lastExDate: exDate ?? split.lastExDate,
  };
}

/** In one market the exchange that was stated last counts: a company may move. */
function withListings(known: readonly TickerMention[], stated: readonly TickerMention[]): readonly TickerMention[] {
  const moved = known.map((listing) => {
    const exchange = stated.find((other) => isSameListing(listing, other))?.exchange ?? listing.exchange;
    return { ticker: listing.ticker, exchange };
  });
  return [...moved, ...stated.filter((listing) => !known.some((other) => isSameListing(listing, other)))];
}

function withNames(split: CatalogSplit, { company, companyKey }: SplitNotice): CatalogSplit {
  return split.company === null && company !== null ? { ...split, company, companyKey } : split;
}

/** The earliest day counts: what comes later repeats it. */
function withAnnounced(split: CatalogSplit, day: Day): CatalogSplit {
  const earlier = split.announced !== null && split.announced <= day;
  return earlier ? split : { ...split, announced: day };
}

function isSameTerms(a: CatalogSplit, b: CatalogSplit): boolean {
  const sameListings =
    a.listings.length === b.listings.length &&
    a.listings.every(({ exchange }, index) => exchange === b.listings[index]?.exchange);
  return sameListings && a.exDate === b.exDate && sameRatio(a.ratio, b.ratio);
}

/** It says otherwise than what stands, and does not only add to it. */
function contradicts(split: CatalogSplit, { ratio, exDate, listings }: SplitNotice): boolean {
  const otherRatio = ratio !== null && split.ratio !== null && !sameRatio(ratio, split.ratio);
  const otherDate = exDate !== null && split.lastExDate !== null && exDate !== split.lastExDate;
  return otherRatio || otherDate || movesExchange(split.listings, listings);
}

function movesExchange(known: readonly TickerMention[], stated: readonly TickerMention[]): boolean {
  return stated.some(({ ticker, exchange }) =>
    known.some(
      (other) =>
        other.exchange !== null &&
        exchange !== null &&
        other.exchange !== exchange &&
        isSameListing(other, { ticker, exchange }),
    ),
  );
}

/**
 * It repeats terms that stood once and were replaced or called off since. Only a release that carries a later date of its
 * own takes that back; any other is an old one that a wire shows again.
 */
function isOutdated(split: CatalogSplit, { ratio, exDate, hasDateline: dated, issuedOn: day }: SplitNotice): boolean {
  const last = split.events.at(-1);
  if (last === undefined || (dated && day > last.day)) return false;
  const calledOff = split.status !== "announced";
  const replaced = split.events.filter(
    ({ terms }) => calledOff || !(sameRatio(terms.ratio, split.ratio) && terms.exDate === split.exDate),
  );
  return replaced.some(({ terms }) => isRepeated(terms, { ratio, exDate }));
}

function isRepeated(
  terms: CatalogEvent["terms"],
  { ratio, exDate }: { readonly ratio: Ratio | null; readonly exDate: Day | null },
): boolean {
  if (ratio === null && exDate === null) return false;
  return (ratio === null || sameRatio(ratio, terms.ratio)) && (exDate === null || exDate === terms.exDate);
}

function withEvent(
  split: CatalogSplit,
  kind: CatalogEvent["kind"],
  { issuedOn: day, url, source }: SplitNotice,
): CatalogSplit {
  const { ratio, exDate, listings } = split;
  const terms = { ratio, exDate, exchange: listings[0]?.exchange ?? null };
  return { ...split, events: [...split.events, { kind, day, url, source, terms }] };
}

function withConflict(
  split: CatalogSplit,
  kind: Conflict["kind"],
  { issuedOn: day, url }: SplitNotice,
  against = split.events.at(-1)?.url ?? url,
): CatalogSplit {
  return { ...split, conflicts: [...split.conflicts, { kind, day, url, against }] };
}
