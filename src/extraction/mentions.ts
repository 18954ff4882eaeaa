import type { TickerMention } from "../domain/article/article.ts";
import type { Exchange } from "../domain/split/exchange.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { findListingExchanges } from "./exchange-names.ts";
import type { TaggedTicker } from "./facts.ts";
import type { TickerMatch } from "./tickers.ts";

/** Maximum number of mentions of one release; later ones are dropped. */
const MAX_MENTIONS = 100;

/** Suffixes of warrants, units, rights and preferred shares after the symbol of the common share. */
const OTHER_SECURITY_SUFFIX = /^[./-]?(?:W|WS|WT|WW|WSA|WSB|U|UN|R|RT|P|PR|L|Z|O|N|M)[A-Z]?$/;
const MAX_SUFFIX_LENGTH = 2;
/** Minimum length of a symbol that may be mistyped. Shorter symbols that differ in one letter are different securities. */
const MIN_MISTYPED_LENGTH = 4;
/** Suffix of an over-the-counter symbol for about twenty business days after a split. */
const INTERIM_SUFFIX = "D";

/** Lists each ticker once per exchange, in text order. Omits matches without an exchange if another match has one. */
export function listMentions(matches: readonly TickerMatch[]): readonly TaggedTicker[] {
  const reliableMatches = withoutContradictedWordings(matches);
  const exchanges = new Map<Ticker, Set<Exchange>>();
  for (const { ticker, exchange } of reliableMatches) {
    const tickerExchanges = exchanges.get(ticker) ?? new Set<Exchange>();
    if (exchange) tickerExchanges.add(exchange);
    exchanges.set(ticker, tickerExchanges);
  }
  const mentions = [...exchanges]
    .flatMap(([ticker, tickerExchanges]) => mentionsOf(ticker, tickerExchanges))
    .slice(0, MAX_MENTIONS);
  const tags = reliableMatches.filter(({ form }) => form === "tag" || form === "cashtag");
  return mentions.map((mention) => ({ ...mention, tagged: tags.some((tag) => isTagOf(tag, mention)) }));
}

/** A cashtag names no exchange, so it applies to its ticker on any exchange. */
function isTagOf(tag: TickerMatch, { ticker, exchange }: TickerMention): boolean {
  return tag.ticker === ticker && (tag.exchange === null || tag.exchange === exchange);
}

function mentionsOf(ticker: Ticker, exchanges: ReadonlySet<Exchange>): readonly TickerMention[] {
  if (exchanges.size === 0) return [{ ticker, exchange: null }];
  return [...exchanges].map((exchange) => ({ ticker, exchange }));
}

/** Symbols in running text (`under the symbol …`) are often mistyped; they are kept only if they agree with the tags. */
function withoutContradictedWordings(matches: readonly TickerMatch[]): readonly TickerMatch[] {
  const tags = matches.filter(({ form }) => form === "tag");
  if (tags.length === 0) return matches;
  const symbols = new Set<string>(tags.map(({ ticker }) => ticker));
  const exchanges = new Set(tags.map(({ exchange }) => exchange));
  return matches.filter((match) => match.form !== "wording" || agreesWith({ symbols, exchanges }, match));
}

/** Symbols and exchanges of all tags of a release. */
interface Tags {
  readonly symbols: ReadonlySet<string>;
  readonly exchanges: ReadonlySet<Exchange | null>;
}

/**
 * Whether a symbol contradicts no tag. With the tag `ACME`, its warrants (`ACMEW`) and interim symbol (`ACMED`) agree; with
 * the tag `ACMED`, the share `ACME` does. A symbol on an exchange that no tag names agrees with any tag.
 */
function agreesWith({ symbols, exchanges }: Tags, { ticker, exchange }: TickerMatch): boolean {
  const starts = Array.from(ticker, (_, index) => ticker.slice(0, index + 1));
  if ([...starts, `${ticker}${INTERIM_SUFFIX}`].some((symbol) => symbols.has(symbol))) return true;
  return exchange !== null && !exchanges.has(null) && !exchanges.has(exchange);
}

/** Whether two symbols may mean one company's share: equal, mistyped, or one is the other with a suffix. */
export function isSimilarSymbol(a: Ticker, b: Ticker): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.startsWith(short)) return long.length - short.length <= MAX_SUFFIX_LENGTH;
  return short.length >= MIN_MISTYPED_LENGTH && short.length === long.length && isMistyped(short, long);
}

/** Whether one letter differs, or two adjacent letters are swapped. */
function isMistyped(a: string, b: string): boolean {
  const differences = Array.from(a).flatMap((letter, index) => (letter === b[index] ? [] : [index]));
  const [first = 0, second] = differences;
  if (second === undefined) return true;
  return differences.length === 2 && second === first + 1 && a[first] === b[second] && a[second] === b[first];
}

/** Selects the release's common share: the first tagged share with an exchange, else the first tagged one, else the first. */
export function selectCommonShare(mentions: readonly TaggedTicker[]): TickerMention | null {
  const shares = mentions.filter((mention) => !mentions.some((other) => isDerivedFrom(mention, other)));
  const taggedShares = shares.filter((mention) => mention.tagged);
  return taggedShares.find(({ exchange }) => exchange !== null) ?? taggedShares[0] ?? shares[0] ?? null;
}

function isDerivedFrom(mention: TickerMention, share: TickerMention): boolean {
  const isOnOtherExchange = mention.exchange !== null && share.exchange !== null && mention.exchange !== share.exchange;
  return mention.ticker !== share.ticker && !isOnOtherExchange && isDerivedTicker(mention.ticker, share.ticker);
}

/** True for the share's own symbol, its interim symbol (suffix D), and those of its warrants, units, rights and other classes. */
export function isDerivedTicker(ticker: Ticker, share: Ticker): boolean {
  const suffix = ticker.slice(share.length);
  return ticker.startsWith(share) && (suffix === "" || suffix === INTERIM_SUFFIX || OTHER_SECURITY_SUFFIX.test(suffix));
}

/**
 * Resolves the listing exchange: that of the tag, else the only one that the text names. Shares on NYSE American and Arca are
 * often tagged as NYSE: if the text names one of the two, it replaces NYSE, unless "New York Stock Exchange" occurs too.
 */
export function resolveExchange(share: TickerMention | null, plain: string): Exchange | null {
  const taggedExchange = share?.exchange ?? null;
  if (taggedExchange !== null && taggedExchange !== "NYSE") return taggedExchange;
  const namedExchanges = findListingExchanges(plain);
  if (taggedExchange === null) return namedExchanges.size === 1 ? ([...namedExchanges][0] ?? null) : null;
  if (/new york stock exchange/i.test(plain)) return taggedExchange;
  return (
    [...namedExchanges].find((exchange) => exchange === "NYSEAMERICAN" || exchange === "NYSEARCA") ?? taggedExchange
  );
}
