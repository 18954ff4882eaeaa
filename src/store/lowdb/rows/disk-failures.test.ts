import { readFile, writeFile } from "node:fs/promises";
import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { listedSplit, patchOf } from "../../../../test/contract/store-builders.ts";
import { repetitions } from "../../../../test/support/soak.ts";
import { chunksOf, StoreFolders } from "../../../../test/support/store-folder.ts";
import { createMutex } from "../../../lib/mutex.ts";
import { SILENT_LOG } from "../../../ports/log.ts";
import { type Disk, realDisk } from "../files/disk.ts";
import { type FileReader, fileReader } from "../files/file-reader.ts";
import { removeSuperseded } from "../files/folder.ts";
import { createRows } from "./checkpoint.ts";
import { RowStore } from "./row-store.ts";
import { readRows } from "./stored-rows.ts";
import type { Table } from "./table.ts";
import type { Tables } from "./tables.ts";

const folders = new StoreFolders();

afterEach(() => folders.removeAll());

type Failure = "before" | "halfway" | "after";

/** Fails as planned. `step` runs before and after each operation, none of which overlap. */
class FailingDisk implements Disk {
  readonly #mutex = createMutex();
  readonly #failures: ReadonlyMap<number, Failure>;
  #killAt: number;
  readonly #step: () => Promise<void>;
  /** Content of the logs at their last sync. */
  readonly synced = new Map<string, Buffer>();
  #count = 0;

  constructor(failures: ReadonlyMap<number, Failure>, killAt: number, step: () => Promise<void>) {
    this.#failures = failures;
    this.#killAt = killAt;
    this.#step = step;
  }

  get isKilled(): boolean {
    return this.#count > this.#killAt;
  }

  kill(): void {
    this.#killAt = 0;
    this.#count += 1;
  }

  readonly replace: Disk["replace"] = (path, text) => this.#run(() => realDisk.replace(path, text));
  readonly rename: Disk["rename"] = (from, to) => this.#run(() => realDisk.rename(from, to));
  readonly remove: Disk["remove"] = (path) => this.#run(() => realDisk.remove(path));
  readonly syncFolder: Disk["syncFolder"] = (path) => this.#run(() => realDisk.syncFolder(path));

  readonly open: Disk["open"] = async (path) => {
    const file = await this.#run(() => realDisk.open(path));
    return {
      write: (bytes, position) =>
        this.#run(
          () => file.write(bytes, position),
          () => file.write(bytes.subarray(0, bytes.length >> 1), position),
        ),
      sync: () => this.#run(async () => void this.synced.set(path, await readFile(path))),
      truncate: (size) => this.#run(() => file.truncate(size)),
      close: () => file.close(),
    };
  };

  /** What a power failure leaves: of the bytes since the last sync, all up to `share`. */
  powerFailure(share: number): FileReader {
    const left = async (path: string): Promise<Buffer | null> => {
      const bytes = await fileReader.readFile(path);
      const synced = this.synced.get(path);
      if (bytes === null || synced === undefined) return bytes;
      if (bytes.length < synced.length) return synced;
      return bytes.subarray(0, synced.length + Math.floor((bytes.length - synced.length) * share));
    };
    async function* readChunks(path: string, end?: number): AsyncGenerator<Buffer> {
      yield* chunksOf((await left(path))?.subarray(0, end) ?? Buffer.alloc(0));
    }
    return { ...fileReader, readFile: left, readChunks };
  }

  #run<R>(work: () => Promise<R>, half: () => Promise<unknown> = async () => undefined): Promise<R> {
    return this.#mutex(async () => {
      this.#count += 1;
      const error = Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
      if (this.isKilled) throw error;
      const failure = this.#failures.get(this.#count);
      await this.#step();
      if (failure === "before") throw error;
      const result = failure === "halfway" ? await half() : await work();
      await this.#step();
      if (failure) throw error;
      return result as R;
    });
  }
}

const ROW_TABLES = ["deliveries", "attempts", "messages", "postings"] as const;
/** Each transaction has a row here, which shows that it is stored. */
const MARKS = "watchlists";

interface Change {
  readonly kind: "put" | "set" | "remove";
  readonly table: (typeof ROW_TABLES)[number];
  readonly key: string;
}

interface Plan {
  readonly changes: readonly Change[];
  readonly split: { readonly id: string; readonly isRemoved: boolean } | null;
  /** More rows than a line of the log has. */
  readonly isLarge: boolean;
  /** Throws after its changes. */
  readonly isFailing: boolean;
}

interface Submitted extends Plan {
  readonly id: string;
}

