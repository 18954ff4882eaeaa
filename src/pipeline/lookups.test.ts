import { describe, expect, it } from "vitest";
import { aRecord, day } from "../../test/support/builders.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import type { PolledList } from "../domain/diff/snapshot.ts";
import type { SplitRecord } from "../domain/split/split.ts";
import { SILENT_LOG } from "../ports/log.ts";
import { SourceError, type SplitSource } from "../ports/split-source.ts";
import { Lookups } from "./lookups.ts";

const LIST: PolledList = {
  source: "test",
  sample: false,
  records: [],
  unreadableTickers: new Set(),
  backfilledRows: new Set(),
  at: 0,
  today: day("2026-03-02"),
};

const CANDIDATES = Array.from({ length: 250 }, (_, index) => aRecord({ ticker: `Q${index}` }));

type LookUp = SplitSource["lookUp"];

const NOT_FOUND: LookUp = async () => ({ records: [], quarantined: [] });

/** Successive polls whose lists lack the candidates. */
function polls(lookUp: LookUp) {
  const [lookups, clock] = [new Lookups(), new ManualClock()];
  const lookedUp: string[] = [];
  const source = {
    lookUp: (...[ticker, signal]: Parameters<LookUp>) => {
      lookedUp.push(ticker);
      return lookUp(ticker, signal);
    },
  };
  const parts = { source, clock, log: SILENT_LOG, signal: new AbortController().signal };
  /** Returns the tickers that the poll looked up, and the splits that count as missing after it. */
  const poll = async (candidates: readonly SplitRecord[] = CANDIDATES) => {
    lookedUp.length = 0;
    const { records, unreadableTickers } = await lookups.completeList(parts, LIST, candidates);
    const listed = new Set(records.map(({ ticker }) => ticker));
    const missing = candidates.filter(({ ticker }) => !listed.has(ticker) && !unreadableTickers.has(ticker));
    return { lookedUp: [...lookedUp], missing: missing.map(({ ticker }) => ticker) };
  };
  return { clock, poll };
}

describe("splits that disappear together", () => {
  it("count as missing together, after one lookup of each", async () => {
    const { poll } = polls(NOT_FOUND);
    const results = [await poll(), await poll(), await poll()];
    expect(results.map(({ lookedUp, missing }) => [lookedUp.length, missing.length])).toEqual([
      [100, 0],
      [100, 0],
      [50, 250],
    ]);
    expect(new Set(results.flatMap(({ lookedUp }) => lookedUp)).size).toBe(250);
  });

  it("don't count as missing if a lookup finds them, and are looked up again until they are listed", async () => {
    const listed = aRecord({ ticker: "Q1" });
    const { poll } = polls(async (ticker) => ({ records: ticker === listed.ticker ? [listed] : [], quarantined: [] }));
    const few = CANDIDATES.slice(0, 3);
    expect(await poll(few)).toEqual({ lookedUp: ["Q0", "Q1", "Q2"], missing: ["Q0", "Q2"] });
    expect(await poll([listed])).toEqual({ lookedUp: ["Q1"], missing: [] });
  });

  it("don't wait for splits whose lookups fail, which are looked up last", async () => {
    const { poll } = polls(async (ticker, signal) => {
      if (ticker === "Q0") throw new SourceError("timeout", "no response within 10 s");
      return NOT_FOUND(ticker, signal);
    });
    const few = CANDIDATES.slice(0, 3);
    expect(await poll(few)).toEqual({ lookedUp: ["Q0"], missing: [] });
    expect(await poll(few)).toEqual({ lookedUp: ["Q1", "Q2", "Q0"], missing: ["Q1", "Q2"] });
  });

  it.each([
    ["", 0],
    [", also if the system clock is set back", -3_600_000],
    [", also if the system clock is set forward", 3_600_000],
  ])("are looked up for at most half a minute per poll%s", async (_, jumpMs) => {
    const { poll, clock } = polls(async (ticker, signal) => {
      clock.skip(10_000);
      if (ticker === "Q0") clock.jump(jumpMs);
      return NOT_FOUND(ticker, signal);
    });
    expect((await poll(CANDIDATES.slice(0, 6))).lookedUp).toHaveLength(4);
    expect(await poll(CANDIDATES.slice(0, 6))).toMatchObject({ lookedUp: ["Q4", "Q5"], missing: { length: 6 } });
  });

  it("are looked up again if they were listed in between", async () => {
    const { poll } = polls(NOT_FOUND);
    await poll();
    await poll(CANDIDATES.slice(200));
    expect((await poll(CANDIDATES.slice(0, 10))).lookedUp).toHaveLength(10);
  });
});
