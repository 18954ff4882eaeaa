import { appendFile, mkdtemp, readFile, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, onTestFailed } from "vitest";
import { AIMS, CrashRun } from "../support/crash-run.ts";
import { endWell, polled } from "../support/polling-process.ts";
import { Processes } from "../support/process.ts";
import { ProcessBench } from "../support/process-bench.ts";
import { createRandom } from "../support/random.ts";

/** As many as a small machine has cores. */
const SIDE_BY_SIDE = 2;
const KILLS_EACH = 11 * AIMS.length;

/** KILL_SEED tries a failure again, as far as the moments of a busy machine can be had again. */
const SEED = Number(process.env.KILL_SEED ?? Math.floor(Math.random() * 2 ** 31));

beforeEach(() => {
  onTestFailed(() => void process.stderr.write(`KILL_SEED=${SEED}\n`));
});

describe("a process that is killed at any moment", () => {
  const processes = new Processes();
  let folder = "";

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "splitwatch-kill-"));
  });

  afterEach(async () => {
    await processes.endAll();
    await rm(folder, { recursive: true, force: true });
  });

  async function crash(seed: number) {
    const run = await CrashRun.begin(join(folder, String(seed)), processes, createRandom(seed));
    try {
      await run.killOften(KILLS_EACH);
      return { problems: await run.settle(), figures: run.figures };
    } finally {
      await run.stop();
    }
  }

  it("loses nothing and tells nothing twice, over more than a hundred kills", { timeout: 600_000 }, async ({
    annotate,
  }) => {
    const runs = await Promise.all(Array.from({ length: SIDE_BY_SIDE }, (_, index) => crash(SEED + index)));
    for (const { figures } of runs) await annotate(JSON.stringify(figures));
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
    bench = await ProcessBench.open();
  });

  afterEach(async () => {
    await bench.close();
  });

  it("begins well after its very first start was killed, and takes what was listed then as known", async () => {
    const random = createRandom(SEED);
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
    const random = createRandom(SEED);
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
