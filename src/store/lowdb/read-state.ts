import { setTimeout as pass } from "node:timers/promises";
import type { Release } from "../../catalog/release.ts";
import {
  type DestinationKey,
  destinationKey,
  parseDestinationKey,
  parsePersonKey,
} from "../../domain/alert/destination.ts";
import { headerOf } from "../../domain/diff/snapshot.ts";
import { compareText } from "../../lib/collections.ts";
import type { Pause, StateKind, StateRecord, StateValues } from "../../ports/state-records.ts";
import { StoreError } from "../../ports/store.ts";
import { takeReleases } from "./collections/releases.ts";
import { tickersIn } from "./collections/watchlists.ts";
import { asStoreError } from "./files/as-store-error.ts";
import { withCaptured } from "./files/capture.ts";
import { realDisk } from "./files/disk.ts";
import { NAMES, readFiles, type StoreFiles } from "./files/folder.ts";
import { assertComplete } from "./files/staging.ts";
import { assertSameAge } from "./log/ledger.ts";
import { LedgerState } from "./log/ledger-state.ts";

/** What a process that writes leaves damaged for a moment, such as a line that it takes back, is whole at another look. */
const MOST_READS = 3;
const READ_AGAIN_MS = 200;

/**
 * The state in the files of a folder, as it was at one moment; null where there is none yet. Takes no lock and changes nothing:
 * a process that works on them is no hindrance.
 */
export function readState(dir: string): Promise<Iterable<StateRecord> | null> {
  return asStoreError(dir, () => withStoreFiles(dir, (files) => (files.journal.found ? recordsOf(files) : null)));
}

/** Calls `use` with the files as of one moment, checked like at a start. */
export async function withStoreFiles<R>(dir: string, use: (files: StoreFiles) => R): Promise<R> {
  for (let reads = 1; ; reads += 1) {
    try {
      await assertComplete(dir);
      const files = await withCaptured(dir, Object.values(NAMES), (readFile) => readFiles(realDisk, dir, readFile));
      assertSameAge(files);
      return use(files);
    } catch (error) {
      if (!(error instanceof StoreError) || reads === MOST_READS) throw error;
      await pass(READ_AGAIN_MS);
    }
  }
}

function* recordsOf(files: StoreFiles): Generator<StateRecord> {
  const state = new LedgerState(files.snapshot.low.data, files.history.low.data);
  state.replay(files.journal.read.entries);
  yield* ledgerRecords(state);
  yield* wishRecords(files);
  yield* logRecords(files);
}

function* ledgerRecords({ snapshot, archive, queues, forgetting }: LedgerState): Generator<StateRecord> {
  const { events, messages } = archive.since(Number.NEGATIVE_INFINITY, []);
  yield { kind: "snapshot", value: headerOf(snapshot) };
  yield* each("split", snapshot.splits.values());
  yield* each("past-split", snapshot.past.values());
  yield* each("article", snapshot.articles.values());
  yield* each("event", events);
  yield* each("message", messages);
  yield* each("delivery", queues.deliveries());
  yield* each("attempt", queues.attempts());
  yield* each("pause", queues.pauses().toSorted(byTimeAndPlace));
  for (const { person, tests } of forgetting) yield { kind: "forgetting", value: { person, tests } };
}

/** What people and channels asked for. */
function* wishRecords(files: StoreFiles): Generator<StateRecord> {
  yield* each("rule", files.rules.low.data.rules);
  for (const [key, last] of entriesOf(files.rules.low.data.lastNumbers))
    yield { kind: "rule-number", value: { at: parseDestinationKey(key), last } };
  for (const [key, list] of entriesOf(files.watchlists.low.data))
    yield { kind: "watchlist", value: { person: parsePersonKey(key), tickers: tickersIn(list) } };
  for (const [key, channelId] of entriesOf(files.people.low.data))
    yield { kind: "direct-channel", value: { person: parsePersonKey(key), channelId } };
  for (const [token, person] of Object.entries(files.calendars.low.data))
    yield { kind: "calendar", value: { person, token } };
  yield* each("destination-settings", Object.values(files.settings.low.data));
  yield* each("import", files.imports.low.data);
  yield* each("installation", files.installations.low.data.installations);
  for (const [token, until] of Object.entries(files.installations.low.data.used))
    yield { kind: "used-once", value: { token, until } };
}

function* logRecords({ postings, releases }: StoreFiles): Generator<StateRecord> {
  const { head, entries } = postings.read;
  yield* each("posting", entries);
  yield { kind: "posting-number", value: { last: Math.max(head.mark, ...entries.slice(-1).map((one) => one.number)) } };
  const byUrl = new Map<string, Release>();
  takeReleases(byUrl, releases.read.entries);
  yield* each("release", byUrl.values());
}

function byTimeAndPlace(a: Pause, b: Pause): number {
  return a.at - b.at || compareText(destinationKey(a.to), destinationKey(b.to));
}

function* each<K extends StateKind>(kind: K, values: Iterable<StateValues[K]>): Generator<StateRecord> {
  for (const value of values) yield { kind, value } as StateRecord;
}

function entriesOf<V>(byPlace: Readonly<Record<DestinationKey, V>>): readonly (readonly [DestinationKey, V])[] {
  return Object.entries(byPlace) as [DestinationKey, V][];
}
