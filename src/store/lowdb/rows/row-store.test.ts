import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ALICE } from "../../../../test/support/builders.ts";
import { recordedLog } from "../../../../test/support/recorded-log.ts";
import { repetitions } from "../../../../test/support/soak.ts";
import { FillableDisk, StoreFolders, steppingDisk } from "../../../../test/support/store-folder.ts";
import { TurnCounter, workForLong } from "../../../../test/support/turns.ts";
import { SILENT_LOG } from "../../../ports/log.ts";
import { StoreError } from "../../../ports/store.ts";
import { emptyLog } from "../files/append-only-log.ts";
import { type Disk, realDisk } from "../files/disk.ts";
import { type FileReader, fileReader } from "../files/file-reader.ts";
import { CheckpointWriter, createRows } from "./checkpoint.ts";
import { RowStore, type RowStoreOptions } from "./row-store.ts";
import { readRows } from "./stored-rows.ts";
import type { Table } from "./table.ts";
import { Tables } from "./tables.ts";

const folders = new StoreFolders();
let dir: string;

beforeEach(async () => {
  dir = await folders.make();
  await createRows(realDisk, dir, await readRows(realDisk, dir, fileReader));
});

afterEach(() => folders.removeAll());

const NEVER = 1_000_000_000;

async function open(options: Partial<RowStoreOptions> = {}): Promise<RowStore> {
  const parts = { disk: realDisk, dir, log: SILENT_LOG, checkpointAboveBytes: NEVER, ...options };
  return RowStore.open(await readRows(parts.disk, parts.dir, fileReader), parts);
}

function watch(store: RowStore, person: string, list: string | null): Promise<void> {
  const { watchlists } = store.changes.tables;
  return store.changes.change((transaction) => {
    if (list === null) transaction.remove(watchlists, person);
    else transaction.put(watchlists, person, list);
  });
}

function contentOf(table: Table<string>): Readonly<Record<string, string>> {
  return Object.fromEntries([...table.rows()].map(({ key, value }) => [key, value]));
}

/** The watchlists that a start would read. */
async function stored(folder = dir): Promise<Readonly<Record<string, string>>> {
  return contentOf((await readRows(realDisk, folder, fileReader)).tables.watchlists);
}

async function segmentsIn(folder = dir): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => /-\d{6}\.json$/.test(name));
}

function fail(): Promise<never> {
  return Promise.reject(new Error("EIO: i/o error"));
}

const person = (n: number): string => `web:person:p${n}`;

