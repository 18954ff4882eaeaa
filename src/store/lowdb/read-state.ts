import {
  type DestinationKey,
  destinationKey,
  type Person,
  parseDestinationKey,
  parsePersonKey,
} from "../../domain/alert/destination.ts";
import type { Pause } from "../../domain/alert/pause.ts";
import { headerOf, type Snapshot } from "../../domain/diff/snapshot.ts";
import type { Instant } from "../../domain/time/day.ts";
import { compareText } from "../../lib/collections.ts";
import type { StateKind, StateValues } from "../../ports/state-records.ts";
import { chunksOf, type StateChunk } from "../state-chunks.ts";
import type { RulesRow } from "./collections/rules.ts";
import { tickersIn } from "./collections/watchlists.ts";
import { asStoreError } from "./files/disk.ts";
import { openState } from "./open-state.ts";
import { type JsonSlice, parseSlice, sliceOf } from "./rows/json-bytes.ts";
import type { RowSlice } from "./rows/logged-rows.ts";
import type { OpenRows } from "./rows/open-rows.ts";
import { StateFrame } from "./state-frame.ts";

/** Reads the state in a folder consistently, even while a process uses it; yields nothing if there is none yet. */
export async function* readState(dir: string): AsyncGenerator<StateChunk> {
  const state = await asStoreError(dir, () => openState(dir));
  if (state === null) return;
  try {
    yield* chunksIn(state);
  } catch (error) {
    await asStoreError(dir, () => Promise.reject(error));
  } finally {
    await state.close();
  }
}

/** Yields all records, after each file has been checked. */
export async function* chunksIn(state: OpenRows): AsyncGenerator<StateChunk> {
  const frame = new StateFrame();
  yield* snapshotChunks(state.snapshot.snapshot);
  for (const chunks of KINDS) yield* chunks(state, frame);
  // A damaged file is found, although sessions are not part of the state.
  for await (const rows of state.rows("sessions")) for (const _ of rows);
}

function* snapshotChunks(snapshot: Snapshot): Generator<StateChunk> {
  yield* chunksOf("snapshot", [headerOf(snapshot)]);
  yield* chunksOf("split", snapshot.splits.values());
  yield* chunksOf("past-split", snapshot.past.values());
  yield* chunksOf("article", snapshot.articles.values());
}

type KindChunks = (state: OpenRows, frame: StateFrame) => AsyncIterable<StateChunk>;

const KINDS: readonly KindChunks[] = [
  rowsOf("event", "events"),
  rowsOf("message", "messages"),
  rowsOf("delivery", "deliveries"),
  rowsOf("attempt", "attempts"),
  pauseChunks,
  recordsOf("rule", "rules", (_, { rules }: RulesRow) => rules),
  recordsOf("rule-number", "rules", (key, { last }: RulesRow) => [{ at: parseDestinationKey(key), last }]),
  recordsOf("watchlist", "watchlists", (key, list: string) => [{ ...personAt(key), tickers: tickersIn(list) }]),
  recordsOf("direct-channel", "direct-channels", (key, channelId: string) => [{ ...personAt(key), channelId }]),
  recordsOf("calendar", "calendars", (key, token: string) => [{ ...personAt(key), token }]),
  rowsOf("destination-settings", "settings"),
  rowsOf("import", "imports"),
  rowsOf("installation", "installations"),
  recordsOf("used-once", "used-tokens", (token, until: Instant) => [{ token, until }]),
  rowsOf("posting", "postings"),
  postingNumberChunks,
  rowsOf("release", "releases"),
  rowsOf("observation", "observations"),
  rowsOf("source-reads", "source-reads"),
];

/** The rows of a table are the records. */
function rowsOf(kind: StateKind, table: string): KindChunks {
  return (state, frame) => frame.chunks(kind, state.rows(table));
}

/** `records`: the records in a row. */
function recordsOf<K extends StateKind>(
  kind: K,
  table: string,
  records: (key: DestinationKey, value: never) => Iterable<StateValues[K]>,
): KindChunks {
  function* slicesIn(rows: Iterable<RowSlice>): Generator<JsonSlice> {
    for (const row of rows)
      for (const record of records(row.key as DestinationKey, parseSlice(row) as never)) yield sliceOf(record);
  }
  return (state, frame) => frame.chunks(kind, mapped(state.rows(table), slicesIn));
}

async function* mapped<T, R>(values: AsyncIterable<T>, map: (value: T) => R): AsyncGenerator<R> {
  for await (const value of values) yield map(value);
}

function personAt(key: DestinationKey): { readonly person: Person } {
  return { person: parsePersonKey(key) };
}

async function* pauseChunks(state: OpenRows): AsyncGenerator<StateChunk> {
  const pauses: Pause[] = [];
  for await (const rows of state.rows("pauses")) for (const row of rows) pauses.push(parseSlice(row) as Pause);
  yield* chunksOf("pause", pauses.toSorted(byTimeAndDestination));
}

function byTimeAndDestination(a: Pause, b: Pause): number {
  return a.at - b.at || compareText(destinationKey(a.to), destinationKey(b.to));
}

async function* postingNumberChunks(state: OpenRows): AsyncGenerator<StateChunk> {
  let last = 0;
  for await (const rows of state.rows("posting-number")) for (const row of rows) last = Number(parseSlice(row));
  yield* chunksOf("posting-number", [{ last }]);
}
