import { parseMuteDuration, parseQuietHours, type QuietHours } from "../../domain/settings/destination-settings.ts";
import { parseShares, type Shares } from "../../domain/split/calc.ts";
import { type Exchange, isKnownExchange, KNOWN_EXCHANGES, parseExchange } from "../../domain/split/exchange.ts";
import { oldPerNew, parseRatio, type Ratio } from "../../domain/split/ratio.ts";
import { parseTicker, type Ticker } from "../../domain/split/ticker.ts";
import { addDays, type Day, parseDay } from "../../domain/time/day.ts";
import { parseTimeZone, suggestTimeZone } from "../../domain/time/time-zone.ts";
import type { OptionSpec } from "../command.ts";
import { suggestWord } from "./suggest-word.ts";
import type { Word } from "./words.ts";

/** What words may mean besides what they always mean. */
export interface Vocabulary {
  /** Exchanges of the splits listed now: another service may know some that we do not. */
  readonly exchanges: readonly Exchange[];
  readonly today: Day;
}

/** Where to read, and what for. */
export interface Cursor {
  readonly words: readonly Word[];
  readonly at: number;
  readonly spec: OptionSpec;
  readonly vocabulary: Vocabulary;
}

/** One value and how many words it took. */
export interface Unit<V> {
  readonly value: V;
  readonly used: number;
}

/** How the values of one kind of option are read, one by one, and put together. */
export interface OptionKind {
  /** Takes more than one value. */
  readonly many: boolean;
  /** Which option an unnamed word is offered to first; null: its option must be named. */
  readonly rank: number | null;
  /** After `option:`. Null: the word at this place is no such value. */
  read(cursor: Cursor): Unit<unknown> | null;
  /** An unnamed word is believed to be one only in its unmistakable form. */
  readUnnamed(cursor: Cursor): Unit<unknown> | null;
  /** Undefined: they do not make a value. */
  gather(values: readonly unknown[]): unknown;
  near(text: string, spec: OptionSpec): string | undefined;
}

interface KindParts<V> {
  readonly many?: boolean;
  readonly rank: number | null;
  read(cursor: Cursor): Unit<V> | null;
  readUnnamed?(cursor: Cursor): Unit<V> | null;
  gather?(values: readonly V[]): unknown;
  near?(text: string, spec: OptionSpec): string | undefined;
}

function kind<V>(parts: KindParts<V>): OptionKind {
  const many = parts.many ?? false;
  return {
    many,
    rank: parts.rank,
    read: (cursor) => parts.read(cursor),
    readUnnamed: (cursor) => (parts.readUnnamed ? parts.readUnnamed(cursor) : parts.read(cursor)),
    gather: (values) => {
      const read = values as readonly V[];
      if (parts.gather) return parts.gather(read);
      return many ? unique(read) : read[0];
    },
    near: (text, spec) => parts.near?.(text, spec),
  };
}

const RANK = { choice: 0, exchange: 1, day: 2, number: 3, ticker: 4 } as const;
const LONGEST_EXCHANGE_NAME = 5;
const LONGEST_CHOICE = 3;
/** `1 day 12 hours` */
const LONGEST_DURATION = 4;
/** `Dumont d Urville` */
const LONGEST_CITY = 3;
/** `10 pm - 7 am` */
const LONGEST_HOURS = 5;

