import { expect, it } from "vitest";
import { growthOf, leastOf, medianOf } from "./growth.ts";

const TOLERANCE = { bytes: 1, rows: 1 };

it.each([leastOf, medianOf])(
  "reports the figures that are larger in the second half by more than their tolerance",
  (summary) => {
    const samples = [1, 2, 3, 4].map((bytes) => ({ bytes, rows: 7 - bytes / 10 }));
    expect(growthOf(samples, TOLERANCE, summary).grown).toEqual(["bytes"]);
    expect(growthOf(samples.toReversed(), TOLERANCE, summary).grown).toEqual([]);
  },
);

it("ignores a single measurement that differs", () => {
  const samples = [5, 5, 5, 5, 9, 5].map((bytes) => ({ bytes }));
  expect(growthOf(samples, { bytes: 1 }, leastOf).grown).toEqual([]);
  expect(growthOf(samples, { bytes: 1 }, medianOf).grown).toEqual([]);
});
