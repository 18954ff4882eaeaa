const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `just now`, `40 s ago`, `5 min ago`, `3 h ago`, `2 days ago`. Future times are `just now`, because clocks differ. */
export function timeAgo(at: number, now: number): string {
  const elapsedMs = now - at;
  if (elapsedMs < 10 * SECOND_MS) return "just now";
  if (elapsedMs < MINUTE_MS) return `${Math.floor(elapsedMs / SECOND_MS / 10) * 10} s ago`;
  if (elapsedMs < HOUR_MS) return `${Math.floor(elapsedMs / MINUTE_MS)} min ago`;
  if (elapsedMs < DAY_MS) return `${Math.floor(elapsedMs / HOUR_MS)} h ago`;
  const days = Math.floor(elapsedMs / DAY_MS);
  return days === 1 ? "1 day ago" : `${days} days ago`;
}

/** `in 2 min`, `in 3 h`; past times are `now`. */
export function timeUntil(at: number, now: number): string {
  const remainingMs = at - now;
  if (remainingMs <= 0) return "now";
  if (remainingMs < MINUTE_MS) return `in ${Math.ceil(remainingMs / SECOND_MS)} s`;
  if (remainingMs < HOUR_MS) return `in ${Math.ceil(remainingMs / MINUTE_MS)} min`;
  if (remainingMs < DAY_MS) return `in ${Math.ceil(remainingMs / HOUR_MS)} h`;
  return `in ${Math.ceil(remainingMs / DAY_MS)} days`;
}

const MONTHS: readonly (string | undefined)[] = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** `10 Mar`, with the year if it isn't the current year. `day` is YYYY-MM-DD; other texts are returned unchanged. */
export function shortDay(day: string, now: number): string {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  const name = MONTHS[Number(month) - 1];
  if (name === undefined) return day;
  const dayAndMonth = `${Number(date)} ${name}`;
  return year === new Date(now).toISOString().slice(0, 4) ? dayAndMonth : `${dayAndMonth} ${year}`;
}

const DAY_NAMES: readonly (string | undefined)[] = "Sun Mon Tue Wed Thu Fri Sat".split(" ");

/** Monday to Friday within `count` days from `today`, which counts as the first. Days are YYYY-MM-DD. */
export function nextWeekdays(today: string, count: number): readonly string[] {
  const start = Date.parse(`${today}T00:00:00Z`);
  const days = Array.from({ length: count }, (_, index) => new Date(start + index * DAY_MS));
  return days.filter((day) => day.getUTCDay() % 6 !== 0).map((day) => day.toISOString().slice(0, 10));
}

/** `Mon` */
export function weekdayName(day: string): string {
  return DAY_NAMES[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? "";
}

export function dayOfMonth(day: string): number {
  return Number(day.slice(8, 10));
}

/** The day `count` days after `day`. */
export function dayAfter(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

/** `2026-03-10 14:05:09` in the reader's time zone. The browser's own formats would take 30 ms at the first use. */
export function localTime(at: number): string {
  const local = new Date(at);
  const day = [local.getFullYear(), local.getMonth() + 1, local.getDate()];
  const time = [local.getHours(), local.getMinutes(), local.getSeconds()];
  return `${day.map(twoDigits).join("-")} ${time.map(twoDigits).join(":")}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
