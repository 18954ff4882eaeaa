import { type Exchange, followsUsTradingDays } from "../split/exchange.ts";
import { addDays, type Day, daysBetween, makeDay, type Weekday, weekdayOf, yearOf } from "./day.ts";

/** `half`: a trading day on which the exchange closes at 13:00 in New York. */
export type TradingDayKind = "open" | "half" | "closed";

/** Time zone of the US exchanges; determines the current trading day. */
export const MARKET_ZONE = "America/New_York";

/** Whether holidays of the exchange are known; if not, every weekday counts as a trading day. */
export function hasKnownHolidays(exchange: Exchange): boolean {
  return followsUsTradingDays(exchange);
}

/** Kind of a day on an exchange. The rules for US holidays are valid from 1998. */
export function tradingDayKind(exchange: Exchange, day: Day): TradingDayKind {
  if (isWeekend(day)) return "closed";
  if (!hasKnownHolidays(exchange)) return "open";
  const year = yearOf(day);
  if (usClosings(year).includes(day)) return "closed";
  return usHalfDays(year).includes(day) ? "half" : "open";
}

/** Number of trading days after `from`, up to and including `to`; 0 if `to` is not after `from`. */
export function tradingDaysUntil(exchange: Exchange, from: Day, to: Day): number {
  if (to <= from) return 0;
  const weekdays = weekdaysThrough(to) - weekdaysThrough(from);
  return hasKnownHolidays(exchange) ? weekdays - usClosingsWithin(from, to) : weekdays;
}

/** The n-th trading day before `day`, which need not be a trading day itself; `day` if n is 0. */
export function tradingDayBefore(exchange: Exchange, day: Day, n: number): Day {
  let candidate = day;
  for (let remaining = n; remaining > 0; remaining -= 1)
    candidate = nearestTradingDay(exchange, candidate, -1) ?? candidate;
  return candidate;
}

/** The first trading day after `day`, which need not be a trading day itself; null after the last one of the year 9999. */
export function nextTradingDay(exchange: Exchange, day: Day): Day | null {
  return nearestTradingDay(exchange, day, 1);
}

/** The first trading day in one direction; null if the years that a `Day` can name contain none. */
function nearestTradingDay(exchange: Exchange, day: Day, step: 1 | -1): Day | null {
  for (let from = day; ; ) {
    const candidate = addDays(from, step);
    if (candidate === from) return null;
    if (tradingDayKind(exchange, candidate) !== "closed") return candidate;
    from = candidate;
  }
}

/** Unscheduled closings: attacks, storms and days of mourning. */
const ONE_OFF_CLOSINGS: readonly Day[] = [
  makeDay(2001, 9, 11),
  makeDay(2001, 9, 12),
  makeDay(2001, 9, 13),
  makeDay(2001, 9, 14),
  makeDay(2004, 6, 11),
  makeDay(2007, 1, 2),
  makeDay(2012, 10, 29),
  makeDay(2012, 10, 30),
  makeDay(2018, 12, 5),
  makeDay(2025, 1, 9),
];

const SUNDAY = 0;
const MONDAY = 1;
const THURSDAY = 4;
const SATURDAY = 6;

/** Arbitrary Monday from which weekdays are counted. */
const REFERENCE_MONDAY = makeDay(1900, 1, 1);

const closingsByYear = new Map<number, readonly Day[]>();

/** Weekdays of a year on which the US exchanges are closed. */
function usClosings(year: number): readonly Day[] {
  const cached = closingsByYear.get(year);
  if (cached) return cached;
  const closings = [...yearlyHolidays(year), ...oneOffClosings(year)].filter((day) => !isWeekend(day));
  closingsByYear.set(year, closings);
  return closings;
}

function yearlyHolidays(year: number): Day[] {
  return [
    newYearsDay(year),
    ...(year >= 1998 ? [nthWeekday(year, 1, MONDAY, 3)] : []), // Martin Luther King Jr. Day
    nthWeekday(year, 2, MONDAY, 3), // Washington's Birthday
    addDays(easterSunday(year), -2), // Good Friday
    lastMondayOfMay(year), // Memorial Day
    ...(year >= 2022 ? [observedDay(makeDay(year, 6, 19))] : []), // Juneteenth
    observedDay(makeDay(year, 7, 4)), // Independence Day
    nthWeekday(year, 9, MONDAY, 1), // Labor Day
    thanksgiving(year),
    observedDay(makeDay(year, 12, 25)), // Christmas Day
  ];
}

function oneOffClosings(year: number): Day[] {
  return ONE_OFF_CLOSINGS.filter((day) => yearOf(day) === year);
}

/** Days with an early close. Includes days on which the exchange is closed in that year. */
function usHalfDays(year: number): Day[] {
  return [makeDay(year, 7, 3), addDays(thanksgiving(year), 1), makeDay(year, 12, 24)];
}

function usClosingsWithin(after: Day, through: Day): number {
  const [first, last] = [yearOf(after), yearOf(through)];
  const years = first === last ? [first] : [first, last];
  let count = years.flatMap(usClosings).filter((day) => day > after && day <= through).length;
  for (let year = first + 1; year < last; year += 1) count += usClosings(representativeYear(year)).length;
  return count;
}

/** The Gregorian calendar repeats after this number of years, weekdays included. */
const CALENDAR_CYCLE = 400;
/** The holiday rules change, and one-off closings occur, only between these two years. */
const [LAST_EARLY_YEAR, FIRST_LATE_YEAR] = [1997, 2026];

/** A year with the same number of closings, from a limited range: a date in the far future or past needs few calculated years. */
function representativeYear(year: number): number {
  if (year > FIRST_LATE_YEAR) return FIRST_LATE_YEAR + ((year - FIRST_LATE_YEAR) % CALENDAR_CYCLE);
  if (year < LAST_EARLY_YEAR) return LAST_EARLY_YEAR - ((LAST_EARLY_YEAR - year) % CALENDAR_CYCLE);
  return year;
}

/** Saturday holidays are observed on Friday, Sunday holidays on Monday. */
function observedDay(day: Day): Day {
  const weekday = weekdayOf(day);
  if (weekday === SATURDAY) return addDays(day, -1);
  return weekday === SUNDAY ? addDays(day, 1) : day;
}

/** New Year's Day on a Saturday is not observed: the Friday before it is the last trading day of the year. */
function newYearsDay(year: number): Day {
  const day = makeDay(year, 1, 1);
  return weekdayOf(day) === SATURDAY ? day : observedDay(day);
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

/** Meeus/Jones/Butcher algorithm, with its original variable names. */
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

/** Number of weekdays from `REFERENCE_MONDAY` through `day`; negative for earlier days. */
function weekdaysThrough(day: Day): number {
  const days = daysBetween(REFERENCE_MONDAY, day) + 1;
  const weeks = Math.floor(days / 7);
  return weeks * 5 + Math.min(days - weeks * 7, 5);
}

function isWeekend(day: Day): boolean {
  const weekday = weekdayOf(day);
  return weekday === SATURDAY || weekday === SUNDAY;
}
