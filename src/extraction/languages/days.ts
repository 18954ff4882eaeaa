import { addDays, type Day, daysBetween, parseDay, yearOf } from "../../domain/time/day.ts";
import { nextTradingDay } from "../../domain/time/trading-day.ts";
import { memoize } from "../../lib/collections.ts";
import { calendarOf, isMarketClosed } from "../date-candidates.ts";
import type { Sentence } from "../sentences.ts";
import { findMatches } from "../text-rule.ts";
import type { Language } from "./language.ts";
import type { Release, Statement } from "./statements.ts";

/** Maximum number of dates read from one sentence. */
const MAX_DATES = 12;

interface DateInText {
  readonly day: Day;
  readonly start: number;
  readonly end: number;
}

function findDates(plain: string, { date, months }: Language, near: Day | null): readonly DateInText[] {
  return findMatches(date, plain, MAX_DATES).flatMap((match) => {
    const { year, glued, era, eraYear = "", month = "", day = "" } = match.groups ?? {};
    const number = months === null || /\d/.test(month) ? Number(month) : monthNumber(month, months);
    const stated = year ?? glued ?? (era === undefined ? undefined : String(yearOfEra(era, eraYear)));
    const found = dayOf(stated, number, day, near);
    return found === undefined ? [] : [{ day: found, start: match.index, end: match.index + match[0].length }];
  });
}

function monthNumber(written: string, months: readonly string[]): number {
  return startsOf(months).findIndex((start) => start.test(written)) + 1;
}

const startsOf = memoize((months: readonly string[]) => months.map((start) => new RegExp(`^${start}`, "iu")));

function yearOfEra(era: string, year: string): number {
  return (era === "令和" ? 2018 : 1988) + (year === "元" ? 1 : Number(year));
}

/** The day without its year that is nearest to `near`. */
function dayOf(year: string | undefined, month: number, dayOfMonth: string, near: Day | null): Day | undefined {
  const inYear = (one: number | string): Day | undefined =>
    parseDay(`${one}-${String(month).padStart(2, "0")}-${dayOfMonth.padStart(2, "0")}`);
  if (year !== undefined) return inYear(year);
  if (near === null) return undefined;
  const candidates = [-1, 0, 1].flatMap((step) => inYear(yearOf(near) + step) ?? []);
  return candidates.toSorted((a, b) => Math.abs(daysBetween(near, a)) - Math.abs(daysBetween(near, b)))[0];
}

/** Maximum length of the place before the day of a text. */
const MAX_DATELINE = 40;

/** Day at the beginning of a text, after its place: `Tonneins, le 7 janvier 2008 -`. */
export function findDateline(statements: readonly Statement[], language: Language): Day | null {
  const opening = statements.filter(({ sentence }) => !sentence.inHeading).slice(0, 3);
  for (const { sentence } of opening) {
    const [first] = findDates(sentence.plain, language, null);
    if (first !== undefined && first.start <= MAX_DATELINE && isDateline(sentence.plain, first)) return first.day;
  }
  return null;
}

/** Place before the day of a text, which has capitalized words: `Salon-de-Provence, le `. */
const PLACE =
  /^(?:\p{Lu}[\p{L}.'-]*(?: (?:de|du|da|do|dos|das|del|di|la|le|les|sur|en|am|an der|i|\p{Lu}[\p{L}.'-]*)){0,5},? ?(?:le|den|il|el)? ?)?$/u;

