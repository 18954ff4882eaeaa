import { stat } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { buildCatalog } from "../catalog/catalog.ts";
import { type CatalogSplit, completeSplits, historyOf } from "../catalog/catalog-split.ts";
import type { Release } from "../catalog/release.ts";
import { readConfig } from "../config/index.ts";
import { ratioCode } from "../domain/split/ratio.ts";
import { type Day, dayInZone } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { systemClock } from "../lib/clock.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import { type Store, StoreError } from "../ports/store.ts";
import { factsAnew } from "../sources/newswires/release-state.ts";
import { configuredStore } from "../store/index.ts";
import { EXIT, type Invocation } from "./invocation.ts";

/**
 * Reads the facts of all kept releases anew, writes those that are others, and prints what that changed: each
 * split that comes or goes with its history. Refused while
 * another process holds DATA_DIR. One that is cut short does no harm: the next one goes on.
 */
export async function rebuild(invocation: Invocation, clock: Clock = systemClock): Promise<number> {
  const { dataDir } = readConfig(invocation);
  if ((await stat(dataDir).catch(() => null)) === null) {
    invocation.out(`No releases are kept: there is no folder ${dataDir} yet.`);
    return EXIT.done;
  }
  try {
    const store = await configuredStore({ dataDir }).open({
      clock,
      log: NO_LOG,
      holder: `pid ${process.pid}, splitwatch rebuild`,
    });
    try {
      const today = dayInZone(clock.now(), MARKET_ZONE);
      for (const text of await readAllAnew(store, today)) invocation.out(text);
    } finally {
      await store.close();
    }
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    invocation.err(`splitwatch: ${error.message}`);
    return EXIT.failed;
  }
}

async function readAllAnew({ releases }: Store, today: Day): Promise<readonly string[]> {
  const before = await releases.all();
  if (before.length === 0) return ["No releases are kept in this DATA_DIR: there is nothing to read anew."];
  const after = before.map(factsAnew);
  const changed = after.filter((release, index) => !isDeepStrictEqual(release.facts, before[index]?.facts));
  await Promise.all(changed.map((release) => releases.put(release)));
  const known = new Map(before.map((release) => [release.url, release]));
  return [
    `${before.length} releases read anew: the facts of ${changed.length} are others now.`,
    ...changed.map((release) => whatChanged(known.get(release.url), release)),
    ...rowsChanged(before, after, today),
  ];
}

function whatChanged(before: Release | undefined, { url, facts }: Release): string {
  const was: Readonly<Record<string, unknown>> = { ...before?.facts };
  const fields = Object.entries({ ...facts }).filter(([name, value]) => !isDeepStrictEqual(value, was[name]));
  const kind = before?.facts?.kind === facts?.kind ? "" : ` (${before?.facts?.kind} is ${facts?.kind} now)`;
  return `  ${url}: ${fields.map(([name]) => name).join(", ")}${kind}`;
}

/** Rows of splits, past ones included, that come or go: one that is corrected goes and comes. */
function rowsChanged(before: readonly Release[], after: readonly Release[], today: Day): readonly string[] {
  const [was, is] = [rowsOf(before), rowsOf(after)];
  return [
    ...[...was].filter(([row]) => !is.has(row)).flatMap(([row, split]) => [`- ${row}`, ...historyLines(split, today)]),
    ...[...is].filter(([row]) => !was.has(row)).flatMap(([row, split]) => [`+ ${row}`, ...historyLines(split, today)]),
  ];
}

function historyLines(split: CatalogSplit, today: Day): readonly string[] {
  return historyOf(split, today).map(({ kind, day, url }) => `    ${day} ${kind}: ${url}`);
}

function rowsOf(releases: readonly Release[]): ReadonlyMap<string, CatalogSplit> {
  const rows = buildCatalog(releases).flatMap((split) =>
    completeSplits(split).map(({ ticker, exchange, ratio, exDate, company }) => {
      const row = `${exchange}:${ticker} ${ratioCode(ratio)} on ${exDate}, ${company}`;
      return [row, split] as const;
    }),
  );
  return new Map(rows);
}

const nothing = (): void => undefined;

/** What goes wrong is told as the command's own failure. */
const NO_LOG: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
