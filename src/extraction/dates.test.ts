import { assert, constantFrom, integer, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays, type Day, parseDay } from "../domain/time/day.ts";
import { findDates } from "./dates.ts";

const NEAR = parseDay("2026-04-20") ?? null;

function datesIn(plain: string, near: Day | null = NEAR): string {
  return findDates(plain, near)
    .map(({ day, hasWrongWeekday }) => `${day}${hasWrongWeekday ? "!" : ""}`)
    .join(" ");
}

describe("findDates", () => {
  it.each([
    "Monday, May 4, 2026",
    "Monday May 4, 2026",
    "Mon., May 4, 2026",
    "May 4, 2026 (Monday)",
    "May 04, 2026",
    "May 4 2026",
    "May 4th, 2026",
    "MAY 4, 2026",
    "May 4",
    "May4,2026",
    "onMay4,2026",
    "May 4 , 2026",
    "May 4, 20 26",
    "4 May 2026",
    "4th of May, 2026",
    "the 4th day of May 2026",
    "4-May-2026",
    "2026-05-04",
    "2026/05/04",
    "5/4/2026",
    "05/04/26",
    "le lundi 4 mai 2026",
    "4mai2026",
  ])("parses %s", (text) => {
    expect(datesIn(`begins on ${text}, we think`)).toBe("2026-05-04");
  });

  it.each([
    ["Jan. 29, 2026", "2026-01-29"],
    ["Sept. 5th, 2026", "2026-09-05"],
    ["Sep 5, 2026", "2026-09-05"],
    ["Decem ber 1 5, 2026", "2026-12-15"],
    ["1er juillet 2026", "2026-07-01"],
    ["5 août 2026", "2026-08-05"],
    ["3 février 2026", "2026-02-03"],
    ["12 décembre 2026", "2026-12-12"],
    ["mardi 5 mai 2026", "2026-05-05"],
    ["February 29, 2028", "2028-02-29"],
  ])("parses the notation %s", (text, day) => {
    expect(datesIn(text)).toBe(day);
  });

  it.each([
    ["an impossible day", "February 30, 2026"],
    ["a month and a year", "in May 2026"],
    ["a time", "on May 4:30"],
    ["a verb", "holders may 4 times"],
    ["a number", "March 5,000 shares"],
    ["a ratio", "1/40 and 13/45/2026"],
    ["a price", "May 4.50"],
    ["a share", "March 5%"],
    ["the end of a word", "a Junta 5, 2026"],
    ["a proposal", "Proposal 2 May Be Adopted"],
    ["a title", "Form 10 March Report"],
  ])("ignores %s", (_, text) => {
    expect(datesIn(text)).toBe("");
  });

  it("resolves a date without a year to the one nearest to the release", () => {
    expect(datesIn("January 5", parseDay("2025-12-29"))).toBe("2026-01-05");
    expect(datesIn("December 29", parseDay("2026-01-05"))).toBe("2025-12-29");
    expect(datesIn("January 5", null)).toBe("");
    expect(datesIn("effective 5 January.", parseDay("2025-12-29"))).toBe("2026-01-05");
    expect(datesIn("effective 5 January.", null)).toBe("");
    expect(datesIn("on 5 January 2024", parseDay("2025-12-29"))).toBe("2024-01-05");
  });

  it.each(["Tuesday, May 4, 2026", "May 4, 2026 (Tuesday)", "mardi 4 mai 2026"])(
    "marks a date with the weekday of another day: %s",
    (text) => {
      expect(datesIn(text)).toBe("2026-05-04!");
    },
  );

  it("returns dates in text order, including their weekdays", () => {
    const text = "from 2026-04-30 to Monday, May 4, 2026 or 5 May 2026";
    expect(findDates(text, null).map(({ start, end }) => text.slice(start, end))).toEqual([
      "2026-04-30",
      "Monday, May 4, 2026",
      "5 May 2026",
    ]);
  });

  it("finds any date in every notation", () => {
    const names = "January February March April May June July August September October November December".split(" ");
    const start = parseDay("1998-01-01");
    assert(
      property(integer({ min: 0, max: 15_000 }), constantFrom("mdy", "dmy"), (days, order) => {
        const day = start && addDays(start, days);
        if (day === undefined) return;
        const [year = "", month = "", date = ""] = day.split("-");
        const name = names[Number(month) - 1] ?? "";
        const text = order === "mdy" ? `${name} ${Number(date)}, ${year}` : `${Number(date)} ${name} ${year}`;
        expect(datesIn(`on ${text}.`)).toBe(day);
      }),
    );
  });
});
