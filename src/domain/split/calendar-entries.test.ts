import { describe, expect, it, vi } from "vitest";
import { aKnownArticle, aSplit, day, someTerms } from "../../../test/support/builders.ts";
import { indexArticles } from "../article/evidence.ts";
import { calendarEntries } from "./calendar-entries.ts";

const TODAY = day("2026-03-02");
const NOON = Date.parse("2026-03-02T17:00:00Z");

function entryOf(split: ReturnType<typeof aSplit>, ...articles: ReturnType<typeof aKnownArticle>[]) {
  const [entry, ...others] = calendarEntries([split], indexArticles(articles), TODAY);
  if (!entry || others.length > 0) throw new Error(`${others.length + 1} entries, expected one`);
  return entry;
}

describe("calendar entries", () => {
  it("are sorted by day and ticker, and reach back 30 days", () => {
    const splits = [
      aSplit({ ticker: "LATER", exDate: "2026-12-31" }),
      aSplit({ ticker: "BOLT", exDate: "2026-03-10" }),
      aSplit({ ticker: "ACME", exDate: "2026-03-10" }),
      aSplit({ ticker: "PAST", exDate: "2026-01-31" }, { status: "closed", removedAt: NOON }),
      aSplit({ ticker: "OLD", exDate: "2026-01-30" }, { status: "closed", removedAt: NOON }),
    ];
    const entries = calendarEntries(splits, new Map(), TODAY);
    expect(entries.map(({ record }) => record.ticker)).toEqual(["PAST", "ACME", "BOLT", "LATER"]);
    expect(entries.every(({ state }) => state.kind === "listed")).toBe(true);
  });

  it("look up the releases of each split once", () => {
    const splits = [
      aSplit(),
      aSplit({ ticker: "BOLT" }, { withdrawal: { kind: "postponed", exDate: day("2026-03-10") } }),
    ];
    const index = new Map(indexArticles([aKnownArticle()]));
    const lookups = vi.spyOn(index, "get");
    calendarEntries(splits, index, TODAY);
    expect(lookups).toHaveBeenCalledTimes(splits.length);
  });

  it("are marked as removed if a split left the list before its ex date, even after that day", () => {
    expect(entryOf(aSplit({}, { status: "missing", removedAt: NOON })).state).toEqual({ kind: "removed" });
    const closed = aSplit(
      { exDate: "2026-03-01" },
      { status: "closed", removedAt: Date.parse("2026-02-27T17:00:00Z") },
    );
    expect(entryOf(closed).state).toEqual({ kind: "removed" });
    // Removed on its ex date in New York, which is already the next day in UTC.
    const onItsDay = aSplit(
      { exDate: "2026-03-01" },
      { status: "closed", removedAt: Date.parse("2026-03-02T03:00:00Z") },
    );
    expect(entryOf(onItsDay).state).toEqual({ kind: "listed" });
  });

  it("are withdrawn by a release", () => {
    const split = aSplit({}, { withdrawal: { kind: "cancelled", exDate: day("2026-03-10") } });
    expect(entryOf(split)).toMatchObject({ day: "2026-03-10", state: { kind: "withdrawn", withdrawal: "cancelled" } });
  });

  it("move to the day that a postponement states", () => {
    const split = aSplit({}, { withdrawal: { kind: "postponed", exDate: day("2026-03-10") } });
    const release = aKnownArticle({ kind: "postponed", terms: [someTerms({ exDate: "2026-03-24" })] });
    expect(entryOf(split, release)).toMatchObject({
      day: "2026-03-24",
      state: { kind: "moved", withdrawal: "postponed" },
    });
    expect(entryOf(split)).toMatchObject({ day: "2026-03-10", state: { kind: "withdrawn", withdrawal: "postponed" } });
  });

  it("are listed once the list has moved the day", () => {
    const split = aSplit({ exDate: "2026-03-24" }, { withdrawal: { kind: "postponed", exDate: null } });
    expect(entryOf(split)).toMatchObject({ day: "2026-03-24", state: { kind: "listed" } });
  });

  it("have the time of the last change from the list or a release", () => {
    const seen = aSplit({}, { firstSeenAt: 1_000 });
    expect(entryOf(seen).changedAt).toBe(1_000);
    expect(entryOf({ ...seen, transitionTimes: [2_000, 5_000] }).changedAt).toBe(5_000);
    expect(entryOf({ ...seen, transitionTimes: [2_000] }, aKnownArticle({ seenAt: NOON })).changedAt).toBe(NOON);
  });
});