type Fields = Readonly<Record<string, string>>;
type Rows = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

const LARGE_KEYS = Array.from({ length: 501 }, (_, n) => `many-${n}`);

function rowsAfter(transactions: readonly Submitted[]): Rows {
  const names = [...ROW_TABLES, MARKS, "events", "splits"];
  const rows = new Map(names.map((name) => [name, new Map<string, unknown>()]));
  const table = (name: string): Map<string, unknown> => rows.get(name) ?? new Map();
  for (const { id, changes, split, isLarge } of transactions) {
    for (const { kind, table: name, key } of changes) {
      const before = table(name).get(key) as Fields | undefined;
      if (kind === "remove") table(name).delete(key);
      else if (kind === "put") table(name).set(key, { put: id });
      else if (before) table(name).set(key, { ...before, set: id });
    }
    if (isLarge) for (const key of LARGE_KEYS) table("events").set(key, { put: id });
    if (split?.isRemoved) table("splits").delete(split.id);
    else if (split) table("splits").set(split.id, split.id);
    table(MARKS).set(id, "ACME");
  }
  return rows;
}

function rowsIn(tables: Tables): Rows {
  const names = [...ROW_TABLES, MARKS, "events"];
  const rows = names.map((name) => [
    name,
    new Map([...rowsOf(tables, name).rows()].map((row) => [row.key, row.value])),
  ]);
  const splits = new Map([...tables.snapshot.snapshot.splits.keys()].map((id) => [id, id]));
  return new Map([...(rows as [string, Map<string, unknown>][]), ["splits", splits]]);
}

function rowsOf(tables: Tables, name: string): Table<Fields> {
  return tables.table(name) as Table<Fields>;
}

/** Comparable, with the order of the rows. */
function listed(rows: Rows): unknown {
  return [...rows].map(([name, table]) => [name, ...table]);
}

function submit({ changes }: RowStore, { id, changes: planned, split, isLarge, isFailing }: Submitted): Promise<void> {
  const { tables } = changes;
  return changes.change((transaction) => {
    for (const { kind, table, key } of planned) {
      const rows = rowsOf(tables, table);
      if (kind === "remove") transaction.remove(rows, key);
      else if (kind === "put") transaction.put(rows, key, { put: id });
      else transaction.set(rows, key, { set: id });
    }
    if (isLarge) for (const key of LARGE_KEYS) transaction.put(rowsOf(tables, "events"), key, { put: id });
    transaction.put(tables.watchlists, id, "ACME");
    if (isFailing) throw new Error("a bug");
    if (!split) return;
    const patch = patchOf({ splits: split.isRemoved ? [] : [listedSplit(split.id)] });
    transaction.patchSnapshot(tables.snapshot, {
      ...patch,
      removedSplits: split.isRemoved ? [listedSplit(split.id).id] : [],
    });
  });
}

/** Values that are equal if nothing was lost and nothing was stored in part. */
interface Comparison {
  readonly found: unknown;
  readonly expected: unknown;
}

/** Transactions that were submitted to a store, and what it made of them. */
class Model {
  readonly dir: string;
  #submitted: Submitted[] = [];
  #acknowledged = new Set<string>();
  disk = new FailingDisk(new Map(), Number.POSITIVE_INFINITY, async () => undefined);
  #lastId = 0;

  constructor(dir: string) {
    this.dir = dir;
  }

  async open(): Promise<RowStore> {
    const rows = await readRows(realDisk, this.dir, fileReader);
    await removeSuperseded(this.dir, rows);
    const parts = { disk: this.disk, dir: this.dir, log: SILENT_LOG, checkpointAboveBytes: 1_000_000_000 };
    return RowStore.open(rows, { ...parts, maxSegmentBytes: 300 });
  }

  /** Runs transactions concurrently. */
  async run(store: RowStore, plans: readonly Plan[]): Promise<void> {
    await Promise.all(
      plans.map(async (plan) => {
        this.#lastId += 1;
        const transaction = { ...plan, id: `t${this.#lastId}` };
        this.#submitted.push(transaction);
        await submit(store, transaction).then(
          () => this.#acknowledged.add(transaction.id),
          () => undefined,
        );
      }),
    );
  }

  /** The rows in memory, beside those of the acknowledged transactions. */
  inMemory({ changes }: RowStore): Comparison {
    const acknowledged = this.#submitted.filter(({ id }) => this.#acknowledged.has(id));
    return { found: listed(rowsIn(changes.tables)), expected: listed(rowsAfter(acknowledged)) };
  }

