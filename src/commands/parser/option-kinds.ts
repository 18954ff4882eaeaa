import { EVENT_KINDS, type EventKind } from "../../domain/alert/event.ts";
import { TREATMENTS } from "../../domain/article/article.ts";
import { WIRE_ALIASES, WIRES, wireName } from "../../domain/article/wire.ts";
import { DEFAULT_CHANNEL_EVENTS, isSameSet, SPLIT_AND_RELEASE_EVENTS } from "../../domain/settings/rule.ts";
import { formatMuteDuration, formatQuietHours, type QuietHours } from "../../domain/settings/setting-values.ts";
import { type Exchange, exchangeName, KNOWN_EXCHANGES, uncoveredExchangeName } from "../../domain/split/exchange.ts";
import { type Ratio, ratioCode } from "../../domain/split/ratio.ts";
import type { Shares } from "../../domain/split/share-conversion.ts";
import type { Ticker } from "../../domain/split/ticker.ts";
import { tickerHint } from "../../domain/split/ticker-hint.ts";
import type { Day } from "../../domain/time/day.ts";
import { suggestTimeZone } from "../../domain/time/time-zone.ts";
import { EVENT_KIND_TEXT } from "../../messages/event-text.ts";
import { capitalize, treatmentText } from "../../messages/format.ts";
import { EXPECTED, oneOf, uncoveredExchangeText } from "../../messages/option-text.ts";
import {
  type InvalidTicker,
  readAnyIssuer,
  readIssuer,
  readIssuerOrExchange,
  readStoredIssuer,
} from "./issuer-words.ts";
import { choicesInput, kind, listKind, type OptionKind, RANK, unique, wordListKind, writeList } from "./option-kind.ts";
import {
  type Cursor,
  MAX_PAGE,
  oldPerNewOf,
  type ReadValue,
  readChoice,
  readDay,
  readDayAhead,
  readDuration,
  readExchange,
  readHours,
  readHoursOrOff,
  readPage,
  readRatio,
  readRatioOrNumber,
  readRuleNumber,
  readRuleNumbers,
  readShares,
  readSwitch,
  readText,
  readTimezone,
  readZoneName,
  type TickerOrExchange,
  type TickersAndExchanges,
  type WordSet,
  writeMinRatio,
  writeShares,
  writeTickers,
  writeTickersAndExchanges,
} from "./option-values.ts";
import {
  suggestChoices,
  suggestChoicesAndExDates,
  suggestCommands,
  suggestExchanges,
  suggestRuleNumbers,
  suggestTickers,
  suggestTickersAndExchanges,
  suggestTimezones,
  suggestWords,
} from "./suggestions.ts";
import { suggestWord } from "./words.ts";

