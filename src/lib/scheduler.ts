import { Cron } from "croner";
import { createTask, type TaskOptions, validateDetailed } from "node-cron";
import type { Log } from "../ports/log.ts";
import type { Schedule, Scheduler } from "../ports/scheduler.ts";

const DAY_MS = 24 * 60 * 60_000;

/** How far back `ticked` looks: enough for a weekly schedule. */
const MAX_LOOK_BACK_MS = 8 * DAY_MS;

/** How far ahead `nextTick` looks: longer than a leap year. */
const MAX_LOOK_AHEAD_MS = 367 * DAY_MS;

/** Ticks that `longestPause` compares: every five minutes during trading hours, over a weekend. */
const PAUSE_SAMPLE = 500;

/** The problem with a cron expression, or null if it is valid and has a tick. */
export function cronProblem(cron: string): string | null {
  const { errors } = validateDetailed(cron);
  if (errors.length > 0) return errors.map((error) => error.message).join("; ");
  return hasTick(cron) ? null : "its day never comes";
}

/** False for expressions such as `0 0 L-30 2 *`, which are well formed but name a day that never comes. */
function hasTick(cron: string): boolean {
  const task = createTask(cron, () => undefined);
  try {
    return task.getNextRuns(1).length > 0;
  } catch {
    return false;
  } finally {
    void task.destroy();
  }
}

/** Runs work at the times of cron expressions, by the system clock. */
export function createScheduler(log: Log): Scheduler {
  const ends = new Set<() => Promise<void>>();
  let isStopped = false;

  function start(schedule: Schedule): () => Promise<void> {
    if (isStopped) return () => Promise.resolve();
    const running = new Set<Promise<void>>();
    const run = singleRun(schedule, log, running);
    const task = createTask(schedule.cron, run, { timezone: schedule.timezone, logger: cronLogger(log) });
    // Ticks that passed while the machine slept or the process was busy: one run makes up for all of them.
    task.on("execution:missed", ({ date }) => {
      log.info("missed tick run", { schedule: schedule.name, due: date.toISOString() });
      return run();
    });
    const end = async (): Promise<void> => {
      if (ends.delete(end)) await task.destroy();
      await Promise.all(running);
    };
    ends.add(end);
    void task.start();
    return end;
  }

  async function stop(): Promise<void> {
    isStopped = true;
    await Promise.all([...ends].map((end) => end()));
  }

  return { start, stop, ticked, nextTick: createNextTick(), longestPause };
}

/** The schedule's work without overlap. node-cron's `noOverlap` does not count the runs that a missed tick starts. */
function singleRun(schedule: Schedule, log: Log, running: Set<Promise<void>>): () => Promise<void> {
  let isRunning = false;
  return async () => {
    if (isRunning) {
      log.debug("tick skipped", { schedule: schedule.name });
      return;
    }
    isRunning = true;
    const work = schedule
      .run()
      .catch((error: unknown) => log.error("scheduled run failed", { schedule: schedule.name, error }));
    running.add(work);
    await work;
    running.delete(work);
    isRunning = false;
  };
}

/** Ticks of a cron expression, computed without running anything. */
function ticksOf(cron: string, timezone: string): Cron {
  // node-cron requires day of month and day of week together, as `domAndDow` does.
  return new Cron(cron, { timezone, paused: true, domAndDow: true });
}

/** The first tick after `after` and up to `until`, or null. */
function firstTick(cron: string, timezone: string, after: number, until: number): number | null {
  // croner counts in whole seconds.
  const tick = ticksOf(cron, timezone)
    .nextRun(new Date(Math.floor(after / 1_000) * 1_000))
    ?.getTime();
  return tick === undefined || tick > until ? null : tick;
}

function ticked(cron: string, timezone: string, since: number, until: number): boolean {
  return firstTick(cron, timezone, Math.max(since, until - MAX_LOOK_BACK_MS), until) !== null;
}

/** Keeps the last answer per zone and expression: every held delivery asks for the next digest. */
function createNextTick(): Scheduler["nextTick"] {
  const known = new Map<string, { readonly after: number; readonly tick: number | null }>();
  return (cron, timezone, after) => {
    const key = `${timezone} ${cron}`;
    const last = known.get(key);
    if (last && last.after <= after && (last.tick === null ? after === last.after : after < last.tick))
      return last.tick;
    const tick = firstTick(cron, timezone, after, after + MAX_LOOK_AHEAD_MS);
    known.set(key, { after, tick });
    return tick;
  };
}

function longestPause(cron: string, timezone: string): number {
  const ticks = ticksOf(cron, timezone).nextRuns(PAUSE_SAMPLE).map(Number);
  return Math.max(...ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? tick)));
}

/** Passes node-cron's messages to the log. */
function cronLogger(log: Log): NonNullable<TaskOptions["logger"]> {
  return {
    debug: (message) => log.debug("cron", { message: String(message) }),
    info: (message) => log.debug("cron", { message }),
    warn: (message) => log.warn("cron", { message }),
    error: (message, error) => log.error("cron", { message: String(message), error: error ?? message }),
  };
}
