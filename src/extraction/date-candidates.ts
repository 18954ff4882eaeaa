import { type Exchange, parseExchange } from "../domain/split/exchange.ts";
import { addDays, type Day, weekdayOf } from "../domain/time/day.ts";
import { tradingDayKind } from "../domain/time/trading-day.ts";
import {
  type DateRule,
  EXCLUSION_RULES,
  type Exclusion,
  MOVED_TO,
  matchesDateRule,
  RELATIVE_RULES,
  type RelativeRule,
  TIME_RULES,
  type TimeOfDay,
} from "./date-rules.ts";
import { type DateMatch, findDates } from "./dates.ts";
import type { Sentence } from "./sentences.ts";

/** A day that a sentence names, by its date or by another day, with what stands round it. */
export interface DateCandidate {
  /** Null where the text contradicts itself on it. */
  readonly day: Day | null;
  readonly start: number;
  readonly end: number;
  readonly time: TimeOfDay | null;
  /** Why it is no first trading day; null where nothing speaks against it. */
  readonly exclusion: Exclusion | null;
  /** Another day was moved to this one. */
  readonly moved: boolean;
}

export interface SentenceDates {
  readonly sentence: Sentence;
  readonly dates: readonly DateCandidate[];
}

/** What days are resolved by. */
export interface DateContext {
  readonly dateline: Day | null;
  /**
   * When the release came out, where no dateline says it: a day without a year is the nearest one, and `today` is this
   * day.
   */
  readonly published?: Day | null;
  readonly exchange: Exchange | null;
}

/** How far the words may stand from the date that they belong to. */
const LEFT_REACH = 220;
const RIGHT_REACH = 90;

/** `that same day` speaks of a day named at most so many sentences before. */
const ANTECEDENT_REACH = 2;

/** The days of any other sentence are of other matters. */
const RELEVANT =
  /split|consolidat|combination|roll ?back|ratio\b|basis|cusip|trad(?:e|ing)|dealings|quot(?:e|ation)|ex-? ?date|price/i;

