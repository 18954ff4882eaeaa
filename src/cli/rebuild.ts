import { stat } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { buildCatalog, type CatalogInput } from "../catalog/catalog.ts";
import { type CatalogSplit, completeSplits, historyOf } from "../catalog/catalog-split.ts";
import { reextractRelease } from "../catalog/extract-release.ts";
import type { Observation } from "../catalog/observation.ts";
import type { Release } from "../catalog/release.ts";
import { readConfig } from "../config/index.ts";
import { ratioCode } from "../domain/split/ratio.ts";
import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import { type Day, dayInZone } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { systemClock } from "../lib/clock.ts";
import { runAsJob } from "../lib/run-as-job.ts";
import type { Clock } from "../ports/clock.ts";
import { SILENT_LOG } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";
import { clearQuarantine } from "../sources/reading/quarantine.ts";
import { createSymbolTable } from "../sources/symbol-table.ts";
import { EXIT, type Invocation, reportStoreError } from "./invocation.ts";

/**
 * Extracts all stored releases again, using the saved symbol directories. Saves changed facts, and prints added and removed splits
 * with their history. Fails while another process uses DATA_DIR or follows the sources of the database. Can be repeated.
 */
export async function rebuild(invocation: Invocation, clock: Clock = systemClock): Promise<number> {
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
      const directory = createSymbolTable(store.documents);
      await directory.load(clock);
      const today = dayInZone(clock.now(), MARKET_ZONE);
      // A process that follows the sources would save releases that this one has read before.
      const parts = { jobs: store.jobs, clock, stopping: new AbortController().signal };
      const lines = await runAsJob(parts, "sources", () => extractAll(store, directory, today));
      for (const text of lines) invocation.out(text);
    } finally {
      await store.close();
    }
    return EXIT.ok;
  } catch (error) {
    return reportStoreError(error, config, invocation);
  }
}

async function extractAll(
  { releases, observations, documents }: Store,
  directory: SymbolDirectory,
  today: Day,
): Promise<readonly string[]> {
  const before = await releases.all();
  if (before.length === 0) return ["No stored releases: there is nothing to rebuild."];
  const after = before.map((release) => reextractRelease(release, directory));
  const changed = after.filter((release, index) => !isDeepStrictEqual(release.facts, before[index]?.facts));
  await releases.put(changed);
  await clearQuarantine(documents);
  const previousByUrl = new Map(before.map((release) => [release.url, release]));
  return [
    `Extracted ${before.length} releases again: the facts of ${changed.length} changed.`,
    ...changed.map((release) => describeChange(previousByUrl.get(release.url), release)),
    ...describeRowChanges(before, after, await observations.all(), today),
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
  before: readonly Release[],
  after: readonly Release[],
  observations: readonly Observation[],
  today: Day,
): readonly string[] {
  const [previous, current] = [rowsOf({ releases: before, observations }), rowsOf({ releases: after, observations })];
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
