import { z } from "zod";

export const daySchema = z.iso.date().brand<"Day">();

/** A calendar day, `YYYY-MM-DD`. Days in this form can be compared as strings. */
export type Day = z.infer<typeof daySchema>;

/** JavaScript's dates reach this many milliseconds before and after 1970. */
const MAX_INSTANT = 8.64e15;

export const instantSchema = z.number().min(-MAX_INSTANT).max(MAX_INSTANT);

/** Milliseconds since 1970-01-01T00:00Z. */
export type Instant = z.infer<typeof instantSchema>;

/** 0 is Sunday, 6 is Saturday. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const WEEKDAYS: readonly Weekday[] = [0, 1, 2, 3, 4, 5, 6];
const DAY_FORM = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Parses `YYYY-MM-DD`; undefined for other text and for days that do not exist, such as 2026-02-30. */
export function parseDay(text: string): Day | undefined {
  const parts = DAY_FORM.exec(text);
  if (!parts) return undefined;
  const day = dayFromNumber(daysFromCivil(Number(parts[1]), Number(parts[2]), Number(parts[3])));
  return day === text ? day : undefined;
}

/** Returns the day `days` later, or earlier if negative; the first or last day of the years 0 to 9999 if it is outside them. */
export function addDays(day: Day, days: number): Day {
  return dayFromNumber(dayNumber(day) + days);
}

/** Number of calendar days from `from` to `to`; negative if `to` is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return dayNumber(to) - dayNumber(from);
}

export function weekdayOf(day: Day): Weekday {
  // Day number 0, 1970-01-01, was a Thursday.
  return WEEKDAYS[(((dayNumber(day) + 4) % 7) + 7) % 7] ?? 0;
}

/** The last result of `dayInZone` by zone. A day begins on a whole minute in every zone. */
const latestDays = new Map<string, { readonly minute: number; readonly day: Day }>();

/** Calendar day of an instant in an IANA time zone. Repeated calls within a minute cost no formatting. */
export function dayInZone(at: Instant, zone: string): Day {
  const minute = Math.floor(at / MINUTE_MS);
  const latest = latestDays.get(zone);
  if (latest?.minute === minute) return latest.day;
  const parts = dayParts(at, zone);
  const day = makeDay(Number(parts.get("year")), Number(parts.get("month")), Number(parts.get("day")));
  latestDays.set(zone, { minute, day });
  return day;
}

export function makeDay(year: number, month: number, dayOfMonth: number): Day {
  return dayFromNumber(daysFromCivil(year, month, dayOfMonth));
}

export function yearOf(day: Day): number {
  return Number(day.slice(0, 4));
}

/** Returns the calendar and clock fields of an instant in an IANA time zone, keyed by the part types of Intl. */
export type ZoneParts = (at: Instant, zone: string) => ReadonlyMap<string, string>;

/** Creates a function that caches one formatter per zone, because creating a formatter is expensive. */
export function createZoneParts(options: Intl.DateTimeFormatOptions): ZoneParts {
  const formatters = new Map<string, Intl.DateTimeFormat>();
  const formatterFor = (zone: string): Intl.DateTimeFormat => {
    const cached = formatters.get(zone);
    if (cached) return cached;
    const formatter = new Intl.DateTimeFormat("en-US", { ...options, timeZone: zone });
    formatters.set(zone, formatter);
    return formatter;
  };
  return (at, zone) =>
    new Map(
      formatterFor(zone)
        .formatToParts(at)
        .map((part) => [part.type, part.value]),
    );
}

const dayParts = createZoneParts({ calendar: "iso8601", year: "numeric", month: "2-digit", day: "2-digit" });

function dayNumber(day: Day): number {
  return daysFromCivil(Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8, 10)));
}

/** Days since 1970-01-01 in the Gregorian calendar, see http://howardhinnant.github.io/date_algorithms.html */
function daysFromCivil(year: number, month: number, dayOfMonth: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + dayOfMonth - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** 0000-01-01 and 9999-12-31: a `Day` has a year of four digits. */
const [FIRST_DAY_NUMBER, LAST_DAY_NUMBER] = [daysFromCivil(0, 1, 1), daysFromCivil(9_999, 12, 31)];

/** Inverse of `daysFromCivil`, limited to the first and last day of the years 0 to 9999. */
function dayFromNumber(days: number): Day {
  const shifted = Math.min(Math.max(days, FIRST_DAY_NUMBER), LAST_DAY_NUMBER) + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(dayOfMonth, 2)}` as Day;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, "0");
}