describe("changes of rows", () => {
  it("see the changes before them, are visible when they are durable, and share few syncs", async () => {
    const disk = new FillableDisk(realDisk);
    const store = await open({ disk });
    const { watchlists } = store.changes.tables;
    const lengths = Array.from({ length: 500 }, (_, n) =>
      store.changes.change((transaction) => {
        const next = `${transaction.get(watchlists, "web:person:alice") ?? ""}${n},`;
        transaction.put(watchlists, "web:person:alice", next);
        return next.split(",").length - 1;
      }),
    );
    expect(watchlists.size).toBe(0);
    expect(await Promise.all(lengths)).toEqual(Array.from({ length: 500 }, (_, n) => n + 1));
    expect(disk.synced).toBeLessThanOrEqual(2);
    expect(contentOf(watchlists)).toEqual(await stored());
    await store.close();
  });

  it("yield to the event loop if they take long together", async () => {
    const store = await open();
    const { watchlists } = store.changes.tables;
    const turns = new TurnCounter();
    const turnsOfSteps = Array.from({ length: 5 }, (_, n) =>
      store.changes.change((transaction) => {
        workForLong();
        transaction.put(watchlists, person(n), "ACME");
        return turns.count;
      }),
    );
    expect(new Set(await Promise.all(turnsOfSteps)).size).toBe(5);
    turns.stop();
    expect(watchlists.size).toBe(5);
    await store.close();
  });

  it("are replayed from chunks of the log, and other work continues meanwhile", async () => {
    const store = await open();
    const list = "ACME ".repeat(400).trim();
    await Promise.all(Array.from({ length: 1_000 }, (_, n) => watch(store, `web:person:p${n}`, list)));
    await store.close();
    const sizes: number[] = [];
    const turnsAtChunks = new Set<number>();
    const turns = new TurnCounter();
    const reader: FileReader = {
      ...fileReader,
      readFile: (path) => (path.endsWith(".log") ? Promise.reject(new Error(path)) : fileReader.readFile(path)),
      readChunks: async function* (path, end) {
        for await (const chunk of fileReader.readChunks(path, end)) {
          sizes.push(chunk.length);
          turnsAtChunks.add(turns.count);
          yield chunk;
        }
      },
    };

    expect((await readRows(realDisk, dir, reader)).tables.watchlists.size).toBe(1_000);
    turns.stop();
    expect(Math.max(...sizes)).toBe(64 * 1024);
    expect(turnsAtChunks.size).toBeGreaterThan(20);
  });

  it("of a large transaction are stored and lost together, whenever the process is killed", async () => {
    const found = new Set<number>();
    const disk = steppingDisk(realDisk, async () => {
      found.add(Object.keys(await stored()).length);
    });
    const store = await open({ disk });
    const { watchlists } = store.changes.tables;
    await store.changes.change((transaction) => {
      for (let n = 0; n < 12_000; n += 1) transaction.put(watchlists, person(n), "ACME BETA GAMMA DELTA");
    });
    await store.close();
    const log = await readFile(join(dir, "changes-000001.log"), "utf8");
    expect(log.split("\n").length).toBeGreaterThan(10);
    expect(found).toEqual(new Set([0, 12_000]));
    const again = await open();
    await watch(again, person(0), "ZETA");
    await again.close();
    expect(await stored()).toMatchObject({ [person(0)]: "ZETA", [person(11_999)]: "ACME BETA GAMMA DELTA" });
  });

  it("of some fields leave the others and missing rows as they are, also after a restart", async () => {
    const store = await open();
    const { pauses } = store.changes.tables;
    const pause = { to: ALICE, reason: "gone", at: 1, retryAt: 2, refusals: 1 };
    await store.changes.change((transaction) => {
      transaction.put(pauses, person(1), pause);
      transaction.set(pauses, person(1), { retryAt: 3 });
      transaction.set(pauses, person(2), { retryAt: 3 });
      expect(transaction.get(pauses, person(1))).toEqual({ ...pause, retryAt: 3 });
    });
    await store.changes.change((transaction) => transaction.set(pauses, person(1), { refusals: 2 }));
    await store.close();
    const { tables } = await readRows(realDisk, dir, fileReader);
    expect([...tables.pauses.values()]).toEqual([{ ...pause, retryAt: 3, refusals: 2 }]);
  });

  it("write nothing if there are none, and only the change of the row at any number of rows", async () => {
    const disk = new FillableDisk(realDisk);
    const store = await open({ disk });
    const { watchlists } = store.changes.tables;
    await store.changes.change((transaction) => transaction.get(watchlists, person(1)));
    expect(disk.synced).toBe(0);

    const written: number[] = [];
    for (const rows of [0, 5_000]) {
      await Promise.all(Array.from({ length: rows }, (_, n) => watch(store, person(n), "ACME BETA")));
      disk.free = 1_000_000;
      await watch(store, person(99_999), rows === 0 ? "ACME" : "BETA");
      written.push(1_000_000 - disk.free);
      disk.free = Number.POSITIVE_INFINITY;
    }
    const [empty = 0, full = 0] = written;
    expect(Math.abs(full - empty)).toBeLessThan(10);
    await store.close();
  });

  it("of a step that throws are dropped, and those of other callers are kept", async () => {
    const store = await open();
    const { watchlists } = store.changes.tables;
    const failing = store.changes.change((transaction) => {
      transaction.put(watchlists, person(1), "ACME");
      throw new Error("a bug");
    });
    const others = [watch(store, person(2), "BETA"), watch(store, person(3), null)];
    await expect(failing).rejects.toThrow("a bug");
    await Promise.all(others);
    await store.close();
    expect(await stored()).toEqual({ [person(2)]: "BETA" });
  });

  it("of steps that throw are reverted row by row, without a second pass over those of other callers", async () => {
    const store = await open();
    const { pauses, watchlists } = store.changes.tables;
    const pause = { to: ALICE, reason: "gone", at: 1, retryAt: 2, refusals: 1 };
    await store.changes.change((transaction) => transaction.put(pauses, person(1), pause));
    let reads = 0;
    const fields = {
      get retryAt() {
        reads += 1;
        return 3;
      },
    };
    const failing = (): Promise<void> =>
      store.changes.change((transaction) => {
        transaction.set(pauses, person(1), { refusals: 9 });
        transaction.remove(pauses, person(1));
        for (const list of ["ACME", "BETA"]) transaction.put(watchlists, person(2), list);
        throw new Error("a bug");
      });
    const set = store.changes.change((transaction) => transaction.set(pauses, person(1), fields));
    const others = Array.from({ length: 10 }, failing);
    const found = store.changes.change((transaction) => [
      transaction.get(pauses, person(1)),
      transaction.get(watchlists, person(2)),
    ]);
    await Promise.allSettled([set, ...others]);
    // Pending, written and applied.
    expect(reads).toBe(3);
    expect(await found).toEqual([{ ...pause, retryAt: 3 }, undefined]);
    await store.close();
    const { tables } = await readRows(realDisk, dir, fileReader);
    expect([[...tables.pauses.values()], tables.watchlists.size]).toEqual([[{ ...pause, retryAt: 3 }], 0]);
  });

  it("are numbered by the log, so that one whose index fails doesn't make the log unreadable", async () => {
    const store = await open();
    const { watchlists } = store.changes.tables;
    watchlists.addIndex({
      changed: ({ key }) => {
        if (key === person(1)) throw new Error("a bug");
      },
    });
    const results = await Promise.allSettled([0, 1, 2].map((n) => watch(store, person(n), "ACME")));
    expect(results.map(({ status }) => status)).toContain("rejected");
    await watch(store, person(3), "BETA");
    await store.close();
    expect(Object.keys(await stored())).toEqual([0, 1, 2, 3].map(person));
  });

  it("are exactly the acknowledged ones, however often the disk is full", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ free: fc.option(fc.nat(300)), n: fc.nat(3), isForced: fc.boolean() }), { maxLength: 12 }),
        async (steps) => {
          const disk = new FillableDisk(realDisk);
          const store = await open({ disk });
          const expected: Record<string, string> = await stored();
          for (const [at, { free, n, isForced }] of steps.entries()) {
            disk.free = free ?? Number.POSITIVE_INFINITY;
            const isDone = await watch(store, person(n), `T${at}`).then(
              () => true,
              () => false,
            );
            if (isDone) expected[person(n)] = `T${at}`;
            if (isForced) await store.checkpoint().catch(() => undefined);
            expect(await stored()).toEqual(expected);
            expect(contentOf(store.changes.tables.watchlists)).toEqual(expected);
          }
          disk.free = Number.POSITIVE_INFINITY;
          await store.checkpoint();
          await store.close();
          expect(await stored()).toEqual(expected);
        },
      ),
      { numRuns: repetitions({ short: 15, full: 200 }) },
    );
  });
});

