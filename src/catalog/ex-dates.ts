import { parseExchange } from "../domain/split/exchange.ts";
import type { Day } from "../domain/time/day.ts";
import { tradingDaysUntil } from "../domain/time/trading-day.ts";

/** Maximum trading days between a legal effective date and the first trading day. */
export const MAX_LEGAL_DATE_GAP_DAYS = 1;

/** Maximum trading days between an "on or about" date and the actual date. */
export const MAX_APPROXIMATE_DATE_GAP_DAYS = 3;

/** Maximum trading days between two ex dates of one split. */
export const MAX_SAME_SPLIT_GAP_DAYS = 20;

const APPROXIMATE = /\babout\b|\bapproximately\b/i;

const US_EXCHANGE = parseExchange("NASDAQ");

/** Returns the number of trading days between two days, in either order. */
export function tradingDaysApart(a: Day, b: Day): number {
  return US_EXCHANGE === undefined ? 0 : tradingDaysUntil(US_EXCHANGE, a < b ? a : b, a < b ? b : a);
}

/** Whether the sentence that states a date calls it approximate: "on or about". */
export function isApproximate(sentence: string | null | undefined): boolean {
  return sentence !== null && sentence !== undefined && APPROXIMATE.test(sentence);
}
