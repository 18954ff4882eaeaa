import { parseMuteDuration, parseQuietHours, type QuietHours } from "../../domain/settings/setting-values.ts";
import { type Exchange, isKnownExchange, parseExchange, parseKnownExchange } from "../../domain/split/exchange.ts";
import { oldPerNew, parseRatio, type Ratio } from "../../domain/split/ratio.ts";
import { parseShares, type Shares } from "../../domain/split/share-conversion.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import { addDays, type Day } from "../../domain/time/day.ts";
import { parseTimeZone } from "../../domain/time/time-zone.ts";
import { MAX_DAY_WORDS, parseNextWeekday, parseTypedDay } from "../../domain/time/typed-day.ts";
import { memoize } from "../../lib/collections.ts";
import type { Issuers } from "../issuers.ts";
import type { NamedTicker } from "../name-index.ts";
import type { Word } from "./words.ts";

/** Data needed to read option values. */
export interface ParseContext {
  /** Exchanges of the listed splits: a data service may list some that this version doesn't know. */
  readonly exchanges: readonly Exchange[];
  readonly today: Day;
  /** Absent: every word that can be a ticker is one, and no word names a company. */
  readonly issuers?: Issuers;
}

/** Fixed words that an option accepts. */
export interface WordSet {
  readonly choices?: readonly string[];
  /** Synonyms in lower case without spaces: `canceled` for `cancelled`. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** The option takes watched tickers only, and completion offers only these. */
  readonly onlyWatched?: boolean;
}

/** Position in the words of a command line, and the option to read. */
export interface Cursor {
  readonly words: readonly Word[];
  readonly position: number;
  readonly spec: WordSet;
  readonly context: ParseContext;
}

/** A value, and the number of words that it was read from. */
export interface ParsedValue<V> {
  readonly value: V;
  readonly wordCount: number;
}

/** Words that may name an issuer, but not certainly: the user has to choose. */
export interface TickerQuestion {
  /** The words as typed. */
  readonly got: string;
  /** The ticker that the words can be; null if they can't be one. */
  readonly ticker: Ticker | null;
  /** Companies that the words may name. */
  readonly companies: readonly NamedTicker[];
  readonly wordCount: number;
}

export type ReadValue<V> = ParsedValue<V> | TickerQuestion;

export function isQuestion(result: ReadValue<unknown>): result is TickerQuestion {
  return "companies" in result;
}

const MAX_EXCHANGE_WORDS = 5;
const MAX_CHOICE_WORDS = 3;
/** `1 day 12 hours` */
const MAX_DURATION_WORDS = 4;
/** `Dumont d Urville` */
const MAX_CITY_WORDS = 3;
/** `10 pm - 7 am` */
const MAX_HOURS_WORDS = 5;
export const MAX_PAGE = 10_000;
const MAX_RULE_NUMBER = 1_000_000;
const MAX_SHARE_DECIMALS = 15;

/** Letters and digits in lower case: `Round-Up` and `round up` are `roundup`. */
function bareWord(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}

export function wordAt({ words, position }: Cursor): string {
  return words[position]?.text ?? "";
}

function oneWordValue<V>(value: V | undefined): ParsedValue<V> | null {
  return value === undefined ? null : { value, wordCount: 1 };
}

const MAX_RUN_WORDS = 6;

/** Runs of each position, as far as they were needed: every option reads those of the same words. */
const runsByPosition = memoize((_words: readonly Word[]): (readonly string[] | undefined)[] => []);

/** Runs of words from the cursor on, the longest first, of up to `maxWords` (at most 6) words without a separator or an option name. */
export function wordRuns({ words, position }: Cursor, maxWords: number): readonly string[] {
  const known = runsByPosition(words);
  const runs = known[position] ?? readRuns(words, position);
  known[position] = runs;
  return runs.length <= maxWords ? runs : runs.slice(-maxWords);
}

function readRuns(words: readonly Word[], position: number): readonly string[] {
  const runs: string[] = [];
  for (let length = 0; length < MAX_RUN_WORDS; length += 1) {
    const word = words[position + length];
    if (word === undefined || word.kind === "key" || (length > 0 && word.isSeparated)) break;
    runs.push(length === 0 ? word.text : `${runs[length - 1]} ${word.text}`);
  }
  return runs.toReversed();
}

