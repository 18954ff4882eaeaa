import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Destination, destinationKey } from "../../src/domain/alert/destination.ts";
import type { Event } from "../../src/domain/alert/event.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import type { Store } from "../../src/ports/store.ts";
import { openSqliteStore, type SqliteOptions } from "../../src/store/engines/sqlite/open.ts";
import {
  aLastImport,
  announced,
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

export function openIn(dir: string, options: Partial<SqliteOptions> = {}): Promise<Store> {
  return openSqliteStore({ dir, clock: new ManualClock(), log: SILENT_LOG, ...options });
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
    waiting: await Promise.all(destinations.map((destination) => store.outbox.waiting([destination]))),
    trails: await store.history.forTicker(ticker("ACME"), destinations),
    rules: (await Promise.all(destinations.map((destination) => store.rules.at(destination)))).flat(),
    watchers: await membersOf(store.watchlists.watchersOf([ticker("ACME"), ticker("BETA")])),
    directChannel: await store.directChannels.find(destinationKey(ALICE)),
    lastImport: await store.lastImports.find(destinationKey(ALICE)),
    isSessionOpen: await store.sessions.isOpen("s1", T0),
    postings: await store.postings.list({ to: destinations, after: 0, limit: 1_000 }),
    releases: await store.releases.all(),
    observations: await store.observations.all(),
    sourceReads: await store.sourceReads.all(),
    destinationSettings: (await membersOf(store.destinationSettings.all())).toSorted((a, b) =>
      destinationKey(a.to).localeCompare(destinationKey(b.to)),
    ),
  };
}

/** Opens the store in the folder and reads everything. */
export async function contentOf(dir: string): Promise<unknown> {
  const store = await openIn(dir);
  const all = await readAll(store);
  await store.close();
  return all;
}

/** Sequence of durable writes that changes every table. */
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
  (store) => store.pauses.pause(channel("c3"), "gone", T0 + 3),
  (store) => store.watchlists.remove(ALICE, [ticker("BETA")]),
  (store) => commitTo(store, articleSeen("https://wire.example/2", T0 + 4), ["c1", "c3"]),
  (store) => store.postings.post(aPosting("m3", { to: channel("c2") })),
  (store) => store.pauses.resume(channel("c3")),
  (store) => store.pauses.pause(channel("c4"), "gone", T0 + 5),
  (store) => store.rules.remove(GENERAL, [1]),
  (store) => store.directChannels.put({ person: ALICE, channelId: "dm-1" }),
  (store) => store.destinationSettings.change(ALICE, { timezone: "Pacific/Auckland", digest: true }),
  (store) => store.lastImports.put(aLastImport()),
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
