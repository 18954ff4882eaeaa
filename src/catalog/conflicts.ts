import { isSameRatio, ratioName } from "../domain/split/ratio.ts";
import type { Day } from "../domain/time/day.ts";
import type { CatalogObservation } from "./catalog-observation.ts";
import type { CatalogFact, TermConflict, TermFacts } from "./catalog-split.ts";
import { isApproximate, MAX_APPROXIMATE_DATE_GAP_DAYS, MAX_LEGAL_DATE_GAP_DAYS, tradingDaysApart } from "./ex-dates.ts";

/**
 * Removes superseded values. If the exchange or regulator that determines a term has revised its value, a source that still
 * repeats the former value is not in conflict.
 */
export function withoutSuperseded(facts: TermFacts, observations: readonly CatalogObservation[]): TermFacts {
  return {
    ...facts,
    ratio: dropSuperseded(facts.ratio, observations, ({ ratio }) => ratio, isSameRatio),
    exDate: dropSuperseded(facts.exDate, observations, ({ exDate }) => exDate, isEqual),
    newCusip: dropSuperseded(facts.newCusip, observations, ({ newCusip }) => newCusip, isEqual),
  };
}

/** Returns the values that differ from the applied value of their term. */
export function conflictsOf({ ratio, exDate, newCusip }: TermFacts): readonly TermConflict[] {
  return [
    ...differingPairs(ratio, (a, b) => isSameRatio(a.value, b.value)).map((pair) => ({
      ...pair,
      term: "ratio" as const,
    })),
    ...differingPairs(exDate, isSameFirstDay).map((pair) => ({ ...pair, term: "exDate" as const })),
    ...differingPairs(newCusip, (a, b) => a.value === b.value).map((pair) => ({ ...pair, term: "newCusip" as const })),
  ].map((pair) => ({ kind: "differs", ...sourcesOf(pair), ...pair }));
}

/**
 * Returns a text such as `Nasdaq alerts: 1-for-15 (used), Business Wire: 1-for-16`.
 * @param labelOf Returns the display name of a source.
 */
export function describeDifference(
  conflict: TermConflict,
  labelOf: (source: string) => string,
  formatDay: (day: Day) => string = (day) => day,
): string {
  const [used, other] = statedTexts(conflict, formatDay);
  const [label, otherLabel] = [labelOf(conflict.used.source), labelOf(conflict.other.source)];
  return `${label}: ${used} (used), ${otherLabel}: ${other}`;
}

function statedTexts({ term, used, other }: TermConflict, formatDay: (day: Day) => string): readonly [string, string] {
  if (term === "ratio") return [ratioName(used.value), ratioName(other.value)];
  return term === "exDate" ? [formatDay(used.value), formatDay(other.value)] : [used.value, other.value];
}

interface Pair<T> {
  readonly used: CatalogFact<T>;
  readonly other: CatalogFact<T>;
}

function sourcesOf({ used, other }: Pair<unknown>): Pick<TermConflict, "day" | "url" | "usedUrl"> {
  return { day: used.day < other.day ? other.day : used.day, url: other.url, usedUrl: used.url };
}

function differingPairs<T>(
  [used, ...lowerPrecedence]: readonly CatalogFact<T>[],
  isSame: (used: CatalogFact<T>, other: CatalogFact<T>) => boolean,
): readonly Pair<T>[] {
  if (used === undefined) return [];
  return lowerPrecedence.filter((other) => !isSame(used, other)).map((other) => ({ used, other }));
}

const FIRST_TRADING_DAY = /\btrad(?:e|es|ing)\b|\badjusted\b|\bopen(?:s|ing)?\b/i;

/** Whether both dates mean the same first trading day: `other` is approximate, or is the legal effective date just before it. */
export function isSameFirstDay(used: CatalogFact<Day>, other: CatalogFact<Day>): boolean {
  const daysApart = tradingDaysApart(used.value, other.value);
  if (daysApart === 0 || isApproximate(other.evidence)) return daysApart <= MAX_APPROXIMATE_DATE_GAP_DAYS;
  const isLegalDate =
    other.basis === "effective" || (other.evidence !== null && !FIRST_TRADING_DAY.test(other.evidence));
  return isLegalDate && other.value < used.value && daysApart <= MAX_LEGAL_DATE_GAP_DAYS;
}

function dropSuperseded<T>(
  facts: readonly CatalogFact<T>[],
  observations: readonly CatalogObservation[],
  valueIn: (observation: CatalogObservation) => T | null,
  isSame: (a: T, b: T) => boolean,
): readonly CatalogFact<T>[] {
  const [used, ...lowerPrecedence] = facts;
  if (used === undefined || lowerPrecedence.length === 0) return facts;
  const isSuperseded = (value: T): boolean =>
    observations.some((observation) => {
      const former = observation.isOfficial && observation.source === used.source ? valueIn(observation) : null;
      return former !== null && isSame(former, value);
    });
  return [used, ...lowerPrecedence.filter(({ value }) => isSame(value, used.value) || !isSuperseded(value))];
}

function isEqual(a: string, b: string): boolean {
  return a === b;
}
