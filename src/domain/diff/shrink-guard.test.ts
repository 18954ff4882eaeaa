import { describe, expect, it } from "vitest";
import { aRecord } from "../../../test/support/builders.ts";
import { PolledSource } from "../../../test/support/polled-source.ts";
import type { SplitRecord } from "../split/split.ts";
import { diffSplits, missingCandidates } from "./diff.ts";
import { remainingLoss } from "./shrink-guard.ts";

function listOf(count: number, from = 0): SplitRecord[] {
  return Array.from({ length: count }, (_, index) => aRecord({ ticker: `T${from + index}`, exDate: "2026-09-10" }));
}

function kinds(events: readonly { readonly kind: string }[]): string[] {
  return events.map(({ kind }) => kind);
}

describe("a shrunken list", () => {
  it.each([
    [10, 4, "suspicious"],
    [10, 5, "complete"],
    [10, 6, "complete"],
    [10, 0, "suspicious"],
    [3, 1, "suspicious"],
    [3, 2, "complete"],
    [2, 0, "suspicious"],
    [1, 0, "suspicious"],
  ])("from %i splits to %i is %s", (before, after, outcome) => {
    const source = PolledSource.settled(listOf(before));
    expect(source.diff(listOf(after)).outcome).toBe(outcome);
  });

  it("states its reason", () => {
    const source = PolledSource.settled(listOf(10));
    expect(source.diff(listOf(2))).toMatchObject({ reason: "the list lacks 8 of the 10 splits that were expected" });
    expect(source.diff([])).toMatchObject({ reason: "the list is empty, 10 splits were expected" });
  });

  it("is not suspicious for the loss of a single split", () => {
    const source = PolledSource.settled(listOf(2));
    expect(source.diff(listOf(1)).outcome).toBe("complete");
    expect(kinds(source.poll(listOf(1), 2))).toEqual(["missing"]);
  });

  it("uses the configured share", () => {
    const source = new PolledSource({ settings: { shrinkGuard: 0.2 } });
    source.poll(listOf(10), 4);
    expect(source.diff(listOf(7)).outcome).toBe("suspicious");
    expect(source.diff(listOf(8)).outcome).toBe("complete");
  });

  it("makes no events until it has repeated the configured number of times, then is accepted", () => {
    const source = PolledSource.settled(listOf(10));
    const changed = [...listOf(3), aRecord({ ticker: "NEW" })];
    expect(source.diff(changed)).toMatchObject({ outcome: "suspicious", events: [] });
    expect(source.diff(changed)).toMatchObject({ outcome: "suspicious", events: [] });
    expect(source.diff(changed)).toMatchObject({ outcome: "complete", events: [{ kind: "announced" }] });
    expect(source.poll(changed)).toEqual([]);
    const events = source.poll(changed);
    expect(kinds(events)).toEqual(Array.from({ length: 7 }, () => "missing"));
    expect(source.poll(changed, 5)).toEqual([]);
  });

  it("has no missing candidates while it is suspicious", () => {
    const source = PolledSource.settled(listOf(10));
    source.poll([], 2);
    expect(missingCandidates(diffSplits(source.snapshot, source.listOf([]), source.settings))).toEqual([]);
  });

  it("changes nothing if the complete list returns before it is accepted", () => {
    const source = PolledSource.settled(listOf(10));
    for (let times = 0; times < 20; times += 1) {
      expect(source.poll([], 2)).toEqual([]);
      expect(source.poll(listOf(10))).toEqual([]);
      expect(source.poll(listOf(4), 2)).toEqual([]);
      expect(source.poll(listOf(10))).toEqual([]);
    }
    expect(source.snapshot.suspicion).toBeNull();
    expect(source.splits.every(({ pollsMissed, revision }) => pollsMissed === 0 && revision === 0)).toBe(true);
  });

  it("makes no events if different parts alternate", () => {
    const source = PolledSource.settled(listOf(10));
    for (let times = 0; times < 30; times += 1) {
      expect(source.poll(listOf(4))).toEqual([]);
      expect(source.poll(listOf(6, 4))).toEqual([]);
    }
  });

  it("still counts its rows as listed", () => {
    const source = PolledSource.settled(listOf(10));
    source.poll(listOf(9), 2);
    expect(source.diff(listOf(1, 9)).outcome).toBe("suspicious");
    expect(source.poll(listOf(9), 2)).toEqual([]);
    expect(kinds(source.poll(listOf(9)))).toEqual(["missing"]);
  });

  it("is not suspicious if the absent splits took effect, were missed before, or are quarantined", () => {
    const source = PolledSource.settled(listOf(10).map((record) => ({ ...record, exDate: aRecord().exDate })));
    source.setTo("2026-03-10T14:00:00Z");
    expect(source.diff([])).toMatchObject({ outcome: "complete", events: [] });

    const unreadable = PolledSource.settled(listOf(3));
    expect(unreadable.diff([], { unreadable: ["T0", "T1", "T2"] })).toMatchObject({ outcome: "complete", events: [] });
  });
});

describe("a list that lost half of its splits and gained as many", () => {
  it("is suspicious", () => {
    const source = PolledSource.settled(listOf(10));
    expect(source.diff(listOf(10, 6))).toMatchObject({ outcome: "suspicious", events: [] });
  });
});

function lossAfter(polls: number, shown: readonly SplitRecord[], unreadable: readonly string[] = []): string | null {
  const source = PolledSource.settled(listOf(10));
  source.poll(shown, polls, { unreadable });
  return remainingLoss(source.snapshot, source.listOf(shown, { unreadable }), source.settings.shrinkGuard);
}

describe("the remaining loss of an accepted list", () => {
  it("is reported while it exceeds the limit and is not alerted as missing", () => {
    expect(lossAfter(4, [])).toBe("the list is empty, 10 splits were expected");
    expect(lossAfter(4, listOf(4))).toBe("the list lacks 6 of the 10 splits that were expected");
    expect(lossAfter(5, [])).toBeNull();
    expect(lossAfter(5, listOf(4))).toBeNull();
  });

  it("is null if it is within the limit, or if rows are only quarantined", () => {
    expect(lossAfter(1, listOf(5))).toBeNull();
    expect(lossAfter(1, listOf(4), ["T4", "T5", "T6", "T7", "T8", "T9"])).toBeNull();
  });

  it("ignores lookups of single tickers", () => {
    const source = PolledSource.settled(listOf(10));
    expect(remainingLoss(source.snapshot, source.listOf([]), source.settings.shrinkGuard)).toContain("10 splits");
  });
});
