import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Destination, Person } from "../../src/core/destination.ts";
import { destinationKey } from "../../src/core/destination.ts";
import type { EventId, TestEvent } from "../../src/core/event.ts";
import { DEFAULT_SETTINGS } from "../../src/core/place-settings.ts";
import { EMPTY_SNAPSHOT } from "../../src/core/snapshot.ts";
import { type PollReport, type Store, StoreError } from "../../src/ports/store.ts";
import { ALICE, aKnownArticle, aRule, BOB, day, GENERAL, ticker } from "../support/builders.ts";
import { aRelease } from "../support/releases.ts";
import {
  announced,
  aPastSplit,
  aPendingImport,
  aPosting,
  articleSeen,
  aSplit,
  attemptOf,
  claimAll,
  commitOne,
  commitSent,
  deliveryOf,
  ELSEWHERE,
  FAR_FUTURE,
  LONG_AGO,
  NEWS,
  patchOf,
  REF,
  splitId,
  T0,
} from "./store-builders.ts";

export interface StoreUnderTest {
  readonly store: Store;
  /** Closes the store and opens it again, as a restart does. */
  reopen(): Promise<Store>;
  dispose(): Promise<void>;
}

/** What every store promises, whatever it keeps its state in. */
export function describeStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`store contract: ${name}`, () => {
    let opened: StoreUnderTest;
    let store: Store;
    const use = (): Store => store;
    const restart = async (): Promise<Store> => {
      store = await opened.reopen();
      return store;
    };

    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });

    afterEach(async () => {
      await opened.dispose();
    });

    describe("snapshot", () => {
      describeSnapshot(use, restart);
    });
    describe("claims", () => {
      describeClaims(use);
    });
    describe("attempts", () => {
      describeAttempts(use, restart);
    });
    describe("pauses", () => {
      describePauses(use, restart);
    });
    describe("outbox summary", () => {
      describeSummary(use, restart);
    });
    describe("history", () => {
      describeHistory(use, restart);
    });
    describe("rules", () => {
      describeRules(use, restart);
    });
    describe("watchlists", () => {
      describeWatchlists(use, restart);
    });
    describe("imports", () => {
      describeImports(use, restart);
    });
    describe("forgetting somebody", () => {
      describeForgetting(use, restart);
    });
    describe("direct channels", () => {
      describeDirectChannels(use, restart);
    });
    describe("calendars", () => {
      describeCalendars(use, restart);
    });
    describe("installations", () => {
      describeInstallations(use, restart);
    });
    describe("the people of a platform", () => {
      describePeople(use, restart);
    });
    describe("settings of places", () => {
      describePlaceSettings(use, restart);
    });
    describe("postings", () => {
      describePostings(use, restart);
    });
    describe("releases", () => {
      describeReleases(use, restart);
    });
    describe("pruning", () => {
      describePruning(use, restart);
    });
    describe("poll reports and health", () => {
      describeReports(use);
    });
  });
}

type Use = () => Store;
type Restart = () => Promise<Store>;

function describeSnapshot(use: Use, restart: Restart): void {
  it("is empty at first", async () => {
    expect(await use().snapshot.read()).toEqual(EMPTY_SNAPSHOT);
  });

  it("takes a patch, and keeps it over a restart", async () => {
    const article = aKnownArticle();
    const past = { joining: [aPastSplit("s1"), aPastSplit("s0", "2023-12-31")], from: day("2024-01-01") };
    await use().snapshot.commit({
      patch: patchOf({ splits: [aSplit("s1"), aSplit("s2")], articles: [article], past }),
      events: [],
      deliveries: [],
    });
    await use().snapshot.commit({ patch: patchOf({ removedSplits: [splitId("s1")] }), events: [], deliveries: [] });

    const expected = {
      ...patchOf().header,
      splits: new Map([["s2", aSplit("s2")]]),
      past: new Map([["s1", aPastSplit("s1")]]),
      articles: new Map([[article.url, article]]),
    };
    expect(await use().snapshot.read()).toEqual(expected);
    expect(await (await restart()).snapshot.read()).toEqual(expected);
    expect(await (await restart()).snapshot.read()).toEqual(expected);
  });

  it("is replaced whole by a patch that says so", async () => {
    await use().snapshot.commit({
      patch: patchOf({ splits: [aSplit("s1")], articles: [aKnownArticle()] }),
      events: [],
      deliveries: [],
    });
    await use().snapshot.commit({
      patch: patchOf({ replaces: true, splits: [aSplit("t1")] }),
      events: [],
      deliveries: [],
    });

    for (const snapshot of [await use().snapshot.read(), await (await restart()).snapshot.read()]) {
      expect([...snapshot.splits.keys()]).toEqual(["t1"]);
      expect(snapshot.articles.size).toBe(0);
    }
  });

  it("does not change what was read before", async () => {
    const before = await use().snapshot.read();
    await use().snapshot.commit({ patch: patchOf({ splits: [aSplit("s1")] }), events: [], deliveries: [] });

    expect(before.splits.size).toBe(0);
  });

  it("commits events and deliveries with the patch", async () => {
    const event = announced("s1");
    const delivery = deliveryOf(event);
    await use().snapshot.commit({
      patch: patchOf({ splits: [aSplit("s1")] }),
      events: [event],
      deliveries: [delivery],
    });

    const reopened = await restart();
    expect((await reopened.snapshot.read()).splits.size).toBe(1);
    expect(await reopened.outbox.waitingAt(GENERAL)).toEqual([{ delivery, event }]);
    expect(await reopened.history.ofSplit(splitId("s1"))).toEqual([event]);
  });

  it("leaves known events and deliveries as they are when the same commit comes again", async () => {
    const event = announced("s1");
    const delivery = await commitSent(use(), event, { messageId: "m1" });
    const other = deliveryOf(event, NEWS);

    await use().snapshot.commit({
      patch: null,
      events: [{ ...event, at: T0 + 5 }],
      deliveries: [{ ...delivery, because: ["again"] }, other],
    });
    const reopened = await restart();
    await reopened.snapshot.commit({ patch: null, events: [event], deliveries: [delivery, other] });

    expect(await reopened.outbox.outcome(delivery.id)).toMatchObject({ kind: "sent" });
    expect(await reopened.outbox.waitingAt(GENERAL)).toEqual([]);
    expect(await reopened.outbox.waitingAt(NEWS)).toEqual([{ delivery: other, event }]);
    const [trail, ...more] = await reopened.history.about(ticker("ACME"), [GENERAL]);
    expect(more).toEqual([]);
    expect(trail).toMatchObject({ event, deliveries: [{ delivery }] });
  });

  it("makes one delivery of the same commit made twice at once", async () => {
    const event = announced("s1");
    const change = { patch: null, events: [event], deliveries: [deliveryOf(event)] };
    await Promise.all([use().snapshot.commit(change), use().snapshot.commit(change)]);

    expect(await use().outbox.waitingAt(GENERAL)).toHaveLength(1);
    expect(await (await restart()).outbox.waitingAt(GENERAL)).toHaveLength(1);
  });

  it("refuses a delivery of an event that nobody knows, with all that came with it", async () => {
    const commit = use().snapshot.commit({
      patch: patchOf({ splits: [aSplit("s1")] }),
      events: [],
      deliveries: [deliveryOf(announced("s1"))],
    });

    await expect(commit).rejects.toThrow(StoreError);
    expect((await use().snapshot.read()).splits.size).toBe(0);
    expect(await claimAll(use())).toEqual([]);
  });
}

