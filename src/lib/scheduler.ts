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
  const ends = new Set<() => Promise<void>>();
  let stopped = false;

  function start(schedule: Schedule): () => Promise<void> {
    if (stopped) return () => Promise.resolve();
    const underWay = new Set<Promise<void>>();
    const run = singleRun(schedule, log, underWay);
    const task = createTask(schedule.cron, run, { timezone: schedule.timezone, logger: cronLogger(log) });
    // A slot that passed while the machine slept or the process was too busy: once for all that were missed.
    task.on("execution:missed", ({ date }) => {
      log.info("missed tick run", { schedule: schedule.name, due: date.toISOString() });
      return run();
    });
    const end = async (): Promise<void> => {
      if (ends.delete(end)) await task.destroy();
      await Promise.all(underWay);
    };
    ends.add(end);
    void task.start();
    return end;
  }

  async function stop(): Promise<void> {
    stopped = true;
    await Promise.all([...ends].map((end) => end()));
  }

  return { start, stop, ticked, nextTick: rememberNextTicks(), longestPause };
}

/**
 * The schedule's work, done by one run at a time. node-cron's own `noOverlap` would not do: it knows nothing of the runs
 * that a missed tick starts.
 */
function singleRun(schedule: Schedule, log: Log, underWay: Set<Promise<void>>): () => Promise<void> {
  let running = false;
  return async () => {
    if (running) {
      log.debug("tick skipped", { schedule: schedule.name });
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
    log.error("scheduled run failed", { schedule: schedule.name, error });
  }
}

/** Whether a tick fell in the time after `since` and up to `until`, looking at most eight days back. */
function ticked(cron: string, timezone: string, since: number, until: number): boolean {
  return findTick(cron, timezone, Math.max(since, until - LOOK_BACK_MS), until) !== null;
}

/** Longer than any leap year. */
const LOOK_AHEAD_MS = 367 * 24 * 60 * MINUTE_MS;

/** Zones differ from each other by a multiple of so many minutes. */
const ZONE_STEP = 15;

/** A tick is looked for once, however often it is asked for by those who come before it. */
function rememberNextTicks(): Scheduler["nextTick"] {
  const known = new Map<string, { readonly after: number; readonly tick: number | null }>();
  return (cron, timezone, after) => {
    const key = `${timezone} ${cron}`;
    const last = known.get(key);
    if (last && last.after <= after && (last.tick === null ? after === last.after : after < last.tick))
      return last.tick;
    const tick = findTick(cron, timezone, after, after + LOOK_AHEAD_MS);
    known.set(key, { after, tick });
    return tick;
  };
}

/** The first tick after `after` and up to `until`. */
function findTick(cron: string, timezone: string, after: number, until: number): number | null {
  const { second: seconds, minute: minutes } = parse(cron);
  const firstSecond = Math.min(...seconds);
  const steps = new Set(minutes.map((minute) => minute % ZONE_STEP));
  return withTask(cron, { timezone }, (task) => {
    for (let minute = Math.floor(after / MINUTE_MS); minute * MINUTE_MS <= until; minute += 1) {
      const at = minute * MINUTE_MS;
      // A minute that matches with its first second matches with all of them.
      if (!steps.has(minute % ZONE_STEP) || !task.match(new Date(at + firstSecond * SECOND_MS))) continue;
      const ticks = seconds.map((second) => at + second * SECOND_MS).filter((tick) => tick > after && tick <= until);
      if (ticks.length > 0) return Math.min(...ticks);
    }
    return null;
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
