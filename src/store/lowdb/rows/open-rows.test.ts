import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { repetitions } from "../../../../test/support/soak.ts";
import { StoreFolders } from "../../../../test/support/store-folder.ts";
import { yieldToEventLoop } from "../../../lib/slices.ts";
import { SILENT_LOG } from "../../../ports/log.ts";
import { realDisk } from "../files/disk.ts";
import { fileReader } from "../files/file-reader.ts";
import { createRows } from "./checkpoint.ts";
import { parseSlice } from "./json-bytes.ts";
import { OpenRows } from "./open-rows.ts";
import { RowStore } from "./row-store.ts";
import { readRows } from "./stored-rows.ts";
import type { Table } from "./table.ts";

const folders = new StoreFolders();

afterEach(() => folders.removeAll());

const KEYS = ['quoted "q", [x', "back\\slash\\", "ü—\u2028{", "]}"];
const TABLES = ["attempts", "messages"] as const;

/** Values that JSON scanners get wrong. */
const values = fc.record({
  text: fc.constantFrom("", '"', '\\"', "\\", "}]", ',"', "ü\u{1f600}\n", "x".repeat(700)),
  list: fc.array(fc.constantFrom(1, null, "a,]", [], {}, [[1]]), { maxLength: 3 }),
  state: fc.nat(3),
});

const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.tuple(fc.constantFrom("put", "set"), fc.nat(3), fc.nat(1), values) },
    { weight: 4, arbitrary: fc.tuple(fc.constant("remove"), fc.nat(3), fc.nat(1), fc.constant(null)) },
    { weight: 1, arbitrary: fc.tuple(fc.constant("checkpoint"), fc.nat(1), fc.constant(0), fc.constant(null)) },
  ),
  { minLength: 20, maxLength: 60, size: "max" },
);

async function emptyStore(): Promise<{ readonly dir: string; readonly store: RowStore }> {
  const dir = await folders.make();
  await createRows(realDisk, dir, await readRows(realDisk, dir, fileReader));
  const rows = await readRows(realDisk, dir, fileReader);
  const parts = { disk: realDisk, dir, log: SILENT_LOG, checkpointAboveBytes: 1_000_000_000, maxSegmentBytes: 500 };
  return { dir, store: await RowStore.open(rows, parts) };
}

async function streamed(dir: string, table: string): Promise<readonly unknown[]> {
  const open = await OpenRows.open(dir);
  const rows: unknown[] = [];
  for await (const batch of open?.rows(table) ?? []) for (const row of batch) rows.push([row.key, parseSlice(row)]);
  await open?.close();
  return rows;
}

function listed(table: Pick<Table<unknown>, "rows"> | undefined): readonly unknown[] {
  return [...(table?.rows() ?? [])].map(({ key, value }) => [key, value]);
}

describe("rows that are read from open files", () => {
  it("equal those of a start in values and order, after any changes and checkpoints", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const { dir, store } = await emptyStore();
        const { tables } = store.changes;
        const running: Promise<void>[] = [];
        for (const [kind, key, table, value] of plan) {
          const rows = tables.table(TABLES[table] ?? "") as Table<object>;
          const name = KEYS[key] ?? "";
          if (kind === "checkpoint") {
            // Its segments include the changes so far; during every second one, rows change again.
            await Promise.all(running.splice(0));
            const checkpoint = store.checkpoint();
            running.push(checkpoint);
            await (key === 0 ? checkpoint : yieldToEventLoop());
            continue;
          }
          const change = store.changes.change((transaction) => {
            if (kind === "remove") transaction.remove(rows, name);
            else if (kind === "set") transaction.set(rows, name, { ...value, list: undefined });
            else transaction.put(rows, name, value ?? {});
          });
          running.push(change);
        }
        await Promise.all(running);
        await store.close();
        const expected = (await readRows(realDisk, dir, fileReader)).tables;
        for (const name of TABLES) expect(await streamed(dir, name)).toEqual(listed(expected.table(name)));
      }),
      { numRuns: repetitions({ short: 30, full: 2_000 }) },
    );
  });

  it("are those of the moment of opening, while checkpoints replace and remove the files", async () => {
    const { dir, store } = await emptyStore();
    const { watchlists } = store.changes.tables;
    const put = (key: string, list: string): Promise<void> =>
      store.changes.change((transaction) => transaction.put(watchlists, key, list));
    for (let n = 0; n < 30; n += 1) await put(`p${n}`, `T${n} ${"x".repeat(50)}`);
    await store.checkpoint();
    await put("p3", "LOGGED");
    await store.changes.change((transaction) => transaction.remove(watchlists, "p5"));
    await put("p5", "CREATED AGAIN");
    await store.changes.change((transaction) => transaction.remove(watchlists, "p7"));
    const before = listed(watchlists);
    const open = await OpenRows.open(dir);
    for (let n = 0; n < 30; n += 1) await put(`p${n}`, "LATER");
    await store.checkpoint();

    const rows: unknown[] = [];
    for await (const batch of open?.rows("watchlists") ?? [])
      for (const row of batch) rows.push([row.key, parseSlice(row)]);
    expect(rows).toEqual(before);
    await open?.close();
    await store.close();
  });

  it("are rejected if a line of the log is replaced after a failed write", async () => {
    const { dir, store } = await emptyStore();
    const { watchlists } = store.changes.tables;
    await store.changes.change((transaction) => transaction.put(watchlists, "p1", "ACME"));
    const open = await OpenRows.open(dir);
    const path = join(dir, "changes-000001.log");
    await writeFile(path, (await readFile(path, "utf8")).replace("ACME", "BETA"));

    const read = async (): Promise<void> => {
      for await (const batch of open?.rows("watchlists") ?? []) for (const _ of batch);
    };
    await expect(read()).rejects.toThrow(`${path} was changed while it was read, because a write failed`);
    await open?.close();
    await store.close();
  });
});
