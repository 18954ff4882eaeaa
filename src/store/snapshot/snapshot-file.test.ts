import { mkdir, readdir, readFile, rename, rm, rmdir, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  announced,
  aPastSplit,
  deliveryOf,
  listedSplit,
  patchOf,
  splitId,
} from "../../../test/contract/store-builders.ts";
import { aKnownArticle, day } from "../../../test/support/builders.ts";
import { recordedLog } from "../../../test/support/recorded-log.ts";
import { openIn, StoreFolders } from "../../../test/support/store-folder.ts";
import type { Snapshot, SnapshotPatch } from "../../domain/diff/snapshot.ts";

import { type Store, StoreError } from "../../ports/store.ts";
import { DATABASE_FILE } from "../engines/sqlite/folder.ts";
import { SNAPSHOT_FILE } from "./snapshot-file.ts";

const folders = new StoreFolders();

afterEach(() => folders.removeAll());

/** Patches that add, change, remove and replace rows. Each makes a new version. */
const PATCHES: readonly SnapshotPatch[] = [
  patchOf({ splits: [listedSplit("s1"), listedSplit("s2")], articles: [aKnownArticle()] }),
  patchOf({ splits: [listedSplit("s1", "BETA")], past: { joining: [aPastSplit("p1")], from: day("2024-01-01") } }),
  patchOf({ removedSplits: [splitId("s2")], past: { joining: [], from: day("2027-01-01") } }),
  patchOf({ replaces: true, splits: [listedSplit("s3"), listedSplit("s4")] }),
  patchOf({ removedSplits: [splitId("s4")] }),
];

function commit(store: Store, patch: SnapshotPatch | null): Promise<void> {
  return store.snapshot.commit({ patch, events: [], deliveries: [] });
}

interface Written {
  readonly dir: string;
  readonly path: string;
  /** Content of the file after each commit. */
  readonly files: readonly string[];
  readonly snapshot: Snapshot;
}

/** Creates a folder with the versions of `PATCHES`. `isPruned`: the traces of removed rows are removed. */
async function written({ isPruned = false } = {}): Promise<Written> {
  const dir = await folders.make();
  const path = join(dir, SNAPSHOT_FILE);
  const store = await openIn(dir);
  const files: string[] = [];
  for (const patch of PATCHES) {
    await commit(store, patch);
    files.push(await readFile(path, "utf8"));
  }
  if (isPruned) await store.prune(0);
  const snapshot = await store.snapshot.read();
  await store.close();
  return { dir, path, files, snapshot };
}

async function read(dir: string): Promise<Snapshot> {
  const store = await openIn(dir);
  try {
    return await store.snapshot.read();
  } finally {
    await store.close();
  }
}

async function errorOf(dir: string): Promise<string> {
  const error: unknown = await read(dir).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StoreError);
  return (error as StoreError).message;
}