function isDateline(plain: string, { start, end }: DateInText): boolean {
  return (
    (start === 0 && end === plain.length) ||
    (PLACE.test(plain.slice(0, start)) && /^ ?[-–:(,]|^$/.test(plain.slice(end)))
  );
}

interface ExDateResult {
  readonly day: Day | null;
  readonly basis: "trading" | "effective" | null;
  readonly sentence: Sentence | null;
  readonly contradictory: boolean;
}

const NO_EX_DATE: ExDateResult = { day: null, basis: null, sentence: null, contradictory: false };

/** Text beside a date that says what happens on it, in characters. */
const BEFORE_DATE = 100;
const AFTER_DATE = 120;
/** Text directly after a date that may say that it is another day. */
const LABEL_AFTER = 24;

/** Start of a clause with another day: `och avstämningsdag är den`. */
const NEXT_CLAUSE = / (?:och|og|et|y|e|und|en|ja|samt) /;

/** Text between the first and the last day of a period: `De 2 de maio a 6 de junho`. */
const UP_TO =
  /^,? ?(?:a|até|al|au|à|hasta|bis|bis zum|till|til|tot|έως|do|-)(?: (?:o|el|le|il|den|και))?(?: dia)? ?$/iu;

interface ExDateCandidate {
  readonly day: Day;
  readonly basis: "trading" | "effective";
  readonly sentence: Sentence;
}

/** Finds the only first trading day, else the only day on which the split takes effect. */
export function findExDate(release: Release): ExDateResult {
  const { language, statements, aboutSplit, published } = release;
  const near = published ?? firstStatedDay(release);
  const found = statements.flatMap(({ sentence }) => exDatesIn(sentence, language, near));
  const today = aboutSplit.flatMap(({ sentence }): ExDateCandidate[] =>
    published !== null && language.today.test(sentence.plain) ? [{ day: published, basis: "effective", sentence }] : [],
  );
  const [trading, effective] = (["trading", "effective"] as const).map((basis) =>
    found.filter((one) => one.basis === basis),
  );
  const candidates = [trading, effective, today].find((list) => list !== undefined && list.length > 0) ?? [];
  const [first] = candidates;
  if (first === undefined) return NO_EX_DATE;
  const contradictory = candidates.some(({ day }) => day !== first.day);
  return contradictory ? { ...NO_EX_DATE, sentence: first.sentence, contradictory } : { ...first, contradictory };
}

/** The first day that a text states with its year, which is near the days without one. */
function firstStatedDay({ language, statements }: Release): Day | null {
  for (const { sentence } of statements) {
    const [first] = findDates(sentence.plain, language, null);
    if (first !== undefined) return first.day;
  }
  return null;
}

function exDatesIn(sentence: Sentence, language: Language, near: Day | null): readonly ExDateCandidate[] {
  const { plain } = sentence;
  const dates = findDates(plain, language, near);
  return dates.flatMap(({ day, start, end }, index) => {
    const previousEnd = dates[index - 1]?.end ?? 0;
    const before = plain.slice(Math.max(previousEnd, start - BEFORE_DATE), start);
    const after = plain.slice(end, Math.min(dates[index + 1]?.start ?? plain.length, end + AFTER_DATE));
    const isLastOfPeriod = previousEnd > 0 && UP_TO.test(before);
    const basis = isLastOfPeriod ? undefined : basisOf({ before, after }, language);
    if (basis === undefined) return [];
    const first = basis === "close" ? addDays(day, 1) : day;
    return [{ day: tradingDayFrom(first), basis: basis === "trading" ? "trading" : "effective", sentence }];
  });
}

/** What the text beside a day says of it; undefined if it is another day. */
function basisOf(
  { before, after }: { readonly before: string; readonly after: string },
  { otherDay, decides, afterClose, trading, effective }: Language,
): "trading" | "effective" | "close" | undefined {
  const [label = ""] = after.slice(0, LABEL_AFTER).split(NEXT_CLAUSE);
  if (otherDay.test(before) || otherDay.test(label) || decides.test(label)) return undefined;
  if (afterClose.test(before)) return "close";
  if (trading.test(before) || trading.test(after)) return "trading";
  return effective.test(before) || effective.test(after) ? "effective" : undefined;
}

function tradingDayFrom(day: Day): Day {
  return isMarketClosed(null, day) ? (nextTradingDay(calendarOf(null), day) ?? day) : day;
}