describe("a checkpoint", () => {
  it("divides the rows into segments of limited size, and writes only those that changed", async () => {
    const store = await open({ maxSegmentBytes: 2_000 });
    await Promise.all(Array.from({ length: 500 }, (_, n) => watch(store, person(n), "ACME BETA")));
    await store.checkpoint();
    const first = await segmentsIn();
    expect(first.length).toBeGreaterThan(5);
    for (const name of first) expect((await stat(join(dir, name))).size).toBeLessThan(2_200);

    await watch(store, person(7), "ZETA");
    await store.checkpoint();
    const second = await segmentsIn();
    expect(second.filter((name) => !first.includes(name)).length).toBeLessThanOrEqual(2);
    expect(second.filter((name) => first.includes(name)).length).toBeGreaterThanOrEqual(first.length - 2);
    await store.close();
    expect(await stored()).toMatchObject({ [person(6)]: "ACME BETA", [person(7)]: "ZETA" });
    expect(Object.keys(await stored())).toEqual(Array.from({ length: 500 }, (_, n) => person(n)));
  });

  it("merges segments that became small, and removes those of removed rows", async () => {
    const store = await open({ maxSegmentBytes: 2_000 });
    await Promise.all(Array.from({ length: 500 }, (_, n) => watch(store, person(n), "ACME BETA")));
    await store.checkpoint();
    for (let n = 0; n < 500; n += 1) if (n % 50 > 0) void watch(store, person(n), null);
    await watch(store, person(1_000), "ACME");
    await store.checkpoint();
    expect(await segmentsIn()).toHaveLength(1);

    await Promise.all(Array.from({ length: 11 }, (_, n) => watch(store, person(n === 10 ? 1_000 : n * 50), null)));
    await store.checkpoint();
    await store.close();
    expect(await segmentsIn()).toEqual([]);
    expect(await stored()).toEqual({});
  });

  it("starts when the log exceeds its size, shortens the log, and is not repeated without changes", async () => {
    const store = await open({ checkpointAboveBytes: 5_000 });
    for (let n = 0; n < 200; n += 1) await watch(store, person(n % 7), `T${n}`);
    await store.close();
    const logs = (await readdir(dir)).filter((name) => name.startsWith("changes-"));
    expect(logs).toHaveLength(1);
    expect((await stat(join(dir, logs[0] ?? ""))).size).toBeLessThan(10_000);

    const again = await open();
    await again.checkpoint();
    const before = await readdir(dir);
    await again.checkpoint();
    expect(await readdir(dir)).toEqual(before);
    await again.close();
  });

  it("that fails keeps all rows, is logged, and is repeated", async () => {
    const disk = new FillableDisk(realDisk);
    const log = recordedLog();
    const store = await open({ disk, log, checkpointAboveBytes: 3_000, maxSegmentBytes: 1_000 });
    for (let n = 0; n < 60; n += 1) {
      // Space for the line, but not for all segments.
      disk.free = 500;
      await watch(store, person(n), "ACME BETA");
    }
    await expect.poll(() => log.count("checkpoint failed")).toBeGreaterThan(0);
    disk.free = Number.POSITIVE_INFINITY;
    await watch(store, person(60), "ACME");
    await store.checkpoint();
    await store.close();
    expect(Object.keys(await stored())).toHaveLength(61);
    const { segments } = JSON.parse(await readFile(join(dir, "checkpoint.json"), "utf8")).state;
    expect(segments.watchlists).toHaveLength((await segmentsIn()).length);
  });

  it("whose list may or may not be on the disk loses nothing", async () => {
    let isBroken = true;
    const disk: Disk = {
      ...realDisk,
      replace: async (path, text) => {
        await realDisk.replace(path, text);
        if (isBroken && path.endsWith("checkpoint.json")) throw new Error("EIO: i/o error, fsync");
      },
    };
    const store = await open({ disk });
    await watch(store, person(1), "ACME");
    await expect(store.checkpoint()).rejects.toThrow("EIO");
    expect(await stored()).toEqual({ [person(1)]: "ACME" });
    await watch(store, person(2), "BETA");
    expect(await stored()).toEqual({ [person(1)]: "ACME", [person(2)]: "BETA" });
    isBroken = false;
    await store.checkpoint();
    expect(await segmentsIn()).toHaveLength(1);
    await store.close();
    expect(await stored()).toEqual({ [person(1)]: "ACME", [person(2)]: "BETA" });
  });

  it("continues a list with any number of segments", async () => {
    const { checkpoint } = await readRows(realDisk, dir, fileReader);
    const rules = Array.from({ length: 200_000 }, (_, n) => [n + 1, "00000000"] as const);
    checkpoint.low.data = { ...checkpoint.low.data, segments: { rules } };
    const tables = new Tables();
    for (const [number, crc] of rules) tables.rules.load({ number, crc, sizeBytes: 1_000_000 }, []);
    const writer = new CheckpointWriter({ disk: realDisk, dir, file: checkpoint, flushSnapshot: async () => 0 });
    expect([writer.changes, tables.rules.files().length]).toEqual([1, rules.length]);
  });

  it("removes the files of one that failed, of which the disk kept some", async () => {
    let isBroken = true;
    const disk: Disk = {
      ...realDisk,
      replace: (path, text) => (isBroken && path.endsWith("checkpoint.json") ? fail() : realDisk.replace(path, text)),
      remove: (path) => (isBroken ? fail() : realDisk.remove(path)),
    };
    const store = await open({ disk });
    await watch(store, person(1), "ACME");
    await expect(store.checkpoint()).rejects.toThrow("EIO");
    expect(await segmentsIn()).toHaveLength(1);
    isBroken = false;
    await watch(store, person(1), null);
    await store.checkpoint();
    expect(await segmentsIn()).toEqual([]);
    await store.close();
  });

  it("does not start after the store was closed, when another process may use the files", async () => {
    let steps = 0;
    const disk = steppingDisk(realDisk, async () => {
      steps += 1;
    });
    const store = await open({ disk });
    await watch(store, person(1), "ACME");
    const running = store.checkpoint();
    await watch(store, person(2), "BETA");
    const closed = store.close();
    await expect(store.checkpoint()).rejects.toThrow("the store is closed");
    await Promise.all([running, closed]);
    const before = steps;
    await new Promise((resolve) => setImmediate(resolve));
    expect(steps).toBe(before);
    expect(await stored()).toEqual({ [person(1)]: "ACME", [person(2)]: "BETA" });
  });
});

