import { execFile } from "node:child_process";
import { appendFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { backup } from "../../src/cli/backup/backup.ts";
import { restore } from "../../src/cli/backup/restore.ts";
import type { Split } from "../../src/domain/split/split.ts";
import { StoreError } from "../../src/ports/store.ts";
import { checkFolder } from "../../src/store/engines/sqlite/check.ts";
import { SNAPSHOT_FILE } from "../../src/store/snapshot/snapshot-file.ts";
import { aLastImport, listedSplit, patchOf } from "../contract/store-builders.ts";
import { ALICE } from "../support/builders.ts";
import { stopGracefully, waitForPolls, waitUntilIdle } from "../support/polling-process.ts";
import type { SplitwatchProcess } from "../support/process.ts";
import { ProcessBench } from "../support/process-bench.ts";
import { anInvocation } from "../support/recorded-invocation.ts";
import { recordedLog } from "../support/recorded-log.ts";
import { openIn } from "../support/store-folder.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ask, readReadiness } from "../support/web-chat-client.ts";

const run = promisify(execFile);

const DISK_BYTES = 16 * 1024 * 1024;

let bench: ProcessBench;
/** A separate disk; null with the reason if mounting is not permitted. */
let disk: string | null = null;
let refusal = "";

beforeEach(async () => {
  bench = await ProcessBench.open();
  const folder = join(bench.folder, "disk");
  await mkdir(folder);
  try {
    await run("mount", ["-t", "tmpfs", "-o", `size=${DISK_BYTES},mode=700`, "tmpfs", folder]);
    disk = folder;
    bench.dataDir = join(folder, "data");
  } catch (error) {
    refusal = String(error).split("\n").slice(0, 2).join(" ");
  }
});

afterEach(async () => {
  await bench.processes.endAll();
  if (disk !== null) await run("umount", [disk]);
  disk = null;
  await bench.close();
});

function eighteen(name: string): readonly string[] {
  return Array.from({ length: 18 }, (_, number) => `${name}${String(number).padStart(2, "0")}`);
}

async function fill(folder: string): Promise<void> {
  const error: unknown = await appendFile(join(folder, "filler"), Buffer.alloc(2 ** 24)).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: "ENOSPC" });
}

async function free(folder: string): Promise<void> {
  await rm(join(folder, "filler"));
}

/** Fills the disk, and lists more splits than the rest of a file's last block can hold. */
async function listInVain(folder: string, tickers: readonly string[], splitwatch: SplitwatchProcess): Promise<void> {
  await fill(folder);
  const address = await splitwatch.ready;
  for (const ticker of tickers) bench.list(ticker);
  await waitUntil("the store reports the full disk", async () => !(await readReadiness(address)).checks.store?.ok);
  // A file that was being replaced when the disk was filled has freed its space.
  await fill(folder);
}

describe("a full disk", () => {
  it("is reported and delays alerts, but none is lost or sent twice, even after a kill", async ({ skip }) => {
    if (disk === null) return skipWithoutDisk(skip);
    const first = await bench.start();
    const address = await first.ready;
    await bench.subscribe(address);
    await waitForPolls(first, 1);
    await bench.listAndWait("FIRST", first);

    await listInVain(disk, eighteen("NEW"), first);
    const [status] = await ask(address, "alice", "status");
    expect(status?.tone).not.toBe("good");
    expect(JSON.stringify(status?.facts)).toContain("disk is full");
    const [refused] = await ask(address, "alice", `watch ${manyTickers()}`);
    expect(refused?.tone).toBe("bad");
    expect(await bench.announced(address)).toEqual({ general: ["FIRST"], trading: ["FIRST"] });

    await free(disk);
    const both = ["FIRST", ...eighteen("NEW")];
    await waitUntil("the second alert is sent", async () => (await bench.announced(address)).trading.length > 1);
    await waitUntilIdle(address);
    expect(await bench.announced(address)).toEqual({ general: both, trading: both });
    const [list] = await ask(address, "alice", "watchlist");
    expect(list?.title).toBe("Your watchlist is empty");

    await listInVain(disk, eighteen("LAST"), first);
    await first.kill();
    await startOnFullDisk(both);
    await free(disk);
    const last = await bench.start();
    const all = [...both, ...eighteen("LAST")];
    expect(await bench.alertsAfterStart(last)).toEqual({ general: all, trading: all });
    await stopGracefully(last);
  });
});

/** More than 500 kB in snapshot.json. */
const MANY_SPLITS = Array.from({ length: 2_000 }, (_, number) => listedSplit(`s${number}`));

/** Room for a small commit, and not for snapshot.json. */
const SMALL_ROOM_BYTES = 128 * 1024;

