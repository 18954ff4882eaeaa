import { expect, it } from "vitest";
import { DAY_MS } from "../../../src/domain/time/day.ts";
import { PAGE_SIZE } from "../../../src/ports/store.ts";
import { ALICE, GENERAL, ticker } from "../../support/builders.ts";
import type { CurrentStore, Restart } from "../store-builders.ts";
import {
  acrossRestart,
  announced,
  articleSeen,
  attemptOf,
  commitOne,
  commitSent,
  deliveryOf,
  NEWS,
  REF,
  splitId,
  T0,
} from "../store-builders.ts";

export function describeHistory(use: CurrentStore, restart: Restart): void {
  it("returns the first message about a split at a destination", async () => {
    const changed = { ...announced("s1", { at: T0 + 1 }), id: "s1.2" as never };
    await commitSent(use(), announced("s1"), { ref: REF });
    await commitSent(use(), changed, { ref: { id: "second", link: null }, at: T0 + 1 });

    for (const reopen of [use, restart, restart]) {
      const store = await reopen();
      expect(await store.history.firstMessage(GENERAL, splitId("s1"))).toEqual(REF);
      expect(await store.history.firstMessage(NEWS, splitId("s1"))).toBeNull();
      expect(await store.history.firstMessage(GENERAL, splitId("s2"))).toBeNull();
    }
  });

  it("returns the messages that contain a delivery, with the deliveries that joined them", async () => {
    const release = articleSeen("https://wire.example/1", T0 + 1);
    const others = { ...announced("s2", { at: T0 }), id: "s2.1" as never };
    const first = await commitSent(use(), announced("s1"), { ref: REF });
    const other = await commitSent(use(), others, { ref: { id: "other", link: null } });
    const joined = await commitSent(use(), release, { ref: REF, at: T0 + 1 });
    const elsewhere = await commitSent(use(), announced("s1"), { ref: REF, to: NEWS, messageId: "m-news" });
    const waiting = await commitOne(use(), announced("s3"));

    for await (const { history } of acrossRestart(use, restart)) {
      const [message, ...more] = await history.messagesWith(GENERAL, [joined.id, elsewhere.id, waiting.id]);
      expect(more).toEqual([]);
      expect(message).toMatchObject({ ref: REF, at: T0 });
      expect(message?.deliveries).toEqual([
        { delivery: first, event: announced("s1") },
        { delivery: joined, event: release },
      ]);
      const both = await history.messagesWith(GENERAL, [other.id, first.id]);
      expect(both.map(({ ref }) => ref.id)).toEqual([REF.id, "other"]);
      expect(await history.messagesWith(GENERAL, [])).toEqual([]);
      expect(await history.messagesWith(NEWS, [first.id])).toEqual([]);
    }
  });

  it("returns the destinations that received an event", async () => {
    await commitSent(use(), announced("s1"));
    await commitSent(use(), announced("s1"), { to: ALICE, messageId: "m-alice" });
    await commitOne(use(), announced("s1"), NEWS);
    await commitSent(use(), announced("s12"), { to: NEWS });

    const received = async (): Promise<unknown> =>
      (await use().history.recipients(announced("s1").id)).map(({ id }) => id).toSorted();
    expect(await received()).toEqual([ALICE.id, GENERAL.id].toSorted());
    expect(await use().history.recipients("s2.1" as never)).toEqual([]);
  });

  it("returns no first message while it waits or after it failed", async () => {
    const delivery = await commitOne(use(), announced("s1"));
    await use().outbox.saveAttempt(attemptOf("m1", [delivery]));
    expect(await use().history.firstMessage(GENERAL, splitId("s1"))).toBeNull();
    await use().outbox.markFailed("m1", "refused", T0);

    expect(await use().history.firstMessage(GENERAL, splitId("s1"))).toBeNull();
  });

  it("returns all events of a ticker, newest first, with their outcome at the given destinations", async () => {
    const first = announced("s1", { at: T0 });
    const release = articleSeen("https://wire.example/2", T0 + 2);
    const other = announced("x1", { at: T0 + 1, ticker: "OTHER" });
    const sent = await commitSent(use(), first);
    await commitOne(use(), first, NEWS);
    const waiting = await commitOne(use(), release, ALICE);
    await commitOne(use(), other);

    for await (const store of acrossRestart(use, restart))
      expect(await store.history.forTicker(ticker("ACME"), [GENERAL, ALICE])).toEqual([
        {
          event: release,
          deliveries: [{ delivery: waiting, outcome: { kind: "waiting", problem: null, retryAt: null } }],
        },
        {
          event: first,
          deliveries: [{ delivery: sent, outcome: { kind: "sent", at: T0, ref: REF, sends: 1, blindResends: 0 } }],
        },
      ]);
    expect(await use().history.forTicker(ticker("NONE"), [GENERAL])).toEqual([]);
  });

  it("contains the outcomes of deliveries that wait or are settled, and no others", async () => {
    const sent = await commitSent(use(), announced("s1"));
    const failed = await commitOne(use(), announced("s2"));
    await use().outbox.saveAttempt(attemptOf("m-failed", [failed]));
    await use().outbox.markFailed("m-failed", "refused", T0);
    const waiting = await commitOne(use(), announced("s3"));
    const unknown = [deliveryOf(announced("s3"), NEWS), deliveryOf(announced("s4"))] as const;
    const many = Array.from({ length: PAGE_SIZE }, (_, n) => deliveryOf(announced(`unknown-${n}`)));
    const ids = [sent, ...many, ...unknown, failed, waiting].map(({ id }) => id);
    for await (const store of acrossRestart(use, restart)) {
      const existing = await store.outbox.existing(ids);
      const outcomes = await Promise.all([...existing].map((id) => store.outbox.outcome(id)));
      expect(Object.fromEntries([...existing].map((id, index) => [id, outcomes[index]?.kind]))).toEqual({
        [sent.id]: "sent",
        [failed.id]: "failed",
        [waiting.id]: "waiting",
      });
      expect(await store.outbox.outcome(unknown[0].id)).toBeNull();
      expect(await store.outbox.existing([])).toEqual(new Set());
    }
  });

  it("returns the newest events since a time, across a restart", async () => {
    const events = [0, 1, 2 * DAY_MS, 2 * DAY_MS + 1, 9 * DAY_MS].map((ms, index) =>
      announced(`s${index}`, { at: T0 + ms }),
    );
    for (const event of events) await commitOne(use(), event);
    const newestFirst = events.toReversed();
    for await (const { history } of acrossRestart(use, restart)) {
      expect(await history.since(T0, 10)).toEqual(newestFirst);
      expect(await history.since(T0 + 1, 10)).toEqual(newestFirst.slice(0, 4));
      expect(await history.since(T0, 2)).toEqual(newestFirst.slice(0, 2));
      expect(await history.since(T0 + 9 * DAY_MS + 1, 10)).toEqual([]);
    }
  });

  it("includes events without deliveries", async () => {
    await use().snapshot.commit({ patch: null, events: [announced("s1")], deliveries: [] });

    expect(await (await restart()).history.forTicker(ticker("ACME"), [GENERAL])).toEqual([
      { event: announced("s1"), deliveries: [] },
    ]);
  });

  it("returns the events of one split, oldest first", async () => {
    const later = { ...announced("s1", { at: T0 + 1 }), id: "s1.2" as never };
    await use().snapshot.commit({ patch: null, events: [later, announced("s2")], deliveries: [] });
    await use().snapshot.commit({ patch: null, events: [announced("s1")], deliveries: [] });

    for await (const store of acrossRestart(use, restart))
      expect(await store.history.forSplit(splitId("s1"))).toEqual([announced("s1"), later]);
  });
}
