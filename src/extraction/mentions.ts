import type { TickerMention } from "../domain/article/article.ts";
import type { Exchange } from "../domain/split/exchange.ts";
import type { Ticker } from "../domain/split/ticker.ts";
import { findListingExchanges } from "./exchange-names.ts";
import type { TaggedTicker } from "./facts.ts";
import type { TickerMatch } from "./tickers.ts";

/** Maximum number of mentions of one release. A release with more is not about any of them. */
const MAX_MENTIONS = 100;

/** Suffixes of warrants, units, rights and preferred shares after the symbol of the common share. */
const OTHER_SECURITY_SUFFIX = /^[./-]?(?:W|WS|WT|WW|WSA|WSB|U|UN|R|RT|P|PR|L|Z|O|N|M)[A-Z]?$/;
const MAX_SUFFIX_LENGTH = 2;
/** Shorter symbols that differ in one letter are different securities. */
const MIN_MISTYPED_LENGTH = 4;
/** Suffix of an over-the-counter symbol for about twenty business days after a split. */
const INTERIM_SUFFIX = "D";

/** Lists each ticker once per exchange, in text order. A match without an exchange adds nothing to one with an exchange. */
export function listMentions(matches: readonly TickerMatch[]): readonly TaggedTicker[] {
  const reliable = withoutContradictedWordings(matches);
  const exchanges = new Map<Ticker, Set<Exchange>>();
  for (const { ticker, exchange } of reliable) {
    const known = exchanges.get(ticker) ?? new Set<Exchange>();
    if (exchange) known.add(exchange);
    exchanges.set(ticker, known);
  }
  const mentions = [...exchanges].flatMap(([ticker, known]) => mentionsOf(ticker, known)).slice(0, MAX_MENTIONS);
  const tags = reliable.filter(({ form }) => form === "tag" || form === "cashtag");
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

/** `under the symbol …` is often mistyped, so it counts only if it does not contradict a tag. */
function withoutContradictedWordings(matches: readonly TickerMatch[]): readonly TickerMatch[] {
  const tags = matches.filter(({ form }) => form === "tag");
  return matches.filter((match) => match.form !== "wording" || tags.length === 0 || agreesWith(tags, match));
}

/**
 * A warrant or interim symbol (ACMEW, ACMED) agrees with the tag of its share, and a share with the tag of its interim
 * symbol. A symbol on an exchange without a tag contradicts none.
 */
function agreesWith(tags: readonly TickerMatch[], { ticker, exchange }: TickerMatch): boolean {
  if (tags.some((tag) => ticker.startsWith(tag.ticker) || tag.ticker === `${ticker}${INTERIM_SUFFIX}`)) return true;
  return exchange !== null && tags.every((tag) => tag.exchange !== null && tag.exchange !== exchange);
}

/** Whether two symbols may be the same security: equal, mistyped, or with the suffix of another class or an interim symbol. */
export function isOtherSpelling(one: Ticker, other: Ticker): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.startsWith(short)) return long.length - short.length <= MAX_SUFFIX_LENGTH;
  return short.length >= MIN_MISTYPED_LENGTH && short.length === long.length && isMistyped(short, long);
}

/** Whether one letter differs, or two neighbors are swapped. */
function isMistyped(one: string, other: string): boolean {
  const different = Array.from(one).flatMap((letter, index) => (letter === other[index] ? [] : [index]));
  const [first = 0, second] = different;
  if (second === undefined) return true;
  return different.length === 2 && second === first + 1 && one[first] === other[second] && one[second] === other[first];
}

/** Selects the common share that a release is about: the first one with an exchange tag, else the first one. */
export function selectCommonShare(mentions: readonly TaggedTicker[]): TickerMention | null {
  const shares = mentions.filter((mention) => !mentions.some((other) => isDerivedFrom(mention, other)));
  const tagged = shares.filter((mention) => mention.tagged);
  return tagged.find(({ exchange }) => exchange !== null) ?? tagged[0] ?? shares[0] ?? null;
}

function isDerivedFrom(mention: TickerMention, share: TickerMention): boolean {
  const isElsewhere = mention.exchange !== null && share.exchange !== null && mention.exchange !== share.exchange;
  return mention.ticker !== share.ticker && !isElsewhere && isDerivedTicker(mention.ticker, share.ticker);
}

/** Whether a symbol is that of the share, of a warrant or another class, or its interim symbol. */
export function isDerivedTicker(ticker: Ticker, share: Ticker): boolean {
  const suffix = ticker.slice(share.length);
  return ticker.startsWith(share) && (suffix === "" || suffix === INTERIM_SUFFIX || OTHER_SECURITY_SUFFIX.test(suffix));
}

/**
 * Resolves the listing exchange: that of the tag, else the only one that the text names. NYSE American and NYSE Arca are
 * often tagged as NYSE, so another mention of them takes precedence.
 */
export function resolveExchange(share: TickerMention | null, plain: string): Exchange | null {
  const tagged = share?.exchange ?? null;
  if (tagged !== null && tagged !== "NYSE") return tagged;
  const named = findListingExchanges(plain);
  if (tagged === null) return named.size === 1 ? ([...named][0] ?? null) : null;
  if (/new york stock exchange/i.test(plain)) return tagged;
  return [...named].find((exchange) => exchange === "NYSEAMERICAN" || exchange === "NYSEARCA") ?? tagged;
}
