import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { day } from "../../../test/support/builders.ts";
import { addDays, DAY_MS, dayInZone, daysBetween, makeDay, parseDay, weekdayOf, yearOf } from "./day.ts";

const FIRST = Date.UTC(1990, 0, 1);
const LAST = Date.UTC(2100, 11, 31);
const someMidnight = fc.integer({ min: 0, max: (LAST - FIRST) / DAY_MS }).map((days) => FIRST + days * DAY_MS);

function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

describe("calendar days", () => {
  it("agree with JavaScript's calendar on every day from 1990 to 2100", () => {
    const wrong: string[] = [];
    for (let at = FIRST; at <= LAST; at += DAY_MS) {
      const date = new Date(at);
      const [yesterday, today, tomorrow] = [at - DAY_MS, at, at + DAY_MS].map((time) => day(isoDay(time)));
      const right =
        today === makeDay(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()) &&
        addDays(today, -1) === yesterday &&
        addDays(today, 1) === tomorrow &&
        weekdayOf(today) === date.getUTCDay() &&
        yearOf(today) === date.getUTCFullYear();
      if (!right) wrong.push(isoDay(at));
    }
    expect(wrong).toEqual([]);
  });

  it("can be moved by any number of days and back", () => {
    fc.assert(
      fc.property(someMidnight, fc.integer({ min: -20_000, max: 20_000 }), (at, days) => {
        const from = day(isoDay(at));
        const to = addDays(from, days);
        expect(to).toBe(isoDay(at + days * DAY_MS));
        expect(daysBetween(from, to)).toBe(days);
        expect(addDays(to, -days)).toBe(from);
      }),
    );
  });

  it("end with the years that have four digits", () => {
    expect([addDays(day("9999-12-30"), 1), addDays(day("9999-12-30"), 30)]).toEqual(["9999-12-31", "9999-12-31"]);
    expect([addDays(day("0000-01-02"), -1), addDays(day("0000-01-02"), -30)]).toEqual(["0000-01-01", "0000-01-01"]);
  });

  it("compare as strings in chronological order", () => {
    fc.assert(
      fc.property(someMidnight, someMidnight, (a, b) => {
        expect(isoDay(a) < isoDay(b)).toBe(daysBetween(day(isoDay(a)), day(isoDay(b))) > 0);
      }),
    );
  });

  it.each([
    "2026-02-30",
    "2026-02-29",
    "2100-02-29",
    "2026-04-31",
    "2026-00-10",
    "2026-13-01",
    "2026-01-00",
    "2026-1-1",
    "26-01-01",
    "2026/01/01",
    "2026-01-01T00:00:00Z",
    " 2026-01-01",
    "2026-01-01\n",
    "soon",
    "",
  ])("do not include %j", (text) => {
    expect(parseDay(text)).toBeUndefined();
  });

  it.each(["2000-02-29", "2024-02-29", "2026-12-31", "1970-01-01", "0001-01-01", "9999-12-31"])(
    "include %s",
    (text) => {
      expect(parseDay(text)).toBe(text);
    },
  );
});

describe("dayInZone", () => {
  it("follows an instant that moves back and forth over midnight", () => {
    const midnight = Date.parse("2026-03-18T04:00:00Z");
    const days = [0, -1, 0, 1, -60_000, DAY_MS - 1, DAY_MS, -1].map((ms) =>
      dayInZone(midnight + ms, "America/New_York"),
    );
    expect(days.map((date) => date.slice(-2))).toEqual(["18", "17", "18", "18", "17", "18", "19", "17"]);
  });

  it.each([
    ["2026-03-08T04:59:59Z", "America/New_York", "2026-03-07"],
    ["2026-03-08T05:00:00Z", "America/New_York", "2026-03-08"],
    ["2026-03-08T07:00:00Z", "America/New_York", "2026-03-08"],
    ["2026-03-09T03:59:59Z", "America/New_York", "2026-03-08"],
    ["2026-03-09T04:00:00Z", "America/New_York", "2026-03-09"],
    ["2026-11-01T03:59:59Z", "America/New_York", "2026-10-31"],
    ["2026-11-01T04:00:00Z", "America/New_York", "2026-11-01"],
    ["2026-11-02T04:59:59Z", "America/New_York", "2026-11-01"],
    ["2026-11-02T05:00:00Z", "America/New_York", "2026-11-02"],
    ["2026-01-01T04:59:59Z", "America/New_York", "2025-12-31"],
    ["2026-01-01T05:00:00Z", "America/New_York", "2026-01-01"],
    ["2025-12-31T10:59:59Z", "Pacific/Auckland", "2025-12-31"],
    ["2025-12-31T11:00:00Z", "Pacific/Auckland", "2026-01-01"],
    ["2026-06-30T11:59:59Z", "Pacific/Auckland", "2026-06-30"],
    ["2026-06-30T12:00:00Z", "Pacific/Auckland", "2026-07-01"],
    ["2026-01-01T09:59:59Z", "Pacific/Honolulu", "2025-12-31"],
    ["2026-01-01T10:00:00Z", "Pacific/Honolulu", "2026-01-01"],
    ["2024-02-29T12:00:00Z", "UTC", "2024-02-29"],
  ])("puts %s in %s on %s", (at, zone, expected) => {
    expect(dayInZone(Date.parse(at), zone)).toBe(expected);
  });

  it("returns a valid day, at most one day from the UTC day", () => {
    const zones = ["America/New_York", "Pacific/Auckland", "Pacific/Honolulu", "Asia/Kolkata", "Pacific/Kiritimati"];
    fc.assert(
      fc.property(fc.integer({ min: FIRST, max: LAST }), fc.constantFrom(...zones), (at, zone) => {
        const there = dayInZone(at, zone);
        expect(parseDay(there)).toBe(there);
        expect(Math.abs(daysBetween(day(isoDay(at)), there))).toBeLessThanOrEqual(1);
      }),
    );
  });
});
