import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../../test/support/manual-clock.ts";
import { createReplayGuard } from "./acknowledgement.ts";

describe("a repeated request", () => {
  it("is recognized by any of its ids for 15 minutes", () => {
    const clock = new ManualClock();
    const seen = createReplayGuard(clock);
    expect(seen.isNew(["envelope-1", "trigger-1"])).toBe(true);
    expect(seen.isNew(["envelope-2", "trigger-1"])).toBe(false);
    expect(seen.isNew(["envelope-2"])).toBe(false);
    expect(seen.isNew(["trigger-3"])).toBe(true);
    clock.skip(15 * 60_000);
    expect(seen.isNew(["trigger-1"])).toBe(true);
  });

  it("is always new without ids", () => {
    const seen = createReplayGuard(new ManualClock());
    expect([seen.isNew([]), seen.isNew([])]).toEqual([true, true]);
  });

  it("is dropped when too many ids are tracked", () => {
    const seen = createReplayGuard(new ManualClock());
    seen.isNew(["first"]);
    for (let index = 0; index < 25_000; index++) seen.isNew([`id-${index}`]);
    expect(seen.isNew(["id-24999"])).toBe(false);
    expect(seen.isNew(["first"])).toBe(true);
  });
});
