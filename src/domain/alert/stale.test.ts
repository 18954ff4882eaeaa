import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MINUTE_MS } from "../time/day.ts";
import type { StaleEvent } from "./event.ts";
import { type DataState, nextStaleAlert, type StaleState } from "./stale.ts";

const START = Date.parse("2026-03-02T14:00:00Z");
const FRESH: DataState = { kind: "fresh" };
const UNSURE: DataState = { kind: "unsure" };

function stale(minutes: number): DataState {
  return { kind: "stale", since: START + minutes * MINUTE_MS, problem: "splits: no answer" };
}

/** Checks at each of these minutes; returns the alerts with their times. */
function follow(
  checks: readonly (readonly [minute: number, now: DataState])[],
): readonly (readonly [number, StaleEvent])[] {
  let last: StaleState | undefined;
  return checks.flatMap(([minute, now]) => {
    const alert = nextStaleAlert(last, now, { at: START + minute * MINUTE_MS, sample: false, eventCount: minute });
    if (alert === null) return [];
    last = alert.state;
    return [[minute, alert.event] as const];
  });
}

function brief(checks: readonly (readonly [number, DataState])[]): readonly string[] {
  return follow(checks).map(([minute, event]) => `${minute} ${event.state}`);
}

describe("stale data", () => {
  it("is alerted once, and its recovery once", () => {
    expect(
      brief([
        [0, FRESH],
        [31, stale(0)],
        [33, stale(0)],
        [90, stale(0)],
        [92, FRESH],
        [94, FRESH],
      ]),
    ).toEqual(["31 begun", "92 over"]);
  });

  it("has its start and cause, and on recovery the number of events", () => {
    const [begun, over] = follow([
      [31, stale(0)],
      [92, FRESH],
    ]);
    expect(begun?.[1]).toMatchObject({ kind: "stale", since: START, problem: "splits: no answer", sample: false });
    expect(over?.[1]).toMatchObject({ kind: "stale", since: START, eventCount: 92 });
    expect(over?.[1].id).toBe(`${begun?.[1].id}.over`);
  });

  it("does not recover while the state is unsure", () => {
    expect(
      brief([
        [31, stale(0)],
        [40, UNSURE],
        [60, UNSURE],
        [61, FRESH],
      ]),
    ).toEqual(["31 begun", "61 over"]);
  });

  it("is alerted at most once an hour", () => {
    const checks: readonly (readonly [number, DataState])[] = [
      [31, stale(0)],
      [35, FRESH],
      [66, stale(35)],
      [90, stale(35)],
    ];
    expect(brief(checks)).toEqual(["31 begun", "35 over"]);
    expect(brief([...checks, [91, stale(35)], [93, FRESH]])).toEqual(["31 begun", "35 over", "91 begun", "93 over"]);
  });

  it("that recovers within the minimum interval is not alerted", () => {
    expect(
      brief([
        [31, stale(0)],
        [35, FRESH],
        [66, stale(35)],
        [80, FRESH],
        [120, FRESH],
      ]),
    ).toEqual(["31 begun", "35 over"]);
  });

  it("alternates with its recovery, at most one pair an hour, with unique ids", () => {
    const step = fc.tuple(
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom("fresh" as const, "unsure" as const, "stale" as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let minute = 0;
        let fresh = 0;
        const checks = steps.map(([wait, kind]) => {
          minute += wait;
          if (kind === "fresh") fresh = minute;
          const states = { fresh: FRESH, unsure: UNSURE, stale: stale(fresh) };
          return [minute, states[kind]] as const;
        });
        const alerts = follow(checks);
        expect(alerts.map(([, { state }]) => state)).toEqual(
          alerts.map((_, index) => (index % 2 === 0 ? "begun" : "over")),
        );
        const begun = alerts.filter(([, { state }]) => state === "begun").map(([at]) => at);
        for (const [index, at] of begun.slice(1).entries()) expect(at - (begun[index] ?? 0)).toBeGreaterThanOrEqual(60);
        expect(new Set(alerts.map(([, { id }]) => id)).size).toBe(alerts.length);
      }),
    );
  });
});