export const OPTION_KINDS: Readonly<Record<OptionSpec["kind"], OptionKind>> = {
  ticker: kind({ rank: RANK.ticker, read: readTicker }),
  tickers: kind({ many: true, rank: RANK.ticker, read: readTicker }),
  looseTickers: kind({
    many: true,
    rank: RANK.ticker,
    read: (cursor) => readTicker(cursor) ?? { value: { refused: wordAt(cursor) }, used: 1 },
    gather: gatherLoose,
  }),
  exchanges: kind({
    many: true,
    rank: RANK.exchange,
    read: readExchange,
    near: nearExchange,
  }),
  names: kind({
    many: true,
    rank: null,
    read: readName,
    gather: (names) => ({
      exchanges: unique(names.flatMap((name) => ("exchange" in name ? [name.exchange] : []))),
      tickers: unique(names.flatMap((name) => ("ticker" in name ? [name.ticker] : []))),
    }),
    near: nearExchange,
  }),
  choice: kind({
    rank: RANK.choice,
    read: (cursor) => readChoice(cursor, true),
    readUnnamed: (cursor) => readChoice(cursor, false),
    near: nearChoice,
  }),
  choices: kind({
    many: true,
    rank: RANK.choice,
    read: (cursor) => readChoice(cursor, true),
    readUnnamed: (cursor) => readChoice(cursor, false),
    near: nearChoice,
  }),
  day: kind({ rank: RANK.day, read: readDay }),
  number: kind({
    rank: RANK.number,
    read: readNumber,
  }),
  rule: kind({ rank: null, read: readNumber }),
  ratio: kind({
    rank: RANK.number,
    read: (cursor) => readSteepness(readRatio(cursor) ?? readOldPerNew(cursor)),
    readUnnamed: (cursor) => readSteepness(readRatio(cursor)),
  }),
  exactRatio: kind({
    rank: RANK.number,
    read: (cursor) => readRatio(cursor) ?? readOldPerNew(cursor),
    readUnnamed: readRatio,
  }),
  shares: kind({ rank: RANK.number, read: readShares }),
  numbers: kind({
    many: true,
    rank: RANK.number,
    read: readNumbers,
    gather: (values) => (values.includes("all") ? "all" : unique(values.flat())),
  }),
  duration: kind({ rank: RANK.number, read: (cursor) => readLongest(cursor, LONGEST_DURATION, parseMuteDuration) }),
  timezone: kind({
    rank: RANK.number,
    read: (cursor) => readDefault(cursor) ?? readLongest(cursor, LONGEST_CITY, parseTimeZone),
    readUnnamed: (cursor) => (wordAt(cursor).includes("/") ? readLongest(cursor, 1, parseTimeZone) : null),
    near: suggestTimeZone,
  }),
  hours: kind({
    rank: RANK.number,
    read: (cursor) => readOff(cursor) ?? readHours(cursor),
    readUnnamed: readHours,
  }),
  switch: kind({ rank: null, read: readSwitch }),
  file: kind({ rank: null, read: readText }),
  pasted: kind({ rank: null, read: readText }),
  text: kind({
    rank: null,
    read: readText,
  }),
};

function readText({ words, at }: Cursor): Unit<string> {
  const rest = words.slice(at);
  return { value: rest.map(({ text }) => text).join(" "), used: rest.length };
}

