import { expect, it } from "vitest";
import type { Deferral } from "../../../src/domain/alert/deferral.ts";
import { type Delivery, type DeliveryId, isUnsent } from "../../../src/domain/alert/delivery.ts";
import type { Destination } from "../../../src/domain/alert/destination.ts";
import { StoreError } from "../../../src/ports/store.ts";
import { ALICE, GENERAL } from "../../support/builders.ts";
import { readOutcome } from "../../support/deliveries.ts";
import type { CurrentClock, CurrentStore, Restart } from "../store-builders.ts";
import {
  acrossRestart,
  announced,
  attemptOf,
  claimAll,
  commitOne,
  commitSent,
  FAR_FUTURE,
  NEWS,
  OTHER_PLATFORM,
  REF,
  T0,
} from "../store-builders.ts";

/** Of a delivery that is sent alone, as text, after a minute. */
const DEFERRAL: Deferral = {
  failures: 2,
  textRefusals: 0,
  since: T0,
  reason: "not this one",
  maxGroup: 1,
  isTextOnly: true,
  mayBePosted: false,
  notBefore: T0 + 60_000,
  delayMs: 60_000,
};

export function describeAttempts(use: CurrentStore, restart: Restart, clock: CurrentClock): void {
  it("are returned first by the next claim, and mark their deliveries in the waiting list", async () => {
    const first = await commitOne(use(), announced("s1"));
    const second = await commitOne(use(), announced("s2"));
    const attempt = attemptOf("m1", [first], { replyTo: REF });
    await use().outbox.saveAttempt(attempt);

    expect(await claimAll(use())).toEqual([{ to: GENERAL, attempt, slotAt: null }]);
    expect(await use().outbox.waiting([GENERAL])).toMatchObject([
      { delivery: first, attemptState: "ready" },
      { delivery: second, attemptState: null },
    ]);
  });

  it("are replaced by the deferrals of their deliveries, across a restart, until these are settled", async () => {
    const [first, second] = [await commitOne(use(), announced("s1")), await commitOne(use(), announced("s2"))];
    const deferral = DEFERRAL;
    await use().outbox.saveAttempt(attemptOf("m1", [first, second], { state: "sending", sends: 1 }));
    await use().outbox.defer("m1", new Map([[second.id, deferral]]), null);
    await expect(use().outbox.defer("m1", new Map(), null)).rejects.toThrow("message m1: it is not in progress");

    for await (const store of acrossRestart(use, restart)) {
      expect(await store.outbox.waiting([GENERAL])).toMatchObject([
        { delivery: first, attemptState: null, deferral: null },
        { delivery: second, attemptState: null, deferral },
      ]);
      const { items } = await store.inspection.queues({
        destination: null,
        ticker: null,
        after: null,
        limit: 9,
        state: "waiting",
      });
      expect(items.map((queue) => queue.deferral)).toEqual([deferral]);
      const { reason: problem, notBefore: retryAt } = deferral;
      expect(await readOutcome(store, second.id)).toEqual({ kind: "waiting", problem, retryAt });
      expect((await store.outbox.summary()).delayed).toEqual([
        { to: GENERAL, problem: "not this one", notBefore: deferral.notBefore, sends: 2 },
      ]);
    }
    expect(await claimAll(use())).toEqual([{ to: GENERAL, attempt: null, slotAt: null }]);
    expect(await use().outbox.wasSentSince(GENERAL, T0)).toBe(false);
    await use().outbox.saveAttempt(attemptOf("m2", [second], { state: "sending", sends: 1 }));
    await use().outbox.markSent("m2", REF, T0 + 5);
    expect(await use().outbox.waiting([GENERAL])).toMatchObject([{ delivery: first }]);
    expect((await use().outbox.summary()).totals.delayed).toBe(0);
    expect([
      await use().outbox.wasSentSince(GENERAL, T0 + 5),
      await use().outbox.wasSentSince(GENERAL, T0 + 6),
      await use().outbox.wasSentSince(NEWS, T0),
    ]).toEqual([true, false, false]);
  });

  it("regroup the divided deliveries of their destination when they are deferred, and no others", async () => {
    const events = ["s1", "s2", "s3", "s4"].map((split) => announced(split));
    const [own, divided, together, fresh] = [
      await commitOne(use(), announced("s1")),
      await commitOne(use(), announced("s2")),
      await commitOne(use(), announced("s3")),
      await commitOne(use(), announced("s4")),
    ];
    const elsewhere = await commitOne(use(), announced("s2"), NEWS);
    const part = { ...DEFERRAL, maxGroup: 2, isTextOnly: false, reason: 'no: "±\n\u{1f600}' };
    const whole = { ...part, maxGroup: null };
    const before = new Map<DeliveryId, Deferral>([
      [divided.id, part],
      [together.id, whole],
    ]);
    await use().outbox.saveAttempt(attemptOf("m1", [divided, together], { state: "sending", sends: 1 }));
    await use().outbox.defer("m1", before, null);
    await use().outbox.saveAttempt(attemptOf("m2", [elsewhere], { state: "sending", sends: 1 }));
    await use().outbox.defer("m2", new Map([[elsewhere.id, part]]), null);
    await use().outbox.saveAttempt(attemptOf("m3", [own], { state: "sending", sends: 1 }));
    const delay = { notBefore: T0 + 120_000.5, delayMs: 120_000.5 };
    await use().outbox.defer("m3", new Map([[own.id, { ...whole, failures: 3 }]]), delay);

    for await (const store of acrossRestart(use, restart)) {
      expect(await store.outbox.waiting([GENERAL])).toEqual(
        [
          { delivery: own, deferral: { ...whole, failures: 3 } },
          { delivery: divided, deferral: { ...whole, ...delay } },
          { delivery: together, deferral: whole },
          { delivery: fresh, deferral: null },
        ].map((one, index) => ({ ...one, event: events[index], attemptState: null })),
      );
      expect(await store.outbox.waiting([NEWS])).toMatchObject([{ deferral: part }]);
    }
  });

  it("that were deferred don't delay new deliveries", async () => {
    const first = await commitOne(use(), announced("s1"));
    await use().outbox.saveAttempt(attemptOf("m1", [first], { state: "sending", sends: 1 }));
    await use().outbox.defer("m1", new Map([[first.id, DEFERRAL]]), null);
    expect(await claimAll(use())).toHaveLength(1);
    await use().claims.release(GENERAL, 60_000);
    expect(await claimAll(use())).toEqual([]);
    await commitOne(use(), announced("s2"));
    expect(await claimAll(use())).toHaveLength(1);
  });

  it("count as unsent until a send may have posted them", async () => {
    const deliveries = [await commitOne(use(), announced("s1")), await commitOne(use(), announced("s2"))] as const;
    const unsent = async (...destinations: Destination[]): Promise<readonly Delivery[]> =>
      (await use().outbox.waiting(destinations)).filter(isUnsent).map(({ delivery }) => delivery);
    expect([await unsent(NEWS), await unsent(GENERAL)]).toEqual([[], deliveries]);
    for (const state of ["ready", "sending", "unfound", "uncertain"] as const) {
      await use().outbox.saveAttempt(attemptOf("m1", [deliveries[0]], { state }));
      expect(await unsent(GENERAL)).toEqual(state === "ready" ? deliveries : [deliveries[1]]);
    }
    const elsewhere = await commitOne(use(), announced("s1"), NEWS);
    const ids = async (...destinations: Destination[]): Promise<readonly string[]> =>
      (await unsent(...destinations)).map(({ id }) => id).toSorted();
    expect(await ids(NEWS, ALICE, GENERAL)).toEqual([deliveries[1].id, elsewhere.id].toSorted());
    expect([await ids(GENERAL), await ids()]).toEqual([[deliveries[1].id], []]);
  });

  it("mark their deliveries, and can be replaced by fewer deliveries until they are settled", async () => {
    const [one, two] = [announced("s1"), announced("s2")];
    const [first, second] = [await commitOne(use(), one), await commitOne(use(), two)];
    await use().outbox.saveAttempt(attemptOf("m1", [first, second]));
    expect(await use().outbox.waiting([GENERAL])).toEqual([
      { delivery: first, event: one, attemptState: "ready", deferral: null },
      { delivery: second, event: two, attemptState: "ready", deferral: null },
    ]);

    await use().outbox.saveAttempt(attemptOf("m1", [first], { state: "uncertain" }));
    const reopened = await restart();
    expect(await reopened.outbox.waiting([GENERAL])).toEqual([
      { delivery: first, event: one, attemptState: "uncertain", deferral: null },
      { delivery: second, event: two, attemptState: null, deferral: null },
    ]);
    await reopened.outbox.markSent("m1", REF, T0);
    expect(await reopened.outbox.waiting([GENERAL])).toEqual([
      { delivery: second, event: two, attemptState: null, deferral: null },
    ]);
  });

  it.each(["ready", "sending", "unfound", "uncertain"] as const)(
    "come out of a restart in the state in which they were: %s",
    async (state) => {
      const delivery = await commitOne(use(), announced("s1"));
      await use().outbox.saveAttempt(attemptOf("m1", [delivery]));
      const attempt = attemptOf("m1", [delivery], {
        state,
        sends: 2,
        blindResends: 1,
        problem: "time-out",
        notBefore: T0,
      });
      await use().outbox.saveAttempt(attempt);

      expect(await claimAll(await restart())).toEqual([{ to: GENERAL, attempt, slotAt: null }]);
    },
  );

  it("are not claimed before they are due, nor are the deliveries behind them", async () => {
    const first = await commitOne(use(), announced("s1"));
    await commitOne(use(), announced("s2"));
    await use().outbox.saveAttempt(attemptOf("m1", [first], { notBefore: T0 + 60_000, problem: "try later" }));

    clock().skip(59_999);
    expect(await claimAll(use())).toEqual([]);
    clock().skip(1);
    const [claim] = await claimAll(use());
    expect(claim?.attempt?.messageId).toBe("m1");
  });

  it("do not delay other destinations", async () => {
    const first = await commitOne(use(), announced("s1"));
    await use().outbox.saveAttempt(attemptOf("m1", [first], { notBefore: FAR_FUTURE }));
    await commitOne(use(), announced("s1"), NEWS);

    expect((await claimAll(use())).map((claim) => claim.to)).toEqual([NEWS]);
  });

  it("report when the next one is due", async () => {
    const first = await commitOne(use(), announced("s1"));
    const second = await commitOne(use(), announced("s1"), NEWS);
    const other = await commitOne(use(), announced("s1"), OTHER_PLATFORM);
    expect(await use().claims.nextDueMs(["web"])).toBeNull();

    await use().outbox.saveAttempt(attemptOf("m1", [first], { notBefore: FAR_FUTURE + 2 }));
    await use().outbox.saveAttempt(attemptOf("m2", [second], { notBefore: FAR_FUTURE + 1 }));
    await use().outbox.saveAttempt(attemptOf("m3", [other], { notBefore: FAR_FUTURE }));
    expect(await use().claims.nextDueMs(["web"])).toBe(FAR_FUTURE + 1 - T0);
    expect(await use().claims.nextDueMs(["web", "other"])).toBe(FAR_FUTURE - T0);
    expect(await use().claims.nextDueMs([])).toBeNull();

    await use().outbox.markSent("m2", REF, T0);
    expect(await use().claims.nextDueMs(["web"])).toBe(FAR_FUTURE + 2 - T0);
  });

  it("are delayed by at most five minutes after a restart if the length of their delay is unknown", async () => {
    const first = await commitOne(use(), announced("s1"));
    const second = await commitOne(use(), announced("s1"), NEWS);
    await use().outbox.saveAttempt(attemptOf("m1", [first], { notBefore: T0 + 90_000 }));
    await use().outbox.saveAttempt(attemptOf("m2", [second], { notBefore: T0 + 60 * 60_000 }));

    const store = await restart();
    expect(await store.claims.nextDueMs(["web"])).toBe(90_000);
    clock().skip(90_000);
    expect((await claimAll(store)).map((claim) => claim.to)).toEqual([GENERAL]);
    clock().skip(210_000);
    expect((await claimAll(store)).map((claim) => claim.to)).toEqual([NEWS]);
  });

  it("keep a longer delay after a restart if it was stored, also if the system clock was set back by days", async () => {
    const delivery = await commitOne(use(), announced("s1"));
    await use().outbox.saveAttempt(attemptOf("m1", [delivery]));
    const delay = { notBefore: T0 + 60 * 60_000, delayMs: 60 * 60_000 };
    await use().outbox.saveAttempt(attemptOf("m1", [delivery], delay));
    clock().skip(20 * 60_000);
    const store = await restart();
    expect(await store.claims.nextDueMs(["web"])).toBe(40 * 60_000);
    clock().jump(-30 * 24 * 60 * 60_000);
    expect(await store.claims.nextDueMs(["web"])).toBe(40 * 60_000);
    // A store that measures time itself starts the delay again, because it doesn't know how long it was closed.
    const afterRestart = await (await restart()).claims.nextDueMs(["web"]);
    expect([40 * 60_000, 60 * 60_000]).toContain(afterRestart);
  });

  it.each([-60 * 60_000, 60 * 60_000])("keep their delay when the system clock is set by %i ms", async (jumpMs) => {
    const delivery = await commitOne(use(), announced("s1"));
    await use().outbox.saveAttempt(attemptOf("m1", [delivery], { notBefore: T0 + 60_000 }));
    clock().jump(jumpMs);

    expect(await use().claims.nextDueMs(["web"])).toBe(60_000);
    clock().skip(59_999);
    expect(await claimAll(use())).toEqual([]);
    clock().skip(1);
    expect(await claimAll(use())).toHaveLength(1);
  });

  it("release their own claim when they are postponed", async () => {
    const delivery = await commitOne(use(), announced("s1"));
    await claimAll(use());
    await use().outbox.saveAttempt(attemptOf("m1", [delivery], { notBefore: FAR_FUTURE, problem: "busy" }));
    await use().claims.release(GENERAL);

    expect(await claimAll(use())).toEqual([]);
    expect(await use().claims.nextDueMs(["web"])).toBe(FAR_FUTURE - T0);
    clock().skip(FAR_FUTURE - T0);
    expect(await claimAll(use())).toHaveLength(1);
  });

  it("are settled as sent, and return the events they carried", async () => {
    const events = [announced("s1"), announced("s2")];
    const deliveries = [await commitOne(use(), announced("s1")), await commitOne(use(), announced("s2"))];
    await use().outbox.saveAttempt(attemptOf("m1", deliveries, { state: "sending", sends: 2, blindResends: 1 }));

    expect(await use().outbox.markSent("m1", REF, T0 + 7)).toEqual(events);

    for await (const store of acrossRestart(use, restart)) {
      for (const { id } of deliveries)
        expect(await readOutcome(store, id)).toEqual({
          kind: "sent",
          at: T0 + 7,
          ref: REF,
          sends: 2,
          blindResends: 1,
        });
      expect(await claimAll(store)).toEqual([]);
      expect((await store.outbox.summary()).waiting).toBe(0);
    }
  });

  it("are settled as failed with the reason", async () => {
    const delivery = await commitOne(use(), announced("s1"));
    await use().outbox.saveAttempt(attemptOf("m1", [delivery], { state: "sending", sends: 3 }));
    await use().outbox.markFailed("m1", "the channel does not exist any more", T0 + 7);

    for await (const store of acrossRestart(use, restart))
      expect(await readOutcome(store, delivery.id)).toEqual({
        kind: "failed",
        at: T0 + 7,
        reason: "the channel does not exist any more",
        sends: 3,
      });
  });

  it("keep their first outcome", async () => {
    const delivery = await commitSent(use(), announced("s1"), { messageId: "m1" });
    await use().outbox.markFailed("m1", "too late", T0 + 1);
    await use().outbox.markSent("m1", { id: "second", link: null }, T0 + 2);

    for await (const store of acrossRestart(use, restart))
      expect(await readOutcome(store, delivery.id)).toMatchObject({ kind: "sent", at: T0, ref: REF });
  });

  it("leave deliveries that they did not carry", async () => {
    const first = await commitOne(use(), announced("s1"));
    const second = await commitOne(use(), announced("s2"));
    await use().outbox.saveAttempt(attemptOf("m1", [first], { state: "sending" }));
    await use().outbox.markSent("m1", REF, T0);

    const store = await restart();
    expect(await claimAll(store)).toEqual([{ to: GENERAL, attempt: null, slotAt: null }]);
    expect((await store.outbox.waiting([GENERAL])).map(({ delivery }) => delivery)).toEqual([second]);
  });

  it("can be carried by a message created after a restart", async () => {
    const delivery = await commitOne(use(), announced("s1"));
    const store = await restart();
    await store.outbox.saveAttempt(attemptOf("m1", [delivery], { state: "sending" }));
    await store.outbox.markSent("m1", REF, T0);

    expect(await readOutcome(await restart(), delivery.id)).toMatchObject({ kind: "sent" });
  });

  it("are rejected if they would break the order or send a delivery twice", async () => {
    const first = await commitOne(use(), announced("s1"));
    const second = await commitOne(use(), announced("s2"));
    const sent = await commitSent(use(), announced("s3"), { messageId: "m3", to: NEWS });
    await use().outbox.saveAttempt(attemptOf("m1", [first]));

    await expect(use().outbox.saveAttempt(attemptOf("m2", [second]))).rejects.toThrow(/m1 is in progress/);
    await expect(use().outbox.saveAttempt(attemptOf("m3", [sent]))).rejects.toThrow(StoreError);
    await expect(use().outbox.saveAttempt(attemptOf("m4", [sent]))).rejects.toThrow(/is not waiting/);
    await expect(use().outbox.saveAttempt(attemptOf("m5", []))).rejects.toThrow(StoreError);
    await expect(use().outbox.markSent("m9", REF, T0)).rejects.toThrow(/m9/);
    await expect(use().outbox.markFailed("m9", "why", T0)).rejects.toThrow(StoreError);
    expect(await claimAll(use())).toEqual([{ to: GENERAL, attempt: attemptOf("m1", [first]), slotAt: null }]);
  });
}
