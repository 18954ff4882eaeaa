import { parseExchange } from "../domain/split/exchange.ts";
import type { Day, Instant } from "../domain/time/day.ts";
import { MARKET_ZONE, tradingDayKind } from "../domain/time/trading-day.ts";
import { wallClockAt } from "../domain/time/wall-clock.ts";

const DAYTIME = { from: 6 * 60, to: 20 * 60 } as const;

const US_MARKET = parseExchange("NASDAQ");

/** Whether sources publish as usual: not at weekends and on holidays of the US exchanges. */
export function isNewsDay(day: Day): boolean {
  return US_MARKET === undefined || tradingDayKind(US_MARKET, day) !== "closed";
}

/** Whether most releases and notices are published now: 06:00 to 20:00 in New York on trading days. */
export function isPublishingTime(now: Instant): boolean {
  const { day, minute } = wallClockAt(now, MARKET_ZONE);
  return isNewsDay(day) && minute >= DAYTIME.from && minute < DAYTIME.to;
}
