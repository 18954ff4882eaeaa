import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DAY_MS } from "../../src/domain/time/day.ts";
import { printSeedOnFailure } from "../support/crash-test.ts";
import { Processes } from "../support/process.ts";
import { repetitions, SEED } from "../support/soak.ts";
import { growthOf, leastOf } from "./growth.ts";
import { LongRun, type Usage } from "./long-run.ts";

const WEEK_MS = 7 * DAY_MS;

/** Three years: releases and splits are kept for two, so that in the last one as much is removed as added. */
const TOTAL_WEEKS = 156;
const RETENTION_WEEKS = 105;

/** Weeks of work; the time between them passes without news. */
const WORKING_WEEKS = repetitions({ short: 6, full: 30 });
const ROUND_WEEKS = TOTAL_WEEKS / WORKING_WEEKS;

/** Measurements after a working week, a day apart: a platform may be reconnecting during one of them. */
const MEASUREMENTS = 4;

const MEGABYTE = 1024 * 1024;

/** Growth that is not a leak: caches of the runtime, connections that are being replaced, a log before it begins again. */
const TOLERANCE = {
  heapBytes: MEGABYTE,
  externalBytes: MEGABYTE,
  resources: 3,
  descriptors: 3,
  dataBytes: 100 * 1024,
} satisfies Usage;

it("uses no more memory, connections, files and disk space in the third year than it did before", async () => {
  printSeedOnFailure();
  const folder = await mkdtemp(join(tmpdir(), "splitwatch-soak-"));
  const processes = new Processes();
  const steady: Usage[] = [];
  try {
    const run = await LongRun.start(folder, processes, SEED);
    for (let round = 1; round <= WORKING_WEEKS; round += 1) {
      await run.liveWeek();
      await run.idle((ROUND_WEEKS - 1) * WEEK_MS);
      if (round * ROUND_WEEKS < RETENTION_WEEKS) continue;
      for (let times = 0; times < MEASUREMENTS; times += 1) {
        await run.idle(DAY_MS);
        steady.push(await run.usage());
      }
    }
    expect(run.errors()).toEqual([]);
    await run.stop();
  } finally {
    await processes.endAll();
    await rm(folder, { recursive: true, force: true });
  }
  const { before, after, grown } = growthOf(steady, TOLERANCE, leastOf);
  process.stdout.write(`${JSON.stringify({ weeks: TOTAL_WEEKS, workingWeeks: WORKING_WEEKS, before, after })}\n`);
  expect(steady.length).toBeGreaterThan(1);
  expect(grown).toEqual([]);
});
