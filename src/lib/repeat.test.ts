import { expect, it } from "vitest";
import { deferred } from "../../test/support/deferred.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { recordedLog } from "../../test/support/recorded-log.ts";
import { repeat } from "./repeat.ts";

it("runs the work at its interval until it is ended, also after failures, of which it logs the first in a row", async () => {
  const clock = new ManualClock();
  const log = recordedLog();
  const outcomes = ["done", "failed", "failed", "done", "failed"];
  let runs = 0;
  const work = async (): Promise<void> => {
    if (outcomes[runs++] === "failed") throw new Error(`run ${runs}`);
  };
  const end = repeat(work, { everyMs: 1_000, clock, log, failure: "not read" });
  await clock.advance(5_999);
  expect([runs, log.count("not read")]).toEqual([5, 2]);
  await end();
  await clock.advance(10_000);
  expect([runs, clock.sleepers]).toEqual([5, 0]);
});

it("ends after the run in progress", async () => {
  const clock = new ManualClock();
  const started = deferred();
  const end = repeat(() => started.promise, { everyMs: 1_000, clock, log: recordedLog(), failure: "not read" });
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
