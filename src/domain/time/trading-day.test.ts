import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { day, exchange } from "../../../test/support/builders.ts";
import { growthFactor } from "../../../test/support/timing.ts";
import { addDays, type Day, makeDay, weekdayOf, yearOf } from "./day.ts";
import { hasKnownHolidays, nextTradingDay, tradingDayBefore, tradingDayKind, tradingDaysUntil } from "./trading-day.ts";

const NYSE = exchange("NYSE");
const TSX = exchange("TSX");

/** Month and day of each closing and each early close, copied from the exchange's published calendars. */
const PUBLISHED: readonly { year: number; closed: string; half: string }[] = [
  {
    year: 2019,
    closed: "01-01 01-21 02-18 04-19 05-27 07-04 09-02 11-28 12-25",
    half: "07-03 11-29 12-24",
  },
  {
    year: 2020,
    closed: "01-01 01-20 02-17 04-10 05-25 07-03 09-07 11-26 12-25",
    half: "11-27 12-24",
  },
  {
    year: 2021,
    closed: "01-01 01-18 02-15 04-02 05-31 07-05 09-06 11-25 12-24",
    half: "11-26",
  },
  {
    year: 2022,
    closed: "01-17 02-21 04-15 05-30 06-20 07-04 09-05 11-24 12-26",
    half: "11-25",
  },
  {
    year: 2023,
    closed: "01-02 01-16 02-20 04-07 05-29 06-19 07-04 09-04 11-23 12-25",
    half: "07-03 11-24",
  },
  {
    year: 2024,
    closed: "01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25",
    half: "07-03 11-29 12-24",
  },
  {
    year: 2025,
    closed: "01-01 01-09 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25",
    half: "07-03 11-28 12-24",
  },
  {
    year: 2026,
    closed: "01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25",
    half: "11-27 12-24",
  },
  {
    year: 2027,
    closed: "01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24",
    half: "11-26",
  },
  {
    year: 2028,
    closed: "01-17 02-21 04-14 05-29 06-19 07-04 09-04 11-23 12-25",
    half: "07-03 11-24",
  },
];

describe("tradingDayKind", () => {
  it.each(PUBLISHED)("matches the published closings and early closes of $year", ({ year, closed, half }) => {
    const weekdays = daysOf(year).filter((date) => weekdayOf(date) % 6 !== 0);
    const ofKind = (kind: string) => weekdays.filter((date) => tradingDayKind(NYSE, date) === kind);
    expect(ofKind("closed").map((date) => date.slice(5))).toEqual(closed.split(" "));
    expect(ofKind("half").map((date) => date.slice(5))).toEqual(half.split(" "));
  });

  it.each([
    ["2001-09-11", "the attacks of September 2001"],
    ["2004-06-11", "the mourning for Reagan"],
    ["2007-01-02", "the mourning for Ford"],
    ["2012-10-29", "hurricane Sandy, first day"],
    ["2012-10-30", "hurricane Sandy, second day"],
    ["2018-12-05", "the mourning for George H. W. Bush"],
    ["2025-01-09", "the mourning for Carter"],
  ])("was closed on %s for %s", (date) => {
    expect(tradingDayKind(NYSE, day(date))).toBe("closed");
  });

  it.each([
    ["1997-01-20", "open", "Martin Luther King Jr. Day was not observed before 1998"],
    ["1998-01-19", "closed", "Martin Luther King Jr. Day, observed since 1998"],
    ["2021-06-18", "open", "Juneteenth was not observed before 2022"],
    ["2021-12-31", "open", "a New Year's Day on a Saturday is not observed on the Friday"],
    ["2024-03-31", "closed", "Easter Sunday is a Sunday"],
    ["2022-12-23", "open", "no early close before a Christmas on Sunday"],
    ["2026-07-02", "open", "no early close before a closed July 3"],
  ])("%s is %s: %s", (date, kind) => {
    expect(tradingDayKind(NYSE, day(date))).toBe(kind);
  });

  it.each(["NASDAQ", "NYSE", "NYSEAMERICAN", "NYSEARCA", "CBOE", "OTC"])("knows the holidays of %s", (name) => {
    expect(tradingDayKind(exchange(name), day("2026-12-25"))).toBe("closed");
    expect(hasKnownHolidays(exchange(name))).toBe(true);
  });

  it("uses weekdays only for other exchanges", () => {
    expect(tradingDayKind(TSX, day("2026-12-25"))).toBe("open");
    expect(tradingDayKind(TSX, day("2026-12-24"))).toBe("open");
    expect(tradingDayKind(TSX, day("2026-12-26"))).toBe("closed");
    expect(hasKnownHolidays(TSX)).toBe(false);
  });
});