  /** The rows on the disk, beside those of the transactions that are stored, which include all acknowledged ones. */
  async onDisk(reader: FileReader): Promise<Comparison> {
    const { rows, stored } = await this.#read(reader);
    const ids = new Set(stored.map(({ id }) => id));
    const missing = [...this.#acknowledged].filter((id) => !ids.has(id));
    return { found: [missing, listed(rows)], expected: [[], listed(rowsAfter(stored))] };
  }

  /** The transactions on the disk, beside the acknowledged ones. */
  async atEnd(): Promise<Comparison> {
    const { stored } = await this.#read(fileReader);
    return { found: stored.map(({ id }) => id).toSorted(), expected: [...this.#acknowledged].toSorted() };
  }

  /** Continues after a kill or a power failure: unacknowledged transactions that are stored stay stored. */
  async restart(reader: FileReader): Promise<void> {
    this.#submitted = [...(await this.#read(reader)).stored];
    this.#acknowledged = new Set(this.#submitted.map(({ id }) => id));
    for (const path of this.disk.synced.keys()) {
      const bytes = await reader.readFile(path);
      if (bytes !== null) await writeFile(path, bytes);
    }
  }

  async #read(reader: FileReader): Promise<{ readonly rows: Rows; readonly stored: readonly Submitted[] }> {
    const rows = rowsIn((await readRows(realDisk, this.dir, reader)).tables);
    return { rows, stored: this.#submitted.filter(({ id }) => rows.get(MARKS)?.has(id)) };
  }
}

function verify({ found, expected }: Comparison): void {
  expect(found).toEqual(expected);
}

const key = fc.constantFrom("a", "b", "c", "d");
const change = fc.record({
  kind: fc.constantFrom<Change["kind"]>("put", "put", "set", "remove"),
  table: fc.constantFrom(...ROW_TABLES),
  key,
});
const plan: fc.Arbitrary<Plan> = fc.record({
  changes: fc.array(change, { minLength: 1, maxLength: 6 }),
  split: fc.option(fc.record({ id: key, isRemoved: fc.boolean() })),
  isLarge: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
  isFailing: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
});
const group = fc.record({ plans: fc.array(plan, { minLength: 1, maxLength: 3 }), isCheckpointed: fc.boolean() });
const failure = fc.tuple(fc.nat(120), fc.constantFrom<Failure>("before", "halfway", "after"));
const life = fc.record({
  groups: fc.array(group, { minLength: 1, maxLength: 5 }),
  failures: fc.array(failure, { maxLength: 6 }),
  killAt: fc.option(fc.nat(150), { nil: Number.POSITIVE_INFINITY }),
  /** Share of the unsynced bytes that a power failure leaves. */
  share: fc.double({ min: 0, max: 1, noNaN: true }),
});

describe("transactions of all tables", () => {
  it("are stored completely if they are acknowledged, whichever disk operations fail and whenever the power fails", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 3 }), async (lives) => {
        const dir = await folders.make();
        await createRows(realDisk, dir, await readRows(realDisk, dir, fileReader));
        const model = new Model(dir);
        for (const { groups, failures, killAt, share } of lives) {
          let readers: readonly FileReader[] = [];
          model.disk = new FailingDisk(new Map(failures), killAt, async () => {
            // A kill and a power failure in turn.
            readers = readers.toReversed();
            for (const reader of readers.slice(1)) verify(await model.onDisk(reader));
          });
          const power = model.disk.powerFailure(share);
          readers = [fileReader, power];
          const store = await model.open().catch(() => null);
          let checkpoint: Promise<unknown> = Promise.resolve();
          for (const { plans, isCheckpointed } of groups) {
            if (!store || model.disk.isKilled) break;
            if (isCheckpointed) checkpoint = Promise.all([checkpoint, store.checkpoint().catch(() => undefined)]);
            await model.run(store, plans);
            verify(model.inMemory(store));
          }
          await checkpoint;
          model.disk.kill();
          await store?.close().catch(() => undefined);
          verify(await model.onDisk(power));
          await model.restart(power);
        }
        model.disk = new FailingDisk(new Map(), Number.POSITIVE_INFINITY, async () => undefined);
        const store = await model.open();
        await model.run(store, [{ changes: [], split: null, isLarge: false, isFailing: false }]);
        verify(await model.atEnd());
        await store.checkpoint();
        await store.close();
        verify(await model.atEnd());
        const { found, expected } = await model.onDisk(fileReader);
        expect(found).toEqual(expected);
        await folders.removeAll();
      }),
      { numRuns: repetitions({ short: 2, full: 200 }) },
    );
  });
});
