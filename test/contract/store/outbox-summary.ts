import { expect, it } from "vitest";
import type { Destination } from "../../../src/domain/alert/destination.ts";
import { MINUTE_MS } from "../../../src/domain/time/day.ts";
import { GENERAL } from "../../support/builders.ts";
import { readOutcome } from "../../support/deliveries.ts";
import type { CurrentStore, Restart } from "../store-builders.ts";
import { acrossRestart, announced, attemptOf, commitOne, deliveryOf, T0 } from "../store-builders.ts";

export function describeSummary(use: CurrentStore, restart: Restart): void {
  it("counts and lists waiting, uncertain, paused, delayed and failed deliveries", async () => {
    const destinations = ["a", "b", "c", "d"].map((id): Destination => ({ ...GENERAL, id }));
    const [a, b, c, d] = await Promise.all(
      destinations.map((destination) => commitOne(use(), announced("s1"), destination)),
    );
    if (!a || !b || !c || !d) throw new Error("four deliveries were made");
    await use().outbox.saveAttempt(
      attemptOf("ma", [a], { state: "uncertain", sends: 1, problem: "timeout", notBefore: T0 + 5 }),
    );
    await use().outbox.saveAttempt(
      attemptOf("mb", [b], { sends: 3, problem: "busy", notBefore: T0 + 9, createdAt: T0 + 1 }),
    );
    await use().outbox.saveAttempt(attemptOf("mc", [c]));
    await use().outbox.markFailed("mc", "refused", T0 + 2);
    await use().pauses.pause(d.to, "gone", T0 + 3);

    for await (const store of acrossRestart(use, restart)) {
      expect(await store.outbox.waitingCount()).toBe(3);
      expect(await store.outbox.summary()).toEqual({
        waiting: 3,
        uncertain: 1,
        totals: { paused: 1, failed: 1, delayed: 2 },
        paused: [{ to: d.to, reason: "gone", at: T0 + 3, retryAt: T0 + 3 + 5 * MINUTE_MS, waiting: 1 }],
        failed: [{ to: c.to, reason: "refused", at: T0 + 2, deliveries: 1 }],
        delayed: [
          { to: b.to, problem: "busy", notBefore: T0 + 9, sends: 3 },
          { to: a.to, problem: "timeout", notBefore: T0 + 5, sends: 1 },
        ],
      });
    }
  });

  it("lists a paused destination with a failed attempt as paused, not as delayed too", async () => {
    const delivery = await commitOne(use(), announced("s1"));
    await use().outbox.saveAttempt(attemptOf("m1", [delivery], { sends: 1, problem: "busy" }));
    await use().pauses.pause(delivery.to, "gone", T0);

    const { paused, delayed, totals } = await use().outbox.summary();
    expect(paused).toHaveLength(1);
    expect(delayed).toEqual([]);
    expect(totals).toMatchObject({ paused: 1, delayed: 0 });
  });

  it("lists the newest twenty of each and counts all", async () => {
    for (let n = 0; n < 25; n += 1) {
      const failing = await commitOne(use(), announced("s1"), { ...GENERAL, id: `failing${n}` });
      await use().outbox.saveAttempt(attemptOf(`m${n}`, [failing]));
      await use().outbox.markFailed(`m${n}`, `reason ${n}`, T0 + n);
      await use().pauses.pause({ ...GENERAL, id: `paused${n}` }, `reason ${n}`, T0 + n);
    }

    const { failed, paused, totals } = await use().outbox.summary();
    expect(totals).toEqual({ paused: 25, failed: 25, delayed: 0 });
    const newest = Array.from({ length: 20 }, (_, n) => `reason ${24 - n}`);
    expect(failed.map(({ reason }) => reason)).toEqual(newest);
    expect(paused.map(({ reason }) => reason)).toEqual(newest);
  });

  it("returns no outcome for an unknown delivery", async () => {
    expect(await readOutcome(use(), deliveryOf(announced("s1")).id)).toBeNull();
    const delivery = await commitOne(use(), announced("s1"));
    expect(await readOutcome(use(), delivery.id)).toEqual({ kind: "waiting", problem: null, retryAt: null });
  });
}