export const OPTION_KINDS = {
  ticker: kind<Ticker>({
    rank: RANK.ticker,
    readsIssuers: true,
    read: readIssuer,
    write: (ticker) => writeTickers([ticker]),
    note: tickerHint,
    expected: EXPECTED.ticker,
    suggest: suggestTickers,
  }),
  tickers: listKind<Ticker>({
    rank: RANK.ticker,
    readsIssuers: true,
    read: readStoredIssuer,
    write: writeTickers,
    note: tickerHint,
    expected: EXPECTED.tickers,
    suggest: suggestTickers,
  }),
  /** All words of a text: `tickers` are the valid ones, `invalid` the others. */
  tickerText: kind<
    Ticker | InvalidTicker,
    { readonly tickers: readonly Ticker[]; readonly invalid: readonly string[] }
  >({
    isMultiple: true,
    rank: RANK.ticker,
    readsIssuers: true,
    read: readAnyIssuer,
    gather: gatherTickerText,
    write: ({ tickers }) => writeTickers(tickers),
    note: tickerHint,
    expected: EXPECTED.tickers,
    suggest: suggestTickers,
  }),
  exchanges: listKind<Exchange>({
    rank: RANK.exchange,
    readsExchanges: true,
    read: readExchange,
    closest: closestExchange,
    note: exchangeNote,
    expected: EXPECTED.exchanges,
    suggest: suggestExchanges,
    input: {
      type: "choices",
      isMultiple: true,
      choices: (_spec, { exchanges }) => unique([...exchanges, ...KNOWN_EXCHANGES]),
      label: (code) => exchangeName(code as Exchange),
    },
  }),
  tickersOrExchanges: kind<TickerOrExchange, TickersAndExchanges>({
    isMultiple: true,
    readsExchanges: true,
    readsIssuers: true,
    read: readIssuerOrExchange,
    ofTicker: (ticker) => ({ ticker }),
    gather: (names) => ({
      exchanges: unique(names.flatMap((name) => ("exchange" in name ? [name.exchange] : []))),
      tickers: unique(names.flatMap((name) => ("ticker" in name ? [name.ticker] : []))),
    }),
    write: writeTickersAndExchanges,
    closest: closestExchange,
    note: (text) => tickerHint(text) ?? exchangeNote(text),
    expected: EXPECTED.tickersOrExchanges,
    suggest: suggestTickersAndExchanges,
  }),
  /** One of the option's `choices`. */
  choice: kind<string>({
    rank: RANK.choice,
    read: (cursor) => readChoice(cursor, cursor.spec),
    readUnnamed: readUnnamedChoice,
    closest: closestChoice,
    expected: ({ choices = [] }) => oneOf(choices),
    suggest: suggestChoices,
    input: choicesInput(({ choices = [] }) => choices),
  }),
  /** One of the option's `choices`, or a day as text. */
  choiceOrDay: kind<string>({
    rank: RANK.choice,
    read: (cursor) => readChoice(cursor, cursor.spec) ?? readDayAhead(cursor),
    readUnnamed: (cursor) => readUnnamedChoice(cursor) ?? readDayAhead(cursor),
    closest: closestChoice,
    expected: ({ choices = [] }) => `${oneOf(choices)}, or ${EXPECTED.isoDay}`,
    suggest: suggestChoicesAndExDates,
    input: { type: "text", maxLength: 40 },
  }),
  events: wordListKind({
    words: EVENT_KINDS,
    shortcuts: { all: SPLIT_AND_RELEASE_EVENTS, default: DEFAULT_CHANNEL_EVENTS },
    aliases: { canceled: "cancelled", articles: "article", reminders: "reminder", everything: "all", usual: "default" },
    label: (event) => EVENT_KIND_TEXT[event].inForm,
    write: writeEvents,
  }),
  sources: wordListKind({
    words: WIRES,
    aliases: WIRE_ALIASES,
    label: wireName,
  }),
  fractional: wordListKind({
    words: TREATMENTS,
    aliases: {
      up: "round_up",
      roundedup: "round_up",
      nearest: "round_nearest",
      roundednearest: "round_nearest",
      down: "round_down",
      roundeddown: "round_down",
      cash: "cash_in_lieu",
      cil: "cash_in_lieu",
    },
    label: (treatment) => capitalize(treatmentText(treatment)),
  }),
  day: kind<Day>({
    rank: RANK.day,
    read: readDay,
    expected: EXPECTED.day,
    suggest: suggestWords("today", "yesterday"),
  }),
  page: kind<number>({
    rank: RANK.number,
    read: readPage,
    expected: EXPECTED.page,
    input: { type: "integer", min: 1, max: MAX_PAGE },
  }),
  /** Old shares per new share: 20 for `20`, `1-for-20` and `1:20`. */
  minRatio: kind<number>({
    rank: RANK.number,
    read: (cursor) => oldPerNewOf(readRatioOrNumber(cursor)),
    readUnnamed: (cursor) => oldPerNewOf(readRatio(cursor)),
    write: writeMinRatio,
    expected: EXPECTED.minRatio,
  }),
  ratio: kind<Ratio>({
    rank: RANK.number,
    read: readRatioOrNumber,
    readUnnamed: readRatio,
    write: ratioCode,
    expected: EXPECTED.ratio,
  }),
  shares: kind<Shares>({ rank: RANK.number, read: readShares, write: writeShares, expected: EXPECTED.shares }),
  /** One rule; the option must be named. */
  ruleNumber: kind<number>({ read: readRuleNumber, expected: EXPECTED.ruleNumber }),
  ruleNumbers: kind<readonly number[] | "all", readonly number[] | "all">({
    isMultiple: true,
    rank: RANK.number,
    read: readRuleNumbers,
    gather: (values) => (values.includes("all") ? "all" : unique(values.flat() as readonly number[])),
    write: (numbers) => (numbers === "all" ? numbers : numbers.join(",")),
    expected: EXPECTED.ruleNumbers,
    suggest: suggestRuleNumbers,
  }),
  /** Milliseconds. */
  duration: kind<number>({
    rank: RANK.number,
    read: readDuration,
    write: formatMuteDuration,
    expected: EXPECTED.duration,
    suggest: suggestWords("1h", "2h", "8h", "1d", "3d", "1w"),
    input: { type: "text", maxLength: 40 },
  }),
  /** IANA name; null: the configured zone. */
  timezone: kind<string | null>({
    rank: RANK.number,
    read: readTimezone,
    readUnnamed: readZoneName,
    write: (zone) => zone ?? "default",
    closest: suggestTimeZone,
    expected: EXPECTED.timezone,
    suggest: suggestTimezones,
    input: { type: "text", maxLength: 100 },
  }),
  /** Null: off. */
  quietHours: kind<QuietHours | null>({
    rank: RANK.number,
    read: readHoursOrOff,
    readUnnamed: readHours,
    write: (hours) => (hours === null ? "off" : formatQuietHours(hours)),
    expected: EXPECTED.quietHours,
    suggest: suggestWords("22:00-07:00", "23:00-08:00", "18:00-09:00", "off"),
    input: { type: "text", maxLength: 40 },
  }),
  switch: kind<boolean>({
    read: readSwitch,
    write: (isOn) => (isOn ? "on" : "off"),
    expected: EXPECTED.switch,
    suggest: suggestWords("on", "off"),
    input: choicesInput(() => ["on", "off"]),
  }),
  /** Person or group to mention, in the platform's syntax. */
  mention: kind<string>({
    isVerbatim: true,
    read: readText,
    write: quote,
    expected: EXPECTED.mention,
    input: { type: "mention" },
  }),
  command: kind<string>({
    isVerbatim: true,
    read: readText,
    write: quote,
    expected: EXPECTED.command,
    suggest: suggestCommands,
  }),
  text: kind<string>({ isVerbatim: true, read: readText, write: quote, expected: EXPECTED.text }),
  /** The rest of the line as typed. */
  pastedText: kind<string>({ isVerbatim: true, read: readText, expected: EXPECTED.pastedText }),
  /** File attached to the command, which `Call.fetchAttachment` reads. */
  file: kind<string>({
    isVerbatim: true,
    read: readText,
    write: quote,
    expected: EXPECTED.file,
    input: { type: "file" },
  }),
} as const;

