import { describe, expect, it } from "vitest";
import { backoffMs } from "./backoff.ts";

describe("backoffMs", () => {
  it("doubles from the first delay up to the longest one", () => {
    const delays = [0, 1, 2, 3, 4, 5, 1_000].map((failures) => backoffMs(failures, { firstMs: 100, maxMs: 1_000 }));

    expect(delays).toEqual([0, 100, 200, 400, 800, 1_000, 1_000]);
  });

  it("makes the given share of the delay random", () => {
    const options = { firstMs: 100, maxMs: 1_000, jitter: 0.5 };

    expect(backoffMs(2, { ...options, random: () => 0 })).toBe(200);
    expect(backoffMs(2, { ...options, random: () => 1 })).toBe(100);
  });
});
