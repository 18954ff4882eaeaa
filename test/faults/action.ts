import { HOUR_MS, MINUTE_MS } from "../../src/domain/time/day.ts";
import type { Random } from "../support/random.ts";
import type { FaultRun } from "./run.ts";

/** What happens at one moment of a schedule. */
export interface Step {
  /** Milliseconds of the schedule's time after the step before. */
  readonly waitMs: number;
  /** Name and arguments, as they are printed. */
  readonly text: string;
  run(on: FaultRun): Promise<void> | void;
}

/** Steps of a kind: how often they are chosen, their arguments and their effect. */
interface Action<Args> {
  readonly weight: number;
  /** Ends the process; a schedule contains only a few of them, because starting takes long. */
  readonly restarts?: number;
  readonly plan: (random: Random) => Args;
  readonly run: (on: FaultRun, args: Args) => Promise<void> | void;
}

/** An action with its arguments hidden. */
export interface AnyAction {
  readonly weight: number;
  readonly restarts: number;
  readonly choose: (random: Random) => Pick<Step, "run"> & { readonly args: unknown };
}

export function action<Args>({ weight, restarts = 0, plan, run }: Action<Args>): AnyAction {
  return {
    weight,
    restarts,
    choose: (random) => {
      const args = plan(random);
      return { args, run: (on) => run(on, args) };
    },
  };
}

/** Whole number from `min` to `max`. */
export function between(random: Random, min: number, max: number): number {
  return min + random.below(max - min + 1);
}

/** Whole number of seconds, in milliseconds. */
export function seconds(random: Random, min: number, max: number): number {
  return between(random, min, max) * 1_000;
}

/** Two hours ahead: what waits for the clock of then is late. */
export const CLOCK_ERRORS_MS = [-HOUR_MS, -30_000, 10 * MINUTE_MS, 2 * HOUR_MS, 2 * HOUR_MS] as const;
