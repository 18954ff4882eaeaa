import { createTask } from "node-cron";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LogFields } from "../ports/log.ts";
import { SILENT_LOG } from "../ports/log.ts";
import { createSettlingClock, SETTLE_MS, systemClock } from "./clock.ts";
import { createScheduler, cronProblem } from "./scheduler.ts";

const NEW_YORK = "America/New_York";
const MINUTE_MS = 60_000;
const EVERY_SECOND = "* * * * * *";

describe("createScheduler", () => {
  it("runs at its ticks, skips ticks during a run, and continues after a failure", async () => {
    const release = Promise.withResolvers<void>();
    const done = Promise.withResolvers<void>();
    const logged: [string, LogFields | undefined][] = [];
    const scheduler = createScheduler({
      ...SILENT_LOG,
      debug: (event) => void (event === "tick skipped" && release.resolve()),
      error: (event, fields) => void logged.push([event, fields]),
    });
    const steps = [
      () => release.promise, // until a second tick was skipped
      () => Promise.reject(new Error("the wire is cut")),
      async () => done.resolve(),
    ];
    scheduler.start({ name: "test", cron: EVERY_SECOND, timezone: NEW_YORK, run: async () => steps.shift()?.() });
    await done.promise;
    await scheduler.stop();
    expect(logged).toEqual([["scheduled run failed", { schedule: "test", error: new Error("the wire is cut") }]]);
  });

  it("runs once, immediately, for all missed ticks", async () => {
    const firstRun = Promise.withResolvers<void>();
    const secondRun = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const missedTicks: unknown[] = [];
    let runs = 0;
    const scheduler = createScheduler({
      ...SILENT_LOG,
      info: (event, fields) => void (event === "missed tick run" && missedTicks.push(fields?.schedule)),
    });
    const run = async () => {
      runs += 1;
      if (runs === 1) return firstRun.resolve();
      secondRun.resolve();
      await release.promise;
    };
    scheduler.start({ name: "test", cron: EVERY_SECOND, timezone: NEW_YORK, run });
    await firstRun.promise;
    await nextTurn();
    blockTheProcess(3_500);
    await secondRun.promise;
    await nextTurn();
    expect(missedTicks).toEqual(["test"]);
    expect(runs).toBe(2);
    release.resolve();
    await scheduler.stop();
  });

  it("starts no work after it is stopped, and waits for running work", async () => {
    const running = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    let ended = false;
    let runs = 0;
    const scheduler = createScheduler(SILENT_LOG);
    const run = async () => {
      runs += 1;
      running.resolve();
      await release.promise;
      await nextTurn();
      ended = true;
    };
    scheduler.start({ name: "test", cron: EVERY_SECOND, timezone: NEW_YORK, run });
    await running.promise;
    const stopped = scheduler.stop();
    scheduler.start({ name: "too late", cron: EVERY_SECOND, timezone: NEW_YORK, run });
    release.resolve();
    await stopped;
    expect(ended).toBe(true);
    blockTheProcess(1_200);
    await nextTurn();
    expect(runs).toBe(1);
  });
});

