import { z } from "zod";
import { type Exchange, followsUsTradingDays, parseExchange, uncoveredExchangeName } from "./exchange.ts";

export const tickerSchema = z.string().brand<"Ticker">();

/**
 * The symbol of a security in its canonical form: upper case, with a dot before a share class or unit, such as `ACME`, `BRK.B` or
 * `GODB.P`. A symbol from outside can name its market, such as `OAKR.TO`: see `listedTicker` and `selectorsOf`.
 */
export type Ticker = z.infer<typeof tickerSchema>;

/** Suffixes with which other services mark the Canadian exchanges; null marks the US exchanges, whose symbols have no suffix. */
const EXCHANGE_OF_SUFFIX: Readonly<Record<string, string | null>> = {
  TO: "TSX",
  V: "TSXV",
  CN: "CSE",
  NE: "NEO",
  US: null,
};

/** Suffixes of the Canadian exchanges. */
const CANADIAN_SUFFIXES = Object.keys(EXCHANGE_OF_SUFFIX).filter((suffix) => EXCHANGE_OF_SUFFIX[suffix] !== null);

/** Up to six letters or digits, then optionally a share class, unit or board, and a market. */
const SYMBOL = /^[A-Z0-9]{1,6}(?:\.[A-Z0-9]{1,4})?(?:\.(?:TO|V|CN|NE|US))?$/;

/** A share class or unit after a space, as in a field of a table: `BRK B`. */
const SPACED_CLASS = /^([A-Z0-9]{2,6}) ([A-Z]|UN)$/;

/** `NASDAQ:`, `TSX-V: ` */
const TAG = /^([A-Z][A-Z .-]{0,24}):\s?/;

/** Maximum length of a symbol with its prefixes. */
const MAX_LENGTH = 40;

/**
 * Parses a symbol in any spelling: in any case, with a dot, hyphen, slash or space before a share class (`BRK.B`, `brk-b`, `BF/A`),
 * with a market's suffix (`OAKR.TO`), with an exchange or a dollar sign before it (`TSX:OAKR`, `$ACME`), and with whitespace around it.
 * An exchange in Canada becomes its suffix; one in the US is dropped. Undefined for other text, also if a part of it is a symbol.
 */
export function parseTicker(text: string): Ticker | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const upper = text.trim().toUpperCase();
  const [tag, exchange] = TAG.exec(upper) ?? [];
  const symbol = upper.slice(tag?.length ?? 0).replace(/^\$/, "");
  return exchange === undefined ? canonicalSymbol(symbol) : taggedSymbol(exchange, symbol);
}

/** Undefined for a name that is no exchange: a part of the symbol that isn't known is never ignored. */
function taggedSymbol(exchange: string, symbol: string): Ticker | undefined {
  const [market, ticker] = [suffixOfExchange(exchange), canonicalSymbol(symbol)];
  if (market === undefined || ticker === undefined) return undefined;
  // The symbols in Tokyo, which has the same name as Toronto, begin with digits.
  return exchange === "TSE" && /^\d/.test(ticker) ? undefined : withMarket(ticker, market);
}

/** True for the name of an exchange that can precede a symbol, such as `NASDAQ` or `TSX-V`, also of one that no source covers. */
export function isExchangePrefix(name: string): boolean {
  return suffixOfExchange(name) !== undefined || uncoveredExchangeName(name) !== undefined;
}

function canonicalSymbol(symbol: string): Ticker | undefined {
  const dotted = symbol.replace(SPACED_CLASS, "$1.$2").replace(/[-/\u2010-\u2015\u2212]/g, ".");
  // Digit-only symbols exist only in Asia, so they are typing errors here.
  if (!SYMBOL.test(dotted) || !/[A-Z]/.test(withoutSuffix(dotted))) return undefined;
  return (marketSuffixOf(dotted) === "US" ? withoutSuffix(dotted) : dotted) as Ticker;
}

/** Suffix that an exchange's name before the symbol stands for: "" for an exchange in the US; undefined if it is unknown. */
function suffixOfExchange(name: string): string | undefined {
  const exchange = parseExchange(name);
  if (exchange === undefined) return undefined;
  const code = exchange === "TSE" ? "TSX" : exchange;
  return followsUsTradingDays(exchange) ? "" : CANADIAN_SUFFIXES.find((suffix) => EXCHANGE_OF_SUFFIX[suffix] === code);
}

/** Undefined if the exchange before the symbol contradicts the suffix after it. */
function withMarket(ticker: Ticker, market: string): Ticker | undefined {
  const stated = marketSuffixOf(ticker);
  if (stated !== undefined) return market === "" ? undefined : ticker;
  return (market === "" ? ticker : `${ticker}.${market}`) as Ticker;
}

function marketSuffixOf(ticker: string): string | undefined {
  const suffix = ticker.slice(ticker.lastIndexOf(".") + 1);
  return suffix.length < ticker.length && Object.hasOwn(EXCHANGE_OF_SUFFIX, suffix) ? suffix : undefined;
}

