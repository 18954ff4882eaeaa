import { afterEach, beforeEach, expect, it } from "vitest";
import { day, GENERAL } from "../../test/support/builders.ts";
import {
  type CommandBench,
  IN_DIRECT_MESSAGE,
  IN_GENERAL,
  openCommandBench,
} from "../../test/support/command-bench.ts";
import type { DeliveryOutcome } from "../domain/alert/delivery.ts";
import { EVENT_KINDS } from "../domain/alert/event.ts";
import { HOUR_MS } from "../domain/time/day.ts";
import { eventCard } from "../messages/alerts/event-card.ts";
import { MAX_POSTS_PER_HOUR } from "./usage-limits.ts";

let bench: CommandBench;
beforeEach(async () => {
  bench = await openCommandBench();
});
afterEach(() => bench.close());

async function refuse(): Promise<string> {
  return "Not today.";
}

async function waitingHere(): Promise<readonly string[]> {
  const claims = await bench.store.claims.claimDue({ limit: 10, platforms: ["web"] });
  const waiting = await Promise.all(claims.map(({ to }) => bench.store.outbox.waiting([to])));
  return waiting.flat().map(({ event }) => event.kind);
}

it("sends a test card to the caller's destination like every alert", async () => {
  await bench.run("test");
  expect(await waitingHere()).toEqual(["test"]);
});

it("tries paused deliveries", async () => {
  await bench.store.pauses.pause(GENERAL, "it was archived", bench.clock.now());
  await bench.run("test");
  expect(await waitingHere()).toEqual(["test"]);
});

it("sends another card each time, also in the same millisecond", async () => {
  await bench.run("test");
  await bench.run("test");
  expect(await waitingHere()).toEqual(["test", "test"]);
});

it.each(EVENT_KINDS)("sends the card of the event %s, marked as a test", async (kind) => {
  await bench.run(`test kind:${kind}`);
  const [claim] = await bench.store.claims.claimDue({ limit: 1, platforms: ["web"] });
  const [waiting] = await bench.store.outbox.waiting([claim?.to ?? GENERAL]);
  expect(waiting?.event).toMatchObject({ kind: "test", shows: kind });
  const context = { now: bench.clock.now(), today: day("2026-03-02"), timezone: "UTC", expireAfterMs: 1 };
  const card = waiting && eventCard(waiting.event, context);
  expect(card?.badges[0]).toBe("TEST");
  expect(card?.lines[0]).toBe("This is a test. The company and the split are invented.");
  expect(card?.title).toMatch(kind === "stale" ? /^The data is outdated/ : /ZRVNK/);
});

it("repeats the same test with the button", async () => {
  bench.outcome = { kind: "failed", at: 0, reason: "no permission" };
  expect(await bench.runAsText("test cancelled")).toContain("(Test again: test kind:cancelled)");
});

it("needs the right to change the channel's rules; in a direct message it needs none", async () => {
  const answer = await bench.runAsText("test kind:changed", { ...IN_GENERAL, mayManage: refuse });
  expect(answer).toMatch(/You can't use "test" for this channel[\s\S]*Not today\./);
  expect(await waitingHere()).toEqual([]);
  await bench.run("test", { ...IN_DIRECT_MESSAGE, mayManage: refuse });
  expect(await waitingHere()).toEqual(["test"]);
});

it("is refused after too many at one destination within an hour, and works again later", async () => {
  for (let n = 0; n < MAX_POSTS_PER_HOUR; n += 1) await bench.run("test");
  expect(await bench.runAsText("test")).toContain(
    "20 test cards and shared answers were requested here within an hour, which is the maximum.",
  );
  expect((await bench.store.outbox.waiting([GENERAL])).length).toBe(MAX_POSTS_PER_HOUR);
  await bench.clock.advance(HOUR_MS);
  await bench.run("test");
  expect((await bench.store.outbox.waiting([GENERAL])).length).toBe(MAX_POSTS_PER_HOUR + 1);
});

it("is refused if the platform has no room for another message, with its reason", async () => {
  expect(await bench.runAsText("test", { ...IN_GENERAL, reservePost: refuse })).toContain("Not today.");
  expect(await waitingHere()).toEqual([]);
});

it("rejects an unknown kind, naming the events", async () => {
  expect(await bench.runAsText("test kind:birthday")).toContain("expected one of announced, changed, postponed");
});

it("has no story to replay without sample data", async () => {
  expect(await bench.runAsText("test story")).toContain("There is no sample story to replay");
});

const outcomes: readonly (readonly [DeliveryOutcome, string])[] = [
  [
    {
      kind: "sent",
      at: Date.parse("2026-03-02T14:00:01Z"),
      ref: { id: "1", link: "https://chat.example/1" },
      blindResends: 0,
    },
    "The test card was delivered <https://chat.example/1>",
  ],
  [
    { kind: "sent", at: 0, ref: { id: "1", link: null }, blindResends: 1 },
    "resent although it may have been posted before",
  ],
  [{ kind: "waiting", problem: null, retryAt: null }, "The test card is on its way"],
  [{ kind: "waiting", problem: "the platform is busy", retryAt: null }, "Reason: the platform is busy"],
  [
    { kind: "failed", at: 0, reason: "the bot lacks the permission Send Messages" },
    "Reason: the bot lacks the permission Send Messages",
  ],
];

it.each(outcomes)("reports the outcome: %o", async (outcome, words) => {
  bench.outcome = outcome;
  expect(await bench.runAsText("test")).toContain(words);
});
