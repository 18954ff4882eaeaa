import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFailed } from "vitest";
import { Processes } from "./process.ts";
import { createRandom, type Random } from "./random.ts";
import { IS_SOAK, SEED } from "./soak.ts";

/** Installations that are killed concurrently. */
const CONCURRENT_RUNS = IS_SOAK ? 2 : 1;

/** Prints the seed if the current test fails. A repeated run differs only in what the machine's timing decides. */
export function printSeedOnFailure(): void {
  onTestFailed(() => void process.stderr.write(`SOAK_SEED=${SEED}\n`));
}

/** An installation with its upstream and platforms that is killed repeatedly, and the model of what it must have sent. */
export interface CrashTest<Figures> {
  readonly figures: Figures;
  killRepeatedly(times: number): Promise<void>;
  /** Waits until nothing is pending, and returns everything that was lost, sent twice or wrong. */
  settle(): Promise<readonly unknown[]>;
  stop(): Promise<void>;
}

export type StartCrashTest<Figures> = (
  folder: string,
  processes: Processes,
  random: Random,
) => Promise<CrashTest<Figures>>;

export interface Outcome<Figures> {
  readonly problems: readonly unknown[];
  readonly figures: Figures;
}

/** Kills the installations concurrently, each `killsEach` times, and prints their figures to standard output. */
export async function runCrashTests<Figures>(
  killsEach: number,
  begin: StartCrashTest<Figures>,
): Promise<readonly Outcome<Figures>[]> {
  const folder = await mkdtemp(join(tmpdir(), "splitwatch-kill-"));
  const processes = new Processes();
  const run = async (index: number): Promise<Outcome<Figures>> => {
    const killable = await begin(join(folder, String(index)), processes, createRandom(SEED + index));
    try {
      await killable.killRepeatedly(killsEach);
      return { problems: await killable.settle(), figures: killable.figures };
    } finally {
      await killable.stop();
    }
  };
  printSeedOnFailure();
  try {
    const outcomes = await Promise.all(Array.from({ length: CONCURRENT_RUNS }, (_, index) => run(index)));
    for (const { figures } of outcomes) process.stdout.write(`${JSON.stringify(figures)}\n`);
    return outcomes;
  } finally {
    await processes.endAll();
    await rm(folder, { recursive: true, force: true });
  }
}
