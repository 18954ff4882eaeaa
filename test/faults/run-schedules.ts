import { join } from "node:path";
import { Processes } from "../support/process.ts";
import { IS_FULL_SOAK, IS_SOAK, repetitions, SEED } from "../support/soak.ts";
import type { StartChat } from "./chat.ts";
import type { Problem } from "./model.ts";
import { type FaultFigures, FaultRun } from "./run.ts";
import { RunFolder } from "./run-folder.ts";
import { describeSchedule, planSchedule, type Schedule } from "./schedule.ts";
import type { OpenState, StateKind } from "./state.ts";

/** Short schedules with a kill and combined faults, for `npm test`. `SOAK_SEED` replaces them. */
const SHORT_SEED = 31805;

/** Seed of the first schedule; the others have the seeds after it. */
const FIRST_SEED = IS_SOAK || process.env.SOAK_SEED !== undefined ? SEED : SHORT_SEED;

/** Maximum time in milliseconds for which a request may block the event loop. */
const MAX_STALL_MS = 100;

const PROBLEM_KINDS = [
  "lost",
  "doubled",
  "flooded",
  "late",
  "blocked",
  "early",
  "out of order",
  "wrong",
  "process",
] as const;

interface Result {
  readonly problems: readonly Problem[];
  readonly figures: FaultFigures | null;
  /** Its steps and problems; null if it kept every promise. */
  readonly failure: string | null;
}

/**
 * Runs one schedule in `npm test` and 25 in a full soak, with successive seeds, and prints each with its figures, the failed ones
 * with steps and problems, and a summary. Returns those that broke a promise, with the reasons.
 */
export async function runSchedules(
  title: string,
  parts: { readonly kind: StateKind; readonly startChat: StartChat; readonly openState: OpenState },
): Promise<readonly string[]> {
  const count = repetitions({ short: 1, full: 25 });
  const folder = new RunFolder();
  const processes = new Processes();
  const results: Result[] = [];
  try {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + count; seed += 1) {
      const result = await runSchedule(planSchedule(seed, parts.kind), parts, {
        folder: join(folder.path, String(seed)),
        processes,
      });
      results.push(result);
      print(`${title} ${JSON.stringify({ seed, ...result.figures })}`);
      if (result.failure !== null) print(`${title} FAILED ${result.failure}`);
    }
  } finally {
    print(summaryOf(title, results));
    await processes.endAll();
    folder.close();
  }
  return results.flatMap(({ failure }) => failure ?? []);
}

async function runSchedule(
  schedule: Schedule,
  parts: { readonly startChat: StartChat; readonly openState: OpenState },
  machine: { readonly folder: string; readonly processes: Processes },
): Promise<Result> {
  try {
    const { problems: broken, figures } = await FaultRun.run(schedule, parts, machine);
    const problems = [...broken, ...stallsIn(figures)];
    const lines = problems.map(({ kind, what }) => `${kind}: ${what}`);
    return {
      problems,
      figures,
      failure: lines.length === 0 ? null : [describeSchedule(schedule), ...lines].join("\n"),
    };
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const failure = [describeSchedule(schedule), `failed: ${what}`].join("\n");
    return { problems: [{ kind: "process", what }], figures: null, failure };
  }
}

function stallsIn({ worstStallMs }: FaultFigures): readonly Problem[] {
  if (!IS_FULL_SOAK || worstStallMs <= MAX_STALL_MS) return [];
  return [{ kind: "process", what: `the event loop was blocked for ${worstStallMs} ms` }];
}

/** `Discord: 25 schedules, 300 messages, 900 deliveries, 20 kills, 0 lost, 0 doubled, ..., longest stall 40 ms` */
function summaryOf(title: string, results: readonly Result[]): string {
  const figures = results.flatMap((result) => result.figures ?? []);
  const sum = (of: (one: FaultFigures) => number): number => figures.reduce((total, one) => total + of(one), 0);
  const problems = results.flatMap((result) => result.problems);
  const counts = PROBLEM_KINDS.map((kind) => `${problems.filter((problem) => problem.kind === kind).length} ${kind}`);
  return [
    `${title}: ${results.length} schedules (seeds from ${FIRST_SEED})`,
    `${results.filter(({ failure }) => failure !== null).length} failed`,
    `${sum(({ messages }) => messages)} messages`,
    `${sum(({ alerts }) => alerts)} deliveries`,
    `${sum(({ kills }) => kills)} kills`,
    ...counts,
    `longest stall ${Math.max(0, ...figures.map(({ worstStallMs }) => worstStallMs))} ms`,
  ].join(", ");
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
