import type { CatalogSplit } from "../catalog/catalog-split.ts";
import { type Exchange, exchangeName, sharesSymbols } from "../domain/split/exchange.ts";
import type { ListedSymbol, SymbolDirectory } from "../domain/split/symbol-directory.ts";
import type { Day } from "../domain/time/day.ts";
import { isSameName } from "../extraction/issuer.ts";

type SplitListing = CatalogSplit["listings"][number];

/**
 * Describes where the directories contradict the exchange or company of a split that is still ahead; later they may state the
 * listing after it. They change neither, because they may be older.
 */
export function listingProblems(
  { listings, company, status, exDate }: Pick<CatalogSplit, "listings" | "company" | "status" | "exDate">,
  directory: SymbolDirectory,
  today: Day,
): readonly string[] {
  if (status !== "announced" || exDate === null || exDate < today) return [];
  return listings.flatMap((listing) => {
    const entries = directory.find(listing.ticker);
    const [first] = entries;
    if (first === undefined || entries.some((entry) => isConfirmed(listing, company, entry))) return [];
    const stated = listingText(company ?? "no company", listing.exchange);
    return `${listing.ticker}: ${first.directory} states ${listingText(first.company, first.exchange)}; the sources state ${stated}, which is used`;
  });
}

/** The directories cover the US exchanges: a symbol of another market is another security. */
function isConfirmed({ exchange }: SplitListing, company: string | null, listed: ListedSymbol): boolean {
  const isSameExchange = exchange === null || listed.exchange === null || exchange === listed.exchange;
  if (!isSameExchange && !sharesSymbols(exchange, listed.exchange)) return true;
  return isSameExchange && (company === null || isSameName(company, listed.company));
}

function listingText(company: string, exchange: Exchange | null): string {
  return exchange === null ? company : `${company}, ${exchangeName(exchange)}`;
}
