import { readdir } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { announced, aPosting, commitOne, deliveryOf } from "../../../test/contract/store-builders.ts";
import { ALICE, aRule, BOB, ticker } from "../../../test/support/builders.ts";
import { anObservation } from "../../../test/support/observations.ts";
import { membersOf } from "../../../test/support/pages.ts";
import { aRelease } from "../../../test/support/releases.ts";
import { contentOf, FillableDisk, openIn, readAll, STORY, StoreFolders } from "../../../test/support/store-folder.ts";
import type { Destination } from "../../domain/alert/destination.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { type Store, StoreError } from "../../ports/store.ts";
import { realDisk } from "./files/disk.ts";

const folders = new StoreFolders();
let dir: string;
let disk: FillableDisk;
let store: Store;

beforeEach(async () => {
  dir = await folders.make();
  disk = new FillableDisk(realDisk);
  store = await openIn(dir, { disk });
});

afterEach(async () => {
  await store.close();
  await folders.removeAll();
});

const destination = (n: number): Destination => ({ ...ALICE, id: `p${n}` });

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a full disk", () => {
  it.each([0, 1, 10, 50])(
    "rejects every change with the reason and changes nothing, with %i bytes left",
    async (left) => {
      for (const step of STORY.slice(0, 4)) await step(store);
      const before = await readAll(store);

      const changes: (() => Promise<unknown>)[] = [
        () => commitOne(store, announced("s9"), BOB),
        () => store.rules.add(aRule({ mention: "x".repeat(300) })),
        () =>
          store.watchlists.add(
            BOB,
            Array.from({ length: 60 }, (_, n) => ticker(`T${n}`)),
          ),
        () => store.watchlists.remove(ALICE, [ticker("NONE"), ticker("ACME")]),
        () => store.postings.post(aPosting("m9", { body: "x".repeat(300) })),
        () => store.outbox.pause(BOB, "x".repeat(300), 0),
        () => store.releases.put([aRelease()]),
        () => store.observations.put([anObservation()]),
      ];
      for (const change of changes) {
        disk.free = left;
        const error: unknown = await change().then(
          () => "done",
          (reason: unknown) => reason,
        );
        expect(error).toBeInstanceOf(StoreError);
        expect(String(error)).toMatch(/cannot write .*: ENOSPC: no space left on device/);
        expect(await readAll(store)).toEqual(before);
      }

      disk.free = Number.POSITIVE_INFINITY;
      for (const change of changes) await change();
      const after = await readAll(store);
      expect(after).not.toEqual(before);
      await store.close();
      expect(await contentOf(dir)).toEqual(after);
      expect((await readdir(dir)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    },
  );

  it("rejects the changes of the failed write, but not those before and after it", async () => {
    disk.free = 400;
    const tickers = Array.from({ length: 40 }, (_, n) => ticker(`LONG${n}`));
    const small = store.watchlists.add(ALICE, [ticker("ACME")]);
    await turn();
    const large = store.watchlists.add(BOB, tickers);
    await small;
    await expect(large).rejects.toThrow(StoreError);
    expect(await membersOf(store.watchlists.watchersOf(tickers))).toEqual([]);

    disk.free = 400;
    await store.watchlists.add(ALICE, [ticker("BETA")]);
    await store.close();
    store = await openIn(dir);
    expect(await store.watchlists.of(ALICE)).toEqual([ticker("ACME"), ticker("BETA")]);
    expect(await store.watchlists.of(BOB)).toEqual([]);
  });

  it("is reported by health, which detects free space", async () => {
    disk.free = 0;
    await expect(store.rules.add(aRule())).rejects.toThrow(StoreError);
    expect(store.health()).toMatch(/cannot write .*changes-000001\.log.*: ENOSPC/);

    disk.free = Number.POSITIVE_INFINITY;
    await expect.poll(() => store.health()).toBeNull();
  });

  it("is reported by health while only short writes succeed", async () => {
    disk.free = 0;
    await expect(store.rules.add(aRule())).rejects.toThrow(StoreError);
    for (const name of ["ACME", "BETA", "GAMA"]) {
      disk.free = 400;
      await store.watchlists.add(ALICE, [ticker(name)]);
      expect(store.health()).toMatch(/ENOSPC/);
    }
  });

  it("is reported by health when the log does not fit", async () => {
    disk.free = 0;
    await expect(commitOne(store, announced("s1"), BOB)).rejects.toThrow(StoreError);
    expect(store.health()).toMatch(/cannot write .*changes-000001\.log.*: ENOSPC/);
  });

  it("keeps durable changes if only the checkpoint fails, and writes it later", async () => {
    await store.close();
    const events: string[] = [];
    const record = (event: string): void => void events.push(event);
    store = await openIn(dir, {
      disk,
      log: { ...SILENT_LOG, warn: record, debug: record },
      checkpointAboveBytes: 3_000,
    });
    for (let n = 0; n < 40; n += 1) {
      // Space for the line, but not for all files.
      disk.free = 900;
      await commitOne(store, announced("s1"), destination(n));
    }
    expect((await store.outbox.summary()).waiting).toBe(40);
    expect(events).toContain("checkpoint failed");
    // Not with every line: that would be most expensive while the disk is full.
    expect(events.length).toBeLessThan(6);

    disk.free = Number.POSITIVE_INFINITY;
    let count = 40;
    for (; !events.includes("checkpoint written") && count < 400; count += 1) {
      await commitOne(store, announced("s1"), destination(count));
    }
    expect(events).toContain("checkpoint written");
    await store.close();
    store = await openIn(dir);
    expect((await store.outbox.summary()).waiting).toBe(count);
  });

  it("rejects if pruning fails, and prunes nothing", async () => {
    for (const step of STORY) await step(store);
    const before = await readAll(store);
    disk.free = 50;
    await expect(store.prune(Number.POSITIVE_INFINITY)).rejects.toThrow(StoreError);
    expect(await readAll(store)).toEqual(before);

    disk.free = Number.POSITIVE_INFINITY;
    await store.prune(Number.POSITIVE_INFINITY);
    expect(await store.outbox.outcome(deliveryOf(announced("s1"), ALICE).id)).toBeNull();
  });

  it("ends the deletion of old postings after some of them, and later continues it", async () => {
    const ids = Array.from({ length: 2_500 }, (_, n) => `m${n}`);
    await Promise.all(ids.map((messageId) => store.postings.post(aPosting(messageId, { at: 0, body: null }))));
    const count = (): Promise<number> => store.postings.count("", 0);
    disk.free = 40_000;
    await expect(store.prune(1)).rejects.toThrow(StoreError);
    expect(await count()).toBe(1_500);

    disk.free = Number.POSITIVE_INFINITY;
    await store.prune(1);
    expect(await count()).toBe(0);
  });

  it("does not prevent the store from starting", async () => {
    for (const step of STORY) await step(store);
    const all = await readAll(store);
    await store.close();

    disk.free = 0;
    store = await openIn(dir, { disk });
    expect(await readAll(store)).toEqual(all);
    expect(store.health()).toMatch(/ENOSPC/);
  });
});

describe("a burst", () => {
  it("of 1,000 watches is durable for each caller and costs few writes", async () => {
    const before = disk.synced;
    const people = Array.from({ length: 1_000 }, (_, n) => ({ ...ALICE, id: `p${n}` }));
    await Promise.all(people.map((person) => store.watchlists.add(person, [ticker("ACME")])));
    expect(disk.synced - before).toBeLessThanOrEqual(2);

    const copy = await openIn(await folders.copyOf(dir));
    expect(await copy.watchlists.count()).toEqual({ people: 1_000, tickers: 1 });
    await copy.close();
  });

  it("of 1,000 commits costs few syncs", async () => {
    const before = disk.synced;
    const destinations = Array.from({ length: 1_000 }, (_, n) => ({ ...ALICE, id: `p${n}` }));
    await Promise.all(destinations.map((to) => commitOne(store, announced("s1"), to)));
    expect(disk.synced - before).toBeLessThanOrEqual(2);

    const copy = await openIn(await folders.copyOf(dir));
    expect((await copy.outbox.summary()).waiting).toBe(1_000);
    await copy.close();
  });
});