function describeClaims(use: Use): void {
  const claimed = async (parts: Parameters<typeof claimAll>[1] = {}): Promise<readonly string[]> =>
    (await claimAll(use(), parts)).map((claim) => destinationKey(claim.to));

  it("give nothing where nothing waits", async () => {
    expect(await claimed()).toEqual([]);
    expect(await use().outbox.waitingAt(GENERAL)).toEqual([]);
  });

  it("give a destination with what waits there, oldest first", async () => {
    const first = await commitOne(use(), announced("s1"));
    const second = await commitOne(use(), articleSeen("https://wire.example/2"));

    expect(await claimAll(use())).toEqual([{ to: GENERAL, attempt: null }]);
    const waiting = await use().outbox.waitingAt(GENERAL);
    expect(waiting.map(({ delivery }) => delivery.id)).toEqual([first.id, second.id]);
  });

  it("are exclusive until they are released", async () => {
    await commitOne(use(), announced("s1"));

    expect(await claimed()).toEqual(["web:channel:general"]);
    expect(await claimed()).toEqual([]);
    await use().outbox.release(GENERAL);
    expect(await claimed()).toEqual(["web:channel:general"]);
  });

  it("are exclusive among many that claim at once", async () => {
    const places = Array.from({ length: 30 }, (_, n): Destination => ({ ...GENERAL, id: `c${n}` }));
    for (const place of places) await commitOne(use(), announced("s1"), place);

    const rounds = await Promise.all(Array.from({ length: 10 }, () => claimed({ limit: 5 })));

    const all = rounds.flat();
    expect(new Set(all).size).toBe(all.length);
    expect(all.length + (await claimed()).length).toBe(30);
  });

  it("end with their lease", async () => {
    await commitOne(use(), announced("s1"));
    await claimed({ now: T0, leaseMs: 30_000 });

    expect(await claimed({ now: T0 + 29_999 })).toEqual([]);
    expect(await claimed({ now: T0 + 30_000 })).toEqual(["web:channel:general"]);
  });

  it("keep to the limit, and take first who waited longest", async () => {
    for (const id of ["c1", "c2", "c3"]) await commitOne(use(), announced("s1"), { ...GENERAL, id });

    expect(await claimed({ limit: 2 })).toEqual(["web:channel:c1", "web:channel:c2"]);
    await use().outbox.release({ ...GENERAL, id: "c2" });
    await use().outbox.release({ ...GENERAL, id: "c1" });
    expect(await claimed({ limit: 1 })).toEqual(["web:channel:c1"]);
  });

  it("are made for the platforms that were named", async () => {
    await commitOne(use(), announced("s1"), GENERAL);
    await commitOne(use(), announced("s1"), ELSEWHERE);

    expect(await claimed({ platforms: [] })).toEqual([]);
    expect(await claimed({ platforms: ["other"] })).toEqual(["other:channel:general"]);
    expect(await claimed({ platforms: ["web", "other"] })).toEqual(["web:channel:general"]);
  });

  it("take the age of what waits over all platforms", async () => {
    await commitOne(use(), announced("s1"), ELSEWHERE);
    await commitOne(use(), announced("s1"), GENERAL);
    await commitOne(use(), announced("s1"), { ...ELSEWHERE, id: "late" });

    expect(await claimed({ platforms: ["web", "other"] })).toEqual([
      "other:channel:general",
      "web:channel:general",
      "other:channel:late",
    ]);
  });

  it("hold no destination for which nothing is left, but take it again when something comes", async () => {
    await commitSent(use(), announced("s1"));
    expect(await claimed()).toEqual([]);

    await commitOne(use(), announced("s2"));
    expect(await claimed()).toEqual(["web:channel:general"]);
  });

  it("are not made before the time up to which a destination was let go of, unless it is looked at again", async () => {
    await commitOne(use(), announced("s1"));
    await claimed();
    await use().outbox.release(GENERAL, FAR_FUTURE);
    expect(await use().outbox.nextDue(["web"])).toBe(FAR_FUTURE);
    await commitOne(use(), announced("s2"));
    expect(await claimed()).toEqual([]);

    await use().outbox.recheck(GENERAL);
    expect(await use().outbox.nextDue(["web"])).toBeNull();
    expect(await claimed()).toEqual(["web:channel:general"]);
  });

  it("stay with who made them when the destination is to be looked at again", async () => {
    const delivery = await commitOne(use(), announced("s1"));
    await claimed();
    await use().outbox.recheck(GENERAL);
    expect(await claimed()).toEqual([]);

    await use().outbox.record(attemptOf("m1", [delivery], { notBefore: FAR_FUTURE, problem: "busy" }));
    await use().outbox.release(GENERAL);
    await use().outbox.recheck(GENERAL);
    await use().outbox.recheck(NEWS);
    expect(await claimed()).toEqual([]);
    expect(await use().outbox.nextDue(["web"])).toBe(FAR_FUTURE);
  });

  it("leave a destination alone that is claimed while more comes for it", async () => {
    await commitOne(use(), announced("s1"));
    await claimed();
    await commitOne(use(), announced("s2"));

    expect(await claimed()).toEqual([]);
    await use().outbox.release(GENERAL);
    expect(await claimed()).toEqual(["web:channel:general"]);
  });
}

