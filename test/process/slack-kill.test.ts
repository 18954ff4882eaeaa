import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFailed } from "vitest";
import { SlackCrashRun } from "../platforms/slack/crash-run.ts";
import { Processes } from "../support/process.ts";
import { createRandom } from "../support/random.ts";

/** As many as the cores of a small machine. */
const SIDE_BY_SIDE = 2;
const KILLS_EACH = 51;

const processes = new Processes();
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "splitwatch-slack-kill-"));
});

afterEach(async () => {
  await processes.endAll();
  await rm(folder, { recursive: true, force: true });
});

describe("a process that is killed while it tells Slack of splits", () => {
  it("loses nothing and tells nothing twice, over more than a hundred kills", async () => {
    const first = Number(process.env.KILL_SEED ?? Math.floor(Math.random() * 2 ** 31));
    onTestFailed(() => void process.stderr.write(`KILL_SEED=${first}\n`));
    const runs = await Promise.all(
      Array.from({ length: SIDE_BY_SIDE }, async (_, index) => {
        const random = createRandom(first + index);
        const run = await SlackCrashRun.begin(join(folder, String(index)), processes, random);
        try {
          await run.killOften(KILLS_EACH);
          return { problems: await run.settle(), figures: run.figures };
        } finally {
          await run.stop();
        }
      }),
    );
    for (const { figures } of runs) process.stdout.write(`${JSON.stringify(figures)}\n`);
    for (const { problems } of runs) expect(problems).toEqual([]);
    // Many of them came while Slack had a message that nobody had noted as delivered.
    expect(Math.min(...runs.map(({ figures }) => figures.hit))).toBeGreaterThan(KILLS_EACH / 4);
  }, 400_000);
});
