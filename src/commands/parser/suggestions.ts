import type { Destination, Person } from "../../domain/alert/destination.ts";
import type { Snapshot } from "../../domain/diff/snapshot.ts";
import { exchangeName, KNOWN_EXCHANGES } from "../../domain/split/exchange.ts";
import { listedRecords } from "../../domain/split/quality.ts";
import { parseTicker, type Ticker } from "../../domain/split/ticker.ts";
import type { Day } from "../../domain/time/day.ts";
import { cityOf, timeZones } from "../../domain/time/time-zone.ts";
import { groupBy, memoize } from "../../lib/collections.ts";
import { formatDay, formatTime, joinShortList } from "../../messages/format.ts";
import { ALL_RULES, describeRule } from "../../messages/rule-text.ts";
import { byExDate } from "../../messages/split-text.ts";
import type { AnswerContext } from "../context.ts";
import { type CurrentData, exchangesIn, readCurrentData, splitsOf, tickerState } from "../current-data.ts";
import { readIssuers } from "../issuers.ts";

/** Value that can complete the typed text. */
export interface SuggestedWord {
  readonly word: string;
  /** Alternative text to match, in lower case: `auckland` for `Pacific/Auckland`. */
  readonly alternative?: string;
  /** True if the typed text is another spelling of the ticker, or begins the name of its company. */
  readonly isNamed?: boolean;
  /** Returns the text beside the word. Called only for candidates that are shown, because a ticker's text scans all splits. */
  hint(): string;
}

/** Person, destination and option of a completion request. */
export interface SuggestionQuery {
  readonly person: Person;
  readonly destination: Destination;
  readonly context: AnswerContext;
  /** The text to complete, which can be several words of a name. */
  readonly typed: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly spec: { readonly choices?: readonly string[]; readonly onlyWatched?: boolean };
}

export type Suggest = (query: SuggestionQuery) => Promise<readonly SuggestedWord[]>;

export function suggestWords(...words: readonly string[]): Suggest {
  const candidates = words.map((word) => ({ word, hint: () => "" }));
  return () => Promise.resolve(candidates);
}

export function suggestChoices({ spec }: SuggestionQuery): ReturnType<Suggest> {
  return Promise.resolve((spec.choices ?? []).map((word) => ({ word, hint: () => "" })));
}

const MAX_EX_DATES = 10;

/** The option's choices, then the next ex dates of listed splits that begin with the typed text. */
export async function suggestChoicesAndExDates(query: SuggestionQuery): ReturnType<Suggest> {
  const { snapshot, time } = await readCurrentData(query.context);
  const days = [...tickersByExDate(snapshot)]
    .filter(([day]) => day >= time.today && day.startsWith(query.typed))
    .slice(0, MAX_EX_DATES)
    .map(([day, tickers]) => ({ word: day, hint: () => `${formatDay(day)}: ${joinShortList(tickers, 5)}` }));
  return [...(await suggestChoices(query)), ...days];
}

/** Tickers of listed splits by ex date, the earliest first. */
const tickersByExDate = memoize((snapshot: Snapshot): ReadonlyMap<Day, readonly Ticker[]> => {
  const byDate = groupBy(listedRecords(snapshot.splits.values()).toSorted(byExDate), ({ exDate }) => exDate);
  return new Map([...byDate].map(([day, records]) => [day, records.map(({ ticker }) => ticker)]));
});

export function suggestCommands({ commands }: SuggestionQuery): ReturnType<Suggest> {
  return Promise.resolve(commands.map(({ name, summary }) => ({ word: name, hint: () => summary })));
}

/** Zones with large populations, listed first. */
const COMMON_ZONES = [
  "America/New_York",
  "America/Chicago",
  "America/Denver",
  "America/Los_Angeles",
  "Europe/London",
  "Europe/Berlin",
  "Asia/Kolkata",
  "Asia/Hong_Kong",
  "Asia/Singapore",
  "Asia/Tokyo",
  "Australia/Sydney",
  "Pacific/Auckland",
  "Pacific/Honolulu",
];

export function suggestTimezones({ context }: SuggestionQuery): ReturnType<Suggest> {
  const now = context.clock.now();
  const zones = [...new Set([...COMMON_ZONES, ...timeZones()])];
  return Promise.resolve(
    zones.map((zone) => ({
      word: zone,
      alternative: cityOf(zone).toLowerCase().replaceAll(" ", "_"),
      hint: () => formatTime(now, zone),
    })),
  );
}

/** Watched tickers first, then tickers of current splits, then tickers of companies with the typed name. */
export async function suggestTickers({ spec, person, typed, context }: SuggestionQuery): ReturnType<Suggest> {
  const [watched, data] = await Promise.all([context.store.watchlists.of(person), readCurrentData(context)]);
  const named = (await readIssuers(data.snapshot, context)).find(typed, true).map(({ ticker }) => ticker);
  const watchedTickers = new Set(watched);
  const listed = spec.onlyWatched ? watched : [...new Set([...watched, ...listedTickers(data.snapshot)])];
  const isSpelled = spellingOf(typed, data);
  const candidates = listed.map((ticker) => ({
    word: ticker,
    isNamed: isSpelled(ticker),
    hint: () => tickerHint(data, ticker),
  }));
  const byName = named.filter((ticker) => !spec.onlyWatched || watchedTickers.has(ticker));
  return [
    ...candidates,
    ...byName.map((ticker) => ({ word: ticker, isNamed: true, hint: () => tickerHint(data, ticker) })),
  ];
}

/** Whether the typed text begins a ticker with another separator, or is another spelling of a listed one: `brk-`, `TSX:OAKR`. */
function spellingOf(typed: string, data: CurrentData): (ticker: Ticker) => boolean {
  const start = typed.toUpperCase().replace(/^[$#]/, "").replace(/[-/]/g, ".");
  const parsed = parseTicker(typed);
  const selected = new Set(parsed === undefined ? [] : splitsOf(data, parsed).map(({ record }) => record.ticker));
  return (ticker) => selected.has(ticker) || (start.includes(".") && ticker.startsWith(start));
}

/** Tickers of current splits, by ex date. */
const listedTickers = memoize((snapshot: Snapshot): readonly Ticker[] =>
  [...snapshot.splits.values()]
    .filter(({ status }) => status !== "closed")
    .toSorted((a, b) => byExDate(a.record, b.record))
    .map(({ record }) => record.ticker),
);

/** Company and state of a ticker. */
function tickerHint(data: CurrentData, ticker: Ticker): string {
  const company = splitsOf(data, ticker)[0]?.record.company ?? "";
  return [company, tickerState(data, ticker)].filter((text) => text !== "").join(" · ");
}

/** Exchanges of current splits first. */
export async function suggestExchanges({ context }: SuggestionQuery): ReturnType<Suggest> {
  const exchanges = new Set([...exchangesIn(await readCurrentData(context)), ...KNOWN_EXCHANGES]);
  return [...exchanges].map((code) => ({ word: code, hint: () => exchangeName(code) }));
}

export async function suggestTickersAndExchanges(query: SuggestionQuery): ReturnType<Suggest> {
  return [...(await suggestExchanges(query)), ...(await suggestTickers(query))];
}

export async function suggestRuleNumbers({ destination, context }: SuggestionQuery): ReturnType<Suggest> {
  const rules = await context.store.rules.at(destination);
  const numbers = rules.map((rule) => ({ word: String(rule.number), hint: () => describeRule(rule) }));
  return rules.length > 1 ? [...numbers, { word: "all", hint: () => ALL_RULES }] : numbers;
}
