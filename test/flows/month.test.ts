import { afterEach, describe, expect, it } from "vitest";
import { run } from "../../src/cli/run.ts";
import { createMonth } from "../support/month/month.ts";
import { type Announcement, MonthReplay } from "../support/month/replay.ts";
import type { Month, TrueSplit } from "../support/month/story.ts";
import { createRandom } from "../support/random.ts";
import { anInvocation } from "../support/recorded-invocation.ts";
import { IS_SOAK, repetitions, SEED } from "../support/soak.ts";
import { StoreFolders } from "../support/store-folder.ts";

const folders = new StoreFolders();

afterEach(() => folders.removeAll());

/** Replays the month in an order that the seed determines, until everything was readable. */
async function replay(
  month: Month,
  seed: number,
): Promise<Pick<MonthReplay, "announcements" | "contradicted"> & Outcome> {
  const dataDir = await folders.make();
  const replayed = await MonthReplay.open(month, dataDir);
  try {
    await replayed.readAtRandom(createRandom(seed));
    await replayed.readAll();
    expect(replayed.log.lines.filter(({ level }) => level === "error")).toEqual([]);
    const { announcements, contradicted } = replayed;
    await checkCoverage(month, dataDir);
    return { announcements, contradicted, rows: replayed.rows().toSorted(byTicker), confirmed: replayed.confirmed() };
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

interface ListReport {
  readonly exchanges: readonly string[];
  readonly splits: number;
  readonly funds: { readonly splits: number } | null;
  readonly halts: { readonly confirmed: number; readonly without_split: readonly { readonly ticker: string }[] } | null;
}

/** Runs `splitwatch coverage` for the month in which most splits take effect, on the folder that the replay still writes. */
async function checkCoverage({ truth, halted, others }: Month, dataDir: string): Promise<void> {
  const json = await coverage(dataDir, "--month", FIRST_MONTH, "--json");
  const { lists, uncompared } = JSON.parse(json[0] ?? "") as { lists: readonly ListReport[]; uncompared: unknown };
  const hasNoList = truth.filter(({ exchange, exDate }) => exchange === "CBOE" && exDate.startsWith(FIRST_MONTH));
  expect(uncompared).toEqual({ CBOE: hasNoList.length });
  for (const { exchanges, splits, funds, halts, ...list } of lists) {
    const isOfList = ({ exchange, exDate }: TrueSplit): boolean =>
      exchanges.includes(exchange) && exDate.startsWith(FIRST_MONTH);
    const [inFunds, inShares] = [truth.filter(isOfList).filter(isFund), truth.filter(isOfList).filter(isShare)];
    expect({ exchanges, splits, funds: funds?.splits ?? 0 }).toEqual({
      exchanges,
      splits: inShares.length,
      funds: inFunds.length,
    });
    const complete = {
      ...COMPLETE,
      found: splits,
      lead_hours: { median: expect.any(Number), worst_decile: expect.any(Number) },
    };
    expect(list).toMatchObject({ problem: null, extra: [], all: complete });
    if (funds !== null) expect(funds).toMatchObject({ extra: [], all: { ...COMPLETE, found: inFunds.length } });
    expect(halts?.confirmed ?? 0).toBe(halted.filter(isOfList).filter(isShare).length);
    expect((halts?.without_split ?? []).filter(({ ticker }) => !others.has(ticker))).toEqual([]);
  }
  const text = (await coverage(dataDir, "--month", FIRST_MONTH)).join("\n");
  expect(text.match(/ {2}all {4}recall 100\.0 %/g)).toHaveLength(
    lists.length + lists.filter(({ funds }) => funds).length,
  );
  expect(text).not.toMatch(/^ {2}(?:missed|differs|extra):/m);
  expect((await coverage(dataDir, "--month", "2025-12")).join("\n")).toMatch(
    /the records of nasdaq start on 2026-03-\d\d/,
  );
  expect((await coverage(dataDir, "--month", "2027-01")).join("\n")).toMatch(
    /the newest observation of nasdaq dates from 2026-/,
  );
}

const FIRST_MONTH = "2026-03";
const COMPLETE = { recall: 1, missed: [], differences: [], equal_ex_date: { share: 1 }, equal_exchange: { share: 1 } };

const isFund = ({ company }: TrueSplit): boolean => company.endsWith("ETF");
const isShare = (split: TrueSplit): boolean => !isFund(split);

async function coverage(dataDir: string, ...args: readonly string[]): Promise<readonly string[]> {
  const invocation = anInvocation(dataDir, { DATA_DIR: dataDir });
  const code = await run(["coverage", ...args], invocation);
  expect({ code, problems: invocation.problems }).toEqual({ code: 0, problems: [] });
  return invocation.printed;
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
        const { rows, confirmed, announcements, contradicted } = await replay(month, seed + order * 1_000_003);
        expect(rows).toEqual(month.truth.toSorted(byTicker));
        expect(confirmed).toEqual(month.halted.map(({ ticker, exDate }) => `${ticker} ${exDate}`).toSorted());
        expect(contradicted.size).toBeGreaterThan(0);
        expect([...contradicted].filter((ticker) => !month.renamed.has(ticker))).toEqual([]);
        expect(repetitionsAmong(announcements)).toEqual([]);
        const announced = new Set(announcements.map(({ ticker }) => ticker));
        expect(tickers.filter((ticker) => !announced.has(ticker))).toEqual([]);
        expect([...month.others].filter((ticker) => announced.has(ticker))).toEqual([]);
      }
    },
  );
});
