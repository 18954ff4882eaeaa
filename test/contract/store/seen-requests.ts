import { expect, it } from "vitest";
import type { CurrentClock, CurrentStore, Second } from "../store-builders.ts";

const KEEP_MS = 15 * 60_000;

export function describeSeenRequests(use: CurrentStore, clock: CurrentClock, openSecond?: Second): void {
  const add = (...ids: readonly string[]): Promise<boolean> => use().seenRequests.add(ids, KEEP_MS);

  it("are recognized by any of their ids, until the ids are no longer kept", async () => {
    expect(await add("envelope-1", "trigger-1")).toBe(true);
    expect(await add("envelope-2", "trigger-1")).toBe(false);
    expect(await add("envelope-2")).toBe(false);
    expect(await add("trigger-3", "__proto__")).toBe(true);
    clock().skip(KEEP_MS);
    expect(await add("trigger-1")).toBe(true);
  });

  it("are always new without ids", async () => {
    expect([await add(), await add()]).toEqual([true, true]);
  });

  it("are new once among simultaneous attempts", async () => {
    const results = await Promise.all([1, 2, 3].map((n) => add("envelope", `trigger-${n}`)));
    expect(results.filter((isNew) => isNew)).toHaveLength(1);
  });

  if (!openSecond) return;

  it("are recognized by other processes", async () => {
    const other = await openSecond();
    expect(await add("envelope")).toBe(true);
    expect(await other.seenRequests.add(["trigger", "envelope"], KEEP_MS)).toBe(false);
    expect(await add("trigger")).toBe(false);
  });
}
