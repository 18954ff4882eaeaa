import { type Exchange, US_MARKET } from "../domain/split/exchange.ts";
import { addDays, type Day, daysBetween, weekdayOf } from "../domain/time/day.ts";
import { nextTradingDay, tradingDayKind } from "../domain/time/trading-day.ts";
import {
  ASKS_FOR_DAY,
  type DateRule,
  EFFECTIVE_AT_TIME,
  EXCLUSION_RULES,
  type Exclusion,
  isAfterMarketOpen,
  MOVE_BEFORE,
  MOVED_TO,
  matchesDateRule,
  NAMES_ACTOR,
  OTHER_MOVED,
  PERIOD_BEFORE,
  RELATIVE_RULES,
  type RelativeKind,
  TIME_RULES,
  type TimeOfDay,
  TURNS_TO_EFFECT,
} from "./date-rules.ts";
import { type DateMatch, findDates } from "./dates.ts";
import type { Sentence } from "./sentences.ts";
import { hasFutureTense } from "./tense.ts";
import { type Classified, findMatches, MONTH } from "./text-rule.ts";

/** A day that a sentence names, as a date or relative to another day, with its classified context. */
export interface DateCandidate {
  /** Null if the date contradicts itself, because its weekday is wrong, or if the text doesn't define the term that stands for it. */
  readonly day: Day | null;
  readonly start: number;
  readonly end: number;
  readonly time: TimeOfDay | null;
  /** Reason why the day cannot be the first trading day; null if no rule excludes it. */
  readonly exclusion: Exclusion | null;
  /** Whether the text moves the split from another day to this one. */
  readonly isMoved: boolean;
}

export interface SentenceDates {
  readonly sentence: Sentence;
  readonly dates: readonly DateCandidate[];
}

/** Context in which relative days and days without a year are resolved. */
export interface DateContext {
  readonly dateline: Day | null;
  /** Publication day, which replaces a missing dateline. */
  readonly published?: Day | null;
  readonly exchange: Exchange | null;
  /** Whether the text is an exchange's notice, whose effective date is a trading day. */
  readonly isNotice?: boolean;
  /** Whether the text postpones the split, so that the day of the earlier plan doesn't count. */
  readonly isPostponed?: boolean;
  /** Whether each sentence is about the split, even if it doesn't name it, such as an item of a list of splits. */
  readonly isAboutSplit?: boolean;
}

/** Maximum age, in days, of a split in the past tense that is still news. An older one belongs to the history. */
export const MAX_PAST_DAYS = 10;

/** Lengths of the text before and after a date that its rules read, in characters. */
const CONTEXT_BEFORE = 220;
const CONTEXT_AFTER = 90;
/** Length of the text after a date in which its time may follow, in characters. */
const TIME_CONTEXT = 40;
/** Length of the text after a date in which a defined term may follow, in characters. */
const DEFINITION_CONTEXT = 160;

/** Text between two days with which the main clause goes on: `the first day, approved at the meeting of May 4, is May 11`. */
const RETURNS_TO_SUBJECT = /^,? (?:is|are) (?:on |now )?$/;
/** Maximum distance from `that same day` back to the day that it refers to, in sentences. */
const MAX_ANTECEDENT_DISTANCE = 2;
const MAX_RELATIVE_MATCHES = 6;
/** Maximum number of dates from which a date without a year may take it. */
const MAX_YEAR_SOURCES = 6;
/** Maximum days from a date to one without a year that takes its year. */
const MAX_DAYS_TO_YEARLESS = 45;
const DATE_WITHOUT_YEAR = new RegExp(String.raw`\b(?:${MONTH} \d{1,2}|\d{1,2} ${MONTH})\b(?!,? ?(?:19|20)\d\d)`);

