import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { day, exchange } from "../../test/support/builders.ts";
import { cutText } from "../lib/external-text.ts";
import {
  formatAge,
  formatCount,
  formatDay,
  formatDistance,
  formatTime,
  inQuotes,
  joinList,
  joinShortList,
} from "./format.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe("formatted days and times", () => {
  it.each([
    ["2026-03-10", "Tue 10 Mar 2026"],
    ["2026-01-01", "Thu 1 Jan 2026"],
    ["2024-02-29", "Thu 29 Feb 2024"],
  ])("include the weekday and the month of %s", (text, words) => {
    expect(formatDay(day(text))).toBe(words);
  });

  it.each([
    ["2026-03-02T14:00:00Z", "America/New_York", "Mon 2 Mar 2026, 09:00 EST"],
    ["2026-07-02T13:05:00Z", "America/New_York", "Thu 2 Jul 2026, 09:05 EDT"],
    ["2026-03-02T05:00:00Z", "America/New_York", "Mon 2 Mar 2026, 00:00 EST"],
    ["2026-03-02T14:00:00Z", "UTC", "Mon 2 Mar 2026, 14:00 UTC"],
  ])("include the zone's short name: %s in %s", (instant, zone, words) => {
    expect(formatTime(Date.parse(instant), zone)).toBe(words);
  });

  it.each([
    ["2026-03-10", "2026-03-10", "today"],
    ["2026-03-10", "2026-03-11", "tomorrow"],
    ["2026-03-10", "2026-03-09", "yesterday"],
    ["2026-03-10", "2026-03-01", "9 days ago"],
    ["2026-03-02", "2026-03-10", "in 6 trading days"],
    ["2026-03-13", "2026-03-16", "in 1 trading day"],
    ["2026-03-13", "2026-03-15", "in 2 days"],
    ["2026-07-02", "2026-07-06", "in 1 trading day"],
  ])("are relative: on %s, %s is %s", (today, otherDay, words) => {
    expect(formatDistance(exchange("NASDAQ"), day(today), day(otherDay))).toBe(words);
  });

  it.each([
    [0, "just now"],
    [59 * SECOND, "just now"],
    [MINUTE, "1 minute ago"],
    [59 * MINUTE, "59 minutes ago"],
    [HOUR, "1 hour ago"],
    [47 * HOUR, "47 hours ago"],
    [49 * HOUR, "2 days ago"],
  ])("include a unit for %i ms", (ms, words) => {
    expect(formatAge(ms)).toBe(words);
  });
});

describe("formatted numbers and lists", () => {
  it.each([
    [0, "0 splits"],
    [1, "1 split"],
    [1200, "1,200 splits"],
  ])("include the noun for %i", (number, words) => {
    expect(formatCount(number, "split")).toBe(words);
  });

  it.each([
    [[], ""],
    [["A"], "A"],
    [["A", "B"], "A and B"],
    [["A", "B", "C"], "A, B and C"],
  ])("join %j", (list, words) => {
    expect(joinList(list)).toBe(words);
  });

  it("shorten a long list to its first items and a count", () => {
    expect(joinShortList(["A", "B", "C", "D"], 2)).toBe("A, B and 2 more");
  });

  it("show user input on one line, truncated to a readable length", () => {
    expect(inQuotes("a\n  b")).toBe('"a b"');
    expect(inQuotes("x".repeat(1000), 5)).toBe('"xxxx…"');
  });

  it("truncate between characters and never exceed the limit", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 20 }), (text, max) => {
        const characters = Array.from(cutText(text, max));
        expect(characters.length).toBeLessThanOrEqual(max);
        expect(Array.from(text).slice(0, characters.length - 1)).toEqual(characters.slice(0, -1));
      }),
    );
  });
});
