import { isSameRatio, type Ratio } from "../domain/split/ratio.ts";
import { daysBetween } from "../domain/time/day.ts";
import type { CatalogObservation } from "./catalog-observation.ts";
import {
  isApproximate,
  MAX_APPROXIMATE_DATE_GAP_DAYS,
  MAX_LEGAL_DATE_GAP_DAYS,
  MAX_SAME_SPLIT_GAP_DAYS,
  tradingDaysApart,
} from "./ex-dates.ts";
import { type SecurityOf, sharesSecurity } from "./securities.ts";
import type { SplitDraft } from "./split-draft.ts";

/** Calendar days after the ex date within which an observation concerns the same split. Later ones announce another split. */
const MAX_DAYS_AFTER_EX_DATE = 14;

/** The limit for a split that is postponed or has no ex date: days after its last stated ex date, or else after its last event. */
const MAX_DAYS_WITHOUT_EX_DATE = 180;

/** Whether an observation concerns a split. It must be newer than all observations already applied to the split. */
export function concernsSplit(observation: CatalogObservation, split: SplitDraft, securityOf: SecurityOf): boolean {
  if (!concernsSecurity(observation, split, securityOf)) return false;
  if (sharesExDate(observation, split)) return true;
  return observation.isOfficial ? matchesByTerms(observation, split) : matchesByTime(observation, split);
}

/** Whether the observation states the current or an earlier ex date of the split. */
export function sharesExDate({ exDate }: CatalogObservation, { exDates }: SplitDraft): boolean {
  return exDate !== null && exDates.has(exDate);
}

function concernsSecurity(
  { listings, companyKey }: CatalogObservation,
  { knownListings, companyKeys }: SplitDraft,
  securityOf: SecurityOf,
): boolean {
  if (listings.length > 0 && knownListings.length > 0) return sharesSecurity(listings, knownListings, securityOf);
  return companyKey !== "" && companyKeys.has(companyKey);
}

/** Whether a notice of an exchange concerns a split of the same security, by ex date and ratio. */
function matchesByTerms(notice: CatalogObservation, split: SplitDraft): boolean {
  const { exDate, ratio, issuedOn, kind, source } = notice;
  const { lastExDate, status, terms, official } = split;
  if (exDate === null || lastExDate === null) return matchesByTime(notice, split);
  const daysApart = tradingDaysApart(exDate, lastExDate);
  if (daysApart <= dateTolerance(notice, split)) return true;
  if (status === "cancelled" && kind === "announced") return false;
  const isPostponed = status === "postponed";
  const isPending = isPostponed ? matchesByTime(notice, split) : issuedOn <= lastExDate;
  if (daysApart <= MAX_SAME_SPLIT_GAP_DAYS) return isPending || mayBeEqual(ratio, terms.ratio);
  // Two notices of one source that are in force at the same time, with dates far apart, describe two splits.
  return isPending && (isPostponed || !official.inForce.has(source));
}

/** Trading days by which two statements of one ex date may differ. */
function dateTolerance({ evidence }: CatalogObservation, { issuer, other }: SplitDraft): number {
  const isEitherApproximate =
    isApproximate(evidence.exDate) || isApproximate((issuer ?? other)?.termObservations.exDate?.evidence.exDate);
  return isEitherApproximate ? MAX_APPROXIMATE_DATE_GAP_DAYS : MAX_LEGAL_DATE_GAP_DAYS;
}

function mayBeEqual(a: Ratio | null, b: Ratio | null): boolean {
  return a === null || b === null || isSameRatio(a, b);
}

/**
 * Whether a release is close enough in time to a split of its issuer to concern it: companies don't plan two splits at the same
 * time. Also used for an exchange's notice if the notice or the split has no ex date, or if the split is postponed.
 */
function matchesByTime(observation: CatalogObservation, split: SplitDraft): boolean {
  const { kind, reinstates, exDate, issuedOn } = observation;
  const { status, lastExDate, events } = split;
  // An announcement after a cancellation is a new plan, and an old date belongs to an old split.
  if (status === "cancelled" && kind === "announced" && !reinstates) return false;
  if (exDate !== null && daysBetween(exDate, issuedOn) > MAX_DAYS_AFTER_EX_DATE) return false;
  if (announcesNextSplit(observation, split)) return false;
  const referenceDay = lastExDate ?? events.at(-1)?.day ?? issuedOn;
  const isUndated = lastExDate === null || status === "postponed";
  return daysBetween(referenceDay, issuedOn) <= (isUndated ? MAX_DAYS_WITHOUT_EX_DATE : MAX_DAYS_AFTER_EX_DATE);
}

/** Whether the observation follows the ex date and announces a split on a much later day. */
function announcesNextSplit(
  { kind, exDate, issuedOn }: CatalogObservation,
  { status, lastExDate }: SplitDraft,
): boolean {
  if (kind !== "announced" || status !== "announced" || exDate === null || lastExDate === null) return false;
  return issuedOn > lastExDate && exDate > lastExDate && tradingDaysApart(lastExDate, exDate) > MAX_SAME_SPLIT_GAP_DAYS;
}
