import type { CatalogSplit } from "../catalog/catalog-split.ts";
import { exchangeName, sharesSymbols } from "../domain/split/exchange.ts";
import type { ListedSymbol, SymbolDirectory } from "../domain/split/symbol-directory.ts";
import { isSameName } from "../extraction/issuer.ts";

type SplitListing = CatalogSplit["listings"][number];

/** Describes where the directory contradicts a split's exchange or company. It changes neither: it may be older. */
export function listingProblems(
  { listings, company }: Pick<CatalogSplit, "listings" | "company">,
  directory: SymbolDirectory,
): readonly string[] {
  return listings.flatMap((listing) => {
    const listed = directory.find(listing.ticker);
    if (listed === null || isConfirmed(listing, company, listed)) return [];
    const stated = [company ?? "no company", listing.exchange === null ? null : exchangeName(listing.exchange)];
    const statement = stated.filter((part) => part !== null).join(", ");
    return `${listing.ticker}: the symbol directory states ${listed.company}, ${exchangeName(listed.exchange)}; the sources state ${statement}, which is used`;
  });
}

/** The directory covers the US exchanges: a symbol of another market is another security. */
function isConfirmed({ exchange }: SplitListing, company: string | null, listed: ListedSymbol): boolean {
  if (exchange !== null && !sharesSymbols(exchange, listed.exchange)) return true;
  const isSameExchange = exchange === null || exchange === listed.exchange;
  return isSameExchange && (company === null || isSameName(company, listed.company));
}