/** Letters and digits alone, in lower case: `Round-Up` and `round up` are `roundup`. */
function bareWord(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function wordAt({ words, at }: Cursor): string {
  return words[at]?.text ?? "";
}

/** Some words in a row as one text; undefined where they do not belong together. */
function wordsAt({ words, at }: Cursor, length: number): string | undefined {
  const taken = words.slice(at, at + length);
  const together = taken.every((word, index) => word.kind !== "key" && (index === 0 || !word.apart));
  return taken.length === length && together ? taken.map(({ text }) => text).join(" ") : undefined;
}

/** The longest run of words that means something. */
function readLongest<V>(cursor: Cursor, most: number, meaningOf: (text: string) => V | undefined): Unit<V> | null {
  for (let length = most; length > 0; length -= 1) {
    const text = wordsAt(cursor, length);
    const value = text === undefined ? undefined : meaningOf(text);
    if (value !== undefined) return { value, used: length };
  }
  return null;
}

/** Markup and the full stop of a sentence are no part of a ticker. */
function readTicker(cursor: Cursor): Unit<Ticker> | null {
  const ticker = parseTicker(wordAt(cursor).replace(/^[*_~#'$]+|[*_~'.!?:]+$/g, ""));
  return ticker === undefined ? null : { value: ticker, used: 1 };
}

function gatherLoose(values: readonly (Ticker | { readonly refused: string })[]): unknown {
  const tickers = unique(values.filter((value) => typeof value === "string"));
  const refused = unique(values.flatMap((value) => (typeof value === "string" ? [] : [value.refused])));
  return tickers.length === 0 ? undefined : { tickers, refused };
}

function readExchange(cursor: Cursor): Unit<Exchange> | null {
  return readLongest(cursor, LONGEST_EXCHANGE_NAME, (text) => {
    const exchange = text.startsWith("$") ? undefined : parseExchange(text);
    return exchange !== undefined && isUsable(exchange, cursor.vocabulary) ? exchange : undefined;
  });
}

/** A rule on an exchange that nobody has heard of would be silent for ever: it is taken for a typing error. */
function isUsable(exchange: Exchange, { exchanges }: Vocabulary): boolean {
  return isKnownExchange(exchange) || exchanges.includes(exchange);
}

type Name = { readonly exchange: Exchange } | { readonly ticker: Ticker };

function readName(cursor: Cursor): Unit<Name> | null {
  const exchange = readExchange(cursor);
  if (exchange) return { value: { exchange: exchange.value }, used: exchange.used };
  const ticker = readTicker(cursor);
  return ticker && { value: { ticker: ticker.value }, used: 1 };
}

function readChoice(cursor: Cursor, withAliases: boolean): Unit<string> | null {
  const { choices = [], aliases = {} } = cursor.spec;
  return readLongest(cursor, LONGEST_CHOICE, (text) => {
    const bare = bareWord(text);
    const choice = choices.find((known) => bareWord(known) === bare);
    return choice ?? (withAliases && Object.hasOwn(aliases, bare) ? aliases[bare] : undefined);
  });
}

function readDay(cursor: Cursor): Unit<Day> | null {
  const { today } = cursor.vocabulary;
  const text = wordAt(cursor).toLowerCase();
  const named: Readonly<Record<string, Day>> = { today, yesterday: addDays(today, -1) };
  const day = Object.hasOwn(named, text) ? named[text] : parseDay(text);
  return day === undefined ? null : { value: day, used: 1 };
}

function readNumber(cursor: Cursor): Unit<number> | null {
  const text = wordAt(cursor).replace(/^#/, "");
  const [least, greatest] = cursor.spec.range ?? [1, 1_000_000];
  const number = Number(text);
  return /^\d{1,9}$/.test(text) && number >= least && number <= greatest ? { value: number, used: 1 } : null;
}

/** `1-for-20`, `1:20`, `1 for 20` */
function readRatio(cursor: Cursor): Unit<Ratio> | null {
  return readLongest(cursor, 3, parseRatio);
}

/** `20` alone, more than 1: how many old shares make one new. */
function readOldPerNew(cursor: Cursor): Unit<Ratio> | null {
  const text = wordAt(cursor).replaceAll(",", "");
  const ratio = /^\d{1,7}(?:\.\d{1,4})?$/.test(text) && Number(text) > 1 ? parseRatio(`1:${text}`) : undefined;
  return ratio ? { value: ratio, used: 1 } : null;
}

function readSteepness(unit: Unit<Ratio> | null): Unit<number> | null {
  return unit && { value: oldPerNew(unit.value), used: unit.used };
}

/** Within quotation marks the unit stands beside it; a full stop is the sentence's. */
function readShares(cursor: Cursor): Unit<Shares> | null {
  const shares = parseShares(wordAt(cursor).replace(/\s?(?:shares?)?[.!?]?$/i, ""));
  return shares === undefined ? null : { value: shares, used: 1 };
}

/** The zone that holds where none is set. */
function readDefault(cursor: Cursor): Unit<null> | null {
  return bareWord(wordAt(cursor)) === "default" ? { value: null, used: 1 } : null;
}

function readHours(cursor: Cursor): Unit<QuietHours> | null {
  return readLongest(cursor, LONGEST_HOURS, parseQuietHours);
}

const SWITCH_WORDS: Readonly<Record<string, boolean>> = {
  on: true,
  yes: true,
  true: true,
  off: false,
  no: false,
  none: false,
  false: false,
};

function readSwitch(cursor: Cursor): Unit<boolean> | null {
  const word = bareWord(wordAt(cursor));
  const value = Object.hasOwn(SWITCH_WORDS, word) ? SWITCH_WORDS[word] : undefined;
  return value === undefined ? null : { value, used: 1 };
}

function readOff(cursor: Cursor): Unit<null> | null {
  return readSwitch(cursor)?.value === false ? { value: null, used: 1 } : null;
}

function readNumbers(cursor: Cursor): Unit<readonly number[] | "all"> | null {
  const text = wordAt(cursor).toLowerCase();
  if (text === "all") return { value: "all", used: 1 };
  if (/^rules?$/.test(text) && cursor.at + 1 < cursor.words.length) return { value: [], used: 1 };
  const parts = text.replace(/^#/, "").split(",");
  return parts.every((part) => /^0*[1-9]\d{0,5}$/.test(part)) ? { value: parts.map(Number), used: 1 } : null;
}

function nearChoice(text: string, { choices = [] }: OptionSpec): string | undefined {
  return suggestWord(text, choices);
}

function nearExchange(text: string): string | undefined {
  return suggestWord(text, KNOWN_EXCHANGES);
}

function unique<V>(values: readonly V[]): readonly V[] {
  return [...new Set(values)];
}
