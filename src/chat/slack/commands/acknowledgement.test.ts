import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { createReplayGuard } from "./acknowledgement.ts";

describe("a repeated request", () => {
  it("is recognized by any of its ids for 15 minutes", () => {
    const clock = new ManualClock();
    const guard = createReplayGuard(clock);
    expect(guard.isNew(["envelope-1", "trigger-1"])).toBe(true);
    expect(guard.isNew(["envelope-2", "trigger-1"])).toBe(false);
    expect(guard.isNew(["envelope-2"])).toBe(false);
    expect(guard.isNew(["trigger-3"])).toBe(true);
    clock.jump(60 * 60_000);
    expect(guard.isNew(["trigger-1"])).toBe(false);
    clock.jump(-120 * 60_000);
    clock.skip(15 * 60_000);
    expect(guard.isNew(["trigger-1"])).toBe(true);
  });

  it("without ids is always new", () => {
    const guard = createReplayGuard(new ManualClock());
    expect([guard.isNew([]), guard.isNew([])]).toEqual([true, true]);
  });

  it("is no longer recognized after too many other ids", () => {
    const guard = createReplayGuard(new ManualClock());
    guard.isNew(["first"]);
    for (let index = 0; index < 25_000; index++) guard.isNew([`id-${index}`]);
    expect(guard.isNew(["id-24999"])).toBe(false);
    expect(guard.isNew(["first"])).toBe(true);
  });
});
