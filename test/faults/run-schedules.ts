import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Processes } from "../support/process.ts";
import { IS_SOAK, SEED } from "../support/soak.ts";
import type { StartChat } from "./chat.ts";
import { type FaultFigures, FaultRun } from "./run.ts";
import { describeSchedule, planSchedule } from "./schedule.ts";

/** Short schedules with a kill and combined faults, for `npm test`. `SOAK_SEED` replaces them. */
const SHORT_SEED = 21852;

/** Seed of the first schedule; the others have the seeds after it. */
const FIRST_SEED = IS_SOAK || process.env.SOAK_SEED !== undefined ? SEED : SHORT_SEED;

/** Runs the schedules of successive seeds, and prints each with its figures. Returns those that broke a promise, with the reasons. */
export async function runSchedules(
  count: number,
  startChat: StartChat,
  firstSeed = FIRST_SEED,
): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "splitwatch-faults-"));
  const processes = new Processes();
  const failures: string[] = [];
  try {
    for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
      const failure = await runSchedule(seed, startChat, { folder: join(folder, String(seed)), processes });
      if (failure !== null) failures.push(failure);
    }
  } finally {
    await processes.endAll();
    await rm(folder, { recursive: true, force: true });
  }
  return failures;
}

async function runSchedule(
  seed: number,
  startChat: StartChat,
  machine: { readonly folder: string; readonly processes: Processes },
): Promise<string | null> {
  const schedule = planSchedule(seed);
  try {
    const { problems, figures } = await FaultRun.run(schedule, startChat, machine);
    print(seed, figures);
    if (problems.length === 0) return null;
    return [describeSchedule(schedule), ...problems.map(({ kind, what }) => `${kind}: ${what}`)].join("\n");
  } catch (error) {
    return [describeSchedule(schedule), `failed: ${error instanceof Error ? error.stack : String(error)}`].join("\n");
  }
}

function print(seed: number, figures: FaultFigures): void {
  process.stdout.write(`${JSON.stringify({ seed, ...figures })}\n`);
}
