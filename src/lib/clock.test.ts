import { describe, expect, it } from "vitest";
import { systemClock } from "./clock.ts";

const A_MONTH_MS = 31 * 24 * 3_600_000;

describe("systemClock", () => {
  it("sleeps for the given time", async () => {
    const before = systemClock.now();
    await systemClock.sleep(30);
    expect(systemClock.now() - before).toBeGreaterThanOrEqual(29);
  });

  it.each([0, -5])("does not sleep for %i ms", async (ms) => {
    await expect(systemClock.sleep(ms)).resolves.toBeUndefined();
  });

  it("wakes immediately on abort, even from a sleep longer than a timer allows", async () => {
    const stop = new AbortController();
    const sleep = systemClock.sleep(A_MONTH_MS, stop.signal);
    const first = await Promise.race([sleep.then(() => "woke"), systemClock.sleep(30).then(() => "still asleep")]);
    expect(first).toBe("still asleep");
    stop.abort();
    await expect(sleep).resolves.toBeUndefined();
  });

  it("does not sleep after an abort", async () => {
    await expect(systemClock.sleep(A_MONTH_MS, AbortSignal.abort())).resolves.toBeUndefined();
  });
});
