import { describe, expect, it } from "vitest";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { HOUR_MS, MINUTE_MS } from "../domain/time/day.ts";
import { createSettlingClock, SETTLE_MS, systemClock } from "./clock.ts";

const A_MONTH_MS = 31 * 24 * 3_600_000;

describe("systemClock", () => {
  it("sleeps for the given time", async () => {
    const startedAt = performance.now();
    await systemClock.sleep(30);
    // A timer rounds its start down to a millisecond.
    expect(performance.now() - startedAt).toBeGreaterThan(28);
  });

  it.each([0, -5])("does not sleep for %i ms", async (ms) => {
    await expect(systemClock.sleep(ms)).resolves.toBeUndefined();
  });

  it("wakes immediately on abort, even from a sleep longer than a timer allows", async () => {
    const stop = new AbortController();
    const sleep = systemClock.sleep(A_MONTH_MS, stop.signal);
    // A longer timer than allowed would fire after a millisecond.
    const first = await Promise.race([sleep.then(() => "woke"), systemClock.sleep(2).then(() => "still asleep")]);
    expect(first).toBe("still asleep");
    stop.abort();
    await expect(sleep).resolves.toBeUndefined();
  });

  it("does not sleep after an abort", async () => {
    await expect(systemClock.sleep(A_MONTH_MS, AbortSignal.abort())).resolves.toBeUndefined();
  });
});

describe("createSettlingClock", () => {
  const A_YEAR_MS = 365 * 24 * HOUR_MS;

  it.each([-A_YEAR_MS, -HOUR_MS, HOUR_MS, A_YEAR_MS])("ignores a change by %i ms that lasts for a minute", (ms) => {
    const system = new ManualClock();
    const clock = createSettlingClock(system, () => system.monotonic());
    const start = clock.now();
    system.jump(ms);
    expect(clock.now()).toBe(start);
    system.skip(MINUTE_MS);
    expect(clock.now()).toBe(start + MINUTE_MS);
    system.jump(-ms);
    system.skip(HOUR_MS);
    expect(clock.now()).toBe(system.now());
  });

  it.each([-HOUR_MS, HOUR_MS])("uses a change by %i ms that lasts for two minutes", (ms) => {
    const system = new ManualClock();
    const clock = createSettlingClock(system, () => system.monotonic());
    system.jump(ms);
    const before = clock.now();
    system.skip(SETTLE_MS - 1);
    expect(clock.now()).toBe(before + SETTLE_MS - 1);
    system.skip(1);
    expect(clock.now()).toBe(system.now());
  });

  it("waits again if the system clock changes again", () => {
    const system = new ManualClock();
    const clock = createSettlingClock(system, () => system.monotonic());
    const start = clock.now();
    for (let times = 1; times <= 4; times += 1) {
      system.jump(HOUR_MS);
      expect(clock.now()).toBe(start + (times - 1) * MINUTE_MS);
      system.skip(MINUTE_MS);
    }
  });

  it("uses the time of a suspension immediately", () => {
    const system = new ManualClock();
    let suspendedMs = 0;
    const clock = createSettlingClock(system, () => system.monotonic() + suspendedMs);
    system.jump(8 * HOUR_MS);
    suspendedMs = 8 * HOUR_MS;
    expect(clock.now()).toBe(system.now());
  });

  it("follows a correction of less than a second immediately", () => {
    const system = new ManualClock();
    const clock = createSettlingClock(system, () => system.monotonic());
    system.jump(-900);
    expect(clock.now()).toBe(system.now());
  });
});
