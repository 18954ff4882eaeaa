import { expect, it } from "vitest";
import { type Destination, destinationKey } from "../../../src/domain/alert/destination.ts";
import { GENERAL } from "../../support/builders.ts";
import type { CurrentClock, CurrentStore, Second } from "../store-builders.ts";
import {
  announced,
  articleSeen,
  attemptOf,
  claimAll,
  commitOne,
  commitSent,
  deliveryOf,
  FAR_FUTURE,
  NEWS,
  OTHER_PLATFORM,
  T0,
} from "../store-builders.ts";

export function describeClaims(use: CurrentStore, clock: CurrentClock, openSecond?: Second): void {
  const claimed = async (parts: Parameters<typeof claimAll>[1] = {}): Promise<readonly string[]> =>
    (await claimAll(use(), parts)).map((claim) => destinationKey(claim.to));

  it("return nothing when nothing is waiting", async () => {
    expect(await claimed()).toEqual([]);
    expect(await use().outbox.waiting([GENERAL])).toEqual([]);
  });

  it("return a destination with its waiting deliveries, oldest first", async () => {
    const first = await commitOne(use(), announced("s1"));
    const second = await commitOne(use(), articleSeen("https://wire.example/2"));

    expect(await claimAll(use())).toEqual([{ to: GENERAL, attempt: null, slotAt: null }]);
    const waiting = await use().outbox.waiting([GENERAL]);
    expect(waiting.map(({ delivery }) => delivery.id)).toEqual([first.id, second.id]);
  });

  it("return thousands of waiting deliveries in their order, in several turns of the event loop", async () => {
    const events = Array.from({ length: 1_100 }, (_, number) => announced(`s${number}`));
    const deliveries = events.map((event) => deliveryOf(event));
    await use().snapshot.commit({ patch: null, events, deliveries });

    let turns = 0;
    const counting = setInterval(() => (turns += 1), 0);
    const waiting = await use().outbox.waiting([GENERAL]);
    clearInterval(counting);
    expect(waiting.map(({ delivery }) => delivery.id)).toEqual(deliveries.map(({ id }) => id));
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  it("are exclusive until they are released", async () => {
    await commitOne(use(), announced("s1"));

    expect(await claimed()).toEqual(["web:channel:general"]);
    expect(await claimed()).toEqual([]);
    await use().claims.release(GENERAL);
    expect(await claimed()).toEqual(["web:channel:general"]);
  });

  it("are exclusive among many simultaneous claims", async () => {
    const destinations = Array.from({ length: 30 }, (_, n): Destination => ({ ...GENERAL, id: `c${n}` }));
    for (const to of destinations) await commitOne(use(), announced("s1"), to);

    const rounds = await Promise.all(Array.from({ length: 10 }, () => claimed({ limit: 5 })));

    const all = rounds.flat();
    expect(new Set(all).size).toBe(all.length);
    expect(all.length + (await claimed()).length).toBe(30);
  });

  it("include a destination without due work, if it is claimed by name", async () => {
    expect(await use().claims.claim(GENERAL)).toBe(true);
    await commitOne(use(), announced("s1"));
    expect(await claimed()).toEqual([]);
    await use().claims.release(GENERAL);
    expect(await claimed()).toEqual(["web:channel:general"]);
  });

  it("contain the rate-limit slot that the destination was released with, once", async () => {
    await commitOne(use(), announced("s1"));
    expect(await claimAll(use())).toMatchObject([{ slotAt: null }]);
    const slotAt = clock().monotonic() + 60_000.5;
    await use().claims.release(GENERAL, 58_000, slotAt);
    clock().skip(58_000);
    const [claim] = await claimAll(use());
    expect(claim?.slotAt).toBeCloseTo(slotAt, 3);
    await use().claims.release(GENERAL, 0, null);
    expect(await claimAll(use())).toMatchObject([{ slotAt: null }]);
  });

  it("contain that slot also after a claim by name in between, which doesn't use it", async () => {
    await commitOne(use(), announced("s1"));
    await claimAll(use());
    const slotAt = clock().monotonic() + 60_000;
    await use().claims.release(GENERAL, 58_000, slotAt);
    expect(await use().claims.claim(GENERAL)).toBe(true);
    await use().claims.release(GENERAL);
    clock().skip(58_000);
    const [claim] = await claimAll(use());
    expect(claim?.slotAt).toBeCloseTo(slotAt, 3);
  });

  it("respect the limit and prefer the destination that has waited longest", async () => {
    for (const id of ["c1", "c2", "c3"]) await commitOne(use(), announced("s1"), { ...GENERAL, id });

    expect(await claimed({ limit: 2 })).toEqual(["web:channel:c1", "web:channel:c2"]);
    await use().claims.release({ ...GENERAL, id: "c2" });
    await use().claims.release({ ...GENERAL, id: "c1" });
    expect(await claimed({ limit: 1 })).toEqual(["web:channel:c1"]);
  });

  it("cover only the given platforms", async () => {
    await commitOne(use(), announced("s1"), GENERAL);
    await commitOne(use(), announced("s1"), OTHER_PLATFORM);

    expect(await claimed({ platforms: [] })).toEqual([]);
    expect(await claimed({ platforms: ["other"] })).toEqual(["other:channel:general"]);
    expect(await claimed({ platforms: ["web", "other"] })).toEqual(["web:channel:general"]);
  });

  it("compare the age of waiting deliveries across platforms", async () => {
    await commitOne(use(), announced("s1"), OTHER_PLATFORM);
    await commitOne(use(), announced("s1"), GENERAL);
    await commitOne(use(), announced("s1"), { ...OTHER_PLATFORM, id: "late" });

    expect(await claimed({ platforms: ["web", "other"] })).toEqual([
      "other:channel:general",
      "web:channel:general",
      "other:channel:late",
    ]);
  });

  it("do not keep a destination without deliveries, and claim it again when a delivery is added", async () => {
    await commitSent(use(), announced("s1"));
    expect(await claimed()).toEqual([]);

    await commitOne(use(), announced("s2"));
    expect(await claimed()).toEqual(["web:channel:general"]);
  });

  it.each([-60 * 60_000, 60 * 60_000])(
    "are made before the delay given at release has ended if the system clock is set by %i ms",
    async (jumpMs) => {
      await commitOne(use(), announced("s1"));
      await claimed();
      await use().claims.release(GENERAL, 60_000);
      expect(await claimed()).toEqual([]);
      clock().jump(jumpMs);

      expect(await claimed()).toEqual(["web:channel:general"]);
    },
  );

  it("count the destinations that are due or paused", async () => {
    const counts = (): Promise<unknown> => use().claims.countDestinations();
    expect(await counts()).toEqual({ due: 0, paused: 0 });
    await commitOne(use(), announced("s1"));
    await commitOne(use(), announced("s1"), NEWS);
    expect(await counts()).toEqual({ due: 2, paused: 0 });
    await claimed({ limit: 1 });
    expect(await counts()).toEqual({ due: 2, paused: 0 });
    await use().claims.release(GENERAL, 60_000);
    expect(await counts()).toEqual({ due: 1, paused: 0 });
    await use().pauses.pause(NEWS, "refused", T0);
    expect(await counts()).toEqual({ due: 0, paused: 1 });
    await clock().advance(60_000);
    expect(await counts()).toEqual({ due: 1, paused: 1 });
    await claimed();
    expect(await counts()).toEqual({ due: 1, paused: 1 });
    // Its next try is due; it remains paused until then.
    await use().pauses.retry(NEWS, clock().now());
    expect(await counts()).toEqual({ due: 1, paused: 1 });
  });

  it("are not made during the delay given at release, unless the destination is woken", async () => {
    await commitOne(use(), announced("s1"));
    expect(await use().claims.isAnyDue(["web"])).toBe(true);
    expect(await use().claims.isAnyDue(["other"])).toBe(false);
    await claimed();
    expect(await use().claims.isAnyDue(["web"])).toBe(false);
    await use().claims.release(GENERAL, 60_000);
    expect(await use().claims.nextDueMs(["web"])).toBe(60_000);
    await commitOne(use(), announced("s2"));
    expect(await claimed()).toEqual([]);
    expect(await use().claims.isAnyDue(["web"])).toBe(false);

    await use().claims.recheck(GENERAL);
    expect(await use().claims.isAnyDue(["web"])).toBe(true);
    expect(await use().claims.nextDueMs(["web"])).toBeNull();
    expect(await claimed()).toEqual(["web:channel:general"]);
  });

  it("remain with their owner when the destination is woken", async () => {
    const delivery = await commitOne(use(), announced("s1"));
    await claimed();
    await use().claims.recheck(GENERAL);
    expect(await claimed()).toEqual([]);

    await use().outbox.saveAttempt(attemptOf("m1", [delivery], { notBefore: FAR_FUTURE, problem: "busy" }));
    await use().claims.release(GENERAL);
    await use().claims.recheck(GENERAL);
    await use().claims.recheck(NEWS);
    expect(await claimed()).toEqual([]);
    expect(await use().claims.nextDueMs(["web"])).toBe(FAR_FUTURE - T0);
  });

  it("do not include a claimed destination, even when deliveries are added to it", async () => {
    await commitOne(use(), announced("s1"));
    await claimed();
    await commitOne(use(), announced("s2"));

    expect(await claimed()).toEqual([]);
    await use().claims.release(GENERAL);
    expect(await claimed()).toEqual(["web:channel:general"]);
  });

  if (openSecond) describeSharedClaims(use, clock, openSecond);
}

/** Claims of two processes. */
function describeSharedClaims(use: CurrentStore, clock: CurrentClock, openSecond: Second): void {
  it("exclude the claims of another process", async () => {
    const other = await openSecond();
    await commitOne(use(), announced("s1"));
    expect(await claimAll(use())).toHaveLength(1);

    expect(await claimAll(other)).toEqual([]);
    expect(await other.claims.claim(GENERAL)).toBe(false);
    await use().claims.release(GENERAL);
    expect(await other.claims.claim(GENERAL)).toBe(true);
    expect(await claimAll(use())).toEqual([]);
  });

  it("of another process contain the slot that the destination was released with", async () => {
    const other = await openSecond();
    await commitOne(use(), announced("s1"));
    await claimAll(use());
    const slotAt = clock().monotonic() + 1_000;
    await use().claims.release(GENERAL, 0, slotAt);
    const [claim] = await claimAll(other);
    expect(claim?.slotAt).toBeCloseTo(slotAt, 3);
  });

  it("are reported to other processes as new work", async () => {
    const other = await openSecond();
    const reported = Promise.withResolvers<void>();
    other.claims.onWork(() => reported.resolve());
    await commitOne(use(), announced("s1"));
    await reported.promise;
    expect(await claimAll(other)).toHaveLength(1);
  });
}