function withoutSuffix(ticker: string): string {
  return marketSuffixOf(ticker) === undefined ? ticker : ticker.slice(0, ticker.lastIndexOf("."));
}

/** True if the ticker ends with the suffix of a market: `OAKR.TO`. */
export function namesMarket(ticker: Ticker): boolean {
  return marketSuffixOf(ticker) !== undefined;
}

/** The ticker without its share class, unit and market: `BRK` for `BRK.B`. */
export function baseSymbol(ticker: Ticker): Ticker {
  return ticker.split(".", 1)[0] as Ticker;
}

/** Ticker and exchange of a listing. Exchange: null if it isn't stated. */
export interface Listing {
  readonly ticker: Ticker;
  readonly exchange: Exchange | null;
}

/**
 * Moves a market's suffix from the ticker of a listing to its exchange: `OAKR.TO` becomes OAKR on TSX. A suffix of another exchange than
 * the stated one is a part of the symbol.
 */
export function listingOf({ ticker, exchange }: Listing): Listing {
  const suffix = marketSuffixOf(ticker);
  const market = suffix === undefined ? undefined : EXCHANGE_OF_SUFFIX[suffix];
  if (typeof market !== "string") return { ticker, exchange };
  if (exchange !== null && exchange !== market && !(exchange === "TSE" && market === "TSX"))
    return { ticker, exchange };
  return { ticker: withoutSuffix(ticker) as Ticker, exchange: exchange ?? (market as Exchange) };
}

/** A statement with its ticker and exchange as `listingOf` returns them; the same object if its ticker names no market. */
export function withListing<T extends { readonly ticker: Ticker | null; readonly exchange: Exchange | null }>(
  stated: T,
): T {
  const { ticker, exchange } = stated;
  return ticker === null || marketSuffixOf(ticker) === undefined
    ? stated
    : { ...stated, ...listingOf({ ticker, exchange }) };
}

/** The ticker of a row whose exchange is known: `OAKR` for `OAKR.TO` on TSX. */
export function listedTicker(ticker: Ticker, exchange: Exchange): Ticker {
  return listingOf({ ticker, exchange }).ticker;
}

/**
 * The tickers with which a person can select a security: its ticker, which selects it on every exchange, and for a security that isn't
 * listed in the US also with the suffix of each Canadian exchange, because these exchanges share their symbols.
 *
 * @param exchanges Exchanges of the security; none if they are unknown.
 */
export function selectorsOf(ticker: Ticker, exchanges: readonly Exchange[]): readonly Ticker[] {
  if (exchanges.length > 0 && exchanges.every(followsUsTradingDays)) return [ticker];
  return [ticker, ...CANADIAN_SUFFIXES.map((suffix) => `${ticker}.${suffix}` as Ticker)];
}

/** True if a ticker, which can name a market, selects the security. */
export function selects(selector: Ticker, { ticker, exchange }: Listing): boolean {
  return selector === ticker || selectorsOf(ticker, exchange === null ? [] : [exchange]).includes(selector);
}

/** True if the selector `wide` selects everything that `narrow` selects: `OAKR` covers `OAKR.TO`, and `OAKR.TO` covers `OAKR.V`. */
export function coversSelector(wide: Ticker, narrow: Ticker): boolean {
  return withoutSuffix(wide) === withoutSuffix(narrow) && (!namesMarket(wide) || namesMarket(narrow));
}

/** True if a security exists that both selectors select. */
export function overlapsSelector(a: Ticker, b: Ticker): boolean {
  return withoutSuffix(a) === withoutSuffix(b);
}

/** Spellings of a ticker in stored data: earlier versions stored the separator as it was written. */
export function storedSpellings(ticker: Ticker): readonly Ticker[] {
  if (!ticker.includes(".")) return [ticker];
  return [ticker, ...["-", "/"].map((separator) => ticker.replaceAll(".", separator) as Ticker)];
}

/** The canonical form of a stored ticker. */
export function canonicalTicker(stored: Ticker): Ticker {
  return stored.replace(/[-/]/g, ".") as Ticker;
}

/** A stored statement with its ticker in the canonical form and on its exchange; the same object if nothing differs. */
export function canonicalStatement<T extends { readonly ticker: Ticker | null; readonly exchange: Exchange | null }>(
  stored: T,
): T {
  const ticker = stored.ticker && canonicalTicker(stored.ticker);
  return withListing(ticker === stored.ticker ? stored : { ...stored, ticker });
}

/** Maximum length of a typed ticker with the markup and punctuation around it. */
const MAX_TYPED_LENGTH = 60;

/** Parses a ticker that a person typed, ignoring markup and punctuation around it: `*$ACME*`, `ACME.` */
export function parseUserTicker(word: string): Ticker | undefined {
  if (word.length > MAX_TYPED_LENGTH) return undefined;
  return parseTicker(word.replace(/^[*_~#'$]+|(?<![*_~'.!?:])[*_~'.!?:]+$/g, ""));
}
