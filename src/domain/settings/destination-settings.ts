import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from "../time/day.ts";
import { MINUTES_PER_DAY } from "../time/wall-clock.ts";

/** What a person, or a channel, wants of what it is told. */
export interface DestinationSettings {
  /** An IANA time zone; null: the configured one. */
  readonly timezone: string | null;
  /** Whether it gets the events of kind reminder; `effective` is none of them. */
  readonly reminders: boolean;
  /** What comes waits for the next digest, and goes together with the rest. */
  readonly digest: boolean;
  readonly quiet: QuietHours | null;
  /** Stays when it has passed: what came before it was held for it. */
  readonly mutedUntil: Instant | null;
}

/** Every day, in minutes of the day: from the first, up to the second. They are never the same. */
export interface QuietHours {
  readonly from: number;
  readonly to: number;
}

export const DEFAULT_SETTINGS: DestinationSettings = {
  timezone: null,
  reminders: true,
  digest: false,
  quiet: null,
  mutedUntil: null,
};

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

const LONGEST_TEXT = 40;

/** `2h`, `90m`, `1d 12h`, `2 weeks`, in milliseconds; undefined where it is none, or none from a minute to 90 days. */
export function parseMuteDuration(text: string): number | undefined {
  if (text.length > LONGEST_TEXT) return undefined;
  const parts = [...text.toLowerCase().matchAll(/(\d{1,6}(?:\.\d{1,2})?)\s?([a-z]+)\s*/g)];
  if (
    parts.length === 0 ||
    parts
      .map(([part]) => part)
      .join("")
      .trim() !== text.toLowerCase().trim()
  )
    return undefined;
  let length = 0;
  for (const [, number, unit = ""] of parts) {
    const unitMs = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
    if (unitMs === undefined) return undefined;
    length += Math.round(Number(number) * unitMs);
  }
  return length >= MIN_MUTE_MS && length <= MAX_MUTE_MS ? length : undefined;
}

/** The inverse, to the minute: `2h`, `1d1h30m` */
export function formatMuteDuration(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS));
  const [days, hours] = [Math.floor(minutes / MINUTES_PER_DAY), Math.floor(minutes / 60) % 24];
  const parts = [days > 0 ? `${days}d` : "", hours > 0 ? `${hours}h` : "", minutes % 60 > 0 ? `${minutes % 60}m` : ""];
  return parts.join("");
}

/** `22:00-07:00`, `10pm to 7am`, `22-7`; undefined where it is none, or would last for the whole day. */
export function parseQuietHours(text: string): QuietHours | undefined {
  if (text.length > LONGEST_TEXT) return undefined;
  const [first, second, ...more] = text.toLowerCase().split(/\s?-\s?|\s(?:to|until|till)\s/);
  if (first === undefined || second === undefined || more.length > 0) return undefined;
  const [from, to] = [parseTimeOfDay(first), parseTimeOfDay(second)];
  return from === undefined || to === undefined || from === to ? undefined : { from, to };
}

/** `22:00-07:00` */
export function formatQuietHours({ from, to }: QuietHours): string {
  return `${writeTimeOfDay(from)}-${writeTimeOfDay(to)}`;
}

/** `7`, `07:00`, `7:30pm`, `noon`, in minutes of the day. */
function parseTimeOfDay(text: string): number | undefined {
  const word = text.trim();
  if (word === "midnight") return 0;
  if (word === "noon") return MINUTES_PER_DAY / 2;
  const [, hours = "", minutes = "0", half] = /^(\d{1,2})(?:[:.](\d{2}))?\s?(am|pm)?$/.exec(word) ?? [];
  if (hours === "" || Number(minutes) > 59) return undefined;
  const hour = hourOf(Number(hours), half);
  return hour === undefined ? undefined : (hour * 60 + Number(minutes)) % MINUTES_PER_DAY;
}

/** From 0 to 24: `12am` is midnight, and 24 too. */
function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour <= 24 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half === "pm" ? 12 : 0);
}

function writeTimeOfDay(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}
