import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ALICE, aKnownArticle, anAttempt, aSplit, GENERAL } from "../../test/support/builders.ts";
import {
  announcedEvent,
  type CommandBench,
  IN_DIRECT_MESSAGE,
  openCommandBench,
} from "../../test/support/command-bench.ts";
import { type Attempt, type Delivery, deliveryId, type MessageRef } from "../domain/alert/delivery.ts";
import { type Destination, destinationKey } from "../domain/alert/destination.ts";
import type { Event, EventId } from "../domain/alert/event.ts";

let bench: CommandBench;
beforeEach(async () => {
  bench = await openCommandBench();
});
afterEach(() => bench.close());

const SPLIT = aSplit();
const ANNOUNCED = announcedEvent(SPLIT);
const REF: MessageRef = { id: "posted-1", link: "https://chat.example/1" };

function deliveryOf(event: Event, destination: Destination, because: string): Delivery {
  return {
    id: deliveryId(event.id, destinationKey(destination)),
    eventId: event.id,
    to: destination,
    reasons: [because],
    mentions: [],
  };
}

async function underWay(delivery: Delivery, parts: Partial<Attempt> = {}): Promise<void> {
  const deliveries = [delivery.id];
  const createdAt = bench.clock.now();
  await bench.store.outbox.saveAttempt(
    anAttempt({ messageId: "message-1", to: delivery.to, body: {}, deliveries, createdAt, ...parts }),
  );
}

describe("why", () => {
  it("shows each alert with its time, reason and state", async () => {
    const delivery = deliveryOf(ANNOUNCED, GENERAL, "rule 1");
    await bench.seed({ splits: [SPLIT] });
    await bench.commit([ANNOUNCED], [delivery]);
    await underWay(delivery);
    await bench.store.outbox.markSent("message-1", REF, ANNOUNCED.at + 60_000);
    expect(await bench.runAsText("why acme")).toBe(
      [
        "1 event about ACME in the last 90 days",
        "Now: 1-for-20 on Nasdaq, ex date Tue 10 Mar 2026 (in 6 trading days)",
        "On your watchlist: no",
        "(Details: show ACME)",
        "",
        "Announced: ACME 1-for-20 reverse split, ex date Tue 10 Mar 2026",
        "Seen: Mon 2 Mar 2026, 09:00 EST",
        "In this channel: Sent Mon 2 Mar 2026, 09:01 EST (matched: rule 1) <https://chat.example/1>",
        "For you: Not sent: ACME isn't on your watchlist",
      ].join("\n"),
    );
  });

  it("notes a blind resend", async () => {
    const delivery = deliveryOf(ANNOUNCED, GENERAL, "rule 1");
    await bench.commit([ANNOUNCED], [delivery]);
    await underWay(delivery, { blindResends: 2 });
    await bench.store.outbox.markSent("message-1", REF, ANNOUNCED.at);
    expect(await bench.runAsText("why ACME")).toContain("resent 2 times although it may have been posted before");
  });

  it("shows waiting deliveries with the reason", async () => {
    const delivery = deliveryOf(ANNOUNCED, GENERAL, "rule 1");
    await bench.commit([ANNOUNCED], [delivery]);
    expect(await bench.runAsText("why ACME")).toContain("In this channel: Waiting to be sent (matched: rule 1)");
    await underWay(delivery, { problem: "the platform is busy" });
    expect(await bench.runAsText("why ACME")).toContain("Waiting to be sent: the platform is busy");
    await bench.store.pauses.pause(GENERAL, "the channel was archived", bench.clock.now());
    expect(await bench.runAsText("why ACME")).toContain("Waiting: delivery is paused, the channel was archived");
  });

  it("shows failed deliveries with the reason", async () => {
    const delivery = deliveryOf(ANNOUNCED, GENERAL, "rule 1");
    await bench.commit([ANNOUNCED], [delivery]);
    await underWay(delivery);
    await bench.store.outbox.markFailed("message-1", "the channel is gone", bench.clock.now());
    expect(await bench.runAsText("why ACME")).toContain(
      "Not delivered; splitwatch gave up at Mon 2 Mar 2026, 09:00 EST: the channel is gone",
    );
  });

  it("shows rules that did not match with the reason", async () => {
    await bench.run("subscribe exchange:NYSE");
    await bench.run("subscribe events:article");
    await bench.commit([ANNOUNCED]);
    expect(await bench.runAsText("why ACME")).toContain(
      "In this channel: Not sent: rule 1: the exchange is NASDAQ, but the rule selects NYSE; rule 2: announced events aren't selected",
    );
  });

  it("reports that there are no rules", async () => {
    await bench.commit([ANNOUNCED]);
    expect(await bench.runAsText("why ACME")).toContain("In this channel: Not sent: there are no rules here");
  });

  it("notes that rules or watchlists matching it were added later", async () => {
    await bench.commit([ANNOUNCED]);
    await bench.run("subscribe");
    await bench.run("watch ACME");
    const text = await bench.runAsText("why ACME");
    expect(text).toContain("nothing matched when it was detected, but rule 1 would match now");
    expect(text).toContain("but your watchlist would match now");
    expect(text).toContain("On your watchlist: yes");
  });

  it("covers only the caller in a direct message", async () => {
    await bench.commit([ANNOUNCED], [deliveryOf(ANNOUNCED, ALICE, "watchlist")]);
    const text = await bench.runAsText("why ACME", IN_DIRECT_MESSAGE);
    expect(text).toContain("For you: Waiting to be sent (matched: watchlist)");
    expect(text).not.toContain("In this channel");
  });

  it("reports that a release was delivered as the event of its split", async () => {
    const article = aKnownArticle({ kind: "postponed" });
    const { id } = SPLIT;
    const withdrawal: Event = {
      ...ANNOUNCED,
      kind: "postponed",
      id: `${id}.2` as EventId,
      article,
      explainsMissing: false,
    };
    const release: Event = {
      kind: "article",
      id: article.url as EventId,
      at: ANNOUNCED.at,
      sample: false,
      article,
      splits: [],
    };
    await bench.run("watch ACME");
    await bench.commit([withdrawal, release], [deliveryOf(withdrawal, ALICE, "watchlist")]);
    expect(await bench.runAsText("why ACME")).toContain('Not sent: the "postponed" alert covers it');
  });

  it("reports an unknown ticker", async () => {
    const text = await bench.runAsText("why ZZZZ");
    expect(text).toContain("No event about ZZZZ in the last 90 days");
    expect(text).toContain("Now: No split listed");
  });

  it("shows the newest first, five to a page", async () => {
    const events = Array.from({ length: 7 }, (_, index) =>
      announcedEvent(SPLIT, { id: `${SPLIT.id}.${index + 1}` as EventId, at: ANNOUNCED.at + index * 60_000 }),
    );
    await bench.commit(events);
    const { cards } = await bench.run("why ACME");
    expect(cards).toHaveLength(6);
    expect(cards[1]?.facts[0]?.value).toBe("Mon 2 Mar 2026, 09:06 EST");
    expect(cards[0]?.buttons[0]).toMatchObject({ label: "Next", command: "why ticker:ACME page:2" });
    expect((await bench.run("why ticker:ACME page:2")).cards).toHaveLength(3);
  });
});