describe("a scheduler whose system clock changes", () => {
  const SECOND_MS = 1_000;
  const HOUR_MS = 60 * MINUTE_MS;
  const DAY_MS = 24 * HOUR_MS;
  const TIMERS = ["Date", "performance", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] as const;
  let uptimeMs = 0;
  let stop: () => Promise<void>;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: [...TIMERS], now: Date.parse("2026-03-02T14:00:30Z") });
    uptimeMs = 0;
  });
  afterEach(async () => {
    await stop();
    vi.useRealTimers();
  });

  /** Starts a schedule and returns the times of its runs, in minutes of the day in New York by the system clock. */
  function started(cron: string): string[] {
    const runs: string[] = [];
    const clock = createSettlingClock(systemClock, () => performance.now() + uptimeMs);
    const scheduler = createScheduler(SILENT_LOG, clock);
    const format = new Intl.DateTimeFormat("en-GB", { timeZone: NEW_YORK, dateStyle: "short", timeStyle: "short" });
    const run = async () => void runs.push(format.format(clock.now()).replace("/2026", ""));
    scheduler.start({ name: "test", cron, timezone: NEW_YORK, run });
    stop = () => scheduler.stop();
    return runs;
  }

  it.each([-30 * SECOND_MS, -HOUR_MS, -DAY_MS, HOUR_MS, DAY_MS])(
    "runs every tick when it is set by %i ms",
    async (ms) => {
      const runs = started("*/2 * * * *");
      await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
      expect(runs).toEqual(["02/03, 09:02", "02/03, 09:04"]);
      jump(ms);
      for (let count = 3; count < 13; count += 1) {
        await vi.advanceTimersByTimeAsync(2 * MINUTE_MS + SECOND_MS);
        expect(runs.length).toBeGreaterThanOrEqual(count);
      }
    },
  );

  it.each([-365 * DAY_MS, 365 * DAY_MS])("runs a tick per second when it is set by %i ms", async (ms) => {
    const runs = started("* * * * * *");
    await vi.advanceTimersByTimeAsync(5 * SECOND_MS);
    jump(ms);
    await vi.advanceTimersByTimeAsync(5 * SECOND_MS);
    expect(runs.length).toBeGreaterThanOrEqual(9);
  });

  it("is checked by one timer for all schedules, which ends with the last one", async () => {
    const warnings: unknown[] = [];
    const scheduler = createScheduler({ ...SILENT_LOG, warn: (event, fields) => void warnings.push([event, fields]) });
    stop = () => scheduler.stop();
    const runs: number[] = [];
    const ends = [2, 3, 5].map((minutes, index) => {
      const run = async () => void runs.push(index);
      return scheduler.start({ name: `test ${index}`, cron: `*/${minutes} * * * *`, timezone: NEW_YORK, run });
    });
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(6 * MINUTE_MS);
    expect([runs.toSorted((a, b) => a - b), vi.getTimerCount()]).toEqual([[0, 0, 0, 1, 1, 2], 1]);
    jump(HOUR_MS);
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    expect(warnings).toEqual([["system clock changed", { byMs: HOUR_MS }]]);
    for (const end of ends) await end();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("runs every tick when it is set back for ten seconds", async () => {
    const runs = started("*/2 * * * *");
    jump(-HOUR_MS);
    await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
    jump(HOUR_MS);
    await vi.advanceTimersByTimeAsync(6 * MINUTE_MS);
    expect(runs).toEqual(["02/03, 09:02", "02/03, 09:04", "02/03, 09:06"]);
  });

  it.each([DAY_MS, 365 * DAY_MS])("runs a daily tick once when it is %i ms ahead for a minute", async (ms) => {
    const runs = started("0 10 * * *");
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    jump(ms);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    jump(-ms);
    await vi.advanceTimersByTimeAsync(30 * MINUTE_MS);
    expect(runs).toEqual([]);
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(runs).toEqual(["02/03, 10:00"]);
  });

  it("runs the jumped-over tick of a day once when the clock stays set forward", async () => {
    const runs = started("0 10 * * *");
    jump(2 * HOUR_MS);
    await vi.advanceTimersByTimeAsync(SETTLE_MS - SECOND_MS);
    expect(runs).toEqual([]);
    await vi.advanceTimersByTimeAsync(2 * SECOND_MS);
    expect(runs).toEqual(["02/03, 11:02"]);
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(runs).toHaveLength(1);
  });

  it("immediately runs a tick that passed while the machine was suspended", async () => {
    const runs = started("0 10 * * *");
    jump(2 * HOUR_MS);
    uptimeMs += 2 * HOUR_MS;
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    expect(runs).toEqual(["02/03, 11:00"]);
  });

  it("runs every tick of the hour that is repeated when daylight saving time ends", async () => {
    vi.setSystemTime("2026-11-01T05:59:30Z");
    const runs = started("*/2 * * * *");
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
    expect(runs).toHaveLength(60);
  });

  it.each([
    ["starts", "2026-03-08T05:00:30Z", "08/03, 09:00"],
    ["ends", "2026-11-01T04:00:30Z", "01/11, 09:00"],
  ])("runs a daily tick once, at its time of day, when daylight saving time %s", async (_, start, expected) => {
    vi.setSystemTime(start);
    const runs = started("0 9 * * *");
    await vi.advanceTimersByTimeAsync(12 * HOUR_MS);
    expect(runs).toEqual([expected]);
  });
});

