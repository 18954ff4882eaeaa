import { expect, it } from "vitest";
import { destinationKey } from "../../../src/domain/alert/destination.ts";
import type { EventId, TestEvent } from "../../../src/domain/alert/event.ts";
import type { Store } from "../../../src/ports/store.ts";
import { ALICE, aRule, BOB, GENERAL, ticker } from "../../support/builders.ts";
import { readOutcome } from "../../support/deliveries.ts";
import { membersOf } from "../../support/pages.ts";
import type { CurrentStore, Restart } from "../store-builders.ts";
import {
  acrossRestart,
  aLastImport,
  announced,
  aPosting,
  attemptOf,
  claimAll,
  commitOne,
  commitSent,
  deliveryOf,
  REF,
  splitId,
  T0,
} from "../store-builders.ts";

/** Stores everything that can be stored about Alice. */
export async function fillForAlice(store: Store): Promise<void> {
  await store.watchlists.add(ALICE, [ticker("ACME")]);
  await store.rules.add(aRule({ destination: ALICE }));
  await store.rules.add(aRule({ mention: "<@alice>" }));
  await store.directChannels.put({ person: ALICE, channelId: "dm-1" });
  await store.names.put({ to: ALICE, name: "alice", place: null });
  await store.destinationSettings.change(ALICE, { digest: true });
  await store.lastImports.put(aLastImport());
  await store.postings.post(aPosting("to-alice", { to: ALICE }));
  await store.postings.post({ ...aPosting("shared"), sharedBy: ALICE });
  await commitSent(store, announced("s1"), { to: ALICE, at: T0 });
  await commitOne(store, announced("s2"), ALICE);
  const calling = { ...deliveryOf(announced("s3")), mentions: ["<@alice>"] };
  await store.snapshot.commit({ patch: null, events: [announced("s3")], deliveries: [calling] });
}

