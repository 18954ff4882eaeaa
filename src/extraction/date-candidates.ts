import { type Exchange, parseExchange } from "../domain/split/exchange.ts";
import { addDays, type Day, weekdayOf } from "../domain/time/day.ts";
import { tradingDayKind } from "../domain/time/trading-day.ts";
import { type DateMention, findDates } from "./date-mentions.ts";
import {
  type DateRule,
  HOURS,
  type Hour,
  MOVED_TO,
  matchesDateRule,
  REFUSALS,
  RELATIVE_RULES,
  type Refusal,
  type RelativeRule,
} from "./date-rules.ts";
import type { Sentence } from "./sentences.ts";

/** A day that a sentence names, by its date or by another day, with what stands round it. */
export interface Dated {
  /** Null where the text contradicts itself on it. */
  readonly day: Day | null;
  readonly start: number;
  readonly end: number;
  readonly hour: Hour | null;
  /** Why it is no first trading day; null where nothing speaks against it. */
  readonly refusal: Refusal | null;
  /** Another day was moved to this one. */
  readonly moved: boolean;
}

export interface DatedSentence {
  readonly sentence: Sentence;
  readonly dates: readonly Dated[];
}

/** What days are resolved by. */
export interface Calendar {
  readonly dateline: Day | null;
  /**
   * When the release came out, where no dateline says it: a day without a year is the nearest one, and `today` is this
   * day.
   */
  readonly near?: Day | null;
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
export function nextSession(exchange: Exchange | null, day: Day): Day {
  let next = addDays(day, 1);
  while (isClosed(exchange, next)) next = addDays(next, 1);
  return next;
}

export function isClosed(exchange: Exchange | null, day: Day): boolean {
  const market = exchange ?? US_CALENDAR;
  return market !== undefined && tradingDayKind(market, day) === "closed";
}

/** When a release was sent out, as far as is known. */
export function sentOut({ dateline, near }: Calendar): Day | null {
  return dateline ?? near ?? null;
}

/** The sentences, each with the days that it names; relative ones are resolved. */
export function readDates(sentences: readonly Sentence[], calendar: Calendar): readonly DatedSentence[] {
  const written = sentences.map(({ plain }) =>
    RELEVANT.test(plain) || DEFINES_DAY.test(plain) ? findDates(plain, sentOut(calendar)) : [],
  );
  const defined = collectDefined(sentences, written);
  const read: DatedSentence[] = [];
  let antecedent: Dated | null = null;
  let age = 0;
  for (const [index, sentence] of sentences.entries()) {
    const known: Dated | null = age < ANTECEDENT_REACH ? antecedent : null;
    const dates: readonly Dated[] = RELEVANT.test(sentence.plain)
      ? readSentence(sentence.plain, written[index] ?? [], { ...calendar, defined, antecedent: known })
      : [];
    const last = dates.findLast(({ refusal }) => refusal === null);
    age = last ? 0 : age + 1;
    antecedent = last ?? antecedent;
    read.push({ sentence, dates });
  }
  return read;
}

interface Known extends Calendar {
  readonly defined: ReadonlyMap<string, Dated>;
  readonly antecedent: Dated | null;
}

function collectDefined(
  sentences: readonly Sentence[],
  written: readonly (readonly DateMention[])[],
): ReadonlyMap<string, Dated> {
  const defined = new Map<string, Dated>();
  for (const [index, { plain }] of sentences.entries()) {
    for (const mention of written[index] ?? []) {
      const name = DEFINES.exec(plain.slice(mention.end, mention.end + 160))?.[1]?.toLowerCase();
      if (name !== undefined && !defined.has(name)) defined.set(name, judge(plain, mention, [0, undefined]));
    }
  }
  return defined;
}

function readSentence(plain: string, written: readonly DateMention[], known: Known): readonly Dated[] {
  const relatives = findRelatives(plain).filter(
    ({ start, end }) =>
      !written.some((mention) => start < mention.end && mention.start < end + lengthOfBridge(plain, end)),
  );
  const places = [...written, ...relatives].toSorted((a, b) => a.start - b.start);
  const dates: Dated[] = [];
  for (const [index, place] of places.entries()) {
    const next = places[index + 1];
    const told = "says" in place ? resolve(place, nextTo(plain, place, next), { ...known, earlier: dates }) : place;
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
  readonly says: RelativeRule["says"];
  readonly words: string;
  /** The group of its pattern, in small letters: a weekday, or the name of a day. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** It is told as a day gone by. */
  readonly isPast: boolean;
}

type Place = DateMention | RelativeMention;

function findRelatives(plain: string): readonly RelativeMention[] {
  const found = RELATIVE_RULES.flatMap(({ says, pattern }) =>
    [...plain.matchAll(pattern)].slice(0, MOST_RELATIVES).map(
      ({ 0: words, 1: name = "", index }): RelativeMention => ({
        says,
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
  readonly hour?: Hour | null;
}

function resolve(
  place: RelativeMention,
  countedFrom: Place | undefined,
  known: Known & { readonly earlier: readonly Dated[] },
): Told | undefined {
  const today = sentOut(known);
  const antecedent = antecedentOf(known);
  switch (place.says) {
    case "dateline":
      return toldBy(today);
    case "day_after_dateline":
      return toldBy(today, (day) => addDays(day, 1));
    case "antecedent":
      return toldBy(antecedent);
    case "next_session":
      return toldBy(countedFrom ? dayOfPlace(countedFrom, known) : antecedent, (day) =>
        nextSession(known.exchange, day),
      );
    case "weekday":
      return resolveWeekday(place, antecedent, known);
    case "defined":
      return toldByName(place, known);
  }
}

function antecedentOf({ earlier, antecedent }: Known & { readonly earlier: readonly Dated[] }): Day | null {
  return (earlier.findLast(({ refusal }) => refusal === null) ?? antecedent)?.day ?? null;
}

/**
 * `effective on Friday, May 1; from Monday the shares trade …` counts from the day that was named, which may itself be
 * the one that is meant; where none is named, from the day on which the release came out. `On Monday`, said on a Monday,
 * could be either of two.
 */
function resolveWeekday(place: RelativeMention, antecedent: Day | null, calendar: Calendar): Told | undefined {
  const { words, name, isPast } = place;
  const { dateline } = calendar;
  if (isPast) return toldBy(sentOut(calendar), (day) => lastWeekday(day, name));
  const isAnother = /following|next/i.test(words);
  const fromAntecedent = antecedent !== null && (isAnother || dateline === null || antecedent >= dateline);
  const from = fromAntecedent ? antecedent : sentOut(calendar);
  if (from === null || isAnother || !isWeekday(from, name)) return toldBy(from, (day) => nextWeekday(day, name));
  return fromAntecedent && from !== dateline ? toldBy(from) : undefined;
}

function isWeekday(day: Day, name: string): boolean {
  return weekdayOf(day) === WEEKDAY_NAMES.indexOf(name);
}

function toldByName({ name }: RelativeMention, { defined }: Known): Told | undefined {
  const known = defined.get(name);
  return known?.day ? { day: known.day, contradicts: false, hour: known.hour } : undefined;
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
): Dated {
  const { day, contradicts, start, end } = mention;
  const left = plain.slice(Math.max(from, start - LEFT_REACH), start);
  const right = plain.slice(end, Math.min(to ?? plain.length, end + RIGHT_REACH));
  const moved = MOVED_TO.test(plain.slice(Math.max(0, start - LEFT_REACH), start));
  const refusal = findSaying(REFUSALS, left, right);
  return {
    day: contradicts ? null : day,
    start,
    end,
    hour: findSaying(HOURS, left, right) ?? mention.hour ?? null,
    // `postponed until May 4` names the new day.
    refusal: moved && refusal === "bound" ? null : refusal,
    moved,
  };
}

function findSaying<T>(rules: readonly DateRule<T>[], left: string, right: string): T | null {
  return rules.find((rule) => matchesDateRule(rule, left, right))?.says ?? null;
}