function describeAttempts(use: Use, restart: Restart): void {
  it("come first with the next claim, and take their deliveries out of what waits", async () => {
    const first = await commitOne(use(), announced("s1"));
    const second = await commitOne(use(), announced("s2"));
    const attempt = attemptOf("m1", [first], { replyTo: REF });
    await use().outbox.record(attempt);

    expect(await claimAll(use())).toEqual([{ to: GENERAL, attempt }]);
    expect((await use().outbox.waitingAt(GENERAL)).map(({ delivery }) => delivery)).toEqual([second]);
  });

  it.each(["ready", "sending", "uncertain"] as const)(
    "come out of a restart in the state in which they were: %s",
    async (state) => {
      const delivery = await commitOne(use(), announced("s1"));
      await use().outbox.record(attemptOf("m1", [delivery]));
      const attempt = attemptOf("m1", [delivery], {
        state,
        sends: 2,
        blindResends: 1,
        problem: "time-out",
        notBefore: T0,
      });
      await use().outbox.record(attempt);

      expect(await claimAll(await restart())).toEqual([{ to: GENERAL, attempt }]);
    },
  );

  it("are held back until they are due, with all that waits behind them", async () => {
    const first = await commitOne(use(), announced("s1"));
    await commitOne(use(), announced("s2"));
    await use().outbox.record(attemptOf("m1", [first], { notBefore: T0 + 60_000, problem: "try later" }));

    expect(await claimAll(use(), { now: T0 + 59_999 })).toEqual([]);
    const [claim] = await claimAll(use(), { now: T0 + 60_000 });
    expect(claim?.attempt?.messageId).toBe("m1");
  });

  it("hold up no other destination", async () => {
    const first = await commitOne(use(), announced("s1"));
    await use().outbox.record(attemptOf("m1", [first], { notBefore: FAR_FUTURE }));
    await commitOne(use(), announced("s1"), NEWS);

    expect((await claimAll(use())).map((claim) => claim.to)).toEqual([NEWS]);
  });

  it("tell when the next one is due", async () => {
    const first = await commitOne(use(), announced("s1"));
    const second = await commitOne(use(), announced("s1"), NEWS);
    const other = await commitOne(use(), announced("s1"), ELSEWHERE);
    expect(await use().outbox.nextDue(["web"])).toBeNull();

    await use().outbox.record(attemptOf("m1", [first], { notBefore: FAR_FUTURE + 2 }));
    await use().outbox.record(attemptOf("m2", [second], { notBefore: FAR_FUTURE + 1 }));
    await use().outbox.record(attemptOf("m3", [other], { notBefore: FAR_FUTURE }));
    expect(await use().outbox.nextDue(["web"])).toBe(FAR_FUTURE + 1);
    expect(await use().outbox.nextDue(["web", "other"])).toBe(FAR_FUTURE);
    expect(await use().outbox.nextDue([])).toBeNull();

    await use().outbox.sent("m2", REF, T0);
    expect(await use().outbox.nextDue(["web"])).toBe(FAR_FUTURE + 2);
    expect(await (await restart()).outbox.nextDue(["web"])).toBe(FAR_FUTURE + 2);
  });

  it("take their own claim's release with them when they are put off", async () => {
    const delivery = await commitOne(use(), announced("s1"));
    await claimAll(use());
    await use().outbox.record(attemptOf("m1", [delivery], { notBefore: FAR_FUTURE, problem: "busy" }));
    await use().outbox.release(GENERAL);

    expect(await claimAll(use())).toEqual([]);
    expect(await use().outbox.nextDue(["web"])).toBe(FAR_FUTURE);
    expect(await claimAll(use(), { now: FAR_FUTURE })).toHaveLength(1);
  });

  it("are settled as sent, with the events they told", async () => {
    const events = [announced("s1"), announced("s2")];
    const deliveries = [await commitOne(use(), announced("s1")), await commitOne(use(), announced("s2"))];
    await use().outbox.record(attemptOf("m1", deliveries, { state: "sending", sends: 2, blindResends: 1 }));

    expect(await use().outbox.sent("m1", REF, T0 + 7)).toEqual(events);

    for (const store of [use(), await restart()]) {
      for (const { id } of deliveries)
        expect(await store.outbox.outcome(id)).toEqual({ kind: "sent", at: T0 + 7, ref: REF, blindResends: 1 });
      expect(await claimAll(store)).toEqual([]);
      expect((await store.outbox.summary()).waiting).toBe(0);
    }
  });

  it("are settled as failed, with the reason", async () => {
    const delivery = await commitOne(use(), announced("s1"));
    await use().outbox.record(attemptOf("m1", [delivery]));
    await use().outbox.failed("m1", "the channel does not exist any more", T0 + 7);

    for (const store of [use(), await restart()])
      expect(await store.outbox.outcome(delivery.id)).toEqual({
        kind: "failed",
        at: T0 + 7,
        reason: "the channel does not exist any more",
      });
  });

  it("stay as they were settled first", async () => {
    const delivery = await commitSent(use(), announced("s1"), { messageId: "m1" });
    await use().outbox.failed("m1", "too late", T0 + 1);
    await use().outbox.sent("m1", { id: "second", link: null }, T0 + 2);

    for (const store of [use(), await restart()])
      expect(await store.outbox.outcome(delivery.id)).toMatchObject({ kind: "sent", at: T0, ref: REF });
  });

  it("leave the deliveries that they did not carry", async () => {
    const first = await commitOne(use(), announced("s1"));
    const second = await commitOne(use(), announced("s2"));
    await use().outbox.record(attemptOf("m1", [first], { state: "sending" }));
    await use().outbox.sent("m1", REF, T0);

    const store = await restart();
    expect(await claimAll(store)).toEqual([{ to: GENERAL, attempt: null }]);
    expect((await store.outbox.waitingAt(GENERAL)).map(({ delivery }) => delivery)).toEqual([second]);
  });

  it("may be carried by a message made after the restart", async () => {
    const delivery = await commitOne(use(), announced("s1"));
    const store = await restart();
    await store.outbox.record(attemptOf("m1", [delivery], { state: "sending" }));
    await store.outbox.sent("m1", REF, T0);

    expect(await (await restart()).outbox.outcome(delivery.id)).toMatchObject({ kind: "sent" });
  });

  it("are refused where they would break the order or tell something twice", async () => {
    const first = await commitOne(use(), announced("s1"));
    const second = await commitOne(use(), announced("s2"));
    const sent = await commitSent(use(), announced("s3"), { messageId: "m3", to: NEWS });
    await use().outbox.record(attemptOf("m1", [first]));

    await expect(use().outbox.record(attemptOf("m2", [second]))).rejects.toThrow(/m1 is under way/);
    await expect(use().outbox.record(attemptOf("m3", [sent]))).rejects.toThrow(StoreError);
    await expect(use().outbox.record(attemptOf("m4", [sent]))).rejects.toThrow(/does not wait/);
    await expect(use().outbox.record(attemptOf("m5", []))).rejects.toThrow(StoreError);
    await expect(use().outbox.sent("m9", REF, T0)).rejects.toThrow(/m9/);
    await expect(use().outbox.failed("m9", "why", T0)).rejects.toThrow(StoreError);
    expect(await claimAll(use())).toEqual([{ to: GENERAL, attempt: attemptOf("m1", [first]) }]);
  });
}

