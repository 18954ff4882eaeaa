import type { Instant } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { wallClockAt } from "../domain/time/wall-clock.ts";
import { isNewsDay } from "./source-status.ts";

const DAYTIME = { from: 6 * 60, to: 20 * 60 } as const;

/** Whether most releases and notices are published now: 06:00 to 20:00 in New York on trading days. */
export function isPublishingTime(now: Instant): boolean {
  const { day, minute } = wallClockAt(now, MARKET_ZONE);
  return isNewsDay(day) && minute >= DAYTIME.from && minute < DAYTIME.to;
}
