import { buildCatalog, type CatalogInput } from "../../src/catalog/catalog.ts";
import { type CatalogSplit, completeSplits, type TermConflict } from "../../src/catalog/catalog-split.ts";
import type { Observation } from "../../src/catalog/observation.ts";
import type { Release } from "../../src/catalog/release.ts";
import { ratioCode } from "../../src/domain/split/ratio.ts";
import type { Evidence } from "../../src/extraction/facts.ts";
import { anObservation } from "./observations.ts";
import { aRelease, type FactParts, type SplitParts } from "./releases.ts";

/** What one source states: a release, or a notice of an exchange or regulator. */
export type Statement = { readonly release: Release } | { readonly notice: Observation };

let made = 0;

/** A release of the day `published` about 1-for-20 on 2026-03-10, unless it says otherwise. */
export function release(
  published: string,
  said: SplitParts = {},
  parts: FactParts & { source?: string } = {},
): { readonly release: Release } {
  made += 1;
  const { source = "globenewswire", ...facts } = parts;
  const url = `https://wire.example/${made}`;
  return { release: aRelease({ url, source, published, facts: { announced: published, splits: [said], ...facts } }) };
}

/** The release with the sentences that its terms were read from. */
export function withEvidence(said: { readonly release: Release }, evidence: Evidence): Statement {
  const { facts } = said.release;
  return { release: { ...said.release, facts: facts && { ...facts, evidence } } };
}

export type NoticeParts = Parameters<typeof anObservation>[0] & {};

export function notice(source: string, issuedOn: string, parts: NoticeParts = {}): Statement {
  made += 1;
  const id = parts.id ?? `${made}`;
  const url = `https://${source}.example/${id}`;
  return { notice: anObservation({ source, id, url, issuedOn, evidence: {}, ...parts }) };
}

export const nasdaq = (issuedOn: string, parts?: NoticeParts): Statement => notice("nasdaq", issuedOn, parts);
export const finra = (issuedOn: string, parts: NoticeParts = {}): Statement =>
  notice("finra", issuedOn, { listings: ["OTC: ACME"], ...parts });
export const nyse = (issuedOn: string, parts: NoticeParts = {}): Statement =>
  notice("nyse", issuedOn, { listings: ["NYSE: ACME"], ratio: null, ...parts });

export const halt = (parts: NoticeParts = {}): Statement =>
  notice("halts", "2026-03-09", { kind: "confirmed", ratio: null, ...parts });

/** A release that postpones the split, by default without a new date. */
export function postponed(published: string, exDate: string | null = null): Statement {
  return release(published, { ratio: null, exDate }, { kind: "postponed" });
}

export function inputOf(statements: readonly Statement[]): CatalogInput {
  return {
    releases: statements.flatMap((statement) => ("release" in statement ? [statement.release] : [])),
    observations: statements.flatMap((statement) => ("notice" in statement ? [statement.notice] : [])),
  };
}

export function catalogOf(...statements: readonly Statement[]): readonly CatalogSplit[] {
  return buildCatalog(inputOf(statements));
}

export function onlySplit(...statements: readonly Statement[]): CatalogSplit {
  const [split, ...others] = catalogOf(...statements);
  if (!split || others.length > 0) throw new Error(`got ${others.length + (split ? 1 : 0)} splits, expected one`);
  return split;
}

/** Listed rows, one line each. */
export function rows(...statements: readonly Statement[]): readonly string[] {
  return catalogOf(...statements)
    .flatMap(completeSplits)
    .map(({ ticker, exchange, ratio, exDate, announced }) =>
      [`${exchange}:${ticker}`, ratioCode(ratio), exDate, announced ?? "unknown"].join(" "),
    );
}

export function history({ events }: CatalogSplit): readonly string[] {
  return events.map(({ kind, source, terms }) => `${kind} by ${source}, ${terms.exDate ?? "no date"}`);
}

export function differences({ conflicts }: CatalogSplit): readonly string[] {
  return conflicts
    .filter((conflict): conflict is TermConflict => conflict.kind === "differs")
    .map(
      ({ term, used, other }) => `${term}: ${used.source} ${text(used.value)}, ${other.source} ${text(other.value)}`,
    );
}

function text(value: TermConflict["used"]["value"]): string {
  return typeof value === "string" ? value : ratioCode(value);
}

export const NOTHING = { ratio: null, exDate: null };
