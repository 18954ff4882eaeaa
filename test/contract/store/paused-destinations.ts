import { expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../src/domain/time/day.ts";
import { GENERAL } from "../../support/builders.ts";
import { readOutcome } from "../../support/deliveries.ts";
import type { CurrentClock, CurrentStore, Restart } from "../store-builders.ts";
import {
  acrossRestart,
  announced,
  attemptOf,
  claimAll,
  commitOne,
  NEWS,
  OTHER_PLATFORM,
  REF,
  T0,
} from "../store-builders.ts";

export function describePausedDestinations(use: CurrentStore, restart: Restart, clock: CurrentClock): void {
  it("are not claimed until they are resumed, also after a restart", async () => {
    const delivery = await commitOne(use(), announced("s1"));
    await use().pauses.pause(GENERAL, "we may not post there", T0);
    await commitOne(use(), announced("s2"));

    expect(await claimAll(use())).toEqual([]);
    const reopened = await restart();
    expect(await claimAll(reopened)).toEqual([]);
    expect(await readOutcome(reopened, delivery.id)).toMatchObject({
      kind: "waiting",
      problem: "we may not post there",
    });

    await reopened.pauses.resume(GENERAL);
    expect(await reopened.outbox.waiting([GENERAL])).toHaveLength(2);
    expect(await claimAll(reopened)).toHaveLength(1);
    expect(await claimAll(await restart())).toHaveLength(1);
  });

  it("are listed by platform and the beginning of their ids, with or without deliveries", async () => {
    await commitOne(use(), announced("s1"));
    for (const to of [GENERAL, NEWS, OTHER_PLATFORM]) await use().pauses.pause(to, `no ${to.id}`, T0);
    await use().pauses.resume(NEWS);
    for await (const { pauses } of acrossRestart(use, restart)) {
      expect(await pauses.on("web", "")).toEqual([await pauses.of(GENERAL)]);
      expect(await pauses.on("web", "gen")).toMatchObject([{ to: GENERAL, reason: "no general" }]);
      expect(await pauses.on("web", "eneral")).toEqual([]);
    }
  });

  it("hold later deliveries when nothing was waiting", async () => {
    await use().pauses.pause(GENERAL, "gone", T0);
    const store = await restart();
    await commitOne(store, announced("s1"));

    expect(await claimAll(store)).toEqual([]);
    expect((await store.outbox.summary()).paused).toEqual([
      { to: GENERAL, reason: "gone", at: T0, retryAt: T0 + 5 * MINUTE_MS, waiting: 1 },
    ]);
  });

  it("become due again after a time that doubles with each refusal, also after a restart", async () => {
    await commitOne(use(), announced("s1"));
    for (const minutes of [5, 10, 20, 40, 80, 160, 320, 360, 360]) {
      await use().pauses.pause(GENERAL, "we may not post there", clock().now());
      expect(await use().claims.nextDueMs(["web"])).toBe(minutes * MINUTE_MS);
      clock().skip(minutes * MINUTE_MS - 1);
      expect(await claimAll(await restart())).toEqual([]);
      clock().skip(1);
    }
    expect(await claimAll(await restart())).toHaveLength(1);
    expect(await use().pauses.of(GENERAL)).toMatchObject({ at: T0, retryAt: clock().now(), refusals: 9 });
  });

  it("are tried less often if they no longer exist", async () => {
    await use().pauses.pause(GENERAL, "gone", T0, "gone");
    expect(await use().pauses.of(GENERAL)).toMatchObject({ retryAt: T0 + HOUR_MS });
    for (let n = 0; n < 10; n += 1) await use().pauses.pause(GENERAL, "gone", T0, "gone");
    expect(await use().pauses.of(GENERAL)).toMatchObject({ retryAt: T0 + 24 * HOUR_MS });
  });

  it("are tried every five minutes for a day, then after an hour and longer, if they may return", async () => {
    const minutes = [...Array.from({ length: 288 }, () => 5), 60, 120, 240];
    for (const expected of minutes) {
      await use().pauses.pause(GENERAL, "archived", clock().now(), "may-return");
      expect(await use().pauses.of(GENERAL)).toMatchObject({ delayMs: expected * MINUTE_MS });
      clock().skip(expected * MINUTE_MS);
    }
  });

  it("do not become due without a waiting delivery, nor before their attempt", async () => {
    await use().pauses.pause(GENERAL, "gone", T0);
    expect(await use().claims.nextDueMs(["web"])).toBeNull();
    const delivery = await commitOne(use(), announced("s1"));
    await use().outbox.saveAttempt(attemptOf("m1", [delivery], { notBefore: T0 + HOUR_MS }));
    expect(await use().claims.nextDueMs(["web"])).toBe(HOUR_MS);
  });

  it("are due after their delay at most, even if the clock was set back before a restart", async () => {
    await commitOne(use(), announced("s1"));
    await use().pauses.pause(GENERAL, "gone", T0);
    clock().jump(-30 * 24 * HOUR_MS);
    expect(await use().claims.nextDueMs(["web"])).toBe(5 * MINUTE_MS);
    expect(await (await restart()).claims.nextDueMs(["web"])).toBe(5 * MINUTE_MS);
    clock().jump(HOUR_MS);
    await use().pauses.retry(GENERAL, clock().now());
    clock().jump(-HOUR_MS);
    expect(await claimAll(await restart())).toHaveLength(1);
  });

  it("are tried immediately on request, and start with the shortest delay after it", async () => {
    const delivery = await commitOne(use(), announced("s1"));
    await use().outbox.saveAttempt(attemptOf("m1", [delivery], { problem: "we may not post there" }));
    for (let n = 0; n < 4; n += 1) await use().pauses.pause(GENERAL, "we may not post there", T0);
    expect(await claimAll(use())).toEqual([]);

    expect(await use().pauses.retry(GENERAL, T0)).toBe(true);
    for await (const store of acrossRestart(use, restart)) {
      expect(await readOutcome(store, delivery.id)).toEqual({ kind: "waiting", problem: null, retryAt: null });
      expect(await store.pauses.of(GENERAL)).toMatchObject({ reason: "we may not post there", refusals: 0 });
    }
    expect(await claimAll(use())).toHaveLength(1);
    await use().pauses.pause(GENERAL, "we may not post there", T0 + 1);
    expect(await use().pauses.of(GENERAL)).toMatchObject({ at: T0, retryAt: T0 + 1 + 5 * MINUTE_MS });
    expect(await use().pauses.retry(NEWS, T0)).toBe(false);
  });

  it.each(["retry", "resume"] as const)(
    "are due immediately if a %s came between the claim and the refusal",
    async (method) => {
      await commitOne(use(), announced("s1"));
      await claimAll(use());
      const at = clock().now();
      await use().pauses[method](GENERAL, at);
      await use().pauses.pauseRefused(GENERAL, "we may not post there", at, "not-allowed");
      await use().claims.release(GENERAL);
      expect(await use().pauses.of(GENERAL)).toMatchObject({ retryAt: at, refusals: 0 });
      expect(await claimAll(use())).toHaveLength(1);

      await use().pauses.pauseRefused(GENERAL, "we may not post there", at, "not-allowed");
      await use().claims.release(GENERAL);
      expect(await claimAll(use())).toEqual([]);
    },
  );

  it.each([
    { method: "retry", order: "before" },
    { method: "retry", order: "after" },
    { method: "resume", order: "before" },
    { method: "resume", order: "after" },
  ] as const)(
    "are due immediately if a $method is requested together with the refusal, $order it",
    async ({ method, order }) => {
      await commitOne(use(), announced("s1"));
      await claimAll(use());
      const refuse = () => use().pauses.pauseRefused(GENERAL, "we may not post there", T0, "not-allowed");
      const request = () => use().pauses[method](GENERAL, T0);
      const [first, second] = order === "before" ? [request, refuse] : [refuse, request];
      await Promise.all([first(), second()]);
      await use().claims.release(GENERAL);
      expect(await claimAll(use())).toHaveLength(1);
    },
  );

  it("stay paused if another pause came between the retry and the refusal", async () => {
    await commitOne(use(), announced("s1"));
    await claimAll(use());
    await use().pauses.resume(GENERAL);
    await use().pauses.pause(GENERAL, "we left", T0, "gone");
    await use().pauses.pauseRefused(GENERAL, "we may not post there", T0, "not-allowed");
    await use().claims.release(GENERAL);
    expect(await claimAll(use())).toEqual([]);
  });

  it("are resumed by the first message that is sent", async () => {
    const delivery = await commitOne(use(), announced("s1"));
    await use().outbox.saveAttempt(attemptOf("m1", [delivery]));
    await use().pauses.pause(GENERAL, "gone", T0);
    await use().outbox.markSent("m1", REF, T0 + 1);
    for await (const store of acrossRestart(use, restart)) expect(await store.pauses.of(GENERAL)).toBeNull();
    await commitOne(use(), announced("s2"));
    expect(await claimAll(use())).toHaveLength(1);
  });

  it("are paused at the release if they are claimed", async () => {
    await commitOne(use(), announced("s1"));
    await claimAll(use());
    await use().pauses.pause(GENERAL, "gone", T0);
    await use().claims.release(GENERAL);

    expect(await claimAll(use())).toEqual([]);
  });

  it("have a reason, which other destinations do not have", async () => {
    await use().pauses.pause(GENERAL, "we may not post there", T0);
    for await (const store of acrossRestart(use, restart)) {
      expect(await store.pauses.of(GENERAL)).toMatchObject({ reason: "we may not post there" });
      expect(await store.pauses.of(NEWS)).toBeNull();
    }
    await use().pauses.resume(GENERAL);
    expect(await use().pauses.of(GENERAL)).toBeNull();
  });

  it("can be resumed without being paused", async () => {
    await use().pauses.resume(GENERAL);
    expect((await use().outbox.summary()).paused).toEqual([]);
  });
}
