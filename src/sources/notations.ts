import type { Ratio } from "../domain/split/ratio.ts";
import { type Day, HOUR_MS, type Instant, MINUTE_MS, parseDay } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { instantAt } from "../domain/time/wall-clock.ts";
import { findDates } from "../extraction/dates.ts";
import { normalizeNumbers, parseWholeRatio } from "../extraction/number-words.ts";

/** Maximum length of a field or cell in characters. A longer text is prose and states nothing. */
const MAX_LENGTH = 100;

/**
 * Parses the ratio of a reverse split in a field or cell, new:old: `1:100`, `1.0 : 2.5`, `1-1,000`, `1/20`, `one-for-twenty`,
 * `1 for 20`. Null for a forward split, equal numbers and other texts.
 */
export function parseSplitRatio(text: string): Ratio | null {
  return parseWholeRatio(normalizeNumbers(plainField(text)));
}

/** The usual notation, which needs no search: some lists have thousands of rows. */
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d\S{0,30})?$/;
/** `20261006`, `20261005T141120`, `20261005141120` */
const COMPACT = /^(20\d\d)(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d))?(?!\d)/;

const MONTH_ABOVE_12 = /(?<!\d)(?:1[3-9]|[23]\d)\/\d{1,2}\/\d/;

/**
 * Parses the day in a field or cell, with or without a time: `2026-10-06 00:00:00.0`, `10/6/2026`, `Tue, Oct 6, 2026`,
 * `6 October 2026`, `20261006`. Null for other texts, for days that don't exist, and if the weekday is that of another day.
 */
export function parseFieldDay(text: string): Day | null {
  const iso = ISO.exec(text)?.[1];
  if (iso !== undefined) return parseDay(iso) ?? null;
  const spelled = plainField(text)
    .replace(COMPACT, "$1-$2-$3 ")
    // A month in lower case is a word in prose, as in `may 5`.
    .replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
  // Of fields in the order of another country, those with a day up to 12 would be read as another day.
  if (MONTH_ABOVE_12.test(spelled)) return null;
  const [first, ...others] = findDates(spelled, null);
  return first === undefined || first.hasWrongWeekday || others.length > 0 ? null : first.day;
}

const TIME = /(?<![\d:])(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d{0,6})?)?(?![\d:])(?: ?([ap])\.?m\b\.?)?/i;

/** Parses the time of day in a field or cell: `19:50:00.000`, `7:50 PM`. Returns milliseconds since midnight; null: none. */
export function parseTimeOfDay(text: string): number | null {
  return timeIn(plainField(text).replace(COMPACT, "$4:$5:$6"))?.sinceMidnightMs ?? null;
}

interface TimeOfDay {
  readonly sinceMidnightMs: number;
  /** Text after the time. */
  readonly rest: string;
}

function timeIn(plain: string): TimeOfDay | null {
  const match = TIME.exec(plain);
  if (match === null) return null;
  const [all, hours, minutes, seconds = "0", decimals = "0", half] = match;
  const isValid = Number(minutes) < 60 && Number(seconds) < 60 && Number(hours) < (half === undefined ? 24 : 13);
  if (!isValid || (half !== undefined && Number(hours) === 0)) return null;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  const sinceMidnightMs =
    hour * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * 1_000 + Number(decimals.padEnd(3, "0"));
  return { sinceMidnightMs, rest: plain.slice(match.index + all.length) };
}

const OFFSET = /^ ?(?:GMT|UTC)?([+-])(\d\d):?(\d\d)(?!\d)/;
const UTC = /^ ?(?:Z|GMT|UTC?)(?![A-Za-z])/;
const NEW_YORK = /^ ?(?:E[SD]?T(?![A-Za-z])|Eastern\b)/;
const ANY_ZONE = /^ ?(?:[A-Z]{1,5}(?![A-Za-z])|[+-]\d)/;

/**
 * Parses the time in a field or cell: `2026-10-05T14:11:20-04:00`, `2026-10-05 14:11:20.0`, `10/5/2026 2:11 PM ET`. A time
 * without a zone is New York time. Null without a time of day, for other zones and for other texts.
 */
export function parseFieldTime(text: string): Instant | null {
  const day = parseFieldDay(text);
  const time = timeIn(plainField(text).replace(COMPACT, "$1-$2-$3 $4:$5:$6"));
  if (day === null || time === null) return null;
  const minute = Math.floor(time.sinceMidnightMs / MINUTE_MS);
  const at = (zone: string): Instant => instantAt(day, minute, zone) + (time.sinceMidnightMs % MINUTE_MS);
  const [offset, sign, hours, minutes] = OFFSET.exec(time.rest) ?? [];
  if (offset !== undefined)
    return at("UTC") - (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS) * (sign === "-" ? -1 : 1);
  if (UTC.test(time.rest)) return at("UTC");
  return NEW_YORK.test(time.rest) || !ANY_ZONE.test(time.rest) ? at(MARKET_ZONE) : null;
}

/** One kind of space, hyphen and colon. */
function plainField(text: string): string {
  if (text.length > MAX_LENGTH) return "";
  return text
    .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, "")
    .replace(/\s+/g, " ")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u2236\uff1a]/g, ":")
    .trim();
}
