import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ALICE, aSplit, GENERAL } from "../../test/support/builders.ts";
import { type CommandBench, openCommandBench } from "../../test/support/command-bench.ts";
import type { DeliveryProblem } from "../domain/alert/delivery.ts";
import { type Destination, destinationKey } from "../domain/alert/destination.ts";

let bench: CommandBench;
/** Problems by destination; without one, delivery works. */
const problems = new Map<string, DeliveryProblem>();

beforeEach(async () => {
  problems.clear();
  bench = await openCommandBench({
    deliveries: { problemAt: async (destination) => problems.get(destinationKey(destination)) ?? null },
  });
  await bench.seed({ splits: [aSplit()] });
});
afterEach(() => bench.close());

function refuse(destination: Destination, retry: DeliveryProblem["retry"]): void {
  problems.set(destinationKey(destination), { reason: "messages are closed", since: bench.clock.now(), retry });
}

describe("the answer of a command that promises alerts", () => {
  it.each([
    ["watch ACME", ALICE],
    ["watchlist", ALICE],
    ["subscribe", GENERAL],
    ["subscribe rule:1 exchange:NASDAQ", GENERAL],
    ["subscriptions", GENERAL],
    ["unmute scope:channel", GENERAL],
  ] as const)("states whether they arrive: %s", async (line, destination) => {
    await bench.run("watch ACME");
    await bench.run("subscribe");
    const [works] = (await bench.run(line)).cards;
    expect(JSON.stringify(works)).not.toContain("Reason");

    refuse(destination, bench.clock.now() + 5 * 60_000);
    const [fails] = (await bench.run(line)).cards;
    expect(fails?.tone).toBe("warning");
    const subject = destination === ALICE ? "Direct messages to you" : "Alerts here";
    expect(fails?.lines.at(-1)).toBe(
      `${subject} fail at the moment, and are kept until they can be delivered. Reason: messages are closed. ` +
        "The next try is at Mon 2 Mar 2026, 09:05 EST, or with your next command.",
    );
  });

  it("says that waiting alerts are being sent again, or that the next alert will be tried", async () => {
    refuse(ALICE, "now");
    expect(await bench.runAsText("watch ACME")).toContain("are being sent again now. Reason: messages are closed.");
    refuse(ALICE, "next alert");
    expect(await bench.runAsText("watch ACME")).toContain(
      "To check now in a direct message to splitwatch: /splits test",
    );
  });
});

it.each(["list", "help", "status", "watch ACME", "mute for:2h", "test"])(
  "%s immediately tries paused deliveries to the caller and to the channel",
  async (line) => {
    const now = bench.clock.now();
    for (const to of [ALICE, GENERAL]) await bench.store.pauses.pause(to, "no permission", now);
    await bench.run(line);
    for (const to of [ALICE, GENERAL]) {
      expect(await bench.store.pauses.of(to)).toMatchObject({ retryAt: now, refusals: 0 });
    }
  },
);
