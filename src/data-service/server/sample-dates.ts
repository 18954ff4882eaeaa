import type { Exchange } from "../../domain/split/exchange.ts";
import { addDays, type Day } from "../../domain/time/day.ts";
import { tradingDayBefore, tradingDayKind } from "../../domain/time/trading-day.ts";

const MARKET = "NASDAQ" as Exchange;

/** The n-th trading day from `today`. 0 is `today`, or the next trading day if the market is closed; negative is before. */
export function tradingDayFrom(today: Day, n: number): Day {
  if (n < 0) return tradingDayBefore(MARKET, today, -n);
  let day = today;
  for (let left = n; ; day = addDays(day, 1)) {
    if (tradingDayKind(MARKET, day) === "closed") continue;
    if (left === 0) return day;
    left -= 1;
  }
}

/** As `tradingDayFrom` for 0 and less, but never later than `today`. */
export function publicationDay(today: Day, n: number): Day {
  return n === 0 ? today : tradingDayFrom(today, n);
}

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** Replaces `{today}` and `{day N}` in a text by dates. */
export function fillDates(text: string, today: Day): string {
  return text
    .replaceAll("{today}", spelledOut(today))
    .replace(/\{day (-?\d+)\}/g, (_, n: string) => spelledOut(tradingDayFrom(today, Number(n))));
}

/** `March 10, 2026` */
function spelledOut(day: Day): string {
  return `${MONTHS[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8))}, ${day.slice(0, 4)}`;
}
