import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import { compareText, groupBy } from "../lib/collections.ts";
import {
  type CatalogObservation,
  compareObservations,
  latestConfirmations,
  officialStatements,
} from "./catalog-observation.ts";
import type { CatalogSplit } from "./catalog-split.ts";
import { conflictsOf, withoutSuperseded } from "./conflicts.ts";
import { draftSplits } from "./draft-splits.ts";
import { withoutInterimSymbols } from "./interim-symbols.ts";
import { attributeReleases, listedCompany } from "./issuers.ts";
import type { Observation } from "./observation.ts";
import type { Release } from "./release.ts";
import { observationsOf } from "./release-observations.ts";
import { linkListings, type SecurityOf, sharesSecurity } from "./securities.ts";
import { speakerConflicts } from "./speaker-conflicts.ts";
import type { SplitDraft } from "./split-draft.ts";
import { appliedValue, termFacts } from "./split-terms.ts";

/** Publications of the sources, in any order. */
export interface CatalogInput {
  readonly releases: Iterable<Release>;
  /** Notices of exchanges and regulators, with all their revisions. */
  readonly observations: Iterable<Observation>;
  /** Names of the issuers of listed symbols; default: none. */
  readonly directory?: SymbolDirectory | null;
}

/** Derives the splits from releases and notices. The order of the input has no effect. */
export function buildCatalog(input: CatalogInput): readonly CatalogSplit[] {
  return buildSplits([...input.releases].flatMap(observationsOf), [...input.observations], input.directory ?? null);
}

/** Derives the splits from statements of releases and stored observations, in the order of `compareSplits`. */
export function buildSplits(
  statements: readonly CatalogObservation[],
  stored: readonly Observation[],
  directory: SymbolDirectory | null,
): readonly CatalogSplit[] {
  const stated = withoutInterimSymbols([...statements, ...officialStatements(stored)]).toSorted(compareObservations);
  const observations = attributeReleases(stated, directory);
  const securityOf = linkListings(observations);
  const splits = draftSplits(observations, securityOf).map((draft) => toSplit(draft, directory));
  return withConfirmations(splits, stored, securityOf);
}

/** Sorts splits by their first observation. */
export function compareSplits({ observations: [a] }: CatalogSplit, { observations: [b] }: CatalogSplit): number {
  return a === undefined || b === undefined ? 0 : compareObservations(a, b);
}

function toSplit(draft: SplitDraft, directory: SymbolDirectory | null): CatalogSplit {
  const { terms, lastExDate, events, issuer, other, observations } = draft;
  const facts = withoutSuperseded(termFacts(draft), observations);
  return {
    ...terms,
    lastExDate,
    company: appliedValue(facts.company) ?? listedCompany(terms.listings, directory),
    announced: appliedValue(facts.announced),
    facts,
    events,
    conflicts: [...((issuer ?? other)?.conflicts ?? []), ...conflictsOf(facts), ...speakerConflicts(draft, facts)],
    confirmations: [],
    observations,
  };
}

/** Adds each confirmation to the split of its security and ex date. Confirmations without a matching split are ignored. */
function withConfirmations(
  splits: readonly CatalogSplit[],
  observations: readonly Observation[],
  securityOf: SecurityOf,
): readonly CatalogSplit[] {
  const statedConfirmations = latestConfirmations(observations).toSorted(compareConfirmations);
  if (statedConfirmations.length === 0) return splits;
  const bySymbol = groupBy(
    statedConfirmations.flatMap((observation) => observation.listings.map(({ ticker }) => ({ ticker, observation }))),
    ({ ticker, observation }) => `${observation.exDate} ${ticker}`,
  );
  return splits.map((split) => {
    const candidates = new Set(split.listings.flatMap(({ ticker }) => bySymbol.get(`${split.exDate} ${ticker}`) ?? []));
    const confirmations = [...candidates]
      .map(({ observation }) => observation)
      .filter(({ exDate, listings }) => exDate !== null && sharesSecurity(listings, split.listings, securityOf));
    return confirmations.length === 0 ? split : { ...split, confirmations };
  });
}

function compareConfirmations(a: Observation, b: Observation): number {
  return (
    compareText(a.issuedOn, b.issuedOn) ||
    compareText(a.source, b.source) ||
    compareText(a.id, b.id) ||
    a.observedAt - b.observedAt
  );
}