function describePauses(use: Use, restart: Restart): void {
  it("keep a destination from being claimed until it is resumed, over a restart too", async () => {
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

  it("hold what comes later for a destination at which nothing waits", async () => {
    await use().outbox.pause(GENERAL, "gone", T0);
    const store = await restart();
    await commitOne(store, announced("s1"));

    expect(await claimAll(store)).toEqual([]);
    expect((await store.outbox.summary()).paused).toEqual([{ to: GENERAL, reason: "gone", at: T0, waiting: 1 }]);
  });

  it("do not count as something that becomes due", async () => {
    const delivery = await commitOne(use(), announced("s1"));
    await use().outbox.record(attemptOf("m1", [delivery], { notBefore: FAR_FUTURE }));
    await use().outbox.pause(GENERAL, "gone", T0);
    expect(await use().outbox.nextDue(["web"])).toBeNull();

    await use().outbox.resume(GENERAL);
    expect(await use().outbox.nextDue(["web"])).toBe(FAR_FUTURE);
  });

  it("take effect with the release when the destination is claimed", async () => {
    await commitOne(use(), announced("s1"));
    await claimAll(use());
    await use().outbox.pause(GENERAL, "gone", T0);
    await use().outbox.release(GENERAL);

    expect(await claimAll(use())).toEqual([]);
  });

  it("tell their reason, to the destination that is paused alone", async () => {
    await use().outbox.pause(GENERAL, "we may not post there", T0);
    for (const store of [use(), await restart()]) {
      expect(await store.outbox.pauseAt(GENERAL)).toBe("we may not post there");
      expect(await store.outbox.pauseAt(NEWS)).toBeNull();
    }
    await use().outbox.resume(GENERAL);
    expect(await use().outbox.pauseAt(GENERAL)).toBeNull();
  });

  it("may be ended where there is none", async () => {
    await use().outbox.resume(GENERAL);
    expect((await use().outbox.summary()).paused).toEqual([]);
  });
}

function describeSummary(use: Use, restart: Restart): void {
  it("counts and names what waits, what is uncertain, paused, delayed or failed", async () => {
    const places = ["a", "b", "c", "d"].map((id): Destination => ({ ...GENERAL, id }));
    const [a, b, c, d] = await Promise.all(places.map((to) => commitOne(use(), announced("s1"), to)));
    if (!a || !b || !c || !d) throw new Error("four deliveries were made");
    await use().outbox.record(
      attemptOf("ma", [a], { state: "uncertain", sends: 1, problem: "time-out", notBefore: T0 + 5 }),
    );
    await use().outbox.record(
      attemptOf("mb", [b], { sends: 3, problem: "busy", notBefore: T0 + 9, createdAt: T0 + 1 }),
    );
    await use().outbox.record(attemptOf("mc", [c]));
    await use().outbox.failed("mc", "refused", T0 + 2);
    await use().outbox.pause(d.to, "gone", T0 + 3);

    for (const store of [use(), await restart()]) {
      expect(await store.outbox.waiting()).toBe(3);
      expect(await store.outbox.summary()).toEqual({
        waiting: 3,
        uncertain: 1,
        totals: { paused: 1, failed: 1, delayed: 2 },
        paused: [{ to: d.to, reason: "gone", at: T0 + 3, waiting: 1 }],
        failed: [{ to: c.to, reason: "refused", at: T0 + 2, deliveries: 1 }],
        delayed: [
          { to: b.to, problem: "busy", notBefore: T0 + 9, sends: 3 },
          { to: a.to, problem: "time-out", notBefore: T0 + 5, sends: 1 },
        ],
      });
    }
  });

  it("shows the newest twenty of each, and counts all", async () => {
    for (let n = 0; n < 25; n += 1) {
      const failing = await commitOne(use(), announced("s1"), { ...GENERAL, id: `failing${n}` });
      await use().outbox.record(attemptOf(`m${n}`, [failing]));
      await use().outbox.failed(`m${n}`, `reason ${n}`, T0 + n);
      await use().outbox.pause({ ...GENERAL, id: `paused${n}` }, `reason ${n}`, T0 + n);
    }

    const { failed, paused, totals } = await use().outbox.summary();
    expect(totals).toEqual({ paused: 25, failed: 25, delayed: 0 });
    const newest = Array.from({ length: 20 }, (_, n) => `reason ${24 - n}`);
    expect(failed.map(({ reason }) => reason)).toEqual(newest);
    expect(paused.map(({ reason }) => reason)).toEqual(newest);
  });

  it("knows nothing of a delivery that was never made", async () => {
    expect(await use().outbox.outcome(deliveryOf(announced("s1")).id)).toBeNull();
    const delivery = await commitOne(use(), announced("s1"));
    expect(await use().outbox.outcome(delivery.id)).toEqual({ kind: "waiting", problem: null });
  });
}

function describeHistory(use: Use, restart: Restart): void {
  it("gives the first message about a split at a destination", async () => {
    const changed = { ...announced("s1", { at: T0 + 1 }), id: "s1.2" as never };
    await commitSent(use(), announced("s1"), { ref: REF });
    await commitSent(use(), changed, { ref: { id: "second", link: null }, at: T0 + 1 });

    for (const store of [use(), await restart(), await restart()]) {
      expect(await store.history.firstMessage(GENERAL, splitId("s1"))).toEqual(REF);
      expect(await store.history.firstMessage(NEWS, splitId("s1"))).toBeNull();
      expect(await store.history.firstMessage(GENERAL, splitId("s2"))).toBeNull();
    }
  });

  it("knows no first message while it waits or when it failed", async () => {
    const delivery = await commitOne(use(), announced("s1"));
    await use().outbox.record(attemptOf("m1", [delivery]));
    expect(await use().history.firstMessage(GENERAL, splitId("s1"))).toBeNull();
    await use().outbox.failed("m1", "refused", T0);

    expect(await use().history.firstMessage(GENERAL, splitId("s1"))).toBeNull();
  });

  it("tells all about a ticker, newest first, with what became of it at the places asked for", async () => {
    const first = announced("s1", { at: T0 });
    const release = articleSeen("https://wire.example/2", T0 + 2);
    const other = announced("x1", { at: T0 + 1, ticker: "OTHER" });
    const sent = await commitSent(use(), first);
    await commitOne(use(), first, NEWS);
    const waiting = await commitOne(use(), release, ALICE);
    await commitOne(use(), other);

    for (const store of [use(), await restart()])
      expect(await store.history.about(ticker("ACME"), [GENERAL, ALICE])).toEqual([
        { event: release, deliveries: [{ delivery: waiting, outcome: { kind: "waiting", problem: null } }] },
        {
          event: first,
          deliveries: [{ delivery: sent, outcome: { kind: "sent", at: T0, ref: REF, blindResends: 0 } }],
        },
      ]);
    expect(await use().history.about(ticker("NONE"), [GENERAL])).toEqual([]);
  });

  it("tells of events that went to nobody", async () => {
    await use().snapshot.commit({ patch: null, events: [announced("s1")], deliveries: [] });

    expect(await (await restart()).history.about(ticker("ACME"), [GENERAL])).toEqual([
      { event: announced("s1"), deliveries: [] },
    ]);
  });

  it("gives the events of one split, oldest first", async () => {
    const later = { ...announced("s1", { at: T0 + 1 }), id: "s1.2" as never };
    await use().snapshot.commit({ patch: null, events: [later, announced("s2")], deliveries: [] });
    await use().snapshot.commit({ patch: null, events: [announced("s1")], deliveries: [] });

    for (const store of [use(), await restart()])
      expect(await store.history.ofSplit(splitId("s1"))).toEqual([announced("s1"), later]);
  });
}

function describeRules(use: Use, restart: Restart): void {
  it("are numbered from 1 at each destination, and keep all they say over a restart", async () => {
    const draft = aRule({ tickers: [ticker("ACME")], minRatio: 20, mention: "<@&7>" });
    expect(await use().rules.add(draft)).toEqual({ kind: "added", rule: { ...draft, number: 1 } });
    expect(await use().rules.add(aRule())).toMatchObject({ rule: { number: 2 } });
    expect(await use().rules.add(aRule({ destination: NEWS }))).toMatchObject({ rule: { number: 1 } });

    const store = await restart();
    expect(await store.rules.at(GENERAL)).toEqual([
      { ...draft, number: 1 },
      { ...aRule(), number: 2 },
    ]);
    expect(await store.rules.all()).toHaveLength(3);
    expect(await store.rules.at(ALICE)).toEqual([]);
  });

  it("get numbers that were never given there before, and are shown in their order", async () => {
    for (const minRatio of [2, 3, 4]) await use().rules.add(aRule({ minRatio }));
    await use().rules.remove(GENERAL, [1, 3]);
    await restart();
    await use().rules.add(aRule({ minRatio: 5 }));
    await use().rules.remove(GENERAL, [2, 4]);
    await use().rules.add(aRule({ minRatio: 6 }));
    await use().rules.add(aRule({ minRatio: 7 }));

    expect((await use().rules.at(GENERAL)).map((rule) => [rule.number, rule.minRatio])).toEqual([
      [5, 6],
      [6, 7],
    ]);
  });

  it("can be replaced, and keep their number; never by one that stands already", async () => {
    for (const minRatio of [2, 3]) await use().rules.add(aRule({ minRatio }));
    const draft = aRule({ tickers: [ticker("ACME")] });
    expect(await use().rules.replace(1, draft)).toEqual({
      kind: "replaced",
      before: { ...aRule({ minRatio: 2 }), number: 1 },
      rule: { ...draft, number: 1 },
    });
    expect(await use().rules.replace(1, aRule({ minRatio: 3 }))).toMatchObject({ kind: "known", rule: { number: 2 } });
    expect(await use().rules.replace(7, aRule({ minRatio: 9 }))).toEqual({ kind: "gone" });
    expect(await use().rules.replace(1, aRule({ destination: NEWS }))).toEqual({ kind: "gone" });

    const rules = await (await restart()).rules.at(GENERAL);
    expect(rules).toEqual([
      { ...draft, number: 1 },
      { ...aRule({ minRatio: 3 }), number: 2 },
    ]);
  });

  it("get different numbers when many come at once", async () => {
    await Promise.all(Array.from({ length: 20 }, (_, minRatio) => use().rules.add(aRule({ minRatio }))));

    expect((await use().rules.at(GENERAL)).map((rule) => rule.number)).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 1),
    );
    expect(await (await restart()).rules.at(GENERAL)).toHaveLength(20);
  });

  it("stand once each, whoever sets them and however many do at once", async () => {
    const draft = aRule({ tickers: [ticker("ACME"), ticker("BETA")] });
    const again = { ...draft, tickers: draft.tickers.toReversed(), createdBy: BOB, createdAt: T0 + 1 };
    const added = await Promise.all([use().rules.add(draft), use().rules.add(again)]);

    expect(added.map(({ kind }) => kind)).toEqual(["added", "known"]);
    expect(await use().rules.add(again)).toEqual({ kind: "known", rule: { ...draft, number: 1 } });
    expect(await use().rules.add({ ...draft, mention: "<@&7>" })).toMatchObject({ kind: "added" });
    expect(await use().rules.add({ ...draft, destination: NEWS })).toMatchObject({ kind: "added" });
    expect(await (await restart()).rules.at(GENERAL)).toHaveLength(2);
  });

  it("are at most so many at a destination, however many come at once", async () => {
    const added = await Promise.all([1, 2, 3, 4].map((minRatio) => use().rules.add(aRule({ minRatio }), 3)));

    expect(added.map(({ kind }) => kind)).toEqual(["added", "added", "added", "full"]);
    expect(await use().rules.add(aRule({ minRatio: 1 }), 3)).toMatchObject({ kind: "known" });
    expect(await use().rules.add(aRule({ destination: NEWS }), 3)).toMatchObject({ kind: "added" });
    expect(await (await restart()).rules.at(GENERAL)).toHaveLength(3);
  });

  it("are given back when they are removed, from this destination alone", async () => {
    await use().rules.add(aRule());
    await use().rules.add(aRule({ destination: NEWS }));

    expect(await use().rules.remove(GENERAL, [1, 7])).toEqual([{ ...aRule(), number: 1 }]);
    expect(await use().rules.remove(GENERAL, [1])).toEqual([]);
    expect(await (await restart()).rules.all()).toEqual([{ ...aRule({ destination: NEWS }), number: 1 }]);
  });
}

