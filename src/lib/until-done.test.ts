import { describe, expect, it } from "vitest";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { repeatUntilDone } from "./until-done.ts";

describe("repeatUntilDone", () => {
  const TEMPORARY = new Error("temporary");
  const ended = new AbortController();

  /** Starts work that fails as often as given. Returns what it does. */
  function start(failures: number, { error = TEMPORARY, signal = new AbortController().signal } = {}) {
    const clock = new ManualClock();
    let runs = 0;
    const done = repeatUntilDone(
      async () => {
        runs += 1;
        if (runs <= failures) throw error;
        return "done";
      },
      {
        clock,
        signal,
        backoff: { firstMs: 100, maxMs: 150 },
        isTemporary: (problem) => problem === TEMPORARY,
        onFailure: () => undefined,
      },
    );
    return { clock, done, runs: () => runs };
  }

  it("repeats work with backoff until it succeeds", async () => {
    const { clock, done, runs } = start(2);
    await clock.advance(0);
    await clock.advance(99);
    expect(runs()).toBe(1);
    await clock.advance(1);
    expect(runs()).toBe(2);
    await clock.advance(150);
    expect(await done).toBe("done");
  });

  it("rejects with an error that isn't temporary", async () => {
    await expect(start(1, { error: new Error("final") }).done).rejects.toThrow("final");
  });

  it("rejects with the last error if it is ended", async () => {
    ended.abort();
    await expect(start(1, { signal: ended.signal }).done).rejects.toThrow("temporary");
  });
});
