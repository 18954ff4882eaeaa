import { stat } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { canonicalObservation, canonicalRelease } from "../catalog/canonical-records.ts";
import { buildCatalog, type CatalogInput } from "../catalog/catalog.ts";
import { type CatalogSplit, completeSplits, historyOf } from "../catalog/catalog-split.ts";
import type { Release } from "../catalog/release.ts";
import { readConfig } from "../config/index.ts";
import { ratioCode } from "../domain/split/ratio.ts";
import { type Day, dayInZone } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { systemClock } from "../lib/clock.ts";
import { runAsJob } from "../lib/jobs.ts";
import type { Clock } from "../ports/clock.ts";
import { SILENT_LOG } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";
import type { DocumentReader } from "../sources/reading/document-reader.ts";
import { clearQuarantine, createQuarantine } from "../sources/reading/quarantine.ts";
import { type FactsParts, readFactsAgain } from "../sources/reading/read-facts.ts";
import { ReaderThread } from "../sources/reading/reader-thread.ts";
import { createSymbolTable } from "../sources/symbol-table.ts";
import { FetchError } from "../sources/web/fetch-error.ts";
import { EXIT, type Invocation, reportStoreError } from "./invocation.ts";

/**
 * Extracts all stored releases again, using the saved symbol directories. Saves changed facts, and prints added and removed splits
 * with their history. A release that is quarantined keeps its facts. Fails while another process uses DATA_DIR or follows the
 * sources of the database. Can be repeated.
 */
export async function rebuild(
  invocation: Invocation,
  { clock = systemClock, reader }: { readonly clock?: Clock; readonly reader?: DocumentReader } = {},
): Promise<number> {
  const config = readConfig(invocation);
  const { dataDir, store: storeAccess } = config;
  // Opening the files would create the folder.
  if (!storeAccess.isShared && (await stat(dataDir).catch(() => null)) === null) {
    invocation.out(`No stored releases: the folder ${dataDir} doesn't exist yet.`);
    return EXIT.ok;
  }
  try {
    const store = await storeAccess.open({
      clock,
      log: SILENT_LOG,
      holder: `pid ${process.pid}, splitwatch rebuild`,
    });
    try {
      const today = dayInZone(clock.now(), MARKET_ZONE);
      // A process that follows the sources would save releases that this one has read before.
      const parts = { jobs: store.jobs, clock, stopping: new AbortController().signal };
      const lines = await runAsJob(parts, "sources", () =>
        withReader(store, { clock, reader }, (factsParts) => extractAll(store, factsParts, today)),
      );
      for (const text of lines) invocation.out(text);
    } finally {
      await store.close();
    }
    return EXIT.ok;
  } catch (error) {
    return reportStoreError(error, config, invocation);
  }
}

/** Calls `work` with the saved symbol directories and, if `reader` is undefined, a thread that reads. Clears the quarantine. */
async function withReader(
  { documents }: Store,
  { clock, reader }: { readonly clock: Clock; readonly reader: DocumentReader | undefined },
  work: (parts: FactsParts) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const directory = createSymbolTable(documents);
  await directory.load(clock);
  const cleared = await clearQuarantine(documents);
  const quarantine = createQuarantine();
  await quarantine.follow(documents);
  const thread = new ReaderThread({ quarantine, clock, log: SILENT_LOG });
  try {
    const lines = await work({ reader: reader ?? thread, directory });
    return cleared === 0 ? lines : [...lines, `Documents that were quarantined and are read again: ${cleared}`];
  } finally {
    await thread.close();
  }
}

async function extractAll(
  { releases, observations }: Store,
  parts: FactsParts,
  today: Day,
): Promise<readonly string[]> {
  const before = (await releases.all()).map(canonicalRelease);
  if (before.length === 0) return ["No stored releases: there is nothing to rebuild."];
  const refusals: string[] = [];
  const read = async (release: Release): Promise<Release> => {
    try {
      return await readFactsAgain(release, parts);
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      refusals.push(`  ${release.url}: keeps its facts: ${error.message}`);
      return release;
    }
  };
  const after = await Promise.all(before.map(read));
  const isChanged = (release: Release, index: number): boolean => !isDeepStrictEqual(release, before[index]);
  await releases.put(after.filter(isChanged));
  const previousByUrl = new Map(before.map((release) => [release.url, release]));
  const changed = after.filter(({ url, facts }) => !isDeepStrictEqual(facts, previousByUrl.get(url)?.facts));
  return [
    `Extracted ${before.length} releases again: the facts of ${changed.length} changed.`,
    ...refusals,
    ...changed.map((release) => describeChange(previousByUrl.get(release.url), release)),
    ...describeRowChanges(
      { before, after },
      { observations: (await observations.all()).map(canonicalObservation), directory: parts.directory },
      today,
    ),
  ];
}

function describeChange(before: Release | undefined, { url, facts }: Release): string {
  const previous: Readonly<Record<string, unknown>> = { ...before?.facts };
  const fields = Object.entries({ ...facts }).filter(([name, value]) => !isDeepStrictEqual(value, previous[name]));
  const kind = before?.facts?.kind === facts?.kind ? "" : ` (${before?.facts?.kind} -> ${facts?.kind})`;
  return `  ${url}: ${fields.map(([name]) => name).join(", ")}${kind}`;
}

/** Describes added and removed splits, including past splits. A split with changed terms appears as removed and as added. */
function describeRowChanges(
  { before, after }: Readonly<Record<"before" | "after", readonly Release[]>>,
  others: Pick<CatalogInput, "observations" | "directory">,
  today: Day,
): readonly string[] {
  const [previous, current] = [rowsOf({ releases: before, ...others }), rowsOf({ releases: after, ...others })];
  return [
    ...[...previous]
      .filter(([row]) => !current.has(row))
      .flatMap(([row, split]) => [`- ${row}`, ...historyLines(split, today)]),
    ...[...current]
      .filter(([row]) => !previous.has(row))
      .flatMap(([row, split]) => [`+ ${row}`, ...historyLines(split, today)]),
  ];
}

function historyLines(split: CatalogSplit, today: Day): readonly string[] {
  return historyOf(split, today).map(({ kind, day, url }) => `    ${day} ${kind}: ${url}`);
}

function rowsOf(input: CatalogInput): ReadonlyMap<string, CatalogSplit> {
  const rows = buildCatalog(input).flatMap((split) =>
    completeSplits(split).map(({ ticker, exchange, ratio, exDate, company }) => {
      const row = `${exchange}:${ticker} ${ratioCode(ratio)} on ${exDate}, ${company}`;
      return [row, split] as const;
    }),
  );
  return new Map(rows);
}