export function describePurge(use: CurrentStore, restart: Restart): void {
  it("deletes everything that belongs to the person only", async () => {
    await fillForAlice(use());
    const token = await use().calendars.tokenOf(ALICE);
    await use().purgePerson(ALICE);

    for await (const store of acrossRestart(use, restart)) {
      expect(await store.watchlists.of(ALICE)).toEqual([]);
      expect(await membersOf(store.watchlists.watchersOf([ticker("ACME")]))).toEqual([]);
      expect(await store.rules.at(ALICE)).toEqual([]);
      expect(await store.directChannels.find(destinationKey(ALICE))).toBeNull();
      expect(await store.names.find(destinationKey(ALICE))).toBeNull();
      expect(await membersOf(store.destinationSettings.all())).toEqual([]);
      expect(await store.calendars.personOf(token)).toBeNull();
      expect(await store.lastImports.find(destinationKey(ALICE))).toBeNull();
      expect(await store.postings.list({ to: [ALICE], after: 0, limit: 10 })).toEqual([]);
      expect(await store.postings.find("to-alice")).toBeNull();
      expect(await store.history.firstMessage(ALICE, splitId("s1"))).toBeNull();
      expect((await store.history.forTicker(ticker("ACME"), [ALICE])).flatMap(({ deliveries }) => deliveries)).toEqual(
        [],
      );
    }
  });

  it("deletes waiting deliveries and attempts for the person", async () => {
    const delivery = await commitOne(use(), announced("s1"), ALICE);
    await commitOne(use(), announced("s2"), ALICE);
    await use().outbox.saveAttempt(attemptOf("m1", [delivery], { state: "uncertain", sends: 1 }));
    await use().purgePerson(ALICE);

    for await (const store of acrossRestart(use, restart)) {
      expect(await store.outbox.waitingCount()).toBe(0);
      expect(await readOutcome(store, delivery.id)).toBeNull();
      expect(await claimAll(store)).toEqual([]);
    }
  });

  it("does not end a claim of the person, for whose release the next alert waits", async () => {
    await commitOne(use(), announced("s1"), ALICE);
    expect(await claimAll(use())).toHaveLength(1);
    await use().purgePerson(ALICE);
    await use().watchlists.add(ALICE, [ticker("ACME")]);
    await commitOne(use(), announced("s2"), ALICE);
    expect(await claimAll(use())).toEqual([]);
    await use().claims.release(ALICE);
    expect(await claimAll(use())).toEqual([{ to: ALICE, attempt: null, slotAt: null }]);
  });

  it("keeps shared data: events, channel messages, and channel rules without the person's name", async () => {
    await fillForAlice(use());
    await use().purgePerson(ALICE);

    for await (const store of acrossRestart(use, restart)) {
      expect(await store.history.forSplit(splitId("s1"))).toHaveLength(1);
      const rules = await store.rules.at(GENERAL);
      expect(rules).toMatchObject([{ number: 1, mention: null }]);
      expect(rules[0]?.createdBy.id).not.toBe("alice");
      expect(await store.postings.find("shared")).toMatchObject({ messageId: "shared" });
      expect(await store.postings.find("shared")).not.toHaveProperty("sharedBy");
      expect(await store.outbox.waiting([GENERAL])).toMatchObject([{ delivery: { mentions: [] } }]);
    }
  });

  it("removes the name from tests that the person requested", async () => {
    const test: TestEvent = {
      kind: "test",
      id: "test.web:channel:general.1" as EventId,
      at: T0,
      sample: false,
      askedBy: "alice",
    };
    await use().snapshot.commit({ patch: null, events: [test], deliveries: [deliveryOf(test)] });
    const attempt = attemptOf("m1", [deliveryOf(test)], {
      body: { text: "Requested by alice", by: "alice", for: "malice" },
    });
    await use().outbox.saveAttempt(attempt);
    await use().purgePerson(ALICE);

    const store = await restart();
    expect(await store.outbox.waitingCount()).toBe(1);
    const [claim] = await claimAll(store);
    expect(claim?.attempt?.body).toEqual({
      text: "Requested by (deleted person)",
      by: "(deleted person)",
      for: "malice",
    });
    expect(await store.outbox.markSent("m1", REF, T0)).toMatchObject([{ kind: "test", askedBy: "(deleted person)" }]);
  });

  it("does not affect other people, even if their name starts with the same letters", async () => {
    const alicia = { ...ALICE, id: "alice2" };
    await use().watchlists.add(alicia, [ticker("ACME")]);
    await use().directChannels.put({ person: alicia, channelId: "dm-2" });
    const other = await commitOne(use(), announced("s1"), alicia);
    await use().purgePerson(ALICE);

    const store = await restart();
    expect(await store.watchlists.of(alicia)).toEqual(["ACME"]);
    expect(await store.directChannels.find(destinationKey(alicia))).toMatchObject({ channelId: "dm-2" });
    expect(await readOutcome(store, other.id)).toMatchObject({ kind: "waiting" });
  });

  it("is not undone by a commit that was prepared before it", async () => {
    await use().watchlists.add(ALICE, [ticker("ACME")]);
    await use().purgePerson(ALICE);
    await commitOne(use(), announced("s1"), ALICE);
    expect(await use().outbox.waitingCount()).toBe(0);

    await use().watchlists.add(ALICE, [ticker("ACME")]);
    await commitOne(use(), announced("s2"), ALICE);
    expect(await use().outbox.waitingCount()).toBe(1);
  });

  it("can be requested repeatedly, simultaneously and for an unknown person", async () => {
    await fillForAlice(use());
    await Promise.all([
      use().purgePerson(ALICE),
      use().purgePerson(ALICE),
      use().purgePerson({ ...BOB, id: "stranger" }),
    ]);
    await use().purgePerson(ALICE);
    expect(await (await restart()).watchlists.of(ALICE)).toEqual([]);
  });

  it("stores new data of a person who returns", async () => {
    await fillForAlice(use());
    await use().purgePerson(ALICE);
    await use().watchlists.add(ALICE, [ticker("BETA")]);
    await commitOne(use(), announced("s9"), ALICE);

    const store = await restart();
    expect(await store.watchlists.of(ALICE)).toEqual(["BETA"]);
    expect(await store.outbox.waitingCount()).toBe(2);
  });
}
