import { expect, it } from "vitest";
import { GENERAL } from "../../support/builders.ts";
import type { CurrentStore, Restart } from "../store-builders.ts";
import { announced, attemptOf, claimAll, commitOne, FAR_FUTURE, NEWS, T0 } from "../store-builders.ts";

export function describePausedDestinations(use: CurrentStore, restart: Restart): void {
  it("are not claimed until they are resumed, also after a restart", async () => {
    const delivery = await commitOne(use(), announced("s1"));
    await use().outbox.pause(GENERAL, "we may not post there", T0);
    await commitOne(use(), announced("s2"));

    expect(await claimAll(use())).toEqual([]);
    const reopened = await restart();
    expect(await claimAll(reopened)).toEqual([]);
    expect(await reopened.outbox.outcome(delivery.id)).toEqual({ kind: "waiting", problem: "we may not post there" });

    await reopened.outbox.resume(GENERAL);
    expect(await reopened.outbox.waitingAt(GENERAL)).toHaveLength(2);
    expect(await claimAll(reopened)).toHaveLength(1);
    expect(await claimAll(await restart())).toHaveLength(1);
  });

  it("hold later deliveries when nothing was waiting", async () => {
    await use().outbox.pause(GENERAL, "gone", T0);
    const store = await restart();
    await commitOne(store, announced("s1"));

    expect(await claimAll(store)).toEqual([]);
    expect((await store.outbox.summary()).paused).toEqual([{ to: GENERAL, reason: "gone", at: T0, waiting: 1 }]);
  });

  it("do not count as becoming due", async () => {
    const delivery = await commitOne(use(), announced("s1"));
    await use().outbox.saveAttempt(attemptOf("m1", [delivery], { notBefore: FAR_FUTURE }));
    await use().outbox.pause(GENERAL, "gone", T0);
    expect(await use().outbox.nextDueMs(["web"])).toBeNull();

    await use().outbox.resume(GENERAL);
    expect(await use().outbox.nextDueMs(["web"])).toBe(FAR_FUTURE - T0);
  });

  it("are paused at the release if they are claimed", async () => {
    await commitOne(use(), announced("s1"));
    await claimAll(use());
    await use().outbox.pause(GENERAL, "gone", T0);
    await use().outbox.release(GENERAL);

    expect(await claimAll(use())).toEqual([]);
  });

  it("have a reason, which other destinations do not have", async () => {
    await use().outbox.pause(GENERAL, "we may not post there", T0);
    for (const store of [use(), await restart()]) {
      expect(await store.outbox.pauseReason(GENERAL)).toBe("we may not post there");
      expect(await store.outbox.pauseReason(NEWS)).toBeNull();
    }
    await use().outbox.resume(GENERAL);
    expect(await use().outbox.pauseReason(GENERAL)).toBeNull();
  });

  it("can be resumed without being paused", async () => {
    await use().outbox.resume(GENERAL);
    expect((await use().outbox.summary()).paused).toEqual([]);
  });
}
