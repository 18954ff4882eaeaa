import { beforeEach, describe, expect, it } from "vitest";
import { ALICE, BOB, GENERAL } from "../../test/support/builders.ts";
import { cardText } from "../../test/support/card-text.ts";
import { type CommandBench, IN_GENERAL, openCommandBench } from "../../test/support/command-bench.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import type { Person } from "../domain/alert/destination.ts";
import { HOUR_MS, MINUTE_MS } from "../domain/time/day.ts";
import {
  createUsageLimits,
  MAX_COMPUTING_MS,
  MAX_POSTS_PER_HOUR,
  mainThreadBusyMs,
  type UsageLimits,
} from "./usage-limits.ts";

let clock: ManualClock;
let busyMs: number;
let limits: UsageLimits;

beforeEach(() => {
  clock = new ManualClock();
  busyMs = 0;
  limits = createUsageLimits({ clock, busyMs: () => busyMs });
});

/** Runs work that takes `ms` of computing time. Resolves with 0, or with the time to wait if it was refused. */
function compute(person: Person, ms: number): Promise<number> {
  return limits.run(person, {
    async run() {
      busyMs += ms;
      return 0;
    },
    refused: (waitMs) => waitMs,
  });
}

describe("the computing time of a person", () => {
  it("is limited within a minute, and available again in the next one", async () => {
    expect(await compute(ALICE, MAX_COMPUTING_MS - 1)).toBe(0);
    await clock.advance(20_000);
    expect(await compute(ALICE, 1)).toBe(0);
    expect(await compute(ALICE, 1)).toBe(40_000);
    await clock.advance(39_999);
    expect(await compute(ALICE, 1)).toBe(1);
    await clock.advance(1);
    expect(await compute(ALICE, MAX_COMPUTING_MS)).toBe(0);
    expect(await compute(ALICE, 1)).toBe(MINUTE_MS);
  });

  it("doesn't include that of other people, nor what happens between their commands", async () => {
    await compute(BOB, MAX_COMPUTING_MS);
    busyMs += 10 * MAX_COMPUTING_MS;
    expect(await compute(ALICE, 1)).toBe(0);
    expect(await compute(BOB, 1)).toBe(MINUTE_MS);
  });

  it("is counted while the work is in progress, and divided among all work in progress", async () => {
    const ends: (() => void)[] = [];
    const ended = new Promise<number>((resolve) => {
      ends.push(() => resolve(0));
    });
    const work = { run: () => ended, refused: (waitMs: number) => waitMs };
    const running = [limits.run(ALICE, work), limits.run(BOB, work)];
    busyMs += MAX_COMPUTING_MS;
    expect(await compute(ALICE, MAX_COMPUTING_MS)).toBe(0);
    expect(await compute(ALICE, 1)).toBe(MINUTE_MS);
    for (const end of ends) end();
    await Promise.all(running);
    expect(await compute(BOB, 1)).toBe(0);
  });

  it("doesn't include waits for a platform", async () => {
    await limits.run(ALICE, {
      run: (withoutWaiting) =>
        withoutWaiting(async () => {
          busyMs += MAX_COMPUTING_MS;
        }),
      refused: () => undefined,
    });
    expect(await compute(ALICE, 1)).toBe(0);
  });

  it("is counted if the work fails", async () => {
    const failing = {
      run: async () => {
        busyMs += MAX_COMPUTING_MS;
        throw new Error("broken");
      },
      refused: () => undefined,
    };
    await expect(limits.run(ALICE, failing)).rejects.toThrow("broken");
    expect(await compute(ALICE, 1)).toBe(MINUTE_MS);
  });

  it("is measured on the main thread", async () => {
    const [startedAt, before] = [performance.now(), mainThreadBusyMs()];
    while (mainThreadBusyMs() - before < 100);
    expect(performance.now() - startedAt).toBeGreaterThan(99);
    const idle = mainThreadBusyMs();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(mainThreadBusyMs() - idle).toBeLessThan(150);
  });
});

describe("messages requested at a destination", () => {
  it("are limited within any hour", async () => {
    for (let n = 0; n < MAX_POSTS_PER_HOUR; n += 1) expect(limits.admitPost(GENERAL)).toBe(0);
    await clock.advance(MINUTE_MS);
    expect(limits.admitPost(GENERAL)).toBe(HOUR_MS - MINUTE_MS);
    expect(limits.admitPost(ALICE)).toBe(0);
  });
});

describe("commands of a person whose computing time is used up", () => {
  let bench: CommandBench;

  beforeEach(async () => {
    bench = await openCommandBench({ limits });
    await compute(ALICE, MAX_COMPUTING_MS);
    await clock.advance(15_500);
    return () => bench.close();
  });

  it.each(["list", "watch ACME", "import ACME", "xyzzy", `watch ${"A ".repeat(9_000)}`])(
    "aren't run, and the answer says when they work again: %.20s",
    async (line) => {
      const before = await bench.state();
      const answer = await bench.run(line);
      expect(answer.cards.map(cardText)).toEqual([
        "Your commands need too much computing time. Nothing was changed.\nThe commands of one person can use 5 seconds of computing time within a minute. Yours work again in 45 seconds.",
      ]);
      expect([answer.shareable, answer.isOverLimit]).toEqual([false, true]);
      expect([await bench.state(), bench.ran]).toEqual([before, ["unknown usage"]]);
      expect((await bench.run(line, { ...IN_GENERAL, person: BOB })).isOverLimit).toBeUndefined();
    },
  );

  it("aren't shared, checked in a form or completed", async () => {
    expect((await bench.commands.runPublicly("list", IN_GENERAL)).isOverLimit).toBe(true);
    expect(await bench.screens.problems({ name: "watch", values: { tickers: "ACME" } }, ALICE)).toEqual([
      { option: null, text: expect.stringMatching(/computing time within a minute\. Yours work again in 45 seconds/) },
    ]);
    expect(await bench.commands.complete("li", IN_GENERAL)).toEqual([]);
    expect(await bench.commands.completeValue({ command: "help", option: "command", text: "li" }, IN_GENERAL)).toEqual(
      [],
    );
    await clock.advance(MINUTE_MS);
    expect((await bench.commands.runPublicly("list", IN_GENERAL)).shareable).toBe(true);
    expect(await bench.commands.complete("li", IN_GENERAL)).not.toEqual([]);
    expect(
      await bench.commands.completeValue({ command: "help", option: "command", text: "li" }, IN_GENERAL),
    ).not.toEqual([]);
  });
});
