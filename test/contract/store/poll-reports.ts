import { expect, it } from "vitest";
import { type PollReport, StoreError } from "../../../src/ports/store.ts";
import { ALICE, aRule, ticker } from "../../support/builders.ts";
import type { CurrentClock, CurrentStore, Second } from "../store-builders.ts";
import { announced, aPosting, commitOne, T0 } from "../store-builders.ts";

export function describeReports(use: CurrentStore, clock: CurrentClock, openSecond?: Second): void {
  const report: PollReport = {
    resource: "splits",
    at: T0,
    outcome: "complete",
    detail: "3 splits",
    records: 3,
    quarantined: ["ACME: ratio: got null"],
    lastCompleteAt: T0,
  };

  it("keeps the last poll of each resource", async () => {
    expect(await use().polls.read()).toEqual({ splits: null, articles: null });
    await use().polls.write(report);
    await use().polls.write({ ...report, at: T0 + 1, outcome: "failed" });

    expect(await use().polls.read()).toEqual({ splits: { ...report, at: T0 + 1, outcome: "failed" }, articles: null });
  });

  it("returns the last poll with its age when the system clock was set", async () => {
    await use().polls.write(report);
    clock().skip(60_000);
    for (const jumpMs of [7_200_000, -14_400_000]) {
      clock().jump(jumpMs);
      const { splits } = await use().polls.read();
      expect([splits?.at, splits?.lastCompleteAt]).toEqual([clock().now() - 60_000, clock().now() - 60_000]);
    }
  });

  it("is healthy while it can write", async () => {
    await use().rules.add(aRule());
    expect(use().health()).toBeNull();
  });

  it("rejects writes after it is closed, and can be closed twice", async () => {
    const store = use();
    await store.close();
    await store.close();

    expect(store.health()).not.toBeNull();
    await expect(store.rules.add(aRule())).rejects.toThrow(StoreError);
    await expect(store.watchlists.add(ALICE, [ticker("ACME")])).rejects.toThrow(StoreError);
    await expect(commitOne(store, announced("s1"))).rejects.toThrow(StoreError);
    await expect(store.postings.post(aPosting("m1"))).rejects.toThrow(StoreError);
  });

  if (!openSecond) return;

  it("shows the last poll to other processes", async () => {
    const other = await openSecond();
    await use().polls.write(report);
    expect(await other.polls.read()).toEqual({ splits: report, articles: null });
  });
}
