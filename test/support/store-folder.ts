import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Destination } from "../../src/domain/alert/destination.ts";
import type { Event } from "../../src/domain/alert/event.ts";
import { collect } from "../../src/lib/collections.ts";
import { createMutex } from "../../src/lib/mutex.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import type { Store } from "../../src/ports/store.ts";
import type { Disk } from "../../src/store/lowdb/files/disk.ts";
import { entryLines, headIn, type LogExtent, type LogHead, scanLog } from "../../src/store/lowdb/files/log-lines.ts";
import { type LowdbOptions, openLowdbStore } from "../../src/store/lowdb/open.ts";
import {
  announced,
  aPendingImport,
  aPosting,
  articleSeen,
  attemptOf,
  deliveryOf,
  listedSplit,
  patchOf,
  REF,
  T0,
} from "../contract/store-builders.ts";
import { ALICE, aRule, BOB, GENERAL, ticker } from "./builders.ts";
import { ManualClock } from "./manual-clock.ts";
import { anObservation } from "./observations.ts";
import { membersOf } from "./pages.ts";
import { aRelease } from "./releases.ts";

/** Folders for stores, removed together at the end of a test. */
export class StoreFolders {
  readonly #made: string[] = [];

  async make(): Promise<string> {
    const dir = await mkdtemp(join(tmpdir(), "splitwatch-store-"));
    this.#made.push(dir);
    return dir;
  }

  async copyOf(dir: string): Promise<string> {
    const copy = await this.make();
    // Without the sockets of the lock: the copy is not locked.
    await cp(dir, copy, { recursive: true, filter: (path) => !path.includes("lock.") });
    return copy;
  }

  async holding(files: ReadonlyMap<string, Buffer>): Promise<string> {
    const dir = await this.make();
    for (const [name, bytes] of files) await writeFile(join(dir, name), bytes);
    return dir;
  }

  async removeAll(): Promise<void> {
    for (const dir of this.#made.splice(0)) await rm(dir, { recursive: true, force: true });
  }
}

/** Parses the bytes of a log in small chunks, as if it had the path. */
export async function parseLog(
  path: string,
  bytes: Buffer,
): Promise<LogExtent & { readonly head: LogHead; readonly entries: readonly unknown[] }> {
  const extent = await scanLog(path, chunksOf(bytes));
  const head = headIn(path, extent);
  const valid = bytes.subarray(0, extent.end.offset);
  const lines = await collect(entryLines(path, chunksOf(valid)));
  return { ...extent, head, entries: lines.map(({ json }) => JSON.parse(json.toString("utf8")) as unknown) };
}

/** Yields the bytes in small chunks. */
export async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) yield bytes.subarray(from, from + CHUNK_BYTES);
}

const CHUNK_BYTES = 100;

export function openIn(dir: string, options: Partial<LowdbOptions> = {}): Promise<Store> {
  return openLowdbStore({ dir, clock: new ManualClock(), log: SILENT_LOG, ...options });
}

export async function readFiles(dir: string): Promise<Map<string, Buffer>> {
  const names = (await readdir(dir)).filter((name) => !name.startsWith("lock."));
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(dir, name))] as const)));
}

/** Copy of the bytes with one bit flipped, counted from the first byte. */
export function withFlipped(bytes: Buffer, bit: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return flipped;
}

/** Everything that users can read from a store filled by these tests. */
export async function readAll(store: Store): Promise<unknown> {
  const destinations = [GENERAL, ALICE, BOB, ...["c1", "c2", "c3"].map((id) => ({ ...GENERAL, id }))];
  return {
    snapshot: await store.snapshot.read(),
    summary: await store.outbox.summary(),
    waiting: await Promise.all(destinations.map((destination) => store.outbox.waitingAt(destination))),
    trails: await store.history.forTicker(ticker("ACME"), destinations),
    rules: (await Promise.all(destinations.map((destination) => store.rules.at(destination)))).flat(),
    watchers: await membersOf(store.watchlists.watchersOf([ticker("ACME"), ticker("BETA")])),
    directChannel: await store.directChannels.of(ALICE),
    pendingImport: await store.imports.find("i1"),
    isSessionOpen: await store.sessions.isOpen("s1", T0),
    postings: await store.postings.list({ to: destinations, after: 0, limit: 1_000 }),
    releases: await store.releases.all(),
    observations: await store.observations.all(),
    sourceReads: await store.sourceReads.all(),
    destinationSettings: await membersOf(store.destinationSettings.all()),
  };
}

/** Opens the store in the folder and reads everything. */
export async function contentOf(dir: string): Promise<unknown> {
  const store = await openIn(dir);
  const all = await readAll(store);
  await store.close();
  return all;
}

