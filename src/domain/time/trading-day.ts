import { type Exchange, followsUsTradingDays } from "../split/exchange.ts";
import { addDays, type Day, daysBetween, makeDay, type Weekday, weekdayOf, yearOf } from "./day.ts";

/** `half`: the exchange closes early, at 13:00 in New York. It counts as a trading day. */
export type TradingDayKind = "open" | "half" | "closed";

/** The zone of the US exchanges: "today" of a trading day is today there. */
export const MARKET_ZONE = "America/New_York";

/** True where holidays are known. Elsewhere every weekday counts as a trading day. */
export function hasKnownHolidays(exchange: Exchange): boolean {
  return followsUsTradingDays(exchange);
}

/** The rules for the US hold from 1998 on. */
export function tradingDayKind(exchange: Exchange, day: Day): TradingDayKind {
  if (isWeekend(day)) return "closed";
  if (!hasKnownHolidays(exchange)) return "open";
  const year = yearOf(day);
  if (usClosings(year).includes(day)) return "closed";
  return usHalfDays(year).includes(day) ? "half" : "open";
}

/** How many trading days `to` lies after `from`: 1 when it is the next one, 0 when it is the same day or a past one. */
export function tradingDaysUntil(exchange: Exchange, from: Day, to: Day): number {
  if (to <= from) return 0;
  const weekdays = weekdaysThrough(to) - weekdaysThrough(from);
  return hasKnownHolidays(exchange) ? weekdays - usClosingsWithin(from, to) : weekdays;
}

/** The n-th trading day before `day`, whether `day` is a trading day or not; `day` itself for 0. */
export function tradingDayBefore(exchange: Exchange, day: Day, n: number): Day {
  let found = day;
  for (let left = n; left > 0; left -= 1) {
    do {
      found = addDays(found, -1);
    } while (tradingDayKind(exchange, found) === "closed");
  }
  return found;
}

/** Closings that no rule foretells: attacks, storms and days of mourning. */
const ONE_OFF_CLOSINGS: readonly string[] = [
  "2001-09-11",
  "2001-09-12",
  "2001-09-13",
  "2001-09-14",
  "2004-06-11",
  "2007-01-02",
  "2012-10-29",
  "2012-10-30",
  "2018-12-05",
  "2025-01-09",
];

const SUNDAY = 0;
const MONDAY = 1;
const THURSDAY = 4;
const SATURDAY = 6;

/** A Monday from which weekdays are counted; any would do. */
const COUNT_FROM = makeDay(1900, 1, 1);

const closingsByYear = new Map<number, readonly Day[]>();

/** The weekdays of a year on which the US exchanges stay closed. */
function usClosings(year: number): readonly Day[] {
  const known = closingsByYear.get(year);
  if (known) return known;
  const made = [...yearlyHolidays(year), ...oneOffClosings(year)].filter((day) => !isWeekend(day));
  closingsByYear.set(year, made);
  return made;
}

function yearlyHolidays(year: number): Day[] {
  return [
    newYearsDay(year),
    ...(year >= 1998 ? [nthWeekday(year, 1, MONDAY, 3)] : []), // Martin Luther King Jr. Day
    nthWeekday(year, 2, MONDAY, 3), // Washington's Birthday
    addDays(easterSunday(year), -2), // Good Friday
    lastMondayOfMay(year), // Memorial Day
    ...(year >= 2022 ? [observed(makeDay(year, 6, 19))] : []), // Juneteenth
    observed(makeDay(year, 7, 4)), // Independence Day
    nthWeekday(year, 9, MONDAY, 1), // Labor Day
    thanksgiving(year),
    observed(makeDay(year, 12, 25)), // Christmas Day
  ];
}

function oneOffClosings(year: number): Day[] {
  return ONE_OFF_CLOSINGS.filter((day) => day.startsWith(`${year}-`)) as Day[];
}

/** The eves of Independence Day and Christmas and the day after Thanksgiving, where they are trading days at all. */
function usHalfDays(year: number): Day[] {
  return [makeDay(year, 7, 3), addDays(thanksgiving(year), 1), makeDay(year, 12, 24)];
}

function usClosingsWithin(after: Day, through: Day): number {
  let count = 0;
  for (let year = yearOf(after); year <= yearOf(through); year += 1) {
    count += usClosings(year).filter((day) => day > after && day <= through).length;
  }
  return count;
}

/** A holiday on a Saturday is kept on the Friday before, one on a Sunday on the Monday after. */
function observed(day: Day): Day {
  const weekday = weekdayOf(day);
  if (weekday === SATURDAY) return addDays(day, -1);
  return weekday === SUNDAY ? addDays(day, 1) : day;
}

/** A New Year's Day on a Saturday is not made up for: that Friday closes the books of the old year. */
function newYearsDay(year: number): Day {
  const day = makeDay(year, 1, 1);
  return weekdayOf(day) === SATURDAY ? day : observed(day);
}

function thanksgiving(year: number): Day {
  return nthWeekday(year, 11, THURSDAY, 4);
}

function lastMondayOfMay(year: number): Day {
  return addDays(nthWeekday(year, 6, MONDAY, 1), -7);
}

function nthWeekday(year: number, month: number, weekday: Weekday, n: number): Day {
  const first = makeDay(year, month, 1);
  return addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + (n - 1) * 7);
}

/** The Gregorian computus of Meeus, Jones and Butcher. The letters are theirs. */
function easterSunday(year: number): Day {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return makeDay(year, Math.floor(n / 31), (n % 31) + 1);
}

/** How many weekdays lie between `COUNT_FROM` and `day`, `day` among them; negative before that. */
function weekdaysThrough(day: Day): number {
  const days = daysBetween(COUNT_FROM, day) + 1;
  const weeks = Math.floor(days / 7);
  return weeks * 5 + Math.min(days - weeks * 7, 5);
}

function isWeekend(day: Day): boolean {
  const weekday = weekdayOf(day);
  return weekday === SATURDAY || weekday === SUNDAY;
}