describe("a kill", () => {
  it("at any moment of any change or checkpoint loses and repeats nothing", async () => {
    const change = fc.record({ n: fc.nat(12), list: fc.constantFrom("ACME", "BETA ZETA", "LONG ".repeat(12), null) });
    const history = fc.array(fc.oneof({ weight: 5, arbitrary: change }, fc.constant("checkpoint" as const)), {
      minLength: 10,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const folder = await folders.make();
        await createRows(realDisk, folder, await readRows(realDisk, folder, fileReader));
        const acknowledged: Record<string, string> = {};
        const running = new Map<string, string | null>();
        let kills = 0;
        const disk = steppingDisk(realDisk, async () => {
          kills += 1;
          const found = await stored(folder);
          for (const key of new Set([...Object.keys(found), ...Object.keys(acknowledged)])) {
            const allowed = [acknowledged[key], ...(running.has(key) ? [running.get(key) ?? undefined] : [])];
            expect(allowed).toContain(found[key]);
          }
        });
        const store = await open({ disk, dir: folder, maxSegmentBytes: 120 });
        let checkpoints: Promise<unknown> = Promise.resolve();
        for (const step of steps) {
          if (step === "checkpoint") {
            checkpoints = Promise.all([checkpoints, store.checkpoint()]);
            continue;
          }
          running.set(person(step.n), step.list);
          await watch(store, person(step.n), step.list);
          if (step.list === null) delete acknowledged[person(step.n)];
          else acknowledged[person(step.n)] = step.list;
          running.clear();
        }
        await checkpoints;
        await store.close();
        expect(kills).toBeGreaterThan(0);
        expect(await stored(folder)).toEqual(acknowledged);
        expect(Object.keys(await stored(folder))).toEqual([...store.changes.tables.watchlists.keys()]);
        await folders.removeAll();
      }),
      { numRuns: repetitions({ short: 5, full: 100 }) },
    );
  });
});

