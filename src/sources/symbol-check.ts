import type { CatalogSplit } from "../catalog/catalog-split.ts";
import { shortNameOf } from "../domain/article/company-name.ts";
import { type Exchange, exchangeName, sharesSymbols } from "../domain/split/exchange.ts";
import type { ListedSymbol, SymbolDirectory } from "../domain/split/symbol-directory.ts";
import type { Day } from "../domain/time/day.ts";

type SplitListing = CatalogSplit["listings"][number];

/**
 * Describes contradictions between the symbol directories and the exchange or company of a pending split. The split isn't
 * changed, because a directory may be outdated. After the ex date nothing is compared: a directory may state a new listing.
 */
export function listingProblems(
  { listings, company, status, exDate }: Pick<CatalogSplit, "listings" | "company" | "status" | "exDate">,
  directory: SymbolDirectory,
  today: Day,
): readonly string[] {
  if (status !== "announced" || exDate === null || exDate < today) return [];
  return listings.flatMap((listing) => {
    const entries = directory.find(listing.ticker);
    const [mostReliable] = entries;
    if (mostReliable === undefined || entries.some((entry) => isConsistent(listing, company, entry))) return [];
    const inDirectory = listingText(mostReliable.company, mostReliable.exchange);
    const inSources = listingText(company ?? "an unnamed company", listing.exchange);
    return `${listing.ticker}: ${mostReliable.directory} states ${inDirectory}, but the split's sources state ${inSources}; the sources are used`;
  });
}

/**
 * Whether the entry doesn't contradict the listing. Exchanges that don't share symbols may use the same symbol for different
 * securities, so their entries can't contradict each other.
 */
function isConsistent({ exchange }: SplitListing, company: string | null, entry: ListedSymbol): boolean {
  const isSameExchange = exchange === null || entry.exchange === null || exchange === entry.exchange;
  if (!isSameExchange && !sharesSymbols(exchange, entry.exchange)) return true;
  return isSameExchange && (company === null || shortNameOf(company) === shortNameOf(entry.company));
}

function listingText(company: string, exchange: Exchange | null): string {
  return exchange === null ? company : `${company}, ${exchangeName(exchange)}`;
}