/** Reads the longest run of words that `parse` accepts. */
function readLongest<V>(
  cursor: Cursor,
  maxWords: number,
  parse: (text: string) => V | undefined,
): ParsedValue<V> | null {
  const runs = wordRuns(cursor, maxWords);
  for (const [index, text] of runs.entries()) {
    const value = parse(text);
    if (value !== undefined) return { value, wordCount: runs.length - index };
  }
  return null;
}

export function readText({ words, position }: Cursor): ParsedValue<string> {
  const remaining = words.slice(position);
  return { value: remaining.map(({ text }) => text).join(" "), wordCount: remaining.length };
}

/** Rejects unknown exchanges as typing errors: a rule for an unknown exchange would never match. */
export function readExchange(cursor: Cursor): ParsedValue<Exchange> | null {
  const { exchanges } = cursor.context;
  return readLongest(cursor, MAX_EXCHANGE_WORDS, (text) => {
    const exchange = text.startsWith("$") ? undefined : parseExchange(text);
    const isUsable = exchange !== undefined && (isKnownExchange(exchange) || exchanges.includes(exchange));
    return isUsable ? exchange : undefined;
  });
}

export interface TickersAndExchanges {
  readonly tickers: readonly Ticker[];
  readonly exchanges: readonly Exchange[];
}

export type TickerOrExchange = { readonly exchange: Exchange } | { readonly ticker: Ticker };

const choicesByBareWord = memoize(
  (choices: readonly string[]): ReadonlyMap<string, string> =>
    new Map(choices.map((choice) => [bareWord(choice), choice])),
);

export function readChoice(cursor: Cursor, { choices = [], aliases = {} }: WordSet): ParsedValue<string> | null {
  return readLongest(cursor, MAX_CHOICE_WORDS, (text) => {
    const normalized = bareWord(text);
    const choice = choicesByBareWord(choices).get(normalized);
    return choice ?? (Object.hasOwn(aliases, normalized) ? aliases[normalized] : undefined);
  });
}

export function readDay(cursor: Cursor): ParsedValue<Day> | null {
  const { today } = cursor.context;
  const text = wordAt(cursor).toLowerCase();
  if (text === "today") return oneWordValue(today);
  if (text === "yesterday") return oneWordValue(addDays(today, -1));
  for (let length = MAX_DAY_WORDS; length > 0; length -= 1) {
    // A comma is part of the day: `Nov 27, 2026`.
    const words = cursor.words.slice(cursor.position, cursor.position + length);
    const isText = words.length === length && words.every(({ kind }) => kind !== "key");
    const value = isText ? parseTypedDay(words.map((word) => word.text).join(" "), today) : undefined;
    if (value !== undefined) return { value, wordCount: length };
  }
  return null;
}

/** Also accepts a weekday, which is the next one. */
export function readDayAhead(cursor: Cursor): ParsedValue<Day> | null {
  return readDay(cursor) ?? oneWordValue(parseNextWeekday(wordAt(cursor), cursor.context.today));
}

