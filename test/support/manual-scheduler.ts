import { createScheduler } from "../../src/lib/scheduler.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import type { Schedule, Scheduler } from "../../src/ports/scheduler.ts";
import { waitUntil } from "./wait-until.ts";

/** Scheduler whose schedules run only when the test calls `tick`. */
export class ManualScheduler implements Scheduler {
  readonly #schedules = new Map<string, Schedule>();
  readonly #real = createScheduler(SILENT_LOG);
  /** True once the app has asked for missed ticks, which follows its first poll. A tick of the splits asks too. */
  hasCaughtUp = false;

  start(schedule: Schedule): () => Promise<void> {
    this.#schedules.set(schedule.name, schedule);
    return async () => {
      if (this.#schedules.get(schedule.name) === schedule) this.#schedules.delete(schedule.name);
    };
  }

  hasTicked(...parameters: Parameters<Scheduler["hasTicked"]>): boolean {
    this.hasCaughtUp = true;
    return this.#real.hasTicked(...parameters);
  }

  nextTick(...parameters: Parameters<Scheduler["nextTick"]>): number | null {
    return this.#real.nextTick(...parameters);
  }

  longestPause(...parameters: Parameters<Scheduler["longestPause"]>): number {
    return this.#real.longestPause(...parameters);
  }

  async stop(): Promise<void> {
    this.#schedules.clear();
  }

  /** Runs the schedule. A process that gave up the job of polling, for example after a skip of its clock, has none until it polls again. */
  async tick(name: string): Promise<void> {
    if (this.#schedules.size === 0) await waitUntil("the process polls", () => this.#schedules.size > 0);
    const schedule = this.#schedules.get(name);
    if (!schedule) throw new Error(`no schedule named ${name}; there are ${[...this.#schedules.keys()].join(", ")}`);
    await schedule.run();
  }
}
