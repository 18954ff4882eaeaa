import { expect, it } from "vitest";
import { nextEventLoopTurn, runInSlices } from "./slices.ts";

it("lets one of several waiting callers continue per turn of the event loop, in order", async () => {
  let turn = 0;
  const continued: { readonly caller: number; readonly turn: number }[] = [];
  const countTurns = (): void => {
    turn += 1;
    if (continued.length < 3) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  await Promise.all([1, 2, 3].map((caller) => nextEventLoopTurn().then(() => continued.push({ caller, turn }))));
  expect(continued.map(({ caller }) => caller)).toEqual([1, 2, 3]);
  expect(new Set(continued.map((each) => each.turn)).size).toBe(3);
});

it("lets the event loop continue between long steps of a computation", async () => {
  let turns = 0;
  const countTurns = setInterval(() => {
    turns += 1;
  });
  function* compute(): Generator<void, number, void> {
    for (let step = 0; step < 3; step += 1) {
      const startedAt = performance.now();
      while (performance.now() - startedAt < 5);
      yield;
    }
    return turns;
  }
  expect(await runInSlices(compute())).toBeGreaterThanOrEqual(2);
  clearInterval(countTurns);
});
