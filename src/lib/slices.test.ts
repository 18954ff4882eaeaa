import { expect, it } from "vitest";
import { forEachInSlices, nextEventLoopTurn } from "./slices.ts";

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

it("lets the event loop continue between rows that take long", async () => {
  let turns = 0;
  const countTurns = setInterval(() => {
    turns += 1;
  });
  await forEachInSlices(Array.from({ length: 24 }), () => {
    const startedAt = performance.now();
    while (performance.now() - startedAt < 1);
  });
  clearInterval(countTurns);
  expect(turns).toBeGreaterThanOrEqual(2);
});
