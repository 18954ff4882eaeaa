import { expect, it } from "vitest";
import type { SourceReads } from "../../../src/ports/state-records.ts";
import type { KeyOf, SourceRecords, Store } from "../../../src/ports/store.ts";
import { observationKey, releaseKey, sourceReadsKey } from "../../../src/ports/store.ts";
import { anObservation } from "../../support/observations.ts";
import { aRelease } from "../../support/releases.ts";
import { waitUntil } from "../../support/wait-until.ts";
import type { CurrentStore, Restart, Second } from "../store-builders.ts";
import { acrossRestart, FAR_FUTURE } from "../store-builders.ts";

interface Stores {
  readonly use: CurrentStore;
  readonly restart: Restart;
  readonly openSecond: Second | undefined;
}

/** One kind of source records. */
interface RecordKind<T> {
  in(store: Store): SourceRecords<T>;
  readonly keyOf: KeyOf<T>;
  /** Different numbers give different keys. */
  readonly make: (number: number, version?: string) => T;
  /** Records with every field that may be missing, and with unusual characters. */
  readonly examples: readonly [T, T];
}

export function describeReleases(stores: Stores): void {
  describeSourceRecords(stores, {
    in: (store) => store.releases,
    keyOf: releaseKey,
    make: (number, version = "1") => aRelease({ url: `https://wire.example/${number}`, version }),
    examples: [
      aRelease({ url: "https://wire.example/a", text: null, readVersion: null, problem: "no answer", tries: 2 }),
      aRelease({ url: "https://wire.example/b", text: "Ratio “1‑for‑20”.\n\nSecond paragraph.", publishedAt: null }),
    ],
  });
}

export function describeObservations(stores: Stores): void {
  const { use, restart } = stores;
  describeSourceRecords(stores, {
    in: (store) => store.observations,
    keyOf: observationKey,
    make: (number, version = "1") => anObservation({ id: String(number), evidence: { ratio: version } }),
    examples: [
      anObservation({ id: "a", ratio: null, exDate: null, company: null, listings: [], evidence: {} }),
      anObservation({
        id: "b",
        kind: "cancelled",
        newCusip: "00123Q203",
        evidence: { company: "Ümläut “Acme”\nInc." },
      }),
    ],
  });

  it("keep every revision, and those of other sources under the same id", async () => {
    const revisions = [
      anObservation({ observedAt: 1_000, ratio: "1:15" }),
      anObservation({ observedAt: 2_000, ratio: "1:16" }),
      anObservation({ observedAt: 1_000, source: "finra" }),
    ];
    for (const revision of revisions) await use().observations.put([revision]);
    for await (const store of acrossRestart(use, restart)) {
      const all = await store.observations.all();
      expect(new Set(all)).toEqual(new Set(revisions));
      expect(all).toHaveLength(revisions.length);
    }

    await use().observations.remove(revisions.slice(0, 1).map(observationKey));
    expect(new Set(await (await restart()).observations.all())).toEqual(new Set(revisions.slice(1)));
  });
}

function someReads(source: string, version: string): SourceReads {
  const firstReadAt = Date.parse("2026-03-02T14:00:00Z");
  return { source, firstReadAt, lastReadAt: firstReadAt + Number.parseInt(version, 36), filledAt: null };
}

export function describeSourceReads(stores: Stores): void {
  describeSourceRecords(stores, {
    in: (store) => store.sourceReads,
    keyOf: sourceReadsKey,
    make: (number, version = "1") => someReads(String(number), version),
    examples: [someReads("a", "1"), { ...someReads("b “feed”", "2"), filledAt: Date.parse("2026-03-02T14:01:00Z") }],
  });
}

