import { appendFile, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AIMS, CrashRun } from "../support/crash-run.ts";
import { KILL_SEED, killSideBySide, tellSeedWhenFailed } from "../support/kill-side-by-side.ts";
import { endWell, polled } from "../support/polling-process.ts";
import { ProcessBench } from "../support/process-bench.ts";
import { createRandom } from "../support/random.ts";

const KILLS_EACH = 11 * AIMS.length;

describe("a process that is killed at any moment", () => {
  it("loses nothing and tells nothing twice, over more than a hundred kills", { timeout: 600_000 }, async () => {
    const runs = await killSideBySide(KILLS_EACH, (...given) => CrashRun.begin(...given));
    for (const { problems, figures } of runs) {
      expect(problems).toEqual([]);
      expect(figures.kills).toBe(KILLS_EACH);
      // Each aim was met, or the test would not be about what it says.
      for (const times of Object.values(figures.hit)) expect(times).toBeGreaterThan(0);
    }
  });
});

describe("a process that was killed", () => {
  let bench: ProcessBench;

  beforeEach(async () => {
    tellSeedWhenFailed();
    bench = await ProcessBench.open();
  });

  afterEach(async () => {
    await bench.close();
  });

  it("begins well after its very first start was killed, and takes what was listed then as known", async () => {
    const random = createRandom(KILL_SEED);
    for (let round = 1; round <= 5; round += 1) {
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
      await polled(life, 1);
      const told = [`NEW${round}`];
      expect(await bench.toldOf(`NEW${round}`, life)).toEqual({ general: told, trading: told });
      await endWell(life);
    }
  });

  it("goes on without telling anything anew when the last line of the journal is torn", async () => {
    const random = createRandom(KILL_SEED);
    const journal = join(bench.dataDir, "journal.log");
    const told: string[] = [];
    let life = await bench.start();
    await bench.subscribe(await life.ready);
    await polled(life, 1);

    for (let round = 1; round <= 6; round += 1) {
      told.push(`NEW${round}`);
      expect(await bench.toldOf(`NEW${round}`, life)).toEqual({ general: told, trading: told });
      await life.kill();

      const bytes = await readFile(journal);
      const lastLine = bytes.subarray(bytes.lastIndexOf("\n", -2) + 1);
      const part = 1 + random.below(lastLine.length - 1);
      // What was written and lost its end, or what was never written whole. The first line is never written alone.
      if (round % 2 === 0 && lastLine.length < bytes.length) await truncate(journal, bytes.length - part);
      else await appendFile(journal, lastLine.subarray(0, part));

      life = await bench.start();
      expect(await bench.toldAfterStart(life)).toEqual({ general: told, trading: told });
      expect(life.log().filter(({ msg }) => msg === "torn-line-cut")).toHaveLength(1);
    }
    await endWell(life);
  });
});
