import { cp, mkdir, readdir, readFile, rename, rm, rmdir, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  aLastImport,
  announced,
  aPastSplit,
  deliveryOf,
  listedSplit,
  patchOf,
  splitId,
} from "../../../test/contract/store-builders.ts";
import { ALICE, aKnownArticle, day, ticker } from "../../../test/support/builders.ts";
import { recordedLog } from "../../../test/support/recorded-log.ts";
import { openIn, readFiles, StoreFolders } from "../../../test/support/store-folder.ts";
import type { Snapshot, SnapshotPatch } from "../../domain/diff/snapshot.ts";

import { type Store, StoreError } from "../../ports/store.ts";
import { apiKeysIn } from "../engines/sqlite/api-keys.ts";
import { MAX_LOG_BYTES } from "../engines/sqlite/checkpoints.ts";
import { DATABASE_FILE } from "../engines/sqlite/folder.ts";
import { readFolder } from "../engines/sqlite/state.ts";
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

function parse(text: string | undefined): { readonly version: number; readonly splits: unknown } {
  return JSON.parse(text ?? "") as { version: number; splits: unknown };
}

/** The content of a file apart from the number of starts. */
function contentOf(text: string | undefined): unknown {
  return { ...parse(text), sha256: null, version: null };
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

/** The files in the folder that were there before; reading a database adds an empty log with its index. */
async function unchangedFiles(dir: string, before: ReadonlyMap<string, Buffer>): Promise<Map<string, Buffer>> {
  return new Map([...(await readFiles(dir))].filter(([name]) => before.has(name)));
}

describe("the file of the snapshot", () => {
  it("has the state after each commit that changes the snapshot", async () => {
    const { dir, path, files } = await written();
    expect(files.map((text) => parse(text).version)).toEqual([2, 3, 4, 5, 6]);
    expect(parse(files[2]).splits).toEqual([listedSplit("s1", "BETA")]);
    const store = await openIn(dir);
    const { ino, mode } = await stat(path);
    expect(mode & 0o777).toBe(0o600);
    await store.snapshot.commit({ patch: null, events: [announced("s1")], deliveries: [deliveryOf(announced("s1"))] });
    await store.close();
    expect((await stat(path)).ino).toBe(ino);
  });

  it("has a new version after each start", async () => {
    const dir = await folders.make();
    for (const version of [1, 2, 3]) {
      await read(dir);
      expect(parse(await readFile(join(dir, SNAPSHOT_FILE), "utf8")).version).toBe(version);
    }
  });

  it.each([true, false])("is completed from the database if it is older; removed rows pruned: %s", async (isPruned) => {
    const { dir, path, files, snapshot } = await written({ isPruned });
    for (const older of files) {
      await writeFile(path, older);
      expect(await read(dir)).toEqual(snapshot);
      expect(contentOf(await readFile(path, "utf8"))).toEqual(contentOf(files.at(-1)));
    }
  });

  it("is written again from the database if it is missing", async () => {
    const { dir, path, files, snapshot } = await written();
    await rm(path);
    expect(await read(dir)).toEqual(snapshot);
    expect(contentOf(await readFile(path, "utf8"))).toEqual(contentOf(files.at(-1)));
  });

  it.each([
    { kind: "an empty file", damage: () => "" },
    { kind: "a file that is cut at its start", damage: () => "{" },
    { kind: "a file that is cut in the middle", damage: (text: string) => text.slice(0, text.length / 2) },
    { kind: "a file that is cut at its end", damage: (text: string) => text.slice(0, -1) },
    { kind: "another file", damage: () => "[]" },
    { kind: "a file without a version", damage: (text: string) => text.replace('"version"', '"revision"') },
    { kind: "a file with an invalid version", damage: (text: string) => text.replace('"version":6', '"version":"6"') },
    { kind: "a file with another ratio", damage: (text: string) => text.replace('"1:20"', '"1:25"') },
    { kind: "a file with an older version", damage: (text: string) => text.replace('"version":6', '"version":5') },
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
    const database = join(dir, DATABASE_FILE);
    const older = await readFile(database);
    const store = await openIn(dir);
    const snapshot = await store.snapshot.read();
    await store.watchlists.add(ALICE, [ticker("ACME")]);
    await store.close();
    await writeFile(database, older);
    const before = await readFiles(dir);

    expect(await errorOf(dir)).toBe(
      `${path} is newer than the database: its version is 7, that of the database 6. No file was changed. Put the missing files ` +
        "of the database back, or restore the folder from a backup (splitwatch restore FILE). Without them, move snapshot.json " +
        "away to continue with the older database: changes since then are lost, and alerts can be repeated",
    );
    expect(await unchangedFiles(dir, before)).toEqual(before);
    await rm(path);
    expect(await read(dir)).toEqual(snapshot);
    expect(contentOf(await readFile(path, "utf8"))).toEqual(contentOf(files.at(-1)));
  });

  it("is not used with a database without its log", async () => {
    const dir = await folders.make();
    const store = await openIn(dir);
    const problem = async (): Promise<string> => {
      const files = [...(await readFiles(dir))].filter(([name]) => !/-(?:wal|shm)$/.test(name));
      const copy = await folders.holding(new Map(files));
      const message = await errorOf(copy);
      // A backup would lack what is missing, and a new key would be the only content.
      await expect(readFolder(copy).next()).rejects.toThrow(message);
      await expect(apiKeysIn(copy).change((keys) => keys)).rejects.toThrow(message);
      expect(await unchangedFiles(copy, new Map(files))).toEqual(new Map(files));
      return message;
    };
    expect(await problem()).toMatch(/splitwatch\.db is empty beside snapshot\.json\. No file was changed/);
    await store.lastImports.put(aLastImport({ id: "x".repeat(MAX_LOG_BYTES) }));
    await expect.poll(() => problem().catch(String), { timeout: 60_000 }).toContain("is newer than the database");
    await store.close();
  });

  it("is not used with the database of another installation, whatever its version", async () => {
    for (const versions of [1, PATCHES.length]) {
      const { dir, path, snapshot } = await written();
      const other = await folders.make();
      const store = await openIn(other);
      for (let version = 0; version < versions; version += 1) await commit(store, PATCHES[0] ?? null);
      await store.close();
      await cp(join(other, DATABASE_FILE), join(dir, DATABASE_FILE));
      const before = await readFiles(dir);

      expect(await errorOf(dir)).toMatch(
        /^\S+\/snapshot\.json belongs to another database\. No file was changed\. Put the database/,
      );
      expect(await unchangedFiles(dir, before)).toEqual(before);
      await rm(path);
      expect(await read(dir)).not.toEqual(snapshot);
    }
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
    await rm(path);
    await mkdir(path);
    for (const patch of PATCHES.slice(0, 2)) await commit(store, patch);
    expect(log.count("snapshot file not written")).toBe(2);
    expect(store.health()).toBeNull();
    await rmdir(path);
    for (const patch of PATCHES.slice(2)) await commit(store, patch);
    expect(log.count("snapshot file not written")).toBe(2);
    await store.close();
    expect(parse(await readFile(path, "utf8"))).toMatchObject({ version: 6, splits: [listedSplit("s3")] });
    expect(await readdir(dir)).toEqual([SNAPSHOT_FILE, DATABASE_FILE]);
  });
});
