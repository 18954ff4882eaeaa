import { z } from "zod";
import { parsedText } from "../schema-parts.ts";
import { type Exchange, parseExchange } from "../split/exchange.ts";
import { parseTicker, type Ticker } from "../split/ticker.ts";

/** Returns the schema of one field of an imported file, given the known exchanges. Issue messages state what is expected. */
export type ImportField<T> = (isKnownExchange: IsKnownExchange) => z.ZodType<T>;

export type IsKnownExchange = (exchange: Exchange) => boolean;

/** Maximum number of names in a list; more than the longest command line can contain. */
const MAX_NAMES = 6_000;

export const TICKER_FORM = "a ticker such as ACME or BRK.B";
const EXCHANGE_FORM = "an exchange such as NASDAQ, NYSE or OTC";
const MIN_RATIO_FORM = "the number of old shares per new share, more than 1, or null";

export const tickerField = parsedText(parseTicker, TICKER_FORM);

const tickerList = listOf(tickerField);
const minRatio = z.number(MIN_RATIO_FORM).gt(1, MIN_RATIO_FORM).nullable();

export const tickersField: ImportField<readonly Ticker[]> = () => tickerList;

export const minRatioField: ImportField<number | null> = () => minRatio;

export function exchangesField(isKnown: IsKnownExchange): z.ZodType<readonly Exchange[]> {
  const parse = (text: string): Exchange | undefined => {
    const exchange = parseExchange(text);
    return exchange !== undefined && isKnown(exchange) ? exchange : undefined;
  };
  return listOf(parsedText(parse, EXCHANGE_FORM));
}

/** List of words from a fixed set, in any case. */
export function wordsField<T extends string>(words: readonly T[]): ImportField<readonly T[]> {
  const parse = (text: string): T | undefined => words.find((word) => word === text.trim().toLowerCase());
  const list = listOf(parsedText(parse, `one of ${words.join(", ")}`));
  return () => list;
}

function listOf<T>(item: z.ZodType<T>): z.ZodType<readonly T[]> {
  return z
    .array(z.unknown(), "a list in brackets")
    .max(MAX_NAMES, `at most ${MAX_NAMES} entries`)
    .pipe(z.array(item))
    .transform((items) => [...new Set(items)]);
}
