const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `just now`, `40 s ago`, `5 min ago`, `3 h ago`, `2 days ago`. Future times are `just now`, because clocks differ. */
export function timeAgo(at: number, now: number): string {
  const passed = now - at;
  if (passed < 10 * SECOND) return "just now";
  if (passed < MINUTE) return `${Math.floor(passed / SECOND / 10) * 10} s ago`;
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h ago`;
  const days = Math.floor(passed / DAY);
  return days === 1 ? "1 day ago" : `${days} days ago`;
}

/** `in 2 min`, `in 3 h`; past times are `now`. */
export function timeUntil(at: number, now: number): string {
  const left = at - now;
  if (left <= 0) return "now";
  if (left < MINUTE) return `in ${Math.ceil(left / SECOND)} s`;
  if (left < HOUR) return `in ${Math.ceil(left / MINUTE)} min`;
  if (left < DAY) return `in ${Math.ceil(left / HOUR)} h`;
  return `in ${Math.ceil(left / DAY)} days`;
}

const MONTHS: readonly (string | undefined)[] = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** `10 Mar`, with the year if it isn't the current one. `day` is YYYY-MM-DD; other texts are returned unchanged. */
export function shortDay(day: string, now: number): string {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  const name = MONTHS[Number(month) - 1];
  if (name === undefined) return day;
  const short = `${Number(date)} ${name}`;
  return year === new Date(now).toISOString().slice(0, 4) ? short : `${short} ${year}`;
}
