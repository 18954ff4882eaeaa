import { expect, it } from "vitest";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { LowdbSeenRequests } from "./collections/seen-requests.ts";

const MINUTE_MS = 60_000;

it("drops the oldest ids when there are too many", async () => {
  const seen = new LowdbSeenRequests(new ManualClock());
  await seen.add(["first"], MINUTE_MS);
  for (let index = 0; index < 25_000; index++) await seen.add([`id-${index}`], MINUTE_MS);
  expect(await seen.add(["id-24999"], MINUTE_MS)).toBe(false);
  expect(await seen.add(["first"], MINUTE_MS)).toBe(true);
});

it("keeps ids for their time whatever the system clock says", async () => {
  const clock = new ManualClock();
  const seen = new LowdbSeenRequests(clock);
  await seen.add(["one"], 15 * MINUTE_MS);
  clock.jump(60 * MINUTE_MS);
  expect(await seen.add(["one"], 15 * MINUTE_MS)).toBe(false);
  clock.jump(-120 * MINUTE_MS);
  clock.skip(15 * MINUTE_MS);
  expect(await seen.add(["one"], 15 * MINUTE_MS)).toBe(true);
});