function describeWatchlists(use: Use, restart: Restart): void {
  const [ACME, BETA, ZETA] = [ticker("ACME"), ticker("BETA"), ticker("ZETA")];

  it("say what is new on them, and are read in the order of the alphabet", async () => {
    expect(await use().watchlists.add(ALICE, [ZETA, ACME, ZETA])).toEqual([ZETA, ACME]);
    expect(await use().watchlists.add(ALICE, [BETA, ACME])).toEqual([BETA]);
    expect(await use().watchlists.add(ALICE, [ACME])).toEqual([]);
    expect(await use().watchlists.add(ALICE, [])).toEqual([]);

    for (const store of [use(), await restart()]) {
      expect(await store.watchlists.of(ALICE)).toEqual([ACME, BETA, ZETA]);
      expect(await store.watchlists.of(BOB)).toEqual([]);
    }
  });

  it("say what was taken off", async () => {
    await use().watchlists.add(ALICE, [ACME, BETA]);

    expect(await use().watchlists.remove(ALICE, [ZETA, ACME, ACME])).toEqual([ACME]);
    expect(await use().watchlists.remove(BOB, [ACME])).toEqual([]);
    expect(await (await restart()).watchlists.of(ALICE)).toEqual([BETA]);
  });

  it("hold at most so many, however many come at once", async () => {
    const added = await Promise.all([[ACME], [BETA, ACME, ZETA]].map((some) => use().watchlists.add(ALICE, some, 2)));

    expect(added).toEqual([[ACME], [BETA]]);
    expect(await use().watchlists.add(ALICE, [ZETA], 2)).toEqual([]);
    expect(await use().watchlists.add(ALICE, [ZETA], 1)).toEqual([]);
    expect(await (await restart()).watchlists.of(ALICE)).toEqual([ACME, BETA]);
  });

  it("are found by ticker", async () => {
    const carol = { platform: "other", kind: "person", id: "a:b::c" } as const;
    await use().watchlists.add(ALICE, [ACME, BETA]);
    await use().watchlists.add(carol, [ACME]);
    await use().watchlists.add(BOB, [ACME]);
    await use().watchlists.remove(BOB, [ACME]);

    for (const store of [use(), await restart()]) {
      const watchers = await store.watchlists.watchersOf([ACME, ZETA, BETA, ACME]);
      expect(watchers).toHaveLength(3);
      expect(watchers).toEqual(
        expect.arrayContaining([
          { person: ALICE, ticker: ACME },
          { person: carol, ticker: ACME },
          { person: ALICE, ticker: BETA },
        ]),
      );
    }
  });

  it("are counted by people and by different tickers", async () => {
    expect(await use().watchlists.count()).toEqual({ people: 0, tickers: 0 });
    await use().watchlists.add(ALICE, [ACME, BETA]);
    await use().watchlists.add(BOB, [ACME]);

    for (const store of [use(), await restart()])
      expect(await store.watchlists.count()).toEqual({ people: 2, tickers: 2 });
    await use().watchlists.remove(ALICE, [ACME, BETA]);
    expect(await use().watchlists.count()).toEqual({ people: 1, tickers: 1 });
    expect(await (await restart()).watchlists.count()).toEqual({ people: 1, tickers: 1 });
  });

  it("take changes of many at once without losing one", async () => {
    const people = Array.from({ length: 50 }, (_, n) => ({ ...ALICE, id: `p${n}` }));
    await Promise.all(people.flatMap((person) => [ACME, BETA].map((one) => use().watchlists.add(person, [one]))));
    await Promise.all(people.map((person) => use().watchlists.remove(person, [ACME])));

    const store = await restart();
    expect(await store.watchlists.count()).toEqual({ people: 50, tickers: 1 });
    expect(await store.watchlists.watchersOf([BETA])).toHaveLength(50);
  });
}

function describeDirectChannels(use: Use, restart: Restart): void {
  it("are known for those they were remembered for, over a restart too", async () => {
    const namesake = { ...ALICE, platform: "other" };
    await use().directChannels.remember(ALICE, "dm-1");
    await use().directChannels.remember(BOB, "dm-2");
    await use().directChannels.remember(ALICE, "dm-3");

    for (const store of [use(), await restart()]) {
      expect(await store.directChannels.of(ALICE)).toBe("dm-3");
      expect(await store.directChannels.of(BOB)).toBe("dm-2");
      expect(await store.directChannels.of(namesake)).toBeNull();
    }
  });

  it("take those of many at once without losing one", async () => {
    const people = Array.from({ length: 50 }, (_, n) => ({ ...ALICE, id: `p${n}` }));
    await Promise.all(people.map((person) => use().directChannels.remember(person, `dm-${person.id}`)));
    const store = await restart();
    for (const person of people) expect(await store.directChannels.of(person)).toBe(`dm-${person.id}`);
  });
}

function describePlaceSettings(use: Use, restart: Restart): void {
  const QUIET = { from: 22 * 60, to: 7 * 60 };

  it("are the usual ones where nothing was set", async () => {
    expect(await use().placeSettings.of(ALICE)).toEqual(DEFAULT_SETTINGS);
    expect(await use().placeSettings.all()).toEqual([]);
  });

  it("change as the patch says, each place for itself, over a restart too", async () => {
    const namesake = { ...ALICE, platform: "other" };
    const first = await use().placeSettings.change(ALICE, { timezone: "Pacific/Auckland", quiet: QUIET });
    const second = await use().placeSettings.change(ALICE, { digest: true, mutedUntil: T0 });
    await use().placeSettings.change(GENERAL, { reminders: false });
    const expected = { timezone: "Pacific/Auckland", reminders: true, digest: true, quiet: QUIET, mutedUntil: T0 };
    expect(first).toEqual({ before: DEFAULT_SETTINGS, after: { ...expected, digest: false, mutedUntil: null } });
    expect(second).toEqual({ before: first.after, after: expected });

    for (const store of [use(), await restart()]) {
      expect(await store.placeSettings.of(ALICE)).toEqual(expected);
      expect(await store.placeSettings.of(namesake)).toEqual(DEFAULT_SETTINGS);
      const all = (await store.placeSettings.all()).toSorted((a, b) => (a.to.kind < b.to.kind ? -1 : 1));
      expect(all).toEqual([
        { to: GENERAL, settings: { ...DEFAULT_SETTINGS, reminders: false } },
        { to: ALICE, settings: expected },
      ]);
    }
  });

  it("are forgotten when they are the usual ones again", async () => {
    await use().placeSettings.change(ALICE, { quiet: QUIET, reminders: false });
    await use().placeSettings.change(ALICE, { quiet: null, reminders: true });
    for (const store of [use(), await restart()]) expect(await store.placeSettings.all()).toEqual([]);
  });

  it("tell of each change once it is made, until that is ended", async () => {
    const told: string[] = [];
    const end = use().placeSettings.onChange((to) => told.push(destinationKey(to)));
    await use().placeSettings.change(ALICE, { digest: true });
    await use().placeSettings.change(ALICE, { digest: true });
    await use().placeSettings.change(GENERAL, { quiet: QUIET });
    end();
    await use().placeSettings.change(BOB, { digest: true });
    expect(told).toEqual(["web:person:alice", "web:channel:general"]);
  });

  it("take changes of many at once without losing one", async () => {
    const people = Array.from({ length: 30 }, (_, n) => ({ ...ALICE, id: `p${n}` }));
    await Promise.all(
      people.flatMap((person) => [
        use().placeSettings.change(person, { digest: true }),
        use().placeSettings.change(person, { reminders: false }),
      ]),
    );
    const store = await restart();
    for (const person of people)
      expect(await store.placeSettings.of(person)).toEqual({ ...DEFAULT_SETTINGS, digest: true, reminders: false });
  });
}

