import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { day } from "../../../test/support/builders.ts";
import { addDays, DAY_MS, MINUTE_MS, makeDay } from "./day.ts";
import { instantAt, wallClockAt } from "./wall-clock.ts";

const NEW_YORK = "America/New_York";

/** Zones that change their clocks by an hour, by half an hour, at midnight, never, and far from UTC. */
const ZONES = [
  NEW_YORK,
  "Europe/London",
  "Pacific/Auckland",
  "Pacific/Honolulu",
  "Pacific/Chatham",
  "Pacific/Kiritimati",
  "Australia/Lord_Howe",
  "America/Santiago",
  "America/St_Johns",
  "Asia/Beirut",
  "Asia/Kathmandu",
  "Africa/Casablanca",
  "UTC",
];

const somewhere = fc.record({
  zone: fc.constantFrom(...ZONES),
  day: fc.integer({ min: 0, max: 15 * 365 }).map((days) => addDays(makeDay(2020, 1, 1), days)),
  minute: fc.integer({ min: 0, max: 1_439 }),
});

function at(time: string): number {
  return Date.parse(time);
}

describe("wallClockAt", () => {
  it.each([
    ["2026-03-08T06:59:00Z", NEW_YORK, "2026-03-08", 1 * 60 + 59],
    ["2026-03-08T07:00:59Z", NEW_YORK, "2026-03-08", 3 * 60],
    ["2026-03-10T11:00:00Z", "Pacific/Auckland", "2026-03-11", 0],
    ["2026-03-10T09:59:00Z", "Pacific/Honolulu", "2026-03-09", 23 * 60 + 59],
    ["2027-01-01T00:00:00Z", "Asia/Kathmandu", "2027-01-01", 5 * 60 + 45],
  ])("at %s in %s shows %s and minute %i", (time, zone, date, minute) => {
    expect(wallClockAt(at(time), zone)).toEqual({ day: date, minute });
  });
});

describe("instantAt", () => {
  it.each([
    ["a usual day", NEW_YORK, "2026-03-10 09:00", "2026-03-10T13:00:00Z"],
    ["the night in which clocks go forward, before", NEW_YORK, "2026-03-08 01:59", "2026-03-08T06:59:00Z"],
    ["in the gap", NEW_YORK, "2026-03-08 02:30", "2026-03-08T07:00:00Z"],
    ["after the gap", NEW_YORK, "2026-03-08 03:00", "2026-03-08T07:00:00Z"],
    ["the night in which clocks go back, the first of two", NEW_YORK, "2026-11-01 01:30", "2026-11-01T05:30:00Z"],
    ["after both", NEW_YORK, "2026-11-01 02:00", "2026-11-01T07:00:00Z"],
    ["New Year in Auckland", "Pacific/Auckland", "2027-01-01 00:00", "2026-12-31T11:00:00Z"],
    ["New Year in Honolulu", "Pacific/Honolulu", "2027-01-01 00:00", "2027-01-01T10:00:00Z"],
    ["a midnight that is skipped", "America/Santiago", "2026-09-06 00:00", "2026-09-06T04:00:00Z"],
    ["a gap of half an hour", "Australia/Lord_Howe", "2026-10-04 02:10", "2026-10-03T15:30:00Z"],
    ["a day that is skipped", "Pacific/Apia", "2011-12-30 12:00", "2011-12-30T10:00:00Z"],
  ])("%s", (_, zone, shown, expected) => {
    const minute = Number(shown.slice(11, 13)) * 60 + Number(shown.slice(14));
    expect(instantAt(day(shown.slice(0, 10)), minute, zone)).toBe(at(expected));
  });

  it("returns the first instant that shows the minute, or the end of a gap", () => {
    fc.assert(
      fc.property(somewhere, ({ zone, day: date, minute }) => {
        const moment = instantAt(date, minute, zone);
        const wallClock = wallClockAt(moment, zone);
        const before = wallClockAt(moment - MINUTE_MS, zone);
        const isLater = (clock: { day: string; minute: number }): boolean =>
          clock.day > date || (clock.day === date && clock.minute >= minute);
        expect(isLater(wallClock)).toBe(true);
        expect(isLater(before)).toBe(false);
        const late = wallClock.day === date ? wallClock.minute - minute : wallClock.minute;
        expect(late).toBeLessThanOrEqual(60);
      }),
      { numRuns: 2_000 },
    );
  });

  it("inverts wallClockAt, except for repeated hours", () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.integer({ min: 0, max: 15 * 365 * 1_440 }), (zone, minutes) => {
        const moment = at("2020-01-01T00:00:00Z") + minutes * MINUTE_MS;
        const { day: date, minute } = wallClockAt(moment, zone);
        const instant = instantAt(date, minute, zone);
        expect(instant).toBeLessThanOrEqual(moment);
        expect(moment - instant).toBeLessThanOrEqual(60 * MINUTE_MS);
        expect(wallClockAt(instant, zone)).toEqual({ day: date, minute });
      }),
      { numRuns: 2_000 },
    );
  });

  it("advances by about a day per day", () => {
    fc.assert(
      fc.property(somewhere, ({ zone, day: date, minute }) => {
        const step = instantAt(addDays(date, 1), minute, zone) - instantAt(date, minute, zone);
        expect(Math.abs(step - DAY_MS)).toBeLessThanOrEqual(60 * MINUTE_MS);
      }),
      { numRuns: 1_000 },
    );
  });
});