export type OptionKindName = keyof typeof OPTION_KINDS;

/** Value of an option of each kind. */
type OptionValue<K extends OptionKindName> = GatheredBy<(typeof OPTION_KINDS)[K]>;
type GatheredBy<T> = T extends { gather: (values: readonly unknown[]) => infer V } ? Exclude<V, undefined> : never;

export interface OptionSpec extends WordSet {
  readonly kind: OptionKindName;
  readonly summary: string;
  readonly required?: boolean;
  /** Completion offers this option's values for unnamed words. Default: the first required option, or the only option. */
  readonly isPrimary?: boolean;
  /** Words that are ignored after the option's value, in lower case: `shares` in `150 shares`. */
  readonly units?: readonly string[];
  /** Used by buttons only; omitted from help, completion and option fields. */
  readonly hidden?: boolean;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** Values of the given options; required ones are never undefined. */
export type OptionsOf<S extends OptionSpecs> = {
  readonly [K in keyof S as S[K] extends { required: true } ? never : K]?: OptionValue<S[K]["kind"]>;
} & {
  readonly [K in keyof S as S[K] extends { required: true } ? K : never]: OptionValue<S[K]["kind"]>;
};

export function optionKind({ kind: name }: Pick<OptionSpec, "kind">): OptionKind {
  return OPTION_KINDS[name] as OptionKind;
}

/** Summary with a platform's hint on who can be mentioned. */
export function summaryWithHint(spec: OptionSpec, { mention }: { readonly mention?: string }): string {
  const isMention = optionKind(spec).input.type === "mention";
  return isMention && mention !== undefined ? `${spec.summary}: ${mention}` : spec.summary;
}

/** A single unnamed word that is only a synonym can belong to another option. */
function readUnnamedChoice(cursor: Cursor): ReadValue<string> | null {
  const { choices = [] } = cursor.spec;
  const synonym = readChoice(cursor, cursor.spec);
  return synonym !== null && synonym.wordCount > 1 ? synonym : readChoice(cursor, { choices });
}

function closestChoice(text: string, { choices = [] }: WordSet): string | undefined {
  return suggestWord(text, choices);
}

function closestExchange(text: string): string | undefined {
  return uncoveredExchangeName(text) === undefined ? suggestWord(text, KNOWN_EXCHANGES) : undefined;
}

function exchangeNote(text: string): string | undefined {
  const name = uncoveredExchangeName(text);
  return name && uncoveredExchangeText(name);
}

/** Quotes text of several words. */
function quote(text: string): string {
  return /^[\w@<>&^!#.+-]*$/.test(text) ? text : `"${text.replaceAll('"', "'")}"`;
}

function gatherTickerText(values: readonly (Ticker | InvalidTicker)[]) {
  const tickers = unique(values.filter((value) => typeof value === "string"));
  const invalid = unique(values.flatMap((value) => (typeof value === "string" ? [] : [value.invalid])));
  return tickers.length === 0 ? undefined : { tickers, invalid };
}

function writeEvents(events: readonly EventKind[]): string {
  if (isSameSet(events, DEFAULT_CHANNEL_EVENTS)) return "default";
  if (isSameSet(events, SPLIT_AND_RELEASE_EVENTS)) return "all";
  return isSameSet(events, EVENT_KINDS) ? "all,stale" : writeList(events);
}