function describeInstallations(use: Use, restart: Restart): void {
  const acme = { platform: "slack", workspaceId: "T1", credentials: "sealed", since: T0 };

  it("are found by platform and workspace, and replaced as a whole", async () => {
    const other = { ...acme, workspaceId: "T2" };
    const namesake = { ...acme, platform: "other" };
    for (const one of [acme, other, namesake]) await use().installations.put(one);
    const gone = { ...acme, credentials: null, since: T0 + 1 };
    await use().installations.put(gone);

    for (const store of [use(), await restart()]) {
      expect(await store.installations.find("slack", "T1")).toEqual(gone);
      expect(await store.installations.find("slack", "T3")).toBeNull();
      expect(new Set(await store.installations.all("slack"))).toEqual(new Set([gone, other]));
      expect(await store.installations.all("other")).toEqual([namesake]);
    }
  });

  it("are dropped alone, and a second time without harm", async () => {
    for (const workspaceId of ["T1", "T2"]) await use().installations.put({ ...acme, workspaceId });
    for (const _ of [1, 2]) await use().installations.drop("slack", "T1");
    expect(await (await restart()).installations.all("slack")).toEqual([{ ...acme, workspaceId: "T2" }]);
  });

  it("take a token once, however many come with it at once, until it need not be known any more", async () => {
    const uses = await Promise.all([1, 2, 3].map(() => use().installations.useOnce("t", T0, T0 + 10)));
    expect(uses.filter((isFirst) => isFirst)).toHaveLength(1);
    expect(await use().installations.useOnce("__proto__", T0, T0 + 10)).toBe(true);
    const store = await restart();
    expect(await store.installations.useOnce("t", T0 + 9, T0 + 19)).toBe(false);
    expect(await store.installations.useOnce("another", T0 + 10, T0 + 20)).toBe(true);
    expect(await store.installations.useOnce("t", T0 + 11, T0 + 21)).toBe(true);
  });
}

function onSlack(id: string): Person {
  return { platform: "slack", kind: "person", id };
}

