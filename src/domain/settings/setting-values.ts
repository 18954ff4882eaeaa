import { z } from "zod";
import { countSchema, type Infer } from "../schema-parts.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time/day.ts";
import { MINUTES_PER_DAY } from "../time/wall-clock.ts";

const minuteOfDay = countSchema.max(MINUTES_PER_DAY - 1);

/** Start (inclusive) and end (exclusive) as minutes of the day; never equal. */
export const quietHoursSchema = z.object({ from: minuteOfDay, to: minuteOfDay }).refine(({ from, to }) => from !== to);

/** A daily period without alerts. */
export type QuietHours = Infer<typeof quietHoursSchema>;

export const MIN_MUTE_MS = MINUTE_MS;
export const MAX_MUTE_MS = 90 * DAY_MS;

const UNITS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  min: MINUTE_MS,
  mins: MINUTE_MS,
  minute: MINUTE_MS,
  minutes: MINUTE_MS,
  h: HOUR_MS,
  hr: HOUR_MS,
  hrs: HOUR_MS,
  hour: HOUR_MS,
  hours: HOUR_MS,
  d: DAY_MS,
  day: DAY_MS,
  days: DAY_MS,
  w: 7 * DAY_MS,
  week: 7 * DAY_MS,
  weeks: 7 * DAY_MS,
};

const MAX_TEXT_LENGTH = 40;

/** Parses `2h`, `90m`, `1d 12h` into milliseconds; undefined for other text, under one minute and over 90 days. */
export function parseMuteDuration(text: string): number | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const lower = text.toLowerCase();
  const parts = [...lower.matchAll(/(\d{1,6}(?:\.\d{1,2})?)\s?([a-z]+)\s*/g)];
  const matched = parts.map(([part]) => part).join("");
  if (parts.length === 0 || matched.trim() !== lower.trim()) return undefined;
  let durationMs = 0;
  for (const [, number, unit = ""] of parts) {
    const unitMs = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
    if (unitMs === undefined) return undefined;
    durationMs += Math.round(Number(number) * unitMs);
  }
  return durationMs >= MIN_MUTE_MS && durationMs <= MAX_MUTE_MS ? durationMs : undefined;
}

/** Inverse of `parseMuteDuration`, rounded up to the minute: `2h`, `1d1h30m`. */
export function formatMuteDuration(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS));
  const [days, hours] = [Math.floor(minutes / MINUTES_PER_DAY), Math.floor(minutes / 60) % 24];
  const parts = [days > 0 ? `${days}d` : "", hours > 0 ? `${hours}h` : "", minutes % 60 > 0 ? `${minutes % 60}m` : ""];
  return parts.join("");
}

/** Parses `22:00-07:00`, `10pm to 7am`, `22-7`; undefined for other text and for equal times. */
export function parseQuietHours(text: string): QuietHours | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const [start, end, ...extra] = text.toLowerCase().split(/\s?-\s?|\s(?:to|until|till)\s/);
  if (start === undefined || end === undefined || extra.length > 0) return undefined;
  const [from, to] = [parseTimeOfDay(start), parseTimeOfDay(end)];
  return from === undefined || to === undefined || from === to ? undefined : { from, to };
}

/** Formats quiet hours as `22:00-07:00`. */
export function formatQuietHours({ from, to }: QuietHours): string {
  return `${formatTimeOfDay(from)}-${formatTimeOfDay(to)}`;
}

/** Parses `7`, `07:00`, `7:30pm`, `noon` into the minute of the day. */
function parseTimeOfDay(text: string): number | undefined {
  const word = text.trim();
  if (word === "midnight") return 0;
  if (word === "noon") return MINUTES_PER_DAY / 2;
  const [, hours = "", minutes = "0", amOrPm] = /^(\d{1,2})(?:[:.](\d{2}))?\s?(am|pm)?$/.exec(word) ?? [];
  if (hours === "" || Number(minutes) > 59) return undefined;
  const hour = hourOf(Number(hours), amOrPm);
  return hour === undefined ? undefined : (hour * 60 + Number(minutes)) % MINUTES_PER_DAY;
}

/** Hour from 0 to 24; both `12am` and 24 are midnight. */
function hourOf(hour: number, amOrPm: string | undefined): number | undefined {
  if (amOrPm === undefined) return hour <= 24 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (amOrPm === "pm" ? 12 : 0);
}

function formatTimeOfDay(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}
