import { expect, it } from "vitest";
import { nextEventLoopTurn } from "./slices.ts";

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
