import { describe, expect, it, vi } from "vitest";
import { BoundedMap, memoize } from "./collections.ts";

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

describe("memoize", () => {
  it("computes once per object", () => {
    const compute = vi.fn<(list: readonly number[]) => number[]>((list) => [...list]);
    const copyOf = memoize(compute);
    const [first, second] = [[1], [1]];
    expect(copyOf(first)).toBe(copyOf(first));
    expect(copyOf(second)).not.toBe(copyOf(first));
    expect(compute).toHaveBeenCalledTimes(2);
  });

  it("computes again if a detail differs", () => {
    const join = memoize((list: readonly number[], between: string, end: string) => list.join(between) + end);
    const list = [1, 2];
    expect([join(list, "-", "."), join(list, "+", "."), join(list, "+", "!"), join(list, "-", ".")]).toEqual([
      "1-2.",
      "1+2.",
      "1+2!",
      "1-2.",
    ]);
  });

  it("caches undefined", () => {
    const compute = vi.fn<(object: object) => undefined>(() => undefined);
    const nothing = memoize(compute);
    const object = {};
    nothing(object);
    nothing(object);
    expect(compute).toHaveBeenCalledTimes(1);
  });
});
