import { type Exchange, OTC } from "./exchange.ts";
import type { Ticker } from "./ticker.ts";

/**
 * Returns the permanent symbol of a possible interim symbol, such as ACME for ACMED; null for other symbols. FINRA appends the
 * suffix D for about 20 business days after a split.
 */
export function permanentSymbol({
  ticker,
  exchange,
}: {
  readonly ticker: Ticker;
  readonly exchange: Exchange | null;
}): Ticker | null {
  return exchange === OTC && /^[A-Z]{4}D$/.test(ticker) ? (ticker.slice(0, -1) as Ticker) : null;
}
