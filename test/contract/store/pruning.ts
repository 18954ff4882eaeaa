import { expect, it } from "vitest";
import { ALICE, aRule, BOB, GENERAL, ticker } from "../../support/builders.ts";
import { readOutcome } from "../../support/deliveries.ts";
import type { CurrentStore, Restart } from "../store-builders.ts";
import {
  acrossRestart,
  announced,
  aPosting,
  attemptOf,
  claimAll,
  commitOne,
  commitSent,
  FAR_FUTURE,
  LONG_AGO,
  listedSplit,
  NEWS,
  patchOf,
  REF,
  splitId,
  T0,
} from "../store-builders.ts";

export function describePruning(use: CurrentStore, restart: Restart): void {
  const LATER = T0 + 1_000;

  it("deletes what was settled before the given time and keeps the rest", async () => {
    const old = await commitSent(use(), announced("s1"), { at: T0 });
    const fresh = await commitSent(use(), announced("s2", { at: LATER }), { at: LATER });
    await use().prune(LATER);

    for await (const store of acrossRestart(use, restart)) {
      expect(await readOutcome(store, old.id)).toBeNull();
      expect(await store.history.firstMessage(GENERAL, splitId("s1"))).toBeNull();
      expect(await store.history.forSplit(splitId("s1"))).toEqual([]);
      expect(await readOutcome(store, fresh.id)).toMatchObject({ kind: "sent" });
      expect(await store.history.firstMessage(GENERAL, splitId("s2"))).toEqual(REF);
      expect((await store.history.forTicker(ticker("ACME"), [])).map(({ event }) => event.id)).toEqual(["s2.1"]);
    }
  });

  it("keeps waiting deliveries with their events, attempts and pauses", async () => {
    const waiting = await commitOne(use(), announced("s1"));
    const tried = await commitOne(use(), announced("s2"), NEWS);
    const attempt = attemptOf("m1", [tried], { state: "uncertain", sends: 1 });
    await use().outbox.saveAttempt(attempt);
    await use().pauses.pause(ALICE, "gone", T0);
    await use().prune(FAR_FUTURE);

    for await (const store of acrossRestart(use, restart)) {
      expect(await store.outbox.waiting([GENERAL])).toMatchObject([{ delivery: waiting, event: announced("s1") }]);
      expect(await claimAll(store)).toEqual([
        { to: GENERAL, attempt: null, slotAt: null },
        { to: NEWS, attempt, slotAt: null },
      ]);
      expect((await store.outbox.summary()).paused).toHaveLength(1);
    }
  });

  it("keeps an old event while a message about it is kept", async () => {
    await commitSent(use(), announced("s1", { at: T0 }), { at: LATER });
    await use().prune(LATER);

    expect(await (await restart()).history.forSplit(splitId("s1"))).toHaveLength(1);
  });

  it("does not change the snapshot, rules and watchlists", async () => {
    await use().snapshot.commit({ patch: patchOf({ splits: [listedSplit("s1")] }), events: [], deliveries: [] });
    await use().rules.add(aRule());
    await use().watchlists.add(ALICE, [ticker("ACME")]);
    await use().prune(FAR_FUTURE);

    const store = await restart();
    expect((await store.snapshot.read()).splits.size).toBe(1);
    expect(await store.rules.count()).toBe(1);
    expect(await store.watchlists.of(ALICE)).toHaveLength(1);
  });

  it("deletes the names of destinations without rules, watchlists and alerts", async () => {
    await use().rules.add(aRule());
    await use().watchlists.add(ALICE, [ticker("ACME")]);
    for (const to of [GENERAL, NEWS, ALICE, BOB]) await use().names.put({ to, name: to.id, place: null });
    await use().prune(T0);
    const store = await restart();
    expect((await store.names.all()).map(({ name }) => name).toSorted()).toEqual([ALICE.id, GENERAL.id].toSorted());
  });

  it("deletes old postings and never reuses a number", async () => {
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

  it("can run during other writes", async () => {
    const old = await commitSent(use(), announced("s1"), { at: LONG_AGO });
    await Promise.all([
      use().prune(T0),
      commitOne(use(), announced("s2")),
      use().postings.post(aPosting("m1")),
      use().prune(T0),
    ]);

    const store = await restart();
    expect(await readOutcome(store, old.id)).toBeNull();
    expect(await store.outbox.waiting([GENERAL])).toHaveLength(1);
    expect(await store.postings.find("m1")).not.toBeNull();
  });
}
