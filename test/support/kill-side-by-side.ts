import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFailed } from "vitest";
import { Processes } from "./process.ts";
import { createRandom, type Random } from "./random.ts";

/** As many as the cores of a small machine. */
const SIDE_BY_SIDE = 2;

/** KILL_SEED tries a failure again, as far as the moments of a busy machine can be had again. */
export const KILL_SEED = Number(process.env.KILL_SEED ?? Math.floor(Math.random() * 2 ** 31));

export function tellSeedWhenFailed(): void {
  onTestFailed(() => void process.stderr.write(`KILL_SEED=${KILL_SEED}\n`));
}

/** A splitwatch with its surroundings that is killed again and again, and knows what it should have told. */
export interface Killable<Figures> {
  readonly figures: Figures;
  killOften(times: number): Promise<void>;
  /** Lets it come to rest, and gives all that was lost, told twice or wrong. */
  settle(): Promise<readonly unknown[]>;
  stop(): Promise<void>;
}

export type Begin<Figures> = (folder: string, processes: Processes, random: Random) => Promise<Killable<Figures>>;

export interface Outcome<Figures> {
  readonly problems: readonly unknown[];
  readonly figures: Figures;
}

/** Several of them at once, each killed so often; their figures go to standard output. */
export async function killSideBySide<Figures>(
  killsEach: number,
  begin: Begin<Figures>,
): Promise<readonly Outcome<Figures>[]> {
  const folder = await mkdtemp(join(tmpdir(), "splitwatch-kill-"));
  const processes = new Processes();
  const live = async (index: number): Promise<Outcome<Figures>> => {
    const run = await begin(join(folder, String(index)), processes, createRandom(KILL_SEED + index));
    try {
      await run.killOften(killsEach);
      return { problems: await run.settle(), figures: run.figures };
    } finally {
      await run.stop();
    }
  };
  tellSeedWhenFailed();
  try {
    const outcomes = await Promise.all(Array.from({ length: SIDE_BY_SIDE }, (_, index) => live(index)));
    for (const { figures } of outcomes) process.stdout.write(`${JSON.stringify(figures)}\n`);
    return outcomes;
  } finally {
    await processes.endAll();
    await rm(folder, { recursive: true, force: true });
  }
}
