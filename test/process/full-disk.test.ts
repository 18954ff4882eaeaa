import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stopGracefully, until, waitForPolls, waitUntilIdle } from "../support/polling-process.ts";
import type { SplitwatchProcess } from "../support/process.ts";
import { ProcessBench } from "../support/process-bench.ts";
import { ask, readReadiness } from "../support/web-chat.ts";

const run = promisify(execFile);

let bench: ProcessBench;
/** A disk of its own; null where none may be mounted, and then why. */
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
  const error: unknown = await writeFile(join(folder, "filler"), Buffer.alloc(2 ** 22)).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: "ENOSPC" });
}

async function free(folder: string): Promise<void> {
  await rm(join(folder, "filler"));
}

/** More is listed than what is left of a file's last block can hold. */
async function listInVain(tickers: readonly string[], life: SplitwatchProcess): Promise<void> {
  const address = await life.ready;
  for (const ticker of tickers) bench.list(ticker);
  await until(async () => !(await readReadiness(address)).checks.store?.ok);
}

describe("a full disk", () => {
  it("is told of, holds alerts up, and loses and doubles none, killed or not", async ({ skip }) => {
    if (disk === null) {
      process.stdout.write(`skipped: no disk to fill (${refusal})\n`);
      return skip("no disk to fill: a tmpfs may not be mounted here");
    }
    const first = await bench.start();
    const address = await first.ready;
    await bench.subscribe(address);
    await waitForPolls(first, 1);
    await bench.listAndWait("FIRST", first);

    await fill(disk);
    await listInVain(eighteen("NEW"), first);
    const [status] = await ask(address, "alice", "status");
    expect(status?.tone).not.toBe("good");
    expect(JSON.stringify(status?.facts)).toContain("no space left on device");
    const [refused] = await ask(address, "alice", `watch ${manyTickers()}`);
    expect(refused?.tone).toBe("bad");
    expect(await bench.announced(address)).toEqual({ general: ["FIRST"], trading: ["FIRST"] });

    await free(disk);
    const both = ["FIRST", ...eighteen("NEW")];
    await until(async () => (await bench.announced(address)).trading.length > 1);
    await waitUntilIdle(address);
    expect(await bench.announced(address)).toEqual({ general: both, trading: both });
    const [list] = await ask(address, "alice", "watchlist");
    expect(list?.title).toBe("Your watchlist is empty");

    await fill(disk);
    await listInVain(eighteen("LAST"), first);
    await first.kill();
    await startOnFullDisk(both);
    await free(disk);
    const last = await bench.start();
    const all = [...both, ...eighteen("LAST")];
    expect(await bench.alertsAfterStart(last)).toEqual({ general: all, trading: all });
    await stopGracefully(last);
  });
});

/** It starts, says what is wrong, and waits. */
async function startOnFullDisk(told: readonly string[]): Promise<void> {
  const life = await bench.start();
  const address = await life.ready;
  await until(async () => !(await readReadiness(address)).checks.store?.ok);
  expect(await bench.announced(address)).toEqual({ general: told, trading: told });
  await life.kill();
}

function manyTickers(): string {
  return Array.from({ length: 499 }, (_, number) => `TC${number.toString(36)}`).join(" ");
}