function readNumber(cursor: Cursor, max: number): ParsedValue<number> | null {
  const text = wordAt(cursor).replace(/^#/, "");
  const number = Number(text);
  return /^\d{1,9}$/.test(text) && number >= 1 && number <= max ? { value: number, wordCount: 1 } : null;
}

export function readPage(cursor: Cursor): ParsedValue<number> | null {
  return readNumber(cursor, MAX_PAGE);
}

export function readRuleNumber(cursor: Cursor): ParsedValue<number> | null {
  return readNumber(cursor, MAX_RULE_NUMBER);
}

export function readRuleNumbers(cursor: Cursor): ParsedValue<readonly number[] | "all"> | null {
  const text = wordAt(cursor).toLowerCase();
  if (text === "all") return { value: "all", wordCount: 1 };
  // Skips the word in `rule 3`.
  if (/^rules?$/.test(text) && cursor.position + 1 < cursor.words.length) return { value: [], wordCount: 1 };
  const parts = text.replace(/^#/, "").split(",");
  return parts.every((part) => /^0*[1-9]\d{0,5}$/.test(part)) ? { value: parts.map(Number), wordCount: 1 } : null;
}

/** `1-for-20`, `1:20`, `1 for 20` */
export function readRatio(cursor: Cursor): ParsedValue<Ratio> | null {
  return readLongest(cursor, 3, parseRatio);
}

/** Also accepts `20`: old shares per new share. */
export function readRatioOrNumber(cursor: Cursor): ParsedValue<Ratio> | null {
  const ratio = readRatio(cursor);
  if (ratio) return ratio;
  const text = wordAt(cursor).replaceAll(",", "");
  return oneWordValue(/^\d{1,7}(?:\.\d{1,4})?$/.test(text) && Number(text) > 1 ? parseRatio(`1:${text}`) : undefined);
}

export function oldPerNewOf(ratio: ParsedValue<Ratio> | null): ParsedValue<number> | null {
  return ratio && { value: oldPerNew(ratio.value), wordCount: ratio.wordCount };
}

/** Also accepts a unit within quotes: `"150 shares"`. */
export function readShares(cursor: Cursor): ParsedValue<Shares> | null {
  return oneWordValue(parseShares(wordAt(cursor).replace(/\s?(?:shares?)?[.!?]?$/i, "")));
}

export function readDuration(cursor: Cursor): ParsedValue<number> | null {
  return readLongest(cursor, MAX_DURATION_WORDS, parseMuteDuration);
}

export function readTimezone(cursor: Cursor): ParsedValue<string | null> | null {
  if (bareWord(wordAt(cursor)) === "default") return { value: null, wordCount: 1 };
  return readLongest(cursor, MAX_CITY_WORDS, parseTimeZone);
}

/** Reads an IANA name such as `Asia/Tokyo`, but no city name, which could be another option's value. */
export function readZoneName(cursor: Cursor): ParsedValue<string> | null {
  return wordAt(cursor).includes("/") ? readLongest(cursor, 1, parseTimeZone) : null;
}

export function readHours(cursor: Cursor): ParsedValue<QuietHours> | null {
  return readLongest(cursor, MAX_HOURS_WORDS, parseQuietHours);
}

export function readHoursOrOff(cursor: Cursor): ParsedValue<QuietHours | null> | null {
  return readSwitch(cursor)?.value === false ? { value: null, wordCount: 1 } : readHours(cursor);
}

const SWITCH_WORDS: ReadonlyMap<string, boolean> = new Map([
  ["on", true],
  ["yes", true],
  ["true", true],
  ["off", false],
  ["no", false],
  ["none", false],
  ["false", false],
]);

export function readSwitch(cursor: Cursor): ParsedValue<boolean> | null {
  return oneWordValue(SWITCH_WORDS.get(bareWord(wordAt(cursor))));
}

/** Writes the ticker AND as `$AND`, because `and` between two values is ignored. */
export function writeTickers(tickers: readonly Ticker[]): string {
  return joinNames(tickers.map((ticker) => (ticker.toLowerCase() === "and" ? `$${ticker}` : ticker)));
}

/** Writes a ticker that is also the name of an exchange with a `$`: `$CBOE`. */
export function writeTickersAndExchanges({ tickers, exchanges }: TickersAndExchanges): string {
  const names = tickers.map((ticker) => (parseKnownExchange(ticker) ? `$${ticker}` : writeTickers([ticker])));
  return joinNames([...names, ...exchanges]);
}

/** Adds a space after the commas if a name starts with three digits, because `1,234` is read as one word. */
function joinNames(names: readonly string[]): string {
  return names.join(names.some((name) => /^\d{3}(?!\d)/.test(name)) ? ", " : ",");
}

/** A ratio that needs more new shares than this to be exact is written as a rounded decimal. */
const MAX_NEW_SHARES = 1_000;

/** Writes old shares per new share as a short exact text, if there is one: `20`, `7.7`, or `3:100` for 33.333… */
export function writeMinRatio(minRatio: number): string {
  const decimal = String(minRatio);
  if (/^\d+(?:\.\d{1,4})?$/.test(decimal)) return decimal;
  for (let newShares = 2; newShares <= MAX_NEW_SHARES; newShares += 1) {
    const oldShares = Math.round(minRatio * newShares);
    if (oldShares / newShares === minRatio) return `${newShares}:${oldShares}`;
  }
  return minRatio.toFixed(4);
}

/** Returns the decimal form, which exists for every parsed number of shares. */
export function writeShares({ numerator, denominator }: Shares): string {
  let scale = 1n;
  let decimals = 0;
  for (; scale % denominator !== 0n && decimals < MAX_SHARE_DECIMALS; scale *= 10n) decimals += 1;
  const digits = String((numerator * scale) / denominator).padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