describe("hasTicked", () => {
  const scheduler = createScheduler(SILENT_LOG);
  const REMINDERS = "0 9,15 * * 1-5";

  it.each([
    [REMINDERS, "2026-03-02T13:59:00Z", "2026-03-02T14:00:00Z", true, "a tick at the end counts"],
    [REMINDERS, "2026-03-02T14:00:00Z", "2026-03-02T14:05:00Z", false, "a tick at the beginning does not"],
    [REMINDERS, "2026-03-02T14:00:00Z", "2026-03-02T19:59:59Z", false, "between two ticks"],
    [
      REMINDERS,
      "2026-03-06T20:00:00Z",
      "2026-03-09T12:59:59Z",
      false,
      "a weekend on which daylight saving time starts",
    ],
    [REMINDERS, "2026-03-06T20:00:00Z", "2026-03-09T13:00:00Z", true, "Monday at nine, in daylight saving time"],
    [REMINDERS, "2026-02-01T00:00:00Z", "2026-03-02T12:00:00Z", true, "a month"],
    ["0 0 1 1 *", "2025-12-01T00:00:00Z", "2026-03-02T12:00:00Z", false, "a tick more than eight days back"],
    ["30 0 9 * * *", "2026-03-02T14:00:00Z", "2026-03-02T14:00:29Z", false, "before the second of the tick"],
    ["30 0 9 * * *", "2026-03-02T14:00:00Z", "2026-03-02T14:00:30Z", true, "at the second of the tick"],
    ["*/20 * * * * *", "2026-03-02T14:00:20Z", "2026-03-02T14:00:40Z", true, "a later second of the same minute"],
    ["*/20 * * * * *", "2026-03-02T14:00:20Z", "2026-03-02T14:00:39Z", false, "between seconds of the same minute"],
    [REMINDERS, "2026-03-02T15:00:00Z", "2026-03-02T13:00:00Z", false, "a clock that was set back"],
  ])("%s from %s to %s: %s, %s", (cron, since, until, expected) => {
    expect(scheduler.hasTicked(cron, NEW_YORK, Date.parse(since), Date.parse(until))).toBe(expected);
  });

  it("depends on the time zone", () => {
    const nineInTokyo = Date.parse("2026-03-02T00:00:00Z");
    expect(scheduler.hasTicked("0 9 * * *", "Asia/Tokyo", nineInTokyo - 1, nineInTokyo)).toBe(true);
    expect(scheduler.hasTicked("0 9 * * *", NEW_YORK, nineInTokyo - 1, nineInTokyo)).toBe(false);
  });
});

describe("nextTick", () => {
  const scheduler = createScheduler(SILENT_LOG);
  const DIGEST = "0 8 * * 1-5";
  const next = (cron: string, zone: string, after: string): string | null => {
    const tick = scheduler.nextTick(cron, zone, Date.parse(after));
    return tick === null ? null : new Date(tick).toISOString();
  };

  it.each([
    ["is later than the given time", DIGEST, NEW_YORK, "2026-03-10T12:00:00Z", "2026-03-11T12:00:00.000Z"],
    ["can be one millisecond ahead", DIGEST, NEW_YORK, "2026-03-10T11:59:59.999Z", "2026-03-10T12:00:00.000Z"],
    [
      "crosses a weekend on which daylight saving time starts",
      DIGEST,
      NEW_YORK,
      "2026-03-06T13:00:00Z",
      "2026-03-09T12:00:00.000Z",
    ],
    ["crosses New Year", "0 8 1 * *", NEW_YORK, "2026-12-01T14:00:00Z", "2027-01-01T13:00:00.000Z"],
    ["depends on the time zone", DIGEST, "Pacific/Auckland", "2026-03-10T12:00:00Z", "2026-03-10T19:00:00.000Z"],
    [
      "handles zones offset by 45 minutes",
      "30 8 * * *",
      "Asia/Kathmandu",
      "2026-03-10T12:00:00Z",
      "2026-03-11T02:45:00.000Z",
    ],
    ["handles seconds in any order", "50,10 0 8 * * *", "UTC", "2026-03-10T08:00:10Z", "2026-03-10T08:00:50.000Z"],
    ["is null if it is more than a year ahead", "0 8 29 2 *", NEW_YORK, "2026-03-10T12:00:00Z", null],
  ])("%s", (...[, cron, zone, after, expected]) => {
    expect(next(cron, zone, after)).toBe(expected);
  });

  it("does not depend on earlier calls", () => {
    const times = ["2026-03-10T12:00:00Z", "2026-03-09T12:00:00Z", "2026-03-10T11:00:00Z", "2026-03-12T00:00:00Z"];
    const starts = [...times, ...times.toReversed(), ...times];
    const fresh = starts.map((time) => createScheduler(SILENT_LOG).nextTick(DIGEST, NEW_YORK, Date.parse(time)));
    expect(starts.map((time) => scheduler.nextTick(DIGEST, NEW_YORK, Date.parse(time)))).toEqual(fresh);
  });
});