function describePeople(use: Use, restart: Restart): void {
  it("are all of whom something is kept, once each, and none once they are forgotten", async () => {
    const names = ["T1/watches", "T1/ruled", "T1/rules", "T1/reached", "T1/set", "T1/dated", "T1/imports", "T1/waits"];
    const people = names.map(onSlack) as [Person, Person, Person, Person, Person, Person, Person, Person];
    const [watches, ruled, rules, reached, set, dated, imports, waits] = people;
    const fill = async (store: Store): Promise<void> => {
      await store.watchlists.add(watches, [ticker("ACME")]);
      await store.rules.add({ ...aRule({ destination: ruled }), createdBy: ruled });
      await store.rules.add({ ...aRule(), createdBy: rules });
      await store.directChannels.remember(reached, "D1");
      await store.placeSettings.change(set, { digest: true });
      await store.calendars.tokenOf(dated);
      const owner = { person: imports, settingsOf: imports, place: imports };
      await store.imports.keep(aPendingImport("i1", owner), T0);
      await commitOne(store, announced("s1"), waits);
    };
    await fill(use());
    await use().watchlists.add({ ...watches, platform: "other" }, [ticker("ACME")]);
    await use().watchlists.add(watches, [ticker("BETA")]);

    for (const store of [use(), await restart()]) {
      expect((await store.people("slack")).toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(
        people.toSorted((a, b) => a.id.localeCompare(b.id)),
      );
    }
    for (const one of people) await use().forget(one);
    expect(await (await restart()).people("slack")).toEqual([]);
  });
}

function describeCalendars(use: Use, restart: Restart): void {
  it("have a token that nobody guesses, the same each time and over a restart", async () => {
    const namesake = { ...ALICE, platform: "other" };
    const [token, again, ofBob, ofNamesake] = await Promise.all(
      [ALICE, ALICE, BOB, namesake].map((person) => use().calendars.tokenOf(person)),
    );
    expect(token).toMatch(/^[0-9a-f]{32,}$/);
    expect(again).toBe(token);
    expect(new Set([token, ofBob, ofNamesake]).size).toBe(3);

    for (const store of [use(), await restart()]) {
      expect(await store.calendars.tokenOf(ALICE)).toBe(token);
      expect(await store.calendars.personOf(String(token))).toEqual(ALICE);
      expect(await store.calendars.personOf(String(ofNamesake))).toEqual(namesake);
    }
  });

  it.each(["", "0".repeat(40), "__proto__", "constructor"])("are nobody's for the token %j", async (token) => {
    await use().calendars.tokenOf(ALICE);
    expect(await use().calendars.personOf(token)).toBeNull();
  });

  it("are gone once revoked, and the next token is another one", async () => {
    const token = await use().calendars.tokenOf(ALICE);
    const ofBob = await use().calendars.tokenOf(BOB);
    expect(await use().calendars.revoke(ALICE)).toBe(true);
    expect(await use().calendars.revoke(ALICE)).toBe(false);

    for (const store of [use(), await restart()]) {
      expect(await store.calendars.personOf(token)).toBeNull();
      expect(await store.calendars.personOf(ofBob)).toEqual(BOB);
    }
    expect(await use().calendars.tokenOf(ALICE)).not.toBe(token);
  });
}

function describePostings(use: Use, restart: Restart): void {
  it("are counted, found by message id and kept", async () => {
    const draft = aPosting("m1", { replyTo: REF, body: { cards: [{ title: "ACME – “1-for-20”" }] } });
    const posting = await use().postings.post(draft);
    expect(posting).toEqual({ ...draft, number: posting.number });
    const second = await use().postings.post(aPosting("m2"));
    expect(second.number).toBeGreaterThan(posting.number);

    for (const store of [use(), await restart()]) {
      expect(await store.postings.find("m1")).toEqual(posting);
      expect(await store.postings.find("m9")).toBeNull();
    }
  });

  it("are made once for each message id, in one run and over a restart", async () => {
    const [first, again] = await Promise.all([
      use().postings.post(aPosting("m1", { body: "first" })),
      use().postings.post(aPosting("m1", { body: "again" })),
    ]);
    const store = await restart();
    const late = await store.postings.post(aPosting("m1", { body: "late", at: T0 + 9 }));

    expect(again).toEqual(first);
    expect(late).toEqual(first);
    expect(await store.postings.list({ to: [GENERAL], after: 0, limit: 10 })).toEqual([first]);
  });

  it("are listed for the places asked for, the newest up to the limit, oldest first", async () => {
    const made = [];
    for (const [n, to] of [GENERAL, ALICE, NEWS, GENERAL, ALICE, GENERAL].entries())
      made.push(await use().postings.post(aPosting(`m${n}`, { to })));

    for (const store of [use(), await restart()]) {
      const list = async (to: Destination[], after: number, limit: number): Promise<readonly string[]> =>
        (await store.postings.list({ to, after, limit })).map((posting) => posting.messageId);
      expect(await list([GENERAL, ALICE], 0, 10)).toEqual(["m0", "m1", "m3", "m4", "m5"]);
      expect(await list([GENERAL, ALICE, GENERAL], 0, 2)).toEqual(["m4", "m5"]);
      expect(await list([GENERAL], made[3]?.number ?? 0, 10)).toEqual(["m5"]);
      expect(await list([GENERAL], made[5]?.number ?? 0, 10)).toEqual([]);
      expect(await list([BOB], 0, 10)).toEqual([]);
      expect(await list([GENERAL], 0, 0)).toEqual([]);
    }
  });
}

async function releaseUrls(store: Store): Promise<readonly string[]> {
  return (await store.releases.all()).map(({ url }) => url).toSorted();
}

function describeReleases(use: Use, restart: Restart): void {
  const URLS = ["https://wire.example/1", "https://wire.example/2", "https://wire.example/3"] as const;

  it("are none at first", async () => {
    expect(await use().releases.all()).toEqual([]);
  });

  it("are kept as they are, text and facts", async () => {
    const pending = aRelease({ url: URLS[0], text: null, readVersion: null, problem: "no answer", tries: 2 });
    const read = aRelease({ url: URLS[1], text: "Ratio “1‑for‑20”.\n\nSecond paragraph.", publishedAt: null });
    await Promise.all([use().releases.put(pending), use().releases.put(read)]);

    for (const store of [use(), await restart()]) {
      const all = (await store.releases.all()).toSorted((a, b) => (a.url < b.url ? -1 : 1));
      expect(all).toEqual([pending, read]);
    }
  });

  it("take the place of what was known under the same address", async () => {
    await use().releases.put(aRelease({ url: URLS[0], version: "1", text: "first" }));
    await use().releases.put(aRelease({ url: URLS[1] }));
    const corrected = aRelease({ url: URLS[0], version: "2", text: "second" });
    await use().releases.put(corrected);

    for (const store of [use(), await restart()]) {
      expect(await releaseUrls(store)).toEqual([URLS[0], URLS[1]]);
      expect(await store.releases.all()).toContainEqual(corrected);
    }
  });

  it("are gone when they were dropped, and no others, until they are put again", async () => {
    for (const url of URLS) await use().releases.put(aRelease({ url }));
    await use().releases.drop([URLS[0], URLS[2], "https://wire.example/unknown"]);
    await use().releases.drop([]);
    for (const store of [use(), await restart()]) expect(await releaseUrls(store)).toEqual([URLS[1]]);

    await use().releases.put(aRelease({ url: URLS[2] }));
    for (const store of [use(), await restart()]) expect(await releaseUrls(store)).toEqual([URLS[1], URLS[2]]);
  });

  it("stay when all else that is old is forgotten", async () => {
    await use().releases.put(aRelease());
    await use().prune(FAR_FUTURE);
    expect(await releaseUrls(await restart())).toHaveLength(1);
  });

  it("stand as the last of many puts left them", async () => {
    const versions = Array.from({ length: 2_500 }, (_, number) => String(number));
    await Promise.all(versions.map((version) => use().releases.put(aRelease({ url: URLS[0], version, text: null }))));
    await use().releases.put(aRelease({ url: URLS[1] }));
    for (const store of [use(), await restart()]) {
      expect(await releaseUrls(store)).toEqual([URLS[0], URLS[1]]);
      expect(await store.releases.all()).toContainEqual(expect.objectContaining({ url: URLS[0], version: "2499" }));
    }
  });
}

function describeImports(use: Use, restart: Restart): void {
  it("are kept over a restart, and found by their id alone", async () => {
    await use().imports.keep(aPendingImport("i1"), T0);
    for (const store of [use(), await restart()]) {
      expect(await store.imports.find("i1")).toEqual(aPendingImport("i1"));
      expect(await store.imports.find("i2")).toBeNull();
    }
  });

  it("move on from the state that they are in, once", async () => {
    await use().imports.keep(aPendingImport("i1"), T0);
    const applying = aPendingImport("i1", { state: "applying" });
    expect(await Promise.all([use().imports.move(applying, "shown"), use().imports.move(applying, "shown")])).toEqual([
      true,
      false,
    ]);
    expect(await use().imports.move(aPendingImport("i2"), "shown")).toBe(false);
    expect(await (await restart()).imports.find("i1")).toEqual(applying);
  });

  it("go when they are dropped, and when they ran out", async () => {
    await use().imports.keep(aPendingImport("i1"), T0);
    await use().imports.keep(aPendingImport("i2", { until: T0 + 10 }), T0);
    await use().imports.drop("i1");
    await use().imports.drop("unknown");
    expect([await use().imports.find("i1"), await use().imports.find("i2")]).toEqual([null, expect.anything()]);
    await use().imports.keep(aPendingImport("i3", { person: BOB }), T0 + 10);
    expect(await use().imports.find("i2")).toBeNull();
    await use().prune(FAR_FUTURE);
    expect(await use().imports.find("i3")).toBeNull();
  });

  it("are kept for each person up to three, the newest", async () => {
    for (const id of ["i1", "i2", "i3", "i4"]) await use().imports.keep(aPendingImport(id), T0);
    await use().imports.keep(aPendingImport("b1", { person: BOB }), T0);
    const found = await Promise.all(["i1", "i2", "i3", "i4", "b1"].map((id) => use().imports.find(id)));
    expect(found.map((one) => one !== null)).toEqual([false, true, true, true, true]);
  });

  it("are bounded all together", async () => {
    const long = Array.from({ length: 100_000 }, (_, index) => ticker(`A${index}`));
    for (let n = 0; n < 20; n += 1) {
      const person = { ...ALICE, id: `p${n}` };
      await use().imports.keep(aPendingImport(`i${n}`, { person, tickers: long }), T0);
    }
    expect(await use().imports.find("i0")).toBeNull();
    expect(await use().imports.find("i19")).not.toBeNull();
  });
}

/** Whatever can be kept of Alice. */
async function keepAllOf(store: Store): Promise<void> {
  await store.watchlists.add(ALICE, [ticker("ACME")]);
  await store.rules.add(aRule({ destination: ALICE }));
  await store.rules.add(aRule({ mention: "<@alice>" }));
  await store.directChannels.remember(ALICE, "dm-1");
  await store.placeSettings.change(ALICE, { digest: true });
  await store.imports.keep(aPendingImport("i1"), T0);
  await store.postings.post(aPosting("to-alice", { to: ALICE }));
  await store.postings.post({ ...aPosting("shared"), sharedBy: ALICE });
  await commitSent(store, announced("s1"), { to: ALICE, at: T0 });
  await commitOne(store, announced("s2"), ALICE);
  const calling = { ...deliveryOf(announced("s3")), mentions: ["<@alice>"] };
  await store.snapshot.commit({ patch: null, events: [announced("s3")], deliveries: [calling] });
}

function describeForgetting(use: Use, restart: Restart): void {
  it("deletes what is theirs alone", async () => {
    await keepAllOf(use());
    const token = await use().calendars.tokenOf(ALICE);
    await use().forget(ALICE);

    for (const store of [use(), await restart()]) {
      expect(await store.watchlists.of(ALICE)).toEqual([]);
      expect(await store.watchlists.watchersOf([ticker("ACME")])).toEqual([]);
      expect(await store.rules.at(ALICE)).toEqual([]);
      expect(await store.directChannels.of(ALICE)).toBeNull();
      expect(await store.placeSettings.all()).toEqual([]);
      expect(await store.calendars.personOf(token)).toBeNull();
      expect(await store.imports.find("i1")).toBeNull();
      expect(await store.postings.list({ to: [ALICE], after: 0, limit: 10 })).toEqual([]);
      expect(await store.postings.find("to-alice")).toBeNull();
      expect(await store.history.firstMessage(ALICE, splitId("s1"))).toBeNull();
      expect((await store.history.about(ticker("ACME"), [ALICE])).flatMap(({ deliveries }) => deliveries)).toEqual([]);
    }
  });

  it("drops what waits for them, and what is under way", async () => {
    const delivery = await commitOne(use(), announced("s1"), ALICE);
    await commitOne(use(), announced("s2"), ALICE);
    await use().outbox.record(attemptOf("m1", [delivery], { state: "uncertain", sends: 1 }));
    await use().forget(ALICE);

    for (const store of [use(), await restart()]) {
      expect(await store.outbox.waiting()).toBe(0);
      expect(await store.outbox.outcome(delivery.id)).toBeNull();
      expect(await claimAll(store, { now: FAR_FUTURE })).toEqual([]);
    }
  });

  it("leaves what concerns all: the events, the rules of channels without the name, what channels were told", async () => {
    await keepAllOf(use());
    await use().forget(ALICE);

    for (const store of [use(), await restart()]) {
      expect(await store.history.ofSplit(splitId("s1"))).toHaveLength(1);
      const rules = await store.rules.at(GENERAL);
      expect(rules).toMatchObject([{ number: 1, mention: null }]);
      expect(rules[0]?.createdBy.id).not.toBe("alice");
      expect(await store.postings.find("shared")).toMatchObject({ messageId: "shared" });
      expect(await store.postings.find("shared")).not.toHaveProperty("sharedBy");
      expect(await store.outbox.waitingAt(GENERAL)).toMatchObject([{ delivery: { mentions: [] } }]);
    }
  });

  it("takes the name off the tests that they asked for", async () => {
    const test: TestEvent = {
      kind: "test",
      id: "test.web:channel:general.1" as EventId,
      at: T0,
      sample: false,
      askedBy: "alice",
    };
    await use().snapshot.commit({ patch: null, events: [test], deliveries: [deliveryOf(test)] });
    const attempt = attemptOf("m1", [deliveryOf(test)], {
      body: { text: "Asked for by alice", by: "alice", for: "malice" },
    });
    await use().outbox.record(attempt);
    await use().forget(ALICE);

    const store = await restart();
    expect(await store.outbox.waiting()).toBe(1);
    const [claim] = await claimAll(store, { now: FAR_FUTURE });
    expect(claim?.attempt?.body).toEqual({ text: "Asked for by somebody", by: "somebody", for: "malice" });
    expect(await store.outbox.sent("m1", REF, T0)).toMatchObject([{ kind: "test", askedBy: "somebody" }]);
  });

  it("leaves everybody else alone, also whose name begins with theirs", async () => {
    const alicia = { ...ALICE, id: "alice2" };
    await use().watchlists.add(alicia, [ticker("ACME")]);
    await use().directChannels.remember(alicia, "dm-2");
    const other = await commitOne(use(), announced("s1"), alicia);
    await use().forget(ALICE);

    const store = await restart();
    expect(await store.watchlists.of(alicia)).toEqual(["ACME"]);
    expect(await store.directChannels.of(alicia)).toBe("dm-2");
    expect(await store.outbox.outcome(other.id)).toMatchObject({ kind: "waiting" });
  });

  it("is not undone by a commit that was made ready before it", async () => {
    await use().watchlists.add(ALICE, [ticker("ACME")]);
    await use().forget(ALICE);
    await commitOne(use(), announced("s1"), ALICE);
    expect(await use().outbox.waiting()).toBe(0);

    await use().watchlists.add(ALICE, [ticker("ACME")]);
    await commitOne(use(), announced("s2"), ALICE);
    expect(await use().outbox.waiting()).toBe(1);
  });

  it("may be asked for twice, at once, and of a stranger", async () => {
    await keepAllOf(use());
    await Promise.all([use().forget(ALICE), use().forget(ALICE), use().forget({ ...BOB, id: "stranger" })]);
    await use().forget(ALICE);
    expect(await (await restart()).watchlists.of(ALICE)).toEqual([]);
  });

  it("lets them come back, and then keeps what they want", async () => {
    await keepAllOf(use());
    await use().forget(ALICE);
    await use().watchlists.add(ALICE, [ticker("BETA")]);
    await commitOne(use(), announced("s9"), ALICE);

    const store = await restart();
    expect(await store.watchlists.of(ALICE)).toEqual(["BETA"]);
    expect(await store.outbox.waiting()).toBe(2);
  });
}

function describePruning(use: Use, restart: Restart): void {
  const LATER = T0 + 1_000;

  it("forgets what was settled before, and keeps what was settled since", async () => {
    const old = await commitSent(use(), announced("s1"), { at: T0 });
    const fresh = await commitSent(use(), announced("s2", { at: LATER }), { at: LATER });
    await use().prune(LATER);

    for (const store of [use(), await restart()]) {
      expect(await store.outbox.outcome(old.id)).toBeNull();
      expect(await store.history.firstMessage(GENERAL, splitId("s1"))).toBeNull();
      expect(await store.history.ofSplit(splitId("s1"))).toEqual([]);
      expect(await store.outbox.outcome(fresh.id)).toMatchObject({ kind: "sent" });
      expect(await store.history.firstMessage(GENERAL, splitId("s2"))).toEqual(REF);
      expect((await store.history.about(ticker("ACME"), [])).map(({ event }) => event.id)).toEqual(["s2.1"]);
    }
  });

  it("never forgets what still waits, with its event, its attempt and its pause", async () => {
    const waiting = await commitOne(use(), announced("s1"));
    const tried = await commitOne(use(), announced("s2"), NEWS);
    const attempt = attemptOf("m1", [tried], { state: "uncertain", sends: 1 });
    await use().outbox.record(attempt);
    await use().outbox.pause(ALICE, "gone", T0);
    await use().prune(FAR_FUTURE);

    for (const store of [use(), await restart()]) {
      expect(await store.outbox.waitingAt(GENERAL)).toEqual([{ delivery: waiting, event: announced("s1") }]);
      expect(await claimAll(store, { now: FAR_FUTURE })).toEqual([
        { to: GENERAL, attempt: null },
        { to: NEWS, attempt },
      ]);
      expect((await store.outbox.summary()).paused).toHaveLength(1);
    }
  });

  it("keeps an old event while a message that told it is kept", async () => {
    await commitSent(use(), announced("s1", { at: T0 }), { at: LATER });
    await use().prune(LATER);

    expect(await (await restart()).history.ofSplit(splitId("s1"))).toHaveLength(1);
  });

  it("leaves snapshot, rules and watchlists alone", async () => {
    await use().snapshot.commit({ patch: patchOf({ splits: [aSplit("s1")] }), events: [], deliveries: [] });
    await use().rules.add(aRule());
    await use().watchlists.add(ALICE, [ticker("ACME")]);
    await use().prune(FAR_FUTURE);

    const store = await restart();
    expect((await store.snapshot.read()).splits.size).toBe(1);
    expect(await store.rules.all()).toHaveLength(1);
    expect(await store.watchlists.of(ALICE)).toHaveLength(1);
  });

  it("drops old postings, and gives no number a second time", async () => {
    const old = await use().postings.post(aPosting("m1", { at: T0 }));
    await use().prune(LATER);
    expect(await use().postings.find("m1")).toBeNull();

    const store = await restart();
    expect(await store.postings.list({ to: [GENERAL], after: 0, limit: 10 })).toEqual([]);
    const fresh = await store.postings.post(aPosting("m2", { at: LATER }));
    expect(fresh.number).toBeGreaterThan(old.number);
    await store.prune(LATER);
    expect(await store.postings.find("m2")).toEqual(fresh);
  });

  it("may run while others write", async () => {
    const old = await commitSent(use(), announced("s1"), { at: LONG_AGO });
    await Promise.all([
      use().prune(T0),
      commitOne(use(), announced("s2")),
      use().postings.post(aPosting("m1")),
      use().prune(T0),
    ]);

    const store = await restart();
    expect(await store.outbox.outcome(old.id)).toBeNull();
    expect(await store.outbox.waitingAt(GENERAL)).toHaveLength(1);
    expect(await store.postings.find("m1")).not.toBeNull();
  });
}

function describeReports(use: Use): void {
  const report: PollReport = {
    resource: "splits",
    at: T0,
    outcome: "complete",
    detail: "3 splits",
    records: 3,
    setAside: ["data[1].ratio: got null"],
    lastCompleteAt: T0,
  };

  it("remembers the last poll of each resource", async () => {
    expect(await use().polls.read()).toEqual({ splits: null, articles: null });
    await use().polls.write(report);
    await use().polls.write({ ...report, at: T0 + 1, outcome: "failed" });

    expect(await use().polls.read()).toEqual({ splits: { ...report, at: T0 + 1, outcome: "failed" }, articles: null });
  });

  it("is well while it can write", async () => {
    await use().rules.add(aRule());
    expect(use().health()).toBeNull();
  });

  it("refuses to write once it is closed, and may be closed twice", async () => {
    const store = use();
    await store.close();
    await store.close();

    expect(store.health()).not.toBeNull();
    await expect(store.rules.add(aRule())).rejects.toThrow(StoreError);
    await expect(store.watchlists.add(ALICE, [ticker("ACME")])).rejects.toThrow(StoreError);
    await expect(commitOne(store, announced("s1"))).rejects.toThrow(StoreError);
    await expect(store.postings.post(aPosting("m1"))).rejects.toThrow(StoreError);
  });
}