describe("the file of the snapshot", () => {
  it("has the state after each commit that changes the snapshot", async () => {
    const { dir, path, files } = await written();
    expect(files.map((text) => JSON.parse(text).version)).toEqual([1, 2, 3, 4, 5]);
    expect(JSON.parse(files[2] ?? "").splits).toEqual([listedSplit("s1", "BETA")]);
    const { ino, mode } = await stat(path);
    expect(mode & 0o777).toBe(0o600);
    const store = await openIn(dir);
    await store.snapshot.commit({ patch: null, events: [announced("s1")], deliveries: [deliveryOf(announced("s1"))] });
    await store.close();
    expect((await stat(path)).ino).toBe(ino);
  });

  it("does not exist before the first commit", async () => {
    const dir = await folders.make();
    await read(dir);
    expect(await readdir(dir)).toEqual([DATABASE_FILE]);
  });

  it.each([true, false])("is completed from the database if it is older; removed rows pruned: %s", async (isPruned) => {
    const { dir, path, files, snapshot } = await written({ isPruned });
    for (const older of files) {
      await writeFile(path, older);
      expect(await read(dir)).toEqual(snapshot);
      expect(JSON.parse(await readFile(path, "utf8"))).toEqual(JSON.parse(files.at(-1) ?? ""));
    }
  });

  it("is written again from the database if it is missing", async () => {
    const { dir, path, files, snapshot } = await written();
    await rm(path);
    expect(await read(dir)).toEqual(snapshot);
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual(JSON.parse(files.at(-1) ?? ""));
  });

  it.each([
    { kind: "an empty file", damage: () => "" },
    { kind: "a file that is cut at its start", damage: () => "{" },
    { kind: "a file that is cut in the middle", damage: (text: string) => text.slice(0, text.length / 2) },
    { kind: "a file that is cut at its end", damage: (text: string) => text.slice(0, -1) },
    { kind: "another file", damage: () => "[]" },
    { kind: "a file without a version", damage: (text: string) => text.replace('"version"', '"revision"') },
    { kind: "a file with an invalid version", damage: (text: string) => text.replace('"version":5', '"version":"5"') },
    { kind: "a file with an invalid split", damage: (text: string) => text.replace('"ticker"', '"symbol"') },
  ])("is not changed by a start that can't read it: $kind", async ({ damage }) => {
    const { dir, path, files, snapshot } = await written();
    const text = damage(files.at(-1) ?? "");
    expect(text).not.toBe(files.at(-1));
    await writeFile(path, text);
    const message = await errorOf(dir);
    expect(message).toMatch(
      /^\S+\/snapshot\.json can't be read \(.*\)\. No file was changed\. Move snapshot\.json away/,
    );
    expect(message).toContain(path);
    expect(await readFile(path, "utf8")).toBe(text);

    await rename(path, `${path}.old`);
    expect(await read(dir)).toEqual(snapshot);
  });

  it("is not used with an older database", async () => {
    const { dir, path, files } = await written();
    const older = await folders.make();
    const store = await openIn(older);
    await commit(store, PATCHES[0] ?? null);
    const snapshot = await store.snapshot.read();
    await store.close();
    await writeFile(join(older, SNAPSHOT_FILE), await readFile(path));

    expect(await errorOf(older)).toBe(
      `${join(older, SNAPSHOT_FILE)} is newer than the database: its version is 5, that of the database 1. No file was changed. ` +
        "Restore the folder from a backup (splitwatch restore FILE). Without one, move snapshot.json away to continue with the " +
        "older database: alerts since then can be repeated",
    );
    expect(await readFile(join(older, SNAPSHOT_FILE), "utf8")).toBe(files.at(-1));
    await rm(join(older, SNAPSHOT_FILE));
    expect(await read(older)).toEqual(snapshot);
    expect(dir).not.toBe(older);
  });

  it.each([
    { state: "missing", damage: (path: string) => rm(path) },
    { state: "empty", damage: (path: string) => truncate(path) },
  ])("does not become that of a first run if the database is $state", async ({ state, damage }) => {
    const { dir, path, files } = await written();
    const database = join(dir, DATABASE_FILE);
    await damage(database);
    const names = await readdir(dir);
    expect(await errorOf(dir)).toMatch(
      new RegExp(
        `^${database} is ${state} beside snapshot\\.json\\. No file was changed\\. Move the folder ${dir} away; then`,
      ),
    );
    expect(await readdir(dir)).toEqual(names);
    expect(await readFile(path, "utf8")).toBe(files.at(-1));
  });

  it("is written with a later commit if it can't be written with the one that changes the snapshot", async () => {
    const dir = await folders.make();
    const path = join(dir, SNAPSHOT_FILE);
    const log = recordedLog();
    const store = await openIn(dir, { log });
    await mkdir(path);
    for (const patch of PATCHES.slice(0, 2)) await commit(store, patch);
    expect(log.count("snapshot file not written")).toBe(2);
    expect(store.health()).toBeNull();
    await rmdir(path);
    for (const patch of PATCHES.slice(2)) await commit(store, patch);
    expect(log.count("snapshot file not written")).toBe(2);
    await store.close();
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual(JSON.parse((await written()).files.at(-1) ?? ""));
    expect(await readdir(dir)).toEqual([SNAPSHOT_FILE, DATABASE_FILE]);
  });
});
