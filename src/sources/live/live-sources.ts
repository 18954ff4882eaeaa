import type { CatalogSplit } from "../../catalog/catalog-split.ts";
import type { CatalogSource, WritableCatalog } from "../../data-service/server/served-catalog.ts";
import type { SplitRecord } from "../../domain/split/split.ts";
import { dayInZone } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import { observationKey, releaseKey, type Store, sourceReadsKey } from "../../ports/store.ts";
import { openRecordCache } from "../record-cache.ts";
import type { ConfiguredSource, OpenSource, SourceParts } from "../source-definition.ts";
import type { LabeledStatus } from "../source-status.ts";
import { listingProblems } from "../symbol-check.ts";
import { createSymbolTable, type SymbolTable } from "../symbol-table.ts";
import { startFirstFill } from "./first-fill.ts";
import { type LiveRecords, type LiveState, openCatalog, statusesOf } from "./live-state.ts";
import { serve } from "./publish-catalog.ts";
import { purgeDaily } from "./record-retention.ts";
import { splitOfRow } from "./served-rows.ts";
import { problemsOf } from "./source-problems.ts";
import { addMissingReads, recordReads } from "./source-reads.ts";

/** All live sources, which fill one catalog together. */
export interface LiveSources {
  /** True if a source can be read or there is data of an earlier run. Resolves within seconds. */
  readonly reached: Promise<boolean>;
  /** Resolves when there is data to serve. */
  readonly filled: Promise<void>;
  statuses(): readonly LabeledStatus[];
  /** Returns the catalog's split for a listed row; null if no source states it any more. */
  splitOf(record: SplitRecord): CatalogSplit | null;
  /** Returns contradictions between a split's listings and the symbol directories, as sentences. */
  listingProblems(split: CatalogSplit): readonly string[];
  /** Current problems, for users. */
  problems(): readonly string[];
  /** Fills the catalog, immediately if there is data to serve, and keeps it up to date. */
  serve(catalog: WritableCatalog): CatalogSource;
  stop(): Promise<void>;
}

export interface LiveSourcesParts extends Omit<SourceParts, keyof LiveRecords | "splits" | "directory"> {
  readonly store: Pick<Store, keyof LiveRecords>;
  /** Time after which the text of a release is deleted; the facts stay. */
  readonly keepTextsMs: number;
  /** Default: symbols are kept in memory only. */
  readonly directory?: SymbolTable;
}

/** Opens the configured sources and follows them. */
export function openLiveSources(sources: readonly ConfiguredSource[], parts: LiveSourcesParts): Promise<LiveSources> {
  const openers = sources.map(
    ({ definition, settings }) =>
      (shared: SourceParts): Promise<OpenSource> =>
        definition.open(settings, shared),
  );
  return followSources(openers, parts);
}

/** Opens the sources on shared records and follows them. */
export async function followSources(
  openers: readonly ((parts: SourceParts) => Promise<OpenSource>)[],
  { store, keepTextsMs, directory = createSymbolTable(), ...requestParts }: LiveSourcesParts,
): Promise<LiveSources> {
  const { clock, log } = requestParts;
  const releases = await openRecordCache(store.releases, releaseKey);
  const observations = await openRecordCache(store.observations, observationKey);
  const sourceReads = await openRecordCache(store.sourceReads, sourceReadsKey);
  const records = { releases, observations, sourceReads };
  await addMissingReads(records, log);
  const wasFilled = [...sourceReads.all()].some(({ filledAt }) => filledAt !== null);
  const splits = await openCatalog(records);
  const opened = await openAll(openers, { ...requestParts, ...records, splits, directory });
  const stopping = new AbortController();
  const { signal } = stopping;
  const state: LiveState = { ...records, opened, splits, directory, clock, signal };
  const purging = purgeDaily({ ...records, keepTextsMs, clock, log }, signal);
  const fill = startFirstFill(state, wasFilled, log);
  const stopRecording = recordReads(state, fill, log);
  return {
    reached: fill.reached,
    filled: fill.filled,
    statuses: () => statusesOf(state),
    splitOf: (record) => splitOfRow(splits(), record),
    listingProblems: (split) => listingProblems(split, directory, dayInZone(clock.now(), MARKET_ZONE)),
    problems: () => problemsOf(state),
    serve: (catalog) => serve(catalog, state, fill),
    async stop() {
      stopping.abort();
      await Promise.all([...opened.map((source) => source.stop()), purging]);
      await stopRecording();
    },
  };
}

/** Opens all sources, or none: if one fails, the others are stopped. */
async function openAll(
  openers: readonly ((parts: SourceParts) => Promise<OpenSource>)[],
  parts: SourceParts,
): Promise<readonly OpenSource[]> {
  const results = await Promise.allSettled(openers.map((open) => open(parts)));
  const opened = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const rejected = results.find((result) => result.status === "rejected");
  if (rejected === undefined) return opened;
  await Promise.all(opened.map((source) => source.stop()));
  throw rejected.reason;
}
