import { canonicalObservation, canonicalRelease } from "../../catalog/canonical-records.ts";
import type { CatalogSplit } from "../../catalog/catalog-split.ts";
import type { CatalogSource, WritableCatalog } from "../../data-service/server/served-catalog.ts";
import type { SplitRecord } from "../../domain/split/split.ts";
import type { ListedSymbols } from "../../domain/split/symbol-directory.ts";
import { dayInZone, type Instant } from "../../domain/time/day.ts";
import { MARKET_ZONE } from "../../domain/time/trading-day.ts";
import type { Stoppable } from "../../ports/jobs.ts";
import { observationKey, releaseKey, type Store, sourceReadsKey } from "../../ports/store.ts";
import { sourceLabel } from "../index.ts";
import { openRecordCache } from "../record-cache.ts";
import { purgeDaily } from "../record-retention.ts";
import type { ConfiguredSource, OpenSource, SourceParts } from "../source-definition.ts";
import type { LabeledStatus } from "../source-status.ts";
import { listingProblems } from "../symbol-check.ts";
import { createSymbolTable, type SymbolTable } from "../symbol-table.ts";
import { startFirstFill } from "./first-fill.ts";
import { SharedSources } from "./known-sources.ts";
import { type LiveRecords, type LiveState, openCatalog, statusesOf } from "./live-state.ts";
import { serve } from "./publish-catalog.ts";
import { splitOfRow } from "./served-rows.ts";
import { problemsOf } from "./source-problems.ts";
import { addMissingReads, recordReads } from "./source-reads.ts";
import { lastReadAt, noSourceProblem } from "./split-sources.ts";
import { watchYield } from "./usual-yield.ts";

/** The records of all live sources, which fill one catalog together. One process at a time follows the sources. */
export interface LiveSources {
  /** True if a source can be read or there is data of an earlier run. Resolves within seconds. */
  readonly reached: Promise<boolean>;
  /** Resolves when there is data to serve. */
  readonly filled: Promise<void>;
  /** Statuses of all sources, also if another process follows them. */
  statuses(): readonly LabeledStatus[];
  /** True while this process follows the sources. */
  readonly isFollowing: boolean;
  /** Returns the catalog's split for a listed row; null if no source states it any more. */
  splitOf(record: SplitRecord): CatalogSplit | null;
  /** Returns contradictions between a split's listings and the symbol directories, as sentences. */
  listingProblems(split: CatalogSplit): readonly string[];
  /** Returns the user-facing name of a source. */
  labelOf(source: string): string;
  /** The symbol directories that were read, the most reliable first. */
  directories(): readonly ListedSymbols[];
  /** Why no source of splits can be read; null while one can be read, or all are read for the first time. */
  problem(): string | null;
  /** Time at which a source of splits was last read; before the first read, the time of the start. */
  readAt(): Instant;
  /** Current problems, for users. */
  problems(): readonly string[];
  /** Fills the catalog, immediately if there is data to serve, and keeps it up to date. */
  serve(catalog: WritableCatalog): CatalogSource;
  /** Opens the sources and saves what they publish, until the returned part is stopped. */
  follow(): Promise<Stoppable>;
  /** Call after the sources are no longer followed. */
  close(): Promise<void>;
}

export interface LiveSourcesParts extends Omit<SourceParts, keyof LiveRecords | "splits" | "directory"> {
  readonly store: Pick<Store, keyof LiveRecords | "sourceStatuses">;
  /** Time after which the text of a release is deleted; the facts stay. */
  readonly keepTextsMs: number;
  /** Whether HTTPS_PROXY is set. Default: false. */
  readonly usesProxy?: boolean;
  /** Default: symbols are kept in memory only. */
  readonly directory?: SymbolTable;
}

export type SourceOpener = (parts: SourceParts) => Promise<OpenSource>;

export function openersOf(sources: readonly ConfiguredSource[]): readonly SourceOpener[] {
  return sources.map(
    ({ definition, settings }): SourceOpener =>
      (parts) =>
        definition.open(settings, parts),
  );
}

/** Opens the records of the sources. */
export async function openLiveSources(
  openers: readonly SourceOpener[],
  { store, keepTextsMs, usesProxy = false, directory = createSymbolTable(), ...requestParts }: LiveSourcesParts,
): Promise<LiveSources> {
  const { clock, log } = requestParts;
  const records = {
    releases: await openRecordCache(store.releases, releaseKey, canonicalRelease),
    observations: await openRecordCache(store.observations, observationKey, canonicalObservation),
    sourceReads: await openRecordCache(store.sourceReads, sourceReadsKey),
  };
  // Without the copies of an earlier run, the names come with the first read of the directories.
  await directory.load(clock).catch(() => undefined);
  const splits = await openCatalog(records, directory);
  const sources = new SharedSources(store.sourceStatuses, log);
  const closing = new AbortController();
  const opening = { openedAt: clock.monotonic(), usesProxy };
  const state: LiveState = { ...records, ...opening, sources, splits, directory, clock, signal: closing.signal };
  const stopFollowingStatuses = await sources.follow();
  const fill = startFirstFill(state, log);

  async function follow(): Promise<Stoppable> {
    await addMissingReads(records, log);
    const opened = await openAll(openers, { ...requestParts, ...records, splits, directory });
    const stopSharing = sources.use(opened);
    const stopping = new AbortController();
    const purging = purgeDaily({ ...records, keepTextsMs, clock, log }, stopping.signal);
    const watching = watchYield(state, log, stopping.signal);
    const stopRecording = recordReads(opened, { ...records, clock, log }, fill);
    return {
      async stop() {
        stopping.abort();
        await Promise.all([...opened.map((source) => source.stop()), purging, watching]);
        await stopRecording();
        await stopSharing();
      },
    };
  }

  return {
    reached: fill.reached,
    filled: fill.filled,
    statuses: () => statusesOf(state),
    get isFollowing() {
      return sources.opened !== null;
    },
    splitOf: (record) => splitOfRow(splits(), record),
    listingProblems: (split) => listingProblems(split, directory, dayInZone(clock.now(), MARKET_ZONE)),
    directories: () => directory.all(),
    labelOf: sourceLabel,
    problem: () => noSourceProblem(state),
    readAt: () => lastReadAt(state) ?? clock.now() - (clock.monotonic() - state.openedAt),
    problems: () => problemsOf(state),
    serve: (catalog) => serve(catalog, state, fill),
    follow,
    async close() {
      closing.abort();
      stopFollowingStatuses();
    },
  };
}

/** Opens all sources, or none: if one fails, the others are stopped. */
async function openAll(openers: readonly SourceOpener[], parts: SourceParts): Promise<readonly OpenSource[]> {
  const results = await Promise.allSettled(openers.map((open) => open(parts)));
  const opened = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const rejected = results.find((result) => result.status === "rejected");
  if (rejected === undefined) return opened;
  await Promise.all(opened.map((source) => source.stop()));
  throw rejected.reason;
}
