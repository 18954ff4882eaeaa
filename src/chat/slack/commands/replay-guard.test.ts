import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { createReplayGuard } from "./replay-guard.ts";

describe("what came in before", () => {
  it("is known again by any of its ids, for a quarter of an hour", () => {
    const clock = new ManualClock();
    const seen = createReplayGuard(clock);
    expect(seen.isNew(["envelope-1", "trigger-1"])).toBe(true);
    expect(seen.isNew(["envelope-2", "trigger-1"])).toBe(false);
    expect(seen.isNew(["envelope-2"])).toBe(false);
    expect(seen.isNew(["trigger-3"])).toBe(true);
    clock.skip(15 * 60_000);
    expect(seen.isNew(["trigger-1"])).toBe(true);
  });

  it("is always new where nothing tells it from another", () => {
    const seen = createReplayGuard(new ManualClock());
    expect([seen.isNew([]), seen.isNew([])]).toEqual([true, true]);
  });

  it("is forgotten sooner than the memory is full", () => {
    const seen = createReplayGuard(new ManualClock());
    seen.isNew(["first"]);
    for (let index = 0; index < 25_000; index++) seen.isNew([`id-${index}`]);
    expect(seen.isNew(["id-24999"])).toBe(false);
    expect(seen.isNew(["first"])).toBe(true);
  });
});