/** Disk with limited free space: writes what fits and fails for the rest. */
export class FillableDisk implements Disk {
  readonly #disk: Disk;
  /** Free bytes. */
  free = Number.POSITIVE_INFINITY;
  /** Number of replaced files. */
  replaced = 0;
  /** Number of synced log writes. */
  synced = 0;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  readonly replace: Disk["replace"] = async (path, text) => {
    this.#spend(Buffer.byteLength(text));
    this.replaced += 1;
    await this.#disk.replace(path, text);
  };

  readonly open: Disk["open"] = async (path) => {
    const file = await this.#disk.open(path);
    return {
      ...file,
      write: async (bytes, position) => {
        await file.write(bytes.subarray(0, Math.min(this.free, bytes.length)), position);
        this.#spend(bytes.length);
      },
      sync: async () => {
        this.synced += 1;
        await file.sync();
      },
    };
  };

  readonly rename: Disk["rename"] = (from, to) => this.#disk.rename(from, to);
  readonly remove: Disk["remove"] = (path) => this.#disk.remove(path);
  readonly syncFolder: Disk["syncFolder"] = (path) => this.#disk.syncFolder(path);

  #spend(bytes: number): void {
    if (bytes > this.free) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    this.free -= bytes;
  }
}

/** A disk that calls `step` before and after each operation. Operations run one at a time: none changes a file during a step. */
export function steppingDisk(disk: Disk, step: () => Promise<void>): Disk {
  const mutex = createMutex();
  const around = <R>(work: () => Promise<R>): Promise<R> =>
    mutex(async () => {
      await step();
      const result = await work();
      await step();
      return result;
    });
  return {
    replace: (path, text) => around(() => disk.replace(path, text)),
    open: async (path) => {
      const file = await around(() => disk.open(path));
      return {
        write: (bytes, position) => around(() => file.write(bytes, position)),
        sync: () => around(() => file.sync()),
        truncate: (size) => around(() => file.truncate(size)),
        close: () => file.close(),
      };
    },
    rename: (from, to) => around(() => disk.rename(from, to)),
    remove: (path) => around(() => disk.remove(path)),
    syncFolder: (path) => around(() => disk.syncFolder(path)),
  };
}

/** Sequence of durable writes that changes every file. */
export const STORY: readonly ((store: Store) => Promise<unknown>)[] = [
  (store) => store.watchlists.add(ALICE, [ticker("ACME"), ticker("BETA")]),
  (store) => store.rules.add(aRule()),
  (store) => store.snapshot.commit({ patch: patchOf({ splits: [listedSplit("s1")] }), events: [], deliveries: [] }),
  (store) => commitTo(store, announced("s1"), ["c1", "c2", "c3"]),
  (store) =>
    store.outbox.saveAttempt(attemptOf("m1", [deliveryOf(announced("s1"), channel("c1"))], { state: "sending" })),
  (store) => store.outbox.markSent("m1", REF, T0 + 1),
  (store) => store.postings.post(aPosting("m1", { to: channel("c1") })),
  (store) => store.outbox.saveAttempt(attemptOf("m2", [deliveryOf(announced("s1"), channel("c2"))])),
  (store) => store.outbox.markFailed("m2", "refused", T0 + 2),
  (store) => store.outbox.pause(channel("c3"), "gone", T0 + 3),
  (store) => store.watchlists.remove(ALICE, [ticker("BETA")]),
  (store) => commitTo(store, articleSeen("https://wire.example/2", T0 + 4), ["c1", "c3"]),
  (store) => store.postings.post(aPosting("m3", { to: channel("c2") })),
  (store) => store.outbox.resume(channel("c3")),
  (store) => store.outbox.pause(channel("c4"), "gone", T0 + 5),
  (store) => store.rules.remove(GENERAL, [1]),
  (store) => store.directChannels.save(ALICE, "dm-1"),
  (store) => store.destinationSettings.change(ALICE, { timezone: "Pacific/Auckland", digest: true }),
  (store) => store.imports.save(aPendingImport("i1"), T0),
  (store) => store.sessions.start({ id: "s1", until: T0 + 60_000 }, T0, 10),
  (store) => store.releases.put([aRelease({ text: null, readVersion: null })]),
  (store) => store.releases.put([aRelease()]),
  (store) => store.observations.put([anObservation()]),
  (store) => store.observations.put([anObservation({ observedAt: T0, ratio: "1:16" })]),
  (store) => store.sourceReads.put([{ source: "nasdaq", firstReadAt: T0, lastReadAt: T0, filledAt: null }]),
  (store) => store.sourceReads.put([{ source: "nasdaq", firstReadAt: T0, lastReadAt: T0 + 9, filledAt: T0 + 5 }]),
];

export function channel(id: string): Destination {
  return { ...GENERAL, id };
}

/** Commits the event and its deliveries with a changed snapshot. */
async function commitTo(store: Store, event: Event, channels: readonly string[]): Promise<void> {
  await store.snapshot.commit({
    patch: patchOf({ splits: [listedSplit(`after-${event.id}`)] }),
    events: [event],
    deliveries: channels.map((id) => deliveryOf(event, channel(id))),
  });
}
