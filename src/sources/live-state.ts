import type { CatalogSplit } from "../catalog/catalog-split.ts";
import { createCatalog } from "../catalog/incremental-catalog.ts";
import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import type { Clock } from "../ports/clock.ts";
import { sourceLabel } from "./index.ts";
import type { OpenSource, SourceParts } from "./source-definition.ts";
import type { LabeledStatus } from "./source-status.ts";

/** What the sources found, and when they were read. */
export type LiveRecords = Pick<SourceParts, "releases" | "observations" | "sourceReads">;

/** The open sources with what they share. */
export interface LiveState extends LiveRecords {
  readonly opened: readonly OpenSource[];
  readonly splits: () => readonly CatalogSplit[];
  readonly directory: SymbolDirectory;
  readonly clock: Clock;
  /** Aborts when the sources are stopped. */
  readonly signal: AbortSignal;
}

/** Records that the first build of the catalog adds at a time, within some 10 to 20 ms. */
const RECORDS_PER_TURN = 300;

/** Catalog of the records, updated after a change. Its first build yields to other events between slices of the records. */
export async function openCatalog({
  releases,
  observations,
}: Pick<LiveRecords, "releases" | "observations">): Promise<() => readonly CatalogSplit[]> {
  const catalog = createCatalog();
  const [allReleases, allObservations] = [[...releases.all()], [...observations.all()]];
  const turns = Math.ceil((allReleases.length + allObservations.length) / RECORDS_PER_TURN);
  for (let turn = 1; turn < turns; turn += 1) {
    const part = <T>(all: readonly T[]): readonly T[] => all.slice(0, Math.ceil((all.length * turn) / turns));
    catalog.update({ releases: part(allReleases), observations: part(allObservations) });
    await new Promise(setImmediate);
  }
  let built: { readonly revision: number; readonly splits: readonly CatalogSplit[] } | null = null;
  return () => {
    const revision = releases.revision + observations.revision;
    if (built?.revision !== revision) {
      const splits = catalog.update({ releases: releases.all(), observations: observations.all() });
      built = { revision, splits };
    }
    return built.splits;
  };
}

export function statusesOf({ opened }: Pick<LiveState, "opened">): readonly LabeledStatus[] {
  const statuses = opened.flatMap((source) => source.statuses());
  return statuses.map((status) => ({ ...status, label: sourceLabel(status.name) }));
}

/** Something that reports its changes. */
interface Observable {
  onChange(listener: () => void): () => void;
}

/** Calls `listener` after every change of one of the subjects. Returns a function that unsubscribes. */
export function subscribeAll(subjects: readonly Observable[], listener: () => void): () => void {
  const unsubscribes = subjects.map((subject) => subject.onChange(listener));
  return () => {
    for (const unsubscribe of unsubscribes) unsubscribe();
  };
}
