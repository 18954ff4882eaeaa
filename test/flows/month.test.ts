import { afterEach, describe, expect, it } from "vitest";
import { createMonth } from "../support/month/month.ts";
import { type Announcement, MonthReplay } from "../support/month/replay.ts";
import type { Month, TrueSplit } from "../support/month/story.ts";
import { createRandom } from "../support/random.ts";
import { IS_SOAK, repetitions, SEED } from "../support/soak.ts";
import { StoreFolders } from "../support/store-folder.ts";

const folders = new StoreFolders();

afterEach(() => folders.removeAll());

/** Replays the month in an order that the seed determines, until everything was readable. */
async function replay(month: Month, seed: number): Promise<Pick<MonthReplay, "announcements"> & Outcome> {
  const replayed = await MonthReplay.open(month, await folders.make());
  try {
    await replayed.readAtRandom(createRandom(seed));
    await replayed.readAll();
    expect(replayed.log.lines.filter(({ level }) => level === "error")).toEqual([]);
    const { announcements } = replayed;
    return { announcements, rows: replayed.rows().toSorted(byTicker), confirmed: replayed.confirmed() };
  } finally {
    await replayed.close();
  }
}

interface Outcome {
  readonly rows: readonly TrueSplit[];
  readonly confirmed: readonly string[];
}

const byTicker = (a: TrueSplit, b: TrueSplit): number => a.ticker.localeCompare(b.ticker);

/**
 * Announcements of a symbol whose announced split was still listed and ahead. One that moves after its date has passed, or
 * returns after a withdrawal, is announced again.
 */
function repetitionsAmong(announcements: readonly Announcement[]): readonly Announcement[] {
  return announcements.filter(({ ticker, on, isReturn }, index) => {
    const earlier = announcements.slice(0, index).findLast((other) => other.ticker === ticker);
    return earlier !== undefined && earlier.exDate >= on && !isReturn;
  });
}

/** Fixed in `npm test`, so that it always runs the same orders. */
const FIRST_SEED = IS_SOAK ? SEED : 20_260_301;

describe("a month of all sources, read in random order with faults and restarts", () => {
  const months = Array.from({ length: repetitions({ short: 1, full: 30 }) }, (_, n) => FIRST_SEED + n);

  it.each(months)(
    "gives exactly the splits of the month and announces each once, in any order (seed %i)",
    async (seed) => {
      const month = createMonth(createRandom(seed));
      const tickers = month.truth.map(({ ticker }) => ticker);
      for (const order of [1, 2]) {
        const { rows, confirmed, announcements } = await replay(month, seed + order * 1_000_003);
        expect(rows).toEqual(month.truth.toSorted(byTicker));
        expect(confirmed).toEqual(month.halted.map(({ ticker, exDate }) => `${ticker} ${exDate}`).toSorted());
        expect(repetitionsAmong(announcements)).toEqual([]);
        const announced = new Set(announcements.map(({ ticker }) => ticker));
        expect(tickers.filter((ticker) => !announced.has(ticker))).toEqual([]);
        expect([...month.others].filter((ticker) => announced.has(ticker))).toEqual([]);
      }
    },
  );
});
