import { describe, expect, it } from "vitest";
import type { Day } from "./day.ts";
import { nextMonday, parseNextWeekday, parseTypedDay } from "./typed-day.ts";

/** A Monday. */
const TODAY = "2026-11-23" as Day;

describe("a typed day", () => {
  it.each([
    ["2026-11-27", "2026-11-27"],
    ["Nov 27", "2026-11-27"],
    ["november 27th", "2026-11-27"],
    ["27 Nov", "2026-11-27"],
    ["27 Nov 2027", "2027-11-27"],
    ["Nov 27, 2026", "2026-11-27"],
    ["Fri 27 Nov 2026", "2026-11-27"],
    ["friday, nov. 27", "2026-11-27"],
    ["Fri 11/27/2026", "2026-11-27"],
    ["fri, 2026-11-27", "2026-11-27"],
    ["Sept 1", "2026-09-01"],
    ["feb 29 2028", "2028-02-29"],
    ["11/27/2026", "2026-11-27"],
    ["27.11.2026", "2026-11-27"],
    ["5/5/2027", "2027-05-05"],
  ])("%s is %s", (text, day) => {
    expect(parseTypedDay(text, TODAY)).toBe(day);
  });

  it.each([
    ["Jan 4", "2027-01-04"],
    ["May 25", "2026-05-25"],
    ["May 20", "2027-05-20"],
  ])("without a year, %s is the nearest one: %s", (text, day) => {
    expect(parseTypedDay(text, TODAY)).toBe(day);
  });

  it.each([
    "",
    "nov",
    "27",
    "feb 30",
    "nov 27 26",
    "no 27",
    "mon 27 nov 2026",
    "mon 11/27/2026",
    "27 nov 2026 10",
    "11/12/2026",
    "31/31/2026",
    "11/27.2026",
    "friday",
  ])("%j is none", (text) => {
    expect(parseTypedDay(text, TODAY)).toBeUndefined();
  });
});

describe("a weekday", () => {
  it.each([
    ["mon", "2026-11-23"],
    ["Friday", "2026-11-27"],
    ["sun", "2026-11-29"],
    ["fr", undefined],
    ["someday", undefined],
  ])("%s is the first from today on: %s", (text, day) => {
    expect(parseNextWeekday(text, TODAY)).toBe(day);
  });
});

describe("the next Monday", () => {
  it.each([
    ["2026-11-23", "2026-11-30"],
    ["2026-11-28", "2026-11-30"],
    ["2026-11-29", "2026-11-30"],
  ])("after %s is %s", (today, monday) => {
    expect(nextMonday(today as Day)).toBe(monday);
  });
});
