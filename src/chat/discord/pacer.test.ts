import { expect, it } from "vitest";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { createPacer } from "./pacer.ts";

function turnsAt(): {
  readonly clock: ManualClock;
  readonly at: number[];
  readonly turn: () => void;
  readonly hold: (until: number) => void;
} {
  const clock = new ManualClock("1970-01-01T00:00:00Z");
  const pacer = createPacer(clock, 20, new AbortController().signal);
  const hold = (until: number): void => pacer.holdUntil(until);
  const at: number[] = [];
  return { clock, at, turn: () => void pacer.turn().then(() => at.push(clock.now())), hold };
}

it("lets requests go one after the other, and makes up for a few turns at once", async () => {
  const { clock, at, turn } = turnsAt();
  for (let index = 0; index < 3; index += 1) turn();
  await clock.advance(0);
  await clock.advance(1_000);
  for (let index = 0; index < 6; index += 1) turn();
  await clock.advance(0);
  await clock.advance(1_000);
  expect(at).toEqual([0, 20, 40, 1_000, 1_000, 1_000, 1_000, 1_020, 1_040]);
});

it("lets none go before the platform allows it", async () => {
  const { clock, at, turn, hold } = turnsAt();
  hold(500);
  turn();
  turn();
  await clock.advance(0);
  await clock.advance(1_000);
  expect(at).toEqual([500, 520]);
});