/** Contract of every kind of source records. */
function describeSourceRecords<T>({ use, restart, openSecond }: Stores, kind: RecordKind<T>): void {
  const { make, keyOf, examples } = kind;
  const keys = [1, 2, 3].map((number) => keyOf(make(number)));
  const [first = "", second = "", third = ""] = keys;

  async function keysIn(store: Store): Promise<readonly string[]> {
    return (await kind.in(store).all()).map(keyOf).toSorted();
  }

  it("are empty initially", async () => {
    expect(await kind.in(use()).all()).toEqual([]);
  });

  it("are kept unchanged", async () => {
    await Promise.all(examples.map((example) => kind.in(use()).put([example])));

    for await (const store of acrossRestart(use, restart)) {
      const all = (await kind.in(store).all()).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
      expect(all).toEqual(examples);
    }
  });

  it("replace the record with the same key", async () => {
    await kind.in(use()).put([make(1, "first")]);
    await kind.in(use()).put([make(2)]);
    const corrected = make(1, "second");
    await kind.in(use()).put([corrected]);

    for await (const store of acrossRestart(use, restart)) {
      expect(await keysIn(store)).toEqual([first, second]);
      expect(await kind.in(store).all()).toContainEqual(corrected);
    }
  });

  it("no longer exist after they are removed, until they are added again", async () => {
    for (const number of [1, 2, 3]) await kind.in(use()).put([make(number)]);
    await kind.in(use()).remove([first, third, keyOf(make(99))]);
    await kind.in(use()).remove([]);
    for await (const store of acrossRestart(use, restart)) expect(await keysIn(store)).toEqual([second]);

    await kind.in(use()).put([make(3)]);
    for await (const store of acrossRestart(use, restart)) expect(await keysIn(store)).toEqual([second, third]);
  });

  it("are kept when old data is pruned", async () => {
    await kind.in(use()).put([make(1)]);
    await use().prune(FAR_FUTURE);
    expect(await keysIn(await restart())).toHaveLength(1);
  });

  it("equal the last of many simultaneous writes", async () => {
    const versions = Array.from({ length: 2_500 }, (_, number) => String(number));
    await Promise.all(versions.map((version) => kind.in(use()).put([make(1, version)])));
    await kind.in(use()).put([make(2)]);
    for await (const store of acrossRestart(use, restart)) {
      expect(await keysIn(store)).toEqual([first, second]);
      expect(await kind.in(store).all()).toContainEqual(make(1, "2499"));
    }
  });

  it("don't report the changes of this process", async () => {
    const reported: unknown[] = [];
    await kind.in(use()).all();
    kind.in(use()).onChange((change) => reported.push(change));
    await kind.in(use()).put([make(1)]);
    await kind.in(use()).remove([first]);
    await kind.in(use()).all();
    expect(reported).toEqual([]);
  });

  if (!openSecond) return;

  it("report the changes of other processes, which give the current records together with the last read", async () => {
    const other = await openSecond();
    for (const number of [1, 2]) await kind.in(use()).put([make(number)]);
    const known = new Map((await kind.in(other).all()).map((record) => [keyOf(record), record]));
    const remove = kind.in(other).onChange(({ put, removed }) => {
      for (const record of put) known.set(keyOf(record), record);
      for (const key of removed) known.delete(key);
    });
    const followed = (records: readonly T[]): Promise<void> =>
      waitUntil("the changes arrive", async () => {
        return (
          JSON.stringify([...known.values()].map(keyOf).toSorted()) === JSON.stringify(records.map(keyOf).toSorted())
        );
      });

    await kind.in(use()).put([make(3)]);
    await kind.in(use()).remove([first]);
    await followed([make(2), make(3)]);
    await kind.in(use()).put([make(2, "changed"), make(1)]);
    await followed([make(1), make(2), make(3)]);
    expect(known.get(second)).toEqual(make(2, "changed"));

    remove();
    await kind.in(use()).put([make(4)]);
    await kind.in(other).put([make(5)]);
    expect(await keysIn(other)).toHaveLength(5);
    expect(known.size).toBe(3);
  });

  it("don't report to a process what it has written itself, and the last of all changes to both", async () => {
    const other = await openSecond();
    const stores = [use(), other];
    const seen = stores.map(() => new Map<string, T>());
    for (const [index, store] of stores.entries()) {
      await kind.in(store).all();
      kind.in(store).onChange(({ put }) => {
        for (const record of put) seen[index]?.set(keyOf(record), record);
      });
    }
    await kind.in(use()).put([make(1)]);
    await kind.in(other).put([make(2)]);
    await waitUntil("both changes arrive", async () => seen.every(({ size }) => size > 0));
    expect(seen.map((records) => [...records.keys()])).toEqual([[second], [first]]);
  });
}
