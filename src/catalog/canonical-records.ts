import { canonicalStatement } from "../domain/split/ticker.ts";
import type { ArticleFacts } from "../extraction/facts.ts";
import type { Observation } from "./observation.ts";
import type { Release } from "./release.ts";

/** Returns a stored release with its symbols in the canonical form; earlier versions stored them as they were written. */
export function canonicalRelease(stored: Release): Release {
  const { tickers, facts } = stored;
  const isCanonical = areCanonical([...tickers, ...(facts === null ? [] : statementsIn(facts))]);
  return isCanonical
    ? stored
    : { ...stored, tickers: tickers.map(canonicalStatement), facts: facts && canonicalFacts(facts) };
}

/** Returns a stored observation with its symbols in the canonical form. */
export function canonicalObservation(stored: Observation): Observation {
  return areCanonical(stored.listings) ? stored : { ...stored, listings: stored.listings.map(canonicalStatement) };
}

function statementsIn({
  mentions,
  security,
  splits,
}: ArticleFacts): readonly Parameters<typeof canonicalStatement>[0][] {
  return [...mentions, security, ...splits];
}

function canonicalFacts(facts: ArticleFacts): ArticleFacts {
  return {
    ...facts,
    mentions: facts.mentions.map(canonicalStatement),
    security: canonicalStatement(facts.security),
    splits: facts.splits.map(canonicalStatement),
  };
}

function areCanonical(statements: readonly Parameters<typeof canonicalStatement>[0][]): boolean {
  return statements.every((stated) => canonicalStatement(stated) === stated);
}
