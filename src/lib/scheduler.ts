import { Cron } from "croner";
import { createTask, validateDetailed } from "node-cron";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Schedule, Scheduler } from "../ports/scheduler.ts";
import { createJumpDetector, systemClock } from "./clock.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Maximum time between two checks of the clock, which may be set. */
const CHECK_INTERVAL_MS = 1_000;

/** Maximum delay of a tick that counts as on time; a clock that is set back by less repeats no tick. */
const MAX_DELAY_MS = 1_000;

/** How far back `hasTicked` looks: enough for a weekly schedule. */
const MAX_LOOK_BACK_MS = 8 * DAY_MS;

/** How far ahead `nextTick` looks: more than a leap year. */
const MAX_LOOK_AHEAD_MS = 367 * DAY_MS;

/** Number of coming ticks between which `longestPause` finds pauses of less than an hour. */
const PAUSE_SAMPLE_SIZE = 500;
/** Number of coming hours whose surrounding pause `longestPause` measures, to find longer pauses such as nights and weekends. */
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

/**
 * Runs work at the times of cron expressions, by the given clock, and logs changes of the system clock. One timer checks all
 * schedules at the next tick, and at least every second, because the clock may be set.
 */
export function createScheduler(log: Log, clock: Clock = systemClock): Scheduler {
  const started = new Set<StartedSchedule>();
  const detectJump = createJumpDetector(systemClock);
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  function check(): void {
    const byMs = detectJump();
    if (byMs !== 0) log.warn("system clock changed", { byMs });
    checkIn(Math.min(CHECK_INTERVAL_MS, ...[...started].map((schedule) => schedule.check())));
  }

  function checkIn(ms: number): void {
    clearTimeout(timer);
    if (started.size > 0) timer = setTimeout(check, Math.max(1, ms));
  }

  function start(schedule: Schedule): () => Promise<void> {
    if (isStopped) return () => Promise.resolve();
    const ticking = startSchedule(schedule, log, clock);
    started.add(ticking);
    checkIn(0);
    return () => end(ticking);
  }

  async function end(schedule: StartedSchedule): Promise<void> {
    started.delete(schedule);
    if (started.size === 0) clearTimeout(timer);
    await schedule.idle();
  }

  async function stop(): Promise<void> {
    isStopped = true;
    await Promise.all([...started].map(end));
  }

  return { start, stop, hasTicked, nextTick: createNextTick(), longestPause };
}

interface StartedSchedule {
  /** Runs the schedule if it is due. Returns the milliseconds until its next tick. */
  check(): number;
  /** Resolves when the schedule's running work has ended. */
  idle(): Promise<void>;
}

/** Starts a schedule. One run makes up for all missed ticks. If the clock is set back, the ticks of the repeated time run again. */
function startSchedule(schedule: Schedule, log: Log, clock: Clock): StartedSchedule {
  const { name, cron, timezone } = schedule;
  const ticks = ticksOf(cron, timezone);
  const nextAfter = (at: number): number => ticks.nextRun(wholeSecond(at))?.getTime() ?? Number.POSITIVE_INFINITY;
  const running = new Set<Promise<void>>();
  const run = singleRun(schedule, log, running);
  let checkedAt = clock.now();
  let nextTickAt = nextAfter(checkedAt);

  function check(): number {
    const now = clock.now();
    const isDue = now >= nextTickAt;
    if (now - nextTickAt > MAX_DELAY_MS)
      log.info("missed tick run", { schedule: name, due: new Date(nextTickAt).toISOString() });
    if (isDue || now < checkedAt - MAX_DELAY_MS) nextTickAt = nextAfter(now);
    checkedAt = now;
    if (isDue) void run();
    return nextTickAt - now;
  }

  return {
    check,
    async idle() {
      await Promise.all(running);
    },
  };
}

/** Runs the schedule's work without overlap. */
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

/** Computes ticks of a cron expression from any moment. */
function ticksOf(cron: string, timezone: string): Cron {
  // In node-cron a tick matches both the day of month and the day of week. croner needs `domAndDow` for that.
  return new Cron(cron, { timezone, paused: true, domAndDow: true });
}

/** croner counts in whole seconds. */
function wholeSecond(at: number): Date {
  return new Date(Math.floor(at / 1_000) * 1_000);
}

/** The first tick after `after` and up to `until`, or null. */
function firstTick(cron: string, timezone: string, after: number, until: number): number | null {
  const tick = ticksOf(cron, timezone).nextRun(wholeSecond(after))?.getTime();
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
