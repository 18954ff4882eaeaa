import { expect, it } from "vitest";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { repeat } from "./repeat.ts";

it("runs the work at its interval until it is ended, also after failures, of which it reports the first in a row", async () => {
  const clock = new ManualClock();
  const failures: unknown[] = [];
  const outcomes = ["done", "failed", "failed", "done", "failed"];
  let runs = 0;
  const work = async (): Promise<void> => {
    if (outcomes[runs++] === "failed") throw new Error(`run ${runs}`);
  };
  const end = repeat(work, { everyMs: 1_000, clock, onFailure: (error) => failures.push(error) });
  await clock.advance(5_999);
  expect([runs, failures]).toEqual([5, [new Error("run 2"), new Error("run 5")]]);
  await end();
  await clock.advance(10_000);
  expect([runs, clock.sleepers]).toEqual([5, 0]);
});

it("ends after the run in progress", async () => {
  const clock = new ManualClock();
  const started = Promise.withResolvers<void>();
  const end = repeat(() => started.promise, { everyMs: 1_000, clock, onFailure: () => undefined });
  await clock.advance(1_000);
  let hasEnded = false;
  const ended = (async () => {
    await end();
    hasEnded = true;
  })();
  await clock.advance(1_000);
  expect(hasEnded).toBe(false);
  started.resolve();
  await ended;
});
