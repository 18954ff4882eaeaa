import type { TickerMention } from "../domain/article/article.ts";
import { type Exchange, isKnownExchange, parseExchange, sharesSymbols } from "../domain/split/exchange.ts";
import type { Ticker } from "../domain/split/ticker.ts";

const OTC = parseExchange("OTC");

/** Over the counter a symbol carries a D for some twenty days after its split: ACMED is ACME. */
export function withoutInterimSuffix({ ticker, exchange }: TickerMention): TickerMention {
  const interim = exchange === OTC && /^[A-Z]{4}D$/.test(ticker);
  return { ticker: interim ? (ticker.slice(0, -1) as Ticker) : ticker, exchange };
}

/** One security in one market. An exchange that is not stated may be any. */
export function isSameListing(a: TickerMention, b: TickerMention): boolean {
  if (a.ticker !== b.ticker) return false;
  return a.exchange === null || b.exchange === null || sharesSymbols(a.exchange, b.exchange);
}

/**
 * The other exchange on which the same share is listed, as (NASDAQ: ACMX) (TSX: ACM) has it. A share that is listed twice
 * is consolidated once, on one day. An over-the-counter line is no listing: its market follows when it is told to.
 */
export function isDualListing(mention: TickerMention, main: TickerMention): boolean {
  if (!isListed(mention.exchange) || !isListed(main.exchange)) return false;
  if (sharesSymbols(mention.exchange, main.exchange)) return false;
  return mention.ticker.startsWith(main.ticker) || main.ticker.startsWith(mention.ticker);
}

function isListed(exchange: Exchange | null): exchange is Exchange {
  return exchange !== null && exchange !== OTC && isKnownExchange(exchange);
}
