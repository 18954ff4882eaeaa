import { expect, it } from "vitest";
import { hasMoreValues } from "./json.ts";

it("doesn't count commas and brackets within strings", () => {
  expect(hasMoreValues(JSON.stringify({ text: ',[{"\\'.repeat(200_000) }), 100_000)).toBe(false);
  const escaped = JSON.stringify("\\");
  expect(hasMoreValues(`[${escaped},${"1,".repeat(100_000)}1]`, 100_000)).toBe(true);
});