/** A sentence may name the day that others go back to, and say no more. */
const DEFINES_DAY = /"(?:the )?(?:Effective|Split|Consolidation) (?:Date|Time|Day)"/;
const DEFINES = /^[^;"]{0,80}?\([^"()]{0,40}"((?:[A-Z][\w-]* ){0,4}(?:Date|Time|Day))\b/;
const WEEKDAY_NAMES = ["sun", "mon", "tues", "wednes", "thurs", "fri", "satur"];
const SAME_DAY_FOLLOWS = /^(?:,| ?\(| ?-)(?: ?(?:which is|being|that is|i\.e\.,?|on))? ?/i;
/** Before a weekday: it was the last of its name. */
const TOLD_AS_PAST = /\b(?:began|commenced|started|opened|became|took)\b(?:(?!\b(?:will|shall|to)\b)[^;]){0,160}$/i;
const MOST_RELATIVES = 6;
const US_CALENDAR = parseExchange("NASDAQ");

/** The first trading day after `day`; where the exchange is not known, by the calendar of the US. */
export function nextTradingDay(exchange: Exchange | null, day: Day): Day {
  let next = addDays(day, 1);
  while (isMarketClosed(exchange, next)) next = addDays(next, 1);
  return next;
}

export function isMarketClosed(exchange: Exchange | null, day: Day): boolean {
  const market = exchange ?? US_CALENDAR;
  return market !== undefined && tradingDayKind(market, day) === "closed";
}

/** When a release was sent out, as far as is known. */
export function releaseDay({ dateline, published: near }: DateContext): Day | null {
  return dateline ?? near ?? null;
}

/** The sentences, each with the days that it names; relative ones are resolved. */
export function findDateCandidates(sentences: readonly Sentence[], calendar: DateContext): readonly SentenceDates[] {
  const written = sentences.map(({ plain }) =>
    RELEVANT.test(plain) || DEFINES_DAY.test(plain) ? findDates(plain, releaseDay(calendar)) : [],
  );
  const defined = collectDefined(sentences, written);
  const read: SentenceDates[] = [];
  let antecedent: DateCandidate | null = null;
  let age = 0;
  for (const [index, sentence] of sentences.entries()) {
    const known: DateCandidate | null = age < ANTECEDENT_REACH ? antecedent : null;
    const dates: readonly DateCandidate[] = RELEVANT.test(sentence.plain)
      ? readSentence(sentence.plain, written[index] ?? [], { ...calendar, defined, antecedent: known })
      : [];
    const last = dates.findLast(({ exclusion: refusal }) => refusal === null);
    age = last ? 0 : age + 1;
    antecedent = last ?? antecedent;
    read.push({ sentence, dates });
  }
  return read;
}

interface Known extends DateContext {
  readonly defined: ReadonlyMap<string, DateCandidate>;
  readonly antecedent: DateCandidate | null;
}

function collectDefined(
  sentences: readonly Sentence[],
  written: readonly (readonly DateMatch[])[],
): ReadonlyMap<string, DateCandidate> {
  const defined = new Map<string, DateCandidate>();
  for (const [index, { plain }] of sentences.entries()) {
    for (const mention of written[index] ?? []) {
      const name = DEFINES.exec(plain.slice(mention.end, mention.end + 160))?.[1]?.toLowerCase();
      if (name !== undefined && !defined.has(name)) defined.set(name, judge(plain, mention, [0, undefined]));
    }
  }
  return defined;
}

function readSentence(plain: string, written: readonly DateMatch[], known: Known): readonly DateCandidate[] {
  const relatives = findRelatives(plain).filter(
    ({ start, end }) =>
      !written.some((mention) => start < mention.end && mention.start < end + lengthOfBridge(plain, end)),
  );
  const places = [...written, ...relatives].toSorted((a, b) => a.start - b.start);
  const dates: DateCandidate[] = [];
  for (const [index, place] of places.entries()) {
    const next = places[index + 1];
    const told = "category" in place ? resolve(place, nextTo(plain, place, next), { ...known, earlier: dates }) : place;
    if (!told) continue;
    const mention = { ...told, start: place.start, end: place.end };
    dates.push(judge(plain, mention, [places[index - 1]?.end ?? 0, next?.start]));
  }
  return dates;
}

/** `the following trading day, Monday, May 4`: the date behind a comma is the same day in other words. */
function lengthOfBridge(plain: string, end: number): number {
  return (SAME_DAY_FOLLOWS.exec(plain.slice(end, end + 40))?.[0].length ?? -1) + 1;
}

interface RelativeMention {
  readonly category: RelativeRule["category"];
  readonly words: string;
  /** The group of its pattern, in small letters: a weekday, or the name of a day. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** It is told as a day gone by. */
  readonly isPast: boolean;
}

type Place = DateMatch | RelativeMention;

function findRelatives(plain: string): readonly RelativeMention[] {
  const found = RELATIVE_RULES.flatMap(({ category: says, pattern }) =>
    [...plain.matchAll(pattern)].slice(0, MOST_RELATIVES).map(
      ({ 0: words, 1: name = "", index }): RelativeMention => ({
        category: says,
        words,
        name: name.toLowerCase(),
        start: index,
        end: index + words.length,
        isPast: TOLD_AS_PAST.test(plain.slice(Math.max(0, index - LEFT_REACH), index)),
      }),
    ),
  );
  const sorted = found.toSorted((a, b) => a.start - b.start);
  return sorted.filter(({ start }, index) => start >= (sorted[index - 1]?.end ?? 0));
}

/** The day that `the trading day after …` counts from, where it follows at once. */
function nextTo(plain: string, place: Place, next: Place | undefined): Place | undefined {
  const adjacent = next && /^(?: the)? ?$/.test(plain.slice(place.end, next.start));
  return adjacent && /(?:after|following)$/i.test(plain.slice(place.start, place.end)) ? next : undefined;
}

interface Told {
  readonly day: Day;
  readonly contradicts: boolean;
  /** The hour of the day's definition: it holds where the mention itself names none. */
  readonly hour?: TimeOfDay | null;
}

function resolve(
  place: RelativeMention,
  countedFrom: Place | undefined,
  known: Known & { readonly earlier: readonly DateCandidate[] },
): Told | undefined {
  const today = releaseDay(known);
  const antecedent = antecedentOf(known);
  switch (place.category) {
    case "dateline":
      return toldBy(today);
    case "day_after_dateline":
      return toldBy(today, (day) => addDays(day, 1));
    case "antecedent":
      return toldBy(antecedent);
    case "next_session":
      return toldBy(countedFrom ? dayOfPlace(countedFrom, known) : antecedent, (day) =>
        nextTradingDay(known.exchange, day),
      );
    case "weekday":
      return resolveWeekday(place, antecedent, known);
    case "defined":
      return toldByName(place, known);
  }
}

function antecedentOf({ earlier, antecedent }: Known & { readonly earlier: readonly DateCandidate[] }): Day | null {
  return (earlier.findLast(({ exclusion: refusal }) => refusal === null) ?? antecedent)?.day ?? null;
}

/**
 * `effective on Friday, May 1; from Monday the shares trade …` counts from the day that was named, which may itself be
 * the one that is meant; where none is named, from the day on which the release came out. `On Monday`, said on a Monday,
 * could be either of two.
 */
function resolveWeekday(place: RelativeMention, antecedent: Day | null, calendar: DateContext): Told | undefined {
  const { words, name, isPast } = place;
  const { dateline } = calendar;
  if (isPast) return toldBy(releaseDay(calendar), (day) => lastWeekday(day, name));
  const isAnother = /following|next/i.test(words);
  const fromAntecedent = antecedent !== null && (isAnother || dateline === null || antecedent >= dateline);
  const from = fromAntecedent ? antecedent : releaseDay(calendar);
  if (from === null || isAnother || !isWeekday(from, name)) return toldBy(from, (day) => nextWeekday(day, name));
  return fromAntecedent && from !== dateline ? toldBy(from) : undefined;
}

function isWeekday(day: Day, name: string): boolean {
  return weekdayOf(day) === WEEKDAY_NAMES.indexOf(name);
}

function toldByName({ name }: RelativeMention, { defined }: Known): Told | undefined {
  const known = defined.get(name);
  return known?.day ? { day: known.day, contradicts: false, hour: known.time } : undefined;
}

function dayOfPlace(place: Place, { defined }: Known): Day | null {
  if ("day" in place) return place.contradicts ? null : place.day;
  return defined.get(place.name)?.day ?? null;
}

function toldBy(day: Day | null, count = (from: Day): Day => from): Told | undefined {
  return day === null ? undefined : { day: count(day), contradicts: false };
}

/** The last day of that name, which may be `until` itself. */
function lastWeekday(until: Day, name: string): Day {
  return addDays(nextWeekday(until, name), -7);
}

/** The next day of that name, never `from` itself. */
function nextWeekday(from: Day, name: string): Day {
  const weekday = WEEKDAY_NAMES.indexOf(name);
  const ahead = (weekday - weekdayOf(from) + 7) % 7;
  return addDays(from, ahead === 0 ? 7 : ahead);
}

/** Reads what stands round a day: up to the days before and behind it, and not too far. */
function judge(
  plain: string,
  mention: Told & { readonly start: number; readonly end: number },
  [from, to]: readonly [number, number | undefined],
): DateCandidate {
  const { day, contradicts, start, end } = mention;
  const left = plain.slice(Math.max(from, start - LEFT_REACH), start);
  const right = plain.slice(end, Math.min(to ?? plain.length, end + RIGHT_REACH));
  const moved = MOVED_TO.test(plain.slice(Math.max(0, start - LEFT_REACH), start));
  const refusal = findSaying(EXCLUSION_RULES, left, right);
  return {
    day: contradicts ? null : day,
    start,
    end,
    time: findSaying(TIME_RULES, left, right) ?? mention.hour ?? null,
    // `postponed until May 4` names the new day.
    exclusion: moved && refusal === "bound" ? null : refusal,
    moved,
  };
}

function findSaying<T>(rules: readonly DateRule<T>[], left: string, right: string): T | null {
  return rules.find((rule) => matchesDateRule(rule, left, right))?.category ?? null;
}
