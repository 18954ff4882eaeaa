import { expect, it } from "vitest";
import { createBatcher } from "./batcher.ts";

it("answers requests together that arrive in one turn or during a batch, up to the maximum", async () => {
  const batches: (readonly number[])[] = [];
  const double = createBatcher(3, async (requests: readonly number[]) => {
    batches.push(requests);
    await new Promise((resolve) => setImmediate(resolve));
    return requests.map((request) => 2 * request);
  });
  const first = [1, 2].map(double);
  await Promise.resolve();
  await Promise.resolve();
  const later = [3, 4, 5, 6].map(double);

  expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8, 10, 12]);
  expect(batches).toEqual([[1, 2], [3, 4, 5], [6]]);
});

it("fails the requests of a batch that fails, and no others", async () => {
  const answer = createBatcher(1, async ([request]: readonly string[]) => {
    if (request === "bad") throw new Error("no connection");
    return [request];
  });
  const results = await Promise.allSettled([answer("bad"), answer("good")]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});
