import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { printSeedOnFailure, runCrashTests } from "../support/crash-test.ts";
import { tearLog } from "../support/database-log.ts";
import { stopGracefully, waitForPolls } from "../support/polling-process.ts";
import { ProcessBench } from "../support/process-bench.ts";
import { createRandom } from "../support/random.ts";
import { isLargeSample, repetitions, SEED } from "../support/soak.ts";
import { KILL_TARGETS, WebCrashTest } from "../support/web-crash-test.ts";

/** Kills per installation: equally many per target. */
const KILLS_EACH = KILL_TARGETS.length * repetitions({ short: 1, full: 11 });

describe("a process that is killed at any moment", () => {
  it("loses no alert and sends none twice", async () => {
    const runs = await runCrashTests(KILLS_EACH, (...given) => WebCrashTest.begin(...given));
    for (const { problems, figures } of runs) {
      expect(problems).toEqual([]);
      expect(figures.kills).toBe(KILLS_EACH);
    }
    if (!isLargeSample(KILLS_EACH)) return;
    // Each target was hit: otherwise the test would show nothing.
    for (const { figures } of runs) for (const hits of Object.values(figures.hit)) expect(hits).toBeGreaterThan(0);
  });
});

describe("a process that was killed", () => {
  let bench: ProcessBench;

  beforeEach(async () => {
    printSeedOnFailure();
    bench = await ProcessBench.open();
  });

  afterEach(async () => {
    await bench.close();
  });

  it("starts after its first start was killed, and treats the splits that were listed then as known", async () => {
    const random = createRandom(SEED);
    for (let round = 1; round <= repetitions({ short: 2, full: 5 }); round += 1) {
      bench.dataDir = join(bench.folder, `data-${round}`);
      for (let kills = random.below(3); kills >= 0; kills -= 1) {
        const killed = await bench.start();
        const used = killed.ready.then((address) => bench.subscribe(address)).catch(() => undefined);
        await Promise.race([pause(random.below(700)), killed.ended]);
        expect(await killed.kill()).toEqual({ code: null, signal: "SIGKILL" });
        await used;
      }

      const splitwatch = await bench.start();
      await bench.subscribe(await splitwatch.ready);
      await waitForPolls(splitwatch, 1);
      const expected = [`NEW${round}`];
      expect(await bench.listAndWait(`NEW${round}`, splitwatch)).toEqual({ general: expected, trading: expected });
      await stopGracefully(splitwatch);
    }
  });

  it("continues without sending an alert twice when the end of the log is torn", async () => {
    const random = createRandom(SEED);
    const listed: string[] = [];
    let splitwatch = await bench.start();
    await bench.subscribe(await splitwatch.ready);
    await waitForPolls(splitwatch, 1);

    for (let round = 1; round <= repetitions({ short: 2, full: 6 }); round += 1) {
      listed.push(`NEW${round}`);
      expect(await bench.listAndWait(`NEW${round}`, splitwatch)).toEqual({ general: listed, trading: listed });
      await splitwatch.kill();
      expect(await tearLog(bench.dataDir, random)).toBe(true);
      splitwatch = await bench.start();
      expect(await bench.alertsAfterStart(splitwatch)).toEqual({ general: listed, trading: listed });
    }
    await stopGracefully(splitwatch);
  });
});
