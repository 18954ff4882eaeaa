import { isLegalForm, isNameEnding } from "../../domain/article/company-name.ts";
import { parseUserTicker, type Ticker } from "../../domain/split/ticker.ts";
import { memoize } from "../../lib/collections.ts";
import type { Issuers } from "../issuers.ts";
import type { NameMatch } from "../name-index.ts";
import {
  type Cursor,
  type ReadValue,
  readExchange,
  type TickerOrExchange,
  type TickerQuestion,
  wordAt,
  wordRuns,
} from "./option-values.ts";
import type { Word } from "./words.ts";

/** Maximum number of words of a company's name that are read. */
export const MAX_NAME_WORDS = 6;

/** Reads a ticker or the name of a company. A word that is neither known nor the name of a company is a ticker if it can be one. */
export function readIssuer(cursor: Cursor): ReadValue<Ticker> | null {
  return readName(cursor) ?? readTicker(cursor) ?? askForSimilar(cursor);
}

/**
 * Like `readIssuer`, for commands that store the ticker: asks for the ticker unless the words are certainly one. Words that are
 * neither known nor in capitals get a question, and so does a company that only a part of the text names.
 */
export function readStoredIssuer(cursor: Cursor): ReadValue<Ticker> | null {
  const name = readName(cursor);
  if (name !== null) return isUncertain(name, cursor) ? asQuestion(name, cursor) : name;
  const ticker = tickerAt(cursor);
  if (ticker === undefined || isCertain(cursor, ticker)) return readTicker(cursor) ?? askForSimilar(cursor);
  return askForSimilar(cursor) ?? unknownWord(cursor, ticker);
}

function unknownWord(cursor: Cursor, ticker: Ticker): TickerQuestion {
  return { got: wordAt(cursor), ticker, companies: [], wordCount: 1 };
}

export interface InvalidTicker {
  readonly invalid: string;
}

/** Reads a word of a list of tickers in any form. */
export function readAnyIssuer(cursor: Cursor): ReadValue<Ticker | InvalidTicker> {
  const result = cursor.spec.onlyWatched ? readIssuer(cursor) : readStoredIssuer(cursor);
  return result ?? { value: { invalid: wordAt(cursor) }, wordCount: 1 };
}

export function readIssuerOrExchange(cursor: Cursor): ReadValue<TickerOrExchange> | null {
  const exchange = readExchange(cursor);
  if (exchange) return { value: { exchange: exchange.value }, wordCount: exchange.wordCount };
  const issuer = readStoredIssuer(cursor);
  return issuer === null || !("value" in issuer) ? issuer : { ...issuer, value: { ticker: issuer.value } };
}

/** Ticker of the word at the cursor, ignoring markup and punctuation around it. */
function tickerAt(cursor: Cursor): Ticker | undefined {
  return parseUserTicker(wordAt(cursor));
}

function readTicker(cursor: Cursor): ReadValue<Ticker> | null {
  const value = tickerAt(cursor);
  const { issuers } = cursor.context;
  if (value === undefined) return null;
  // The beginning of a name, such as `zorva`, is not taken for a ticker.
  if (issuers === undefined || isCertain(cursor, value)) return { value, wordCount: 1 };
  const question = askForSimilar(cursor);
  if (question !== null) return question;
  return issuers.isComplete ? { value, wordCount: 1 } : unknownWord(cursor, value);
}

/** True for a ticker with `$`, in capitals, or of a known issuer. */
function isCertain(cursor: Cursor, ticker: Ticker): boolean {
  const { issuers } = cursor.context;
  return issuers === undefined || isInCapitals(wordAt(cursor)) || hasDollar(wordAt(cursor)) || issuers.isKnown(ticker);
}

export function isInCapitals(word: string): boolean {
  return word === word.toUpperCase();
}

