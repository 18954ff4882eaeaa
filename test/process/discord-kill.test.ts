import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFailed } from "vitest";
import { DiscordCrashRun } from "../platforms/discord/crash-run.ts";
import { Processes } from "../support/process.ts";
import { createRandom } from "../support/random.ts";

/** As many as the cores of a small machine. */
const SIDE_BY_SIDE = 2;
const KILLS_EACH = 51;

const processes = new Processes();
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "splitwatch-discord-kill-"));
});

afterEach(async () => {
  await processes.endAll();
  await rm(folder, { recursive: true, force: true });
});

describe("a process that is killed while it tells many channels and people on Discord", () => {
  it("loses nothing and tells nothing twice, over more than a hundred kills, while messages are stored and cut off", async () => {
    // KILL_SEED tries a failure again, as far as the moments of a busy machine can be had again.
    const seed = Number(process.env.KILL_SEED ?? Math.floor(Math.random() * 2 ** 31));
    onTestFailed(() => void process.stderr.write(`KILL_SEED=${seed}\n`));
    const runs = await Promise.all(
      Array.from({ length: SIDE_BY_SIDE }, async (_, index) => {
        const run = await DiscordCrashRun.begin(join(folder, String(index)), processes, createRandom(seed + index));
        try {
          await run.killOften(KILLS_EACH);
          return { problems: await run.settle(), figures: run.figures };
        } finally {
          await run.stop();
        }
      }),
    );
    for (const { figures } of runs) process.stdout.write(`${JSON.stringify(figures)}\n`);
    for (const { problems, figures } of runs) {
      expect(problems).toEqual([]);
      expect(figures.killedWhileSending).toBeGreaterThan(KILLS_EACH / 4);
      expect(figures.suppressed).toBeGreaterThan(KILLS_EACH / 4);
    }
  }, 400_000);
});
