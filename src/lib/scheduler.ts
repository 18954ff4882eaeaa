import { Cron } from "croner";
import { createTask, type TaskOptions, validateDetailed } from "node-cron";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Schedule, Scheduler } from "../ports/scheduler.ts";
import { createJumpDetector, systemClock } from "./clock.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Interval at which changes of the system clock are detected. */
const WATCH_INTERVAL_MS = 1_000;

/** Delay after which the watch runs a tick itself: node-cron skips the hour that is repeated when daylight saving time ends. */
const OVERDUE_MS = 10_000;

const OVERDUE_WATCHES = OVERDUE_MS / WATCH_INTERVAL_MS;

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

/** A started schedule. */
interface Ticking {
  /** Runs the work if a tick has passed since the last run. */
  runIfDue(): Promise<void>;
  /** Runs the work if node-cron has skipped a tick. */
  runIfOverdue(): Promise<void>;
  /** Makes node-cron compute the next tick from the current time of the system clock. */
  rearm(): void;
  end(): Promise<void>;
}

/** Runs work at the times of cron expressions, by the given clock. */
export function createScheduler(log: Log, clock: Clock = systemClock): Scheduler {
  const started = new Set<Ticking>();
  let isStopped = false;
  let watch: NodeJS.Timeout | undefined;

  function start(schedule: Schedule): () => Promise<void> {
    if (isStopped) return () => Promise.resolve();
    const ticking = startTicking(schedule, { log, clock });
    started.add(ticking);
    watch ??= setInterval(createClockWatch(started, { log, clock }), WATCH_INTERVAL_MS).unref();
    return async () => {
      started.delete(ticking);
      await ticking.end();
    };
  }

  async function stop(): Promise<void> {
    isStopped = true;
    clearInterval(watch);
    await Promise.all([...started].map((ticking) => ticking.end()));
  }

  return { start, stop, hasTicked, nextTick: createNextTick(), longestPause };
}

/**
 * Returns a function that keeps schedules at their times when the system clock is set: node-cron waits for the time at which it
 * expected the next tick, which may be far away or skip ticks.
 */
function createClockWatch(
  started: ReadonlySet<Ticking>,
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): () => void {
  const detectSystemJump = createJumpDetector(systemClock);
  const detectJump = createJumpDetector(clock);
  let watches = 0;
  const runDue = (): void => {
    for (const ticking of started) void ticking.runIfDue();
  };
  const runOverdue = (): void => {
    for (const ticking of started) void ticking.runIfOverdue();
  };
  return () => {
    const systemJumpMs = detectSystemJump();
    if (systemJumpMs !== 0) {
      log.warn("system clock changed", { byMs: systemJumpMs });
      for (const ticking of started) ticking.rearm();
    }
    // node-cron ticks by the system clock, which `clock` doesn't follow at once.
    const differs = Math.abs(clock.now() - systemClock.now()) >= WATCH_INTERVAL_MS;
    watches += 1;
    if (detectJump() !== 0 || differs) runDue();
    else if (watches % OVERDUE_WATCHES === 0) runOverdue();
  };
}

function startTicking(schedule: Schedule, { log, clock }: { readonly log: Log; readonly clock: Clock }): Ticking {
  const { name, cron, timezone } = schedule;
  const running = new Set<Promise<void>>();
  const run = singleRun(schedule, log, running);
  let ranAt = clock.now();

  function isDue(): boolean {
    const now = clock.now();
    const isTickPassed = hasTicked(cron, timezone, ranAt, now);
    // If the clock was set back, the ticks until then come again.
    if (isTickPassed || now < ranAt) ranAt = now;
    return isTickPassed;
  }

  const runIfDue = async (): Promise<void> => (isDue() ? run() : undefined);
  const runIfOverdue = async (): Promise<void> => {
    if (hasTicked(cron, timezone, ranAt, clock.now() - OVERDUE_MS)) await runIfDue();
  };
  const task = createTask(cron, runIfDue, { timezone, logger: cronLogger(log) });
  // Ticks that passed while the machine slept or the process was busy: one run makes up for all of them.
  task.on("execution:missed", ({ date }) => {
    if (date.getTime() <= ranAt || !isDue()) return;
    log.info("missed tick run", { schedule: name, due: date.toISOString() });
    return run();
  });
  void task.start();
  return {
    runIfDue,
    runIfOverdue,
    rearm() {
      void task.stop();
      void task.start();
    },
    async end() {
      await task.destroy();
      await Promise.all(running);
    },
  };
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
