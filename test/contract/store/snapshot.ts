import { expect, it } from "vitest";
import { EMPTY_SNAPSHOT } from "../../../src/domain/diff/snapshot.ts";
import { StoreError } from "../../../src/ports/store.ts";
import { aKnownArticle, day, GENERAL, ticker } from "../../support/builders.ts";
import { readOutcome } from "../../support/deliveries.ts";
import type { CurrentStore, Restart } from "../store-builders.ts";
import {
  announced,
  aPastSplit,
  claimAll,
  commitSent,
  deliveryOf,
  listedSplit,
  NEWS,
  patchOf,
  splitId,
  T0,
} from "../store-builders.ts";

export function describeSnapshot(use: CurrentStore, restart: Restart): void {
  it("is empty at first", async () => {
    expect(await use().snapshot.read()).toEqual(EMPTY_SNAPSHOT);
  });

  it("applies a patch and keeps the result over a restart", async () => {
    const article = aKnownArticle();
    const kept = { ...aPastSplit("s1"), name: "acme \0 \ud800" };
    const past = { joining: [kept, aPastSplit("s0", "2023-12-31")], from: day("2024-01-01") };
    await use().snapshot.commit({
      patch: patchOf({ splits: [listedSplit("s1"), listedSplit("s2")], articles: [article], past }),
      events: [],
      deliveries: [],
    });
    await use().snapshot.commit({ patch: patchOf({ removedSplits: [splitId("s1")] }), events: [], deliveries: [] });

    const expected = {
      ...patchOf().header,
      splits: new Map([["s2", listedSplit("s2")]]),
      past: new Map([["s1", kept]]),
      articles: new Map([[article.url, article]]),
    };
    expect(await use().snapshot.read()).toEqual(expected);
    expect(await (await restart()).snapshot.read()).toEqual(expected);
    expect(await (await restart()).snapshot.read()).toEqual(expected);
  });

  it("is replaced entirely by a replacing patch", async () => {
    await use().snapshot.commit({
      patch: patchOf({ splits: [listedSplit("s1")], articles: [aKnownArticle()] }),
      events: [],
      deliveries: [],
    });
    await use().snapshot.commit({
      patch: patchOf({ replaces: true, splits: [listedSplit("t1")] }),
      events: [],
      deliveries: [],
    });

    for (const snapshot of [await use().snapshot.read(), await (await restart()).snapshot.read()]) {
      expect([...snapshot.splits.keys()]).toEqual(["t1"]);
      expect(snapshot.articles.size).toBe(0);
    }
  });

  it("does not modify snapshots that were read before", async () => {
    const before = await use().snapshot.read();
    await use().snapshot.commit({ patch: patchOf({ splits: [listedSplit("s1")] }), events: [], deliveries: [] });

    expect(before.splits.size).toBe(0);
  });

  it("commits events and deliveries with the patch", async () => {
    const event = announced("s1");
    const delivery = deliveryOf(event);
    await use().snapshot.commit({
      patch: patchOf({ splits: [listedSplit("s1")] }),
      events: [event],
      deliveries: [delivery],
    });

    const reopened = await restart();
    expect((await reopened.snapshot.read()).splits.size).toBe(1);
    expect(await reopened.outbox.waiting([GENERAL])).toMatchObject([{ delivery, event }]);
    expect(await reopened.history.forSplit(splitId("s1"))).toEqual([event]);
  });

  it("does not change known events and deliveries when a commit is repeated", async () => {
    const event = announced("s1");
    const delivery = await commitSent(use(), event, { messageId: "m1" });
    const other = deliveryOf(event, NEWS);

    await use().snapshot.commit({
      patch: null,
      events: [{ ...event, at: T0 + 5 }],
      deliveries: [{ ...delivery, reasons: ["again"] }, other],
    });
    const reopened = await restart();
    await reopened.snapshot.commit({ patch: null, events: [event], deliveries: [delivery, other] });

    expect(await readOutcome(reopened, delivery.id)).toMatchObject({ kind: "sent" });
    expect(await reopened.outbox.waiting([GENERAL])).toEqual([]);
    expect(await reopened.outbox.waiting([NEWS])).toMatchObject([{ delivery: other, event }]);
    const [trail, ...more] = await reopened.history.forTicker(ticker("ACME"), [GENERAL]);
    expect(more).toEqual([]);
    expect(trail).toMatchObject({ event, deliveries: [{ delivery }] });
  });

  it("creates one delivery when the same commit is made twice simultaneously", async () => {
    const event = announced("s1");
    const change = { patch: null, events: [event], deliveries: [deliveryOf(event)] };
    await Promise.all([use().snapshot.commit(change), use().snapshot.commit(change)]);

    expect(await use().outbox.waiting([GENERAL])).toHaveLength(1);
    expect(await (await restart()).outbox.waiting([GENERAL])).toHaveLength(1);
  });

  it("rejects a commit with a delivery of an unknown event", async () => {
    const commit = use().snapshot.commit({
      patch: patchOf({ splits: [listedSplit("s1")] }),
      events: [],
      deliveries: [deliveryOf(announced("s1"))],
    });

    await expect(commit).rejects.toThrow(StoreError);
    expect((await use().snapshot.read()).splits.size).toBe(0);
    expect(await claimAll(use())).toEqual([]);
  });
}
