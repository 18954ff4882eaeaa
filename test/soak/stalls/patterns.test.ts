import { expect, it } from "vitest";
import { attacksOn } from "../../support/patterns/attacks.ts";
import { findSlowSearch } from "../../support/patterns/measure.ts";
import { findPatterns } from "../../support/patterns/patterns.ts";
import { recheck } from "../../support/patterns/recheck.ts";

/** Attacks that recheck finds by trying; its estimates of bounded repetitions are too high, so they are measured. */
it("searches in milliseconds for each pattern of the main thread in the texts that recheck considers hostile", async () => {
  const slow: string[] = [];
  for (const { path, pattern } of findPatterns().patterns) {
    const result = await recheck(pattern, { timeout: 20_000 });
    if (result.status !== "vulnerable") continue;
    const { pumps, suffix } = result.attack;
    const attacks = pumps.map(({ prefix, pump }) => ({ start: prefix, pump, end: suffix }));
    const search = findSlowSearch(pattern, [...attacks, ...attacksOn(pattern)]);
    if (search !== null) slow.push(`${path}: ${String(pattern)}: ${JSON.stringify(search)}`);
  }
  expect(slow).toEqual([]);
});
