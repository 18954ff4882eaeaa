import type { TickerMention } from "../domain/article/article.ts";
import type { Exchange } from "../domain/split/exchange.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import type { Mention } from "./facts.ts";
import type { TickerMatch } from "./tickers.ts";

/** A release names a handful; a list of hundreds is not about them. */
const MOST_MENTIONS = 100;

/**
 * Each ticker once per exchange, in order of appearance. A ticker that stands somewhere with its exchange and elsewhere
 * without is one mention, with the exchange.
 */
export function listMentions(found: readonly TickerMatch[]): readonly Mention[] {
  const believed = trusted(found);
  const exchanges = new Map<Ticker, Set<Exchange>>();
  for (const { ticker, exchange } of believed) {
    const known = exchanges.get(ticker) ?? new Set<Exchange>();
    if (exchange) known.add(exchange);
    exchanges.set(ticker, known);
  }
  const mentions = [...exchanges].flatMap(([ticker, known]) => mentionsOf(ticker, known)).slice(0, MOST_MENTIONS);
  const tags = believed.filter(({ form: how }) => how === "tag" || how === "cashtag");
  return mentions.map((mention) => ({ ...mention, tagged: tags.some((tag) => isPlaceOf(mention, tag)) }));
}

/** A cashtag names no exchange: it stands for its ticker on any. */
function isPlaceOf({ ticker, exchange }: TickerMention, tag: TickerMatch): boolean {
  return tag.ticker === ticker && (tag.exchange === null || tag.exchange === exchange);
}

function mentionsOf(ticker: Ticker, exchanges: ReadonlySet<Exchange>): readonly TickerMention[] {
  if (exchanges.size === 0) return [{ ticker, exchange: null }];
  return [...exchanges].map((exchange) => ({ ticker, exchange }));
}

/** `under the symbol …` is often mistyped, so it is believed only where it does not contradict a tag. */
function trusted(found: readonly TickerMatch[]): readonly TickerMatch[] {
  const tags = found.filter(({ form: how }) => how === "tag");
  return found.filter((one) => one.form !== "wording" || tags.length === 0 || agrees(one, tags));
}

/**
 * A warrant or an interim symbol (ACMEW, ACMED) goes with its tag, and so does the symbol behind an interim one that is
 * tagged; so does a line on an exchange that has no tag.
 */
function agrees({ ticker, exchange }: TickerMatch, tags: readonly TickerMatch[]): boolean {
  if (tags.some((tag) => ticker.startsWith(tag.ticker) || tag.ticker === `${ticker}D`)) return true;
  return exchange !== null && tags.every((tag) => tag.exchange !== null && tag.exchange !== exchange);
}
