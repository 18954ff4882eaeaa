import { US_MARKET } from "../domain/split/exchange.ts";
import type { Day, Instant } from "../domain/time/day.ts";
import { MARKET_ZONE, tradingDayKind } from "../domain/time/trading-day.ts";
import { wallClockAt } from "../domain/time/wall-clock.ts";

/** Minutes of the day in New York. */
interface Hours {
  readonly from: number;
  readonly to: number;
}

const DAYTIME: Hours = { from: 6 * 60, to: 20 * 60 };

/** Whether the day is a trading day of the US exchanges; sources publish little on other days. */
export function isNewsDay(day: Day): boolean {
  return tradingDayKind(US_MARKET, day) !== "closed";
}

/** Whether `now` is on a trading day and within the given hours; by default 06:00 to 20:00 in New York. */
function isPublishingTime(now: Instant, { from, to }: Hours = DAYTIME): boolean {
  const { day, minute } = wallClockAt(now, MARKET_ZONE);
  return isNewsDay(day) && minute >= from && minute < to;
}

interface PollIntervals {
  readonly everyMs: number;
  /** At night, at weekends and on holidays. */
  readonly quietMs: number;
  /** Hours in which the source publishes; by default 06:00 to 20:00. */
  readonly hours?: Hours;
}

/** Time until the next poll, in milliseconds. */
export function pollIntervalMs(now: Instant, { everyMs, quietMs, hours }: PollIntervals): number {
  return isPublishingTime(now, hours) ? everyMs : quietMs;
}
