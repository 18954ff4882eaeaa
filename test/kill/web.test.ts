import { appendFile, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { printSeedOnFailure, runCrashTests } from "../support/crash-test.ts";
import { stopGracefully, waitForPolls } from "../support/polling-process.ts";
import { ProcessBench } from "../support/process-bench.ts";
import { createRandom } from "../support/random.ts";
import { isLargeSample, repetitions, SEED } from "../support/soak.ts";
import { KILL_TARGETS, WebCrashTest } from "../support/web-crash-test.ts";

/** Kills per installation: each aim equally often. */
const KILLS_EACH = KILL_TARGETS.length * repetitions({ short: 1, full: 11 });

describe("a process that is killed at any moment", () => {
  it("loses no alert and sends none twice", async () => {
    const runs = await runCrashTests(KILLS_EACH, (...given) => WebCrashTest.begin(...given));
    for (const { problems, figures } of runs) {
      expect(problems).toEqual([]);
      expect(figures.kills).toBe(KILLS_EACH);
    }
    if (!isLargeSample(KILLS_EACH)) return;
    // Each aim was hit: otherwise the test would show nothing.
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

      const life = await bench.start();
      await bench.subscribe(await life.ready);
      await waitForPolls(life, 1);
      const told = [`NEW${round}`];
      expect(await bench.listAndWait(`NEW${round}`, life)).toEqual({ general: told, trading: told });
      await stopGracefully(life);
    }
  });

  it("continues without sending an alert twice when the last log record is torn", async () => {
    const random = createRandom(SEED);
    const journal = join(bench.dataDir, "journal.log");
    const told: string[] = [];
    let life = await bench.start();
    await bench.subscribe(await life.ready);
    await waitForPolls(life, 1);

    for (let round = 1; round <= repetitions({ short: 2, full: 6 }); round += 1) {
      told.push(`NEW${round}`);
      expect(await bench.listAndWait(`NEW${round}`, life)).toEqual({ general: told, trading: told });
      await life.kill();

      const bytes = await readFile(journal);
      const lastLine = bytes.subarray(bytes.lastIndexOf("\n", -2) + 1);
      const part = 1 + random.below(lastLine.length - 1);
      // Either a record that lost its end, or one that was never written whole. The first line is never written alone.
      if (round % 2 === 0 && lastLine.length < bytes.length) await truncate(journal, bytes.length - part);
      else await appendFile(journal, lastLine.subarray(0, part));

      life = await bench.start();
      expect(await bench.alertsAfterStart(life)).toEqual({ general: told, trading: told });
      expect(life.log().filter(({ msg }) => msg === "torn log record dropped")).toHaveLength(1);
    }
    await stopGracefully(life);
  });
});
