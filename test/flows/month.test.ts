import { describe, expect, it } from "vitest";
import { createMonth } from "../support/month/month.ts";
import { MonthReplay } from "../support/month/replay.ts";
import type { Month, TrueSplit } from "../support/month/story.ts";
import { createRandom } from "../support/random.ts";
import { repetitions, SEED } from "../support/soak.ts";

/** Rows of the catalog after the month was replayed in an order that the seed determines. */
async function replay(month: Month, seed: number): Promise<readonly TrueSplit[]> {
  const replayed = await MonthReplay.open(month);
  try {
    await replayed.readAtRandom(createRandom(seed));
    await replayed.readAll();
    expect(replayed.log.lines.filter(({ level }) => level === "error")).toEqual([]);
    return replayed.rows();
  } finally {
    await replayed.close();
  }
}

const byTicker = (a: TrueSplit, b: TrueSplit): number => a.ticker.localeCompare(b.ticker);

describe("a month of all sources, read in random order with faults and restarts", () => {
  const months = Array.from({ length: repetitions({ short: 1, full: 60 }) }, (_, n) => SEED + n);

  it.each(months)("gives exactly the splits of the month in any order (seed %i)", async (seed) => {
    const month = createMonth(createRandom(seed));
    for (const order of [1, 2]) {
      const rows = await replay(month, seed + order * 1_000_003);
      expect(rows.toSorted(byTicker)).toEqual(month.truth.toSorted(byTicker));
    }
  });
});
