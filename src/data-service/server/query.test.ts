import { expect, it } from "vitest";
import { growthFactor } from "../../../test/support/timing.ts";
import { type Query, readQuery } from "./query.ts";

it("keeps all values of a parameter, in order", () => {
  expect([...readQuery("http://localhost/v1/splits?a=1&b=x%20y&a=2&a&__proto__=3#a=4")]).toEqual([
    ["a", ["1", "2", ""]],
    ["b", ["x y"]],
    ["__proto__", ["3"]],
  ]);
});

function readRepeated(times: number): Query {
  return readQuery(`/v1/splits?${"a&".repeat(times)}`);
}

it("takes time linear in the repetitions of a parameter", async () => {
  expect(readRepeated(50_000).get("a")).toHaveLength(50_000);
  expect(await growthFactor(readRepeated, 50_000)).toBeLessThan(8);
});
