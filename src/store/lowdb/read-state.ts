import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Destination,
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
import type { StateKind, StateRecord, StateValues } from "../../ports/state-records.ts";
import { StoreError } from "../../ports/store.ts";
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

/** Reads the state in a folder consistently, even while a process uses it; null if there is none yet. */
export function readState(dir: string): Promise<Iterable<StateRecord> | null> {
  return asStoreError(dir, () => withStoreFiles(dir, (rows) => (hasState(rows) ? recordsOf(rows.tables) : null)));
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

function* recordsOf(tables: Tables): Generator<StateRecord> {
  yield* alertRecords(tables);
  yield* rowRecords(tables);
  yield* each("posting", tables.postings.values());
  yield { kind: "posting-number", value: { last: tables.postingNumber.get(LAST_NUMBER) ?? 0 } };
  yield* each("release", tables.releases.values());
  yield* each("observation", tables.observations.values());
  yield* each("source-reads", tables.sourceReads.values());
}

function* alertRecords(tables: Tables): Generator<StateRecord> {
  const { snapshot } = tables.snapshot;
  yield { kind: "snapshot", value: headerOf(snapshot) };
  yield* each("split", snapshot.splits.values());
  yield* each("past-split", snapshot.past.values());
  yield* each("article", snapshot.articles.values());
  yield* each("event", tables.events.values());
  yield* each("message", tables.messages.values());
  yield* each("delivery", tables.deliveries.values());
  yield* each("attempt", tables.attempts.values());
  yield* each("pause", [...tables.pauses.values()].toSorted(byTimeAndDestination));
}

/** Rules, watchlists and settings of people and channels. */
function* rowRecords(tables: Tables): Generator<StateRecord> {
  for (const { rules } of tables.rules.values()) yield* each("rule", rules);
  for (const [at, { last }] of rowsOf(tables.rules)) yield { kind: "rule-number", value: { at, last } };
  for (const [person, list] of personalRows(tables.watchlists))
    yield { kind: "watchlist", value: { person, tickers: tickersIn(list) } };
  for (const [person, channelId] of personalRows(tables.directChannels))
    yield { kind: "direct-channel", value: { person, channelId } };
  for (const [person, token] of personalRows(tables.calendars)) yield { kind: "calendar", value: { person, token } };
  yield* each("destination-settings", tables.settings.values());
  yield* each("import", tables.imports.values());
  yield* each("installation", tables.installations.values());
  for (const { key, value } of tables.usedTokens.rows())
    yield { kind: "used-once", value: { token: key, until: value } };
}

function* rowsOf<V>(table: Table<V>): Generator<readonly [Destination, V]> {
  for (const { key, value } of table.rows()) yield [parseDestinationKey(key as DestinationKey), value];
}

function* personalRows<V>(table: Table<V>): Generator<readonly [Person, V]> {
  for (const { key, value } of table.rows()) yield [parsePersonKey(key as DestinationKey), value];
}

function byTimeAndDestination(a: Pause, b: Pause): number {
  return a.at - b.at || compareText(destinationKey(a.to), destinationKey(b.to));
}

function* each<K extends StateKind>(kind: K, values: Iterable<StateValues[K]>): Generator<StateRecord> {
  for (const value of values) yield { kind, value } as StateRecord;
}
