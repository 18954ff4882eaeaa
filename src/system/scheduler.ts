import { createTask, parse, type ScheduledTask, type TaskOptions, validateDetailed } from "node-cron";
import type { Log } from "../ports/log.ts";
import type { Schedule, Scheduler } from "../ports/scheduler.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Long enough to find the tick of a weekly schedule; older ticks are not looked for. */
const LOOK_BACK_MS = 8 * 24 * 60 * MINUTE_MS;

/** What is wrong with a cron expression, or null when it can be used. */
export function cronProblem(cron: string): string | null {
  const { errors } = validateDetailed(cron);
  if (errors.length > 0) return errors.map((error) => error.message).join("; ");
  return comesAtAll(cron) ? null : "its day never comes";
}

/** Runs work at the times of cron expressions, on the machine's own clock. */
export function createScheduler(log: Log): Scheduler {
  const tasks: ScheduledTask[] = [];
  const underWay = new Set<Promise<void>>();
  let stopped = false;

  function start(schedule: Schedule): void {
    if (stopped) return;
    const run = singleRun(schedule, log, underWay);
    const task = createTask(schedule.cron, run, { timezone: schedule.timezone, logger: cronLogger(log) });
    // A slot that passed while the machine slept or the process was too busy: once for all that were missed.
    task.on("execution:missed", ({ date }) => {
      log.info("tick-late", { schedule: schedule.name, due: date.toISOString() });
      return run();
    });
    tasks.push(task);
    void task.start();
  }

  /** Resolves when the runs under way have ended. */
  async function stop(): Promise<void> {
    stopped = true;
    for (const task of tasks.splice(0)) await task.destroy();
    await Promise.all(underWay);
  }

  return { start, stop, ticked, longestPause };
}

/**
 * The schedule's work, done by one run at a time. node-cron's own `noOverlap` would not do: it knows nothing of the runs
 * that a missed tick starts.
 */
function singleRun(schedule: Schedule, log: Log, underWay: Set<Promise<void>>): () => Promise<void> {
  let running = false;
  return async () => {
    if (running) {
      log.debug("tick-skipped", { schedule: schedule.name });
      return;
    }
    running = true;
    const work = runLogged(schedule, log);
    underWay.add(work);
    await work;
    underWay.delete(work);
    running = false;
  };
}

async function runLogged(schedule: Schedule, log: Log): Promise<void> {
  try {
    await schedule.run();
  } catch (error) {
    log.error("run-failed", { schedule: schedule.name, error });
  }
}

/** Whether a tick fell in the time after `since` and up to `until`, looking at most eight days back. */
function ticked(cron: string, timezone: string, since: number, until: number): boolean {
  // Zones differ from each other by whole minutes: a minute that matches with its first second matches with all of them.
  const seconds = parse(cron).second;
  const firstSecond = Math.min(...seconds);
  const from = Math.max(since, until - LOOK_BACK_MS);
  const within = (at: number): boolean => at > from && at <= until;
  return withTask(cron, { timezone }, (task) => {
    for (let minute = Math.floor(from / MINUTE_MS) * MINUTE_MS; minute <= until; minute += MINUTE_MS) {
      const matches = task.match(new Date(minute + firstSecond * SECOND_MS));
      if (matches && seconds.some((second) => within(minute + second * SECOND_MS))) return true;
    }
    return false;
  });
}

/** So many ticks take a schedule of every five minutes in the hours of trade over a weekend. */
const TICKS_AHEAD = 500;

function longestPause(cron: string, timezone: string): number {
  const ticks = withTask(cron, { timezone }, (task) => task.getNextRuns(TICKS_AHEAD).map(Number));
  return Math.max(...ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? tick)));
}

/** Forms such as `L-30` are well made, yet name a day that February never has. */
function comesAtAll(cron: string): boolean {
  return withTask(cron, {}, (task) => {
    try {
      return task.getNextRuns(1).length > 0;
    } catch {
      return false;
    }
  });
}

/** node-cron keeps every task that it made until it is destroyed. */
function withTask<T>(cron: string, options: TaskOptions, ask: (task: ScheduledTask) => T): T {
  const task = createTask(cron, () => undefined, options);
  try {
    return ask(task);
  } finally {
    void task.destroy();
  }
}

/** Its words go to our log instead of the terminal. */
function cronLogger(log: Log): NonNullable<TaskOptions["logger"]> {
  return {
    debug: (message) => log.debug("cron", { message: String(message) }),
    info: (message) => log.debug("cron", { message }),
    warn: (message) => log.warn("cron", { message }),
    error: (message, error) => log.error("cron", { message: String(message), error: error ?? message }),
  };
}
