import { afterEach, beforeEach, expect, it } from "vitest";
import { GENERAL } from "../../test/support/builders.ts";
import { type CommandBench, openCommandBench } from "../../test/support/command-bench.ts";
import type { DeliveryOutcome } from "../domain/alert/delivery.ts";

let bench: CommandBench;
beforeEach(async () => {
  bench = await openCommandBench();
});
afterEach(() => bench.close());

async function waitingHere(): Promise<readonly string[]> {
  const claims = await bench.store.outbox.claim({ limit: 10, platforms: ["web"] });
  const waiting = await Promise.all(claims.map(({ to }) => bench.store.outbox.waitingAt(to)));
  return waiting.flat().map(({ event }) => event.kind);
}

it("sends a test card to the caller's destination like every alert", async () => {
  await bench.run("test");
  expect(await waitingHere()).toEqual(["test"]);
});

it("tries paused deliveries", async () => {
  await bench.store.outbox.pause(GENERAL, "it was archived", bench.clock.now());
  await bench.run("test");
  expect(await waitingHere()).toEqual(["test"]);
});

it("sends another card each time", async () => {
  await bench.run("test");
  await bench.clock.advance(1);
  await bench.run("test");
  expect(await waitingHere()).toEqual(["test", "test"]);
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
  [{ kind: "sent", at: 0, ref: { id: "1", link: null }, blindResends: 1 }, "resent without checking for the first one"],
  [{ kind: "waiting", problem: null }, "The test card is on its way"],
  [{ kind: "waiting", problem: "the platform is busy" }, "Reason: the platform is busy"],
  [
    { kind: "failed", at: 0, reason: "the bot lacks the permission Send Messages" },
    "Reason: the bot lacks the permission Send Messages",
  ],
];

it.each(outcomes)("reports the outcome: %o", async (outcome, words) => {
  bench.outcome = outcome;
  expect(await bench.runAsText("test")).toContain(words);
});
