import { type FileHandle, open, stat } from "node:fs/promises";
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
import type { StateKind, StateRecord, StateValues } from "../../ports/state-records.ts";
import { StoreError } from "../../ports/store.ts";
import { tickersIn } from "./collections/watchlists.ts";
import { asStoreError, realDisk } from "./files/disk.ts";
import { assertNoPendingRestore, readFiles, type StoreFiles, storeFileNames } from "./files/folder.ts";
import type { ReadFile } from "./files/json-file.ts";
import { ReplayedState } from "./log/replayed-state.ts";
import { assertConsistent } from "./log/write-ahead-log.ts";
import type { Table } from "./rows/table.ts";

/** Reads are repeated: a running process may leave a file invalid for a moment, such as before it truncates a partial record. */
const MAX_READS = 3;
const REREAD_DELAY_MS = 200;

/** Reads the state in a folder consistently, even while a process uses it; null if there is none yet. */
export function readState(dir: string): Promise<Iterable<StateRecord> | null> {
  return asStoreError(dir, () => withStoreFiles(dir, (files) => (files.journal.exists ? recordsOf(files) : null)));
}

/** Calls `use` with a consistent view of the files, validated as at startup. */
export async function withStoreFiles<R>(dir: string, use: (files: StoreFiles) => R): Promise<R> {
  for (let reads = 1; ; reads += 1) {
    try {
      await assertNoPendingRestore(dir);
      const files = await withCaptured(dir, (readFile) => readFiles(realDisk, dir, readFile));
      assertConsistent(files);
      return use(files);
    } catch (error) {
      if (!(error instanceof StoreError) || reads === MAX_READS) throw error;
      await sleep(REREAD_DELAY_MS);
    }
  }
}

function* recordsOf(files: StoreFiles): Generator<StateRecord> {
  const state = new ReplayedState(files.snapshot.low.data, files.history.low.data);
  state.replay(files.journal.read.entries);
  yield* logRecords(state);
  yield* rowRecords(files);
  yield* postingRecords(files);
  const { tables } = files.rows;
  yield* each("release", tables.releases.values());
  yield* each("observation", tables.observations.values());
  yield* each("source-reads", tables.sourceReads.values());
}

function* logRecords({ snapshot, archive, queues, pendingPurges }: ReplayedState): Generator<StateRecord> {
  const { events, messages } = archive.contentSince(Number.NEGATIVE_INFINITY, []);
  yield { kind: "snapshot", value: headerOf(snapshot) };
  yield* each("split", snapshot.splits.values());
  yield* each("past-split", snapshot.past.values());
  yield* each("article", snapshot.articles.values());
  yield* each("event", events);
  yield* each("message", messages);
  yield* each("delivery", queues.deliveries());
  yield* each("attempt", queues.attempts());
  yield* each("pause", queues.pauses().toSorted(byTimeAndDestination));
  for (const { person, tests } of pendingPurges) yield { kind: "forgetting", value: { person, tests } };
}

/** Rules, watchlists and settings of people and channels. */
function* rowRecords({ rows: { tables } }: StoreFiles): Generator<StateRecord> {
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

function* postingRecords({ postings }: StoreFiles): Generator<StateRecord> {
  const { head, entries } = postings.read;
  yield* each("posting", entries);
  yield {
    kind: "posting-number",
    value: { last: Math.max(head.mark, ...entries.slice(-1).map((posting) => posting.number)) },
  };
}

function byTimeAndDestination(a: Pause, b: Pause): number {
  return a.at - b.at || compareText(destinationKey(a.to), destinationKey(b.to));
}

function* each<K extends StateKind>(kind: K, values: Iterable<StateValues[K]>): Generator<StateRecord> {
  for (const value of values) yield { kind, value } as StateRecord;
}

/** An attempt takes about a millisecond and a durable write longer, so an early attempt succeeds even during constant writes. */
const MAX_ATTEMPTS = 200;
const ATTEMPT_DELAY_MS = 5;

interface CapturedFile {
  readonly file: FileHandle;
  readonly size: number;
}

/**
 * Calls `use` with a consistent view of a folder's files, even if another process writes them. JSON files are replaced and logs
 * only grow, so the first `size` bytes of an opened file do not change.
 */
async function withCaptured<R>(dir: string, use: (readFile: ReadFile) => Promise<R>): Promise<R> {
  const files = await capture(dir);
  try {
    return await use(async (path) => {
      const captured = files.get(path);
      return captured ? readUpTo(captured) : null;
    });
  } finally {
    await closeAll(files);
  }
}

async function capture(dir: string): Promise<ReadonlyMap<string, CapturedFile>> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const paths = await storePaths(dir);
    const files = await openAll(paths);
    // Equal results mean that no file changed between the two calls.
    const [first, second] = [await fingerprintOf(paths), await fingerprintOf(await storePaths(dir))];
    const opened = await fingerprintOfOpened(paths, files);
    if (first === second && second === opened) return files;
    await closeAll(files);
    await sleep(ATTEMPT_DELAY_MS);
  }
  throw new StoreError(
    `${dir} changed during each of ${MAX_ATTEMPTS} attempts to read it. Try again, or stop splitwatch first`,
  );
}

async function storePaths(dir: string): Promise<readonly string[]> {
  return (await storeFileNames(dir)).toSorted().map((name) => join(dir, name));
}

async function openAll(paths: readonly string[]): Promise<ReadonlyMap<string, CapturedFile>> {
  const files = new Map<string, CapturedFile>();
  try {
    for (const path of paths) {
      const file = await open(path, "r").catch(nullIfMissing);
      if (file) files.set(path, { file, size: (await file.stat()).size });
    }
    return files;
  } catch (error) {
    await closeAll(files);
    throw error;
  }
}

async function closeAll(files: ReadonlyMap<string, CapturedFile>): Promise<void> {
  await Promise.all([...files.values()].map(({ file }) => file.close()));
}

/** Path, device, inode and size of each file, as one text. An inode is not reused while a file with it is open. */
async function fingerprintOf(paths: readonly string[]): Promise<string> {
  const parts = paths.map(async (path) => {
    const file = await stat(path).catch(nullIfMissing);
    return file ? `${path}:${file.dev}:${file.ino}:${file.size}` : "none";
  });
  return (await Promise.all(parts)).join(" ");
}

async function fingerprintOfOpened(
  paths: readonly string[],
  files: ReadonlyMap<string, CapturedFile>,
): Promise<string> {
  const parts = paths.map(async (path) => {
    const captured = files.get(path);
    if (!captured) return "none";
    const { dev, ino } = await captured.file.stat();
    return `${path}:${dev}:${ino}:${captured.size}`;
  });
  return (await Promise.all(parts)).join(" ");
}

async function readUpTo({ file, size }: CapturedFile): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let offset = 0;
  while (offset < size) {
    const { bytesRead } = await file.read(bytes, offset, size - offset, offset);
    // The file is shorter than at the capture if its process truncated a failed write.
    if (bytesRead === 0) return bytes.subarray(0, offset);
    offset += bytesRead;
  }
  return bytes;
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
