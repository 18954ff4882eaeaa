import type { Destination } from "../domain/alert/destination.ts";
import { type Fraction, type ReleaseKind, TREATMENTS, type Treatment } from "../domain/article/article.ts";
import type { Exchange } from "../domain/split/exchange.ts";
import {
  createZoneParts,
  DAY_MS,
  type Day,
  daysBetween,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
  weekdayOf,
} from "../domain/time/day.ts";
import { tradingDaysUntil } from "../domain/time/trading-day.ts";
import { cutText } from "../lib/external-text.ts";

/** Time at which a text is rendered. `today` is the exchanges' date; times are shown in `timezone`. */
export interface TimeContext {
  readonly now: Instant;
  readonly today: Day;
  readonly timezone: string;
}

const WEEKDAY_NAMES = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const MONTH_NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** `Tue 10 Mar 2026`: the month is a word, so the order of day and month is clear. */
export function formatDay(day: Day): string {
  const month = MONTH_NAMES[Number(day.slice(5, 7)) - 1] ?? "";
  return `${WEEKDAY_NAMES[weekdayOf(day)]} ${Number(day.slice(8, 10))} ${month} ${day.slice(0, 4)}`;
}

const timeParts = createZoneParts({
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZoneName: "short",
});

/** `Mon 2 Mar 2026, 09:00 EST` */
export function formatTime(instant: Instant, timezone: string): string {
  const parts = timeParts(instant, timezone);
  const date = `${parts.get("weekday")} ${parts.get("day")} ${parts.get("month")} ${parts.get("year")}`;
  return `${date}, ${parts.get("hour")}:${parts.get("minute")} ${parts.get("timeZoneName")}`;
}

/** Distance of a day from today: `today`, `tomorrow`, `in 6 trading days`, `3 days ago`. */
export function formatDistance(exchange: Exchange, today: Day, day: Day): string {
  const days = daysBetween(today, day);
  if (days === 0) return "today";
  if (days < 0) return days === -1 ? "yesterday" : `${-days} days ago`;
  if (days === 1) return "tomorrow";
  const tradingDays = tradingDaysUntil(exchange, today, day);
  // There may be no trading day before a day on which the exchange is closed.
  return tradingDays > 0 ? `in ${formatCount(tradingDays, "trading day")}` : `in ${formatCount(days, "day")}`;
}

/** `just now`, `3 minutes ago`, `5 hours ago`, `2 days ago` */
export function formatAge(ms: number): string {
  if (ms < MINUTE_MS) return "just now";
  return `${formatDuration(ms)} ago`;
}

/** Duration in its largest whole unit: `24 hours`, `3 days`. */
export function formatDuration(ms: number): string {
  if (ms < HOUR_MS) return formatCount(Math.floor(ms / MINUTE_MS), "minute");
  if (ms < 2 * DAY_MS) return formatCount(Math.floor(ms / HOUR_MS), "hour");
  return formatCount(Math.floor(ms / DAY_MS), "day");
}

/** `1 split`, `2 splits`, `1,200 splits` */
export function formatCount(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString("en-US")} ${number === 1 ? noun : plural}`;
}

/** `the last complete list`, `the last 3 complete lists` */
export function lastListsText(count: number): string {
  return count === 1 ? "the last complete list" : `the last ${formatCount(count, "complete list")}`;
}

/** `ACME`, `ACME and GLOBX`, `ACME, GLOBX and INITE` */
export function joinList(words: readonly string[], conjunction: "and" | "or" = "and"): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}

/** Like `joinList`, limited to the first `max` words: `ACME, GLOBX and 12 more`. */
export function joinShortList(words: readonly string[], max = 10): string {
  if (words.length <= max) return joinList(words);
  return `${words.slice(0, max).join(", ")} and ${formatCount(words.length - max, "more", "more")}`;
}

/** External text in quotation marks, truncated. */
export function inQuotes(text: string, max = 40): string {
  return `"${cutText(text.replace(/\s+/g, " ").trim(), max)}"`;
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Display name of a platform: its capitalized name, or `the web page`. */
export function platformName(platform: string): string {
  return platform === "web" ? "the web page" : capitalize(platform);
}

/** Name of a destination as far as the platform gave it: "#desk in Acme on Carrier (T1/C1)", "ada, direct message on Carrier (1)". */
export function destinationText(
  { platform, kind, id }: Destination,
  known: { readonly name: string; readonly place: string | null } | null,
): string {
  const isChannel = kind === "channel";
  const name = known?.name ?? id;
  const label = isChannel ? `#${name.replace(/^#/, "")}` : name;
  const place = known?.place ? ` in ${known.place}` : "";
  return `${label}${place}${isChannel ? "" : ", direct message"} on ${platformName(platform)}${known === null ? "" : ` (${id})`}`;
}

const TREATMENT_TEXTS: Readonly<Record<Treatment, string>> = {
  round_up: "rounded up to a whole share",
  round_nearest: "rounded to the nearest whole share",
  round_down: "rounded down to a whole share",
  cash_in_lieu: "paid out in cash (cash in lieu)",
};

export function treatmentText(treatment: Treatment): string {
  return TREATMENT_TEXTS[treatment];
}

const LEVEL_TEXTS = {
  holder: "per holder",
  participant: "per clearing participant (a broker, not its customers)",
} as const;

/** Treatment of fractional shares that a release states. */
export function fractionText(fraction: Fraction | null): string {
  if (fraction === null) return "not stated";
  const treatment = treatmentText(fraction.treatment);
  if (fraction.level === null) return `${treatment}; the release doesn't say whether per holder or per broker`;
  return `${treatment}, ${LEVEL_TEXTS[fraction.level]}`;
}

const RELEASE_KIND_TEXTS: Readonly<Record<ReleaseKind, string>> = {
  reverse_split: "reverse split announcement",
  ads_ratio_change: "ADS ratio change",
  postponed: "reverse split postponement",
  cancelled: "reverse split cancellation",
  approval_only: "approval, not yet a split",
  ratio_range: "range of ratios, not yet a split",
  forward_split: "forward split",
  completed_past: "completed split",
  deficiency: "listing deficiency notice",
  other: "other news",
};

export function releaseKindText(kind: ReleaseKind): string {
  return RELEASE_KIND_TEXTS[kind];
}

/** `rounded up to a whole share or paid out in cash (cash in lieu)`, in the order of `TREATMENTS`. */
export function treatmentsText(treatments: readonly Treatment[]): string {
  return joinList(TREATMENTS.filter((treatment) => treatments.includes(treatment)).map(treatmentText), "or");
}