/** Words of sentences whose dates may concern the split. */
const RELEVANT =
  /split|consolidat|combination|roll ?back|ratio\b|basis|cusip|trad(?:e|ing)|dealings|quot(?:e|ation)|ex-? ?(?:distribution |split )?date|price|market opens?\b|effective|takes? effect|into effect|hit the market|kicks in|happening|(?:in|into) force|implement|execut|occur|happen|tak(?:e|es|en|ing) place|go(?:es)? live|corporate action|slated|scheduled|(?:every|each) [^.;]{0,40}\bshares?\b|(?:become|equal|turn into) (?:one|1)\b|\bads|depositary/i;

/** Definition of a term for a day, which makes a sentence relevant too: `(the "Effective Date")`. */
const DEFINES_DAY =
  /"(?:the )?(?:Effective|Split|Consolidation|Trading) (?:Date|Time|Day)"|\b(?:[Ee]ffective|Split|Consolidation|Trading) (?:[Dd]ate|[Tt]ime|[Dd]ay)\b/;
const DEFINITION_AFTER = /^[^;"]{0,80}?\([^"()]{0,40}"((?:[A-Z][\w-]* ){0,4}(?:Date|Time|Day))\b/;
/** Definition directly after a date: ` ("Effective Date")`. */
const DEFINITION_BESIDE = /^,? ?\([^()"]{0,40}"[^()"]{0,40}"\)/;
/** Text between a term and the date that defines it: `"Effective Date" means `, `The Effective Date of the split will be `. */
const DEFINITION_BEFORE =
  /(?:^|[\s("])((?:[A-Z][\w-]* ){1,4}(?:Date|Time|Day)|(?:[Ee]ffective|[Ss]plit|[Cc]onsolidation) date)"?\)?(?: (?:of|for) (?:the|its|our|this) (?:[\w-]+ ){0,5}[\w-]+)?,? ?(?::|-|means|shall mean|is|was|will be|shall be|being|has been set (?:as|for)|is expected to be|is set for|refers to)(?: (?:on|as|the|at|opening|open|of|trading|business|market|before|or about|or around)){0,6} ?$/;
/** Days of other matters, which a term may stand for. */
const OTHER_DAY =
  /\b(?:record|meeting|approval|filing|notice|signing|mailing|payment|closing|announcement|determination)\b/i;
const WEEKDAY_NAMES = ["sun", "mon", "tues", "wednes", "thurs", "fri", "satur"];
/** Text between a relative day and the date that repeats it: `the following trading day, which is May 4`. */
const SAME_DAY_FOLLOWS = /^(?:,| ?\(| ?-)(?: ?(?:which is|being|that is|i\.e\.,?|on))? ?/i;
/** Past-tense verb before a weekday, which then means the most recent such day. */
const PAST_VERB_BEFORE =
  /\b(?:began|commenced|started|opened|became|took|(?<!\b(?:be|being|is|are) )(?:completed|effected|executed|implemented)|went|kicked)\b(?:(?!\b(?:will|shall|to|is|are|begins?|starts?|opens?|trades?|takes?|becomes?|goes|kicks)\b)[^;]){0,160}$/i;

/** Time after a date, up to the clause with the next one. */
const TIME_OF_PREVIOUS =
  /^'?s?,? ?\(?(?:(?!,|;|\b(?:and|with|on)\b).){0,60}?(?:\d ?[ap]\.? ?m\b|open|clos|bell|business|trading|end of)(?:(?!,|;|\b(?:and|with)\b).){0,40}(?:,|;|\band\b|\bwith\b)/i;

/** Exchange whose trading days apply: an unknown exchange follows the US calendar. */
export function calendarOf(exchange: Exchange | null): Exchange {
  return exchange ?? US_MARKET;
}

export function isMarketClosed(exchange: Exchange | null, day: Day): boolean {
  return tradingDayKind(calendarOf(exchange), day) === "closed";
}

/** Day of the release: its dateline, else its publication day. */
export function releaseDay({ dateline, published }: Pick<DateContext, "dateline" | "published">): Day | null {
  return dateline ?? published ?? null;
}

/** Maximum length of a line with a date alone. */
const MAX_DATE_LINE = 32;

/** Whether a line may be the date that belongs to the line above it. */
function isValueOf(plain: string, above: string): boolean {
  return plain.length <= MAX_DATE_LINE && /\d/.test(plain) && RELEVANT.test(above);
}

/** Finds the days that each sentence names, and resolves relative ones. */
export function findDateCandidates(sentences: readonly Sentence[], context: DateContext): readonly SentenceDates[] {
  const relevant = new Set(
    sentences.filter(({ plain }, index) => {
      const previous = sentences[index - 1]?.plain ?? "";
      return RELEVANT.test(plain) || ASKS_FOR_DAY.test(previous) || isValueOf(plain, previous);
    }),
  );
  const absoluteDates = findAbsoluteDates(
    sentences.map((sentence) => ({
      plain: sentence.plain,
      isRead: relevant.has(sentence) || DEFINES_DAY.test(sentence.plain),
    })),
    releaseDay(context),
  );
  const definedTerms = findDefinedTerms(sentences, absoluteDates);
  const result: SentenceDates[] = [];
  let antecedent: DateCandidate | null = null;
  let antecedentAge = 0;
  for (const [index, sentence] of sentences.entries()) {
    const isRecent = antecedentAge < MAX_ANTECEDENT_DISTANCE;
    // After a day of an unknown year, `such date` means that day and not an earlier one.
    const isUnknown = absoluteDates[index]?.length === 0 && DATE_WITHOUT_YEAR.test(sentence.plain);
    const currentAntecedent: DateCandidate | null = isRecent && !isUnknown ? antecedent : null;
    const dates: readonly DateCandidate[] = relevant.has(sentence)
      ? datesOfSentence(sentence.plain, absoluteDates[index] ?? [], {
          ...context,
          definedTerms,
          antecedent: currentAntecedent,
        })
      : [];
    const last = dates.findLast(({ exclusion }) => exclusion === null);
    antecedentAge = last ? 0 : antecedentAge + 1;
    antecedent = last ?? antecedent;
    result.push({ sentence, dates });
  }
  return result;
}

/**
 * Finds the dates of each sentence that is read. Without the day of the release, a date without a year has the year of the same day
 * elsewhere in the text, else the year nearest to the first date of its sentence, else that of a date shortly before it.
 */
function findAbsoluteDates(
  sentences: readonly { readonly plain: string; readonly isRead: boolean }[],
  today: Day | null,
): readonly (readonly DateMatch[])[] {
  const dated = sentences.map(({ plain, isRead }) => (isRead ? findDates(plain, today) : []));
  const days = [...new Set(dated.flat().map(({ day }) => day))].slice(0, MAX_YEAR_SOURCES);
  if (today !== null || days.length === 0) return dated;
  return dated.map((dates, index) => {
    const { plain = "", isRead = false } = sentences[index] ?? {};
    if (!isRead || !DATE_WITHOUT_YEAR.test(plain)) return dates;
    const repeated = days.flatMap((near) => findDates(plain, near).filter(({ day }) => day === near));
    const nearest = dates.slice(0, 1).flatMap(({ day }) => findDates(plain, day));
    const following = days.flatMap((near) => findDates(plain, near).filter(({ day }) => isShortlyAfter(day, near)));
    const byStart = new Map([...following, ...nearest, ...repeated, ...dates].map((date) => [date.start, date]));
    return [...byStart.values()].toSorted((a, b) => a.start - b.start);
  });
}

function isShortlyAfter(day: Day, near: Day): boolean {
  const days = daysBetween(near, day);
  return 0 <= days && days <= MAX_DAYS_TO_YEARLESS;
}

interface ResolutionContext extends DateContext {
  /** Days by their defined terms, in lower case. */
  readonly definedTerms: ReadonlyMap<string, DateCandidate>;
  /** Last day named in the preceding sentences. */
  readonly antecedent: DateCandidate | null;
}

function findDefinedTerms(
  sentences: readonly Sentence[],
  absoluteDates: readonly (readonly DateMatch[])[],
): ReadonlyMap<string, DateCandidate> {
  const definedTerms = new Map<string, DateCandidate>();
  for (const [index, { plain }] of sentences.entries()) {
    const dates = absoluteDates[index] ?? [];
    for (const [position, date] of dates.entries()) {
      const term = termDefinedBy(plain.slice(0, dates[position + 1]?.start), date);
      if (term !== undefined && !definedTerms.has(term))
        definedTerms.set(term, classifyDate(plain, date, [0, undefined]));
    }
  }
  return definedTerms;
}

/** Term that stands for a date, in lower case, defined after or before it. */
function termDefinedBy(plain: string, { start, end }: DateMatch): string | undefined {
  const match =
    DEFINITION_AFTER.exec(plain.slice(end, end + DEFINITION_CONTEXT)) ??
    DEFINITION_BEFORE.exec(plain.slice(Math.max(0, start - DEFINITION_CONTEXT), start));
  return match?.[1]?.replace(/^The /, "").toLowerCase();
}

function datesOfSentence(
  plain: string,
  absoluteDates: readonly DateMatch[],
  context: ResolutionContext,
): readonly DateCandidate[] {
  const relativeDates = findRelativeDates(plain).filter(
    ({ start, end }) =>
      !absoluteDates.some((date) => start < date.end && date.start < end + repetitionDistance(plain, end)),
  );
  const matches = [...absoluteDates, ...relativeDates].toSorted((a, b) => a.start - b.start);
  const dates: DateCandidate[] = [];
  for (const [index, match] of matches.entries()) {
    const next = matches[index + 1];
    const resolution =
      "category" in match
        ? resolveRelativeDay(match, referenceAfter(plain, match, next), { ...context, earlier: dates })
        : match;
    const position = { plain, neighbors: [matches[index - 1]?.end ?? 0, next?.start] as const, previous: dates.at(-1) };
    const date = resolution ? classifyResolved({ ...match, ...resolution }, position) : undefinedTerm(match);
    if (date) dates.push(date);
  }
  return dates;
}

function classifyResolved(
  match: Match & ResolvedDay,
  {
    plain,
    neighbors,
    previous,
  }: { readonly plain: string; readonly neighbors: Neighbors; readonly previous: DateCandidate | undefined },
): DateCandidate {
  const date = classifyDate(plain, match, neighbors);
  if (previous && endsPeriod(plain, previous, date)) return { ...date, exclusion: "bound" };
  const isOther = !("category" in match) && continuesOtherMatter(plain, previous, date);
  return isOther ? { ...date, exclusion: "other" } : date;
}

/** Whether a day is the last of a period: `between May 4 and May 11`, `May 4 through May 11`. */
function endsPeriod(plain: string, previous: DateCandidate, { start, isMoved }: DateCandidate): boolean {
  const between = plain.slice(previous.end, start);
  const before = plain.slice(Math.max(0, previous.start - CONTEXT_BEFORE), previous.start);
  if (between === " and ") return PERIOD_BEFORE.test(before);
  return !isMoved && /^ ?(?:-|to|through|until) ?$/.test(between) && !MOVE_BEFORE.test(before);
}

/** A term for a day that the text doesn't define excludes the other days beside it. */
function undefinedTerm(match: Match): DateCandidate | undefined {
  if (!("category" in match) || match.category !== "defined") return undefined;
  return { day: null, start: match.start, end: match.end, time: null, exclusion: "bound", isMoved: false };
}

/** `approved by the holders on May 4 and by the directors on …`: the second day belongs to the same matter as the first. */
function continuesOtherMatter(plain: string, previous: DateCandidate | undefined, date: DateCandidate): boolean {
  if (previous?.exclusion !== "other" || date.exclusion !== null || date.start - previous.end > CONTEXT_AFTER)
    return false;
  const between = plain.slice(previous.end, date.start);
  if (between.includes(";") || TURNS_TO_EFFECT.test(between) || RETURNS_TO_SUBJECT.test(between)) return false;
  return NAMES_ACTOR.test(between) || !TURNS_TO_EFFECT.test(plain.slice(date.end, date.end + CONTEXT_AFTER));
}

/** Maximum distance to a date that repeats the relative day: `the following trading day, Monday, May 4`. 0 if none can follow. */
function repetitionDistance(plain: string, end: number): number {
  return (SAME_DAY_FOLLOWS.exec(plain.slice(end, end + 40))?.[0].length ?? -1) + 1;
}

interface RelativeMatch {
  readonly category: RelativeKind;
  readonly words: string;
  /** Group of the pattern in lower case: a weekday or a defined term. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly isPast: boolean;
  /** Whether its sentence is about the future. */
  readonly isFuture: boolean;
}

type Match = DateMatch | RelativeMatch;

function findRelativeDates(plain: string): readonly RelativeMatch[] {
  const matches = RELATIVE_RULES.flatMap(({ category, pattern }) =>
    findMatches(pattern, plain, MAX_RELATIVE_MATCHES).map(
      ({ 0: words, 1: name = "", 2: lowerCaseName = "", index }): RelativeMatch => ({
        category,
        words,
        name: (name || lowerCaseName).toLowerCase(),
        start: index,
        end: index + words.length,
        isFuture: hasFutureTense(plain),
        isPast: PAST_VERB_BEFORE.test(plain.slice(Math.max(0, index - CONTEXT_BEFORE), index)),
      }),
    ),
  );
  const sorted = matches.toSorted((a, b) => a.start - b.start);
  return sorted.filter(({ start }, index) => start >= (sorted[index - 1]?.end ?? 0));
}

/** Returns the day from which `the trading day after …` counts, if that day directly follows these words. */
function referenceAfter(plain: string, match: Match, next: Match | undefined): Match | undefined {
  const isAdjacent = next && /^(?: the)? ?$/.test(plain.slice(match.end, next.start));
  return isAdjacent && /(?:after|following)$/i.test(plain.slice(match.start, match.end)) ? next : undefined;
}

interface ResolvedDay {
  readonly day: Day;
  readonly hasWrongWeekday: boolean;
  /** Time of day from the definition of a term. A time stated with the date takes precedence. */
  readonly time?: TimeOfDay | null;
}

function resolveRelativeDay(
  match: RelativeMatch,
  reference: Match | undefined,
  context: ResolutionContext & { readonly earlier: readonly DateCandidate[] },
): ResolvedDay | undefined {
  const today = releaseDay(context);
  const antecedent = antecedentOf(context);
  switch (match.category) {
    case "dateline":
      return toResolvedDay(today);
    case "day_after_dateline":
      return toResolvedDay(today, (day) => addDays(day, 1));
    case "antecedent":
      return toResolvedDay(antecedent);
    case "next_session":
      return toResolvedDay(reference ? dayOfMatch(reference, context) : antecedent, (day) =>
        nextTradingDay(calendarOf(context.exchange), day),
      );
    case "last_weekday":
      return toResolvedDay(today, (day) => lastWeekday(day, match.name));
    case "weekday":
      return resolveWeekday(match, antecedent, context);
    case "defined":
      return resolveDefinedTerm(match, context);
  }
}

function antecedentOf({
  earlier,
  antecedent,
}: ResolutionContext & { readonly earlier: readonly DateCandidate[] }): Day | null {
  return (earlier.findLast(({ exclusion }) => exclusion === null) ?? antecedent)?.day ?? null;
}

/**
 * Resolves `from Monday` to the first Monday on or after the day last named (`effective on Friday, May 1; from Monday …`), or
 * after the day of the release if that is later. In a release of a Monday, `will … on Monday` is ambiguous.
 */
function resolveWeekday(match: RelativeMatch, antecedent: Day | null, context: DateContext): ResolvedDay | undefined {
  const { words, name, isPast } = match;
  const today = releaseDay(context);
  if (isPast) return toResolvedDay(today, (day) => lastWeekday(day, name));
  const isNext = /following|next/i.test(words);
  const fromAntecedent = antecedent !== null && (today === null || antecedent >= today);
  const reference = fromAntecedent ? antecedent : today;
  if (reference === null || isNext || !isWeekday(reference, name))
    return toResolvedDay(reference, (day) => nextWeekday(day, name));
  return match.isFuture && reference === today ? undefined : toResolvedDay(reference);
}

function isWeekday(day: Day, name: string): boolean {
  return weekdayOf(day) === WEEKDAY_NAMES.indexOf(name);
}

function resolveDefinedTerm({ name }: RelativeMatch, { definedTerms }: ResolutionContext): ResolvedDay | undefined {
  const date = OTHER_DAY.test(name) ? undefined : definedTerms.get(name);
  return date?.day ? { day: date.day, hasWrongWeekday: false, time: date.time } : undefined;
}

function dayOfMatch(match: Match, { definedTerms }: ResolutionContext): Day | null {
  if ("day" in match) return match.hasWrongWeekday ? null : match.day;
  return definedTerms.get(match.name)?.day ?? null;
}

function toResolvedDay(day: Day | null, shift = (from: Day): Day | null => from): ResolvedDay | undefined {
  const resolved = day && shift(day);
  return resolved === null ? undefined : { day: resolved, hasWrongWeekday: false };
}

/** Returns the last day with the weekday `name` up to and including `until`. */
function lastWeekday(until: Day, name: string): Day {
  return addDays(nextWeekday(until, name), -7);
}

/** Returns the first day with the weekday `name` after `from`. */
function nextWeekday(from: Day, name: string): Day {
  const weekday = WEEKDAY_NAMES.indexOf(name);
  const daysAhead = (weekday - weekdayOf(from) + 7) % 7;
  return addDays(from, daysAhead === 0 ? 7 : daysAhead);
}

/** End of the previous date of the sentence, or 0, and start of the next one. */
type Neighbors = readonly [number, number | undefined];

/** Classifies a day by the text beside it, between the neighboring dates. */
function classifyDate(
  plain: string,
  date: ResolvedDay & { readonly start: number; readonly end: number },
  [previousEnd, nextStart]: Neighbors,
): DateCandidate {
  const { day, hasWrongWeekday, start, end } = date;
  const left = plain.slice(Math.max(previousEnd, start - CONTEXT_BEFORE), start);
  const right = plain.slice(end, Math.min(nextStart ?? plain.length, end + CONTEXT_AFTER));
  const before = plain.slice(Math.max(0, start - CONTEXT_BEFORE), start);
  const isMoved = MOVED_TO.test(before) && !OTHER_MOVED.test(before);
  const matched = classify(EXCLUSION_RULES, left, right);
  const exclusion = matched === "other" && EFFECTIVE_AT_TIME.test(left) ? null : matched;
  return {
    day: hasWrongWeekday ? null : day,
    start,
    end,
    time:
      timeOfDay(withoutTimeOfPrevious(left, previousEnd), right.replace(DEFINITION_BESIDE, "")) ?? date.time ?? null,
    // `postponed until May 4` names the new day.
    exclusion: isMoved && exclusion === "bound" ? null : exclusion,
    isMoved,
  };
}

/** Removes the time of the previous date: ` at 5:00 p.m., and trading begins on `. */
function withoutTimeOfPrevious(left: string, previousEnd: number): string {
  return previousEnd === 0 ? left : left.replace(TIME_OF_PREVIOUS, "");
}

function timeOfDay(left: string, right: string): TimeOfDay | null {
  const time = classify(TIME_RULES, left, right);
  return time === "morning" && (isAfterMarketOpen(left) || isAfterMarketOpen(right.slice(0, TIME_CONTEXT)))
    ? "session"
    : time;
}

function classify<T>(rules: readonly Classified<DateRule, T>[], left: string, right: string): T | null {
  return rules.find((rule) => matchesDateRule(rule, left, right))?.category ?? null;
}