it("a snapshot that changes on a full disk is complete in the database, or unchanged", async ({ skip }) => {
  if (disk === null) return skipWithoutDisk(skip);
  const log = recordedLog();
  const path = join(bench.dataDir, SNAPSHOT_FILE);
  const versionInFile = async (): Promise<number> => JSON.parse(await readFile(path, "utf8")).version;
  const store = await openIn(bench.dataDir, { log });
  const commit = (...splits: Split[]): Promise<void> =>
    store.snapshot.commit({ patch: patchOf({ splits }), events: [], deliveries: [] });
  await commit(...MANY_SPLITS);

  await fill(disk);
  const filler = join(disk, "filler");
  await truncate(filler, (await stat(filler)).size - SMALL_ROOM_BYTES);
  await commit(listedSplit("small"));
  expect(log.count("snapshot file not written")).toBe(1);
  expect(await versionInFile()).toBe(2);

  await fill(disk);
  const known = await store.snapshot.read();
  await expect(commit(...MANY_SPLITS.map((split) => ({ ...split, revision: 1 })))).rejects.toThrow(StoreError);
  expect(store.health()).toContain("disk is full");
  expect(await store.snapshot.read()).toEqual(known);

  await free(disk);
  await expect.poll(() => store.health()).toBeNull();
  await store.close();
  const reopened = await openIn(bench.dataDir);
  expect(await reopened.snapshot.read()).toEqual(known);
  expect(await versionInFile()).toBe(4);
  await reopened.close();
});

/** Records of 4 MB in all. */
const MANY_IMPORTS = Array.from({ length: 40 }, (_, n) =>
  aLastImport({ id: "x".repeat(100_000), person: { ...ALICE, id: `person${n}` } }),
);

/** Room for the log of the restored database, and not for the database as well. */
const ROOM_FOR_LOG_BYTES = 6 * 1024 * 1024;

it("a restore onto a disk without room for it writes nothing, and can be repeated", async ({ skip }) => {
  if (disk === null) return skipWithoutDisk(skip);
  const source = join(bench.folder, "source");
  const store = await openIn(source);
  for (const value of MANY_IMPORTS) await store.lastImports.put(value);
  await store.close();
  expect(await backup("backup.jsonl", anInvocation(bench.folder, { DATA_DIR: source }))).toBe(0);

  await writeFile(join(disk, "filler"), Buffer.alloc(DISK_BYTES - ROOM_FOR_LOG_BYTES));
  const full = anInvocation(bench.folder, { DATA_DIR: bench.dataDir });
  expect(await restore("backup.jsonl", full)).toBe(1);
  expect(full.problems).toEqual([expect.stringMatching(/^splitwatch: cannot use .* disk is full$/)]);
  expect(await readdir(bench.dataDir)).toEqual([]);

  await free(disk);
  expect(await restore("backup.jsonl", anInvocation(bench.folder, { DATA_DIR: bench.dataDir }))).toBe(0);
  const restored = await openIn(bench.dataDir);
  expect(await restored.lastImports.all()).toHaveLength(MANY_IMPORTS.length);
  await restored.close();
});

it("a folder on a disk that has become read-only can be checked and backed up", async ({ skip }) => {
  if (disk === null) return skipWithoutDisk(skip);
  await (await openIn(bench.dataDir)).close();
  await run("mount", ["-o", "remount,ro", disk]);
  const files = await readdir(bench.dataDir);
  expect(await checkFolder(bench.dataDir)).toContainEqual({ status: "pass", text: "store: OK" });
  const invocation = anInvocation(bench.folder, { DATA_DIR: bench.dataDir });
  expect([await backup("backup.jsonl", invocation), invocation.problems]).toEqual([0, []]);
  expect(await readdir(bench.dataDir)).toEqual(files);
});

function skipWithoutDisk(skip: (reason: string) => never): never {
  process.stdout.write(`skipped: no disk to fill (${refusal})\n`);
  return skip("no disk to fill: mounting a tmpfs is not permitted");
}

/** Starts a process, which must report the full disk: when it is ready, or at its end if it can't start without a write. */
async function startOnFullDisk(expected: readonly string[]): Promise<void> {
  const splitwatch = await bench.start();
  const outcome = await splitwatch.ready.then(
    async (address) => {
      await waitUntil("the store reports the full disk", async () => !(await readReadiness(address)).checks.store?.ok);
      return bench.announced(address);
    },
    async () => ({ ...(await splitwatch.ended), stderr: splitwatch.stderrOutsideLog() }),
  );
  const stderr = [expect.stringMatching(/^splitwatch: cannot use .* disk is full$/)];
  expect([
    { general: expected, trading: expected },
    { code: 1, signal: null, stderr },
  ]).toContainEqual(outcome);
  await splitwatch.kill();
}

/** More text than the rest of a file's last block can hold. */
function manyTickers(): string {
  return Array.from({ length: 499 }, (_, number) => `TC${number.toString(36)}.LONG`).join(" ");
}
