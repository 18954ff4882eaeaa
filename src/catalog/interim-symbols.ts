import { OTC } from "../domain/split/exchange.ts";
import { permanentSymbol } from "../domain/split/interim-symbol.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import type { CatalogObservation } from "./catalog-observation.ts";

/**
 * Replaces interim symbols in releases. ACMED is an interim symbol only if FINRA's list contains ACME, or if another release of
 * the same company states ACME.
 */
export function withoutInterimSymbols(observations: readonly CatalogObservation[]): readonly CatalogObservation[] {
  const statedKeys = new Set(observations.flatMap(statedSymbolKeys));
  return observations.map((observation) => {
    const { isOfficial, listings, companyKey } = observation;
    if (isOfficial || !listings.some((listing) => permanentSymbol(listing) !== null)) return observation;
    const isStated = (ticker: Ticker): boolean =>
      statedKeys.has(ticker) || statedKeys.has(companySymbolKey(companyKey, ticker));
    const withPermanentSymbols = listings.map((listing) => {
      const ticker = permanentSymbol(listing);
      return ticker !== null && isStated(ticker) ? { ...listing, ticker } : listing;
    });
    return { ...observation, listings: withPermanentSymbols };
  });
}

/** Keys of the stated over-the-counter symbols: the symbol with the company; if FINRA states it, also the symbol alone. */
function statedSymbolKeys({ isOfficial, listings, companyKey }: CatalogObservation): readonly string[] {
  return listings.flatMap(({ ticker, exchange }) => {
    if (exchange !== OTC) return [];
    return [...(isOfficial ? [ticker] : []), ...(companyKey === "" ? [] : [companySymbolKey(companyKey, ticker)])];
  });
}

function companySymbolKey(companyKey: string, ticker: Ticker): string {
  return `${ticker} of ${companyKey}`;
}
