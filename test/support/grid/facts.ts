import { US_MARKET } from "../../../src/domain/split/exchange.ts";
import { addDays, type Day, daysBetween, weekdayOf, yearOf } from "../../../src/domain/time/day.ts";
import { nextTradingDay, tradingDayBefore } from "../../../src/domain/time/trading-day.ts";

/** Returns a number from 0 up to, but not including, `below`. */
export type Random = (below: number) => number;

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Days of an invented split and its ratio. */
export interface Split {
  readonly old: number;
  /** Day of the text. */
  readonly today: Day;
  /** First trading day at the new price. */
  readonly trading: Day;
  /** Trading day before it, on which the split takes effect in the evening. */
  readonly eve: Day;
}

const OLD_SHARES = [3, 4, 5, 6, 8, 10, 12, 15, 16, 20, 22, 25, 30, 35, 40, 45, 50, 60, 75, 80, 100, 120, 150, 200, 250];

/** A split some days after the day of its text. No holiday is on the eve, because other exchanges have other holidays. */
export function randomSplit(random: Random): Split {
  const today = tradingDayAfter(addDays("2025-01-02" as Day, random(600)));
  let trading = tradingDayAfter(addDays(today, 3 + random(9)));
  while (daysBetween(eveOf(trading), trading) !== (weekdayOf(trading) === 1 ? 3 : 1))
    trading = tradingDayAfter(trading);
  return { old: OLD_SHARES[random(OLD_SHARES.length)] ?? 20, today, trading, eve: eveOf(trading) };
}

function tradingDayAfter(day: Day): Day {
  return nextTradingDay(US_MARKET, day) ?? day;
}

function eveOf(day: Day): Day {
  return tradingDayBefore(US_MARKET, day, 1);
}

const UNITS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** `twenty-five`, `two hundred fifty`. */
export function inWords(count: number): string {
  if (count >= 100)
    return [`${UNITS[Math.floor(count / 100)]} hundred`, ...(count % 100 ? [inWords(count % 100)] : [])].join(" ");
  if (count < 20) return UNITS[count] ?? "";
  return [TENS[Math.floor(count / 10)], ...(count % 10 ? [UNITS[count % 10]] : [])].join("-");
}

const MONTHS = "January February March April May June July August September October November December".split(" ");
const SHORT_MONTHS = "Jan. Feb. March April May June July Aug. Sept. Oct. Nov. Dec.".split(" ");
const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** Placeholders of a notation of dates: `{W}, {M} {d}, {y}` is `Tuesday, September 2, 2025`. */
export function writeDate(day: Day, notation: string): string {
  const [, month = "", dayOfMonth = ""] = day.split("-");
  const at = Number(month) - 1;
  const date = Number(dayOfMonth);
  const values: Record<string, string> = {
    W: WEEKDAYS[weekdayOf(day)] ?? "",
    M: MONTHS[at] ?? "",
    m: SHORT_MONTHS[at] ?? "",
    b: (MONTHS[at] ?? "").slice(0, 3),
    d: String(date),
    th: `${date}${ordinalSuffix(date)}`,
    y: String(yearOf(day)),
    mm: month,
    dd: dayOfMonth,
  };
  return fill(notation, values);
}

function ordinalSuffix(date: number): string {
  if (date > 10 && date < 14) return "th";
  return ["th", "st", "nd", "rd"][date % 10] ?? "th";
}

/** Replaces `{key}` by its value, which may contain placeholders. Throws for an unknown key, so that no typing error passes. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  let text = template;
  for (let depth = 0; depth < 6 && text.includes("{"); depth += 1) {
    text = text.replaceAll(/\{([\w.']+)\}/g, (_, key: string) => {
      const value = values[key];
      if (value === undefined) throw new Error(`unknown placeholder {${key}} in ${template}`);
      return value;
    });
  }
  return text;
}
