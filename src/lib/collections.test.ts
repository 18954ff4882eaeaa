import { expect, it } from "vitest";
import { BoundedMap } from "./collections.ts";

it("removes the entry that was set longest ago when one more than the maximum is set", () => {
  const map = new BoundedMap<string, number>(2).set("a", 1).set("b", 2).set("c", 3);
  expect([...map]).toEqual([
    ["b", 2],
    ["c", 3],
  ]);
});

it("keeps an entry that is set again longer than those set before", () => {
  const map = new BoundedMap<string, number>(2).set("a", 1).set("b", 2).set("a", 3).set("c", 4);
  expect([...map]).toEqual([
    ["a", 3],
    ["c", 4],
  ]);
});

it("does not count reading an entry as setting it", () => {
  const map = new BoundedMap<string, number>(2).set("a", 1).set("b", 2);
  expect(map.get("a")).toBe(1);
  expect([...map.set("c", 3).keys()]).toEqual(["b", "c"]);
});