/** True if a dollar sign marks the word as a ticker, also within markup. */
export function hasDollar(word: string): boolean {
  return /^[*_~#']*\$/.test(word);
}

/** Company whose name the words are; a question if several companies match equally well. */
function readName(cursor: Cursor): (ReadValue<Ticker> & { readonly named: readonly NameMatch[] }) | null {
  const { issuers } = cursor.context;
  const ticker = tickerAt(cursor);
  if (issuers === undefined || hasDollar(wordAt(cursor))) return null;
  const minWords = ticker !== undefined && issuers.isKnown(ticker) ? 2 : 1;
  const runs = wordRuns(cursor, MAX_NAME_WORDS);
  for (const [index, text] of runs.entries()) {
    const length = runs.length - index;
    if (length < minWords || !canBeName(cursor, length) || areTickers(cursor, length, issuers)) continue;
    const named = bestOf(issuers.find(text));
    const [first, ...others] = named;
    if (first === undefined) continue;
    const wordCount = length + legalFormAfter(cursor, length);
    if (others.length > 0) return { got: text, ticker: null, companies: named, wordCount, named };
    return { value: first.ticker, wordCount, named };
  }
  return null;
}

/** Only the company with exactly this name, if there is one. */
function bestOf(found: readonly NameMatch[]): readonly NameMatch[] {
  const whole = found.filter(({ match }) => match === "whole");
  return whole.length === 1 ? whole : found;
}

/** False if the last of several words isn't a part of a name. */
function canBeName({ words, position }: Cursor, length: number): boolean {
  const last = words[position + length - 1];
  return length < 2 || (last !== undefined && canEndName(last));
}

const canEndName = memoize(({ text }: Word) => /[\p{L}\p{N}]/u.test(text) && !isNameEnding(text));

/** True if each of several words is a known ticker. */
function areTickers(cursor: Cursor, length: number, issuers: Issuers): boolean {
  if (length < 2) return false;
  for (let offset = 0; offset < length; offset += 1) {
    const ticker = tickerAt({ ...cursor, position: cursor.position + offset });
    if (ticker === undefined || !issuers.isKnown(ticker)) return false;
  }
  return true;
}

/** 1 if a legal form follows the words, also after a comma: `Acme Robotics, Inc.` */
function legalFormAfter({ words, position, context }: Cursor, length: number): number {
  const next = words[position + length];
  if (next === undefined || next.kind === "key" || !isLegalForm(next.text)) return 0;
  const ticker = parseUserTicker(next.text);
  return ticker !== undefined && context.issuers?.isKnown(ticker) ? 0 : 1;
}

/** True if the words name the company by a later part of its name, can be another ticker, or continue with an unknown word. */
function isUncertain(name: NonNullable<ReturnType<typeof readName>>, cursor: Cursor): boolean {
  if ("companies" in name) return false;
  const isPart = name.named.some(({ match }) => match === "inside");
  const canBeTicker = name.wordCount === 1 && isInCapitals(wordAt(cursor)) && tickerAt(cursor) !== undefined;
  return isPart || canBeTicker || continuesWithUnknown(cursor, name.wordCount);
}

function continuesWithUnknown(cursor: Cursor, wordCount: number): boolean {
  const after = { ...cursor, position: cursor.position + wordCount };
  const next = cursor.words[after.position];
  if (next === undefined || next.kind !== "bare" || next.isSeparated || !/^[a-z]{2,}$/i.test(next.text)) return false;
  const ticker = tickerAt(after);
  return (ticker === undefined || !isCertain(after, ticker)) && readName(after) === null;
}

function asQuestion(name: NonNullable<ReturnType<typeof readName>>, cursor: Cursor): TickerQuestion {
  const { named, wordCount } = name;
  const ticker = wordCount === 1 ? (tickerAt(cursor) ?? null) : null;
  return { got: wordRuns(cursor, wordCount)[0] ?? wordAt(cursor), ticker, companies: named, wordCount };
}

/** Asks for the companies whose names begin with the word; null if there are none. */
function askForSimilar(cursor: Cursor): TickerQuestion | null {
  const { issuers } = cursor.context;
  if (issuers === undefined || hasDollar(wordAt(cursor))) return null;
  const runs = wordRuns(cursor, MAX_NAME_WORDS);
  for (const [index, got] of runs.entries()) {
    const length = runs.length - index;
    if (!canBeName(cursor, length)) continue;
    const companies = issuers.find(got, true).filter(({ match }) => match !== "inside");
    const ticker = length === 1 ? (tickerAt(cursor) ?? null) : null;
    if (companies.length > 0) return { got, ticker, companies, wordCount: length };
  }
  return null;
}
