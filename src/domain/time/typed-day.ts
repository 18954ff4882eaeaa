import { addDays, type Day, daysBetween, parseDay, type Weekday, weekdayOf, yearOf } from "./day.ts";

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

const WEEKDAY_NAMES = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

const MIN_NAME_LENGTH = 3;

/** Maximum number of words of a typed day: `Fri 27 Nov 2026`. */
export const MAX_DAY_WORDS = 4;

/**
 * Parses `2026-11-27`, `Nov 27`, `27 November 2026`, `Fri 27 Nov 2026` and `11/27/2026`, in any case. Without a year the day is the one
 * nearest to `today`. Undefined for other text, for days that don't exist, if the weekday is that of another day, and for `11/12/2026`,
 * whose first number is a month in some countries and a day in others.
 */
export function parseTypedDay(text: string, today: Day): Day | undefined {
  const weekday = indexOfName(wordsOf(text)[0], WEEKDAY_NAMES);
  const dayText = weekday === undefined ? text : text.replace(/^[^\s,.]+[\s,.]*/, "");
  const day = parseDay(dayText) ?? parseNumbers(dayText) ?? parseMonthAndDay(wordsOf(dayText), today);
  return day === undefined || weekday === undefined || weekdayOf(day) === weekday ? day : undefined;
}

/** Parses the name of a weekday: the first such day from `today` on. */
export function parseNextWeekday(text: string, today: Day): Day | undefined {
  const weekday = indexOfName(text.toLowerCase(), WEEKDAY_NAMES);
  return weekday === undefined ? undefined : addDays(today, (weekday - weekdayOf(today) + 7) % 7);
}

/** The Monday after `today`. */
export function nextMonday(today: Day): Day {
  const monday: Weekday = 1;
  return addDays(today, (monday - weekdayOf(today) + 7) % 7 || 7);
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[\s,.]+/)
    .filter((word) => word !== "");
}

/** Parses `11/27/2026` and `27.11.2026` if only one of the first two numbers can be the month. */
function parseNumbers(text: string): Day | undefined {
  const parts = /^(\d{1,2})([/.])(\d{1,2})\2(\d{4})$/.exec(text);
  if (parts === null) return undefined;
  const [first, second, year] = [Number(parts[1]), Number(parts[3]), Number(parts[4])];
  const [day, other] = new Set([existingDay(year, first, second), existingDay(year, second, first)].filter(isDefined));
  return other === undefined ? day : undefined;
}

function parseMonthAndDay(words: readonly string[], today: Day): Day | undefined {
  const [first, second, yearText, ...others] = words;
  const month = indexOfName(first, MONTHS) ?? indexOfName(second, MONTHS);
  const dayText = indexOfName(first, MONTHS) === undefined ? first : second;
  const dayOfMonth = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(dayText ?? "")?.[1];
  if (month === undefined || dayOfMonth === undefined || others.length > 0) return undefined;
  const inYear = (year: number): Day | undefined => existingDay(year, month + 1, Number(dayOfMonth));
  if (yearText !== undefined) return /^\d{4}$/.test(yearText) ? inYear(Number(yearText)) : undefined;
  const distance = (day: Day): number => Math.abs(daysBetween(today, day));
  return [-1, 0, 1]
    .map((offset) => inYear(yearOf(today) + offset))
    .filter((day) => day !== undefined)
    .toSorted((a, b) => distance(a) - distance(b))[0];
}

function existingDay(year: number, month: number, dayOfMonth: number): Day | undefined {
  return parseDay(`${year}-${twoDigits(month)}-${twoDigits(dayOfMonth)}`);
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}

function isDefined(day: Day | undefined): day is Day {
  return day !== undefined;
}

/** Index of the name that the word abbreviates with at least three letters. */
function indexOfName(word: string | undefined, names: readonly string[]): number | undefined {
  const index =
    word === undefined || word.length < MIN_NAME_LENGTH ? -1 : names.findIndex((name) => name.startsWith(word));
  return index < 0 ? undefined : index;
}
