import { parseExchange } from "../domain/split/exchange.ts";
import type { Day } from "../domain/time/day.ts";
import { tradingDaysUntil } from "../domain/time/trading-day.ts";

/** Trading days between a legal effective date and the first trading day. */
export const LEGAL_DATE_DAYS = 1;

/** Trading days between a date "on or about" and the actual one. */
export const APPROXIMATE_DATE_DAYS = 3;

/** Ex dates that are more trading days apart belong to two splits. */
export const ANOTHER_SPLIT_DAYS = 20;

const APPROXIMATE = /\babout\b|\bapproximately\b/i;

const US = parseExchange("NASDAQ");

/** Number of trading days between two days, in either order. */
export function tradingDaysApart(a: Day, b: Day): number {
  return US === undefined ? 0 : tradingDaysUntil(US, a < b ? a : b, a < b ? b : a);
}

/** Whether the sentence that states a date calls it approximate: "on or about". */
export function isApproximate(sentence: string | null | undefined): boolean {
  return sentence !== null && sentence !== undefined && APPROXIMATE.test(sentence);
}
