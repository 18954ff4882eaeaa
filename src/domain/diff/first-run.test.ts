import { describe, expect, it } from "vitest";
import { aKnownArticle, aRecord } from "../../../test/support/builders.ts";
import { PolledSource } from "../../../test/support/polled-source.ts";
import type { SplitRecord } from "../split/split.ts";
import { diffSplits } from "./diff.ts";

/** Splits that were announced long before the tests' day, 2026-03-02. */
function oldSplits(count: number, from = 0): SplitRecord[] {
  return Array.from({ length: count }, (_, index) =>
    aRecord({ ticker: `T${from + index}`, exDate: "2026-09-10", dateAnnounced: "2026-02-10" }),
  );
}

function tickers(events: ReturnType<PolledSource["poll"]>): string[] {
  return events.map((event) => `${event.kind} ${"record" in event ? event.record.ticker : ""}`);
}

describe("the first list of a source", () => {
  it("makes no events", () => {
    const source = new PolledSource();
    expect(source.poll([...oldSplits(40), aRecord({ exDate: "2026-02-20" })], 10)).toEqual([]);
    expect(source.splits).toHaveLength(41);
  });

  it("makes one digest if configured", () => {
    const source = new PolledSource({ settings: { firstRun: "digest" } });
    const events = source.poll(oldSplits(3), 5);
    expect(events).toMatchObject([{ kind: "digest", records: oldSplits(3), sample: false }]);
  });

  it("makes no digest if it is empty", () => {
    const source = new PolledSource({ settings: { firstRun: "digest" } });
    expect(source.poll([], 5)).toEqual([]);
  });

  it("is a first run even if articles were polled before", () => {
    const source = new PolledSource();
    source.readArticles([aKnownArticle()]);
    expect(source.poll(oldSplits(10))).toEqual([]);
    expect(source.snapshot.articles.size).toBe(1);
    expect(source.readArticles([aKnownArticle({ url: "https://wire.example/2" })]).events).toHaveLength(1);
  });

  it("gives each split a unique id, duplicate rows one", () => {
    const source = new PolledSource();
    source.poll([...oldSplits(5), ...oldSplits(5), aRecord({ ticker: "T0", exDate: "2026-10-10" })]);
    expect(new Set(source.splits.map(({ id }) => id)).size).toBe(6);
  });

  it("that is incomplete makes no events for the rest", () => {
    for (const part of [0, 1, 5, 12, 15]) {
      const source = new PolledSource();
      source.poll(oldSplits(part));
      expect(source.poll(oldSplits(20), 10)).toEqual([]);
    }
  });

  it("that is incomplete does not hide splits announced since yesterday", () => {
    const source = new PolledSource();
    source.poll([]);
    const today = aRecord({ ticker: "NEWA", dateAnnounced: "2026-03-02" });
    const yesterday = aRecord({ ticker: "NEWB", dateAnnounced: "2026-03-01" });
    const unknown = aRecord({ ticker: "NEWC", dateAnnounced: null });
    const events = source.poll([...oldSplits(5), today, yesterday, unknown], 10);
    expect(tickers(events).toSorted()).toEqual(["announced NEWA", "announced NEWB"]);
  });

  it("is followed by announcements of one or two new splits immediately, however old", () => {
    const source = new PolledSource();
    source.poll(oldSplits(10));
    expect(tickers(source.poll(oldSplits(12)))).toEqual(["announced T10", "announced T11"]);
  });

  it.each([
    [15, 2, "announced"],
    [15, 3, "silent"],
    [100, 10, "announced"],
    [100, 11, "silent"],
  ])("of %i splits followed by %i older ones: %s", (known, more, outcome) => {
    const source = new PolledSource();
    source.poll(oldSplits(known));
    expect(source.poll(oldSplits(known + more))).toHaveLength(outcome === "announced" ? more : 0);
    expect(source.splits).toHaveLength(known + more);
  });

  it("settles after the configured number of polls: then all new splits are announced", () => {
    const source = PolledSource.settled(oldSplits(2));
    expect(source.poll(oldSplits(12))).toHaveLength(10);
  });

  it("does not settle sooner because of suspicious lists", () => {
    const source = new PolledSource();
    source.poll(oldSplits(10), 3);
    source.poll(oldSplits(1), 2);
    expect(source.poll(oldSplits(20))).toEqual([]);
  });
});

describe("another source", () => {
  const other = { source: "https://other.example" };

  it("begins with a first run: no events, and splits of the old source are not missing", () => {
    const source = PolledSource.settled(oldSplits(10));
    expect(source.poll(oldSplits(8, 50), 10, other)).toEqual([]);
    expect(source.splits.map(({ record }) => record.ticker)).toEqual(oldSplits(8, 50).map(({ ticker }) => ticker));
  });

  it("begins with a first run even if its list is empty", () => {
    const source = PolledSource.settled(oldSplits(10));
    expect(source.diff([], other)).toMatchObject({ outcome: "complete", events: [], patch: { replaces: true } });
    expect(source.splits).toEqual([]);
  });

  it("never reuses an id when sources alternate", () => {
    const source = new PolledSource();
    const seen: string[] = [];
    for (const name of ["a", "b", "a", "b", "a"]) {
      source.poll(oldSplits(5), 1, { source: name });
      seen.push(...source.splits.map(({ id }) => id));
    }
    expect(new Set(seen).size).toBe(25);
  });

  it("never reuses an id, even if no time has passed", () => {
    const source = new PolledSource();
    source.poll(oldSplits(5));
    const { patch } = diffSplits(source.snapshot, source.listOf(oldSplits(5), other), source.settings);
    const ids = [...source.splits, ...(patch?.splits ?? [])].map(({ id }) => id);
    expect(new Set(ids).size).toBe(10);
  });

  it("drops the articles of the old one", () => {
    const source = PolledSource.settled(oldSplits(10));
    source.readArticles([aKnownArticle()]);
    source.poll(oldSplits(10), 1, other);
    expect(source.snapshot.articles.size).toBe(0);
    expect(source.snapshot.articlesThrough).toBeNull();
  });
});

describe("an id", () => {
  it("is never reused", () => {
    const source = PolledSource.settled(oldSplits(4));
    const seen = new Set<string>();
    for (let round = 0; round < 10; round += 1) {
      const exDate = `2026-03-${String(4 + round).padStart(2, "0")}`;
      source.setTo(`${exDate}T12:00:00Z`);
      const events = source.poll([...oldSplits(4), aRecord({ exDate })], 2);
      for (const { id } of events) {
        expect(seen.has(id)).toBe(false);
        seen.add(id);
      }
      source.setTo(`${exDate}T23:00:00Z`);
      source.poll(oldSplits(4));
    }
    expect(seen.size).toBe(10);
  });
});
