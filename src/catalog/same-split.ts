import { daysBetween } from "../domain/time/day.ts";
import type { CatalogSplit } from "./catalog-split.ts";
import { isSameListing } from "./listing.ts";
import type { SplitNotice } from "./split-notice.ts";

/** So long after its ex date a split is still spoken of; what is announced later is another one. */
const SPOKEN_OF_DAYS = 14;

/** So long a split without a date may take to come. */
const DATELESS_DAYS = 180;

/** Whether the statement is about this split. It must not be older than anything that was said of the split. */
export function concernsSplit(statement: SplitNotice, split: CatalogSplit): boolean {
  return isOnSecurity(statement, split) && (sharesExDate(statement, split) || isInTime(statement, split));
}

/** It names the very date that the split has or once had. */
export function sharesExDate({ exDate }: SplitNotice, split: CatalogSplit): boolean {
  return exDate !== null && (split.lastExDate === exDate || split.events.some(({ terms }) => terms.exDate === exDate));
}

function isOnSecurity({ listings, companyKey }: SplitNotice, split: CatalogSplit): boolean {
  if (listings.length > 0 && split.listings.length > 0)
    return listings.some((listing) => split.listings.some((other) => isSameListing(listing, other)));
  return companyKey !== "" && companyKey === split.companyKey;
}

function isInTime(
  { kind, reinstates: takesBack, exDate, issuedOn: day }: SplitNotice,
  { status, lastExDate, events }: CatalogSplit,
): boolean {
  // What is announced after a cancellation is a new plan, and an old date belongs to an old split.
  if (status === "cancelled" && kind === "announced" && !takesBack) return false;
  if (exDate !== null && daysBetween(exDate, day) > SPOKEN_OF_DAYS) return false;
  const since = lastExDate ?? events.at(-1)?.day ?? day;
  return daysBetween(since, day) <= (lastExDate === null || status === "postponed" ? DATELESS_DAYS : SPOKEN_OF_DAYS);
}
