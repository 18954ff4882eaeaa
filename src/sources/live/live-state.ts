import type { CatalogSplit } from "../../catalog/catalog-split.ts";
import { createIncrementalCatalog } from "../../catalog/incremental-catalog.ts";
import type { SymbolDirectory } from "../../domain/split/symbol-directory.ts";
import { yieldToEventLoop } from "../../lib/slices.ts";
import type { Clock, MonotonicTime } from "../../ports/clock.ts";
import { SOURCES, sourceLabel } from "../index.ts";
import type { SourceParts } from "../source-definition.ts";
import type { LabeledStatus } from "../source-status.ts";
import { directoryOf, type SymbolTable } from "../symbol-table.ts";
import type { KnownSources } from "./known-sources.ts";

/** Releases and observations of the sources, and the times at which each source was read. */
export type LiveRecords = Pick<SourceParts, "releases" | "observations" | "sourceReads">;

/** The sources and the parts that they share. */
export interface LiveState extends LiveRecords {
  readonly sources: KnownSources;
  readonly splits: () => readonly CatalogSplit[];
  readonly directory: SymbolTable;
  readonly clock: Clock;
  readonly openedAt: MonotonicTime;
  /** Whether HTTPS_PROXY is set. */
  readonly usesProxy: boolean;
  /** Aborts when the live data is closed. */
  readonly signal: AbortSignal;
}

/** Records per slice of the catalog's first build. A slice takes about 10 to 20 ms. */
const RECORDS_PER_SLICE = 300;

/**
 * Returns a function that returns the current splits, with the names in the directories. The first build yields to the event loop
 * between slices of the records.
 */
export async function openCatalog(
  { releases, observations }: Pick<LiveRecords, "releases" | "observations">,
  table: SymbolTable,
): Promise<() => readonly CatalogSplit[]> {
  const catalog = createIncrementalCatalog();
  const currentDirectory = directoryByRevision(table);
  const [allReleases, allObservations] = [[...releases.all()], [...observations.all()]];
  const slices = Math.ceil((allReleases.length + allObservations.length) / RECORDS_PER_SLICE);
  for (let slice = 1; slice < slices; slice += 1) {
    const recordsSoFar = <T>(all: readonly T[]): readonly T[] => all.slice(0, Math.ceil((all.length * slice) / slices));
    catalog.update({
      releases: recordsSoFar(allReleases),
      observations: recordsSoFar(allObservations),
      directory: currentDirectory(),
    });
    await yieldToEventLoop();
  }
  let cached: { readonly revision: number; readonly splits: readonly CatalogSplit[] } | null = null;
  return () => {
    const revision = releases.revision + observations.revision + table.revision;
    if (cached?.revision !== revision) {
      const input = { releases: releases.all(), observations: observations.all(), directory: currentDirectory() };
      cached = { revision, splits: catalog.update(input) };
    }
    return cached.splits;
  };
}

/** The directory of a table: the same object until the table changes, because the catalog compares directories by identity. */
function directoryByRevision(table: SymbolTable): () => SymbolDirectory {
  let cached: { readonly revision: number; readonly directory: SymbolDirectory } | null = null;
  return () => {
    if (cached?.revision !== table.revision)
      cached = { revision: table.revision, directory: directoryOf(table.lists()) };
    return cached.directory;
  };
}

export function statusesOf({ sources }: Pick<LiveState, "sources">): readonly LabeledStatus[] {
  return sources.statuses().map((status) => ({
    ...status,
    label: sourceLabel(status.name),
    confirmsOnly: SOURCES.some(({ name, confirmsOnly }) => name === status.name && confirmsOnly === true),
  }));
}