/** A store with a row in a segment and one in the log. */
async function filled(): Promise<RowStore> {
  const store = await open();
  await watch(store, person(1), "ACME");
  await store.checkpoint();
  await watch(store, person(2), "BETA");
  return store;
}

describe("a log that an interrupted checkpoint created", () => {
  it.each([
    ["without a line", async (path: string) => writeFile(path, "0bad")],
    ["with an outdated head", async (path: string) => writeFile(path, emptyLog(1))],
  ])("is replaced: %s", async (_, leave) => {
    const store = await open();
    for (const n of [1, 2]) await watch(store, person(n), "ACME");
    await store.close();
    await leave(join(dir, "changes-000002.log"));

    const again = await open();
    await watch(again, person(3), "BETA");
    expect(Object.keys(await stored())).toHaveLength(3);
    await again.checkpoint();
    await watch(again, person(4), "BETA");
    await again.close();
    expect(Object.keys(await stored())).toHaveLength(4);
  });
});

describe("files that do not belong together", () => {
  it("are refused: an older segment under the name of a newer one", async () => {
    const store = await filled();
    const [older = ""] = await segmentsIn();
    const bytes = await readFile(join(dir, older));
    await store.checkpoint();
    await store.close();
    const [newer = ""] = await segmentsIn();
    await writeFile(join(dir, newer), bytes);
    await expect(stored()).rejects.toThrow(`${newer} is not the file that checkpoint.json lists`);
  });

  it("are refused: an older log, or an older list", async () => {
    const store = await filled();
    await store.close();
    const [list, log] = await Promise.all(
      ["checkpoint.json", "changes-000002.log"].map((name) => readFile(join(dir, name))),
    );
    const later = await open();
    await watch(later, person(3), "ZETA");
    await later.checkpoint();
    await later.close();
    await writeFile(join(dir, "changes-000003.log"), log ?? "");
    await expect(stored()).rejects.toThrow(/changes-000003\.log does not continue after transaction 3/);
    await writeFile(join(dir, "checkpoint.json"), list ?? "");
    await expect(stored()).rejects.toThrow(StoreError);
  });
});
