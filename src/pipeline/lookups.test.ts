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
  silentRows: new Set(),
  at: 0,
  today: day("2026-03-02"),
};

const CANDIDATES = Array.from({ length: 250 }, (_, index) => aRecord({ ticker: `Q${index}` }));

type LookUp = SplitSource["lookUp"];

const ABSENT: LookUp = async () => ({ records: [], quarantined: [] });

/** Successive polls whose lists lack the candidates. */
function polls(lookUp: LookUp) {
  const [lookups, clock] = [new Lookups(), new ManualClock()];
  const asked: string[] = [];
  const source = {
    lookUp: (...[ticker, signal]: Parameters<LookUp>) => {
      asked.push(ticker);
      return lookUp(ticker, signal);
    },
  };
  const parts = { source, clock, log: SILENT_LOG, signal: new AbortController().signal };
  /** Returns the tickers that the poll looked up, and the splits that count as missing after it. */
  const poll = async (candidates: readonly SplitRecord[] = CANDIDATES) => {
    asked.length = 0;
    const { records, unreadableTickers } = await lookups.complete(parts, LIST, candidates);
    const listed = new Set(records.map(({ ticker }) => ticker));
    const missing = candidates.filter(({ ticker }) => !listed.has(ticker) && !unreadableTickers.has(ticker));
    return { asked: [...asked], missing: missing.map(({ ticker }) => ticker) };
  };
  return { clock, poll };
}

describe("splits that disappear together", () => {
  it("count as missing together, after each was looked up once", async () => {
    const { poll } = polls(ABSENT);
    const results = [await poll(), await poll(), await poll()];
    expect(results.map(({ asked, missing }) => [asked.length, missing.length])).toEqual([
      [100, 0],
      [100, 0],
      [50, 250],
    ]);
    expect(new Set(results.flatMap(({ asked }) => asked)).size).toBe(250);
  });

  it("are not missing if a lookup finds them, and are looked up again while they are not listed", async () => {
    const there = aRecord({ ticker: "Q1" });
    const { poll } = polls(async (ticker) => ({ records: ticker === there.ticker ? [there] : [], quarantined: [] }));
    const few = CANDIDATES.slice(0, 3);
    expect(await poll(few)).toEqual({ asked: ["Q0", "Q1", "Q2"], missing: ["Q0", "Q2"] });
    expect(await poll([there])).toEqual({ asked: ["Q1"], missing: [] });
  });

  it("do not wait for those whose lookups fail, which are asked last", async () => {
    const { poll } = polls(async (ticker, signal) => {
      if (ticker === "Q0") throw new SourceError("timeout", "no answer in time");
      return ABSENT(ticker, signal);
    });
    const few = CANDIDATES.slice(0, 3);
    expect(await poll(few)).toEqual({ asked: ["Q0"], missing: [] });
    expect(await poll(few)).toEqual({ asked: ["Q1", "Q2", "Q0"], missing: ["Q1", "Q2"] });
  });

  it("are looked up for at most half a minute per poll", async () => {
    const { poll, clock } = polls(async (ticker, signal) => {
      clock.skip(10_000);
      return ABSENT(ticker, signal);
    });
    expect((await poll(CANDIDATES.slice(0, 6))).asked).toHaveLength(4);
    expect(await poll(CANDIDATES.slice(0, 6))).toMatchObject({ asked: ["Q4", "Q5"], missing: { length: 6 } });
  });

  it("are looked up anew if they were listed in between", async () => {
    const { poll } = polls(ABSENT);
    await poll();
    await poll(CANDIDATES.slice(200));
    expect((await poll(CANDIDATES.slice(0, 10))).asked).toHaveLength(10);
  });
});
