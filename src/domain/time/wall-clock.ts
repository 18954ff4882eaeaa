import { createZoneParts, DAY_MS, type Day, daysBetween, type Instant, MINUTE_MS, makeDay } from "./day.ts";

/** Local date and time of day in a time zone. */
export interface WallClock {
  readonly day: Day;
  /** Minute of the day, from 0 to 1439. */
  readonly minute: number;
}

export const MINUTES_PER_DAY = 1_440;

const EPOCH = makeDay(1970, 1, 1);

/** Local time of an instant in an IANA time zone, truncated to the minute. */
export function wallClockAt(at: Instant, zone: string): WallClock {
  const parts = clockParts(at, zone);
  return {
    day: makeDay(Number(parts.get("year")), Number(parts.get("month")), Number(parts.get("day"))),
    minute: Number(parts.get("hour")) * 60 + Number(parts.get("minute")),
  };
}

/**
 * First instant at which the zone's clocks show this minute of this day or, if a DST change skips it, the next minute that
 * exists. If a DST change repeats the minute, returns its first occurrence.
 */
export function instantAt(day: Day, minute: number, zone: string): Instant {
  const utcInstant = instantInUtc({ day, minute });
  // No zone is more than a day from UTC, and at most one clock change falls into this range.
  const [from, to] = [utcInstant - DAY_MS, utcInstant + DAY_MS];
  const [offsetBefore, offsetAfter] = [offsetFromUtcMs(from, zone), offsetFromUtcMs(to, zone)];
  if (offsetBefore === offsetAfter) return utcInstant - offsetBefore;
  const changeAt = firstMinute(from, to, (at) => offsetFromUtcMs(at, zone) !== offsetBefore);
  return utcInstant - offsetBefore < changeAt
    ? utcInstant - offsetBefore
    : Math.max(changeAt, utcInstant - offsetAfter);
}

/** UTC offset of the zone at a full minute, in milliseconds. */
function offsetFromUtcMs(at: Instant, zone: string): number {
  return instantInUtc(wallClockAt(at, zone)) - at;
}

/** Instant at which UTC clocks show this time. */
function instantInUtc({ day, minute }: WallClock): Instant {
  return daysBetween(EPOCH, day) * DAY_MS + minute * MINUTE_MS;
}

/** Binary search for the first full minute in (`from`, `to`] that matches; every later minute up to `to` must match too. */
function firstMinute(from: Instant, to: Instant, matches: (at: Instant) => boolean): Instant {
  let low = from;
  let high = to;
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / MINUTE_MS / 2) * MINUTE_MS;
    if (matches(middle)) high = middle;
    else low = middle;
  }
  return high;
}

const clockParts = createZoneParts({
  calendar: "iso8601",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
