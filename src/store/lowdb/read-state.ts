import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type DestinationKey,
  destinationKey,
  type Person,
  parseDestinationKey,
  parsePersonKey,
} from "../../domain/alert/destination.ts";
import type { Pause } from "../../domain/alert/pause.ts";
import { headerOf } from "../../domain/diff/snapshot.ts";
import { compareText } from "../../lib/collections.ts";
import { readIfExists } from "../../lib/durable-file.ts";
import { StoreError } from "../../ports/store.ts";
import { chunksOf, type StateChunk } from "../state-chunks.ts";
import { LAST_NUMBER } from "./collections/postings.ts";
import { tickersIn } from "./collections/watchlists.ts";
import { asStoreError, realDisk } from "./files/disk.ts";
import { assertNoPendingRestore, readFiles, storeFileNames } from "./files/folder.ts";
import { CHECKPOINT_NAME, type StoredRows } from "./rows/stored-rows.ts";
import type { Table } from "./rows/table.ts";
import type { Tables } from "./rows/tables.ts";

/** Reads are repeated: a running process may leave a file invalid for a moment, such as before it truncates a partial record. */
const MAX_READS = 3;
const REREAD_DELAY_MS = 200;

/** Reads are also repeated while a running process replaces the files that are read. */
const MAX_READS_OF_CHANGING_FILES = 200;
const CHANGING_DELAY_MS = 5;

/** Reads the state in a folder consistently, even while a process uses it; yields nothing if there is none yet. */
export async function* readState(dir: string): AsyncGenerator<StateChunk> {
  const rows = await asStoreError(dir, () => withStoreFiles(dir, (read) => read));
  if (hasState(rows)) yield* chunksIn(rows.tables);
}

/** False if there are no files, or if a first start was interrupted. */
function hasState({ checkpoint, tables }: StoredRows): boolean {
  return checkpoint.exists || tables.snapshot.snapshot.source !== "" || tables.all().some(({ size }) => size > 0);
}

/** Calls `use` with a consistent view of the files, validated as at startup. */
export async function withStoreFiles<R>(dir: string, use: (rows: StoredRows) => R): Promise<R> {
  let [reads, readsOfChanging] = [0, 0];
  for (;;) {
    const before = await filesIn(dir);
    const rows = await readAtOnce(dir);
    if (!(rows instanceof StoreError)) return use(rows);
    const isChanging = (await filesIn(dir)) !== before;
    if (isChanging) readsOfChanging += 1;
    else reads += 1;
    if (reads === MAX_READS || readsOfChanging === MAX_READS_OF_CHANGING_FILES) throw rows;
    await sleep(isChanging ? CHANGING_DELAY_MS : REREAD_DELAY_MS);
  }
}

/** Returns the StoreError of a file that is invalid, maybe for a moment. */
async function readAtOnce(dir: string): Promise<StoredRows | StoreError> {
  try {
    await assertNoPendingRestore(dir);
    return await readFiles(realDisk, dir);
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}

/** The list of the checkpoint and the names of the files, as one text. */
async function filesIn(dir: string): Promise<string> {
  const list = await readIfExists(join(dir, CHECKPOINT_NAME));
  return [list?.toString("latin1"), ...(await storeFileNames(dir))].join(" ");
}

function* chunksIn(tables: Tables): Generator<StateChunk> {
  yield* alertChunks(tables);
  yield* settingsChunks(tables);
  yield* chunksOf("posting", tables.postings.values());
  yield* chunksOf("posting-number", [{ last: tables.postingNumber.get(LAST_NUMBER) ?? 0 }]);
  yield* chunksOf("release", tables.releases.values());
  yield* chunksOf("observation", tables.observations.values());
  yield* chunksOf("source-reads", tables.sourceReads.values());
}

function* alertChunks(tables: Tables): Generator<StateChunk> {
  const { snapshot } = tables.snapshot;
  yield* chunksOf("snapshot", [headerOf(snapshot)]);
  yield* chunksOf("split", snapshot.splits.values());
  yield* chunksOf("past-split", snapshot.past.values());
  yield* chunksOf("article", snapshot.articles.values());
  yield* chunksOf("event", tables.events.values());
  yield* chunksOf("message", tables.messages.values());
  yield* chunksOf("delivery", tables.deliveries.values());
  yield* chunksOf("attempt", tables.attempts.values());
  yield* chunksOf("pause", [...tables.pauses.values()].toSorted(byTimeAndDestination));
}

/** Rules, watchlists and settings of people and channels. */
function* settingsChunks(tables: Tables): Generator<StateChunk> {
  yield* chunksOf(
    "rule",
    [...tables.rules.values()].flatMap(({ rules }) => rules),
  );
  yield* chunksOf(
    "rule-number",
    mapped(tables.rules, ([key, { last }]) => ({ at: parseDestinationKey(key), last })),
  );
  const { watchlists, directChannels, calendars, usedTokens } = tables;
  yield* chunksOf(
    "watchlist",
    mapped(watchlists, ([key, list]) => ({ ...personAt(key), tickers: tickersIn(list) })),
  );
  yield* chunksOf(
    "direct-channel",
    mapped(directChannels, ([key, channelId]) => ({ ...personAt(key), channelId })),
  );
  yield* chunksOf(
    "calendar",
    mapped(calendars, ([key, token]) => ({ ...personAt(key), token })),
  );
  yield* chunksOf("destination-settings", tables.settings.values());
  yield* chunksOf("import", tables.imports.values());
  yield* chunksOf("installation", tables.installations.values());
  yield* chunksOf(
    "used-once",
    mapped(usedTokens, ([token, until]) => ({ token, until })),
  );
}

function* mapped<V, R>(table: Table<V>, map: (row: readonly [DestinationKey, V]) => R): Generator<R> {
  for (const { key, value } of table.rows()) yield map([key as DestinationKey, value]);
}

function personAt(key: DestinationKey): { readonly person: Person } {
  return { person: parsePersonKey(key) };
}

function byTimeAndDestination(a: Pause, b: Pause): number {
  return a.at - b.at || compareText(destinationKey(a.to), destinationKey(b.to));
}
