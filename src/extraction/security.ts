import type { TickerMention } from "../domain/article/article.ts";
import type { Exchange } from "../domain/split/exchange.ts";
import { findListingExchanges } from "./exchange-names.ts";
import type { Mention } from "./facts.ts";

/** The endings of warrants, units, rights and preferred shares, behind the symbol of the common share. */
const OTHER_SECURITY = /^[./-]?(?:W|WS|WT|WW|WSA|WSB|U|UN|R|RT|P|PR|L|Z|O|N|M)[A-Z]?$/;
/** For some twenty days after a split a share that trades over the counter has a D behind its symbol. */
const INTERIM = "D";

/**
 * The share that a release is about, of the tickers that it names: the one named first, by its exchange's tag where any
 * has one; not its warrants, and not the symbol that it has for a few days.
 */
export function selectCommonShare(mentions: readonly Mention[]): TickerMention | null {
  const shares = mentions.filter((mention) => !mentions.some((other) => isDerivedFrom(mention, other)));
  const tagged = shares.filter((mention) => mention.tagged);
  return tagged.find(({ exchange }) => exchange !== null) ?? tagged[0] ?? shares[0] ?? null;
}

function isDerivedFrom(mention: Mention, share: Mention): boolean {
  if (mention.ticker === share.ticker || !mention.ticker.startsWith(share.ticker)) return false;
  const ending = mention.ticker.slice(share.ticker.length);
  return ending === INTERIM || OTHER_SECURITY.test(ending);
}

/**
 * Where it is listed: by its tag. NYSE American is often tagged as the NYSE, whose name its own begins with; the text
 * says which. A share without a tag is listed on the one exchange that the text names.
 */
export function resolveExchange(share: TickerMention | null, plain: string): Exchange | null {
  const tagged = share?.exchange ?? null;
  if (tagged !== null && tagged !== "NYSE") return tagged;
  const named = findListingExchanges(plain);
  if (tagged === null) return named.size === 1 ? ([...named][0] ?? null) : null;
  if (/new york stock exchange/i.test(plain)) return tagged;
  return [...named].find((exchange) => exchange === "NYSEAMERICAN" || exchange === "NYSEARCA") ?? tagged;
}
