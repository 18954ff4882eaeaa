import { Cron } from "croner";
import { createTask, type TaskOptions, validateDetailed } from "node-cron";
import type { Log } from "../ports/log.ts";
import type { Schedule, Scheduler } from "../ports/scheduler.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** How far back `hasTicked` looks: enough for a weekly schedule. */
const MAX_LOOK_BACK_MS = 8 * DAY_MS;

/** How far ahead `nextTick` looks: more than a leap year. */
const MAX_LOOK_AHEAD_MS = 367 * DAY_MS;

/** Number of coming ticks between which `longestPause` finds pauses of less than an hour. */
const PAUSE_SAMPLE_SIZE = 500;
/** Hours of the coming week around which `longestPause` finds longer ones, such as nights and weekends. */
const PAUSE_SAMPLE_HOURS = 8 * 24;

/** The problem with a cron expression, or null if it is valid and has a tick. */
export function cronProblem(cron: string): string | null {
  const { errors } = validateDetailed(cron);
  if (errors.length > 0) return errors.map((error) => error.message).join("; ");
  return hasTick(cron) ? null : "no date matches it";
}

/** False for expressions such as `0 0 L-30 2 *`, which are well formed but match no date. */
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
  const endFunctions = new Set<() => Promise<void>>();
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
      if (endFunctions.delete(end)) await task.destroy();
      await Promise.all(running);
    };
    endFunctions.add(end);
    void task.start();
    return end;
  }

  async function stop(): Promise<void> {
    isStopped = true;
    await Promise.all([...endFunctions].map((end) => end()));
  }

  return { start, stop, hasTicked, nextTick: createNextTick(), longestPause };
}

/** Runs the schedule's work without overlap. node-cron's `noOverlap` ignores the runs that a missed tick starts. */
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

/** Computes ticks of a cron expression without scheduling work. */
function ticksOf(cron: string, timezone: string): Cron {
  // In node-cron a tick matches both the day of month and the day of week. croner needs `domAndDow` for that.
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

function hasTicked(cron: string, timezone: string, since: number, until: number): boolean {
  return firstTick(cron, timezone, Math.max(since, until - MAX_LOOK_BACK_MS), until) !== null;
}

/** Caches the last result per zone and expression, because every held delivery requests the next digest. */
function createNextTick(): Scheduler["nextTick"] {
  const lastResults = new Map<string, { readonly after: number; readonly tick: number | null }>();
  return (cron, timezone, after) => {
    const key = `${timezone} ${cron}`;
    const last = lastResults.get(key);
    if (last && last.after <= after && (last.tick === null ? after === last.after : after < last.tick))
      return last.tick;
    const tick = firstTick(cron, timezone, after, after + MAX_LOOK_AHEAD_MS);
    lastResults.set(key, { after, tick });
    return tick;
  };
}

function longestPause(cron: string, timezone: string): number {
  const schedule = ticksOf(cron, timezone);
  const ticks = schedule.nextRuns(PAUSE_SAMPLE_SIZE).map(Number);
  const [first = 0] = ticks;
  const pausesAround = Array.from({ length: PAUSE_SAMPLE_HOURS }, (_, index) => {
    const next = schedule.nextRun(new Date(first + index * HOUR_MS));
    const [previous] = next === null ? [] : schedule.previousRuns(1, next);
    return next === null || previous === undefined ? 0 : next.getTime() - previous.getTime();
  });
  return Math.max(...pausesAround, ...ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? tick)));
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
