import { expect, it } from "vitest";
import { nextTurn } from "./slices.ts";

it("lets other work run between two callers that wait at the same time", async () => {
  const order: string[] = [];
  const callers = ["first", "second", "third"].map((name) => nextTurn().then(() => order.push(name)));
  const others = nextTurn().then(() => {
    setImmediate(() => order.push("other"));
  });
  await Promise.all([...callers, others, nextTurn().then(() => order.push("fourth"))]);
  expect(order).toEqual(["first", "second", "third", "other", "fourth"]);
});

it("lets only one caller continue per turn", async () => {
  let turn = 0;
  const turns: number[] = [];
  const count = (): void => {
    turn += 1;
    if (turns.length < 3) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all([1, 2, 3].map(() => nextTurn().then(() => turns.push(turn))));
  expect(new Set(turns).size).toBe(3);
});
