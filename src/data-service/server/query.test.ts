import { expect, it } from "vitest";
import { growthFactor } from "../../../test/support/timing.ts";
import { readQuery } from "./query.ts";

it("keeps all values of a parameter, in order", () => {
  expect([...readQuery("http://localhost/v1/splits?a=1&b=x%20y&a=2&a&__proto__=3#a=4")]).toEqual([
    ["a", ["1", "2", ""]],
    ["b", ["x y"]],
    ["__proto__", ["3"]],
  ]);
});

it("takes time linear in the repetitions of a parameter", async () => {
  const read = (times: number): void => {
    expect(readQuery(`/v1/splits?${"a&".repeat(times)}`).get("a")).toHaveLength(times);
  };
  expect(await growthFactor(read, 50_000)).toBeLessThan(8);
});
