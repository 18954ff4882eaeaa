import { execFile } from "node:child_process";
import { appendFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stopGracefully, waitForPolls, waitUntilIdle } from "../support/polling-process.ts";
import type { SplitwatchProcess } from "../support/process.ts";
import { ProcessBench } from "../support/process-bench.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ask, readReadiness } from "../support/web-chat-client.ts";

const run = promisify(execFile);

let bench: ProcessBench;
/** A separate disk; null with the reason if mounting is not permitted. */
let disk: string | null = null;
let refusal = "";

beforeEach(async () => {
  bench = await ProcessBench.open();
  const folder = join(bench.folder, "disk");
  await mkdir(folder);
  try {
    await run("mount", ["-t", "tmpfs", "-o", "size=2m,mode=700", "tmpfs", folder]);
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
  const error: unknown = await appendFile(join(folder, "filler"), Buffer.alloc(2 ** 22)).catch(
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
    if (disk === null) {
      process.stdout.write(`skipped: no disk to fill (${refusal})\n`);
      return skip("no disk to fill: mounting a tmpfs is not permitted");
    }
    const first = await bench.start();
    const address = await first.ready;
    await bench.subscribe(address);
    await waitForPolls(first, 1);
    await bench.listAndWait("FIRST", first);

    await listInVain(disk, eighteen("NEW"), first);
    const [status] = await ask(address, "alice", "status");
    expect(status?.tone).not.toBe("good");
    expect(JSON.stringify(status?.facts)).toContain("no space left on device");
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

/** Starts a process and waits until it reports the full disk. */
async function startOnFullDisk(expected: readonly string[]): Promise<void> {
  const splitwatch = await bench.start();
  const address = await splitwatch.ready;
  await waitUntil("the store reports the full disk", async () => !(await readReadiness(address)).checks.store?.ok);
  expect(await bench.announced(address)).toEqual({ general: expected, trading: expected });
  await splitwatch.kill();
}

/** More text than the rest of a file's last block can hold. */
function manyTickers(): string {
  return Array.from({ length: 499 }, (_, number) => `TC${number.toString(36)}.LONG`).join(" ");
}