describe("tradingDaysUntil", () => {
  it.each([
    ["2026-03-02", "2026-03-03", 1, "the next day"],
    ["2026-03-06", "2026-03-09", 1, "Friday to Monday"],
    ["2026-03-07", "2026-03-09", 1, "Saturday to Monday"],
    ["2026-04-02", "2026-04-06", 1, "over Good Friday and a weekend"],
    ["2026-11-25", "2026-11-27", 1, "a half day counts"],
    ["2026-03-02", "2026-03-09", 5, "a week"],
    ["2026-12-31", "2027-01-04", 1, "over New Year's Day"],
    ["2025-01-01", "2026-01-01", 250, "all trading days of 2025"],
    ["2026-03-02", "2026-03-02", 0, "the same day"],
    ["2026-03-02", "2026-02-27", 0, "a past day"],
    ["2026-03-06", "2026-03-08", 0, "a Sunday right after a Friday"],
  ])("from %s to %s is %i: %s", (from, to, days) => {
    expect(tradingDaysUntil(NYSE, day(from), day(to))).toBe(days);
  });

  it("counts weekdays if holidays are unknown", () => {
    expect(tradingDaysUntil(TSX, day("2026-04-02"), day("2026-04-06"))).toBe(2);
  });

  it("equals the number of trading days counted one by one", () => {
    const start = makeDay(1999, 1, 1);
    fc.assert(
      fc.property(fc.nat(20_000), fc.nat(500), fc.constantFrom(NYSE, TSX), (offset, length, where) => {
        const from = addDays(start, offset);
        const between = Array.from({ length }, (_, index) => addDays(from, index + 1));
        const expected = between.filter((date) => tradingDayKind(where, date) !== "closed").length;
        expect(tradingDaysUntil(where, from, addDays(from, length))).toBe(expected);
      }),
    );
  });

  it("counts the trading days of 8,000 years exactly", () => {
    expect(tradingDaysUntil(NYSE, day("2026-11-23"), day("9999-12-31"))).toBe(2_001_468);
    expect(tradingDaysUntil(NYSE, day("0001-01-01"), day("2026-11-23"))).toBe(512_564);
  });

  it("takes little longer for a date in 8,000 years than for a near one", async () => {
    const [nearYear, farYear] = [2_050, 9_999];
    const count = (size: number): void => {
      const to = makeDay(size === 1 ? nearYear : farYear, 12, 31);
      for (let n = 0; n < 300; n += 1) tradingDaysUntil(NYSE, day("2026-11-23"), to);
    };
    expect(await growthFactor(count, 1)).toBeLessThan(6);
  });
});

describe("tradingDayBefore", () => {
  it.each([
    ["2026-03-10", 0, "2026-03-10"],
    ["2026-03-10", 1, "2026-03-09"],
    ["2026-03-09", 1, "2026-03-06"],
    ["2026-03-08", 1, "2026-03-06"],
    ["2026-03-08", 0, "2026-03-08"],
    ["2026-04-06", 1, "2026-04-02"],
    ["2026-11-30", 1, "2026-11-27"],
    ["2026-11-30", 2, "2026-11-25"],
    ["2027-01-04", 1, "2026-12-31"],
    ["2026-03-10", 5, "2026-03-03"],
  ])("%s minus %i is %s", (date, n, expected) => {
    expect(tradingDayBefore(NYSE, day(date), n)).toBe(expected);
  });

  it.each(["0000-01-01", "0000-01-03", "0000-01-04"])("%s minus 3 is the first day of all or later", (date) => {
    const before = tradingDayBefore(NYSE, day(date), 3);
    expect(before >= "0000-01-01" && before <= date).toBe(true);
  });

  it("returns a trading day the given number of trading days before", () => {
    const start = makeDay(1999, 1, 1);
    fc.assert(
      fc.property(fc.nat(15_000), fc.integer({ min: 1, max: 30 }), (offset, n) => {
        const date = addDays(start, offset);
        const before = tradingDayBefore(NYSE, date, n);
        expect(tradingDayKind(NYSE, before)).not.toBe("closed");
        const countOfDate = tradingDayKind(NYSE, date) === "closed" ? 0 : 1;
        expect(tradingDaysUntil(NYSE, before, date)).toBe(n - 1 + countOfDate);
      }),
    );
  });
});

describe("nextTradingDay", () => {
  it.each([
    ["2026-03-09", "2026-03-10"],
    ["2026-03-06", "2026-03-09"],
    ["2026-03-07", "2026-03-09"],
    ["2026-04-02", "2026-04-06"],
    ["2026-12-31", "2027-01-04"],
  ])("after %s is %s", (date, expected) => {
    expect(nextTradingDay(NYSE, day(date))).toBe(expected);
  });

  it("is null after the last trading day of the year 9999", () => {
    expect(nextTradingDay(NYSE, day("9999-12-30"))).toBe("9999-12-31");
    expect(nextTradingDay(NYSE, day("9999-12-31"))).toBeNull();
  });
});

function daysOf(year: number): Day[] {
  const first = makeDay(year, 1, 1);
  return Array.from({ length: 366 }, (_, index) => addDays(first, index)).filter((date) => yearOf(date) === year);
}
