import { describe, expect, it } from "vitest";
import { LargeMap } from "./large-map.ts";

describe.each([null, ">"])("with the separator %j", (separator) => {
  it("has the entries of a map of any size", () => {
    const expected = new Map<string, number>();
    const map = new LargeMap<string, number>(separator);
    const set = (key: string, value: number): void => {
      expected.set(key, value);
      map.set(key, value);
    };
    for (let n = 0; n < 20_000; n += 1) {
      const key = `s${n % 100}.1>web:channel:c${n}`;
      set(key, n);
      if (n % 3 > 0) continue;
      expected.delete(key);
      map.delete(key);
    }
    set("s1.1>web:channel:c1", -1);

    expect(map.add("s1.1>web:channel:c1", -2)).toBe(false);
    expect(map.add("new", 0)).toBe(true);
    expect(map.delete("new")).toBe(true);
    expect(map.size).toBe(expected.size);
    expect(new Map([...map.keys()].map((key) => [key, map.get(key)]))).toEqual(expected);
    expect(map.has("s2.1>web:channel:c2")).toBe(true);
    expect(map.has("s0.1>web:channel:c0")).toBe(false);
    expect(map.delete("s0.1>web:channel:c0")).toBe(false);
  });
});

it("keeps the order of few entries", () => {
  const map = new LargeMap<string, number>();
  for (const key of ["b", "c", "a"]) map.set(key, 0);
  map.delete("b");
  map.set("b", 0);

  expect([...map.keys()]).toEqual(["c", "a", "b"]);
});
