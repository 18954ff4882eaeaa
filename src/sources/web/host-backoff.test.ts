import { expect, it } from "vitest";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { FetchError } from "./fetch-error.ts";
import { createHostBackoff } from "./host-backoff.ts";

const SLOW = new URL("https://wire.example/slow.xml");
const OTHER = new URL("https://wire.example/other.xml");
const TIMEOUT = new FetchError("timeout", "no complete answer within 30000 ms");

it("a feed that is too slow doesn't block the other feeds and pages of its host", async () => {
  const clock = new ManualClock();
  const backoff = createHostBackoff(clock);
  for (let failures = 0; failures < 5; failures += 1) backoff.record(SLOW, "feed", TIMEOUT);
  expect(() => backoff.check(SLOW, "feed")).toThrow("no complete answer");
  for (const kind of ["feed", "page"] as const) expect(() => backoff.check(OTHER, kind)).not.toThrow();

  // A success of another feed doesn't end the backoff of the slow one.
  backoff.record(OTHER, "feed", null);
  expect(() => backoff.check(SLOW, "feed")).toThrow("no complete answer");
  backoff.record(SLOW, "feed", null);
  expect(() => backoff.check(SLOW, "feed")).not.toThrow();
});

it.each(["unreachable", "server-error", "rate-limited"] as const)("%s blocks the whole host", (failure) => {
  const backoff = createHostBackoff(new ManualClock());
  backoff.record(SLOW, "feed", new FetchError(failure, "down"));
  for (const kind of ["feed", "page"] as const) expect(() => backoff.check(OTHER, kind)).toThrow("down");
});
