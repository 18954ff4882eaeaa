import { DAY_MS, type Day, daysBetween, type Instant, MINUTE_MS } from "./day.ts";
import { createZoneParts } from "./zone-parts.ts";

/** What the clocks of a time zone show. */
export interface WallClock {
  readonly day: Day;
  /** Of the day: 0 is midnight, 1439 the minute before the next. */
  readonly minute: number;
}

export const MINUTES_PER_DAY = 1_440;

const EPOCH = "1970-01-01" as Day;

/** `zone`: an IANA time zone. Seconds are left out. */
export function wallClockAt(at: Instant, zone: string): WallClock {
  const parts = clockParts(at, zone);
  return {
    day: `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}` as Day,
    minute: Number(parts.get("hour")) * 60 + Number(parts.get("minute")),
  };
}

/**
 * The first moment at which the clocks of the zone show this minute of this day, or a later one: in a gap, as when clocks go
 * forward, its end. Of two moments that show the same the first.
 */
export function instantAt(day: Day, minute: number, zone: string): Instant {
  const wanted = asIfUtc({ day, minute });
  // No zone is further from UTC than this; clocks are changed at most once in between.
  const [from, to] = [wanted - DAY_MS, wanted + DAY_MS];
  const [before, after] = [aheadOfUtc(from, zone), aheadOfUtc(to, zone)];
  if (before === after) return wanted - before;
  const change = firstMinute(from, to, (at) => aheadOfUtc(at, zone) !== before);
  return wanted - before < change ? wanted - before : Math.max(change, wanted - after);
}

/** How far the zone's clocks are ahead of UTC at a full minute, in milliseconds. */
function aheadOfUtc(at: Instant, zone: string): number {
  return asIfUtc(wallClockAt(at, zone)) - at;
}

function asIfUtc({ day, minute }: WallClock): Instant {
  return daysBetween(EPOCH, day) * DAY_MS + minute * MINUTE_MS;
}

/** The first full minute after `from` at which it is so, where it is so from then on up to `to`. */
function firstMinute(from: Instant, to: Instant, isSo: (at: Instant) => boolean): Instant {
  let not = from;
  let so = to;
  while (so - not > MINUTE_MS) {
    const middle = not + Math.floor((so - not) / MINUTE_MS / 2) * MINUTE_MS;
    if (isSo(middle)) so = middle;
    else not = middle;
  }
  return so;
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