describe("computed ticks", () => {
  it.each([
    "*/2 * * * *",
    "0 9,15 * * 1-5",
    "30 7 10-20 * 5",
    "15,45 */6 1-10 * *",
    "0 0 L * *",
    "*/20 30 2 * * *",
    "0 8 * 3,11 0",
    "@hourly",
  ])("are the ticks at which node-cron runs %s", (cron) => {
    const timezone = NEW_YORK;
    const task = createTask(cron, () => undefined, { timezone });
    const runs = task.getNextRuns(200).map(Number);
    void task.destroy();
    const scheduler = createScheduler(SILENT_LOG);
    const ticks: (number | null)[] = runs.slice(0, -1).map((run) => scheduler.nextTick(cron, timezone, run));
    expect(ticks).toEqual(runs.slice(1));
  });
});

describe("longestPause", () => {
  const scheduler = createScheduler(SILENT_LOG);

  it.each([
    ["*/2 * * * *", 2 * MINUTE_MS],
    ["*/10 * * * * *", 10_000],
    ["0 * * * *", 60 * MINUTE_MS],
    ["0 9 * * *", 25 * 60 * MINUTE_MS],
    ["*/2 9-16 * * 1-5", (2 * 24 + 16) * 60 * MINUTE_MS + 2 * MINUTE_MS],
    ["*/30 * 9-16 * * 1-5", (2 * 24 + 16) * 60 * MINUTE_MS],
    ["*/5 9-16 * * 1-5", (2 * 24 + 16) * 60 * MINUTE_MS + 5 * MINUTE_MS],
  ])("of %s is within an hour of %i ms", (cron, expected) => {
    const pause = scheduler.longestPause(cron, NEW_YORK);
    // Daylight saving time may start or end within the pause.
    expect(Math.abs(pause - expected)).toBeLessThanOrEqual(expected < 60 * MINUTE_MS ? 0 : 60 * MINUTE_MS);
  });
});

describe("cronProblem", () => {
  it.each(["*/2 * * * *", "0 9,15 * * 1-5", "*/10 * * * * *", "0 0 L * *", "@hourly"])("accepts %s", (cron) => {
    expect(cronProblem(cron)).toBeNull();
  });

  it.each([
    ["", "pattern includes illegal characters"],
    ["* * *", "expected 5 or 6 fields but got 3"],
    ["61 * * * *", "61 is a invalid expression for minute"],
    ["61 25 * * *", "61 is a invalid expression for minute; 25 is a invalid expression for hour"],
    ["0 0 30 2 *", "30 2 is an impossible day of month for the given month"],
    ["0 0 L-30 2 *", "no date matches it"],
    ["now and then", "expected 5 or 6 fields but got 3"],
  ])("reports the problem of %j: %s", (cron, problem) => {
    expect(cronProblem(cron)).toBe(problem);
  });
});

/** Sets the system clock; no time passes. */
function jump(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Blocks the process like a machine that sleeps. */
function blockTheProcess(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
