import type { TickerMention } from "../domain/article/article.ts";
import { parseExchange } from "../domain/split/exchange.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import type { CatalogObservation } from "./catalog-observation.ts";

const OTC = parseExchange("OTC");

/**
 * The symbol that a listing may have before and after FINRA's interim symbol, which has the suffix D for about twenty business
 * days after a split: ACME for ACMED. Null if it has no such form.
 */
export function permanentSymbol({ ticker, exchange }: TickerMention): Ticker | null {
  return exchange === OTC && /^[A-Z]{4}D$/.test(ticker) ? (ticker.slice(0, -1) as Ticker) : null;
}

/**
 * Replaces interim symbols in releases. ACMED is one if FINRA's list has a split of ACME, or if the same company states ACME
 * elsewhere; otherwise it is a symbol like any other.
 */
export function withoutInterimSymbols(observations: readonly CatalogObservation[]): readonly CatalogObservation[] {
  const stated = new Set(observations.flatMap(statedSymbols));
  return observations.map((observation) => {
    const { isOfficial, listings, companyKey } = observation;
    if (isOfficial || !listings.some((listing) => permanentSymbol(listing) !== null)) return observation;
    const isStated = (ticker: Ticker): boolean => stated.has(ticker) || stated.has(symbolOf(companyKey, ticker));
    const replaced = listings.map((listing) => {
      const ticker = permanentSymbol(listing);
      return ticker !== null && isStated(ticker) ? { ...listing, ticker } : listing;
    });
    return { ...observation, listings: replaced };
  });
}

/** The over-the-counter symbols of an observation, on their own if FINRA states them, and those of its company. */
function statedSymbols({ isOfficial, listings, companyKey }: CatalogObservation): readonly string[] {
  return listings.flatMap(({ ticker, exchange }) => {
    if (exchange !== OTC) return [];
    return [...(isOfficial ? [ticker] : []), ...(companyKey === "" ? [] : [symbolOf(companyKey, ticker)])];
  });
}

function symbolOf(companyKey: string, ticker: Ticker): string {
  return `${ticker} of ${companyKey}`;
}
