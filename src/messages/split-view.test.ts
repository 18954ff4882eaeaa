import { describe, expect, it } from "vitest";
import { aKnownArticle, aSplit, day } from "../../test/support/builders.ts";
import { announcedEvent } from "../../test/support/command-bench.ts";
import { type Event, type EventId, NO_EVIDENCE } from "../domain/alert/event.ts";
import type { Split } from "../domain/split/split.ts";
import { timelineSteps } from "./split-view.ts";

const CONTEXT = { now: Date.parse("2026-03-05T14:00:00Z"), today: day("2026-03-05"), timezone: "America/New_York" };

/** Steps as text: day, label, detail, time. */
function stepsOf(split: Split, events: readonly Event[] = []): readonly string[] {
  return timelineSteps(split, events, CONTEXT).map(({ day: at, label, detail, time, isCertain }) =>
    [at, label, ...(detail === null ? [] : [detail]), time, ...(isCertain ? [] : ["uncertain"])].join(" | "),
  );
}

function eventFields(split: Split, at: string) {
  const id = `${split.id}.2` as EventId;
  return { id, at: Date.parse(at), sample: false, splitId: split.id, record: split.record, ...NO_EVIDENCE };
}

describe("the timeline of a split", () => {
  it("leads from the announcement to the ex date", () => {
    const split = aSplit({ dateAnnounced: "2026-02-20", exDate: "2026-03-10" });
    expect(stepsOf(split, [announcedEvent(split)])).toEqual([
      "2026-02-20 | Announced | past",
      "2026-03-09 | Last trading day before | ahead",
      "2026-03-10 | Ex date | In 3 trading days | ahead",
    ]);
  });

  it("begins when the split was first seen if the announcement isn't stated or impossible", () => {
    const seen = Date.parse("2026-03-02T14:00:00Z");
    const first = (dateAnnounced: string | null) =>
      stepsOf({ ...aSplit({ dateAnnounced, exDate: "2026-03-10" }), firstSeenAt: seen })[0];
    expect([first(null), first("2026-03-11")]).toEqual(Array(2).fill("2026-03-02 | First seen | past"));
  });

  it("contains the changes of terms and the withdrawals, but no corrections without new terms", () => {
    const split = aSplit({ dateAnnounced: "2026-02-20", exDate: "2026-03-10" });
    const was = { ...split.record, exDate: day("2026-03-05") };
    const changed = { kind: "changed", was, flapping: false } as const;
    const withdrawn: Split = { ...split, withdrawal: { kind: "postponed", exDate: split.record.exDate } };
    const events: readonly Event[] = [
      { ...eventFields(split, "2026-03-03T14:00:00Z"), ...changed, terms: ["exDate"] },
      { ...eventFields(split, "2026-03-03T15:00:00Z"), ...changed, terms: [] },
      {
        ...eventFields(split, "2026-03-05T14:00:00Z"),
        kind: "postponed",
        article: aKnownArticle(),
        explainsMissing: false,
      },
    ];
    expect(stepsOf(withdrawn, events)).toEqual([
      "2026-02-20 | Announced | past",
      "2026-03-03 | Changed | Ex date Thu 5 Mar 2026 → Tue 10 Mar 2026 | past",
      "2026-03-05 | Postponed | According to a release | today",
      "2026-03-09 | Last trading day before | ahead | uncertain",
      "2026-03-10 | Ex date | Listed, but postponed | ahead | uncertain",
    ]);
    expect(timelineSteps(withdrawn, events, CONTEXT)[2]?.release).toBe(aKnownArticle().url);
  });

  it("marks the steps of a split that left the list as uncertain", () => {
    const split: Split = { ...aSplit({ dateAnnounced: "2026-02-20", exDate: "2026-03-10" }), status: "missing" };
    const missing = { ...eventFields(split, "2026-03-04T14:00:00Z"), kind: "missing", pollsMissed: 3 } as const;
    expect(stepsOf(split, [{ ...missing, flapping: false, withdrawnBy: null }])).toEqual([
      "2026-02-20 | Announced | past",
      "2026-03-04 | No longer listed | past",
      "2026-03-09 | Last trading day before | ahead | uncertain",
      "2026-03-10 | Ex date | In 3 trading days | ahead | uncertain",
    ]);
  });

  it("notes a half day before the ex date", () => {
    const steps = stepsOf(aSplit({ dateAnnounced: "2025-11-10", exDate: "2025-12-26" }));
    expect(steps[1]).toBe("2025-12-24 | Last trading day before | The exchange closes early | past");
  });
});
