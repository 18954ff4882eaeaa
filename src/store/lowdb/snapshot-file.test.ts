import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { announced, commitOne, listedSplit, patchOf } from "../../../test/contract/store-builders.ts";
import { ALICE, GENERAL } from "../../../test/support/builders.ts";
import { channel, FillableDisk, openIn, StoreFolders, steppingDisk } from "../../../test/support/store-folder.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import type { Store } from "../../ports/store.ts";
import { type Disk, realDisk } from "./files/disk.ts";

const folders = new StoreFolders();
let dir: string;

beforeEach(async () => {
  dir = await folders.make();
});

afterEach(() => folders.removeAll());

/** Ids of the splits in `snapshot.json`, read without the store. */
async function splitsInFile(): Promise<readonly string[]> {
  const file = JSON.parse(await readFile(join(dir, "snapshot.json"), "utf8"));
  return file.state.splits.map(({ id }: { readonly id: string }) => id);
}

function see(store: Store, id: string): Promise<void> {
  return store.snapshot.commit({ patch: patchOf({ splits: [listedSplit(id)] }), events: [], deliveries: [] });
}

/** Counts the writes of `snapshot.json` and can block them. */
class HeldDisk {
  writes = 0;
  running = 0;
  maxRunning = 0;
  held: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;

  readonly disk: Disk = {
    ...realDisk,
    replace: async (path, text) => {
      if (!path.endsWith("snapshot.json")) return realDisk.replace(path, text);
      this.writes += 1;
      this.running += 1;
      this.maxRunning = Math.max(this.maxRunning, this.running);
      await this.held;
      await realDisk.replace(path, text);
      this.running -= 1;
    },
  };

  hold(): void {
    this.held = new Promise((released) => {
      this.#release = released;
    });
  }

  release(): void {
    this.#release();
  }
}

describe("snapshot.json", () => {
  it("is current after each commit that changes the snapshot, while the store is open", async () => {
    const store = await openIn(dir);
    for (const id of ["s1", "s2", "s3"]) {
      await see(store, id);
      await expect.poll(splitsInFile).toContain(id);
    }
    await store.close();
  });

  it("is not written by commits and deliveries that do not change the snapshot", async () => {
    const held = new HeldDisk();
    const store = await openIn(dir, { disk: held.disk });
    await see(store, "s1");
    await expect.poll(splitsInFile).toEqual(["s1"]);
    const before = held.writes;
    for (const to of [ALICE, GENERAL, channel("c1")]) await commitOne(store, announced("s1"), to);
    await store.outbox.pause(ALICE, "gone", 0);
    await store.close();

    expect(held.writes).toBe(before);
  });

  it("does not delay commits, is written by one writer at a time, and skips to the newest snapshot", async () => {
    const held = new HeldDisk();
    const store = await openIn(dir, { disk: held.disk });
    const before = held.writes;
    held.hold();
    const ids = Array.from({ length: 50 }, (_, n) => `s${n}`);
    for (const id of ids) await see(store, id);
    await expect.poll(() => held.writes - before).toBe(1);
    for (const id of ids) await see(store, `${id}-more`);
    expect(await splitsInFile()).toEqual([]);
    held.release();
    await store.close();

    expect(held.writes - before).toBe(2);
    expect(held.maxRunning).toBe(1);
    expect(await splitsInFile()).toHaveLength(100);
  });

  it("is written later if the disk is full, and the commit remains valid", async () => {
    const disk = new FillableDisk(realDisk);
    const warnings: string[] = [];
    const warn = (event: string): void => void warnings.push(event);
    const store = await openIn(dir, { disk, log: { ...SILENT_LOG, warn } });
    // Space for the record in the log, but not for the file.
    disk.free = 1_000;
    await see(store, "s1");
    await expect.poll(() => warnings).toEqual(["snapshot file not written"]);
    expect(await splitsInFile()).toEqual([]);
    const copy = await openIn(await folders.copyOf(dir));
    expect([...(await copy.snapshot.read()).splits.keys()]).toEqual(["s1"]);
    await copy.close();
    // Also starts a write that checks for space, so it must not run while the folder is copied.
    expect(store.health()).toMatch(/cannot write .*snapshot\.json.*: ENOSPC/);

    disk.free = Number.POSITIVE_INFINITY;
    await expect.poll(() => store.health()).toBeNull();
    await expect.poll(splitsInFile).toEqual(["s1"]);
    await store.close();
  });

  it("may be older than the log after a kill; the next start updates it", async () => {
    const copies: string[] = [];
    const disk = steppingDisk(realDisk, async () => {
      copies.push(await folders.copyOf(dir));
    });
    const store = await openIn(dir, { disk });
    await see(store, "s1");
    await expect.poll(splitsInFile).toEqual(["s1"]);
    copies.length = 0;
    await see(store, "s2");
    await store.close();

    const missingInFile = new Set<number>();
    for (const copy of copies) {
      dir = copy;
      const inFile = await splitsInFile();
      const reopened = await openIn(copy);
      const known = [...(await reopened.snapshot.read()).splits.keys()];
      missingInFile.add(known.length - inFile.length);
      expect(await splitsInFile()).toEqual(known);
      await reopened.close();
    }
    expect(missingInFile).toEqual(new Set([0, 1]));
  });
});
